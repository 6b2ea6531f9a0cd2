"""The Domains page: one pair in every domain, agreement of rankings, and pairs and thresholds at one size."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import capital, count, shortened_list
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import those_first
from nlpsig_core.significance.comparison.verdict import with_symbols
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses import domains
from nlpsig_core.studies.analyses.domain_pair import ahead_in, few_note, pair_by_domain
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.significance.chosen_pair import name_of
from ui.studies.analyses.side_by_side import choose_two
from ui.work import computations
from ui.work.computations import Computation
from ui.work.each import of_each
from ui.work.jobs import Tell
from ui.work.memory import remember
from ui.work.watching import ready, watch

ONE_FIGURE, PANELS = "one", "a panel each"
# From so many domains, dots of all of them in one figure hide each other.
MANY_DOMAINS = 4
# A figure from so many resamples is there until all are drawn.
SOON = 10_000
# On a phone, the numbers of more pairs (those of six domains) would run into each other.
MOST_ON_A_PHONE = 15
# Columns of the pairs of each domain.
SHOWN = ["domain", "system_a", "system_b", "comparison", "gain", "verdict", "p", "p_bound"]
# The choices of the fold with thresholds.
KEYS = ("domain_size", "domain_units", "domain_view")
# Domains of a test set or whole test sets, by name.
Selections = dict[str, Selection]


def one_pair(view: View, selections: Selections, left_out: list[str]) -> str:
    """Say in how many domains one system is ahead of another, and its gain in each; return the pair."""
    headline = st.empty()
    systems, _ = domains.common_systems(selections)
    a, b = choose_two(systems, [*view.ranking["system"]], view.baseline, ("domain_a", "domain_b"))
    pair = name_of(a, b)
    how = {"pair": pair} | view.significance
    thing = "domain" if set(selections) <= set(view.first.test_set.domains.tolist()) else "test set"
    unit_of = {name: selection.stats.unit for name, selection in selections.items()}
    look: dict[str, Any] = {"a": a, "b": b, "unit_of": unit_of, "level": view.notion.level} | view.scored
    some = view.at_most(SOON)
    exact, rough = (_by_domain(view, selections, (a, b), recipe, thing) for recipe in (view.recipe, some))
    first = st.empty()
    try:
        if some != view.recipe and not ready(exact):
            signed = domains.signature(selections, some, **how)
            chart = plots.pair_by_domain_figure(watch(rough), signature=signed, **look)
            with first.container():
                st.plotly_chart(chart, key="pair_by_domain_soon", alt=chart.layout.meta["alt"])
                st.caption(f"From {SOON:,} resamples, until all are drawn.")
        table = watch(exact)
    except ChoiceError as error:
        components.refusal("The pair cannot be tested in these domains.", str(error))
        return pair
    first.empty()
    ahead = ahead_in(table, a, b, view.notion, thing)
    headline.markdown(" ".join([f"**{plain(ahead)}.**", *(f"{plain(note)}." for note in shortened_list(left_out))]))
    signed = domains.signature(selections, view.recipe, **how)
    chart = remember(plots.pair_by_domain_figure, table, signature=signed, **look)
    heads = {"score_a": a, "score_b": b}
    components.figure(
        chart,
        "pair_by_domain",
        _shown(table),
        heads=heads,
        **view.scored,
        about=f"{capital(view.metric.gain_word)}s with 95% intervals from all {domains.unit_of_all(selections)}s of "
        f"each. Full dots: {view.words}.",
    )
    if few := few_note(selections, view.notion):
        st.caption(plain(f"{few}."))
    return pair


def _by_domain(
    view: View, selections: Selections, pair: tuple[str, str], recipe: Resampling, thing: str
) -> Computation[pd.DataFrame]:
    """Return the test of a pair in each domain or test set; of all resamples, pages of these find the results."""
    a, b = pair

    def work(tell: Tell) -> pd.DataFrame:
        results_of = of_each(selections, recipe, view.notion, tell) if recipe == view.recipe else None
        return pair_by_domain(selections, a, b, recipe, computations.steps(tell), view.notion, results_of)

    key = ("pair_by_domain", __version__, a, b, view.notion, recipe, _data(selections))
    label = f"Testing this pair in every {thing}: {recipe.n_resamples:,} resamples"
    return Computation(key=key, work=work, label=label, name=f"pair_by_domain_{recipe.n_resamples}")


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of a pair with the symbols of verdicts, without reasons if there is none."""
    table = table.assign(verdict=with_symbols(table["verdict"])).drop(columns="significant")
    return table.drop(columns="reason") if (table["reason"] == "").all() else table


def _data(selections: Selections) -> tuple[tuple[str, str, str], ...]:
    """Return what identifies selections: a signature joins names by commas, and shows the beginnings of digests."""
    return tuple((name, one.stats.digest, one.systems.to_csv()) for name, one in selections.items())


