"""Small panels side by side that share their axes, one for each name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.output.plots.style.hover import plain
from nlpsig_core.output.plots.style.layout import LABEL_SIZE, finish

# Panels in a row, and the height of one.
COLUMNS, HEIGHT = 3, 250
Cell = dict[str, int]


def panels(
    names: Sequence[str], between: tuple[float, float] = (0.03, 0.15), **how: Any
) -> tuple[go.Figure, list[Cell]]:
    """Return an empty panel for each name, under its name, and the row and column of each; four form a square.

    ``between`` is the room between columns, and that between rows times their number; ``how`` are other options of
    plotly's subplots. Numbers are below the last panel of each column.
    """
    columns = 2 if len(names) == 4 else max(1, min(COLUMNS, len(names)))
    rows = max(1, -(-len(names) // columns))
    figure = make_subplots(
        rows=rows, cols=columns, subplot_titles=[plain(name) for name in names], horizontal_spacing=between[0],
        vertical_spacing=between[1] / rows, **({"shared_xaxes": True, "shared_yaxes": True} | how),
    )  # fmt: skip
    figure.update_annotations(font={"size": LABEL_SIZE + 2})
    cells = [{"row": i // columns + 1, "col": i % columns + 1} for i in range(len(names))]
    for cell in cells[-columns:]:
        figure.update_xaxes(showticklabels=True, **cell)
    return figure, cells


def finish_panels(figure: go.Figure, cells: Sequence[Cell], x: str, y: str, **layout: Any) -> go.Figure:
    """Return the figure with the common layout; axes are named once, below the first column and left of each row."""
    rows = max((cell["row"] for cell in cells), default=1)
    finish(figure, 110 + HEIGHT * rows, **layout).update_xaxes(title={"text": x}, row=rows, col=1)
    return figure.update_yaxes(title={"text": y}, col=1)
