"""The source of one pair's difference: units won and lost, scores by length and domain, the most influential units."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.base.words import capital, count, p_text, plural, share
from nlpsig_core.data.drawings import drawing_for, lengths_on
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.notion import CORRECTED, Notion
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.studies.pair import units as evidence
from nlpsig_core.studies.pair.without import Without, gain_without
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.work import computations
from ui.work.memory import remember
from ui.work.watching import watch

# At most so many of a document's own units are drawn.
DRAWN = 5
# At most so many answers of a system to a question are drawn.
ANSWERS = 4
LENGTH, DOMAIN = "length", "domain"


def won_and_lost(view: View, stats: Stats, signature: str) -> None:
    """Draw the number of units that each system wins, and by how much."""
    bins, (a, b) = remember(evidence.histogram, remember(evidence.unit_gains, stats)), stats.names
    chart = remember(plots.unit_gains_figure, bins, a=a, b=b, unit=stats.unit, signature=signature, **view.scored)
    better = {evidence.WINS: f"{a} better", evidence.LOSSES: f"{b} better", evidence.TIES: "tie"}
    label, gain = view.metric.label, view.metric.gain_word
    heads = {"low": f"{gain} from ({label})", "high": f"{gain} to ({label})", "units": f"{stats.unit}s"}
    numbers = bins.assign(outcome=bins["outcome"].map(better))
    components.figure(chart, "unit_gains", numbers, heads=heads)
    outcomes = remember(evidence.wins_losses_ties, stats)
    won, lost, tied = (f"{n:,} ({share(n / stats.n_units)})" for n in outcomes.values())
    are_ties = (
        f"{tied} {plural(outcomes[evidence.TIES], 'is a tie', 'are ties')}" if outcomes[evidence.TIES] else "no ties"
    )
    runs = " Every score is the mean over a system's runs." if stats.several_runs else ""
    st.caption(
        f"{plain(a)} is better on {won} of the {stats.unit}s, {plain(b)} on {lost}; {are_ties}. {_scored(stats)}{runs}"
    )


def _scored(stats: Stats) -> str:
    """Return a sentence on the score of a unit."""
    if stats.metric.by_unit:
        return f"Each {stats.unit} is scored alone."
    label = plain(stats.metric.label)
    return f"A single {stats.unit} has no {label}; what counts is its influence on the {label} of all {stats.unit}s."


def by_part(view: View, stats: Stats) -> None:
    """Draw both systems' scores by length or by domain of the units."""
    first = view.first
    drawing = drawing_for(first.test_set.reader.name)
    lengths = lengths_on(first.test_set)
    kinds = [LENGTH] * bool(drawing.length_of and lengths.any()) + [DOMAIN] * (len(first.test_set.domains) > 0)
    if not kinds:
        st.info(f"The {stats.unit}s have neither lengths nor domains.", icon=":material/info:")
        return
    recipe = view.at_most(evidence.QUICK.n_resamples)
    signature = view.selection.signature(recipe, pair=" over ".join(stats.names))
    kind = choice.segments("By", kinds, "part_by") if len(kinds) > 1 else kinds[0]
    title = DOMAIN if kind == DOMAIN else f"{drawing.length_of} per {stats.unit}"
    table = remember(_by_domain if kind == DOMAIN else _by_length, first, stats, recipe)
    chart = remember(
        plots.by_part_figure,
        table,
        unit=stats.unit,
        part=kind,
        title=title,
        a=stats.names[0],
        b=stats.names[1],
        signature=signature,
        **view.scored,
    )
    heads = {"part": kind, "units": f"{stats.unit}s", "score_a": stats.names[0], "score_b": stats.names[1]}
    components.figure(chart, "by_part", table, **view.scored, heads=heads)
    if few := [f"{row.part} ({row.units})" for row in table[table["note"] != ""].itertuples()]:
        st.caption(f"Too few {stats.unit}s for a good interval: {plain(', '.join(few))}.")
    if table["units"].sum() > stats.n_units:
        st.caption(f"A {stats.unit} with several domains counts in each, with its {first.test_set.reader.unit}s there.")


def _by_domain(one: SelectedTestSet, stats: Stats, recipe: Resampling) -> pd.DataFrame:
    names = sorted(set(one.test_set.domains[one.complete].tolist()))
    parts = {name: replace(one, domain=name, unit=one.resampled).stats for name in names}
    return evidence.by_part({name: part.named(stats.names) for name, part in parts.items()}, recipe)


def _by_length(one: SelectedTestSet, stats: Stats, recipe: Resampling) -> pd.DataFrame:
    lengths = lengths_on(one.test_set)
    return evidence.by_length(stats, [lengths[own].sum() for own in one.own_units], recipe=recipe)


def units_that_matter(view: View, stats: Stats, signature: str) -> None:
    """Draw the units by their pull on the gain, in either direction, and the outputs for one of them side by side."""
    first = view.first
    table = remember(_listed, first, remember(evidence.unit_gains, stats))
    packed = first.test_set.packed is not None
    st.caption(
        f"Pull: how much the {view.metric.gain_word} shrinks without this {stats.unit}; below 0, it grows."
        + ("" if packed else " Select a row to open it.")
    )
    components.table(
        table,
        "units",
        signature,
        f"The {stats.unit}s by their pull on the {view.metric.gain_word}",
        **view.scored,
        height=320,
        heads={
            ("name" if "name" in table else "number"): stats.unit,
            "score_a": stats.names[0],
            "score_b": stats.names[1],
        },
        **({} if packed else choice.by_row("units", table[["number"]].set_axis(["unit_at"], axis=1))),
    )
    if packed:
        st.info(components.NO_TEXT, icon=":material/inventory_2:")
        return
    choice.only_for("unit_at", stats.digest)
    number = choice.number(
        f"{capital(stats.unit)} to open", 1, stats.n_units, "unit_at", usual=int(table["number"].iloc[0]), step=1
    )
    _side_by_side(view, stats, int(number) - 1)


