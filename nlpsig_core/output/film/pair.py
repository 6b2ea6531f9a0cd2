"""Scenes of one pair: the gain, its resamples, and p."""

from __future__ import annotations

from nlpsig_core.base.words import LEVEL, capital
from nlpsig_core.output.film.numbers import Numbers
from nlpsig_core.output.film.scene import Question, Scene, plain_of_symbols
from nlpsig_core.studies.lessons.film import FIRST, WORDS


def the_gain(numbers: Numbers) -> Scene:
    """Show the test set and two systems."""
    wins, losses, ties = numbers.outcomes
    units = f"{numbers.unit}s"
    return Scene(
        key="gain",
        title=f"The {numbers.gain}",
        text=(
            *_systems(numbers),
            f"The difference is the {numbers.gain} [δ] (delta): {numbers.delta}{numbers.in_points}.",
        ),
        question=Question(
            ask=f"In how many of the {numbers.units} is [A] better than [B]?",
            answer=wins,
            high=numbers.n,
            unit=units,
        ),
        after=(
            f"[A] is better in {wins:,} {units}, [B] in {losses:,}.",
            f"In the other {ties:,} they are equally good.",
            f"So the {numbers.gain} rests on {wins + losses:,} of {numbers.units}.",
        ),
        short=f"A is better in {wins:,} of {numbers.units}, B in {losses:,}.",
        before=f"{numbers.shown:,} boxes, one for each {numbers.unit}.",
        alt=f"{numbers.units}: A is better in {wins:,}, B in {losses:,}, and {ties:,} are ties.",
    )


def _systems(numbers: Numbers) -> tuple[str, ...]:
    """Introduce the test set, the two systems and their scores."""
    a, b = (numbers.score(score) for score in numbers.film.stats.scores)
    if not numbers.names:
        return (
            "Two taggers, [A] and [B], give every word a tag.",
            f"The test set has {numbers.units} of {WORDS} words.",
            f"The score is the share of words with the right tag: {a}% for [A], {b}% for [B].",
            "Each box is a sentence, with the right words of [A] above those of [B].",
        )
    metric = numbers.film.stats.metric
    first, second = numbers.names
    lower = "" if metric.higher_is_better else " Lower is better."
    return (
        f"[A] is {first}, and [B] is {second}.",
        f"The test set has {numbers.units}.",
        f"Their {plain_of_symbols(metric.label)} is {a} and {b}.{lower}",
        f"Each box is {numbers.a_unit}.",
    )


def one_resample(numbers: Numbers) -> Scene:
    """Draw one resample, unit by unit."""
    n, unit, first = numbers.n, numbers.unit, numbers.points(numbers.film.gains[0])
    missed = int((numbers.film.times[0] == 0).sum())
    return Scene(
        key="draw",
        title="One resample",
        text=(
            "Would [A] also win on another test set?",
            "This one is all we have.",
            f"The bootstrap makes another from it: draw {numbers.a_unit}, note it, and put it back.",
            f"The {unit}s of {n:,} draws are a resample.",
            f"{capital(numbers.a_unit)} can be in it once, several times, or not at all.",
        ),
        question=Question(
            ask=f"How many of the {numbers.units} does the first resample miss?",
            answer=missed,
            high=n,
            unit=f"{unit}s",
        ),
        after=(
            f"It misses {missed:,} {unit}s, the faint ones.",
            f"The {numbers.gain} on a resample is [δ*] (delta star).",
            f"Here [δ*] = {first}; on the test set [δ] = {numbers.delta}.",
            f"Further resamples miss other {unit}s, and [δ*] varies.",
        ),
        short=f"The first resample misses {missed:,} of {numbers.units}; its {numbers.gain} is {first} instead of "
        f"{numbers.delta}.",
        before=f"The {numbers.units} of the test set, and an empty place for the resample.",
        alt=f"The first resample has {n:,} drawn {unit}s, but misses {missed:,} of the test set; its {numbers.gain} "
        f"is {first}.",
    )


