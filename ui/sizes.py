"""The Test size page's parts: all pairs on parts of the test set, thresholds against size, and power."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core import plots, sizes
from nlpsig_core.errors import ChoiceError
from nlpsig_core.power import Aim, needed_units, power_by_class, power_curve
from nlpsig_core.runs import size_note
from nlpsig_core.thresholds import Rule
from ui import cache, choice, components
from ui.frame import View
from ui.text import count, share

WAYS = {"initial": "first units, as the paper does", "random": "random subsets without replacement"}
ESTIMATES = {"errors": "standard errors", "window": "window of p"}


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
        return sizes.pairs_by_size(view.first, view.recipe, chosen, how, draws, tell)

    pairs = cache.analysis(view.first, view.recipe, ("sizes", chosen, how, draws), work, "Testing every pair by size")
    return pairs, said


def thresholds(view: View, pairs: pd.DataFrame) -> pd.DataFrame:
    """The thresholds of each size, draw and class."""
    return sizes.thresholds_by_size(pairs, Rule(view.alpha))


def scatter(view: View, pairs: pd.DataFrame, thresholds: pd.DataFrame, said: dict[str, object]) -> None:
    """Confidence against gain by size, in one figure or one a size."""
    kind = choice.segments("Figure", ["one", "a panel a size"], "size_view")
    chart = plots.sizes_figure(
        pairs, metric=view.metric, unit=view.selection.stats.unit, n_resamples=view.recipe.n_resamples,
        signature=view.signed(**said), decimals=view.decimals, level=view.alpha, panels=kind != "one",
        spread=sizes.spread_by_size(thresholds), estimate="errors",
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


def power(view: View) -> None:
    """How large the test set must be for a gain, by class, and for one pair."""
    st.subheader("How large must the test set be?")
    n, unit = view.selection.stats.n_units, view.selection.stats.unit
    least = 10.0**-view.decimals
    with st.container(horizontal=True, vertical_alignment="bottom"):
        gain = choice.number(
            f"True {view.metric.gain}", least, 1e6, "power_gain", usual=_round_gain(view), step=10 * least,
            format=f"%.{view.decimals}f",
        )  # fmt: skip
        wanted = choice.number("Power, %", 10, 99, "power")
        sided = choice.segments("p", ["one-sided", "two-sided"], "power_sided")
    aim = Aim(float(gain), view.alpha, float(wanted) / 100, sided == "two-sided")
    pairs = view.pairs
    needed = needed_units(pairs, n, aim, Rule(view.alpha))
    for row in needed.itertuples(index=False):
        if row.reason:
            st.markdown(f"**{row.comparison}**: :gray[{row.reason}]")
        else:
            beyond = ", beyond the data" if row.extrapolated else ""
            st.markdown(
                f"**{row.comparison}**: **:blue[{count(round(row.units), unit)}]** "
                f":gray[({row.low:,.0f} – {row.high:,.0f})]{beyond}. The present {n:,} are enough for "
                f"{share(row.share_enough)} of {count(row.pairs, 'pair')} of similar score."
            )
    if beyond_units := size_note(view.selection.stats):
        st.caption(f"{beyond_units}.")
    said: dict[str, object] = {"gain": f"{gain:g}", "level": f"{view.alpha:g}", "power": aim.power, "p": sided}
    components.downloads(needed, "needed_units", view.signed(**said))
    names = {f"{row.system_a} over {row.system_b}": row for row in pairs[pairs["gain"] > 0].itertuples(index=False)}
    whose = choice.select("Curve of", ["", *names], "power_pair", format_func=lambda name: name or "all classes")
    if whose:
        aim = Aim(float(names[whose].gain), view.alpha, aim.power, aim.two_sided)
        data = power_curve(n, names[whose].standard_error, aim)
        st.caption(f"If its true gain is the observed one, {aim.gain:.{view.decimals}f}.")
    else:
        data = power_by_class(pairs, n, aim, Rule(view.alpha))
    if data.empty:
        return
    chart = plots.power_figure(
        data, n_units=n, aim=aim, metric=view.metric, unit=unit, decimals=view.decimals,
        signature=view.signed(**said | ({"pair": whose} if whose else {})),
    )  # fmt: skip
    components.figure(chart, "power_figure", "Chance of a significant gain against the size of the test set")
    st.caption("Dashed: more than the data. From each pair's bootstrap standard error, which shrinks with √n.")


def _round_gain(view: View) -> float:
    """A gain of about the size that needs a test to be seen: the median standard error."""
    return max(round(float(view.pairs["standard_error"].median()), view.decimals), 10.0**-view.decimals)
