"""Scenes 6 to 8: luck among equal systems, and the threshold."""

from __future__ import annotations

from nlpsig_core.base.words import count, plural
from nlpsig_core.studies.lessons.equal_systems import HOLM, SYSTEMS, TWO_SIDED
from nlpsig_core.studies.lessons.film import SETS, SIZES, TAGGERS, WORLDS
from ui.studies.learn.scenes.numbers import ALPHA, Numbers
from ui.studies.learn.scenes.scene import Question, Scene


def after_looking(of: Numbers) -> Scene:
    """Null worlds: the winner is chosen after looking."""
    (one, two), (a, b) = of.world_alarms, of.world_winners
    return Scene(
        key="worlds", title="The winner, after looking", step="4",
        text=(
            "Now make worlds in which luck alone decides.",
            "For each sentence, a coin decides which tags are [A]'s and which are [B]'s.",
            "Each world falls into the histogram, above the gain of [A] over [B].",
            "The system that is ahead is called the winner, and its gain is tested.",
            "A [p] below 0.05 is a false alarm.",
        ),
        question=Question(
            ask=f"In how many of {WORLDS:,} worlds is the one-sided [p] below 0.05?", answer=one, high=WORLDS // 2,
            unit="worlds",
        ),
        after=(
            f"In {one}; a level of 0.05 suggests {WORLDS * ALPHA:g}.",
            f"Luck has two chances: [A] is the winner in {a} of them, [B] in {b}.",
            f"The two-sided [p] counts both: it is below 0.05 in {two} worlds.",
        ),
        short=f"Of {WORLDS:,} worlds of luck alone, {one} have a one-sided p below 0.05, {two} a two-sided one.",
        before=f"An empty histogram of the gains of A over B in {WORLDS:,} worlds.",
        alt=f"Histogram of the gain of A over B in {WORLDS:,} worlds, around 0; in {one}, at both ends, the one-sided "
        "p is below 0.05.",
    )  # fmt: skip


def many_systems(of: Numbers) -> Scene:
    """Many pairs of equal systems."""
    first, pairs = of.set_alarms.iloc[0], len(of.film.sets) // SETS
    some, mean = (of.set_alarms > 0).sum(), of.set_alarms.mean()
    alarms = count(int(first[TWO_SIDED]), "false alarm")
    return Scene(
        key="pairs", title="Many systems", step="6",
        text=(
            f"Make {SYSTEMS} equally good systems.",
            f"For each of {SIZES[1]} sentences, each takes the tags of one of two taggers, as a coin decides.",
            f"That makes {pairs} pairs.",
            "Each square is a pair; it is marked if its two-sided [p] is below 0.05.",
            "Every mark is a false alarm.",
        ),
        question=Question(
            ask=f"How many of the {pairs} pairs are marked?", answer=int(first[TWO_SIDED]), high=pairs, unit="pairs"
        ),
        after=(
            f"Here {first[TWO_SIDED]:g}; on average over {SETS} such sets {mean[TWO_SIDED]:.1f}.",
            f"{some[TWO_SIDED]} of {SETS} sets have at least one false alarm.",
            f"Holm's adjustment asks for a smaller [p] where there are many pairs: then {some[HOLM]} "
            f"{plural(int(some[HOLM]), 'set')} of {SETS} {'has' if some[HOLM] == 1 else 'have'} any.",
        ),
        short=f"Among {pairs} pairs of equal systems there are {alarms}; with Holm's adjustment {first[HOLM]:g}.",
        before=f"{pairs} squares, one for each pair of {SYSTEMS} systems; none is marked.",
        alt=f"{pairs} pairs of {SYSTEMS} equal systems, of which {first[TWO_SIDED]:g} have a two-sided p below 0.05.",
    )  # fmt: skip


def the_threshold(of: Numbers) -> Scene:
    """The gain above which pairs are usually significant."""
    small, middle, large = of.thresholds
    pairs = len(of.film.sizes[SIZES[0]].pairs)
    return Scene(
        key="threshold", title="The threshold", step="5",
        text=(
            f"{TAGGERS} taggers of different ability make {pairs} pairs.",
            "Each dot is a pair: its gain to the right, its confidence 1 − [p] upwards.",
            "Here [p] is two-sided, and corrected for few sentences.",
            "The marked dots are significant.",
            "The threshold is the gain that 95% of such pairs need at most to be significant.",
            f"With {SIZES[0]} sentences it is {small} points.",
        ),
        question=Question(
            ask=f"What is the threshold with {SIZES[1]} sentences?", answer=float(middle), high=10.0, step=0.1,
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
    )  # fmt: skip
