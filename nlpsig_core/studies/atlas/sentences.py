"""Answers of the atlas in words: the threshold of a test set, and how often a gain is significant."""

from __future__ import annotations

import math

from nlpsig_core.base.words import capital, count, how_often, share, two_digits
from nlpsig_core.studies.atlas.model import HELD
from nlpsig_core.studies.atlas.shares import Worth

# An interval of a share that leaves out less than this at both ends says nothing.
NOTHING_SAID = 0.01


def of_threshold(metric: str, where: str, thresholds: tuple[float, float, float]) -> str:
    """Return the threshold of a metric with its interval, low end, centre and high end; ends of NaN are not known."""
    low, centre, high = thresholds
    usually = f"Gains in {metric} above {two_digits(centre)} are usually significant"
    if math.isnan(low):
        return f"{usually} ({where}); how far your test set may be from it is not known"
    return f"{usually}: on your test set {two_digits(low)} to {two_digits(high)} ({where}; {share(HELD)} interval)"


def of_gain(gains: str, worth: Worth) -> str:
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
