"""What several pages draw: figures and tables with their downloads, facts in a row, signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from nlpsig_core.plots import as_html
from nlpsig_core.report.export import csv_text, excel_bytes, latex_text, without_zeros, zero_columns
from nlpsig_core.words import count
from ui.app import choice
from ui.app.pages import BY_TITLE

# What a table is saved as: its content, the ending of the file, and its type.
SAVED_AS: dict[str, tuple[Callable[[pd.DataFrame, str], str | bytes], str, str]] = {
    "CSV": (csv_text, "csv", "text/csv"),
    "Excel": (excel_bytes, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "LaTeX": (latex_text, "tex", "text/x-tex"),
}


def columns(decimals: int) -> dict[str, Any]:
    """Headings, formats and help texts of table columns on screen; scores have that many decimals.

    Downloads keep the raw names. A column that is not listed is shown under its own name.
    """
    return _of_ranking(decimals) | _of_pairs(decimals) | _of_thresholds(decimals)


def _of_ranking(decimals: int) -> dict[str, Any]:
    """Columns of scores, intervals and ranks."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    score = f"%.{decimals}f"
    return {
        "system": text("system", pinned=True),
        "score": number(format=score),
        "over_baseline": number("gain over the baseline", format=f"%.{decimals + 1}f", help="below 0: behind it"),
        "verdict": text("verdict", help="against the baseline, adjusted for the pairs with it alone"),
        "low": number("from", format=score, help="lower end of the 95% interval"),
        "high": number("to", format=score, help="upper end of the 95% interval"),
        "rank_low": number("rank from", help="1 + number of significantly better systems"),
        "rank_high": number("rank to", help="number of systems that are not significantly worse"),
        "tied_group": number(
            "tied group",
            help="Systems that are not significantly worse than the first of their group. The rank ranges show which "
            "systems are tied with each other.",
        ),
    }