def agreement(view: View, selections: Selections) -> None:
    """Draw Kendall's tau between the rankings of every two domains."""
    recipe = replace(domains.OF_RANKINGS, seed=view.recipe.seed)
    work = partial(domains.agreement, selections, recipe)
    signature = domains.signature(selections, recipe)
    what = ("agreement", _data(selections))
    table = watch(computations.analysis(view.selection, recipe, what, work, "Comparing rankings"))
    heads = {"domain_a": "domain", "domain_b": "other domain", "tau": "Kendall's tau"}
    st.markdown(plain(agreement_in_words(table)))
    about = (
        "Kendall's tau between the rankings of the systems, on all units: 1 for the same order, −1 for the reverse. "
        "The intervals, from resampling the units of each domain, are rough: they held the true tau in 70 to 85 of 100 "
        "cases, simulated or parts of CoNLL 2018 domains, not in 95."
    )
    if len(table) > 1:
        chart = remember(plots.agreement_figure, table, signature=signature)
        few_numbers_on_a_phone("agreement", len(table))
        components.figure(chart, "agreement", table, about=about, heads=heads)
    else:
        components.table(table, "agreement", signature, about, heads=heads)


def few_numbers_on_a_phone(key: str, pairs: int) -> None:
    """Hide the numbers of many pairs in the figure with that key where the screen is narrow."""
    if pairs > MOST_ON_A_PHONE:
        st.html(f"<style>@media (max-width: 800px) {{ .st-key-{key} .textpoint {{ display: none; }} }}</style>")


def agreement_in_words(table: pd.DataFrame) -> str:
    """Return how far rankings agree, at least and at most."""
    low, high = (table.loc[end] for end in (table["tau"].idxmin(), table["tau"].idxmax()))
    if len(table) == 1:
        return f"Kendall's tau between the two rankings is {low['tau']:.2f}."
    least, most = (f"{of['tau']:.2f} ({of['domain_a']} and {of['domain_b']})" for of in (low, high))
    return f"Kendall's tau between two rankings is {least} to {most}."


def at_one_size(view: View, selections: Selections) -> None:
    """Draw confidence against gain by domain at one size, and the thresholds."""
    sizes = [selection.stats.n_units for selection in selections.values()]
    unit = domains.unit_of_all(selections)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = f"{unit.capitalize()}s per domain"
        size = int(choice.number(label, 2, max(sizes), "domain_size", usual=domains.usual_size(selections)))
        drawn = choice.segments(f"Which {unit}s", ["first", "random"], "domain_units")
        kinds = [ONE_FIGURE, PANELS]
        kind = choice.segments("Figure", kinds, "domain_view", usual=kinds[len(selections) >= MANY_DOMAINS])
    seed = view.recipe.seed if drawn == "random" else None
    work = partial(domains.pairs_by_domain, selections, view.recipe, size, seed, notion=view.notion)
    what = ("domains", view.notion, size, seed, view.metric.name, _data(selections))
    label = "Testing every pair in every domain"
    try:
        pairs = watch(computations.analysis(view.selection, view.recipe, what, work, label))
    except ChoiceError as error:
        components.refusal("Some pairs cannot be tested in these domains.", str(error))
        return
    signed = view.significance | domains.classes_of(selections)
    signature = domains.signature(selections, view.recipe, size=size, units=drawn, **signed)
    for note in domains.of_size(selections, size, seed)[1]:
        st.caption(plain(note))
    table = remember(domains.thresholds_by_domain, pairs, notion=view.notion)
    chart = remember(
        plots.domains_figure,
        pairs,
        table,
        unit=unit,
        signature=signature,
        **view.scored,
        notion=view.notion,
        panels=kind == PANELS,
    )
    about = (
        f"{count(size, unit)} of each, as in figure 11 of the paper. Dotted lines and numbers: the threshold (model)."
    )
    components.figure(chart, "domains_figure", pairs[SHOWN], about=about, **view.scored)
    st.caption(plain(_ranges(table, view.decimals)))
    order = those_first(table, "model")
    components.table(table, "domain_thresholds", signature, "Thresholds by domain", column_order=order, **view.scored)


def _ranges(thresholds: pd.DataFrame, decimals: int) -> str:
    """Return the range of the model's thresholds over domains, by class."""
    ranges = [
        f"{row.comparison} {row.low:.{decimals}f} ({row.low_domain}) to {row.high:.{decimals}f} ({row.high_domain})"
        for row in domains.threshold_range(thresholds).itertuples()
    ]
    return f"Thresholds by the model: {'; '.join(ranges)}." if ranges else "Too few pairs to estimate thresholds."
