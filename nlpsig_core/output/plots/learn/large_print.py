"""What the figures of the Learn page share: print that is read from the last row of a lecture hall and on a phone."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from nlpsig_core.output.plots.style.layout import ABOVE, finish
from nlpsig_core.output.plots.style.layout import note as small_note
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, NEUTRAL

TICK_SIZE, TITLE_SIZE, NOTE_SIZE = 14, 16, 15
# Colours of what is counted or changed, and of the rest.
COUNTED, OTHER = ACCENT, BLUE
HEIGHT = 440


def on_screen(figure: go.Figure, height: int = HEIGHT, top: int = 60, **layout: Any) -> go.Figure:
    """Return the figure with the common layout in large print; a legend is above the data and only shown on request."""
    finish(figure, height, **{"showlegend": False} | layout)
    figure.update_xaxes(tickfont_size=TICK_SIZE, title_font_size=TITLE_SIZE, zeroline=False)
    figure.update_yaxes(tickfont_size=TICK_SIZE, title_font_size=TITLE_SIZE, zeroline=False)
    figure.layout.margin.update(t=top, b=figure.layout.margin.b + 8)
    return figure.update_layout(legend=ABOVE | {"font_size": TICK_SIZE})


def mark(figure: go.Figure, x: float, text: str, row: int = 0, dash: str = "dash") -> None:
    """Add a line across the figure at ``x`` with its name above it, ``row`` lines further up."""
    figure.add_vline(x=x, line={"color": NEUTRAL, "width": 2, "dash": dash})
    note(figure, f"<b>{text}</b>", x=x, y=1, yref="paper", yanchor="bottom", yshift=20 * row)


def note(
    figure: go.Figure, text: str, *, size: int = NOTE_SIZE, colour: str = "", align: str = "left", **position: object
) -> None:
    """Add a text in large print."""
    small_note(figure, text, size=size, colour=colour, align=align, **position)
