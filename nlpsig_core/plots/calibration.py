"""Calibration: how often the winner of a test wins elsewhere or in the population, against p."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.analyses.calibration import nominal_share
from nlpsig_core.plots.domains import series
from nlpsig_core.plots.theme import LABEL_SIZE, NEUTRAL, finish, legend_above, plain, short_name

# How much of a bin's width the dots of several series share.
SPREAD = 0.6
# Ends of bins that can be named side by side on a narrow screen.
MOST_LABELS = 7
READING = (
    "Dashed: 1 − p, the chance that the winner is better<br>if any true gain was as likely as any other (a flat prior)"
)


def calibration_figure(shares: pd.DataFrame, *, first: str, signature: str) -> go.Figure:
    """The share of pairs whose winner on ``first`` also wins elsewhere (``calibration.across_domains``), by p.

    A colour and symbol an other part; bars are 95 % intervals. The line is 1 - p. customdata is the row of
    ``shares``.
    """
    others = list(dict.fromkeys(shares["other"]))
    figure = go.Figure()
    for place, other in enumerate(others):
        rows = shares[shares["other"] == other]
        _add(figure, rows, "pairs", plain(other), place, len(others))
    x = f"one-sided p on {plain(short_name(first))}"
    return _finish(figure, shares, x, "pairs whose winner also wins elsewhere", signature)


def population_figure(shares: pd.DataFrame, *, signature: str) -> go.Figure:
    """The share of tests whose winner wins in the population (``calibration.within_population``), by p.

    As ``calibration_figure``, with one series.
    """
    figure = go.Figure()
    _add(figure, shares, "tests", "tests", 0, 1)
    figure.update_traces(showlegend=False)
    x = "one-sided p on the test set drawn"
    return _finish(figure, shares, x, "tests whose winner wins in the population", signature)


def _add(figure: go.Figure, rows: pd.DataFrame, counted: str, name: str, place: int, of: int) -> None:
    """One series: dots with their intervals."""
    rows = rows[rows["share"].notna()]
    colour, symbol = series(place)
    x = [_middle(low, high, place, of) for low, high in zip(rows["p_low"], rows["p_high"], strict=True)]
    up, down = rows["high"] - rows["share"], rows["share"] - rows["low"]
    bar = {"type": "data", "symmetric": False, "array": up.clip(lower=0), "arrayminus": down.clip(lower=0)}
    figure.add_trace(
        go.Scatter(
            x=x, y=rows["share"], mode="markers", legendgroup=name, name=name,
            marker={"color": colour, "symbol": symbol, "size": 9},
            error_y=bar | {"thickness": 1.5, "width": 4, "color": colour},
            customdata=rows.index.to_numpy("int32"),
            text=[_hover(row, getattr(row, counted), counted, name) for row in rows.itertuples()],
            hovertemplate="%{text}<extra></extra>",
        )
    )  # fmt: skip


def _least(low: float, high: float) -> float:
    """Where a bin begins on a logarithmic axis: one that begins at 0, at half its end."""
    return low if low > 0 else high / 2


def _middle(low: float, high: float, place: int, of: int) -> float:
    """Where a series' dot stands: in the middle of its bin, or beside those of others."""
    least = _least(low, high)
    return math.sqrt(least * high) * (high / least) ** (SPREAD * ((place + 0.5) / of - 0.5))


def _hover(row, n: int, counted: str, name: str) -> str:
    return (
        f"<b>{name}</b>, p from {row.p_low:g} to {row.p_high:g}<br>{row.agree:,g} of {n:,} {counted}: {row.share:.1%}"
        f"<br>95 % interval {row.low:.0%} to {row.high:.0%}<br>1 − p: {row.nominal:.1%}"
    )


def _finish(figure: go.Figure, shares: pd.DataFrame, x_title: str, what: str, signature: str) -> go.Figure:
    edges = sorted({*shares["p_low"], *shares["p_high"]} - {0.0})
    least = min((_least(*ends) for ends in zip(shares["p_low"], shares["p_high"], strict=True)), default=0.001)
    most = edges[-1] if edges else 1.0
    labels = [f"{edge:g}" if place % -(-len(edges) // MOST_LABELS) == 0 else "" for place, edge in enumerate(edges)]
    line = np.geomspace(least, most, 60)
    figure.add_trace(
        go.Scatter(
            x=line, y=nominal_share(line), mode="lines", name="1 − p", showlegend=False,
            line={"color": NEUTRAL, "width": 1.5, "dash": "dash"}, hoverinfo="skip",
        )
    )  # fmt: skip
    figure.add_hline(y=0.5, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    label = {"showarrow": False, "font": {"size": LABEL_SIZE, "color": NEUTRAL}}
    figure.add_annotation(x=0, xref="paper", y=0.5, text="50 %: p says nothing", xanchor="left", yanchor="top", **label)
    figure.add_annotation(x=0, xref="paper", y=1, yref="paper", text=READING, align="left", xanchor="left",
                          yanchor="bottom", **label)  # fmt: skip
    lowest = min([0.45, *shares["low"].dropna()])
    figure = finish(
        figure,
        signature,
        500,
        xaxis={
            "type": "log", "title": {"text": x_title}, "range": [math.log10(least * 0.9), math.log10(most * 1.1)],
            "tickmode": "array", "tickvals": edges, "ticktext": labels, "tickangle": 0, "zeroline": False,
        },
        yaxis={"title": {"text": what}, "tickformat": ".0%", "range": [lowest - 0.02, 1.02], "zeroline": False},
    )  # fmt: skip
    # A note stands between the legend and the data.
    return legend_above(figure, 1.12)
