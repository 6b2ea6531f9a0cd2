"""The closing page of the film in words: what was learnt, and questions with answers."""

from __future__ import annotations

from typing import NamedTuple

from nlpsig_core.output.film.numbers import Numbers
from nlpsig_core.studies.lessons.film import SIZES


class Asked(NamedTuple):
    """A question and its answer."""

    ask: str
    answer: str


def learnt(numbers: Numbers) -> list[str]:
    """Return what the film has shown, a sentence each."""
    small, middle, _ = numbers.thresholds
    return [
        f"The {numbers.gain} [δ] is the difference of two scores on one test set.",
        f"A resample draws the {numbers.unit}s of the test set with replacement, the same for both systems.",
        f"The {numbers.gain}s [δ*] on resamples show how far luck can move the {numbers.gain}.",
        "The p-value [p] is the share of resamples with [δ*] above [2δ]: "
        "how often luck alone would give more than [δ].",
        "Significant means that [p] is below a level [α]; level and sides are chosen beforehand.",
        "The winner is known only after looking, so the two-sided [p] is the usual one.",
        "Many pairs need an adjustment, such as Holm's.",
        "A permutation test swaps outputs where the bootstrap draws; it supposes more, and p is usually similar.",
        f"The threshold depends on the test set: {small} points with {SIZES[0]} sentences, {middle} with {SIZES[1]}.",
    ]


def noticeable(numbers: Numbers) -> list[str]:
    """Return why a significant gain need not be one that people notice, a sentence each."""
    return [
        f"A small p says that luck is an unlikely reason for the {numbers.gain}.",
        f"It does not say that a reader would notice the {numbers.gain}.",
        f"With enough {numbers.unit}s, even a {numbers.gain} that nobody notices becomes significant.",
        f"What a {numbers.gain} in a metric is worth to people, only their judgements tell.",
        *numbers.people,
    ]


def questions(numbers: Numbers) -> list[Asked]:
    """Return questions with their answers."""
    one, two = numbers.world_alarms
    return [
        Asked(
            "Is p the probability that A is no better than B?",
            f"No. p is how often luck alone would give a larger {numbers.gain} if A were no better.",
        ),
        Asked(
            "Is 1 − p the probability that A wins on the next test set?",
            "No. Both p and 1 − p are about luck under the null hypothesis, not about the next test set.",
        ),
        Asked("p = 0.3. Are the two systems equally good?", "Not shown. The test set may be too small to tell."),
        Asked(
            f"p = 0.0001. Is the {numbers.gain} large?",
            f"Not necessarily. On a large test set, a small {numbers.gain} has a small p as well.",
        ),
        Asked(
            "Why must both systems be scored on the same resample?",
            f"Easy {numbers.unit}s then help both alike, and only their difference counts.",
        ),
        Asked(
            "Why are resamples counted above 2δ and not above δ?",
            "They spread around δ. Slid to 0, as under the null hypothesis, those above 2δ are above δ.",
        ),
        Asked(
            "How is the bootstrap different from a permutation test?",
            "It draws units and asks about other test sets. The permutation test swaps outputs on this one.",
        ),
        Asked(
            "Do more resamples make p smaller?",
            f"No, more exact. More {numbers.unit}s usually make p smaller, if A is really better.",
        ),
        Asked(
            "Why is the one-sided p too small if the winner is chosen after looking?",
            f"Luck may favour either system. In the film, {one} worlds had a false alarm one-sided, {two} two-sided.",
        ),
        Asked(
            "Twenty systems, 190 pairs, level 0.05. Is one significant pair a finding?",
            f"Hardly. Equally good systems had {numbers.mean_alarms:.1f} on average. Adjust p first.",
        ),
        Asked(
            f"Last year a {numbers.gain} of 2.5 was significant. Is it so on this year's test set?",
            f"That depends on the test set: with four times the {numbers.unit}s the threshold is about half.",
        ),
    ]
