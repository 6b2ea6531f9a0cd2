"""Systems with several training runs: what is made, what is true of it, and what nlpsig finds."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.opening import open_files
from nlpsig_core.data.task.samples import sample_path
from nlpsig_core.laboratory.synthesis import synthesize_runs
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.runs import run_variance
from nlpsig_core.significance.stats.counting import count_test_set
from tests.builders import sample

SAMPLE = "dorvel-runs"


@pytest.fixture(scope="module")
def selection() -> Selection:
    return sample(SAMPLE, "LAS")


def test_the_sample_has_four_systems_of_five_runs(selection):
    assert selection.stats.runs == (5,) * 4
    assert selection.systems["group"].nunique() == 2
    assert selection.signature(Resampling(9)).count("|n:150|runs:5|") == 1
    assert not selection.task.problems
    assert not selection.first.counts.problems


def test_runs_of_a_system_differ_and_scores_lie_near_what_is_true(selection):
    """Within four standard errors of the texts drawn, some 6 points; other languages would differ more."""
    stats = selection.stats
    assert (run_variance(stats).variance > 0).all()
    path = sample_path(SAMPLE)
    assert path is not None
    rows = open_files(path)["truth.tsv"].text().splitlines()[1:]
    truth = dict(row.split("\t")[::2] for row in rows)
    assert truth["Krestquell-base"] == truth["Yustrony-base"]
    expected = np.array([float(truth[name]) for name in stats.names])
    assert (np.abs(stats.scores - expected) < 6).all()


def test_equally_good_systems_are_not_told_apart_and_others_are(selection):
    pairs = selection.bootstrap(Resampling(5_000)).pairs().set_index(["system_a", "system_b"])
    assert pairs.loc[("Krestquell-base", "Yustrony-base"), "p_two_sided"] > 0.3
    assert pairs.loc[("Yustrony-large", "Krestquell-small"), "p_two_sided"] < 0.01


def test_the_same_arguments_give_the_same_files(tmp_path):
    one, two = (synthesize_runs(tmp_path / name, seed=3, sentences=6, runs=2) for name in "ab")
    names = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in names)
    assert load_task(one).systems["run"].tolist() == ["1", "2"] * 4
    one_run = load_task(synthesize_runs(tmp_path / "c", sentences=6, runs=1))
    found = count_test_set(one_run.test_set(), list(one_run.systems["file"]), METRICS["LAS"].family)
    assert not found.stats(METRICS["LAS"], one_run.names).several_runs


def test_what_cannot_be_made(tmp_path):
    with pytest.raises(ValueError, match="sentences is 4; a test set needs at least 5"):
        synthesize_runs(tmp_path / "x", sentences=4)
    with pytest.raises(ValueError, match="runs is 0; give 1 to 99"):
        synthesize_runs(tmp_path / "x", runs=0)
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(FileExistsError, match="is not empty; name a new folder"):
        synthesize_runs(tmp_path)
