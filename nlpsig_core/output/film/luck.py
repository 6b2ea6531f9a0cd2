"""Scenes of luck among equal systems, and of the threshold."""

from __future__ import annotations

from nlpsig_core.base.words import LEVEL, count, plural
from nlpsig_core.output.film.numbers import Numbers
from nlpsig_core.output.film.scene import Question, Scene
from nlpsig_core.studies.lessons.equal_systems import PAIRS, SYSTEMS
from nlpsig_core.studies.lessons.film import SETS, SIZES, TAGGERS, WORLDS


def after_looking(numbers: Numbers) -> Scene:
    """Make null worlds, in which the winner is chosen after looking."""
    one, two = numbers.world_alarms
    alarms = numbers.film.worlds[numbers.film.worlds["p_value"] < LEVEL]
    a, b = ((sign * alarms["gain_of_first"] > 0).sum() for sign in (1, -1))
    return Scene(
        key="worlds",
        title="The winner, after looking",
        text=(
            "Now make worlds in which luck alone decides.",
            f"For each {numbers.unit}, a coin decides which output is [A]'s and which is [B]'s.",
            f"Each world falls into the histogram, above the {numbers.gain} of [A] over [B].",
            f"The system that is ahead is called the winner, and its {numbers.gain} is tested.",
            "A [p] below 0.05 is a false alarm.",
        ),
        question=Question(
            ask=f"In how many of {WORLDS:,} worlds is the one-sided [p] below 0.05?",
            answer=one,
            high=max(WORLDS // 2, one),
            unit="worlds",
        ),
        after=(
            f"In {one}; a level of 0.05 suggests {WORLDS * LEVEL:g}.",
            f"Luck has two chances: [A] is the winner in {a} of them, [B] in {b}.",
            f"The two-sided [p] counts both: it is below 0.05 in {two} worlds.",
        ),
        short=f"Of {WORLDS:,} worlds of luck alone, {one} have a one-sided p below 0.05, {two} a two-sided one.",
        before=f"An empty histogram of the {numbers.gain}s of A over B in {WORLDS:,} worlds.",
        alt=f"Histogram of the {numbers.gain} of A over B in {WORLDS:,} worlds, around 0; in {one}, at both ends, "
        "the one-sided p is below 0.05.",
    )


def many_systems(numbers: Numbers) -> Scene:
    """Test many pairs of equal systems."""
    alarms = numbers.set_alarms
    (first, first_holm), (some, some_holm) = alarms.iloc[0], (alarms > 0).sum()
    return Scene(
        key="pairs",
        title="Many systems",
        text=(
            f"Make {SYSTEMS} equally good systems.",
            _mixed(numbers),
            f"That makes {PAIRS} pairs.",
            "Each square is a pair; it is marked if its two-sided [p] is below 0.05.",
            "Every mark is a false alarm.",
        ),
        question=Question(
            ask=f"How many of the {PAIRS} pairs are marked?", answer=int(first), high=PAIRS, unit="pairs"
        ),
        after=(
            f"Here {first}; on average over {SETS} such sets {numbers.mean_alarms:.1f}.",
            f"{some} of {SETS} sets have at least one false alarm.",
            f"Holm's adjustment asks for a smaller [p] where there are many pairs: then {some_holm} "
            f"{plural(some_holm, 'set')} of {SETS} {plural(some_holm, 'has', 'have')} any.",
        ),
        short=f"Among {PAIRS} pairs of equal systems there are {count(first, 'false alarm')}; with Holm's adjustment "
        f"{first_holm}.",
        before=f"{PAIRS} squares, one for each pair of {SYSTEMS} systems; none is marked.",
        alt=f"{PAIRS} pairs of {SYSTEMS} equal systems, of which {first} have a two-sided p below 0.05.",
    )


def _mixed(numbers: Numbers) -> str:
    """Say from which outputs equal systems are made."""
    if numbers.names:
        return f"For each {numbers.unit}, each takes the output of [A] or of [B], as a coin decides."
    return f"For each of {SIZES[1]} sentences, each takes the tags of one of two taggers, as a coin decides."


def the_threshold(numbers: Numbers) -> Scene:
    """Find the gain above which pairs are usually significant."""
    small, middle, large = numbers.thresholds
    pairs = len(numbers.film.sizes[SIZES[0]].pairs)
    return Scene(
        key="threshold",
        title="The threshold",
        text=(
            f"{TAGGERS} made-up taggers of different ability make {pairs} pairs.",
            "Each dot is a pair: its gain to the right, its confidence 1 − [p] upwards.",
            "Here [p] is two-sided, and corrected for few sentences.",
            "The marked dots are significant.",
            "The threshold is the gain that 95% of such pairs need at most to be significant.",
            f"With {SIZES[0]} sentences it is {small} points.",
        ),
        question=Question(
            ask=f"What is the threshold with {SIZES[1]} sentences?",
            answer=float(middle),
            high=10.0,
            step=0.1,
            unit="points",
        ),
        after=(
            f"{middle} points with {SIZES[1]} sentences, {large} with {SIZES[2]}.",
            "Four times the sentences: about half the threshold.",
            "So no gain is large or small without its test set.",
        ),
        short=f"The threshold is {small} points with {SIZES[0]} sentences, {middle} with {SIZES[1]}, {large} with "
        f"{SIZES[2]}.",
        before=f"Gain and confidence of {pairs} pairs on {SIZES[0]} sentences; the threshold is at {small} points.",
        alt=f"Gain and confidence of {pairs} pairs on {SIZES[1]} sentences; the threshold is at {middle} points.",
    )
