"""Where one pair's difference comes from: units won and lost, by length and domain, the units that matter most."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.comparison.notion import Notion
from nlpsig_core.drawings import DRAWINGS
from nlpsig_core.pair import units as evidence
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import Stats
from nlpsig_core.stats.selected import SelectedTestSet
from nlpsig_core.words import count, p_text, share
from ui.app import cache, choice, components
from ui.app.text import capital, plain
from ui.frame.frame import View

# So many of a document's own units are drawn.
DRAWN = 5
LENGTH, DOMAIN = "length", "domain"


def won_and_lost(view: View, stats: Stats, said: str) -> None:
    """How many units each system wins, and by how much."""
    chart = plots.unit_gains_figure(
        evidence.histogram(evidence.unit_gains(stats)), a=stats.names[0], b=stats.names[1], metric=view.metric,
        unit=stats.unit, signature=said, decimals=view.decimals,
    )  # fmt: skip
    components.figure(
        chart, "unit_gains", f"Gains of {stats.names[0]} over {stats.names[1]}, {stats.unit} by {stats.unit}"
    )
    won, lost, tied = (f"{of.units:,} ({share(of.share)})" for of in evidence.wins_losses_ties(stats))
    st.caption(
        f"{plain(stats.names[0])} is better on {won} of the {stats.unit}s, {plain(stats.names[1])} on {lost}; {tied} "
        f"are ties. Each {stats.unit} is scored alone; the {plain(view.metric.label)} of the whole test set is that of "
        f"all {stats.unit}s together.{_of_runs(stats)}"
    )


def _of_runs(stats: Stats) -> str:
    """What a score of several runs is, as a further sentence."""
    return " Every score is the mean over a system's runs." if stats.several_runs else ""


def by_part(view: View, stats: Stats) -> None:
    """Both scores by length of the units, or by their domain."""
    first = view.first
    drawing, domains = DRAWINGS[first.test_set.reader.name], _of_units(first, first.test_set.domains)
    kinds = [LENGTH] * bool(drawing.length_of) + [DOMAIN] * (domains is not None)
    if not kinds:
        st.info(f"Neither lengths nor domains of the {stats.unit}s are known.", icon=":material/info:")
        return
    recipe = Resampling(min(view.recipe.n_resamples, evidence.QUICK.n_resamples), view.recipe.seed)
    said = view.selection.signature(recipe, pair=" over ".join(stats.names))
    kind = choice.segments("By", kinds, "part_by") if len(kinds) > 1 else kinds[0]
    if kind == DOMAIN:
        part, table = DOMAIN, evidence.by_domain(stats, domains, recipe)
    else:
        lengths = drawing.lengths(first.test_set.gold)
        part = f"length of {stats.unit} ({drawing.length_of})"
        table = evidence.by_length(stats, [lengths[own].sum() for own in first.own_units], recipe=recipe)
    chart = plots.by_part_figure(
        table, metric=view.metric, unit=stats.unit, part=part,
        a=stats.names[0], b=stats.names[1], signature=said, decimals=view.decimals,
    )  # fmt: skip
    components.figure(chart, "by_part", f"Scores of {stats.names[0]} and {stats.names[1]} by {kind}")
    for part in table[table["note"] != ""].itertuples():
        st.caption(f"{plain(part.part)}: {part.note}")


def _of_units(one: SelectedTestSet, values):
    """What is known of the format's own units, for each unit of resampling: that of its first own unit."""
    return [values[own[0]] for own in one.own_units] if len(values) else None


def units_that_matter(view: View, stats: Stats, said: str) -> None:
    """The units by their pull on the gain, either way, and one of them side by side."""
    first = view.first
    table = _listed(first, evidence.unit_gains(stats))
    st.caption(
        f"Pull: how much of the gain of the whole test set goes when this {stats.unit} is left out; below 0 it speaks "
        f"for {plain(stats.names[1])}. Select a row to open it."
    )
    components.table(
        table, "units", said, f"The {stats.unit}s by their pull on the gain", decimals=view.decimals, height=320,
        on_select=partial(_pick_unit, table["number"].tolist()), selection_mode="single-row",
    )  # fmt: skip
    choice.only_for("unit_at", stats.digest)
    number = choice.number(
        f"{capital(stats.unit)} to open", 1, stats.n_units, "unit_at", usual=int(table["number"].iloc[0]), step=1
    )
    _side_by_side(view, stats, int(number) - 1)


