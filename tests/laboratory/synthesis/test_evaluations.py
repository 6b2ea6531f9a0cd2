"""Made-up evaluations: both harnesses log the same answers, and the models are as good as they were made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.laboratory.synthesis import synthesize_evaluation
from nlpsig_core.laboratory.synthesis.makers.evaluations import HARNESSES, MODELS, READING, TASKS
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import load_task


@pytest.fixture(scope="module")
def by_harness(tmp_path_factory):
    """The folders of a small evaluation with one answer a question."""
    folder = tmp_path_factory.mktemp("evaluations")
    return {name: synthesize_evaluation(folder / name, questions=12, epochs=1, harness=name) for name in HARNESSES}


def test_both_harnesses_log_the_same_answers(by_harness):
    """Models are called owner/name by one and owner__name by the other."""
    tables = []
    for folder in by_harness.values():
        task = load_task(folder)
        assert (task.problems, set(task.test_sets), len(task.systems)) == ((), set(TASKS), len(MODELS))
        assert len(task.test_set(READING).documents) == len(task.test_set(READING).domains) == 12
        stats = [task.select(test_set=name).stats for name in TASKS]
        assert all(one.names == stats[0].names for one in stats)
        names = [name.replace("__", "/") for name in stats[0].names]
        tables.append(pd.DataFrame({name: one.scores for name, one in zip(TASKS, stats, strict=True)}, index=names))
    pd.testing.assert_frame_equal(*(table.sort_index() for table in tables))


def test_a_folder_of_logs_opens_on_the_command_line(by_harness, capsys):
    for folder in by_harness.values():
        assert main(["score", str(folder), "--test-set", "macro-average", "--resamples", "100"]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 1 + len(MODELS)


def test_scores_are_near_the_chances(tmp_path):
    """On 150 questions with 2 answers each, a score is within 0.1 of its expectation, at 4 standard errors."""
    folder = synthesize_evaluation(tmp_path / "new", questions=150)
    truth = pd.read_csv(folder / "truth.tsv", sep="\t", index_col="system")
    task = load_task(folder)
    for name in TASKS:
        stats = task.select(test_set=name).stats
        assert np.abs(stats.scores - truth.loc[list(stats.names), name].to_numpy()).max() < 0.1


def test_impossible_evaluations_are_refused(tmp_path):
    with pytest.raises(ValueError, match="harness is 'x'; give one of Inspect, lm-evaluation-harness"):
        synthesize_evaluation(tmp_path / "a", harness="x")
    with pytest.raises(ValueError, match="give at least 5, and 1 to 99"):
        synthesize_evaluation(tmp_path / "a", questions=4)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError, match="is not empty"):
        synthesize_evaluation(tmp_path)
