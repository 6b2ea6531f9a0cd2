"""Small parts that several pages use: a figure or a table with its downloads, facts in a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from nlpsig_core.plots import as_html
from nlpsig_core.report.export import csv_text, latex_text, without_zeros, zero_columns


def columns(decimals: int) -> dict[str, Any]:
    """How columns are called and shown, scores with that many decimals; a column that is not here is shown as it is."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    score, gain = f"%.{decimals}f", f"%.{decimals + 1}f"
    interval = "95 % bootstrap interval of the score"
    return {
        "system": text("system", pinned=True),
        "score": number(format=score),
        "low": number("from", format=score, help=interval),
        "high": number("to", format=score, help=interval),
        "rank_low": number("rank from", help="1 + number of systems that are significantly better"),
        "rank_high": number("rank to", help="number of systems not significantly worse"),
        "tied_group": number(
            "tied group",
            help="its systems are not significantly worse than its first, which the first of the group above beats; "
            "who is tied with whom is told by the ranks",
        ),
        "system_a": text("winner"),
        "system_b": text("over"),
        "score_a": number("score", format=score),
        "score_b": number("score of the other", format=score),
        "gain": number(format=gain, help="towards the better, always"),
        "gain_low": number("gain from", format=gain),
        "gain_high": number("gain to", format=gain),
        "p_value": number("p (one-sided)", format="%.6f", help="in favour of the winner; bootstrap: δ* > 2δ"),
        "p_two_sided": number("p (two-sided)", format="%.6f"),
        "p_small_one_sided": number("small-sample p (one-sided)", format="%.6f"),
        "p_small_two_sided": number(
            "small-sample p (two-sided)", format="%.6f", help="knows in how few units the two differ"
        ),
        "p_holm": number("p, Holm", format="%.6f", help="of the small-sample p over all pairs"),
        "p_bh": number("p, BH", format="%.6f", help="Benjamini-Hochberg, of the small-sample p over all pairs"),
        "p_by": number("p, BY", format="%.6f", help="Benjamini-Yekutieli, of the small-sample p over all pairs"),
        "p_decided": number("p that decides", format="%.6f", help="the p that the sidebar's notion holds to its level"),
        "significant": st.column_config.CheckboxColumn("significant"),
        "differing": number("units that differ", help="in which the two have different statistics"),
        "detectable_gain": number(
            "detectable gain", format=gain, help="true gain that comes out significant with a chance of 80 %"
        ),
        "p_error": number("Monte-Carlo error", format="%.6f"),
        "correlation": number(format="%.3f"),
        "pull": number(format=f"%.{decimals + 2}f", help="gain of all minus gain without this unit"),
        "standard_error": number("standard error", format=gain),
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


def pick(figure: str) -> Callable[[], None]:
    """What to do when a dot is clicked: keep its row until the pair is chosen by name, in the run that follows."""

    def keep() -> None:
        points = st.session_state[figure]["selection"]["points"]
        if points:
            row = points[0].get("customdata")
            st.session_state["picked_row"] = row[0] if isinstance(row, list) else row

    return keep


def table(frame: pd.DataFrame, key: str, signature: str, alt: str, decimals: int = 2, **options):
    """A table with its downloads."""
    known, shown = columns(decimals), frame
    for column in zero_columns(frame):
        shown = shown.assign(**{column: _as_text(without_zeros(frame)[column])})
        known[column] = st.column_config.TextColumn(
            known[column]["label"], help=known[column]["help"], alignment="right"
        )
    st.dataframe(
        shown, key=key, hide_index=True, alt=alt, column_config={c: known[c] for c in frame if c in known}, **options
    )
    downloads(frame, key, signature)


def _as_text(p: pd.Series) -> list[str]:
    """p-values in six decimals, which sort as numbers do; what is below all that resamples can show comes first."""
    return [f" {value}" if isinstance(value, str) else f"{value:.6f}" for value in p]


def downloads(frame: pd.DataFrame, key: str, signature: str) -> None:
    """A panel that takes a table away as CSV or LaTeX."""
    with st.popover(
        "Save table", icon=":material/download:", type="tertiary", key=f"{key}_save", on_change="rerun"
    ) as panel:
        if panel.open:
            st.download_button(
                "CSV", csv_text(frame, signature), f"nlpsig-{key}.csv", "text/csv", key=f"{key}_csv", on_click="ignore"
            )
            st.download_button(
                "LaTeX", latex_text(frame, signature), f"nlpsig-{key}.tex", "text/x-tex",
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
