"""How large a test set must be: for one pair, for all pairs, and the gains that this one detects."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from nlpsig_core.base.words import count, rounded_up, share
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.advice import size_note
from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.significance.comparison.notion import CORRECTED, cutoff
from nlpsig_core.significance.comparison.verdict import Verdict
from nlpsig_core.significance.resampling.runs import draws_runs
from nlpsig_core.studies.analyses.power import (
    Errors,
    detectable_by_class,
    detectable_gains,
    errors_of_pair,
    gain_to_plan_with,
    needed_by_pair,
    needed_units,
    power_by_class,
    power_curve,
    settles,
    with_freedom,
)
from nlpsig_core.studies.atlas.names import largest_gain
from nlpsig_core.studies.atlas.rows import title
from ui.app import choice, components, verdicts
from ui.app.text import plain
from ui.frame.view import View
from ui.significance.chosen_pair import carried, choose_pair, name_of
from ui.work.memory import remember

# The largest true gain in a metric whose scores have no bound.
MOST = 1e6
# Of the range of one pair, and of those of classes: their coverage in simulations.
OF_PAIR = "an 80% range, since the standard error is an estimate; it held for 72 to 87% of simulated pairs"
OF_CORRELATIONS = ", and for 45 to 71% of those of correlations and AUC"
OF_CLASS = "80% ranges for another pair of the class; they held in 78 to 98% of simulated cases"


def answer(view: View) -> tuple[Aim, str]:
    """Draw the number of units that would settle the chosen pair, its verdict and power; return aim and pair."""
    place = st.container(gap="small")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=460):
            chosen = choose_pair(view, view.pairs)
        if chosen is None:
            st.stop()
        pair = view.pairs.loc[chosen.name]
        verdict = view.results.verdict(pair, view.notion, carried(view, pair))
        aim = _aim(view, verdict)
    with place:
        needed = _needed(view, pair, aim)
        if not verdict.is_of_invalid:
            st.markdown(f"**{plain(_finding(verdict, aim, needed))}**")
        verdicts.draw(st.container(), verdict, "planned", plan=False)
    of_pair = name_of(pair["system_a"], pair["system_b"])
    _power_curve(view, pair, aim, needed, of_pair)
    return aim, of_pair


def _aim(view: View, verdict: Verdict) -> Aim:
    """Return the true gain and the power that the user asks for, at the level that decides."""
    usual, level = _usual_gain(view, verdict), cutoff(view.pairs, view.notion)
    # Rounded as in texts: browsers round halves up, and Python to even.
    shown = round(usual, view.decimals) or usual
    least, step = min(10.0**-view.decimals, shown), 10.0 ** (1 - view.decimals)
    most = max(shown, min(largest_gain(title(view.metric)), MOST))
    choice.only_for("power_gain", (usual, view.selection.stats.digest))
    label, decimals = f"True {view.metric.gain}", f"%.{view.decimals}f"
    gain = choice.number(label, least, most, "power_gain", usual=shown, step=step, format=decimals, width=210)
    least_power = max(10, math.ceil(100 * level) + 1)
    power = choice.number("Power, %", least_power, 99, "power", width=150)
    gain = usual if gain == shown else float(gain)
    return Aim(gain, level=level, power=float(power) / 100, sides=view.notion.sides)


def _usual_gain(view: View, verdict: Verdict) -> float:
    """Return the gain to plan the pair with; a gain that needs a test where the two have the same score."""
    error = max(round(float(view.pairs["standard_error"].median()), view.decimals), 10.0**-view.decimals)
    return gain_to_plan_with(verdict.row, view.notion.within) or error


def _needed(view: View, pair: pd.Series, aim: Aim) -> Errors | None:
    """Return the number of units that the pair needs, with its range; None where its two outputs do not differ."""
    if not pair["standard_error"] > 0:
        return None
    return needed_by_pair(view.selection.stats.n_units, _errors(view, pair), aim)


def _errors(view: View, pair: pd.Series) -> Errors:
    row = remember(with_freedom, view.pairs, view.first.stats).loc[pair.name]
    return errors_of_pair(float(row["standard_error"]), float(row["freedom"]))


def _finding(verdict: Verdict, aim: Aim, needed: Errors | None) -> str:
    """Return what would settle the pair; of a settled one, how small a gain could be found."""
    if needed is None:
        if verdict.row["gain"] > 0:
            return f"No number of units can be named: no resample changes the {verdict.stats.metric.gain_word}."
        return "No number of units would settle it: the two outputs score alike in all of them."
    return settles(verdict, aim, needed.middle)


def _power_curve(view: View, pair: pd.Series, aim: Aim, needed: Errors | None, of_pair: str) -> None:
    """Draw power against size for the chosen pair, and what it rests on."""
    if needed is None:
        return
    data = remember(power_curve, view.selection.stats.n_units, _errors(view, pair), aim)
    chart = _power_figure(view, data, aim, view.signed(**_signed(aim), pair=of_pair))
    components.figure(chart, "power_figure", data, heads=_heads(view.selection.stats.unit))
    with st.expander("How sure is this number?"):
        st.markdown(plain(_caveats(view, pair, aim, needed)))


def _power_figure(view: View, data: pd.DataFrame, aim: Aim, signature: str) -> go.Figure:
    n, unit = view.selection.stats.n_units, view.selection.stats.unit
    return remember(plots.power_figure, data, n_units=n, aim=aim, unit=unit, signature=signature, **view.scored)


def _heads(unit: str) -> dict[str, str]:
    return {"units": f"{unit}s", "low": "power from", "high": "power to", "enough": "reaches the power"}


def _caveats(view: View, pair: pd.Series, aim: Aim, needed: Errors) -> str:
    """Return what the number of units of one pair rests on."""
    stats, lower = view.selection.stats, aim.gain == pair["gain_low"]
    gain = view.metric.gain_word
    low, high = rounded_up(needed.low), rounded_up(needed.high)
    parts = [
        f"From {low:,} to {count(high, stats.unit)}: the band is {OF_PAIR} on 50 {stats.unit}s "
        f"or more, less often with skewed {gain}s{OF_CORRELATIONS if not stats.metric.by_unit else ''}.",
        "Standard errors shrink with √n; sizes beyond the test set are dashed.",
        f"The observed {gain}, {pair['gain']:.{view.decimals}f}, tends to be too large: pairs attract attention by "
        f"their {gain}, and part of it is luck{'. Planned with the lower end of its 95% interval' if lower else ''}.",
        f"Significant: p < {aim.level:.2g} of the pair on its own, which is {view.words}."
        if view.notion.scope == CORRECTED
        else "",
        f"{size_note(stats)}." if size_note(stats) else "",
    ]
    return " ".join(filter(None, parts))


def _signed(aim: Aim) -> dict[str, object]:
    """Return what power depends on beside the resamples, for signatures."""
    return {"gain": f"{aim.gain:g}", "level": f"{aim.level:g}", "power": aim.power, "sides": aim.sides}


def of_all_pairs(view: View, aim: Aim) -> None:
    """Draw the size that the pairs of each class need for the same gain."""
    n, unit = view.selection.stats.n_units, view.selection.stats.unit
    pairs = remember(with_freedom, view.pairs, view.first.stats)
    needed = remember(needed_units, pairs, n, aim)
    goal = f"To find a true {view.metric.gain} of {aim.gain:.{view.decimals}f} with {aim.power:.0%} power"
    st.markdown(f"{goal}{', if runs did not vary' * draws_runs(view.selection.stats)}:")
    for row in needed.itertuples(index=False):
        st.markdown(f"**{row.comparison}**: {_of_class(row, n, unit)}")
    signature = view.signed(**_signed(aim), **view.classes)
    components.downloads(needed, "needed_units", signature)
    data = remember(power_by_class, pairs, n, aim)
    if data.empty:
        return
    chart = _power_figure(view, data, aim, signature)
    components.figure(chart, "power_classes", data, heads=_heads(unit))
    st.caption(f"In brackets and bands: {OF_CLASS}.")


def _of_class(row: Any, n: int, unit: str) -> str:
    """Return the units that a class needs, or why there is no number."""
    if row.reason:
        return f":gray[{row.reason}]"
    ends = f"({rounded_up(row.units_low):,} – {rounded_up(row.units_high):,})"
    return (
        f"**:blue[{count(rounded_up(row.units), unit)}]** :gray[{ends}]. These {n:,} are enough "
        f"for {share(row.share_enough)} of {count(row.pairs, 'pair')} of similar score."
    )


def detectable(view: View, aim: Aim) -> None:
    """Draw the smallest true gain that a test set of this size detects with the aim's power, for every pair."""
    gain = view.metric.gain_word
    table = remember(detectable_gains, view.pairs, aim.level, aim.sides, aim.power)
    if table.empty:
        st.info(f"No two systems differ, or no {gain} can be significant on so few units.", icon=":material/help:")
        return
    by_class = remember(detectable_by_class, view.pairs, aim.level, aim.sides, aim.power)
    for row in by_class.itertuples(index=False):
        observed = count(row.pairs, f"observed {gain}")
        exceed = f"{row.above:,} of {observed} exceed{'s' * (row.above == 1)} that of the pair"
        known = row.median == row.median
        median = f"**:blue[{row.median:.{view.decimals}f}]** for the median pair of similar score" if known else ""
        none = ":gray[too few pairs of similar score for a median]"
        st.markdown(f"**{row.comparison}**: {median or none}. {exceed}.")
    settings = {key: value for key, value in _signed(aim).items() if key != "gain"}
    chart = remember(
        plots.detectable_figure, table, aim=aim, **view.scored, signature=view.signed(**settings, **view.classes)
    )
    heads = {
        "detectable": f"detectable {gain} ({view.metric.label})",
        "above": f"detectable {gain} exceeded",
    }
    components.figure(chart, "detectable_figure", table, heads=heads, **view.scored)
    st.caption(
        f"A true {gain} of the detectable size has p < {aim.level:.2g} with {aim.power:.0%} power. Filled: the "
        f"observed {gain} exceeds it. Between the lines the observed {gain} has, but a true {gain} of its size would "
        "often be missed."
    )
