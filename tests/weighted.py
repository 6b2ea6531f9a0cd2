"""Scores of the weighted sample: metrics, made-up values, and the scores by scipy and scikit-learn."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import average_precision_score, roc_auc_score

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.items import ranks
from nlpsig_core.significance.stats.array import Stats

AREAS = ("roc_auc", "average_precision")
NAMES = ("spearman", "kendall", *AREAS)
# The same where many scores are computed one by one: scikit-learn takes milliseconds for each.
ONE_BY_ONE = (*NAMES[:2], *(pytest.param(name, marks=pytest.mark.slow) for name in AREAS))
WEIGHTED = {
    name: Metric(
        name=name,
        what="",
        family=METRICS["mean"].family,
        columns=("gold", "predicted"),
        sample=getattr(ranks, name),
        scale="%" if name in AREAS else "",
    )
    for name in NAMES
}


def written_out(name: str, gold: np.ndarray, predicted: np.ndarray) -> float:
    """The score of a sample by scipy or scikit-learn; what nlpsig promises where these have none."""
    return _written_out(name, tuple(gold.tolist()), tuple(predicted.tolist()))


@cache
def _written_out(name: str, gold: tuple[float, ...], predicted: tuple[float, ...]) -> float:
    if name in ("spearman", "kendall"):
        constant = len(set(gold)) < 2 or len(set(predicted)) < 2
        return 0.0 if constant else (spearmanr if name == "spearman" else kendalltau)(gold, predicted)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of samples of one class
        if name == "roc_auc":
            return 50.0 if len(set(gold)) < 2 else 100 * roc_auc_score(gold, predicted)
        return 100 * average_precision_score(gold, predicted) if any(gold) else 0.0


def values_of(name: str, seed: int, systems: int, n: int, decimals: int = 1) -> np.ndarray:
    """Gold and predictions with ties, (systems, n, 2); the gold is binary for areas under curves."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=n)
    predicted = (latent + rng.uniform(0.4, 1.2, (systems, 1)) * rng.normal(size=(systems, n))).round(decimals)
    gold = (latent > 0.3).astype(float) if name in AREAS else latent.round(decimals)
    return np.stack([np.broadcast_to(gold, predicted.shape), predicted], axis=-1)


def weighted_stats(name: str, seed: int = 0, systems: int = 4, n: int = 25, **more) -> Stats:
    """Statistics of systems of different quality."""
    return Stats(tuple(f"system{i}" for i in range(systems)), values_of(name, seed, systems, n), WEIGHTED[name], **more)


def scores_written_out(stats: Stats, counts: np.ndarray) -> np.ndarray:
    """The score of each output in each sample, (outputs, rows), one by one; counts (rows, units)."""
    name, sizes = stats.metric.name, stats.sizes
    each = np.split(np.arange(stats.values.shape[1]), np.cumsum(sizes)[:-1])
    scores = np.empty((len(stats.values), len(counts)))
    for row, drawn in enumerate(counts.astype(int)):
        entries = np.concatenate([each[unit] for unit, times in enumerate(drawn) for _ in range(times)])
        scores[:, row] = [written_out(name, *values[entries].T) for values in stats.values]
    return scores
