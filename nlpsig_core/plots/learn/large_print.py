"""What the figures of the Learn page share: they are read from the last row of a lecture hall, and on a phone."""

from __future__ import annotations

import plotly.graph_objects as go

from nlpsig_core.plots.theme import ABOVE, ACCENT, NEUTRAL, STYLES, finish

BLUE = STYLES["different groups"][0]
TICK_SIZE, TITLE_SIZE, NOTE_SIZE = 14, 16, 15
# What is counted or changed, and what is not.
COUNTED, OTHER = ACCENT, BLUE
HEIGHT = 440


def on_screen(figure: go.Figure, signature: str, height: int = HEIGHT, top: int = 60, **layout: object) -> go.Figure:
    """The figure with the common layout in large print, without a legend unless it asks for one above the data."""
    finish(figure, signature, height, **{"showlegend": False} | layout)
    figure.update_xaxes(tickfont_size=TICK_SIZE, title_font_size=TITLE_SIZE, zeroline=False)
    figure.update_yaxes(tickfont_size=TICK_SIZE, title_font_size=TITLE_SIZE, zeroline=False)
    figure.layout.annotations[-1].update(yshift=-62)
    figure.layout.margin.update(t=top, b=figure.layout.margin.b + 8)
    return figure.update_layout(legend=ABOVE | {"font_size": TICK_SIZE})


def mark(figure: go.Figure, x: float, text: str, row: int = 0, dash: str = "dash") -> None:
    """A line across the figure at ``x`` with its name above it, ``row`` lines further up."""
    figure.add_vline(x=x, line={"color": NEUTRAL, "width": 2, "dash": dash})
    figure.add_annotation(
        x=x, y=1, yref="paper", text=f"<b>{text}</b>", showarrow=False, yanchor="bottom", yshift=20 * row,
        font={"size": NOTE_SIZE},
    )  # fmt: skip


def note(figure: go.Figure, text: str, **place: object) -> None:
    """A line of large print inside the figure."""
    figure.add_annotation(text=text, showarrow=False, **{"font": {"size": NOTE_SIZE}, "align": "left"} | place)


def cased_line(figure: go.Figure, x0: float, x1: float, y: float) -> None:
    """A level line that is seen on bars, on light ground and on dark: dark, with a light edge."""
    for colour, width in (("#FFFFFF", 6), ("#1B2530", 3)):
        figure.add_shape(type="line", x0=x0, x1=x1, y0=y, y1=y, line={"color": colour, "width": width})
