"""How well the model predicts metrics that the atlas has on few test sets: others are masked to as few."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from nlpsig_core.studies.atlas.model import FEW, TAILS, fit, keys_of_test_sets, log_errors

# Metrics with at least so many test sets are masked, each so often with every number of test sets below FEW.
MANY, DRAWS = 10, 5
# What the rows of ``coverage`` that count it are called.
MASKED = "threshold, masked to {}"


def masked_coverage(thresholds: pd.DataFrame) -> list[tuple[str, str, bool, bool]]:
    """For each masked prediction: what it rests on, metric, whether the score was given, and whether it held.

    A metric keeps 1 to FEW - 1 test sets, drawn at random. The model learns from these by this metric alone and from
    the test sets that do not have the metric; its 90% interval should hold the metric's other thresholds.
    """
    names, keys = thresholds["metric"].to_numpy(dtype=str), keys_of_test_sets(thresholds)
    rng, held = np.random.default_rng(0), []
    for metric in np.unique(names):
        own = names == metric
        sets = np.unique(keys[own])
        elsewhere = ~np.isin(keys, sets)
        for number in range(1, FEW if len(sets) >= MANY else 0):
            for _ in range(DRAWS):
                kept = np.isin(keys, rng.choice(sets, number, replace=False))
                known, hidden = thresholds[elsewhere | (own & kept)], thresholds[own & ~kept]
                held += [(MASKED.format(number), metric, *of) for of in _held(known.reset_index(drop=True), hidden)]
    return held


def _held(known: pd.DataFrame, hidden: pd.DataFrame) -> Iterator[tuple[bool, bool]]:
    """For each hidden threshold, without its score and with it, whether the interval from the known ones held."""
    columns = (hidden[name].tolist() for name in ("metric", "comparison", "level"))
    rows = list(zip(*columns, log_errors(hidden), strict=True))
    for by_score in (False, True):
        model = fit(known, by_score)
        for metric, comparison, level, seen in rows:
            prediction = model.predict(metric, comparison, level if by_score else None)
            low, high = prediction.log_errors(np.array(TAILS))
            yield by_score, bool(low <= seen <= high)


def held_when_masked(coverage: pd.DataFrame, test_sets: int, by_score: bool) -> tuple[int, int]:
    """How many intervals held when metrics were masked to so many test sets, and of how many."""
    rows = coverage[(coverage["of"] == MASKED.format(test_sets)) & (coverage["by_score"] == by_score)]
    return int(rows["held"].sum()), int(rows["predictions"].sum())
