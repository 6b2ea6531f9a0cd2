"""Answers of the atlas in words: a threshold, how often a gain is significant, and notes on what to beware of.

A note is "" where there is nothing to note.
"""

from __future__ import annotations

import math

from nlpsig_core.base.words import capital, count, how_often, share, two_digits
from nlpsig_core.studies.atlas.model import FEW, HELD, Model
from nlpsig_core.studies.atlas.record import MASKED, Record, record_of
from nlpsig_core.studies.atlas.shares import Shares, Worth
from nlpsig_core.studies.atlas.store import Atlas, unit_of

# An interval of a share that leaves out less than this at both ends says nothing.
NOTHING_SAID = 0.01


def threshold_sentence(metric: str, where: str, thresholds: tuple[float, float, float]) -> str:
    """Return the threshold of a metric with its interval, low end, centre and high end; ends of NaN are not known."""
    low, centre, high = thresholds
    usually = f"Gains in {metric} above {two_digits(centre)} are usually significant"
    if math.isnan(low):
        return f"{usually} ({where}); how far your test set may be from it is not known"
    return f"{usually}: on your test set {two_digits(low)} to {two_digits(high)} ({where}; {share(HELD)} interval)"


def gain_sentence(gains: str, worth: Worth) -> str:
    """Return how often ``gains`` (such as "gains near 0.6") are significant; "" if nothing is known of them."""
    if math.isnan(worth.share):
        return ""
    often, n = capital(how_often(worth.share)), len(worth.observed)
    if not n:
        about = f"about {share(worth.share)} of {gains} (few test sets have such pairs)"
        return f"{often}, by the model: {about}{_on_yours(worth)}"
    significant = int(worth.observed["significant"].sum())
    sets = count(worth.test_sets, "test set")
    return f"{often}: {significant:,} of {n:,} {gains} were significant ({sets}){_on_yours(worth)}"


def _on_yours(worth: Worth) -> str:
    """Return the interval of a share on a new test set after a semicolon; "" where it is not known."""
    if math.isnan(worth.low):
        return ""
    nothing = worth.low < NOTHING_SAID and worth.high > 1 - NOTHING_SAID
    between = "it could be any share" if nothing else f"{share(worth.low)} to {share(worth.high)}"
    return f"; on your test set {between}"


def not_trusted(record: Record, metric: str, with_score: Record) -> str:
    """Note that the metric's intervals did not hold on test sets left out, and what helps."""
    if record.trusted:
        return ""
    failed = f"no interval is given: on test sets left out, {record.held} of {record.predictions} of {metric} held"
    if not with_score.predictions or not with_score.trusted:
        return failed
    return f"{failed} (with about what both systems score, {with_score.held} of {with_score.predictions})"


def few_test_sets(atlas: Atlas, model: Model, metric: str) -> str:
    """Note that the metric is on fewer than FEW test sets, and how well others masked to as few were predicted."""
    sets = model.test_sets(metric)
    if sets >= FEW:
        return ""
    few = f"the atlas has {count(sets, 'test set')} with {metric}, too few to show how far they spread"
    held, predictions = record_of(atlas, by_score=model.by_score, what=MASKED.format(sets))
    tried = f" (so predicted, {share(held / predictions)} of intervals of other metrics held)" if predictions else ""
    return f"{few}; the spread of other metrics is used{tried}"


def disagreement(expected: Shares) -> str:
    """Note that the observed share is outside the interval that the model expects."""
    low, high = (share(float(end[0])) for end in (expected.low, expected.high))
    return f"the share observed disagrees with the model, which expects {low} to {high}; the interval covers both"


def other_size(atlas: Atlas, metric: str, n: int, about: float) -> str:
    """Note that no test set has about ``n`` units: all have over ``about`` times as many, or as few."""
    sizes = atlas.parts["n"][atlas.parts["metric"] == metric]
    if sizes.min() / about <= n <= sizes.max() * about:
        return ""
    seen = f"the atlas's test sets have {sizes.min():,} to {sizes.max():,} {unit_of(atlas, metric)}s"
    return f"{seen}; for other sizes thresholds are assumed to fall with sqrt(n)"


def other_class(atlas: Atlas, metric: str, comparison: str) -> str:
    """Note that the atlas has no threshold of the metric for the class."""
    known = atlas.thresholds
    if comparison in set(known["comparison"][known["metric"] == metric]):
        return ""
    unseen = f"the atlas has no threshold of {metric} for the class {comparison!r}"
    return f"{unseen}; the difference between classes is that of other metrics"


def unused_score(metric: str) -> str:
    """Note that the question's score changes nothing."""
    return f"the atlas cannot tell how thresholds of {metric} depend on the score, which is not used"
