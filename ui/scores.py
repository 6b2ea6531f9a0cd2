"""The Scores page's parts: all metrics, and the average over test sets."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.analysis import units_of
from nlpsig_core.counting import Counts
from nlpsig_core.macro import macro_average
from nlpsig_core.metrics import Family, metrics_for
from ui import cache, components
from ui.frame import View
from ui.text import plain


def ranking_figure(view: View, ranking: pd.DataFrame) -> None:
    """The ranking as a dot plot."""
    chart = plots.ranking_figure(
        ranking, metric=view.metric, signature=view.signed(**view.reading), decimals=view.decimals
    )
    components.figure(chart, "ranking", f"Ranking by {view.metric.label} with 95 % intervals")
    invalid = ranking[~ranking["valid"]]
    if len(invalid):
        names = ", ".join(f"{plain(row.system)} ({row.score:.{view.decimals}f})" for row in invalid.itertuples())
        st.caption(f"Outside of the figure: {names}.")


def macro(view: View) -> None:
    """The average over test sets, where there are several."""
    if len(view.task.test_sets) < 2:
        return
    st.subheader("Macro-average over test sets")
    domain = view.selection.domain
    test_sets = {n: t for n, t in view.task.test_sets.items() if not domain or domain in t.domains}
    where = f", each on the domain {plain(domain)}" if domain else ""
    st.caption(f"The plain mean of {len(test_sets)} test sets{where}; an invalid or missing output gets no credit.")
    family = view.metric.family
    counts = {name: cache.count(view.key, view.task, test_set, family) for name, test_set in test_sets.items()}
    units = {name: units_of(test_set, domain) for name, test_set in test_sets.items()}
    frame = macro_average(view.task.systems, counts, view.selection.metric, units)
    signature = view.selection.macro_signature(list(test_sets))
    number = st.column_config.NumberColumn(format=f"%.{view.decimals}f")
    st.dataframe(
        frame, hide_index=True, alt="Scores by test set and their mean",
        column_config={c: number for c in frame if c not in ("system", "group")},
    )  # fmt: skip
    components.downloads(frame, "macro", signature)


def all_metrics(view: View) -> None:
    """The scores of every metric of the edition; those of costly families when they are asked for."""
    reader = view.task.reader.name
    metrics = metrics_for(reader, view.edition)
    others = {label: m for label, m in metrics.items() if m.family != view.metric.family and m.family.costly}
    everything = not others or st.session_state.get("every_metric", False)
    if not everything:
        st.button(f"Count {', '.join(others)} as well", key="more_metrics", on_click=_every_metric)
        metrics = {label: metric for label, metric in metrics.items() if label not in others}

    def counted(family: Family) -> Counts:
        return cache.count(view.key, view.task, view.selection.test_set, family)

    frame = view.selection.all_metrics(metrics, counted)
    wide = frame.pivot(index="system", columns="metric", values="score")[list(dict.fromkeys(frame["metric"]))]
    order = [name for name in view.ranking["system"] if name in wide.index]
    wide = wide.loc[order].reset_index()
    number = st.column_config.NumberColumn(format=f"%.{view.decimals}f")
    st.dataframe(
        wide, hide_index=True, alt="Every metric of every system",
        column_config={c: number for c in wide if c != "system"},
    )  # fmt: skip
    components.downloads(wide, "metrics", view.signed(edition=view.edition))


def _every_metric() -> None:
    st.session_state["every_metric"] = True
