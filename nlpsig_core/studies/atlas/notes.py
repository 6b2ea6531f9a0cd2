"""What to beware of in an answer of the atlas: one note a function, empty where there is nothing to note."""

from __future__ import annotations

from nlpsig_core.base.words import count, share
from nlpsig_core.studies.atlas.few import held_when_masked
from nlpsig_core.studies.atlas.model import FEW, Model
from nlpsig_core.studies.atlas.record import Record
from nlpsig_core.studies.atlas.shares import Shares
from nlpsig_core.studies.atlas.store import Atlas, unit_of


def not_trusted(record: Record, metric: str, with_score: Record) -> str:
    """The metric's intervals did not hold on test sets left out; what helps."""
    if record.trusted:
        return ""
    failed = f"no interval is given: on test sets left out, {record.held} of {record.predictions} of {metric} held"
    if not with_score.predictions or not with_score.trusted:
        return failed
    return f"{failed} (with about what both systems score, {with_score.held} of {with_score.predictions})"


def few_test_sets(atlas: Atlas, model: Model, metric: str) -> str:
    """The metric is on fewer than FEW test sets; the share of intervals that held where others were on as few."""
    sets = model.test_sets(metric)
    if sets >= FEW:
        return ""
    few = f"the atlas has {count(sets, 'test set')} with {metric}, too few to show how far they spread"
    held, predictions = held_when_masked(atlas.tables["coverage"], sets, model.by_score)
    tried = f" (so predicted, {share(held / predictions)} of intervals of other metrics held)" if predictions else ""
    return f"{few}; the spread of other metrics is used{tried}"


def disagreement(expected: Shares) -> str:
    """The share that was observed is outside of the interval that the model expects."""
    low, high = (share(float(end[0])) for end in (expected.low, expected.high))
    return f"the share observed disagrees with the model, which expects {low} to {high}; the interval covers both"


def other_size(atlas: Atlas, metric: str, n: int, about: float) -> str:
    """No test set has about ``n`` units: all have over ``about`` times as many, or as few."""
    sizes = atlas.parts["n"][atlas.parts["metric"] == metric]
    if sizes.min() / about <= n <= sizes.max() * about:
        return ""
    seen = f"the atlas's test sets have {sizes.min():,} to {sizes.max():,} {unit_of(atlas, metric)}s"
    return f"{seen}; for other sizes thresholds are assumed to fall with sqrt(n)"


def other_class(atlas: Atlas, metric: str, comparison: str) -> str:
    """The atlas has no threshold of the metric for the class."""
    known = atlas.thresholds
    if comparison in set(known["comparison"][known["metric"] == metric]):
        return ""
    unseen = f"the atlas has no threshold of {metric} for the class {comparison!r}"
    return f"{unseen}; the difference between classes is that of other metrics"


def unused_score(metric: str) -> str:
    """The question's score changes nothing."""
    return f"the atlas cannot tell how thresholds of {metric} depend on the score, which is not used"
