"""The Test size page: all pairs on smaller test sets, thresholds against size, and power."""

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
from nlpsig_core.comparison.notion import Notion
from nlpsig_core.comparison.pair_table import at_level
from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.runs import size_note
from nlpsig_core.words import count, share
from ui.app import choice, components, computations
from ui.app.computations import Progress
from ui.app.memory import remember
from ui.app.terms import explained
from ui.app.text import cut, plain
from ui.app.watching import watch
from ui.frame.view import View
from ui.pair.pair import name_of

WAYS = {"initial": "first units, as the paper does", "random": "random subsets without replacement"}
GAINS = ("the gain above", "the lower end of its interval")
# Notes on the ranges and their coverage in simulations: of all classes, of one pair.
RANGES = (
    "The band and the range in brackets are 80% ranges for another pair of the class; they covered the number of "
    "units that it needs in 78 to 98% of simulated cases.",
    "The band and the range in brackets are an 80% range, since the standard error is itself an estimate; it covered "
    "the true number of units for 72 to 87% of simulated pairs on 50 units or more, less often with skewed gains.",
)
# Columns of the pairs of each size.
SHOWN = ["size", "draw", "system_a", "system_b", "comparison", "gain", "p", "p_bound", "significant"]
ESTIMATES = {"model": "model of needed gains", "window": "window of p"}


