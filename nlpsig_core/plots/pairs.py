"""The figure of the paper: confidence against gain for all pairs of systems."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.comparison.classes import COMPARISONS
from nlpsig_core.comparison.notion import AS_IN_THE_PAPER, Notion
from nlpsig_core.metrics.base import Metric
from nlpsig_core.plots.theme import LABEL_SIZE, NEUTRAL, STYLES, finish, plain
from nlpsig_core.words import p_text

# From here on WebGL draws faster than SVG, which exports as true vectors.
MANY = 5_000
# Names in the hover text weigh more than the points themselves.
NAMED = 20_000


class Overlay(NamedTuple):
    """Pairs that are drawn over others, with their name, their own thresholds, and what a signature says of them."""

    name: str
    pairs: pd.DataFrame
    thresholds: pd.DataFrame
    said: str = ""


def pair_figure(
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    *,
    metric: Metric,
    n_resamples: int,
    signature: str,
    decimals: int = 2,
    notion: Notion = Notion(),
    cutoff: float | None = None,
    window: tuple[float, float] | None = None,
    highlight: Collection[str] = (),
    by_correlation: bool = False,
    all_gains: bool = False,
    over: Overlay | None = None,
) -> go.Figure:
    """Confidence (1 - p) against gain, a trace a comparison class; customdata is the row of ``pairs``.

    Unless ``all_gains``, only the pairs up to ``view_limit`` are drawn. The paper's figures 2 to 4: the height is its
    confidence, 1 - the winner's one-sided p, whatever the notion of significance. The line is where the notion is
    reached, at the unadjusted p ``cutoff`` (None: its level), the paper's 0.95 faintly beside it; the band is the
    ``window`` of p that thresholds are read from. Each class has its threshold (dashed: from the window; dotted: from
    the model). ``over`` is drawn over them with open markers and without customdata, as the natural comparisons in
    figures 5 to 8.
    """
    figure = go.Figure()
    with_gain = pairs[pairs["gain"] > 0]
    limit = float(with_gain["gain"].max()) * 1.03 if all_gains and len(with_gain) else view_limit(with_gain)
    drawn = with_gain[with_gain["gain"] <= limit]
    for comparison in COMPARISONS:
        rows = drawn[drawn["comparison"] == comparison]
        if len(rows):
            marker = _marker(rows, comparison, highlight)
            if by_correlation:
                marker |= _correlation(rows, drawn, first=not figure.data)
            trace = _trace(rows, marker, len(drawn), _hover(rows, metric, n_resamples, decimals), decimals)
            of_class = int((with_gain["comparison"] == comparison).sum())
            some = f"{len(rows):,} of " if len(rows) < of_class else ""
            figure.add_trace(trace.update(name=f"{comparison} ({some}{of_class:,})"))
    if over is not None:
        _draw_over(figure, over, limit, metric, n_resamples, decimals)
    if window is not None:
        low, high = sorted(map(notion.confidence, window))
        figure.add_hrect(y0=low, y1=high, fillcolor=NEUTRAL, opacity=0.13, line_width=0)
    draw_level(figure, notion, cutoff)
    _draw_thresholds(figure, thresholds, limit, decimals)
    return finish(
        figure,
        signature,
        620,
        xaxis={"title": {"text": metric.gain_axis}, "range": [0, limit], "zeroline": False},
        yaxis={"title": {"text": "confidence, 1 − p"}, "range": [_lowest(drawn), 1.008], "zeroline": False},
    )


def draw_level(figure: go.Figure, notion: Notion, cutoff: float | None = None, xref: str = "paper") -> None:
    """The line at which a pair is significant by the notion, and faintly that of the paper where it is another.

    ``cutoff`` is the unadjusted p there (None: the level); texts stand at the right end of ``xref``.
    """
    at, paper = notion.confidence(cutoff), AS_IN_THE_PAPER.confidence()
    lines = [(at, f"{notion.p} = {notion.level:g}{notion.adjusted()}", "dash", 1.2)]
    if abs(at - paper) > 1e-9:
        lines.append((paper, f"the paper's {paper:g}", "dot", 0.7))
    for y, text, dash, width in lines:
        figure.add_hline(y=y, line={"color": NEUTRAL, "width": width, "dash": dash})
        figure.add_annotation(
            x=1, xref=xref, y=y, yref="y", text=text, showarrow=False, xanchor="right", yanchor="top",
            font={"size": LABEL_SIZE, "color": NEUTRAL},
        )  # fmt: skip


def _draw_over(figure: go.Figure, over: Overlay, limit: float, metric: Metric, n_resamples: int, decimals: int) -> None:
    drawn = over.pairs[(over.pairs["gain"] > 0) & (over.pairs["gain"] <= limit)]
    for comparison in COMPARISONS:
        rows = drawn[drawn["comparison"] == comparison]
        if len(rows):
            colour, symbol = STYLES[comparison]
            marker = {"color": colour, "symbol": f"{symbol}-open", "size": 9, "line": {"width": 1.6}}
            trace = _trace(rows, marker, len(drawn), _hover(rows, metric, n_resamples, decimals), decimals)
            figure.add_trace(trace.update(name=f"{over.name}: {comparison} ({len(rows):,})", customdata=None))
    _draw_thresholds(figure, over.thresholds, limit, decimals, f"{over.name}: ", 0.72)


def view_limit(pairs: pd.DataFrame) -> float:
    """The gain up to which pairs are of interest: a little beyond the last one in doubt."""
    doubtful = pairs.loc[pairs["p_value"] >= 0.0005, "gain"]
    largest = doubtful.max() if len(doubtful) else pairs["gain"].max()
    return float(largest) * 1.25 if len(pairs) else 1.0


def _lowest(pairs: pd.DataFrame) -> float:
    """Where the confidence axis starts: at 0.5 as in the paper, lower where a skewed pair has less."""
    return min(0.5, 1 - float(pairs["p_value"].max())) - 0.015 if len(pairs) else 0.485


def _trace(rows: pd.DataFrame, marker: dict, n_drawn: int, hover: list[str], decimals: int):
    kind = go.Scattergl if n_drawn > MANY else go.Scatter
    named = n_drawn <= NAMED
    return kind(
        x=rows["gain"].to_numpy("float32"),
        y=(1 - rows["p_value"]).to_numpy("float32"),
        mode="markers",
        marker=marker,
        customdata=rows.index.to_numpy("int32"),
        text=hover if named else None,
        hovertemplate="%{text}<extra></extra>"
        if named
        else f"gain %{{x:.{decimals}f}}, 1 − p %{{y:.4f}}<extra></extra>",
    )


def _hover(rows: pd.DataFrame, metric: Metric, n_resamples: int, decimals: int) -> list[str]:
    columns = ["system_a", "system_b", "gain", "gain_low", "gain_high", "p_value", "p_two_sided", "comparison"]
    return [
        f"<b>{plain(a)}</b> over <b>{plain(b)}</b><br>{metric.gain} {gain:.{decimals}f}, "
        f"95 % interval {low:.{decimals}f} to {high:.{decimals}f}"
        f"<br>p {p_text(p, n_resamples)} one-sided, {p_text(p2, n_resamples)} two-sided<br>{comparison}"
        for a, b, gain, low, high, p, p2, comparison in rows[columns].itertuples(index=False)
    ]


def _correlation(rows: pd.DataFrame, drawn: pd.DataFrame, first: bool) -> dict[str, object]:
    """The markers' colour by correlation, on one scale for all traces; the first one shows the scale."""
    lowest = math.floor(10 * drawn["correlation"].min()) / 10
    bar = {"title": {"text": "correlation"}, "thickness": 12, "len": 0.8} if first else None
    colour = rows["correlation"].to_numpy("float32")
    return {"color": colour, "colorscale": "Viridis", "cmin": lowest, "cmax": 1.0, "colorbar": bar}


