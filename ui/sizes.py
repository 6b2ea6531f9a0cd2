"""The Test size page's parts: all pairs on parts of the test set, thresholds against size, and power."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.analyses import sizes
from nlpsig_core.analyses.power import (
    cautious_gain,
    detectable_by_class,
    detectable_gains,
    needed_by_pair,
    needed_units,
    power_by_class,
    power_curve,
)
from nlpsig_core.analyses.standard_errors import Errors, errors_of_pair, with_freedom
from nlpsig_core.comparison.detectable import Aim
from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.runs import size_note
from nlpsig_core.words import count, share
from ui.app import cache, choice, components
from ui.app.text import plain
from ui.frame.frame import View

WAYS = {"initial": "first units, as the paper does", "random": "random subsets without replacement"}
GAINS = ("the gain above", "the lower end of its interval")
# What the ranges held in simulations, for all classes and for one pair.
RANGES = (
    "The band and the range: 80 % ranges for another pair of the class, which held its need in 78 to 98 % of simulated "
    "cases.",
    "The band and the range: an 80 % range, since the standard error is itself an estimate; it held the true need for "
    "72 to 87 % of simulated pairs on 50 units or more, for fewer of them where gains are skewed.",
)
ESTIMATES = {"model": "model of needed gains", "window": "window of p"}


def of_sizes(view: View) -> tuple[pd.DataFrame, dict[str, object]]:
    """The pairs of each size and draw, and how they were chosen, for signatures."""
    n = view.selection.stats.n_units
    usual = " ".join(map(str, sizes.usual_sizes(n)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        how = choice.segments("Parts of the test set", list(WAYS), "size_how", help="; ".join(WAYS.values()))
        text = choice.text("Sizes", "sizes", usual=usual, width=330)
        draws = int(choice.number("Draws", 1, 50, "size_draws")) if how == "random" else 1
    try:
        chosen = sizes.check_sizes(map(float, text.replace(",", " ").split()), n, view.selection.stats.unit)
    except ValueError as error:
        st.error(str(error) if isinstance(error, ChoiceError) else f"{text!r} are not numbers; write 100 200 400")
        st.stop()
    said: dict[str, object] = {"sizes": "-".join(map(str, chosen)), "parts": how}
    said |= {"draws": draws} if how == "random" else {}

    def work(tell):
        return sizes.pairs_by_size(view.selection, view.recipe, chosen, how, draws, tell, view.notion)

    what = ("sizes", chosen, how, draws, view.notion)
    try:
        pairs = cache.analysis(view.selection, view.recipe, what, work, "Testing every pair by size")
    except ChoiceError as error:
        components.refusal("Not every pair can be tested at these sizes.", str(error))
        st.stop()
    return pairs, said | view.notion.signed | view.classes


def thresholds(view: View, pairs: pd.DataFrame) -> pd.DataFrame:
    """The thresholds of each size, draw and class."""
    return sizes.thresholds_by_size(pairs, notion=view.notion)


def scatter(view: View, pairs: pd.DataFrame, thresholds: pd.DataFrame, said: dict[str, object]) -> None:
    """Confidence against gain by size, in one figure or one a size."""
    kind = choice.segments("Figure", ["one", "a panel a size"], "size_view")
    chart = plots.sizes_figure(
        pairs, metric=view.metric, unit=view.selection.stats.unit, n_resamples=view.recipe.n_resamples,
        signature=view.signed(**said), decimals=view.decimals, notion=view.notion, panels=kind != "one",
        spread=sizes.spread_by_size(thresholds), estimate="model",
    )  # fmt: skip
    components.figure(chart, "sizes_figure", "Confidence against gain by size of the test set")


def curve(view: View, thresholds: pd.DataFrame, said: dict[str, object]) -> None:
    """Threshold against size with the fitted curve, and how far the data bend from it."""
    st.subheader("Threshold against size")
    estimate = choice.segments("Thresholds from", list(ESTIMATES), "estimate", format_func=ESTIMATES.get)
    fit = sizes.fit_by_size(thresholds)
    chart = plots.threshold_curve_figure(
        thresholds, fit, sizes.spread_by_size(thresholds), metric=view.metric, unit=view.selection.stats.unit,
        signature=view.signed(**said), decimals=view.decimals, estimate=estimate,
    )  # fmt: skip
    components.figure(chart, "threshold_curve", "Threshold against size of the test set")
    for row in fit[fit["estimate"] == estimate].itertuples(index=False):
        if row.reason:
            st.caption(f"{row.comparison}: {row.reason}.")
        else:
            st.caption(
                f"{row.comparison}: {row.c:.3g} / √n. A free fit falls with n to the power of {row.exponent:.2f} "
                f"({row.exponent_low:.2f} to {row.exponent_high:.2f}); −0.50 is expected. Furthest from the curve: "
                f"{row.worst_ratio:.2f} times it, at {count(int(row.worst_size), view.selection.stats.unit)}."
            )
    components.table(thresholds, "size_thresholds", view.signed(**said), "Thresholds by size", decimals=view.decimals)


def power(view: View) -> Aim:
    """How large the test set must be for a gain, by class, and for one pair; returns what was aimed at."""
    st.subheader("How large must the test set be?")
    n, unit, aim = view.selection.stats.n_units, view.selection.stats.unit, _aim(view)
    pairs = with_freedom(view.pairs, view.first.stats)
    needed = needed_units(pairs, n, aim)
    for row in needed.itertuples(index=False):
        if row.reason:
            st.markdown(f"**{row.comparison}**: :gray[{row.reason}]")
        else:
            enough = f"The present {n:,} are enough for {share(row.share_enough)} of {count(row.pairs, 'pair')}"
            _say_needed(row.comparison, Errors(row.low, row.units, row.high), n, unit, f"{enough} of similar score.")
    if beyond_units := size_note(view.selection.stats):
        st.caption(f"{beyond_units}.")
    components.downloads(needed, "needed_units", view.signed(**_said(aim)))
    _power_curve(view, pairs, aim)
    return aim


def _aim(view: View) -> Aim:
    """The gain to be found, as a page-wide notion of significance has it, and the wanted power."""
    least = 10.0**-view.decimals
    with st.container(horizontal=True, vertical_alignment="bottom"):
        gain = choice.number(
            f"True {view.metric.gain}", least, 1e6, "power_gain", usual=_round_gain(view), step=10 * least,
            format=f"%.{view.decimals}f",
        )  # fmt: skip
        wanted = choice.number("Power, %", max(10, math.ceil(100 * view.alpha) + 1), 99, "power")
    return Aim(float(gain), view.notion.level, float(wanted) / 100, view.notion.sides)


def _said(aim: Aim) -> dict[str, object]:
    """What power depends on beside the resamples, for signatures."""
    return {"gain": f"{aim.gain:g}", "level": f"{aim.level:g}", "power": aim.power, "sides": aim.sides}


def _say_needed(name: str, needed: Errors, n: int, unit: str, enough: str) -> None:
    beyond = ", beyond the data" if needed.middle > n else ""
    st.markdown(
        f"**{name}**: **:blue[{count(round(needed.middle), unit)}]** "
        f":gray[({needed.low:,.0f} – {needed.high:,.0f})]{beyond}. {enough}"
    )


def _power_curve(view: View, pairs: pd.DataFrame, aim: Aim) -> None:
    """The chance by size, of all classes or of one pair, for which another true gain can be taken."""
    n, unit = view.selection.stats.n_units, view.selection.stats.unit
    rows = {f"{row['system_a']} over {row['system_b']}": row for _, row in pairs[pairs["gain"] > 0].iterrows()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        whose = choice.select("Curve of", ["", *rows], "power_pair", format_func=lambda name: name or "all classes")
        asked = choice.segments("Its true gain", GAINS, "power_from") if whose else GAINS[0]
    said: dict[str, object] = {}
    if whose:
        said = {"pair": whose}
        aim = _aim_for(rows[whose], aim, asked, view.decimals)
        errors = errors_of_pair(float(rows[whose]["standard_error"]), float(rows[whose]["freedom"]))
        needed = needed_by_pair(n, errors, aim)
        enough = "are" if needed.middle <= n else "are not"
        gain = f"{aim.gain:.{view.decimals}f}"
        _say_needed(plain(whose), needed, n, unit, f"The present {n:,} {enough} enough for a true gain of {gain}.")
        data = power_curve(n, errors, aim)
    else:
        data = power_by_class(pairs, n, aim)
    if data.empty:
        return
    chart = plots.power_figure(
        data, n_units=n, aim=aim, metric=view.metric, unit=unit, decimals=view.decimals,
        signature=view.signed(**_said(aim) | said),
    )  # fmt: skip
    components.figure(chart, "power_figure", "Chance of a significant gain against the size of the test set")
    st.caption(
        f"Dashed: more than the data. From bootstrap standard errors, which shrink with √n. {RANGES[bool(whose)]}"
    )


def _aim_for(pair: pd.Series, aim: Aim, asked: str, decimals: int) -> Aim:
    """The aim with the gain that is asked for: the one given, or the lower end of the pair's interval."""
    st.caption(
        f"The observed gain, {pair['gain']:.{decimals}f}, is too optimistic to plan with: a pair is looked at because "
        "its gain came out large, and part of that is luck (the winner's curse)."
    )
    if asked == GAINS[0]:
        return aim
    try:
        return replace(aim, gain=cautious_gain(pair))
    except ChoiceError as error:
        st.info(f"{plain(str(error))}. Here it is {aim.gain:.{decimals}f}.", icon=":material/help:")
        return aim


