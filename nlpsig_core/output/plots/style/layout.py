"""What all figures share besides colours: margins, legend, notes, axes, error bars, and panels side by side."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.output.plots.style.texts import plain, template
from nlpsig_core.output.plots.style.theme import NEUTRAL, OPAQUE, PALE_BLUE

LABEL_SIZE = 11
# The height of the buttons of a figure with what is below them.
BUTTONS = 44
# The heights of the buttons alone and of an entry of a legend; the length of a name that leaves room for another one.
TOOLS, ENTRY, SHORT = 34, 20, 20
# A legend above the data.
ABOVE = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "tracegroupgap": 0}
# Panels in a row, and the height of one.
COLUMNS, HEIGHT = 3, 250
# The characters that have room below the first of them on a phone, and the height of a line of an axis' title.
NARROW, LINE = 24, 16
Cell = dict[str, int]


def finish(figure: go.Figure, height: int, *, alt: str, signature: str, **layout: Any) -> go.Figure:
    """Return the figure with the common layout; its metadata are a sentence with its numbers, and its signature."""
    return figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 40, "b": 54},
        # The lower right of the figures is empty: a large gain with little confidence does not occur.
        legend={"x": 1, "xanchor": "right", "y": 0.05, "yanchor": "bottom", "title": None, "bgcolor": "rgba(0,0,0,0)"},
        hoverlabel={"align": "left"},
        hovermode="closest",
        dragmode="zoom",
        meta={"alt": alt, "signature": signature},
        **layout,
    )


def axis(title: str, **more: Any) -> dict[str, Any]:
    """Return a titled axis without a line at 0, with numbers as tables have them: 0.00001, not 10μ."""
    return {"title": {"text": title}, "zeroline": False, "exponentformat": "none", "separatethousands": True, **more}


def legend_above(figure: go.Figure, y: float = 1.02) -> go.Figure:
    """Return the figure with its legend above the data and below the buttons, where it covers nothing at any width.

    ``y`` is the lower edge of the legend, 1 for the top of the axes; the margin leaves room for several rows. A single
    entry distinguishes nothing and is not shown.
    """
    entries = sum(trace.showlegend is not False for trace in figure.data)
    if entries < 2:
        return figure.update_layout(showlegend=False)
    return figure.update_layout(legend=ABOVE | {"y": y}, margin={"t": BUTTONS + 15 * entries})


def legend_on_top(figure: go.Figure) -> go.Figure:
    """Return the figure with its legend below the buttons and above all names and titles, taller by its rows."""
    names = [trace.name for trace in figure.data if trace.showlegend is not False]
    # Two entries with short names fit beside each other on a phone.
    beside = 2 if max(map(len, names), default=0) <= SHORT else 1
    room = ENTRY * -(-len(names) // beside)
    height, top = figure.layout.height + room, figure.layout.margin.t + room
    legend = ABOVE | {"y": 1 - TOOLS / height, "yref": "container", "yanchor": "top"}
    return figure.update_layout(legend=legend, height=height, margin={"t": top})


def legend_below(figure: go.Figure) -> go.Figure:
    """Return the figure with its legend below the axis, taller by its rows: long names would cover data on a phone."""
    room = ENTRY * sum(trace.showlegend is not False for trace in figure.data)
    legend = {"orientation": "h", "x": 0, "xanchor": "left", "y": 0, "yref": "container", "yanchor": "bottom"}
    height, below = figure.layout.height + room, figure.layout.margin.b + room
    return figure.update_layout(legend=legend, height=height, margin={"b": below})


def note(figure: go.Figure, text: str, *, size: int = LABEL_SIZE, colour: str = "", **position: object) -> None:
    """Add a text without an arrow; ``position`` are further attributes of plotly's annotation."""
    font = {"size": size} | ({"color": colour} if colour else {})
    figure.add_annotation(text=text, showarrow=False, font=font, **position)


def add_dots(
    figure: go.Figure, x: Any, y: Any, marker: dict[str, Any], hover: Sequence[str] | str | None, **more: Any
) -> None:
    """Add a mark at each place; ``hover`` is the text of each, or a template for all. Without one, none shows."""
    # Dots of several sizes are pale unless their opacity is given.
    figure.add_scatter(x=x, y=y, mode="markers", marker={"opacity": OPAQUE} | marker, **_hover(hover), **more)


