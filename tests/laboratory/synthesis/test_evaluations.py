"""Made-up evaluations: a task of three test sets, in which the models are as good as they were made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.laboratory.synthesis import synthesize_evaluation
from nlpsig_core.laboratory.synthesis.makers.evaluations import MODELS, READING, TASKS, WORD_ORDER, make_items
from nlpsig_core.significance.comparison.select import load_task


def test_scores_are_near_the_chances(tmp_path):
    """On 150 questions with 2 answers each, a score is within 0.1 of its expectation, at 4 standard errors."""
    folder = synthesize_evaluation(tmp_path / "new", questions=150)
    truth = pd.read_csv(folder / "truth.tsv", sep="\t", index_col="system")
    task = load_task(folder)
    assert (task.problems, set(task.test_sets), len(task.systems)) == ((), set(TASKS), 2 * len(MODELS))
    assert len(task.test_set(READING).documents) == len(task.test_set(READING).domains) == 150
    for name in TASKS:
        stats = task.select(test_set=name).stats
        assert np.abs(stats.scores - truth.loc[list(stats.names), name].to_numpy()).max() < 0.1


def test_impossible_evaluations_are_refused(tmp_path):
    with pytest.raises(ValueError, match="give at least 5, and 1 to 99"):
        synthesize_evaluation(tmp_path / "a", questions=4)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError, match="is not empty"):
        synthesize_evaluation(tmp_path)


def test_only_one_of_the_choices_is_the_right_order():
    """Few words have few orders: three of them six, so that four differ."""
    items = make_items(WORD_ORDER, 0, 1, 100)
    assert all(len(set(item.choices)) == 4 and item.answer not in item.wrong for item in items)