def _listed(one: SelectedTestSet, gains: pd.DataFrame) -> pd.DataFrame:
    """The units with their number, domain and text, the largest pull first."""
    drawing, gold = DRAWINGS[one.test_set.reader.name], one.test_set.gold
    table = gains.assign(number=gains["unit"] + 1, text=[drawing.text(gold, own[0]) for own in one.own_units])
    domains = _of_units(one, one.test_set.domains)
    table = table if domains is None else table.assign(domain=domains)
    order = table["pull"].abs().sort_values(ascending=False, kind="stable").index
    shown = ["number", "pull", "gain", "score_a", "score_b", *(["domain"] if "domain" in table else []), "text"]
    return table.loc[order, shown].reset_index(drop=True)


def _pick_unit(numbers: list[int]) -> None:
    """Open the unit of the selected row."""
    rows = st.session_state["units"]["selection"]["rows"]
    if rows:
        st.session_state["unit_at"] = numbers[rows[0]]


def _side_by_side(view: View, stats: Stats, unit: int) -> None:
    """The gold and both outputs of a unit; of a document, its own units that matter most."""
    first = view.first
    test_set, own = first.test_set, first.own_units[unit].tolist()
    outputs = cache.outputs(view.key, view.selection, stats.names)
    if stats.several_runs:
        st.caption("Of several runs of a system the first is drawn.")
    if len(own) > 1:
        alone = replace(first, unit="", subset=None)
        pair = alone.stats.of([alone.stats.names.index(name) for name in stats.names])
        pulls = dict(zip(np.concatenate(alone.own_units), evidence.unit_gains(pair)["pull"].abs(), strict=True))
        own = sorted(own, key=lambda place: -pulls[place])
        if len(own) > DRAWN:
            st.caption(f"The {DRAWN} of its {len(own)} {test_set.reader.unit}s that matter most:")
    for place in own[:DRAWN]:
        st.html(DRAWINGS[test_set.reader.name].draw(test_set.gold, outputs, place, view.metric))


def without_units(view: View, stats: Stats, said: str) -> None:
    """Gain and p without the units that pull most, and how few of them carry the result."""
    curve = evidence.gain_without(stats)
    most = min(int(curve["k"].iloc[-1]), stats.n_units - evidence.FEWEST_UNITS)
    if most < 1:
        st.info(f"There is no gain to lose, or there are too few {stats.unit}s.", icon=":material/info:")
        return
    choice.only_for("without", stats.digest)
    carried = cache.carried_by(stats, view.recipe, view.notion)
    k = int(choice.slider(f"{capital(stats.unit)}s left out, those with the largest pull", 0, most, "without"))
    left = cache.without(stats, view.recipe, k)
    components.facts(
        (f"{capital(stats.unit)}s left", f"{left.units:,}"),
        (capital(view.metric.gain), f"{left.gain:.{view.decimals + 1}f}"),
        ("p, one-sided", p_text(left.p_value, view.recipe.n_resamples)),
        ("p, two-sided", p_text(left.p_two_sided, view.recipe.n_resamples)),
        ("small-sample p", p_text(left.p_small_two_sided)),
    )
    if carried is not None:
        st.markdown(_carried(carried, stats, view.notion))
    chart = plots.without_figure(
        curve, k=k, carried=None if carried is None else carried.k, metric=view.metric, unit=stats.unit,
        signature=said, decimals=view.decimals,
    )  # fmt: skip
    components.figure(chart, "without_units", f"The gain without the {stats.unit}s that pull most")
    st.caption(
        f"This is no test: the {stats.unit}s were chosen after looking. It shows on how many of them the result rests. "
        "The mark is found by bisection, unadjusted; beyond it the line is dashed, where not every p was computed."
    )


def _carried(carried: evidence.Without, stats: Stats, notion: Notion) -> str:
    """How few units carry the result, in a sentence."""
    if carried.k == 0:
        return f"With all {count(stats.n_units, stats.unit)} the {notion.p} is not below {notion.level:g}."
    gone = "the gain is gone" if carried.gain <= 0 else f"the {notion.p} is no longer below {notion.level:g}"
    return f"**Without {count(carried.k, stats.unit)}** of {stats.n_units:,} ({share(carried.share)}), {gone}."