def _marker(rows: pd.DataFrame, comparison: str, highlight: Collection[str]) -> dict[str, object]:
    colour, symbol = STYLES[comparison]
    marker: dict[str, object] = {"color": colour, "symbol": symbol, "size": 7, "opacity": 0.85}
    if highlight:
        of_system = rows["system_a"].isin(list(highlight)) | rows["system_b"].isin(list(highlight))
        marker |= {"opacity": of_system.map({True: 0.95, False: 0.10}), "size": of_system.map({True: 9, False: 6})}
    return marker


def _draw_thresholds(
    figure: go.Figure, thresholds: pd.DataFrame, limit: float, decimals: int, whose: str = "", height: float = 0.5
) -> None:
    lines = [
        (row.comparison, at, dash)
        for row in thresholds.itertuples(index=False)
        for at, dash in ((row.threshold, "dash"), (row.model_threshold, "dot"))
        if pd.notna(at)
    ]
    for place, (comparison, at, dash) in enumerate(lines):
        colour, left_of_line = STYLES[comparison][0], at > 0.7 * limit
        figure.add_vline(x=at, line={"color": colour, "width": 1.6, "dash": dash})
        figure.add_annotation(
            x=at, y=height + 0.028 * place, text=f"{at:.{decimals}f} {whose}{comparison}", showarrow=False,
            yanchor="bottom", xanchor="right" if left_of_line else "left", xshift=-4 if left_of_line else 4,
            font={"size": LABEL_SIZE, "color": colour},
        )  # fmt: skip
