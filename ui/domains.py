"""The Domains page's parts: pairs and thresholds at one size, agreement of rankings, one pair everywhere."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.analyses import domains
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.errors import ChoiceError
from nlpsig_core.words import count
from ui.app import cache, choice, components
from ui.app.text import plain
from ui.frame.frame import View

Parts = dict[str, Selection]


def at_one_size(view: View, parts: Parts) -> None:
    """Confidence against gain by domain at one size, and the thresholds."""
    sizes = [part.stats.n_units for part in parts.values()]
    unit = view.first.stats.unit
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = int(choice.number(f"{unit.capitalize()}s of each", 2, max(sizes), "domain_size", usual=min(sizes)))
        drawn = choice.segments("Which", ["first", "random"], "domain_units")
        kind = choice.segments("Figure", ["one", "a panel each"], "domain_view")
    seed = view.recipe.seed if drawn == "random" else None

    def work(tell):
        return domains.pairs_by_domain(parts, view.recipe, size, seed, tell, view.notion)

    what = (
        "domains",
        view.notion,
        size,
        seed,
        view.metric.name,
        domains.signature(parts, view.recipe),
        *_classes(parts),
    )
    try:
        pairs = cache.analysis(view.selection, view.recipe, what, work, "Testing every pair in every domain")
    except ChoiceError as error:
        components.refusal("Not every pair can be tested in these domains.", str(error))
        return
    classes = {"groups": "+".join(_classes(parts))}
    signature = domains.signature(parts, view.recipe, size=size, units=drawn, **view.notion.signed, **classes)
    for note in domains.of_size(parts, size, seed)[1]:
        st.caption(note)
    chart = plots.domains_figure(
        pairs, metric=view.metric, n_resamples=view.recipe.n_resamples, signature=signature, decimals=view.decimals,
        notion=view.notion, panels=kind != "one",
    )  # fmt: skip
    components.figure(chart, "domains_figure", "Confidence against gain by domain")
    table = domains.thresholds_by_domain(pairs, notion=view.notion)
    st.caption(f"{count(size, unit)} of each, as in the paper's figure 11.{_ranges(table, view.decimals)}")
    components.table(table, "domain_thresholds", signature, "Thresholds by domain", decimals=view.decimals)


def _ranges(thresholds: pd.DataFrame, decimals: int) -> str:
    """From which to which domain the thresholds reach, by class; "" where no class has two."""
    reach = [
        f"{row.comparison} from {row.low:.{decimals}f} ({plain(row.low_domain)}) to {row.high:.{decimals}f} "
        f"({plain(row.high_domain)})"
        for row in domains.threshold_range(thresholds).itertuples()
    ]
    return f" Thresholds by the model: {'; '.join(reach)}." if reach else ""


def _classes(parts: Parts) -> tuple[str, ...]:
    return tuple(part.classes_digest for part in parts.values())


def agreement(view: View, parts: Parts) -> None:
    """How far the rankings agree."""
    st.subheader("Do the rankings agree?")

    def work(tell):
        return domains.agreement(parts, progress=tell)

    said = domains.signature(parts, view.recipe)
    table = cache.analysis(view.selection, view.recipe, ("agreement", said), work, "Comparing rankings")
    chart = plots.agreement_figure(table, signature=said)
    components.figure(chart, "agreement", "Kendall's tau between the rankings of each two domains")
    st.caption(
        "Kendall's tau between the rankings of the systems, on all units: 1 is the same order, −1 the reverse, 0 as "
        "many pairs of systems one way as the other. Intervals from resampling the units of each; they are rough: on "
        "parts of domains of CoNLL 2018 they held the tau of the whole domains in 75 to 85 of 100 cases."
    )
    components.downloads(table, "agreement_table", said)


def one_pair(view: View, parts: Parts) -> None:
    """One pair's gain with its interval in every domain."""
    st.subheader("One pair everywhere")
    systems, _ = domains.common_systems(parts)
    with st.container(horizontal=True):
        a = choice.select("System", systems, "domain_a")
        b = choice.select("over", [name for name in systems if name != a], "domain_b")

    def work(tell):
        return domains.pair_by_domain(parts, a, b, view.recipe, tell, view.notion)

    said = domains.signature(parts, view.recipe, pair=f"{a} over {b}", **view.notion.signed)
    table = cache.analysis(view.selection, view.recipe, ("pair_by_domain", said), work, "Testing this pair everywhere")
    chart = plots.pair_by_domain_figure(
        table, a=a, b=b, metric=view.metric, n_resamples=view.recipe.n_resamples, signature=said,
        decimals=view.decimals,
    )  # fmt: skip
    components.figure(chart, "pair_by_domain", f"Gain of {a} over {b} by domain")
    components.table(
        table.drop(columns="reason") if (table["reason"] == "").all() else table, "pair_by_domain_table", said,
        f"{a} over {b} by domain", decimals=view.decimals,
    )  # fmt: skip
