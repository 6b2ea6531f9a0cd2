"""Small panels side by side that share their axes, one for each name."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.output.plots.style.hover import plain
from nlpsig_core.output.plots.style.layout import LABEL_SIZE, finish

# Panels in a row, and the height of one.
COLUMNS, HEIGHT = 3, 250


def panels(names: Sequence[str]) -> tuple[go.Figure, list[dict[str, int]]]:
    """An empty panel for each name, under its name, and the row and column of each."""
    rows, columns = _shape(names)
    figure = make_subplots(
        rows=rows, cols=columns, shared_xaxes=True, shared_yaxes=True, subplot_titles=[plain(name) for name in names],
        horizontal_spacing=0.03, vertical_spacing=0.3 / rows / 2,
    )  # fmt: skip
    figure.update_annotations(font={"size": LABEL_SIZE + 2})
    cells = [{"row": i // columns + 1, "col": i % columns + 1} for i in range(len(names))]
    return figure, cells


def finish_panels(figure: go.Figure, names: Sequence[str], signature: str, x: str, y: str) -> go.Figure:
    """The figure with the common layout; axes are named and numbered once, below each column and left of each row."""
    rows, columns = _shape(names)
    finish(figure, signature, 110 + HEIGHT * rows)
    for last in range(max(0, len(names) - columns), len(names)):
        figure.update_xaxes(showticklabels=True, row=last // columns + 1, col=last % columns + 1)
    figure.update_xaxes(title={"text": x}, row=rows, col=1)
    return figure.update_yaxes(title={"text": y}, col=1)


def _shape(names: Sequence[str]) -> tuple[int, int]:
    """The number of rows and of columns; four panels form a square."""
    columns = 2 if len(names) == 4 else max(1, min(COLUMNS, len(names)))
    return max(1, -(-len(names) // columns)), columns
