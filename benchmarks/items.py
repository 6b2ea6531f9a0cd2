"""Made-up statistics of tasks with one answer an item: labels, which are counted, and numbers, which are sorted."""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.stats.array import Stats

SYSTEMS, ITEMS, CLASSES = 30, 1_000, 5
RANKED = ("Spearman", "Kendall", "AUC", "AP")


def stats(metric: str) -> Stats:
    """Return statistics of systems of different quality: labels for macro-F1, gold of two values for AUC and AP."""
    rng = np.random.default_rng(0)
    gold = rng.normal(size=ITEMS)
    predicted = gold + rng.uniform(0.8, 1.2, (SYSTEMS, 1)) * rng.normal(size=(SYSTEMS, ITEMS))
    if metric == "macro-F1":
        cuts = np.linspace(-1.5, 1.5, CLASSES - 1)
        return _stats(metric, np.digitize(gold, cuts), np.digitize(predicted, cuts))
    return _stats(metric, gold.round(1) if metric in ("Spearman", "Kendall") else gold > 0.5, predicted.round(2))


def _stats(name: str, gold: np.ndarray, predicted: np.ndarray) -> Stats:
    metric = METRICS[name]
    values = np.stack(np.broadcast_arrays(gold, predicted), axis=-1)
    values = metric.expand(values) if metric.expand else values
    return Stats(tuple(f"s{i}" for i in range(SYSTEMS)), values, metric, unit="item")
