"""The answers of one pair: confusions and gains by class, numbers against the gold, or what both solve."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import capital, count, share
from nlpsig_core.data.metrics import Metric
from nlpsig_core.data.metrics.base import f1
from nlpsig_core.output import plots
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.pair import answers, outcomes
from nlpsig_core.studies.pair.units import QUICK
from ui.app import components
from ui.app.text import plain
from ui.frame.view import View
from ui.work.memory import remember

# Metrics that compare ranks.
RANKED = ("Spearman", "Kendall")


def section(view: View, stats: Stats) -> None:
    """Draw what two systems answered, where the format is one of labels, numbers or outcomes."""
    draw = SECTIONS.get(view.first.test_set.reader.name)
    if draw is not None:
        draw(view, stats)


def _labels(view: View, stats: Stats) -> None:
    """Draw the confusions of both systems side by side, below the most frequent one of each."""
    st.header("Which labels do they confuse?")
    table, unit = remember(answers.confusion, view.first, stats.names), view.first.test_set.reader.unit
    st.markdown(" ".join(filter(None, (_most_confused(table, system, unit) for system in stats.names))))
    signature = view.signed_scores(pair=" over ".join(stats.names))
    for place, system, column in zip("ab", stats.names, st.columns(2, gap="medium"), strict=True):
        chart = remember(plots.confusion_figure, table, system=system, unit=unit, signature=signature)
        numbers = table[table["system"] == system].drop(columns="system")
        with column:
            components.figure(chart, f"confusion_{place}", numbers, heads={"items": f"{unit}s"})
    runs = " Runs of a system are added." if stats.several_runs else ""
    rare = f" {answers.OTHER}: the rarer labels together." if answers.OTHER in set(table["gold"]) else ""
    st.caption(
        "A row is a label of the gold. The darker a cell, the larger its share of the row; right answers are framed."
        f"{rare}{runs}"
    )
    _gains_by_label(view, stats)


def _most_confused(table: pd.DataFrame, system: str, unit: str) -> str:
    """Return a sentence on the most frequent wrong answer; "" if all are among rarer labels, shown together."""
    wrong = table[(table["system"] == system) & (table["gold"] != table["answer"]) & (table["items"] > 0)]
    wrong = wrong[~wrong[["gold", "answer"]].isin([answers.OTHER]).any(axis=1)]
    if wrong.empty:
        return "" if answers.OTHER in set(table["gold"]) else f"{plain(system)} is right on every {unit}."
    worst = wrong.loc[wrong["items"].idxmax()]
    answer, gold = (plain(worst[column]) for column in ("answer", "gold"))
    items = f"{count(int(worst['items']), unit)}, {share(worst['share'])} of that label"
    return f"{plain(system)} most often has **{answer}** where the gold has **{gold}**: {items}."


def _gains_by_label(view: View, stats: Stats) -> None:
    """Draw F1 of both systems and the gain on each label."""
    st.header("Which labels make the difference?")
    recipe = view.at_most(QUICK.n_resamples)
    table, (a, b) = remember(answers.gains_by_class, view.first, stats.names, recipe), stats.names
    unit, classes = view.first.test_set.reader.unit, len(view.first.test_set.classes)
    labels = count(len(table), "label") if len(table) == classes else f"the {len(table)} most frequent labels"
    better, clear = (table["gain"] > 0).sum(), ((table["gain_low"] > 0) | (table["gain_high"] < 0)).sum()
    st.markdown(
        f"{plain(a)} has the higher F1 on {better} of {labels}. The 95% interval of the gain "
        f"excludes 0 on {clear or 'none'}; each interval is for one label on its own."
    )
    signature = view.selection.signature(recipe, pair=f"{a} over {b}")
    scored: dict[str, Any] = {
        "metric": Metric(name="F1", what="F1 of a label", family=view.metric.family, columns=(), score=f1),
        "decimals": 2,
    }
    about = {"part": "label", "title": "label", "a": a, "b": b, "unit": unit, "signature": signature}
    chart = remember(plots.by_part_figure, table, **about, **scored)
    heads = {"part": "label", "units": f"{unit}s in the gold", "score_a": a, "score_b": b}
    components.figure(chart, "by_label", table, heads=heads, **scored)
    if few := [f"{row.part} ({row.units})" for row in table[table["note"] != ""].itertuples()]:
        st.caption(f"Too few {unit}s in the gold for a good interval: {plain(', '.join(few))}.")


def _numbers(view: View, stats: Stats) -> None:
    """Draw the numbers of both systems against the gold, with the items of the largest pull marked."""
    st.header("How do they follow the gold?")
    ranked, test_set = view.metric.label in RANKED, view.first.test_set
    table = remember(answers.numbers, view.first, stats, ranked=ranked)
    scores = [f"{plain(name)} {score:.{view.decimals}f}" for name, score in zip(stats.names, stats.scores, strict=True)]
    st.markdown(
        f"{plain(view.metric.axis)}: {' and '.join(scores)}. Diamonds are the {stats.unit}s with the largest pull on "
        "the gain, which the next table lists."
    )
    signature, two_values = view.signed_scores(pair=" over ".join(stats.names)), len(test_set.classes) == 2
    how = {"ranked": ranked, "two_values": two_values, "signature": signature}
    for column, name, place in zip("ab", stats.names, st.columns(2, gap="medium"), strict=True):
        numbers = table.rename(columns={column: "predicted"})[["text", "gold", "predicted", "marked"]]
        chart = remember(plots.numbers_figure, numbers, system=name, **how)
        with place:
            components.figure(chart, f"numbers_{column}", numbers, heads={"predicted": name})
    if len(table) < (total := sum(map(len, view.first.own_units))):
        drawn = f"{len(table):,} of the {total:,} {test_set.reader.unit}s are drawn"
        st.caption(f"{drawn}: evenly spaced ones and the diamonds.")


def _outcomes(view: View, stats: Stats) -> None:
    """Draw how many instances both, one or neither of two systems solve, and list them with their costs."""
    if not outcomes.are_outcomes(view.first, stats):
        return
    (a, b), unit = stats.names, stats.unit
    solved, whole = ("solved", 100) if stats.metric.scale == "%" else ("right", 1)
    st.header(f"Which {unit}s are {solved}?")
    table, signature = remember(outcomes.outcomes, view.first, stats), view.signed_scores(pair=f"{a} over {b}")
    counts = remember(outcomes.counts, table)
    who = {outcomes.ONLY_A: f"only {a}", outcomes.ONLY_B: f"only {b}"}
    left, right = st.columns([3, 4], gap="medium")
    with left:
        names = {"a": a, "b": b, "solved": solved, "unit": unit, "signature": signature}
        chart = remember(plots.solved_figure, counts, **names)
        components.figure(chart, "solved", counts.replace({"kind": who}), heads={"kind": solved})
    listed = table.sort_values("kind", key=lambda kind: kind.map(ORDER.index), kind="stable", ignore_index=True)
    heads = {"instance": unit, "kind": solved}
    heads |= {column: _of_system(column, stats.names) for column in table if column not in LABELS}
    shown, alt = listed.replace({"kind": who}), f"{unit}s by who has them {solved}"
    with right:
        components.table(shown, "instances", signature, alt, heads=heads, height=320)
        if not table[["a", "b"]].isin((0, whole)).all(axis=None):
            st.caption(
                f"{capital(unit)}s count as {solved} if at least half of the attempts are; the table has the shares."
            )


def _of_system(column: str, names: tuple[str, ...]) -> str:
    """Return the head of a column of one of two systems: a, or cost of b."""
    what, _, side = column.rpartition(" of ")
    name = dict(zip("ab", names, strict=True)).get(side, side)
    return f"{what} of {name}" if what else name


# Instances that only one system solves come first.
LABELS = ("instance", "domain", "kind")
ORDER = (outcomes.ONLY_A, outcomes.ONLY_B, outcomes.BOTH, outcomes.NEITHER)
SECTIONS = {"Labels": _labels, "Label sets": _gains_by_label, "Numbers": _numbers, "Evaluation logs": _outcomes}