def the_histogram(numbers: Numbers) -> Scene:
    """Let resamples fall into the histogram."""
    won_by_b, delta = int((numbers.film.gains[:FIRST] < 0).sum()), numbers.delta
    return Scene(
        key="fall",
        title="The histogram",
        text=(
            "Both systems are scored on the same resample: the comparison is paired.",
            f"So each resample has one {numbers.gain} [δ*].",
            "It falls into the histogram, above its value.",
            "If [δ*] is below 0, [B] wins the resample.",
        ),
        question=Question(
            ask=f"How many of the first {FIRST:,} resamples does [B] win?",
            answer=won_by_b,
            high=max(FIRST // 2, won_by_b),
            unit="resamples",
        ),
        after=(
            f"[B] wins {won_by_b} of {FIRST:,}.",
            f"The {numbers.gain}s spread around [δ] = {delta}.",
            "Add more resamples: the heap grows, its shape hardly changes.",
        ),
        short=f"B wins {won_by_b} of the first {FIRST:,} resamples.",
        before=f"An empty histogram of resampled {numbers.gain}s, with marks at 0, at δ and at 2δ.",
        alt=f"Histogram of {FIRST:,} resampled {numbers.gain}s around δ = {delta}{numbers.in_points}; {won_by_b} are "
        "below 0.",
    )


def the_slide(numbers: Numbers) -> Scene:
    """Slide the histogram by delta, to the null hypothesis."""
    b, hits = numbers.resamples, numbers.film.above_twice
    p = numbers.equals(numbers.one_sided)
    return Scene(
        key="slide",
        title="The slide",
        text=(
            "Suppose that [A] is no better than [B] in general: the null hypothesis.",
            f"Then {numbers.gain}s would spread around 0.",
            "These spread around [δ], since [A] won this test set by [δ].",
            "So slide them to the left by [δ].",
            "The p-value [p] is the share of them that is then above [δ].",
        ),
        question=Question(
            ask=f"After the slide, how many of the {b:,} {numbers.gain}s are above [δ]?",
            answer=hits,
            high=max(b // 2, hits),
            step=10,
            unit=f"{numbers.gain}s",
        ),
        after=(
            f"{hits:,} of {b:,} are above [δ]: [p] {p}.",
            f"Slide them back: the same {numbers.gain}s are above [2δ].",
            "So [p] is the share of resamples in which [δ*] is above [2δ].",
        ),
        short=f"After the slide {hits:,} of {b:,} {numbers.gain}s are above δ: p {p}.",
        before=f"Histogram of {b:,} resampled {numbers.gain}s around δ = {numbers.delta}{numbers.in_points}.",
        alt=f"The histogram, slid by {numbers.delta}{numbers.in_points} to 0; {hits:,} of {b:,} {numbers.gain}s are "
        "above δ.",
    )


def the_notion(numbers: Numbers) -> Scene:
    """Choose the level and the sides of p."""
    above, below, b = numbers.film.above_twice, numbers.film.below_zero, numbers.resamples
    one, two = numbers.equals(numbers.one_sided), numbers.equals(numbers.two_sided)
    return Scene(
        key="notion",
        title="Significant or not",
        text=(
            f"A {numbers.gain} is called significant if [p] is below a level [α], usually 0.05.",
            f"The one-sided [p] counts {numbers.gain}s above [δ]: [p] {one}.",
            f"The two-sided [p] also counts {numbers.gain}s below −[δ].",
            "Luck alone favours [B] as easily as [A].",
        ),
        question=Question(
            ask="Is the two-sided [p] below 0.05?",
            answer="yes" if numbers.two_sided < LEVEL else "no",
            options=("yes", "no"),
        ),
        after=(
            f"{below:,} more {numbers.gain}s are below −[δ].",
            f"So the two-sided [p] is ({above:,} + {below:,}) / {b:,}: [p] {two}.",
            _by_both(numbers),
            *numbers.decided,
            "So choose rule and level before you look.",
        ),
        short=f"One-sided p {one}, two-sided p {two}.",
        before=f"The slid histogram; the {above:,} {numbers.gain}s above δ are marked.",
        alt=f"The slid histogram; {above:,} {numbers.gain}s above δ and {below:,} below −δ: two-sided p {two}.",
    )


def _by_both(numbers: Numbers) -> str:
    """Say whether the sides of p decide."""
    if numbers.two_sided < LEVEL:
        return f"Here both rules call the {numbers.gain} significant; for another pair they may differ."
    if numbers.one_sided < LEVEL:
        return f"One rule calls this {numbers.gain} significant, the other does not."
    return f"Here neither rule calls the {numbers.gain} significant; for another pair they may differ."