def of_sizes(view: View) -> tuple[pd.DataFrame, dict[str, object]]:
    """The pairs of each size and draw, and the choices behind them, for signatures."""
    n = view.selection.stats.n_units
    usual = " ".join(map(str, sizes.usual_sizes(n)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        how = choice.segments("Smaller test sets", list(WAYS), "size_how", help="; ".join(WAYS.values()))
        text = choice.text("Sizes", "sizes", usual=usual, width=330)
        draws = int(choice.number("Draws", 1, 50, "size_draws")) if how == "random" else 1
    try:
        chosen = sizes.check_sizes(map(float, text.replace(",", " ").split()), n, view.selection.stats.unit)
    except ValueError as error:
        reason = f"{cut(text)!r} is not a list of numbers. Enter numbers such as 100 200 400."
        st.error(plain(str(error) if isinstance(error, ChoiceError) else reason))
        st.stop()
    settings: dict[str, object] = {"sizes": "-".join(map(str, chosen)), "parts": how}
    settings |= {"draws": draws} if how == "random" else {}

    # The level changes no p: all levels share one computation.
    notion = replace(view.notion, level=Notion().level)

    whole = view.result if n in chosen else None

    def work(progress: Progress) -> pd.DataFrame:
        return sizes.pairs_by_size(view.selection, view.recipe, chosen, how, draws, progress, notion, whole)

    what = ("sizes", chosen, how, draws, notion)
    try:
        pairs = watch(computations.analysis(view.selection, view.recipe, what, work, "Testing every pair by size"))
    except ChoiceError as error:
        components.refusal("Some pairs cannot be tested at these sizes.", str(error))
        st.stop()
    return remember(at_level, pairs, view.notion), settings | view.significance | view.classes


def thresholds(view: View, pairs: pd.DataFrame) -> pd.DataFrame:
    """The thresholds of each size, draw and class."""
    return remember(sizes.thresholds_by_size, pairs, notion=view.notion)


def scatter(view: View, pairs: pd.DataFrame, thresholds: pd.DataFrame, settings: dict[str, object]) -> None:
    """Confidence against gain by size, in one figure or a panel per size."""
    kind = choice.segments("Figure", ["one", "a panel each"], "size_view")
    chart = remember(
        plots.sizes_figure, pairs, metric=view.metric, unit=view.selection.stats.unit,
        signature=view.signed(**settings),
        decimals=view.decimals, notion=view.notion, panels=kind != "one",
        spread=remember(sizes.spread_by_size, thresholds), estimate="model",
    )  # fmt: skip
    alt = remember(plots.sizes_alt, pairs, unit=view.selection.stats.unit)
    components.figure(chart, "sizes_figure", alt, pairs[SHOWN], metric=view.metric, decimals=view.decimals)


def curve(view: View, thresholds: pd.DataFrame, settings: dict[str, object]) -> None:
    """Threshold against size with the fitted curve, and the largest deviation from it."""
    st.header("Threshold against size")
    estimate = choice.segments("Thresholds from", list(ESTIMATES), "estimate", format_func=ESTIMATES.get)
    fit, spread = remember(sizes.fit_by_size, thresholds), remember(sizes.spread_by_size, thresholds)
    unit = view.selection.stats.unit
    if spread.loc[spread["estimate"] == estimate, "found"].any():
        chart = remember(
            plots.threshold_curve_figure, thresholds, fit, spread, metric=view.metric, unit=unit,
            signature=view.signed(**settings), decimals=view.decimals, estimate=estimate,
        )  # fmt: skip
        alt = plots.threshold_curve_alt(
            spread, fit, metric=view.metric, unit=unit, estimate=estimate, decimals=view.decimals
        )
        components.figure(chart, "threshold_curve", alt, numbers="size_thresholds")
    else:
        none = f"No size has a threshold from the {ESTIMATES[estimate]}. The table has the reason for each."
        st.info(none, icon=":material/info:")
    for row in fit[fit["estimate"] == estimate].itertuples(index=False):
        if row.reason:
            st.caption(f"{row.comparison}: {row.reason}.")
        else:
            exponents = (row.exponent, row.exponent_low, row.exponent_high)
            exponent, low, high = (f"{value:.2f}".replace("-", "−") for value in exponents)
            st.caption(
                f"{row.comparison}: {row.c:.3g} / √n. With a free exponent the fit is {exponent} "
                f"({low} to {high}), where −0.50 is expected. Largest deviation: "
                f"{row.worst_ratio:.2f} times the curve, at {count(int(row.worst_size), unit)}."
            )
    components.table(
        thresholds, "size_thresholds", view.signed(**settings), "Thresholds by size", metric=view.metric,
        decimals=view.decimals,
    )  # fmt: skip


def power(view: View) -> Aim:
    """The size that a test set needs for a gain, by class and for one pair; returns the gain and power aimed at."""
    st.header("How large must the test set be?")
    n, unit, aim = view.selection.stats.n_units, view.selection.stats.unit, _aim(view)
    pairs = remember(with_freedom, view.pairs, view.first.stats)
    needed = remember(needed_units, pairs, n, aim)
    for row in needed.itertuples(index=False):
        if row.reason:
            st.markdown(f"**{row.comparison}**: :gray[{row.reason}]")
        else:
            enough = f"These {n:,} are enough for {share(row.share_enough)} of {count(row.pairs, 'pair')}"
            _show_needed(row.comparison, Errors(row.low, row.units, row.high), n, unit, f"{enough} of similar score.")
    if beyond_units := size_note(view.selection.stats):
        st.caption(f"{beyond_units}.")
    components.downloads(needed, "needed_units", view.signed(**_signed(aim)))
    _power_curve(view, pairs, aim)
    return aim


def _aim(view: View) -> Aim:
    """The true gain and the power that the user asks for, at the sidebar's level and sides."""
    least = 10.0**-view.decimals
    with st.container(horizontal=True, vertical_alignment="bottom"):
        gain = choice.number(
            f"True {view.metric.gain}", least, 1e6, "power_gain", usual=_round_gain(view), step=10 * least,
            format=f"%.{view.decimals}f", help=explained("The gain that the test set should find.", "true gain"),
        )  # fmt: skip
        least_power, found = max(10, math.ceil(100 * view.alpha) + 1), "How often it should be significant."
        wanted = choice.number("Power, %", least_power, 99, "power", help=explained(found, "power"))
    return Aim(float(gain), view.notion.level, float(wanted) / 100, view.notion.sides)


def _signed(aim: Aim) -> dict[str, object]:
    """For signatures: what power depends on beside the resamples."""
    return {"gain": f"{aim.gain:g}", "level": f"{aim.level:g}", "power": aim.power, "sides": aim.sides}


def _show_needed(name: str, needed: Errors, n: int, unit: str, enough: str) -> None:
    beyond = ", more than in the test set" if needed.middle > n else ""
    st.markdown(
        f"**{name}**: **:blue[{count(round(needed.middle), unit)}]** "
        f":gray[({needed.low:,.0f} – {needed.high:,.0f})]{beyond}. {enough}"
    )


def _power_curve(view: View, pairs: pd.DataFrame, aim: Aim) -> None:
    """Power against size, of all classes or of one pair, for which another true gain can be chosen."""
    n, unit = view.selection.stats.n_units, view.selection.stats.unit
    rows = remember(_rows_by_name, pairs)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        whose = choice.select("Curve of", ["", *rows], "power_pair", format_func=lambda name: name or "all classes")
        asked = choice.segments("Its true gain", GAINS, "power_from") if whose else GAINS[0]
    of_pair: dict[str, object] = {}
    if whose:
        of_pair = {"pair": whose}
        row = pairs.loc[rows[whose]]
        aim = _aim_for(row, aim, asked, view.decimals)
        errors = errors_of_pair(float(row["standard_error"]), float(row["freedom"]))
        needed = needed_by_pair(n, errors, aim)
        enough = "are" if needed.middle <= n else "are not"
        gain = f"{aim.gain:.{view.decimals}f}"
        _show_needed(plain(whose), needed, n, unit, f"These {n:,} {enough} enough for a true gain of {gain}.")
        data = remember(power_curve, n, errors, aim)
    else:
        data = remember(power_by_class, pairs, n, aim)
    if data.empty:
        return
    chart = remember(
        plots.power_figure, data, n_units=n, aim=aim, metric=view.metric, unit=unit, decimals=view.decimals,
        signature=view.signed(**_signed(aim) | of_pair),
    )  # fmt: skip
    alt = plots.power_alt(data, n_units=n, aim=aim, metric=view.metric, unit=unit, decimals=view.decimals)
    heads = {"units": f"{unit}s", "low": "power from", "high": "power to", "enough": "reaches the power"}
    components.figure(chart, "power_figure", alt, data, heads=heads)
    st.caption(
        "Dashed: sizes beyond the test set. Power follows from bootstrap standard errors, which shrink with √n. "
        f"{RANGES[bool(whose)]}"
    )


def _rows_by_name(pairs: pd.DataFrame) -> dict[str, int]:
    """The row of each pair with a gain, by the pair's name."""
    gains = pairs[pairs["gain"] > 0]
    return dict(zip(map(name_of, gains["system_a"], gains["system_b"]), gains.index, strict=True))


def _aim_for(pair: pd.Series, aim: Aim, asked: str, decimals: int) -> Aim:
    """The aim with the chosen gain: the given one, or the lower end of the pair's interval."""
    st.caption(
        f"The observed gain, {pair['gain']:.{decimals}f}, is too optimistic to plan with: pairs attract attention "
        "because their gain is large, and part of that is luck (the winner's curse)."
    )
    if asked == GAINS[0]:
        return aim
    try:
        return replace(aim, gain=cautious_gain(pair))
    except ChoiceError as error:
        st.info(f"{plain(str(error))}. The gain used here is {aim.gain:.{decimals}f}.", icon=":material/help:")
        return aim


def detectable(view: View, aim: Aim) -> None:
    """The smallest true gain that a test set of this size detects with the aim's power, for every pair."""
    st.header("Which gains can this test set detect?")
    table = remember(detectable_gains, view.pairs, aim.level, aim.sides, aim.power)
    if table.empty:
        st.info("No two systems differ.", icon=":material/help:")
        return
    size = count(view.selection.stats.n_units, view.selection.stats.unit)
    by_class = remember(detectable_by_class, view.pairs, aim.level, aim.sides, aim.power)
    for row in by_class.itertuples(index=False):
        verb = "exceeds" if row.above == 1 else "exceed"
        of = f"{row.above:,} of {count(row.pairs, 'observed gain')} {verb} the detectable gain of the pair"
        if row.median == row.median:
            st.markdown(
                f"**{row.comparison}**: with {size}, the median pair of similar score needs a true {view.metric.gain} "
                f"of **:blue[{row.median:.{view.decimals}f}]** for {aim.power:.0%} power. {of}."
            )
        else:
            st.markdown(f"**{row.comparison}**: {of}. :gray[Too few pairs of similar score for a median.]")
    settings = {key: value for key, value in _signed(aim).items() if key != "gain"}
    chart = remember(
        plots.detectable_figure,
        table,
        aim=aim,
        metric=view.metric,
        signature=view.signed(**settings, **view.classes),
        decimals=view.decimals,
    )
    alt = remember(plots.detectable_alt, table, aim=aim, metric=view.metric, decimals=view.decimals)
    heads = {"detectable": f"detectable gain ({view.metric.label})", "above": "detectable gain exceeded"}
    components.figure(chart, "detectable_figure", alt, table, heads=heads, metric=view.metric, decimals=view.decimals)
    st.caption(
        "The detectable gain of a pair is the true gain that is significant, without adjustment, with this power. "
        "Filled markers: the observed gain exceeds it. Between the lines the observed gain is significant, without "
        "adjustment, but a true gain of that size would often be missed. Observed gains of pairs that were selected "
        "for their significance are too large on average."
    )


def _round_gain(view: View) -> float:
    """The median standard error of a gain, rounded: a gain of that size needs a test."""
    return max(round(float(view.pairs["standard_error"].median()), view.decimals), 10.0**-view.decimals)
