"""Scenes of other tests: swaps in place of draws, and one pair by many rules."""

from __future__ import annotations

from nlpsig_core.base.words import LEVEL
from nlpsig_core.output.film.numbers import Numbers
from nlpsig_core.output.film.scene import Question, Scene


def the_swaps(numbers: Numbers) -> Scene:
    """Compare draws, which the bootstrap counts, with swaps, which a permutation test counts."""
    unit, b, hits = numbers.unit, numbers.resamples, numbers.swaps
    draws, swaps = numbers.equals(numbers.two_sided), numbers.equals(numbers.p_of_swaps)
    return Scene(
        key="swaps",
        title="A permutation test",
        text=(
            "How is this different from a permutation test?",
            f"The bootstrap draws {unit}s and keeps the outputs.",
            f"It supposes that [A] is no better on average over all {unit}s like these.",
            f"A permutation test keeps the {unit}s and swaps outputs, as the coin did.",
            f"It supposes more: in every {unit}, each output could have come from either system.",
        ),
        question=Question(
            ask=f"By draws, the two-sided [p] {draws}. How many of {b:,} swaps give either system [δ] or more?",
            answer=hits,
            high=max(b // 2, hits),
            step=10,
            unit="swaps",
        ),
        after=(
            f"{hits:,} swaps do: [p] {swaps}.",
            *_of_ties(numbers),
            _agreement(numbers),
            f"Swaps speak of these {unit}s alone.",
            f"Draws speak of other {unit}s as well, and give an interval of the {numbers.gain}.",
        ),
        short=f"Two-sided p by swaps {swaps}, by draws {draws}.",
        before=f"Two histograms of {b:,} {numbers.gain}s around 0: by draws, slid by δ, and an empty one by swaps.",
        alt=f"Two histograms of {b:,} {numbers.gain}s around 0. By draws "
        f"{numbers.film.above_twice + numbers.film.below_zero:,} are beyond δ or −δ, two-sided p {draws}; "
        f"by swaps {hits:,} are at least that far, two-sided p {swaps}.",
    )


def _of_ties(numbers: Numbers) -> tuple[str, ...]:
    """Say how many swaps give exactly the gain, if some do."""
    exactly = int((abs(numbers.film.swapped) == numbers.film.gain).sum())
    if not exactly:
        return ()
    return (
        f"Swaps count {numbers.gain}s of exactly [δ] too, {exactly:,} here, since the real outputs are one of the "
        "swaps.",
        "Draws count only those beyond it.",
    )


def _agreement(numbers: Numbers) -> str:
    """Say whether the two tests agree on the level."""
    if (numbers.two_sided < LEVEL) == (numbers.p_of_swaps < LEVEL):
        return "Both say the same at the level 0.05."
    return "The two say different things at the level 0.05."


def other_rules(numbers: Numbers) -> Scene:
    """Test the same pair by other rules."""
    rules, paper = len(numbers.film.rules), numbers.equals(numbers.one_sided)
    below = int((numbers.film.rules["one_sided"] < LEVEL).sum())
    return Scene(
        key="rules",
        title="Other rules",
        text=(
            "There are still more rules for the same two outputs.",
            f"They differ in what they count: the whole test set, or each {numbers.unit} alone.",
            "They differ in what they draw, or use a formula.",
            f"The paired bootstrap gives a one-sided [p] {paper}.",
        ),
        question=Question(
            ask=f"By how many of {rules} rules is the one-sided [p] below 0.05?", answer=below, high=rules, unit="rules"
        ),
        after=(
            f"By {below} of {rules}.",
            "A full dot is the one-sided [p], an empty one the two-sided.",
            "Choose a rule to see why it differs.",
            "Choosing the rule with the smallest [p] would be cheating.",
            *numbers.decided,
        ),
        short=f"By {below} of {rules} rules the one-sided p is below 0.05.",
        before=f"The names of {rules} rules, and the p of the paired bootstrap.",
        alt=f"p by {rules} rules on a logarithmic scale; by {below} the one-sided p is below 0.05.",
    )
