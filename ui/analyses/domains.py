"""The Domains page: pairs and thresholds at one size, agreement of rankings, one pair in every domain."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.analyses import domains
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.errors import ChoiceError
from nlpsig_core.words import count
from ui.analyses.side_by_side import choose_two
from ui.app import choice, components, computations
from ui.app.computations import Progress
from ui.app.text import plain
from ui.app.watching import watch
from ui.frame.view import View

ONE_FIGURE, PANELS = "one", "a panel each"
# From so many domains, dots of all of them in one figure hide each other.
MANY_DOMAINS = 4
# Columns of the pairs of each domain.
SHOWN = ["domain", "system_a", "system_b", "comparison", "gain", "verdict", "p", "p_bound"]
# Domains of a test set or whole test sets, by name.
Selections = dict[str, Selection]


def at_one_size(view: View, selections: Selections) -> None:
    """Confidence against gain by domain at one size, and the thresholds."""
    sizes = [selection.stats.n_units for selection in selections.values()]
    unit = view.first.stats.unit
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = f"{unit.capitalize()}s per domain"
        size = int(choice.number(label, 2, max(sizes), "domain_size", usual=min(sizes)))
        drawn = choice.segments(f"Which {unit}s", ["first", "random"], "domain_units")
        kinds = [ONE_FIGURE, PANELS]
        kind = choice.segments("Figure", kinds, "domain_view", usual=kinds[len(selections) >= MANY_DOMAINS])
    seed = view.recipe.seed if drawn == "random" else None

    def work(progress: Progress) -> pd.DataFrame:
        return domains.pairs_by_domain(selections, view.recipe, size, seed, progress, view.notion)

    what = ("domains", view.notion, size, seed, view.metric.name, _data(selections))
    label = "Testing every pair in every domain"
    try:
        pairs = watch(computations.analysis(view.selection, view.recipe, what, work, label))
    except ChoiceError as error:
        components.refusal("Some pairs cannot be tested in these domains.", str(error))
        return
    classes = {"groups": "+".join(_classes(selections))}
    signature = domains.signature(selections, view.recipe, size=size, units=drawn, **view.significance, **classes)
    for note in domains.of_size(selections, size, seed)[1]:
        st.caption(plain(note))
    table = domains.thresholds_by_domain(pairs, notion=view.notion)
    chart = plots.domains_figure(
        pairs, table, metric=view.metric, unit=view.selection.stats.unit, signature=signature,
        decimals=view.decimals, notion=view.notion, panels=kind == PANELS,
    )  # fmt: skip
    alt = plots.domains_alt(pairs, table, metric=view.metric, decimals=view.decimals)
    components.figure(chart, "domains_figure", alt, pairs[SHOWN], metric=view.metric, decimals=view.decimals)
    lines = " Dotted lines and numbers: the threshold (model) of each class; none where there are too few pairs."
    st.caption(
        f"{count(size, unit)} per domain, as in figure 11 of the paper.{lines * (kind == PANELS)}"
        f"{_ranges(table, view.decimals)}"
    )
    components.table(
        table, "domain_thresholds", signature, "Thresholds by domain", metric=view.metric, decimals=view.decimals
    )


def _ranges(thresholds: pd.DataFrame, decimals: int) -> str:
    """The range of the model's thresholds over domains, by class; "" where no class has two."""
    ranges = [
        f"{row.comparison} from {row.low:.{decimals}f} ({plain(row.low_domain)}) to {row.high:.{decimals}f} "
        f"({plain(row.high_domain)})"
        for row in domains.threshold_range(thresholds).itertuples()
    ]
    return f" Thresholds by the model: {'; '.join(ranges)}." if ranges else ""


def _data(selections: Selections) -> tuple[tuple[str, str, str], ...]:
    """What identifies selections: a signature joins names by commas, and shows the beginnings of digests."""
    return tuple((name, one.stats.digest, one.systems.to_csv()) for name, one in selections.items())


def _classes(selections: Selections) -> tuple[str, ...]:
    return tuple(selection.classes_digest for selection in selections.values())


def agreement(view: View, selections: Selections) -> None:
    """Kendall's tau between the rankings of every two domains."""
    st.header("Do the rankings agree?")

    def work(progress: Progress) -> pd.DataFrame:
        return domains.agreement(selections, progress=progress)

    signature = domains.signature(selections, view.recipe)
    what = ("agreement", _data(selections))
    table = watch(computations.analysis(view.selection, view.recipe, what, work, "Comparing rankings"))
    chart = plots.agreement_figure(table, signature=signature)
    heads = {"domain_a": "domain", "domain_b": "other domain", "tau": "Kendall's tau"}
    components.figure(chart, "agreement", plots.agreement_alt(table), table, heads=heads)
    st.caption(
        "Kendall's tau between the rankings of the systems, on all units: 1 for the same order, −1 for the reverse "
        "order, 0 where as many pairs of systems agree as disagree. The intervals, from resampling the units of each "
        "domain, are rough: on parts of CoNLL 2018 domains they covered the tau of the whole domains in 75 to 85 of "
        "100 cases."
    )


def one_pair(view: View, selections: Selections) -> None:
    """One pair's gain with its interval in every domain."""
    st.header("One pair in every domain")
    systems, _ = domains.common_systems(selections)
    a, b = choose_two(systems, [*view.ranking["system"]], ("domain_a", "domain_b"))

    def work(progress: Progress) -> pd.DataFrame:
        return domains.pair_by_domain(selections, a, b, view.recipe, progress, view.notion)

    signature = domains.signature(selections, view.recipe, pair=f"{a} over {b}", **view.significance)
    what, label = ("pair_by_domain", a, b, view.notion, _data(selections)), "Testing this pair in every domain"
    table = watch(computations.analysis(view.selection, view.recipe, what, work, label))
    chart = plots.pair_by_domain_figure(
        table, a=a, b=b, metric=view.metric, signature=signature,
        decimals=view.decimals,
    )  # fmt: skip
    alt = plots.pair_by_domain_alt(table, a=a, b=b, metric=view.metric, decimals=view.decimals)
    components.figure(chart, "pair_by_domain", alt, numbers="pair_by_domain_table")
    components.table(
        table.drop(columns="reason") if (table["reason"] == "").all() else table, "pair_by_domain_table", signature,
        f"{a} over {b} by domain", metric=view.metric, decimals=view.decimals, heads={"score_a": a, "score_b": b},
    )  # fmt: skip
