"""What several pages draw: figures and tables with their downloads, facts in a row, signatures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import pandas as pd
import streamlit as st
from plotly.graph_objects import Figure

from nlpsig_core.base.glossary import GLOSSARY
from nlpsig_core.base.words import LEVEL, count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.limits import why
from nlpsig_core.output.report.export import THOUSANDS, csv_text, excel_bytes, latex_text, p_texts, without_bounds
from ui.app import choice, saving
from ui.app.columns import P_HEAD, TERMS, columns
from ui.app.pages import BY_TITLE
from ui.app.terms import explained
from ui.app.text import plain

# Where texts would be shown, but the task is a pack.
NO_TEXT = "This task contains scores only; open its files to see sentences and outputs."


def page_link(title: str, label: str = "", why_not: str = "") -> None:
    """Draw a link to the page of that title with its choices, by default under its title; dimmed if it has a reason."""
    page = BY_TITLE[title]
    st.page_link(
        page.script,
        label=label or title,
        icon=page.icon,
        query_params=choice.link_of(page),
        disabled=bool(why_not),
        help=why_not or None,
    )


def go(title: str, label: str, key: str, **choices: object) -> None:
    """Draw a button that opens the page of that title with some of its choices made."""
    page = BY_TITLE[title]
    if st.button(label, key=key, type="tertiary", icon=page.icon, **choice.by_click(**choices)):
        st.switch_page(page.script, query_params=choice.link_of(page))


def fold(
    title: str, draw: Callable[..., object], *drawn: Any, key: str, choices: Sequence[str] = (), icon: str | None = None
) -> None:
    """Fold what ``draw(*drawn)`` draws, computed only while it is open; a link with one of the ``choices`` opens it."""
    with st.expander(title, choice.made(*choices), key=key, icon=icon, on_change="rerun") as folded:
        if folded.open:
            draw(*drawn)


def figure(chart: Figure, key: str, numbers: pd.DataFrame | str, *, about: str = "", **options: Any) -> Any:
    """Show a figure with its sentence, downloads and table, and return what ``st.plotly_chart`` does.

    ``numbers`` are those of the figure, in a table that a switch shows, or the key of the table on the same page that
    has them. ``about`` tells how to read the figure, in a tooltip. ``options`` are
    those of ``table`` and of ``st.plotly_chart``.
    """
    of_table = {name: options.pop(name) for name in ("metric", "decimals", "heads") if name in options}
    alt, signature = (chart.layout.meta[part] for part in ("alt", "signature"))
    state = st.plotly_chart(
        chart,
        key=key,
        alt=alt,
        **options,
        config={
            "toImageButtonOptions": {"format": "png", "filename": saving.file_name(key), "scale": 3},
            "displaylogo": False,
            "displayModeBar": "hover",
            "modeBarButtonsToRemove": ["select2d", "lasso2d"],
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        saving.panel(chart, key)
        if about:
            st.caption("How to read it", help=about, width="content")
        if isinstance(numbers, str) or not st.toggle("Table", key=f"{key}_as_table"):
            return state
    table(numbers, f"{key}_numbers", signature, f"The numbers of the figure. {alt}", **of_table)
    return state


def table(
    frame: pd.DataFrame,
    key: str,
    signature: str,
    alt: str,
    *,
    decimals: int = 2,
    people: int = 2,
    metric: Metric | None = None,
    heads: Mapping[str, str] | None = None,
    **options: Any,
) -> None:
    """Draw a table with its downloads; heads name the ``metric``, and ``heads`` replace those of some columns.

    ``decimals`` are those of scores, and ``people`` those of scores by people.
    """
    known = columns(decimals, metric, people)
    for column, head in (heads or {}).items():
        usual = known.get(column, st.column_config.Column())
        width = usual["width"] if len(head) < P_HEAD else None
        known[column] = usual | {"label": head, "help": None, "width": width}
    texts = p_texts(frame, _level())
    visible = without_bounds(frame)
    for column in known.keys() & set(visible.select_dtypes("integer")):
        form = known[column].get("type_config") or {"type": "number"}
        known[column] = known[column] | {"type_config": form | {"format": form.get("format") or THOUSANDS}}
    shown = visible.assign(**{column: list(map(_sortable, of_column)) for column, of_column in texts.items()})
    config = {
        str(column): known.get(column) or st.column_config.Column(str(column).replace("_", " ")) for column in visible
    }
    st.dataframe(shown, key=key, hide_index=True, alt=alt, placeholder="–", column_config=config, **options)
    downloads(frame, key, signature, config, decimals)


def _level() -> float:
    return float(st.session_state.get("alpha", LEVEL))


def _sortable(p: str) -> str:
    """Return the text of a p-value so that texts sort like numbers: bounds such as "< 0.001" and 1.2e-30 come first."""
    return f" {p}" if p.startswith("<") or "e" in p else p


def downloads(
    frame: pd.DataFrame, key: str, signature: str, config: Mapping[str, Any] | None = None, decimals: int = 2
) -> None:
    """Draw a panel that saves a table, one that explains the columns of its ``config``, and its number of rows."""
    with st.container(horizontal=True, vertical_alignment="center"):
        panel = st.popover(
            "Save table", icon=":material/download:", type="tertiary", key=f"{key}_save", on_change="rerun"
        )
        _explain(config or {}, key)
        st.caption(count(len(frame), "row"))
    if panel.open:
        kinds = {name: of.get("type_config") or {} for name, of in (config or {}).items()}
        forms = {name: kind["format"] for name, kind in kinds.items() if kind.get("format")}
        for label, content, ending, kind in _saved_as(frame, signature, decimals, forms):
            panel.download_button(
                label,
                content,
                f"{saving.file_name(key)}.{ending}",
                kind,
                key=f"{key}_{ending}",
                on_click="ignore",
            )


def _saved_as(
    frame: pd.DataFrame, signature: str, decimals: int, forms: Mapping[str, str]
) -> list[tuple[str, str | bytes, str, str]]:
    """Return what a table is saved as: a label, the content, the ending of the file, and its type."""
    excel = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return [
        ("CSV", csv_text(frame, signature), "csv", "text/csv"),
        ("Excel", excel_bytes(frame, signature), "xlsx", excel),
        ("LaTeX", latex_text(frame, signature, decimals, forms, _level()), "tex", "text/x-tex"),
    ]


def _explain(config: Mapping[str, Any], key: str) -> None:
    """Draw a panel with the meaning of columns: the tooltips of heads close before a link in them can be clicked."""
    texts = [
        f"**{plain(options['label'] or column)}**: {_meaning(options['help'], TERMS.get(column))}"
        for column, options in config.items()
        if options["help"] or column in TERMS
    ]
    if not texts:
        return
    with st.popover("Terms", icon=":material/help:", type="tertiary", key=f"{key}_terms", on_change="rerun") as panel:
        if panel.open:
            st.markdown("\n\n".join(texts))


def _meaning(text: str | None, term: str | None) -> str:
    """Return the help text of a column, or else the meaning of its term, with a link to the term."""
    if term is None:
        return str(text)
    return explained(text or plain(GLOSSARY[term].meaning), term)


def facts(*pairs: tuple[str, int | str]) -> None:
    """Draw numbers with their names, side by side."""
    with st.container(horizontal=True, gap="medium"):
        for name, value in pairs:
            st.metric(name, value, width="content")


def refusal(message: str, reason: str) -> None:
    """Draw an error message and its reason; the reason is not read as Markdown, since it may quote names."""
    st.error(message, icon=":material/error:")
    st.text(reason)


def no_room(message: str, error: MemoryError) -> NoReturn:
    """End the page with an error message, since there is not enough memory for what follows."""
    refusal(message, why(error))
    st.stop()
