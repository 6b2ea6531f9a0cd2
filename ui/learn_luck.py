"""Steps 4 and 5 of the Learn page: worlds in which luck alone decides, and what moves the curve of confidence."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.evidence import unit_gains
from nlpsig_core.lessons import null_world, theory
from nlpsig_core.resampling import Resampling
from ui import cache, choice, components
from ui.lesson import Lesson, answer, p_is, say
from ui.text import count

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
        "one; p below α is a **false alarm**. The **one-sided p** counts δ\\* > 2δ, the **two-sided p** counts "
        "δ\\* < 0 as well.",
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
    world = null_world.swapped(of.stats, swap)
    first, second = of.stats.metric.sign * world.scores
    who = of.winner if first >= second else of.other
    answer(
        f"{count(int(swap.sum()), of.unit)} swapped. In this world “{who}” wins by {of.number(found['gain'])}: "
        f"one-sided {p_is(found['p_value'], WORLD_RESAMPLES)}, "
        f"two-sided {p_is(found['p_two_sided'], WORLD_RESAMPLES)}."
    )
    units = unit_gains(world)[["unit", "gain"]].assign(swapped=swap)
    chart = plots.world_figure(
        units, metric=of.stats.metric, unit=of.unit, signature=of.signed(world=shuffle + 1), decimals=of.view.decimals
    )
    components.figure(chart, "learn_world", f"Gain of each {of.unit} in a world where some are swapped")


def _many_worlds(of: Lesson, found: pd.DataFrame, which: str, shuffle: int) -> None:
    level = float(choice.slider("Level α", 0.01, 0.5, "level", step=0.01))
    two_sided = which == TWO_SIDED
    p = found["p_two_sided" if two_sided else "p_value"].to_numpy()
    alarms = int((p < level).sum())
    share = f"p < {level:g} in **{alarms:,} of {len(p):,}** worlds, {alarms / len(p):.1%}"
    flat = level if two_sided else min(2 * level, 1.0)
    if not null_world.is_as_expected(alarms, len(p), flat):
        answer(
            f"{share}. A flat histogram would have {flat:.0%}: here the test does not keep its promise, since too few "
            f"{of.unit}s differ, or there are too few of them."
        )
    elif two_sided:
        answer(f"{share}: about as often as α says. The histogram is **flat**: every p-value is equally likely.")
    else:
        answer(
            f"{share}: up to α = 0.5, about twice as often as α says. The winner is chosen after looking, so its "
            "one-sided p is flat **from 0 to 0.5**."
        )
    bins = null_world.p_histogram(p, level, 1.0 if two_sided else 0.5)
    said = of.signed_by(Resampling(WORLD_RESAMPLES, of.view.recipe.seed), worlds=len(p), shuffle=shuffle + 1)
    chart = plots.p_histogram_figure(bins, level, what=f"{which} p", signature=said)
    components.figure(chart, "learn_worlds", f"Histogram of the {which} p in {len(p):,} worlds without difference")
    steps = found["gain"].round(9).nunique() < len(p) / 2
    st.caption(
        "The line is what a flat histogram has; by chance one bar in twenty leaves the grey band."
        + (" The largest p-values bunch, since gains come in steps here: one more right, or one less." if steps else "")
    )


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
        f"With {count(round(times * of.n), of.unit)} and a correlation of {together:.3f}, it takes a gain of "
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
