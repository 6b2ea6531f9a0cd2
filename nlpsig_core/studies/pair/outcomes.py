"""The instances that two systems solve: both, only one of them, or neither, with what each instance cost.

Every function takes what is analysed of a test set, and statistics of two systems, the observed winner first.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd

from nlpsig_core.data.metrics import Metric
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.counting import count_test_set
from nlpsig_core.significance.stats.selected import SelectedTestSet

BOTH, ONLY_A, ONLY_B, NEITHER = KINDS = ("both", "only a", "only b", "neither")
# A system solves an instance if at least this share of its attempts does.
SOLVED = 0.5


def are_outcomes(one: SelectedTestSet, stats: Stats) -> bool:
    """Return whether the scores of units are shares of solved attempts, or right and wrong answers."""
    if not one.by_own_unit or not one.test_set.reader.logs:
        return False
    scores = stats.unit_scores
    return bool(stats.metric.scale == "%" or np.isin(scores, (0, 1)).all())


def outcomes(one: SelectedTestSet, stats: Stats) -> pd.DataFrame:
    """Return a row for each selected unit: instance (its name), domain if known, kind, a, b, and their costs.

    ``kind`` is one of KINDS; ``a`` and ``b`` are the shares of attempts that solve it, on the metric's scale. The costs
    have the columns "COST of a" and "COST of b", where COST names a metric (``cost_metric``), and NaN where unknown.
    """
    own = np.concatenate(one.own_units)
    a, b = stats.unit_scores
    half = SOLVED * (100 if stats.metric.scale == "%" else 1)
    solved_a, solved_b = a >= half, b >= half
    kinds = np.array(KINDS, dtype=object)[np.where(solved_a, np.where(solved_b, 0, 1), np.where(solved_b, 2, 3))]
    table = pd.DataFrame({"instance": _names(one, own), "kind": kinds, "a": a, "b": b})
    if len(one.test_set.domains):
        table.insert(1, "domain", one.test_set.domains[own])
    if (metric := cost_metric(one)) is not None:
        for side, system in zip("ab", stats.names, strict=True):
            table[f"{metric.name} of {side}"] = _values(one, system, metric)[own]
    return table


def counts(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each of KINDS, in that order: kind, instances (their number) and share of all."""
    number = table["kind"].value_counts().reindex(list(KINDS), fill_value=0)
    rows = {"kind": KINDS, "instances": number.to_numpy(), "share": number.to_numpy() / max(len(table), 1)}
    return pd.DataFrame(rows)


def cost_metric(one: SelectedTestSet) -> Metric | None:
    """Return the metric of what an instance cost: the one named so, else the first for which lower is better."""
    lower = [metric for metric in Offer(one.test_set).own.values() if not metric.higher_is_better]
    return next((metric for metric in lower if "cost" in metric.name), next(iter(lower), None))


def _names(one: SelectedTestSet, own: np.ndarray) -> list[str]:
    if one.test_set.packed is not None:
        return [f"{one.test_set.reader.unit} {index + 1}" for index in own]
    names: Sequence[str] = one.test_set.unit_names
    return [names[index] for index in own]


def _values(one: SelectedTestSet, system: str, metric: Metric) -> np.ndarray:
    """Return the value of each unit of the test set, the mean over runs; NaN without one."""
    files = [file for file in one.outputs if one.task.names[file] == system]
    values = count_test_set(one.test_set, files, metric.family).values[:, :, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a unit of which no run has a value
        mean: np.ndarray = np.nanmean(values, axis=0)
    return mean
