"""The figure of the paper: confidence against gain for all pairs of systems."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import (
    AXIS,
    NAMED,
    confidence_range,
    dots,
    draw_level,
    pair_texts,
    tested,
    view_limit,
)
from nlpsig_core.output.plots.style.gain_scale import GainScale
from nlpsig_core.output.plots.style.hover import label
from nlpsig_core.output.plots.style.layout import finish
from nlpsig_core.output.plots.style.theme import NEUTRAL, OPAQUE, STYLES, hollow
from nlpsig_core.output.plots.style.thresholds import Line, draw_lines
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.notion import Notion


class Overlay(NamedTuple):
    """Pairs drawn over others: their name, their thresholds, and their part of the figure's signature."""

    name: str
    pairs: pd.DataFrame
    thresholds: pd.DataFrame
    signed: str = ""


def pair_figure(
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    *,
    metric: Metric,
    unit: str,
    signature: str,
    decimals: int = 2,
    notion: Notion = Notion(),
    cutoff: float | None = None,
    window: tuple[float, float] | None = None,
    highlight: Collection[str] = (),
    by_correlation: bool = False,
    all_gains: bool = False,
    over: Overlay | None = None,
    least: float = 0.0,
    baseline: str = "",
) -> go.Figure:
    """Confidence (1 - p) against gain, one trace for each comparison class; customdata is the row of ``pairs``.

    Unless ``all_gains``, only pairs up to ``view_limit`` are drawn, or up to a gain of ``least``. All of them are drawn
    by quantile where few are huge (``GainScale``). As in the paper's figures 2 to 4 the height is 1 - the winner's one-
    sided p, whatever the notion of significance; ``unit`` is what is resampled. Pairs with the ``baseline`` have a
    ring. A line marks where the notion is reached, at the unadjusted p ``cutoff`` (None: the notion's level), a faint
    one the paper's 0.95; the band is the ``window`` of p that thresholds are read from. Each class has its threshold
    (dashed: from the window; dotted: from the model). ``over`` is drawn on top with open markers and without
    customdata, as the natural comparisons in figures 5 to 8.
    """
    figure = go.Figure()
    with_gain = tested(pairs)
    scale = GainScale(with_gain["gain"], all_gains, view_limit(with_gain), least)
    drawn = with_gain[with_gain["gain"] <= scale.limit]
    for comparison in COMPARISONS:
        rows = drawn[drawn["comparison"] == comparison]
        if len(rows):
            marker = _marker(rows, comparison, highlight)
            if by_correlation:
                marker |= _correlation(rows, drawn, first=not figure.data)
            trace = _dots(rows, marker, len(drawn), metric, unit, decimals, scale, notion.level)
            of_class = int((with_gain["comparison"] == comparison).sum())
            some = f"{len(rows):,} of " if len(rows) < of_class else ""
            figure.add_trace(trace.update(name=f"{comparison} ({some}{of_class:,})"))
    if over is not None:
        _draw_over(figure, over, scale, metric, unit, decimals, notion.level)
    if baseline:
        _ring(figure, drawn[(drawn["system_a"] == baseline) | (drawn["system_b"] == baseline)], baseline, scale)
    if window is not None:
        low, high = sorted(map(notion.confidence, window))
        figure.add_hrect(y0=low, y1=high, fillcolor=NEUTRAL, opacity=0.13, line_width=0)
    draw_level(figure, notion, cutoff)
    of_over = [] if over is None else _lines(over.thresholds, decimals, scale, f"{over.name}: ")
    names = draw_lines(figure, _lines(thresholds, decimals, scale) + of_over, scale.end)
    finish(
        figure, signature, 540, xaxis=scale.axis(metric.gain_axis) | {"zeroline": False},
        yaxis={"title": {"text": AXIS}, "range": confidence_range(drawn), "zeroline": False},
    )  # fmt: skip
    return figure.update_layout(margin_t=figure.layout.margin.t + names)


def _dots(
    rows: pd.DataFrame, marker: dict[str, Any], n_drawn: int, metric: Metric, unit: str, decimals: int,
    scale: GainScale, level: float,
) -> Any:  # fmt: skip
    hover = None
    if n_drawn <= NAMED:
        texts = pair_texts(rows, metric, unit, decimals, level)
        hover = [f"{text}<br>{comparison}" for text, comparison in zip(texts, rows["comparison"], strict=True)]
    return dots(rows, marker, n_drawn=n_drawn, hover=hover, decimals=decimals, x=scale(rows["gain"]))


def _draw_over(
    figure: go.Figure, over: Overlay, scale: GainScale, metric: Metric, unit: str, decimals: int, level: float
) -> None:
    drawn = over.pairs[(over.pairs["gain"] > 0) & (over.pairs["gain"] <= scale.limit)]
    for comparison in COMPARISONS:
        rows = drawn[drawn["comparison"] == comparison]
        if len(rows):
            colour, symbol = STYLES[comparison]
            marker = {"color": colour, "symbol": hollow(symbol), "size": 9, "line": {"width": 1.6}}
            trace = _dots(rows, marker, len(drawn), metric, unit, decimals, scale, level)
            figure.add_trace(trace.update(name=f"{over.name}: {comparison} ({len(rows):,})", customdata=None))


def _ring(figure: go.Figure, rows: pd.DataFrame, baseline: str, scale: GainScale) -> None:
    """A ring around each pair of the baseline."""
    if len(rows):
        marker = {"symbol": "circle-open", "size": 13, "color": NEUTRAL, "line": {"width": 1.6}}
        rings = dots(rows, marker, n_drawn=len(rows), hover=None, decimals=0, x=scale(rows["gain"]))
        name = f"against {label(baseline)} ({len(rows):,})"
        figure.add_trace(rings.update(name=name, customdata=None, hoverinfo="skip", hovertemplate=None))


def _correlation(rows: pd.DataFrame, drawn: pd.DataFrame, first: bool) -> dict[str, object]:
    """Markers coloured by correlation, on one scale for all traces; the first trace shows the scale."""
    lowest = math.floor(10 * drawn["correlation"].min()) / 10
    bar = {"title": {"text": "correlation"}, "thickness": 12, "len": 0.8} if first else None
    colour = rows["correlation"].to_numpy("float32")
    return {"color": colour, "colorscale": "Viridis", "cmin": lowest, "cmax": 1.0, "colorbar": bar}


def _marker(rows: pd.DataFrame, comparison: str, highlight: Collection[str]) -> dict[str, Any]:
    colour, symbol = STYLES[comparison]
    marker: dict[str, Any] = {"color": colour, "symbol": symbol, "size": 7, "opacity": OPAQUE}
    if highlight:
        of_system = rows["system_a"].isin(list(highlight)) | rows["system_b"].isin(list(highlight))
        marker |= {"opacity": of_system.map({True: 0.95, False: 0.10}), "size": of_system.map({True: 9, False: 6})}
    return marker


def _lines(thresholds: pd.DataFrame, decimals: int, scale: GainScale, whose: str = "") -> list[Line]:
    """The line of each class and estimate."""
    return [
        Line(f"{at:.{decimals}f} {whose}{row.comparison}", float(scale(at)), STYLES[row.comparison][0], dash)
        for row in thresholds.itertuples(index=False)
        for at, dash in ((row.threshold, "dash"), (row.model_threshold, "dot"))
        if pd.notna(at)
    ]
