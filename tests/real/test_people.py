"""Real judgements of people and metrics: every measure equals the value that mt-metrics-eval gives.

Skipped, saying so, where NLPSIG_REAL_DATA is unset; the NOTES.md of each folder tells where its files come from.
Expected values were made apart from this project.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.agreement.segments import accuracy, best_tie
from nlpsig_core.data.metrics.agreement.table import by_system
from nlpsig_core.data.metrics.people import MEASURES
from nlpsig_core.significance.comparison.select import load_task, select

# The names of expected values.
NAMES = {
    "SPA": "spa_20000",
    "sys-accuracy": "sys_pairwise_accuracy",
    "sys-Pearson": "sys_pearson",
    "sys-Spearman": "sys_spearman",
    "sys-Kendall": "sys_tau_b",
    "seg-accuracy-item": "seg_acc_eq_item",
    "seg-accuracy-calibrated-item": "seg_acc_star_item",
    "seg-Kendall-item": "seg_tau_b_item",
    "seg-Pearson-item": "seg_pearson_item",
    "seg-Kendall-system": "seg_tau_b_sys",
    "seg-Pearson": "seg_pearson",
    "seg-Spearman": "seg_spearman",
    "seg-Kendall": "seg_tau_b",
}
# Their p is from 20,000 permutations, that here from the normal approximation.
NEAR_BY_DRAWS = {"SPA": 0.004}


def expected_values(folder: Path) -> dict[tuple[str, str], float]:
    """By metric on trial and the name of the value."""
    with (folder / "expected.tsv").open(encoding="utf-8") as file:
        return {(row["system"], row["metric"]): float(row["value"]) for row in csv.DictReader(file, delimiter="\t")}


@pytest.mark.parametrize(("name", "metrics"), [("human.wmt20.en-de", 7), ("human.realsumm.abs", 14)])
def test_every_measure_of_every_metric_is_the_expected_one(real_data, name, metrics):
    folder = real_data / name
    expected, task = expected_values(folder), load_task(folder)
    assert NAMES.keys() == {measure.name for measure in MEASURES}
    for measure in MEASURES:
        stats = select(task, measure).stats
        assert stats.n_systems == metrics
        near = NEAR_BY_DRAWS.get(measure.name, 1e-9)
        theirs = [expected[metric, NAMES[measure.name]] for metric in stats.names]
        assert stats.scores == pytest.approx(theirs, rel=0, abs=near), measure.name


@pytest.mark.parametrize("name", ["human.wmt20.en-de", "human.realsumm.abs"])
def test_calibrated_ties_are_as_good_as_the_expected_ones(real_data, name):
    """They are the same, or smaller where several are equally good; those expected have ten decimals."""
    folder = real_data / name
    expected, task = expected_values(folder), load_task(folder)
    chosen = select(task, METRICS["seg-accuracy-calibrated-item"]).first
    for file, values in zip(chosen.counts.files, chosen.counts.values, strict=True):
        tie, theirs = best_tie(*by_system(values)), expected[task.names[file], "seg_acc_star_threshold"]
        assert tie <= theirs + 1e-9
        of_each = [accuracy(*by_system(values), one + 1e-10)[0].mean() for one in (tie, theirs)]
        assert of_each[0] == pytest.approx(of_each[1], rel=0, abs=1e-9)