def add_line(
    figure: go.Figure, x: Any, y: Any, line: dict[str, Any], hover: Sequence[str] | str | None = None, **more: Any
) -> None:
    """Add a line through the places, with ``hover`` as for ``add_dots``; its ``mode`` can mark the places as well."""
    figure.add_scatter(x=x, y=y, line=line, **({"mode": "lines"} | _hover(hover) | more))


def _hover(hover: Sequence[str] | str | None) -> dict[str, Any]:
    if hover is None:
        return {"hoverinfo": "skip"}
    if isinstance(hover, str):
        return {"hovertemplate": template(hover)}
    return {"text": hover, "hovertemplate": template()}


def name_line(
    figure: go.Figure, x: float, text: str, *, width: float = 1.5, dash: str | None = None, **more: Any
) -> None:
    """Add a vertical line at ``x`` with its name above the data; ``more`` are options of ``note``."""
    figure.add_vline(x=x, line={"color": more.get("colour", NEUTRAL), "width": width, "dash": dash})
    above: dict[str, Any] = {"x": x, "y": 1, "yref": "paper", "yanchor": "bottom"}
    note(figure, text, **(above | more))


def error_bars(
    middle: pd.Series, low: pd.Series, high: pd.Series, *, colour: str = PALE_BLUE, thickness: float = 2, width: int = 0
) -> dict[str, Any]:
    """Return error bars from ``low`` to ``high`` for plotly's error_x or error_y."""
    ends = {"type": "data", "symmetric": False, "array": high - middle, "arrayminus": middle - low}
    return ends | {"color": colour, "thickness": thickness, "width": width}


def rows_axis(names: list[str], **axis: object) -> dict[str, Any]:
    """Return a y axis with a named row for each of 0, 1, 2, ..., the first on top."""
    ticks = {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": names}
    bare = {"range": [len(names) - 0.4, -0.6], "showgrid": False, "zeroline": False, "automargin": True}
    return ticks | bare | axis


def log_axis(title: str, values: Iterable[float], steps: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return a logarithmic axis with round ticks from below the smallest to above the largest positive value.

    There is one at each of the ``steps`` of a decade, by default as many as have room.
    """
    known = [value for value in values if value > 0] or [1.0]
    decades = range(math.floor(math.log10(min(known))), math.floor(math.log10(max(known))) + 1)
    steps = steps or ((1, 2, 3, 5, 7) if len(decades) < 3 else (1, 2, 5) if len(decades) < 5 else (1,))
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    shown = {"tickmode": "array", "tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}
    return {"type": "log", "title": {"text": title}, "zeroline": False} | shown


def panels(
    names: Sequence[str], between: tuple[float, float] = (0.03, 0.15), **how: Any
) -> tuple[go.Figure, list[Cell]]:
    """Return an empty panel for each name, under its name, and the row and column of each; four form a square.

    ``between`` is the room between columns, and that between rows times their number; ``how`` are other options of
    plotly's subplots. Numbers are below the last panel of each column.
    """
    columns = 2 if len(names) == 4 else max(1, min(COLUMNS, len(names)))
    rows = max(1, -(-len(names) // columns))
    options: dict[str, Any] = {"shared_xaxes": True, "shared_yaxes": True} | how
    options |= {"horizontal_spacing": between[0], "vertical_spacing": between[1] / rows}
    figure = make_subplots(rows=rows, cols=columns, subplot_titles=[plain(name) for name in names], **options)
    figure.update_annotations(font={"size": LABEL_SIZE + 2})
    cells = [{"row": i // columns + 1, "col": i % columns + 1} for i in range(len(names))]
    for cell in cells[-columns:]:
        figure.update_xaxes(showticklabels=True, **cell)
    return figure, cells


def finish_panels(figure: go.Figure, cells: Sequence[Cell], x: str, y: str, **layout: Any) -> go.Figure:
    """Return the figure with the common layout; axes are named once, below the first column and left of each row."""
    rows, title = max((cell["row"] for cell in cells), default=1), textwrap.wrap(x, NARROW, break_on_hyphens=False)
    more = LINE * (len(title) - 1)
    finish(figure, 110 + HEIGHT * rows + more, **layout)
    figure.update_xaxes(title={"text": "<br>".join(title)}, row=rows, col=1)
    return figure.update_yaxes(title={"text": y}, col=1).update_layout(margin={"b": figure.layout.margin.b + more})
