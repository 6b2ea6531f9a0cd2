"""What all figures share: colours and symbols that hold on light and dark, texts, and the signature."""

from __future__ import annotations

import html
import textwrap

import plotly.graph_objects as go

from nlpsig_core.comparison.classes import COMBINATION, DIFFERENT, DIFFERENT_MODELS, INVALID, MIXED, SAME, SAME_MODEL

# Okabe and Ito's colours that reach a contrast of 3:1 on white and on dark; symbols differ as well.
STYLES = {
    DIFFERENT: ("#0072B2", "circle"),
    SAME: ("#D55E00", "diamond"),
    DIFFERENT_MODELS: ("#7B61C9", "hexagon"),
    SAME_MODEL: ("#B07D12", "diamond-tall"),
    COMBINATION: ("#009E73", "square"),
    MIXED: ("#B65C92", "triangle-up"),
    INVALID: ("#8A8A8A", "x"),
}
NEUTRAL = "#8A8F98"
ACCENT = "#D55E00"
FAINT = "rgba(128,128,128,0.16)"
LABEL_SIZE = 11
# The height of the buttons of a figure with what stands below them.
BUTTONS = 84
# As many characters as a phone's width shows in small print.
SIGNATURE_WIDTH = 66


def finish(figure: go.Figure, signature: str, height: int, **layout: object) -> go.Figure:
    """The figure with the common layout and its signature below the axis."""
    lines = textwrap.wrap(html.escape(signature.replace("|", " | ")), SIGNATURE_WIDTH)
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 52, "b": 60 + 12 * len(lines)},
        # The lower right of the figures is empty: a large gain with little confidence does not occur.
        legend={"x": 1, "xanchor": "right", "y": 0.4, "yanchor": "middle", "title": None, "bgcolor": "rgba(0,0,0,0)"},
        hoverlabel={"align": "left"},
        hovermode="closest",
        dragmode="zoom",
        **layout,
    )
    figure.add_annotation(
        text="<br>".join(lines).replace(" | ", "|"),
        x=0, y=0, yshift=-54, xref="paper", yref="paper", xanchor="left", yanchor="top", align="left",
        showarrow=False, font={"size": 9, "color": NEUTRAL},
    )  # fmt: skip
    return figure


# A legend above the data.
ABOVE = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}


def legend_above(figure: go.Figure, y: float = 1.02) -> go.Figure:
    """The figure with its legend above the data, where no width makes it cover any, below the buttons.

    ``y`` is that of its lower edge, 1 for the top of the axes; more of them have room for several rows.
    """
    entries = sum(trace.showlegend is not False for trace in figure.data)
    return figure.update_layout(legend=ABOVE | {"y": y}, margin={"t": BUTTONS + 8 * entries})


# Plotly's own button sends a figure to its servers.
OFFLINE = {"showSendToCloud": False, "plotlyServerURL": "", "displaylogo": False}


def as_html(figure: go.Figure, title: str) -> str:
    """One self-contained page with the interactive figure; it needs no network."""
    alone = go.Figure(figure).update_layout(template="plotly_white", title={"text": html.escape(title)})
    alone.update_layout(margin={"t": max(90, figure.layout.margin.t)})
    return alone.to_html(include_plotlyjs=True, full_html=True, default_width="100%", config=OFFLINE)


def plain(name: str) -> str:
    """A name that plotly shows as it is."""
    return name.replace("&", "&amp;").replace("<", "&lt;")


def short_name(name: str, length: int = 30) -> str:
    """A name that fits an axis: its middle left out where it is longer than ``length``."""
    return name if len(name) <= length else f"{name[: length - 9]}…{name[-8:]}"
