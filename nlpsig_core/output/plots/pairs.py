"""The figure of the paper: confidence against gain for all pairs of systems, interactive and as a still picture."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Collection
from functools import partial
from html import escape
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, plural
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import (
    AXIS,
    NAMED,
    GainScale,
    Line,
    by_class,
    confidence_range,
    dots,
    draw_level,
    draw_lines,
    pair_texts,
    tested,
    view_limit,
)
from nlpsig_core.output.plots.style.layout import axis, finish, legend_below
from nlpsig_core.output.plots.style.texts import label, sentence
from nlpsig_core.output.plots.style.theme import NEUTRAL, OPAQUE, STYLES, hollow
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.verdict import finding

# The still picture: its size, the room around its data, and the height of a line of text.
WIDTH, HEIGHT = 560, 400
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 44, 44
ROW = 16
# The size of the smallest picture.
SMALL = (220, 130)
# As an image the picture has no colours of the page: texts follow the theme of the browser.
FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    "<style>text {{ fill: color-mix(in srgb, var(--of, #31333F) 78%, black) }} @media (prefers-color-scheme: dark) "
    "{{ text {{ fill: color-mix(in srgb, var(--of, #B3BEC9) 60%, white) }} }}</style>"
    "{content}</svg>"
)
IMAGE = '<img src="data:image/svg+xml;base64,{svg}" alt="{alt}" width="{width}" height="{height}" style="{style}">'
STYLE = "width:100%;max-width:820px;height:auto"


class Overlay(NamedTuple):
    """Pairs drawn over others: their name, their thresholds, and their part of the figure's signature."""

    name: str
    pairs: pd.DataFrame
    thresholds: pd.DataFrame
    signed: str = ""


def pair_figure(
    pairs: pd.DataFrame, thresholds: pd.DataFrame, *, metric: Metric, unit: str, signature: str, decimals: int = 2,
    notion: Notion = Notion(), cutoff: float | None = None, window: tuple[float, float] | None = None,
    highlight: Collection[str] = (), by_correlation: bool = False, all_gains: bool = False, over: Overlay | None = None,
    least: float = 0.0, baseline: str = "",
) -> go.Figure:  # fmt: skip
    """Draw confidence (1 - p) against gain, one trace for each comparison class; customdata is the row of ``pairs``.

    Unless ``all_gains``, only pairs up to ``view_limit`` are drawn, or up to a gain of ``least``. All of them are drawn
    by quantile where few are huge (``GainScale``). As in the paper's figures 2 to 4 the height is 1 - the winner's one-
    sided p, whatever the notion of significance; ``unit`` is what is resampled. Pairs with the ``baseline`` have a
    ring. A line marks where the notion is reached, at the unadjusted p ``cutoff`` (None: the notion's level), a faint
    one the paper's 0.95; the band is the ``window`` of p that thresholds are read from. Each class has its threshold
    (dashed: from the window; dotted: from the model). ``over`` is drawn on top with open markers and without
    customdata, as the natural comparisons in figures 5 to 8.
    """
    figure, with_gain = go.Figure(), tested(pairs)
    scale = GainScale(with_gain["gain"], all_gains, close=view_limit(with_gain), least=least)
    drawn = with_gain[with_gain["gain"] <= scale.limit]
    texts: dict[str, Any] = {"metric": metric, "unit": unit, "decimals": decimals, "level": notion.level}
    trace: Callable[..., Any] = partial(_dots, n_drawn=len(drawn), scale=scale, **texts)
    for comparison, rows in by_class(drawn):
        marker = _marker(rows, comparison, highlight)
        if by_correlation:
            marker |= _correlation(rows, drawn, first=not figure.data)
        figure.add_trace(trace(rows, marker).update(name=_counted(rows, comparison, with_gain)))
    lines = _lines(thresholds, decimals, scale)
    if over is not None:
        of_over = tested(over.pairs)
        shown = of_over[of_over["gain"] <= scale.limit]
        for comparison, rows in by_class(shown):
            colour, symbol = STYLES[comparison]
            marker = {"color": colour, "symbol": hollow(symbol), "size": 9, "line": {"width": 1.6}}
            name = f"{over.name}: {_counted(rows, comparison, of_over)}"
            figure.add_trace(trace(rows, marker, n_drawn=len(shown)).update(name=name, customdata=None))
        lines += _lines(over.thresholds, decimals, scale, f"{over.name}: ")
    rings = drawn[(drawn["system_a"] == baseline) | (drawn["system_b"] == baseline)]
    if len(rings):
        marker = {"symbol": "circle-open", "size": 13, "color": NEUTRAL, "line": {"width": 1.6}}
        ring = dots(rings, marker, n_drawn=len(rings), hover=None, decimals=0, x=scale(rings["gain"]))
        name = f"against {label(baseline)} ({len(rings):,})"
        figure.add_trace(ring.update(name=name, customdata=None, hoverinfo="skip", hovertemplate=None))
    if window is not None:
        low, high = sorted(map(notion.confidence, window))
        figure.add_hrect(y0=low, y1=high, fillcolor=NEUTRAL, opacity=0.13, line_width=0)
    draw_level(figure, notion, cutoff)
    names = draw_lines(figure, lines, scale.end)
    alt = pair_alt(pairs, thresholds, metric=metric, notion=notion, decimals=decimals, over=over)
    gains, confidence = scale.axis(metric.gain_axis) | {"zeroline": False}, axis(AXIS, range=confidence_range(drawn))
    finish(figure, 540, alt=alt, signature=signature, xaxis=gains, yaxis=confidence)
    if over is not None:
        legend_below(figure)
    return figure.update_layout(margin_t=figure.layout.margin.t + names)