def detectable(view: View, aim: Aim) -> None:
    """The smallest true gain that a test set of this size finds with the aim's power, for every pair."""
    st.subheader("Which gains can this test set find?")
    table = detectable_gains(view.pairs, aim.level, aim.sides, aim.power)
    if table.empty:
        st.info("No two systems differ.", icon=":material/help:")
        return
    size = count(view.selection.stats.n_units, view.selection.stats.unit)
    for row in detectable_by_class(view.pairs, aim.level, aim.sides, aim.power).itertuples(index=False):
        of = f"{row.above:,} of {count(row.pairs, 'observed gain')} {'is' if row.above == 1 else 'are'} above their own"
        if row.median == row.median:
            st.markdown(
                f"**{row.comparison}**: with {size}, the median pair of similar score needs a true {view.metric.gain} "
                f"of **:blue[{row.median:.{view.decimals}f}]** to be found with {aim.power:.0%} power. {of}."
            )
        else:
            st.markdown(f"**{row.comparison}**: {of}. :gray[Too few pairs of similar score for a median.]")
    said = {key: value for key, value in _said(aim).items() if key != "gain"}
    chart = plots.detectable_figure(
        table, aim=aim, metric=view.metric, signature=view.signed(**said, **view.classes), decimals=view.decimals
    )
    components.figure(chart, "detectable_figure", "Observed gains against the pairs' minimal detectable gains")
    st.caption(
        "The detectable gain of a pair is the true gain that comes out significant, unadjusted, with this power. "
        "Filled: the observed gain is above the pair's own. Between the lines it is significant, unadjusted, but a "
        "true gain of that size would often be missed. An observed gain is not the true one: of pairs chosen because "
        "they are significant, it is too large on average."
    )
    components.downloads(table, "detectable_gains", view.signed(**said, **view.classes))


def _round_gain(view: View) -> float:
    """A gain of about the size that needs a test to be seen: the median standard error."""
    return max(round(float(view.pairs["standard_error"].median()), view.decimals), 10.0**-view.decimals)
