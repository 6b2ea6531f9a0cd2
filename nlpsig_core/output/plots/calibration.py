"""Calibration: how often the winner of a test wins elsewhere or in the population, against p."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, share
from nlpsig_core.output.plots.style.layout import add_dots, add_line, axis, error_bars, finish, legend_above, note
from nlpsig_core.output.plots.style.texts import both_ends, label, lines, plain, sentence
from nlpsig_core.output.plots.style.theme import NEUTRAL, series
from nlpsig_core.studies.analyses.calibration import nominal_share

# The share of a bin's width that the dots of several series spread over.
SPREAD = 0.6
# How many ends of bins have room for their numbers on a narrow screen.
MOST_LABELS = 6
# The share of winners where a test says nothing.
COIN = 0.5


def calibration_figure(shares: pd.DataFrame, *, first: str, signature: str) -> go.Figure:
    """Draw the share of pairs whose winner on ``first`` also wins elsewhere (``calibration.across_domains``), by p.

    Each other test set or domain has a colour and symbol; bars are 95% intervals. The line is 1 - p. customdata is
    the row of ``shares``.
    """
    parts = [(plain(other), shares[shares["other"] == other]) for other in dict.fromkeys(shares["other"])]
    titles = f"one-sided p on {label(first)}", "pairs whose winner also wins elsewhere"
    alt = sentence(*_bins(shares, "pair"), about=f"Winners on {first} that win elsewhere")
    return legend_above(_draw(shares, parts, "pairs", titles, alt=alt, signature=signature))


def population_figure(shares: pd.DataFrame, *, signature: str) -> go.Figure:
    """Draw the share of tests whose winner wins in the population (``calibration.within_population``), by p.

    As ``calibration_figure``, with one series.
    """
    titles = "one-sided p on the test set drawn", "tests whose winner wins in the population"
    alt = sentence(*_bins(shares, "test"), about="Winners that win in the population")
    figure = _draw(shares, [("tests", shares)], "tests", titles, alt=alt, signature=signature)
    return figure.update_traces(showlegend=False).update_layout(showlegend=False)


def _bins(shares: pd.DataFrame, counted: str) -> list[str]:
    """Return the first and the last bin with any test, over all series, beside 1 - p."""
    known = shares[shares[f"{counted}s"] > 0]
    if known.empty:
        return [f"{count(0, counted)} in the bins of p"]
    by_bin = known.groupby(["p_low", "p_high"], as_index=False).agg(
        n=(f"{counted}s", "sum"), agree=("agree", "sum"), nominal=("nominal", "first")
    )
    return [
        f"with p from {row.p_low:g} to {row.p_high:g}, {share(row.agree / row.n)} of {count(row.n, counted)}, where "
        f"1 − p is {share(row.nominal)}"
        for row in by_bin.iloc[both_ends(by_bin)].itertuples(index=False)
    ]


def _least(low: float, high: float) -> float:
    """Return where a bin begins on a logarithmic axis: for a bin that begins at 0, at half its end."""
    return low if low > 0 else high / 2


def _draw(
    shares: pd.DataFrame, parts: list[tuple[str, pd.DataFrame]], counted: str, titles: tuple[str, str], **meta: str
) -> go.Figure:
    """Draw dots with their intervals for each part, beside each other in each bin, and the line of 1 - p."""
    figure = go.Figure()
    for index, (name, rows) in enumerate(parts):
        rows, (colour, symbol) = rows[rows["share"].notna()], series(index)
        bins = [(_least(low, high), high) for low, high in zip(rows["p_low"], rows["p_high"], strict=True)]
        beside = SPREAD * ((index + 0.5) / len(parts) - 0.5)
        texts = [
            lines(
                f"<b>{name}</b>, p from {row.p_low:g} to {row.p_high:g}",
                f"{row.agree:,g} of {getattr(row, counted):,} {counted}: {share(row.share, 1)}",
                f"95% interval {share(row.low)} to {share(row.high)}",
                f"1 − p: {share(row.nominal, 1)}",
            )
            for row in rows.itertuples()
        ]
        low, high = rows["low"].clip(upper=rows["share"]), rows["high"].clip(lower=rows["share"])
        places = [math.sqrt(least * most) * (most / least) ** beside for least, most in bins]
        marker = {"color": colour, "symbol": symbol, "size": 9}
        bars = error_bars(rows["share"], low, high, colour=colour, thickness=1.5, width=4)
        row = rows.index.to_numpy("int32")
        add_dots(
            figure, places, rows["share"], marker, texts, legendgroup=name, name=name, error_y=bars, customdata=row
        )
    edges = sorted({*shares["p_low"], *shares["p_high"]} - {0.0})
    least = min((_least(*ends) for ends in zip(shares["p_low"], shares["p_high"], strict=True)), default=0.001)
    most = edges[-1] if edges else 1.0
    labels = [f"{edge:g}" if index % -(-len(edges) // MOST_LABELS) == 0 else "" for index, edge in enumerate(edges)]
    line = np.geomspace(least, most, 60)
    look = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}
    add_line(figure, line, nominal_share(line), look, name="1 − p", showlegend=False)
    left: dict[str, Any] = {"colour": NEUTRAL, "x": 0, "xref": "paper", "xanchor": "left"}
    note(figure, "1 − p", y=float(nominal_share(least)), yanchor="bottom", yshift=2, **left)
    lowest = min([0.85, *shares["low"].dropna()])
    if lowest < COIN:
        figure.add_hline(y=COIN, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
        note(figure, "no better than a coin", y=COIN, yanchor="top", **left)
    ticks = {"tickmode": "array", "tickvals": edges, "ticktext": labels, "tickangle": 0}
    p = axis(titles[0], type="log", range=[math.log10(least * 0.9), math.log10(most * 1.1)], **ticks)
    y = axis(titles[1], tickformat=".0%", range=[lowest - 0.02, 1.02])
    return finish(figure, 420, **meta, xaxis=p, yaxis=y)