def pair_alt(
    pairs: pd.DataFrame, thresholds: pd.DataFrame, *, metric: Metric, notion: Notion, decimals: int = 2,
    over: Overlay | None = None,
) -> str:  # fmt: skip
    """Return how many pairs differ, the largest gain of the others, and each class' threshold by each estimate."""
    texts = []
    for name, column in (("model", "model_threshold"), ("window", "threshold")):
        known = thresholds[thresholds[column].notna()]
        each = [f"{at:.{decimals}f} for {of}" for at, of in zip(known[column], known["comparison"], strict=True)]
        texts += [f"{plural(len(each), 'threshold')} ({name}) {', '.join(each)}"] if each else []
    return sentence(
        finding(pairs, notion, metric, decimals),
        count(len({*pairs["system_a"], *pairs["system_b"]}), "system"),
        *(texts or ["no threshold"]),
        f"over them {count(len(over.pairs), 'pair')}, {over.name}" if over else "",
    )


def _counted(rows: pd.DataFrame, comparison: str, pairs: pd.DataFrame) -> str:
    """Return a comparison class with its number of ``pairs``, and of ``rows`` that are drawn if others are not."""
    of_class = int((pairs["comparison"] == comparison).sum())
    some = f"{len(rows):,} of " if len(rows) < of_class else ""
    return f"{comparison} ({some}{of_class:,})"


def _dots(
    rows: pd.DataFrame, marker: dict[str, Any], *, n_drawn: int, metric: Metric, unit: str, decimals: int,
    scale: GainScale, level: float,
) -> Any:  # fmt: skip
    hover = None
    if n_drawn <= NAMED:
        texts = pair_texts(rows, metric, unit, decimals, level)
        hover = [f"{text}<br>{comparison}" for text, comparison in zip(texts, rows["comparison"], strict=True)]
    return dots(rows, marker, n_drawn=n_drawn, hover=hover, decimals=decimals, x=scale(rows["gain"]))


def _correlation(rows: pd.DataFrame, drawn: pd.DataFrame, first: bool) -> dict[str, object]:
    """Return markers coloured by correlation, on one scale for all traces; the first trace shows the scale."""
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
    return [
        Line(
            name=f"{at:.{decimals}f} {whose}{row.comparison}",
            at=float(scale(at)),
            colour=STYLES[row.comparison][0],
            dash=dash,
        )
        for row in thresholds.itertuples(index=False)
        for at, dash in ((row.threshold, "dash"), (row.model_threshold, "dot"))
        if pd.notna(at)
    ]


