"""All pairs on smaller test sets, and thresholds against size."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import at_level
from nlpsig_core.significance.comparison.thresholds import those_first
from nlpsig_core.studies.analyses import sizes
from ui.app import choice, components
from ui.app.text import cut, plain
from ui.frame.view import View
from ui.work import computations
from ui.work.memory import remember
from ui.work.watching import watch

WAYS = {"initial": "first units, as the paper does", "random": "random subsets without replacement"}
# Columns of the pairs of each size.
SHOWN = ["size", "draw", "system_a", "system_b", "comparison", "gain", "p", "p_bound", "significant"]
ESTIMATES = {"model": "model of needed gains", "window": "window of p"}
# The choices of this part of the page.
KEYS = ("size_how", "sizes", "size_draws", "size_view", "estimate")


def on_smaller_test_sets(view: View) -> None:
    """Draw the thresholds at each size, and the pairs behind them."""
    of = of_sizes(view)
    if of is None:
        return
    pairs, settings = of
    table = remember(sizes.thresholds_by_size, pairs, notion=view.notion)
    curve(view, table, settings)
    scatter(view, pairs, table, settings)


def of_sizes(view: View) -> tuple[pd.DataFrame, dict[str, object]] | None:
    """Return the pairs of each size and draw and the choices behind them; None if they cannot be used."""
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
        return None
    settings: dict[str, object] = {"sizes": "-".join(map(str, chosen)), "parts": how}
    settings |= {"draws": draws} if how == "random" else {}
    # The level changes no p: all levels share one computation.
    notion = replace(view.notion, level=Notion().level)
    whole = view.result if n in chosen else None
    work = partial(sizes.pairs_by_size, view.selection, view.recipe, chosen, how, draws, notion=notion, whole=whole)
    what = ("sizes", chosen, how, draws, notion)
    try:
        pairs = watch(computations.analysis(view.selection, view.recipe, what, work, "Testing every pair by size"))
    except ChoiceError as error:
        components.refusal("Some pairs cannot be tested at these sizes.", str(error))
        return None
    return remember(at_level, pairs, view.notion), settings | view.significance | view.classes


def scatter(view: View, pairs: pd.DataFrame, thresholds: pd.DataFrame, settings: dict[str, object]) -> None:
    """Draw confidence against gain by size, in one figure or a panel per size."""
    kind = choice.segments("Figure", ["one", "a panel each"], "size_view")
    chart = remember(
        plots.sizes_figure,
        pairs,
        unit=view.selection.stats.unit,
        signature=view.signed(**settings),
        **view.scored,
        notion=view.notion,
        panels=kind != "one",
        spread=remember(sizes.spread_by_size, thresholds),
        estimate="model",
    )
    components.figure(chart, "sizes_figure", pairs[SHOWN], **view.scored)


def curve(view: View, thresholds: pd.DataFrame, settings: dict[str, object]) -> None:
    """Draw the threshold against size with the fitted curve."""
    estimate = choice.segments("Thresholds from", list(ESTIMATES), "estimate", format_func=ESTIMATES.get)
    fit, spread = remember(sizes.fit_by_size, thresholds), remember(sizes.spread_by_size, thresholds)
    unit = view.selection.stats.unit
    if spread.loc[spread["estimate"] == estimate, "found"].any():
        chart = remember(
            plots.threshold_curve_figure,
            thresholds,
            fit,
            spread,
            unit=unit,
            signature=view.signed(**settings),
            **view.scored,
            estimate=estimate,
        )
        components.figure(chart, "threshold_curve", numbers="size_thresholds")
    else:
        st.info("Too few pairs to estimate a threshold.", icon=":material/info:")
    components.table(
        thresholds,
        "size_thresholds",
        view.signed(**settings),
        "Thresholds by size",
        column_order=those_first(thresholds, estimate),
        **view.scored,
    )
