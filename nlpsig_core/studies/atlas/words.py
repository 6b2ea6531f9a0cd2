"""Answers of the atlas in words: a threshold, how often a gain is significant, and notes on what to beware of.

A note is "" where there is nothing to note.
"""

from __future__ import annotations

import math

from nlpsig_core.base.words import capital, count, how_often, plural, share, span, two_digits
from nlpsig_core.studies.atlas.model import FEW, HELD, Model
from nlpsig_core.studies.atlas.names import lower_is_better, on_percent_scale
from nlpsig_core.studies.atlas.record import MASKED, MASKED_ROUGH, Record, record_of
from nlpsig_core.studies.atlas.shares import Shares, Worth
from nlpsig_core.studies.atlas.store import Atlas, unit_of

# An interval of a share that leaves out less than this at both ends says nothing.
NOTHING_SAID = 0.01
# Rough thresholds over known ones: the 5th and 95th percentile over the test sets and classes that have both.
ROUGH_RANGE = (0.77, 1.92)
# How many times as large standard errors are by speaker: the mean ratio of the pairs of LibriSpeech, 40 speakers.
BY_SPEAKER = {"WER": 2.4, "CER": 2.5, "MER": 2.4, "SER": 1.4}


def threshold_sentence(metric: str, where: str, thresholds: tuple[float, float, float]) -> str:
    """Return the threshold of a metric with its interval, low end, centre and high end; ends of NaN are not known."""
    low, centre, high = thresholds
    gains = "Reductions" if lower_is_better(metric) else "Gains"
    usually = f"{gains} in {metric} above {in_points(metric, two_digits(centre))} are usually significant"
    if math.isnan(low):
        return f"{usually} ({where}); how far your test set may be from it is not known"
    threshold = f"on your test set the threshold may be {two_digits(low)} to {two_digits(high)}"
    return f"{usually}: {threshold} ({where}; {share(HELD)} interval)"


def in_points(metric: str, number: str) -> str:
    """Return a number, as points where the metric is in percent."""
    return f"{number} points" if on_percent_scale(metric) else number


def gain_sentence(gains: str, worth: Worth) -> str:
    """Return how often ``gains`` (such as "gains near 0.6") are significant; "" if nothing is known of them."""
    if math.isnan(worth.share):
        return ""
    often, n = capital(_on_new_test_sets(worth)), len(worth.observed)
    if not n:
        about = f"about {share(worth.share)} of {gains} (few test sets have such pairs)"
        return f"{often}, by the model: {about}{_on_yours(worth)}"
    significant = int(worth.observed["significant"].sum())
    sets = count(worth.test_sets, "test set")
    return f"{often}: {significant:,} of {n:,} {gains} were significant ({sets}){_on_yours(worth)}"


def _on_new_test_sets(worth: Worth) -> str:
    """Return a share as a word, which is never or always only if the interval says so too."""
    word = how_often(worth.share)
    if word == "never" and not worth.high < NOTHING_SAID:
        return "rarely"
    return "usually" if word == "always" and not worth.low > 1 - NOTHING_SAID else word


def _on_yours(worth: Worth) -> str:
    """Return the interval of a share on a new test set after a semicolon; "" where it is not known."""
    if math.isnan(worth.low):
        return ""
    none, every = worth.high < NOTHING_SAID, worth.low > 1 - NOTHING_SAID
    if none or every:
        return f"; on your test set nearly {'none' if none else 'all'}"
    nothing = worth.low < NOTHING_SAID and worth.high > 1 - NOTHING_SAID
    between = "any share" if nothing else span(share(worth.low), share(worth.high), " to ")
    return f"; on your test set it could be {between}"


def not_trusted(record: Record, metric: str, with_score: Record) -> str:
    """Note that the metric's intervals did not hold on test sets left out, and what helps."""
    if record.trusted:
        return ""
    failed = f"no interval is given: on test sets left out, {record.held} of {record.predictions} of {metric} held"
    if not with_score.predictions or not with_score.trusted:
        return failed
    return f"{failed} (with about what both systems score, {with_score.held} of {with_score.predictions})"


def taken_as(asked: str, metric: str) -> str:
    """Note that a question in another name is answered with this metric."""
    return "" if asked == metric else f"{asked!r} is answered as {metric}"


def few_test_sets(atlas: Atlas, model: Model, metric: str) -> str:
    """Note that the metric is on fewer than FEW test sets, and how well others masked to as few were predicted."""
    sets = model.test_sets(metric)
    if sets >= FEW:
        return ""
    only = f"the atlas has only {count(sets, 'test set')} with {metric}"
    tried_on = MASKED_ROUGH if model.rough(metric) and sets == 1 else MASKED.format(sets)
    held, predictions = record_of(atlas, by_score=model.by_score, what=tried_on)
    tried = f"; where others were predicted so, {share(held / predictions)} of intervals held" if predictions else ""
    return f"{only}, so the interval assumes that test sets differ as much as they do in other metrics{tried}"


def rough(model: Model, metric: str) -> str:
    """Note that the threshold is that of systems which are far apart, and how near such thresholds came."""
    if not model.rough(metric):
        return ""
    low, high = ROUGH_RANGE
    few = f"the threshold is rough, since nearly all systems that the atlas has with {metric} are far apart"
    return f"{few}; where a threshold is known, such estimates were {low:.1f} to {high:.1f} times it"


def by_speaker(metric: str, threshold: float) -> str:
    """Note that utterances of a speaker belong together, which asks for more, and for how much."""
    if (times := BY_SPEAKER.get(metric)) is None:
        return ""
    expected = f"expect about {in_points(metric, two_digits(times * threshold))}"
    measured = f"standard errors by speaker were {times:g} times as large on LibriSpeech"
    return f"if your test set has many utterances of each speaker, {expected}: {measured}"


def disagreement(expected: Shares) -> str:
    """Note that the observed share is outside the interval that the model expects."""
    low, high = (share(float(end[0])) for end in (expected.low, expected.high))
    return f"the share observed disagrees with the model, which expects {low} to {high}; the interval covers both"


def other_size(atlas: Atlas, metric: str, n: int, about: float) -> str:
    """Note that no test set has about ``n`` units: all have over ``about`` times as many, or as few."""
    sizes = atlas.parts["n"][atlas.parts["metric"] == metric]
    if sizes.min() / about <= n <= sizes.max() * about:
        return ""
    units = plural(int(sizes.max()), unit_of(atlas, metric))
    has = "test sets have" if len(sizes) > 1 else "test set has"
    seen = f"the atlas's {has} {span(f'{sizes.min():,}', f'{sizes.max():,}', ' to ')} {units}"
    return f"{seen}; thresholds are assumed to fall with the square root of the size"


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
