"""Steps 4 and 5 of the Learn page: worlds in which luck alone decides, and what moves the curve of confidence."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.lessons import null_world, theory
from nlpsig_core.pair.units import unit_gains
from nlpsig_core.resampling.bootstrap import ties
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import Stats
from nlpsig_core.words import count
from ui.app import cache, choice, components
from ui.learn.lesson import Lesson, answer, p_is, say

WORLDS = ("1", "100", "1000", "5000")
TWO_SIDED, WINNERS = "two-sided", "winner's one-sided"
# As many resamples for each world: a p of 0.05 is known to a tenth of itself.
WORLD_RESAMPLES = 2_000
FEWEST_TIMES, MOST_TIMES = 0.25, 4.0
STRONGEST = 0.999


def luck(of: Lesson) -> None:
    """Step 4: systems that are equal by construction, tested again and again."""
    say(
        f"Now make worlds in which neither system is better. Toss a coin for each {of.unit}: heads, and the two swap "
        "their outputs. This asks for more than the null hypothesis of step 3 (there the two may differ in every "
        f"{of.unit}, if not on average), but here every gain is sure to be luck. Each world is tested like the real "
        f"one, on {WORLD_RESAMPLES:,} resamples; p below α is a **false alarm**. The **one-sided p** counts δ\\* > 2δ, "
        "the **two-sided p** counts δ\\* < 0 as well.",
        "section 2.1, the null hypothesis; footnote 1 on tests that swap",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        worlds = int(choice.segments("Worlds", WORLDS, "worlds", format_func=lambda text: f"{int(text):,}"))
        which = choice.segments("p-value", (TWO_SIDED, WINNERS), "world_p") if worlds > 1 else ""
        st.button("Shuffle again", key="shuffle", on_click=_shuffle, icon=":material/casino:")
    shuffle = st.session_state.setdefault("shuffled", 0)
    recipe = Resampling(WORLD_RESAMPLES, of.view.recipe.seed)
    work = partial(null_world.p_in_worlds, of.stats, worlds, recipe, shuffle)
    found = cache.lesson(of.stats, recipe, ("worlds", worlds, shuffle), work, f"Testing {worlds:,} worlds")
    if worlds == 1:
        _one_world(of, found.iloc[0], shuffle)
    else:
        _many_worlds(of, found, which, shuffle)


def _shuffle() -> None:
    st.session_state["shuffled"] += 1


def _one_world(of: Lesson, found: pd.Series, shuffle: int) -> None:
    swap = null_world.swaps(of.n, 1, of.view.recipe.seed, shuffle)[0]
    world, differ = null_world.swapped(of.stats, swap), null_world.differing(of.stats)
    answer(
        f"{count(int(swap.sum()), of.unit)} swapped, {int((swap & differ).sum()):,} of the {int(differ.sum()):,} in "
        f"which the two differ. {_who_wins(of, world, found['gain'])}: "
        f"one-sided {p_is(found['p_value'], WORLD_RESAMPLES)}, two-sided {p_is(found['p_two_sided'], WORLD_RESAMPLES)}."
    )
    units = unit_gains(world)[["unit", "gain"]].assign(swapped=swap)
    chart = plots.world_figure(
        units, metric=of.stats.metric, unit=of.unit, signature=of.signed(world=shuffle + 1), decimals=of.view.decimals
    )
    components.figure(chart, "learn_world", f"Gain of each {of.unit} in a world where some are swapped")


def _who_wins(of: Lesson, world: Stats, gain: float) -> str:
    """The winner of a world and by how much, beside the real gain."""
    if gain <= ties(*world.scores):
        return "In this world neither wins"
    first, second = of.stats.metric.sign * world.scores
    here, really = of.number(gain), of.number(of.gain)
    beside = f"by chance just what δ really is, {really}" if here == really else f"really δ = {really}"
    return f"In this world “{of.winner if first > second else of.other}” wins by {here} ({beside})"


def _many_worlds(of: Lesson, found: pd.DataFrame, which: str, shuffle: int) -> None:
    level = float(choice.slider("Level α", 0.01, 0.5, "level", step=0.01))
    two_sided = which == TWO_SIDED
    p = found["p_two_sided" if two_sided else "p_value"].to_numpy()
    flat_to = 1.0 if two_sided else 0.5
    bins = null_world.p_histogram(p, level, flat_to)
    answer(f"{_alarms(p, level, two_sided)} {_how_flat(of, bins, found['gain'], flat_to)}")
    said = of.signed_by(Resampling(WORLD_RESAMPLES, of.view.recipe.seed), worlds=len(p), shuffle=shuffle + 1)
    chart = plots.p_histogram_figure(bins, level, what=f"{which} p", signature=said)
    components.figure(chart, "learn_worlds", f"Histogram of the {which} p in {len(p):,} worlds without difference")
    st.caption(
        "The line is what a flat histogram has. Where p is flat, about one bar in twenty leaves the band by chance."
    )


def _alarms(p: np.ndarray, level: float, two_sided: bool) -> str:
    """How often p is below the level, beside how often it should be."""
    alarms = int((p < level).sum())
    share = f"p < {level:g} in **{alarms:,} of {len(p):,}** worlds, {alarms / len(p):.1%}"
    promised = level if two_sided else min(2 * level, 1.0)
    if not null_world.is_as_expected(alarms, len(p), promised):
        return f"{share}; a flat histogram would have {promised:.0%}: here the test does not keep its promise."
    if two_sided:
        return f"{share}: about as often as α says."
    return f"{share}: about twice as often as α says, since the winner is chosen after looking."


def _how_flat(of: Lesson, bins: pd.DataFrame, gains: pd.Series, flat_to: float) -> str:
    """Whether the histogram is flat by a test, and what it rests on where it is not."""
    flat = null_world.flatness(bins)
    where = "" if flat_to == 1 else f" **from 0 to {flat_to:g}**"
    tested = f"χ² test of its {flat.bars} bars: {_p(flat.p_value)}"
    beyond = int(bins.loc[bins["flat"] == 0, "worlds"].sum())
    more = f" In {count(beyond, 'world')} p is {flat_to:g} or more." if beyond else ""
    if flat.is_flat:
        return f"As far as so many worlds tell, the histogram is **flat**{where} ({tested}).{more}"
    outside = f"{count(flat.outside, 'bar')} outside the band"
    different = gains.round(9).nunique()
    if different < len(gains) / 2:
        why = f"The gain comes in steps, {different:,} different ones in {len(gains):,} worlds, and so does p."
    else:
        differ = int(null_world.differing(of.stats).sum())
        why = f"The two differ on {differ:,} of {of.n:,} {of.unit}s; the fewer, the less exact is the bootstrap's p."
    return f"The histogram is **not flat**{where} ({tested}; {outside}). {why}{more}"


def _p(p: float) -> str:
    return f"p = {p:.2g}" if p >= 1e-4 else "p < 0.0001"


def curve(of: Lesson) -> None:
    """Step 5: confidence against gain, and what test size and correlation do to it."""
    pairs = of.view.pairs
    say(
        "Each dot is a pair of systems: its gain, and its **confidence**, 1 − p with the one-sided p. The line is "
        "theory: where δ\\* has the bell shape of the **normal distribution**, confidence is Φ(δ / s), the share of "
        f"the bell below δ / s, with the standard error s. More {of.unit}s make s smaller. So does a higher "
        "**correlation** of the two systems' resampled scores: similar systems are lucky together.",
        "section 3.1 with figures 2 to 4, similar systems; section 4.1, test size",
    )
    names = of.view.selection.stats.names
    spread = theory.spread(of.view.result, names.index(of.a), names.index(of.b), of.n)
    choice.only_for("correlated", (of.stats.digest, of.view.recipe))
    own = min(round(spread.correlation, 3), STRONGEST)
    with st.container(horizontal=True):
        times = float(choice.slider("Size of the test set, times", FEWEST_TIMES, MOST_TIMES, "times", step=0.25))
        together = float(
            choice.slider(
                "Correlation of the two", min(0.0, own), STRONGEST, "correlated", usual=own, step=0.001, format="%.3f"
            )
        )
    # What the slider shows of the pair's own correlation is rounded.
    error = spread.error(times * of.n, None if together == own else together)
    alpha = of.view.alpha
    usual, needed = (theory.needed_gain(s, alpha) for s in (spread.error(), error))
    answer(
        f"By the curve, {count(round(times * of.n), of.unit)} and a correlation of {together:.3f} take a gain of "
        f"**{of.number(needed)}** to reach a confidence of {1 - alpha:g}. As it is, {of.winner} against {of.other} "
        f"takes {of.number(usual)}."
    )
    limit = theory.shown_gain(pairs, alpha, usual)
    chart = plots.curve_figure(
        pairs, theory.confidence_curve(spread.error(), limit), theory.confidence_curve(error, limit), needed,
        level=alpha, metric=of.stats.metric, decimals=of.view.decimals,
        signature=of.signed(times=f"{times:g}", correlation=f"{together:.3f}"),
    )  # fmt: skip
    components.figure(chart, "learn_curve", "Confidence against gain: all pairs, and the normal curve of one of them")
    st.caption("Four times the size halves s. Other pairs have an s of their own, so their dots lie on other curves.")
