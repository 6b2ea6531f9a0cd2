"""Saving a figure for a paper: as SVG, PDF or PNG at the width of a column, and its caption."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import streamlit as st
from plotly.graph_objects import Figure

from nlpsig_core.base.words import file_stem
from nlpsig_core.output.plots import as_html
from nlpsig_core.output.plots.style.embedded import COLUMN, PAGE, paper_layout
from ui.app.client import CLIENT, component
from ui.app.copying import copyable

# A subset of Roboto (Apache License 2.0, roboto.license.txt): Latin and Greek letters, numbers, signs.
FONT = b64encode((CLIENT / "roboto.woff2").read_bytes()).decode()
WIDTHS = {f"{COLUMN} in (column)": COLUMN, f"{PAGE} in (page)": PAGE}
PDF_HELP = "Opens the browser's print dialog, with a page of the figure's size: choose to save as PDF."

_mount = component(
    "save_figure",
    f"""<div class="kinds"><button data-kind="svg">SVG</button>
    <button data-kind="pdf" title="{PDF_HELP}">PDF</button><button data-kind="png">PNG</button></div>""",
)


def file_name(key: str) -> str:
    """Return the name, without an ending, of the file of what a page draws under ``key``, with that of the task."""
    # A folder comes before "//" and its gold. Pages that fold the task away ask a question of their own.
    folder, asks = str(st.session_state.get("task", "")).partition("//")[0], st.session_state["page"].folded
    task = [file_stem(Path(folder).name)] if folder and not asks else []
    return "-".join(["nlpsig", *task, key.replace("_", "-")])


def panel(chart: Figure, key: str) -> None:
    """Show the panel that saves the figure that the page draws under ``key``; its sentence becomes its caption."""
    with st.popover(
        "Save figure", icon=":material/download:", type="tertiary", key=f"{key}_save", on_change="rerun"
    ) as of:
        if of.open:
            _choices(chart, key)


def _choices(chart: Figure, key: str) -> None:
    names = list(WIDTHS)
    width = st.segmented_control("Width", names, default=names[0], required=True, key=f"{key}_width")
    alt, signature = (chart.layout.meta[part] for part in ("alt", "signature"))
    inches, name = WIDTHS[width], file_name(key)
    _mount(
        key=f"{key}_kinds",
        data={
            "figure": key,
            "layout": paper_layout(chart, inches),
            "inches": inches,
            "name": name,
            "font": FONT,
            "title": alt,
            "signature": signature,
        },
    )
    st.caption("Caption")
    copyable(f"{alt} ({signature})")
    st.download_button(
        "HTML, interactive, works offline",
        as_html(chart),
        f"{name}.html",
        "text/html",
        key=f"{key}_html",
        on_click="ignore",
    )
