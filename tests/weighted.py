"""Scores of the weighted sample: metrics, made-up values, and the scores by scipy and by plain definitions."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.stats import kendalltau, spearmanr

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.items import ranks
from nlpsig_core.significance.stats.array import Stats

AREAS = ("roc_auc", "average_precision")
NAMES = ("spearman", "kendall", *AREAS)
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
    """The score of a sample by scipy, or by its definition; what nlpsig promises where it has none."""
    return _written_out(name, tuple(gold.tolist()), tuple(predicted.tolist()))


@cache
def _written_out(name: str, gold: tuple[float, ...], predicted: tuple[float, ...]) -> float:
    if name in ("spearman", "kendall"):
        constant = len(set(gold)) < 2 or len(set(predicted)) < 2
        return 0.0 if constant else (spearmanr if name == "spearman" else kendalltau)(gold, predicted)[0]
    return 100 * (area_by_pairs if name == "roc_auc" else area_by_steps)(np.array(gold), np.array(predicted))


def area_by_pairs(gold: np.ndarray, predicted: np.ndarray) -> float:
    """The share of pairs of a positive and a negative that are in order, ties half; 0.5 if there are none."""
    apart = predicted[gold == 1][:, None] - predicted[gold == 0]
    return ((apart > 0).mean() + (apart == 0).mean() / 2) if apart.size else 0.5


def area_by_steps(gold: np.ndarray, predicted: np.ndarray) -> float:
    """The sum over thresholds of precision times the recall that each adds; 0 without positives."""
    chosen = predicted >= np.unique(predicted)[::-1, None]
    right = (chosen & (gold == 1)).sum(axis=1)
    return (np.diff(right, prepend=0) * right / chosen.sum(axis=1)).sum() / max(gold.sum(), 1)


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