def _listed(one: SelectedTestSet, gains: pd.DataFrame) -> pd.DataFrame:
    """Return the units with number, domain and text (unless it is the name), the largest pull first."""
    table, names = gains.assign(number=gains["unit"] + 1), evidence.unit_names(one)
    table = table.assign(name=names) if names else table
    if one.test_set.packed is None:
        text, gold = drawing_for(one.test_set.reader.name).text, one.test_set.gold
        texts = [text(gold, own[0]) for own in one.own_units]
        table = table if texts == names else table.assign(text=texts)
    if len(domains := one.test_set.domains):
        table["domain"] = [", ".join(sorted(set(domains[own]))) for own in one.own_units]
    order = table["pull"].abs().sort_values(ascending=False, kind="stable").index
    scores = ["gain", "score_a", "score_b"] * one.metric.by_unit
    shown = [
        "number",
        *["name"] * bool(names),
        "pull",
        *scores,
        *(head for head in ("domain", "text") if head in table),
    ]
    return table.loc[order, shown].reset_index(drop=True)


def _side_by_side(view: View, stats: Stats, unit: int) -> None:
    """Draw the gold and both outputs for a unit; for a document, those for its most influential own units."""
    first = view.first
    test_set, own = first.test_set, first.own_units[unit].tolist()
    outputs = _outputs(view, stats.names)
    if stats.several_runs and not test_set.reader.logs:
        st.caption("Only the first run of each system is drawn.")
    if len(own) > 1:
        alone = replace(first, unit=test_set.reader.unit, subset=None)
        pair = alone.stats.named(stats.names)
        pulls = dict(zip(np.concatenate(alone.own_units), evidence.unit_gains(pair)["pull"].abs(), strict=True))
        own = sorted(own, key=lambda index: -pulls[index])
        if len(own) > DRAWN:
            name = f"{stats.unit} {evidence.unit_names(first)[unit]}"
            st.caption(f"The {DRAWN} most influential of the {len(own)} {test_set.reader.unit}s of {plain(name)}:")
    for index in own[:DRAWN]:
        st.html(drawing_for(test_set.reader.name).draw(test_set.gold, outputs, index, view.metric))


def _outputs(view: View, systems: tuple[str, ...]) -> dict[str, Any]:
    """Return the outputs of some systems as the reader represents them (of the first run); None if missing or invalid.

    Of repeated answers to the same questions, those of the first ANSWERS runs.
    """
    rows, first = view.selection.systems, view.first
    files = dict(zip(rows["system"], rows["file"], strict=True))
    shown = {system: files[system] for system in systems}
    if first.test_set.reader.logs:
        names, labels = first.task.names, first.task.labels
        of_each = ([file for file in first.outputs if names[file] == system][:ANSWERS] for system in systems)
        shown = {labels[file]: file for of_system in of_each for file in of_system}
    return {
        name: None if file in first.invalid_files else watch(computations.output(view.key, first.test_set, file))
        for name, file in shown.items()
    }


def without_units(view: View, row: pd.Series, stats: Stats, signature: str) -> None:
    """Draw the gain and p without the units of the largest pull, and how few of them carry the result of a row."""
    curve = remember(gain_without, stats)
    most = min(int(curve["k"].iloc[-1]), stats.n_units - evidence.FEWEST_UNITS)
    if most < 1:
        st.info(f"There is no {stats.metric.gain_word}, or there are too few {stats.unit}s.", icon=":material/info:")
        return
    choice.only_for("without", stats.digest)
    notion = view.of_pair(row)
    carried = watch(computations.carried_by(stats, view.recipe, notion))
    k = int(choice.slider(f"{capital(stats.unit)}s left out, in order of pull", 0, most, "without"))
    left = watch(computations.without(stats, view.recipe, k, notion)) if k else None
    n, gain, p, bound = (
        (stats.n_units, row["gain"], row["p_alone"], row["p_alone_bound"])
        if left is None
        else (left.units, left.gain, left.p, left.p_bound)
    )
    components.facts(
        (f"{capital(stats.unit)}s left", f"{n:,}"),
        (capital(view.metric.gain), f"{gain:.{view.decimals}f}"),
        (
            "p of the pair on its own" if view.notion.scope == CORRECTED else "p",
            p_text(p, bound=bound, level=view.notion.level),
        ),
    )
    if carried is not None:
        st.markdown(_carried(carried, stats, notion))
    of_carried = None if carried is None else carried.k
    chart = remember(
        plots.without_figure, curve, k=k, carried=of_carried, unit=stats.unit, signature=signature, **view.scored
    )
    heads = {"k": f"{stats.unit}s left out"}
    components.figure(chart, "without_units", curve, heads=heads, **view.scored)
    st.caption(f"This shows how few {stats.unit}s decide the result. It is no test: they are chosen by their scores.")


def _carried(carried: Without, stats: Stats, notion: Notion) -> str:
    """Return a sentence on how few units carry the result, by what decides on the pair alone (``View.of_pair``)."""
    p, limit = f"the {notion.p}", f"{notion.level:g}"
    if notion.scope == CORRECTED:
        p, limit = f"{p} of the pair on its own", f"{notion.level:.2g}, the cutoff of the corrected p"
    if carried.k == 0:
        return f"With all {count(stats.n_units, stats.unit)} {p} is not below {limit}."
    gone = f"there is no {stats.metric.gain_word}" if carried.gain <= 0 else f"{p} is no longer below {limit}"
    return f"**Without {count(carried.k, stats.unit)}** of {stats.n_units:,} ({share(carried.share)}), {gone}."