def _of_pairs(decimals: int) -> dict[str, Any]:
    """Columns of pairs, tests and units."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    score, gain, p = f"%.{decimals}f", f"%.{decimals + 1}f", "%.6f"
    adjusted = "of the small-sample p over all pairs"
    return {
        "system_a": text("winner"),
        "answer": text("verdict", help="whether the gain is significant, as the sidebar defines it"),
        "system_b": text("loser"),
        "score_a": number("score of the winner", format=score),
        "score_b": number("score of the loser", format=score),
        "gain": number(format=gain, help="in the metric's better direction"),
        "gain_low": number("gain from", format=gain, help="lower end of the 95% interval"),
        "gain_high": number("gain to", format=gain, help="upper end of the 95% interval"),
        "p_value": number("p (one-sided)", format=p, help="in favour of the winner; bootstrap: δ* > 2δ"),
        "p_two_sided": number("p (two-sided)", format=p),
        "p_small_one_sided": number("small-sample p (one-sided)", format=p),
        "p_small_two_sided": number(
            "small-sample p (two-sided)", format=p, help="accounts for the number of units in which the two differ"
        ),
        "p_holm": number("p (Holm)", format=p, help=adjusted),
        "p_bh": number("p (BH)", format=p, help=f"Benjamini-Hochberg, {adjusted}"),
        "p_by": number("p (BY)", format=p, help=f"Benjamini-Yekutieli, {adjusted}"),
        "p_decided": number("deciding p", format=p, help="the p-value that is compared with the level"),
        "p_error": number("Monte Carlo error", format=p),
        "significant": st.column_config.CheckboxColumn("significant"),
        "differing": number("units that differ", help="units in which the two have different statistics"),
        "detectable_gain": number(
            "detectable gain", format=gain, help="true gain that is significant with a probability of 80%"
        ),
        "correlation": number(format="%.3f", help="of the two systems' resampled scores"),
        "standard_error": number("standard error", format=gain),
        "pull": number(format=f"%.{decimals + 2}f", help="gain on all units minus gain without this unit"),
    }


def _of_thresholds(decimals: int) -> dict[str, Any]:
    """Columns of thresholds, calibration and the rules of the Learn page."""
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    score, p = f"%.{decimals}f", "%.6f"
    return {
        "size": number("units"),
        "draw": number("draw"),
        "pairs": number("pairs"),
        "threshold": number("threshold (window)", format=score, help="percentile of the gains of borderline pairs"),
        "pairs_in_window": number("pairs in window"),
        "precision": number("precision (window)", format="percent", help="larger gains that are significant"),
        "recall": number("recall (window)", format="percent", help="significant gains that are larger"),
        "reason": text("reason"),
        "model_threshold": number("threshold (model)", format=score, help="percentile of the gains that pairs need"),
        "model_low": number("model from", format=score, help="lower end of the interval of the model threshold"),
        "model_high": number("model to", format=score, help="upper end of the interval of the model threshold"),
        "model_pairs": number("pairs in model"),
        "model_precision": number("precision (model)", format="percent", help="larger gains that are significant"),
        "model_recall": number("recall (model)", format="percent", help="significant gains that are larger"),
        "model_reason": text("reason (model)"),
        "other": text("other domain", pinned=True),
        "p_low": number("p from", format="%.4g"),
        "p_high": number("p to", format="%.4g"),
        "agree": number("winners that win again", help="ties count as half"),
        "nominal": number("expected share", format="%.3f", help="1 − p in the middle of the bin"),
        "share": number("share", format="%.3f"),
        "one_sided": number("p (one-sided)", format=p),
        "two_sided": number("p (two-sided)", format=p),
        "n_resamples": number("resamples"),
        "why": text("explanation"),
    }


def page_link(title: str, label: str = "") -> None:
    """A link to the page of that title with its choices, by default under its title."""
    page = BY_TITLE[title]
    st.page_link(page.script, label=label or title, icon=page.icon, query_params=choice.link_of(page))


def figure(chart: go.Figure, key: str, alt: str, **options: Any) -> Any:
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


def table(
    frame: pd.DataFrame,
    key: str,
    signature: str,
    alt: str,
    *,
    decimals: int = 2,
    scores: tuple[str, str] | None = None,
    **options: Any,
) -> None:
    """A table with its downloads; ``scores`` are the headings of the scores of two systems."""
    known, shown = columns(decimals), frame
    for column, heading in zip(("score_a", "score_b"), scores or (), strict=False):
        known[column] = known[column] | {"label": heading}
    for column in zero_columns(frame):
        shown = shown.assign(**{column: _as_text(without_zeros(frame)[column])})
        known[column] = st.column_config.TextColumn(
            known[column]["label"], help=known[column]["help"], alignment="right"
        )
    st.dataframe(
        shown, key=key, hide_index=True, alt=alt, placeholder="–",
        column_config={column: known[column] for column in frame if column in known}, **options,
    )  # fmt: skip
    downloads(frame, key, signature)


def _as_text(p: pd.Series) -> list[str]:
    """p-values with six decimals as text that sorts like numbers; a bound such as "< 1e-06" sorts first."""
    return [f" {value}" if isinstance(value, str) else f"{value:.6f}" for value in p]


def downloads(frame: pd.DataFrame, key: str, signature: str) -> None:
    """The number of rows of a table, and a panel that saves it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        panel = st.popover(
            "Save table", icon=":material/download:", type="tertiary", key=f"{key}_save", on_change="rerun"
        )
        st.caption(count(len(frame), "row"))
    if panel.open:
        for label, (content, ending, kind) in SAVED_AS.items():
            panel.download_button(
                label, content(frame, signature), f"nlpsig-{key}.{ending}", kind, key=f"{key}_{ending}",
                on_click="ignore",
            )  # fmt: skip


def facts(*pairs: tuple[str, int | str]) -> None:
    """Numbers with their names, side by side."""
    with st.container(horizontal=True, gap="medium"):
        for name, value in pairs:
            st.metric(name, value, width="content")


def refusal(message: str, reason: str) -> None:
    """An error message and its reason; the reason is not read as Markdown, since it may quote names."""
    st.error(message, icon=":material/error:")
    st.text(reason)


def signature(text: str) -> None:
    """The signature of the page's numbers, ready to copy."""
    st.code(text, language=None, wrap_lines=True)
