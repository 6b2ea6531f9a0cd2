"""The Scores page's parts: all metrics, and the average over test sets."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.macro import macro_average
from ui import cache, components
from ui.frame import View


def ranking_figure(view: View, ranking: pd.DataFrame) -> None:
    """The ranking as a dot plot."""
    chart = plots.ranking_figure(ranking, metric=view.metric, signature=view.signature)
    components.figure(chart, "ranking", f"Ranking by {view.metric} with 95 % intervals")


def macro(view: View) -> None:
    """The average over test sets, where there are several."""
    if len(view.task.test_sets) < 2:
        return
    st.subheader("Macro-average over test sets")
    st.caption("The plain mean of the test sets' scores; an invalid or missing output counts 0.")
    counts = {name: cache.count(view.key, view.task, test_set) for name, test_set in view.task.test_sets.items()}
    frame = macro_average(view.task.systems, counts, view.selection.metric)
    signature = f"{view.signature}|macro-average:{len(counts)} test sets"
    st.dataframe(
        frame, hide_index=True, alt="Scores by test set and their mean",
        column_config={c: st.column_config.NumberColumn(format="%.2f") for c in frame if c not in ("system", "group")},
    )  # fmt: skip
    components.downloads(frame, "macro", signature)


def all_metrics(view: View) -> None:
    """The scores of every metric of the edition."""
    frame = view.selection.all_metrics()
    wide = frame.pivot(index="system", columns="metric", values="f1")[list(dict.fromkeys(frame["metric"]))]
    order = [name for name in view.ranking["system"] if name in wide.index]
    wide = wide.loc[order].reset_index()
    st.dataframe(
        wide, hide_index=True, alt="Every metric of every system",
        column_config={c: st.column_config.NumberColumn(format="%.2f") for c in wide if c != "system"},
    )  # fmt: skip
    components.downloads(wide, "metrics", view.signature)