def pair_picture(
    pairs: pd.DataFrame, thresholds: pd.DataFrame, *, metric: Metric, notion: Notion, decimals: int = 2,
    scaled_by: pd.DataFrame | None = None,
) -> str:  # fmt: skip
    """Return an image, as HTML, of what ``pair_figure`` draws, which a browser shows at once, without a library.

    Each comparison class has its colour; dotted lines are thresholds from the model of ``thresholds``.
    ``scaled_by``: pairs that give the axis of gains in place of these.
    """
    with_gain = tested(pairs)
    limit = view_limit(with_gain if scaled_by is None else tested(scaled_by))
    lowest, highest = confidence_range(with_gain)

    def x(gain: float) -> float:
        return round(LEFT + gain / limit * (WIDTH - LEFT - RIGHT), 1)

    def y(confidence: float) -> float:
        return round(TOP + (highest - confidence) / (highest - lowest) * (HEIGHT - TOP - BOTTOM), 1)

    parts = [_text(WIDTH / 2, HEIGHT - 6, metric.gain_axis, "middle"), _text(2, TOP - 28, AXIS)]
    parts += [_text(x(tick), y(lowest) + 18, f"{tick:g}", "middle") for tick in _ticks(limit)]
    for tenth in range(math.ceil(10 * lowest), 11):
        parts += [_line(LEFT, y(tenth / 10), WIDTH - RIGHT, y(tenth / 10), "rgba(128,128,128,0.25)")]
        parts += [_text(LEFT - 6, y(tenth / 10) + 4, f"{tenth / 10:g}", "end")]
    level = notion.confidence()
    parts.append(_line(LEFT, y(level), WIDTH - RIGHT, y(level), NEUTRAL, dash="6 4"))
    classes = by_class(with_gain)
    for comparison, of_class in classes:
        rows, colour = of_class[of_class["gain"] <= limit], STYLES[comparison][0]
        # A path with steps of no length and round ends is a dot for each pair.
        path = "".join(f"M{x(g)} {y(1 - p)}h0" for g, p in zip(rows["gain"], rows["p_value"], strict=True))
        look = f'stroke="{colour}" stroke-width="5.5" stroke-linecap="round" opacity="{OPAQUE}"'
        parts.append(f'<path d="{path}" {look}/>')
    by_model = thresholds[thresholds["model_threshold"] <= limit].assign(threshold=math.nan)
    for number, line in enumerate(_lines(by_model, decimals, GainScale(with_gain["gain"], False, limit))):
        parts.append(_line(x(line.at), TOP, x(line.at), y(lowest), line.colour, dash="2 4"))
        parts.append(_text(x(line.at), TOP - 6 - ROW * number, line.name, "middle", line.colour))
    for number, (name, of_class) in enumerate(classes):
        at = y(lowest) - 14 - ROW * (len(classes) - number)
        parts.append(_text(WIDTH - RIGHT, at, f"● {name} ({len(of_class):,})", "end", STYLES[name][0]))
    svg = b64encode(FRAME.format(width=WIDTH, height=HEIGHT, content="".join(parts)).encode()).decode()
    alt = escape(pair_alt(pairs, thresholds, metric=metric, notion=notion, decimals=decimals))
    return IMAGE.format(svg=svg, alt=alt, width=WIDTH, height=HEIGHT, style=STYLE)


def pair_thumbnail(pairs: pd.DataFrame, notion: Notion) -> str:
    """Return a small SVG of confidence against gain, without words: a dot for each place that has a pair.

    Its elements have the classes of a page's style sheet; the line is the notion's level.
    """
    with_gain = tested(pairs)
    limit, (lowest, highest) = view_limit(with_gain), confidence_range(with_gain)
    wide, high = SMALL

    def y(confidence: Any) -> Any:
        return ((highest - confidence) / (highest - lowest) * high).round().astype(int)

    dots = []
    for comparison, of_class in by_class(with_gain[with_gain["gain"] <= limit]):
        across = (of_class["gain"] / limit * wide).round().astype(int)
        places = sorted(set(zip(across, y(1 - of_class["p_value"]), strict=True)))
        path = "".join(f"M{x} {up}h0" for x, up in places)
        dots.append(f'<path class="dots" d="{path}" stroke="{STYLES[comparison][0]}"/>')
    level = y(pd.Series([notion.confidence()])).iloc[0]
    line = f'<path class="level" d="M0 {level}H{wide}"/>'
    return f'<svg viewBox="-4 -4 {wide + 8} {high + 8}" aria-hidden="true">{line}{"".join(dots)}</svg>'


def _ticks(limit: float) -> list[float]:
    """Return round numbers from 0 to the limit, four to eight of them."""
    step = 10.0 ** math.floor(math.log10(limit / 4))
    step *= next(times for times in (1, 2, 5, 10) if limit / (step * times) <= 8)
    return [round(number * step, 10) for number in range(int(limit / step) + 1)]


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = "") -> str:
    fill = f' style="--of: {colour}"' if colour else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{fill}>{escape(text)}</text>'


def _line(x0: float, y0: float, x1: float, y1: float, colour: str, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{colour}" stroke-width="1.3"{dashed}/>'
