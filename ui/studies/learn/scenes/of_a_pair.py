"""Scenes 1 to 5: the gain of one pair, its resamples, and p."""

from __future__ import annotations

from nlpsig_core.studies.lessons.film import FIRST, WORDS
from ui.studies.learn.scenes.numbers import ALPHA, Numbers
from ui.studies.learn.scenes.scene import Question, Scene


def the_gain(of: Numbers) -> Scene:
    """The test set and two systems."""
    n, (a, b), (wins, losses, ties) = of.film.stats.n_units, of.scores, of.outcomes
    return Scene(
        key="gain", title="The gain", step="1",
        text=(
            "Two taggers, [A] and [B], give every word a tag.",
            f"The test set has {n} sentences of {WORDS} words.",
            f"The score is the share of words with the right tag: {a}% for [A], {b}% for [B].",
            f"The difference is the gain [δ] (delta): {of.delta} points, or {of.film.gain} words.",
            "Each box is a sentence, with the right words of [A] above those of [B].",
        ),
        question=Question(
            ask=f"In how many of the {n} sentences does [A] have more right words than [B]?", answer=wins, high=n,
            unit="sentences",
        ),
        after=(
            f"[A] has more right words in {wins} sentences, [B] in {losses}.",
            f"In the other {ties} they have equally many.",
            f"So the gain rests on {wins + losses} of {n} sentences.",
        ),
        short=f"A has more right words in {wins} of {n} sentences, B in {losses}.",
        before=f"{n} boxes, one for each sentence, each with two bars: the right words of A and of B.",
        alt=f"{n} sentences: A is better in {wins}, B in {losses}, and {ties} are ties.",
    )  # fmt: skip


def one_resample(of: Numbers) -> Scene:
    """One resample, drawn sentence by sentence."""
    n, missed, first = of.film.stats.n_units, of.missed_first, of.points(of.film.gains[0])
    return Scene(
        key="draw", title="One resample", step="2",
        text=(
            "Would [A] also win on another test set?",
            "This one is all we have.",
            "The bootstrap makes another from it: draw a sentence, note it, and put it back.",
            f"The sentences of {n} draws are a resample.",
            "A sentence can be in it once, several times, or not at all.",
        ),
        question=Question(
            ask=f"How many of the {n} sentences does the first resample miss?", answer=missed, high=n,
            unit="sentences",
        ),
        after=(
            f"It misses {missed} sentences; a number is how often a sentence is in it.",
            "The gain on a resample is [δ*] (delta star).",
            f"Here [δ*] = {first}; on the test set [δ] = {of.delta}.",
            "Each further resample misses other sentences and has another [δ*].",
        ),
        short=f"The first resample misses {missed} of {n} sentences; its gain is {first} instead of {of.delta}.",
        before=f"The {n} sentences of the test set, and an empty place for the resample.",
        alt=f"The first resample has {n} drawn sentences, but misses {missed} of the test set; its gain is {first}.",
    )  # fmt: skip


def the_histogram(of: Numbers) -> Scene:
    """Resamples fall into the histogram."""
    return Scene(
        key="fall", title="The histogram", step="2",
        text=(
            "Both systems are scored on the same resample: the comparison is paired.",
            "So each resample has one gain [δ*].",
            "It falls into the histogram, above its value.",
            "If [δ*] is below 0, [B] wins the resample.",
        ),
        question=Question(
            ask=f"How many of the first {FIRST:,} resamples does [B] win?", answer=of.below_first, high=FIRST // 2,
            unit="resamples",
        ),
        after=(
            f"[B] wins {of.below_first} of {FIRST:,}.",
            f"The gains spread around [δ] = {of.delta}.",
            "Add more resamples: the heap grows, its shape hardly changes.",
        ),
        short=f"B wins {of.below_first} of the first {FIRST:,} resamples.",
        before="An empty histogram of resampled gains, with marks at 0, at δ and at 2δ.",
        alt=f"Histogram of {FIRST:,} resampled gains around δ = {of.delta} points; {of.below_first} are below 0.",
    )  # fmt: skip


def the_slide(of: Numbers) -> Scene:
    """The slide by delta: the null hypothesis."""
    b, hits = of.resamples, of.film.above_twice
    return Scene(
        key="slide", title="The slide", step="3",
        text=(
            "Suppose that [A] is no better than [B] in general: the null hypothesis.",
            "Then gains would spread around 0.",
            "These spread around [δ], since [A] won this test set by [δ].",
            "So slide them to the left by [δ].",
            "The p-value [p] is the share of them that is then above [δ].",
        ),
        question=Question(
            ask=f"After the slide, how many of the {b:,} gains are above [δ]?", answer=hits, high=b // 2, step=10,
            unit="gains",
        ),
        after=(
            f"{hits} of {b:,} are above [δ]: [p] = {of.one_sided:.4f}.",
            "Slide them back: the same gains are above [2δ].",
            "So [p] is the share of resamples in which [δ*] is above [2δ].",
        ),
        short=f"After the slide {hits} of {b:,} gains are above δ: p = {of.one_sided:.4f}.",
        before=f"Histogram of {b:,} resampled gains around δ = {of.delta} points.",
        alt=f"The histogram, slid by {of.delta} points to 0; {hits} of {b:,} gains are above δ.",
    )  # fmt: skip


def the_notion(of: Numbers) -> Scene:
    """The level and the sides of p."""
    below, b = of.film.below_zero, of.resamples
    return Scene(
        key="notion", title="Significant or not", step="3",
        text=(
            "A gain is called significant if [p] is below a level [α], usually 0.05.",
            f"The one-sided [p] counts gains above [δ]: {of.one_sided:.4f}.",
            "The two-sided [p] also counts gains below −[δ].",
            "Luck alone favours [B] as easily as [A].",
        ),
        question=Question(
            ask="Is the two-sided [p] below 0.05 as well?", answer="no" if of.two_sided >= ALPHA else "yes",
            options=("yes", "no"),
        ),
        after=(
            f"{below} more gains are below −[δ].",
            f"So the two-sided [p] is ({of.film.above_twice} + {below}) / {b:,} = {of.two_sided:.4f}.",
            "One rule calls this gain significant, the other does not.",
            "So choose rule and level before you look.",
        ),
        short=f"One-sided p = {of.one_sided:.4f}, two-sided p = {of.two_sided:.4f}: the rule decides.",
        before=f"The slid histogram; the {of.film.above_twice} gains above δ are marked.",
        alt=f"The slid histogram; {of.film.above_twice} gains above δ and {below} below −δ: two-sided p = "
        f"{of.two_sided:.4f}.",
    )  # fmt: skip
