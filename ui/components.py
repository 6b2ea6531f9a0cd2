"""Small parts that several pages use: a figure or a table with its downloads, facts in a row."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from nlpsig_core.export import csv_text, latex_text
from nlpsig_core.plots import as_html

# How columns are called and shown; a column that is not here is shown as it is.
COLUMNS = {
    "system": st.column_config.TextColumn("system", pinned=True),
    "score": st.column_config.NumberColumn(format="%.2f"),
    "low": st.column_config.NumberColumn("from", format="%.2f", help="95 % bootstrap interval of the score"),
    "high": st.column_config.NumberColumn("to", format="%.2f", help="95 % bootstrap interval of the score"),
    "rank_low": st.column_config.NumberColumn("rank from", help="1 + number of systems that are significantly better"),
    "rank_high": st.column_config.NumberColumn("rank to", help="number of systems not significantly worse"),
    "tied_group": st.column_config.NumberColumn("tied group", help="systems that no cut separates"),
    "system_a": st.column_config.TextColumn("winner"),
    "system_b": st.column_config.TextColumn("over"),
    "score_a": st.column_config.NumberColumn("score", format="%.2f"),
    "score_b": st.column_config.NumberColumn("score of the other", format="%.2f"),
    "gain": st.column_config.NumberColumn(format="%.3f"),
    "gain_low": st.column_config.NumberColumn("gain from", format="%.3f"),
    "gain_high": st.column_config.NumberColumn("gain to", format="%.3f"),
    "p_value": st.column_config.NumberColumn("p (one-sided)", format="%.6f", help="share with delta* > 2 delta"),
    "p_two_sided": st.column_config.NumberColumn("p (two-sided)", format="%.6f"),
    "p_holm": st.column_config.NumberColumn("p, Holm", format="%.6f"),
    "p_bh": st.column_config.NumberColumn("p, BH", format="%.6f"),
    "p_error": st.column_config.NumberColumn("Monte-Carlo error", format="%.6f"),
    "correlation": st.column_config.NumberColumn(format="%.3f"),
    "standard_error": st.column_config.NumberColumn("standard error", format="%.3f"),
}


def figure(chart: go.Figure, key: str, alt: str, **options) -> object:
    """A figure with its downloads; returns what ``st.plotly_chart`` does."""
    kind = st.session_state.get(f"{key}_format", "SVG")
    state = st.plotly_chart(
        chart, key=key, alt=alt, **options,
        config={
            "toImageButtonOptions": {"format": kind.lower(), "filename": f"nlpsig-{key}", "scale": 3},
            "displaylogo": False, "displayModeBar": True, "modeBarButtonsToRemove": ["select2d", "lasso2d"],
        },
    )  # fmt: skip
    with st.popover(
        "Save figure", icon=":material/download:", type="tertiary", key=f"{key}_save", on_change="rerun"
    ) as panel:
        if panel.open:
            st.segmented_control(
                "The camera above the figure saves", ["SVG", "PNG"], default="SVG", required=True, key=f"{key}_format"
            )
            st.download_button(
                "HTML, interactive, works offline", as_html(chart, alt), f"nlpsig-{key}.html", "text/html",
                key=f"{key}_html", on_click="ignore",
            )  # fmt: skip
    return state


def table(frame: pd.DataFrame, key: str, signature: str, alt: str, columns: list[str] | None = None, **options):
    """A table with its downloads; all columns of the frame are downloaded, ``columns`` are shown."""
    shown = list(columns or frame)
    st.dataframe(
        frame, key=key, hide_index=True, column_order=shown, alt=alt,
        column_config={c: COLUMNS[c] for c in shown if c in COLUMNS}, **options,
    )  # fmt: skip
    downloads(frame, key, signature, shown)


def downloads(frame: pd.DataFrame, key: str, signature: str, shown: list[str] | None = None) -> None:
    """A panel that takes a table away: all of it as CSV, the shown columns as LaTeX."""
    with st.popover(
        "Save table", icon=":material/download:", type="tertiary", key=f"{key}_save", on_change="rerun"
    ) as panel:
        if panel.open:
            st.download_button(
                "CSV", csv_text(frame, signature), f"nlpsig-{key}.csv", "text/csv", key=f"{key}_csv", on_click="ignore"
            )
            st.download_button(
                "LaTeX", latex_text(frame[shown or list(frame)], signature), f"nlpsig-{key}.tex", "text/x-tex",
                key=f"{key}_tex", on_click="ignore",
            )  # fmt: skip


def facts(*pairs: tuple[str, int | str]) -> None:
    """Figures with their names, side by side."""
    with st.container(horizontal=True, gap="medium"):
        for name, value in pairs:
            st.metric(name, value, width="content")


def refusal(what: str, reason: str) -> None:
    """What cannot be done and why; the reason is shown as it is, since it may quote names."""
    st.error(what, icon=":material/error:")
    st.text(reason)


def signature(text: str) -> None:
    """The line that says how the numbers were made, to be copied."""
    st.code(text, language=None, wrap_lines=True)
