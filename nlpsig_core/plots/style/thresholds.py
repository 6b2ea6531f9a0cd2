"""Vertical lines at thresholds, with their names or numbers where no line crosses them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.comparison.classes import COMPARISONS
from nlpsig_core.plots.style.layout import note
from nlpsig_core.plots.style.theme import STYLES

# The height of a name in pixels.
ROW = 15


class Line(NamedTuple):
    """A threshold: its name, its gain, and how its line looks."""

    name: str
    at: float
    colour: str
    dash: str


def draw_lines(figure: go.Figure, lines: Sequence[Line], limit: float) -> int:
    """Add the lines, each with its name in a row of its own; returns the height of all names in pixels.

    Names begin at their line, in the right half of the gains up to ``limit`` they end there, so that they fit a phone.
    """
    for row, line in enumerate(sorted(lines, key=lambda line: line.at)):
        right = line.at > limit / 2
        figure.add_vline(x=line.at, line={"color": line.colour, "width": 1.6, "dash": line.dash})
        note(
            figure, line.name, colour=line.colour, x=line.at, xanchor="right" if right else "left",
            xshift=3 if right else -3, y=1, yref="paper", yanchor="bottom", yshift=2 + ROW * row,
        )  # fmt: skip
    return ROW * len(lines)


def draw_in_panel(
    figure: go.Figure, thresholds: Iterable[tuple[str, float]], cell: dict[str, int], decimals: int, dash: str
) -> None:
    """Add the threshold of each class to a panel, its number in the lower right corner; "none" for NaN.

    No dots are there: a large gain with little confidence does not occur.
    """
    in_order = sorted(thresholds, key=lambda threshold: COMPARISONS.index(threshold[0]))
    for row, (comparison, at) in enumerate(reversed(in_order)):
        colour, known = STYLES[comparison][0], pd.notna(at)
        if known:
            figure.add_vline(x=at, line={"color": colour, "width": 1.6, "dash": dash}, **cell)
        note(
            figure, f"{at:.{decimals}f}" if known else "none", colour=colour, x=1, xref="x domain", xanchor="right",
            y=0.02, yref="y domain", yanchor="bottom", yshift=ROW * row, **cell,
        )  # fmt: skip
