"""Vertical lines at thresholds, with their names or numbers where no line crosses them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.output.plots.style.layout import note
from nlpsig_core.output.plots.style.theme import STYLES
from nlpsig_core.significance.comparison.classes import COMPARISONS

# The height of a name and the width of one of its characters in pixels.
ROW, CHARACTER = 15, 5.6


class Line(NamedTuple):
    """A threshold: its name, its gain, and how its line looks."""

    name: str
    at: float
    colour: str
    dash: str


def draw_lines(figure: go.Figure, lines: Sequence[Line], limit: float) -> int:
    """Add the lines, each with its name in a row of its own; returns the height of all names in pixels.

    A name begins at its line at the left end of the gains up to ``limit``, and ends there at the right end, so that all
    fit a phone; in between it moves from one to the other, so that names are in the order of their lines.
    """
    width = CHARACTER * max((len(line.name) for line in lines), default=0)
    for row, line in enumerate(sorted(lines, key=lambda line: line.at)):
        figure.add_vline(x=line.at, line={"color": line.colour, "width": 1.6, "dash": line.dash})
        note(
            figure, line.name, colour=line.colour, x=line.at, xanchor="center",
            xshift=round(width * (0.5 - line.at / limit), 1), y=1, yref="paper", yanchor="bottom", yshift=2 + ROW * row,
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
