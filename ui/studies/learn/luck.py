"""Steps 4 and 5 of the Learn page: worlds in which luck alone decides, and the curve of confidence."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.base.words import count, share
from nlpsig_core.output import plots
from nlpsig_core.significance.resampling.bootstrap import ties
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.lessons import null_world, theory
from nlpsig_core.studies.pair.units import unit_gains
from ui.app import choice, components
from ui.studies.learn.lesson import Lesson, answer, explain, p_is
from ui.work import computations
from ui.work.watching import watch

WORLDS = ("1", "100", "1000", "5000")
TWO_SIDED, WINNERS = "two-sided", "winner's one-sided"
# Resamples per world: the Monte Carlo error of a p of 0.05 is a tenth of it.
WORLD_RESAMPLES = 2_000
FEWEST_TIMES, MOST_TIMES = 0.25, 4.0
STRONGEST = 0.999


def luck(of: Lesson) -> None:
    """Step 4: systems that are equal by construction, tested again and again."""
    explain(
        f"Now make worlds in which neither system is better. Toss a coin for each {of.unit}: on heads, the two swap "
        "their outputs. This is stricter than the null hypothesis of step 3, under which the two may differ in every "
        f"{of.unit} but not on average; here every gain is certainly luck. Each world is tested like the real one, "
        f"with {WORLD_RESAMPLES:,} resamples; p below α is a **false alarm**. The **one-sided p** counts δ\\* > 2δ, "
        "the **two-sided p** also counts δ\\* < 0.",
        "section 2.1, the null hypothesis; footnote 1 on tests that swap",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        worlds = int(choice.segments("Worlds", WORLDS, "worlds", format_func=lambda text: f"{int(text):,}"))
        which = choice.segments("p-value", (TWO_SIDED, WINNERS), "world_p") if worlds > 1 else ""
        st.button("Shuffle again", key="shuffle", on_click=_shuffle, icon=":material/casino:")
    shuffle = st.session_state.setdefault("shuffled", 0)
    recipe = Resampling(WORLD_RESAMPLES, of.view.recipe.seed)
    work = partial(null_world.p_in_worlds, of.stats, worlds, recipe, shuffle)
    what, label = ("worlds", worlds, shuffle), f"Testing {worlds:,} worlds"
    results = watch(computations.lesson(of.stats, recipe, what, work, label))
    if worlds == 1:
        _one_world(of, results.iloc[0], shuffle)
    else:
        _many_worlds(of, results, which, shuffle)


def _shuffle() -> None:
    st.session_state["shuffled"] += 1


def _one_world(of: Lesson, result: pd.Series, shuffle: int) -> None:
    swap = null_world.swaps(of.n, 1, of.view.recipe.seed, shuffle)[0]
    world, differ = null_world.swapped(of.stats, swap), null_world.differing(of.stats)
    answer(
        f"{count(int(swap.sum()), of.unit)} swapped, {int((swap & differ).sum()):,} of the {int(differ.sum()):,} in "
        f"which the two differ. {_who_wins(of, world, result['gain'])}: "
        f"one-sided {p_is(result['p_value'], WORLD_RESAMPLES)}, "
        f"two-sided {p_is(result['p_two_sided'], WORLD_RESAMPLES)}."
    )
    units = unit_gains(world)[["unit", "gain"]].assign(swapped=swap)
    chart = plots.world_figure(
        units, metric=of.stats.metric, unit=of.unit, signature=of.signed(world=shuffle + 1), decimals=of.view.decimals
    )
    numbers = units.assign(unit=units["unit"] + 1)
    components.figure(
        chart, "learn_world", numbers, heads={"unit": of.unit},
        metric=of.stats.metric, decimals=of.view.decimals,
    )  # fmt: skip


def _who_wins(of: Lesson, world: Stats, gain: float) -> str:
    """The winner of a world and its gain, next to the real gain."""
    if gain <= ties(*world.scores):
        return "In this world neither wins"
    first, second = of.stats.metric.sign * world.scores
    here, really = of.number(gain), of.number(of.gain)
    beside = f"by chance the same as the real δ, {really}" if here == really else f"the real δ is {really}"
    return f"In this world “{of.winner if first > second else of.other}” wins by {here} ({beside})"


def _many_worlds(of: Lesson, results: pd.DataFrame, which: str, shuffle: int) -> None:
    level = float(choice.slider("Level α", 0.01, 0.5, "level", step=0.01))
    two_sided = which == TWO_SIDED
    p = results["p_two_sided" if two_sided else "p_value"].to_numpy()
    flat_to = 1.0 if two_sided else 0.5
    bins = null_world.p_histogram(p, level, flat_to)
    answer(f"{_alarms(p, level, two_sided)} {_how_flat(of, bins, results['gain'], flat_to)}")
    recipe = Resampling(WORLD_RESAMPLES, of.view.recipe.seed)
    signature = of.signed_by(recipe, worlds=len(p), shuffle=shuffle + 1)
    chart = plots.p_histogram_figure(bins, level, what=f"{which} p", signature=signature)
    heads = {"low": "p from", "high": "p to", "below": "worlds below α", "flat": "worlds if flat",
             "flat_low": "95% of such bars from", "flat_high": "95% of such bars to"}  # fmt: skip
    about = (
        "The line is the height of a flat histogram. If p is uniform, about one bar in twenty is outside the band by "
        "chance."
    )
    components.figure(chart, "learn_worlds", bins, about=about, heads=heads)


def _alarms(p: np.ndarray, level: float, two_sided: bool) -> str:
    """How often p is below the level, compared with how often it should be."""
    alarms = int((p < level).sum())
    alarmed = f"p < {level:g} in **{alarms:,} of {len(p):,}** worlds, {alarms / len(p):.1%}"
    promised = level if two_sided else min(2 * level, 1.0)
    if not null_world.is_as_expected(alarms, len(p), promised):
        return f"{alarmed}; a flat histogram would have {share(promised)}: here the test does not hold its level."
    if two_sided:
        return f"{alarmed}: about as often as α says."
    return f"{alarmed}: about twice as often as α says, since the winner is chosen after the fact."


def _how_flat(of: Lesson, bins: pd.DataFrame, gains: pd.Series, flat_to: float) -> str:
    """Whether the histogram is flat by a test, and the reason if it is not."""
    flat = null_world.flatness(bins)
    where = "" if flat_to == 1 else f" **from 0 to {flat_to:g}**"
    tested = f"χ² test of its {flat.bars} bars: {_p(flat.p_value)}"
    beyond = int(bins.loc[bins["flat"] == 0, "worlds"].sum())
    more = f" In {count(beyond, 'world')} p is {flat_to:g} or more." if beyond else ""
    if flat.is_flat:
        return f"As far as this many worlds show, the histogram is **flat**{where} ({tested}).{more}"
    outside = f"{count(flat.outside, 'bar')} outside the band"
    different = gains.round(9).nunique()
    if different < len(gains) / 2:
        why = f"The gain comes in steps: it has {different:,} different values in {len(gains):,} worlds, and so does p."
    else:
        differ = int(null_world.differing(of.stats).sum())
        why = f"The two differ on {differ:,} of {of.n:,} {of.unit}s; the fewer, the less exact the bootstrap's p."
    return f"The histogram is **not flat**{where} ({tested}; {outside}). {why}{more}"


def _p(p: float) -> str:
    return f"p = {p:.2g}" if p >= 1e-4 else "p < 0.0001"


def curve(of: Lesson) -> None:
    """Step 5: confidence against gain, and the effect of test size and correlation."""
    pairs = of.view.pairs
    explain(
        "Each dot is a pair of systems: its gain, and its **confidence**, 1 − p with the one-sided p. The line is "
        "theory: if δ\\* follows a **normal distribution** with standard error s, confidence is Φ(δ / s), the share of "
        f"the bell curve below δ / s. More {of.unit}s make s smaller. So does a higher **correlation** of the two "
        "systems' resampled scores: similar systems are lucky together.",
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
    # The slider rounds the pair's own correlation.
    error = spread.error(times * of.n, None if together == own else together)
    alpha = of.view.alpha
    usual, needed = (theory.needed_gain(s, alpha) for s in (spread.error(), error))
    answer(
        f"By the curve, {count(round(times * of.n), of.unit)} and a correlation of {together:.3f} require a gain of "
        f"**{of.number(needed)}** for a confidence of {1 - alpha:g}. With the actual size and correlation, "
        f"{of.winner} against {of.other} requires {of.number(usual)}."
    )
    limit = theory.shown_gain(pairs, alpha, usual)
    chart = plots.curve_figure(
        pairs, theory.confidence_curve(spread.error(), limit), theory.confidence_curve(error, limit), needed,
        level=alpha, metric=of.stats.metric, decimals=of.view.decimals,
        signature=of.signed(times=f"{times:g}", correlation=f"{together:.3f}"),
    )  # fmt: skip
    shown = pairs[["system_a", "system_b", "gain", "p_value"]]
    components.figure(chart, "learn_curve", shown, metric=of.stats.metric, decimals=of.view.decimals)
    st.caption("Four times the size halves s. Every pair has its own s, so other pairs follow other curves.")
