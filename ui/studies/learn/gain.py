"""Steps 1 to 3 of the Learn page: the gain, resamples of it, and why twice the gain."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.base.words import count, share
from nlpsig_core.output import plots
from nlpsig_core.significance.resampling.gains import resampled_gains
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.studies.lessons import sample
from nlpsig_core.studies.lessons.resampled import BELOW, EVENTS, ONCE, TWICE, Resampled
from nlpsig_core.studies.pair.units import LOSSES, TIES, WINS, wins_losses_ties
from ui.app import choice, components
from ui.app.text import plain
from ui.studies.learn.lesson import Lesson, answer, explain, p_is, resampled_of

# At most so many gains of single resamples are listed.
LISTED = 8


def the_gain(of: Lesson) -> None:
    """Step 1: the gain on the test set, and on its first units."""
    first, second = (of.number(score) for score in of.stats.scores)
    metric = of.stats.metric
    lower = "" if metric.higher_is_better else " (lower is better)"
    explain(
        f"The **test set** is {count(of.n, of.unit)}. The **score** of a system is its {plain(metric.label)} on all of "
        f"them together: {first} for {of.winner}, {second} for {of.other}{lower}. The difference is the **gain** "
        f"δ (delta) = **{of.number(of.gain)}**, and {of.winner} is the **winner**. Would it also win on another test "
        "set?",
        "section 2.1",
    )
    choice.only_for("first_units", of.n)
    upto = int(choice.slider(f"Use only the first {of.unit}s", 1, of.n, "first_units", usual=of.n))
    units = sample.running_gain(of.stats)
    here = float(units["running"].iloc[upto - 1])
    wins, losses, ties = (outcome.units for outcome in wins_losses_ties(of.stats.take(np.arange(upto))))
    which = f"all {of.n:,}" if upto == of.n else f"the first {upto:,}"
    ahead = f": {of.other} is ahead" if here < 0 else ""
    answer(
        f"On {which} {of.unit}s the gain is **{of.number(here)}**{ahead}. {of.winner} is better on {wins:,} "
        f"{of.unit}s, {of.other} on {losses:,}; {ties:,} are ties."
    )
    chart = plots.running_gain_figure(
        units, upto, names=(of.a, of.b), metric=metric, unit=of.unit, signature=of.signed(), decimals=of.view.decimals
    )
    better = {WINS: f"{of.a} better", LOSSES: f"{of.b} better", TIES: "tie"}
    heads = {"unit": of.unit, "gain": "gain alone", "running": f"gain on the first {of.unit}s"}
    numbers = units.assign(outcome=units["outcome"].map(better))
    components.figure(chart, "learn_gain", numbers, heads=heads)


def resamples(of: Lesson) -> None:
    """Step 2: one resample drawn unit by unit, then up to as many as the recipe has."""
    never = (1 - 1 / of.n) ** of.n
    explain(
        f"Another test set is rarely available. The **bootstrap** makes one from this one: draw a {of.unit}, put it "
        f"back, draw again, {of.n:,} times. The result is a **resample**: some {of.unit}s are in it several times, "
        f"about {share(never)} not at all. Both systems are scored on the same resample, so the test is **paired**. "
        "The gain on a resample is δ\\* (delta star).",
        "section 2.2; figure 1, step 1",
    )
    most = of.view.recipe.n_resamples
    numbers = [str(10**power) for power in range(9) if 10**power <= most]
    number = int(choice.segments("Resamples", numbers, "resamples", format_func=lambda text: f"{int(text):,}"))
    if number == 1:
        _one_resample(of)
        return
    result = resampled_of(of, Resampling(number, of.view.recipe.seed))
    answer(
        f"δ\\* varies around δ = {of.number(of.gain)}; its standard deviation, {of.number(result.error)} on the first "
        f"{BLOCK:,} resamples, is the **standard error** of the gain. In {result.hits[BELOW]:,} of {number:,} "
        f"resamples δ\\* < 0, so {of.other} wins; in {result.hits[TWICE]:,} δ\\* > 2δ."
    )
    _figure(of, result)


def _one_resample(of: Lesson) -> None:
    choice.only_for("drawing", (of.stats.digest, of.view.recipe.seed))
    resample, drawn = st.session_state.setdefault("drawing", (0, 0))
    with st.container(horizontal=True):
        done = drawn == of.n
        st.button(f"Draw a {of.unit}", key="draw_one", on_click=_draw, args=(resample, drawn + 1), disabled=done)
        st.button("Draw the rest", key="draw_rest", on_click=_draw, args=(resample, of.n), disabled=done)
        st.button("Next resample", key="draw_next", on_click=_draw, args=(resample + 1, of.n), icon=":material/casino:")
    units = sample.drawn_units(of.view.recipe, of.n, resample)[:drawn]
    times = np.bincount(units, minlength=of.n)
    answer(_drawn_so_far(of, resample, units, times))
    last = int(units[-1]) if 0 < drawn < of.n else None
    chart = plots.drawn_figure(times, last, unit=of.unit, signature=of.signed(resample=resample + 1))
    numbers = pd.DataFrame({of.unit: np.arange(1, of.n + 1), "times drawn": times})
    about = f"Each dot is a {of.unit}: grey if it is not drawn, larger the more often it is drawn."
    components.figure(chart, "learn_drawn", numbers, about=about)


def _drawn_so_far(of: Lesson, resample: int, units: np.ndarray, times: np.ndarray) -> str:
    """The last drawn unit, or the gain on a complete resample and on earlier ones."""
    if not len(units):
        return "Nothing is drawn yet."
    if len(units) < of.n:
        return (
            f"Draw {len(units):,} of {of.n:,}: {of.unit} **{units[-1] + 1:,}**. The gain on the {of.unit}s drawn so "
            f"far is {of.number(sample.gain_on(of.stats, units))}."
        )
    gains = resampled_gains(of.stats, Resampling(resample + 1, of.view.recipe.seed))
    before = ", ".join(of.number(gain) for gain in gains[:-1][-LISTED:])
    return (
        f"Resample {resample + 1:,}: **δ\\* = {of.number(gains[-1])}**, where δ = {of.number(of.gain)}; "
        f"{count(int((times == 0).sum()), of.unit)} did not come up." + (f" Before: {before}." if before else "")
    )


def _draw(resample: int, drawn: int) -> None:
    st.session_state["drawing"] = (resample, drawn)


def twice_the_gain(of: Lesson) -> None:
    """Step 3: resampled gains are centred on delta, so the p-value counts those above twice delta."""
    explain(
        f"Suppose {of.winner} is no better than {of.other} on the large population of {of.unit}s that the test set "
        "represents: the **null hypothesis**. How likely is a gain above δ then, by luck? That is the **p-value**. But "
        f"the resamples come from a test set that {of.winner} wins by δ, so their gains are centred on δ, not on 0 as "
        "under the null hypothesis. Shift the centre to 0: the gains above 2δ are now those above δ.",
        "section 2.2; figure 1, step 3; footnote 2",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        here = (
            ("above 0", "above δ", "below −δ") if st.session_state.get("centred") else ("δ* > δ", "δ* > 2δ", "δ* < 0")
        )
        labels = dict(zip(EVENTS, here, strict=True))
        event = choice.segments("Count resamples", list(EVENTS), "count", format_func=labels.get)
        centred = choice.toggle("Shift the centre to 0", "centred")
    result = resampled_of(of, of.view.recipe)
    answer(_counted(of, result, event))
    _figure(of, result, event, centred)


def _counted(of: Lesson, result: Resampled, event: str) -> str:
    """The p-value that counts an event, and its interpretation."""
    part, hits = result.share(event), f"{result.hits[event]:,} of {result.n_resamples:,} resamples"
    p = p_is(part, result.n_resamples)
    if event == ONCE:
        return (
            f"Without the shift: δ\\* > δ in {hits}, “**{p}**”. This says nothing about the gain: if δ\\* is symmetric "
            "around δ, it is one half for any gain, or less where some δ\\* equal δ."
        )
    if event == TWICE:
        below, called = ("below", "significant") if part < of.view.alpha else ("not below", "not significant")
        return (
            f"The paper's rule: δ\\* > 2δ in {hits}, **{p}**. This is {below} the **significance level** "
            f"α = {of.view.alpha:g}: the gain is called {called} by this rule."
        )
    return (
        f"An alternative counts resamples in which {of.other} wins: {hits}, **{p}**. This is the other tail; "
        f"δ\\* > 2δ in {result.hits[TWICE]:,}. The two agree if the histogram is symmetric around δ."
    )


def _figure(of: Lesson, result: Resampled, event: str = "", centred: bool = False) -> None:
    recipe = Resampling(result.n_resamples, of.view.recipe.seed)
    signature = of.signed_by(recipe, **({"counted": event} if event else {}))
    chart = plots.resampled_figure(
        result, metric=of.stats.metric, signature=signature, decimals=of.view.decimals, event=event, centred=centred
    )
    heads = {ONCE: "above δ", TWICE: "above 2δ", BELOW: "below 0"}
    numbers = result.bins.drop(columns="width")
    components.figure(chart, "learn_resampled", numbers, heads=heads, metric=of.stats.metric, decimals=of.view.decimals)
