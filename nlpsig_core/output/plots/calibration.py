"""Calibration: how often the winner of a test wins elsewhere or in the population, against p."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import share
from nlpsig_core.output.plots.style.hover import label, lines, plain, template
from nlpsig_core.output.plots.style.layout import error_bars, finish, legend_above, note
from nlpsig_core.output.plots.style.theme import NEUTRAL, series
from nlpsig_core.studies.analyses.calibration import nominal_share

# The share of a bin's width that the dots of several series spread over.
SPREAD = 0.6
# How many ends of bins have room for their numbers on a narrow screen.
MOST_LABELS = 7
# The share of winners where a test says nothing.
COIN = 0.5


def calibration_figure(shares: pd.DataFrame, *, first: str, signature: str) -> go.Figure:
    """The share of pairs whose winner on ``first`` also wins elsewhere (``calibration.across_domains``), by p.

    Each other test set or domain has a colour and symbol; bars are 95% intervals. The line is 1 - p. customdata is
    the row of ``shares``.
    """
    others = list(dict.fromkeys(shares["other"]))
    figure = go.Figure()
    for index, other in enumerate(others):
        _add(figure, shares[shares["other"] == other], "pairs", plain(other), index, len(others))
    return _finish(
        figure, shares, f"one-sided p on {label(first)}", "pairs whose winner also wins elsewhere", signature
    )


def population_figure(shares: pd.DataFrame, *, signature: str) -> go.Figure:
    """The share of tests whose winner wins in the population (``calibration.within_population``), by p.

    As ``calibration_figure``, with one series.
    """
    figure = go.Figure()
    _add(figure, shares, "tests", "tests", 0, 1)
    figure.update_traces(showlegend=False)
    x = "one-sided p on the test set drawn"
    return _finish(figure, shares, x, "tests whose winner wins in the population", signature)


def _add(figure: go.Figure, rows: pd.DataFrame, counted: str, name: str, index: int, of: int) -> None:
    """Add one series: dots with their intervals."""
    rows = rows[rows["share"].notna()]
    colour, symbol = series(index)
    x = [_middle(low, high, index, of) for low, high in zip(rows["p_low"], rows["p_high"], strict=True)]
    low, high = rows["low"].clip(upper=rows["share"]), rows["high"].clip(lower=rows["share"])
    figure.add_trace(
        go.Scatter(
            x=x, y=rows["share"], mode="markers", legendgroup=name, name=name,
            marker={"color": colour, "symbol": symbol, "size": 9},
            error_y=error_bars(rows["share"], low, high, colour=colour, thickness=1.5, width=4),
            customdata=rows.index.to_numpy("int32"),
            text=[_hover(row, getattr(row, counted), counted, name) for row in rows.itertuples()],
            hovertemplate=template(),
        )
    )  # fmt: skip


def _least(low: float, high: float) -> float:
    """Where a bin begins on a logarithmic axis: for a bin that begins at 0, at half its end."""
    return low if low > 0 else high / 2


def _middle(low: float, high: float, index: int, of: int) -> float:
    """The x of a series' dot: the middle of its bin, or beside the dots of the other series."""
    least = _least(low, high)
    return float(math.sqrt(least * high) * (high / least) ** (SPREAD * ((index + 0.5) / of - 0.5)))


def _hover(row: Any, n: int, counted: str, name: str) -> str:
    return lines(
        f"<b>{name}</b>, p from {row.p_low:g} to {row.p_high:g}",
        f"{row.agree:,g} of {n:,} {counted}: {share(row.share, 1)}",
        f"95% interval {share(row.low)} to {share(row.high)}",
        f"1 − p: {share(row.nominal, 1)}",
    )


def _finish(figure: go.Figure, shares: pd.DataFrame, x_title: str, y_title: str, signature: str) -> go.Figure:
    edges = sorted({*shares["p_low"], *shares["p_high"]} - {0.0})
    least = min((_least(*ends) for ends in zip(shares["p_low"], shares["p_high"], strict=True)), default=0.001)
    most = edges[-1] if edges else 1.0
    labels = [f"{edge:g}" if index % -(-len(edges) // MOST_LABELS) == 0 else "" for index, edge in enumerate(edges)]
    line = np.geomspace(least, most, 60)
    figure.add_trace(
        go.Scatter(
            x=line, y=nominal_share(line), mode="lines", name="1 − p", showlegend=False,
            line={"color": NEUTRAL, "width": 1.5, "dash": "dash"}, hoverinfo="skip",
        )
    )  # fmt: skip
    left: dict[str, Any] = {"colour": NEUTRAL, "x": 0, "xref": "paper", "xanchor": "left"}
    note(figure, "1 − p", y=float(nominal_share(least)), yanchor="top", yshift=-2, **left)
    lowest = min([0.85, *shares["low"].dropna()])
    if lowest < COIN:
        figure.add_hline(y=COIN, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
        note(figure, "no better than a coin", y=COIN, yanchor="top", **left)
    figure = finish(
        figure,
        signature,
        420,
        xaxis={
            "type": "log", "title": {"text": x_title}, "range": [math.log10(least * 0.9), math.log10(most * 1.1)],
            "tickmode": "array", "tickvals": edges, "ticktext": labels, "tickangle": 0, "zeroline": False,
        },
        yaxis={"title": {"text": y_title}, "tickformat": ".0%", "range": [lowest - 0.02, 1.02], "zeroline": False},
    )  # fmt: skip
    return legend_above(figure)
