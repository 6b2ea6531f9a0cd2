"""Metrics by the names that people use: which one of an atlas is meant, and how large a gain in it can be."""

from __future__ import annotations

import math
from functools import cache

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS, Metric
from nlpsig_core.studies.atlas.rows import title
from nlpsig_core.studies.atlas.store import Atlas

# Usual names in papers, harnesses and libraries, as ``_folded``, and the metric of an atlas that answers for them.
ALIASES = {
    **dict.fromkeys(("acc", "exactmatch", "em", "pass1", "passrate", "solved", "resolved", "correct"), "accuracy"),
    **dict.fromkeys(("ndcg", "ndcgcut10"), "nDCG@10"),
    **dict.fromkeys(("map", "averageprecision"), "AP-rankings"),
    **dict.fromkeys(("mrr", "reciprank", "reciprocalrank"), "RR"),
    **{f"f1{average}": f"{average}-F1" for average in ("macro", "micro", "weighted")},
    "recall100": "R@100",
    "sacrebleu": "BLEU",
}
# Metrics whose scores are at most 1.
UP_TO_1 = {"nDCG@10", "AP-rankings", "RR", "P@10", "R@100", "MCC", "kappa", "linear-kappa", "quadratic-kappa"}
UP_TO_1 |= {"Pearson", "Spearman", "Kendall", "concordance"}


def metric_in(atlas: Atlas, name: str) -> str:
    """Return the atlas's name of a metric that is given by label, full or usual name; ChoiceError lists what it has.

    Capitals and signs such as hyphens make no difference to a name that is not known as written.
    """
    known = [str(metric) for metric in atlas.thresholds["metric"].unique()]
    pooled = title(METRICS[name]) if name in METRICS else name
    for own in (name, pooled):
        if own in known:
            return own
    labelled = [metric for metric in known if metric in METRICS and METRICS[metric].label == name]
    if len(labelled) > 1:
        raise ChoiceError(f"Several metrics in the atlas are called {name!r}; choose {' or '.join(sorted(labelled))}")
    folded = _folded(name)
    alike = [ALIASES[folded]] if folded in ALIASES else [metric for metric in known if _folded(metric) == folded]
    if found := [metric for metric in labelled or alike if metric in known]:
        return found[0]
    raise ChoiceError.unknown("metric in the atlas", name, known)


def _folded(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


@cache
def of_registry(metric: str) -> Metric | None:
    """Return a metric that an atlas pools under this name; None for those that only a task has."""
    return next((known for known in METRICS.values() if metric in (title(known), known.label, known.name)), None)


def on_percent_scale(metric: str) -> bool:
    """Return whether scores by a metric of the atlas are from 0 to 100."""
    known = of_registry(metric)
    return known is not None and known.scale in ("%", "points")


def lower_is_better(metric: str) -> bool:
    """Return whether a lower score by a metric of the atlas is better."""
    known = of_registry(metric)
    return known is not None and not known.higher_is_better


def check_gain(metric: str, gain: float | None) -> None:
    """Raise ChoiceError for a gain in a metric that is larger than its scores."""
    most = largest_gain(metric)
    if gain is not None and gain > most:
        points = f"; for {gain:g} points of 100 give {gain / 100:g}" if most == 1 and gain <= 100 else ""
        raise ChoiceError(f"Scores by {metric} are at most {most:g}, so no gain is {gain:g}{points}")


def largest_gain(metric: str) -> float:
    """Return the largest gain that can be asked for: the highest score, where there is one."""
    if metric in UP_TO_1:
        return 1.0
    return 100.0 if on_percent_scale(metric) and not lower_is_better(metric) else math.inf
