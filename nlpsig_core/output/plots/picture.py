"""The figure of the paper as a still picture, which is on the screen at once: a browser needs no library to draw it."""

from __future__ import annotations

import math
from base64 import b64encode
from html import escape

import pandas as pd

from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import AXIS, confidence_range, tested, view_limit
from nlpsig_core.output.plots.style.theme import NEUTRAL, OPAQUE, STYLES
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.notion import Notion

WIDTH, HEIGHT = 560, 400
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 44, 44
ROW = 16
# As an image the picture has no colours of the page: texts follow the theme of the browser.
FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    "<style>text {{ fill: color-mix(in srgb, var(--of, #31333F) 78%, black) }} @media (prefers-color-scheme: dark) "
    "{{ text {{ fill: color-mix(in srgb, var(--of, #B3BEC9) 60%, white) }} }}</style>"
    "{content}</svg>"
)
IMAGE = '<img src="data:image/svg+xml;base64,{svg}" alt="{alt}" width="{width}" height="{height}" style="{style}">'
STYLE = "width:100%;max-width:820px;height:auto"


def pair_picture(
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    *,
    metric: Metric,
    notion: Notion,
    alt: str,
    decimals: int = 2,
    scaled_by: pd.DataFrame | None = None,
) -> str:
    """Return an image, as HTML, of what ``pair_figure`` draws: confidence (1 - p) against gain, up to ``view_limit``.

    Each comparison class has its colour; dotted lines are thresholds from the model of ``thresholds``. ``alt`` is the
    text alternative. ``scaled_by``: pairs that give the axis of gains in place of these.
    """
    with_gain = tested(pairs)
    limit, (lowest, highest) = (
        view_limit(tested(pairs if scaled_by is None else scaled_by)),
        confidence_range(with_gain),
    )

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
    shown, legend = with_gain[with_gain["gain"] <= limit], []
    for comparison in (name for name in COMPARISONS if (with_gain["comparison"] == name).any()):
        rows, colour = shown[shown["comparison"] == comparison], STYLES[comparison][0]
        # A path with steps of no length and round ends is a dot for each pair.
        dots = "".join(f"M{x(g)} {y(1 - p)}h0" for g, p in zip(rows["gain"], rows["p_value"], strict=True))
        parts.append(
            f'<path d="{dots}" stroke="{colour}" stroke-width="5.5" stroke-linecap="round" opacity="{OPAQUE}"/>'
        )
        legend.append((comparison, int((with_gain["comparison"] == comparison).sum()), colour))
    for number, row in enumerate(thresholds[thresholds["model_threshold"] <= limit].itertuples()):
        at, colour = x(row.model_threshold), STYLES[row.comparison][0]
        parts.append(_line(at, TOP, at, y(lowest), colour, dash="2 4"))
        name = f"{row.model_threshold:.{decimals}f} {row.comparison}"
        parts.append(_text(at, TOP - 6 - ROW * number, name, "middle", colour))
    for number, (name, n, colour) in enumerate(legend):
        at = y(lowest) - 14 - ROW * (len(legend) - number)
        parts.append(_text(WIDTH - RIGHT, at, f"● {name} ({n:,})", "end", colour))
    svg = b64encode(FRAME.format(width=WIDTH, height=HEIGHT, content="".join(parts)).encode()).decode()
    return IMAGE.format(svg=svg, alt=escape(alt), width=WIDTH, height=HEIGHT, style=STYLE)


def _ticks(limit: float) -> list[float]:
    """Round numbers from 0 to the limit, four to eight of them."""
    step = 10.0 ** math.floor(math.log10(limit / 4))
    step *= next(times for times in (1, 2, 5, 10) if limit / (step * times) <= 8)
    return [round(number * step, 10) for number in range(int(limit / step) + 1)]


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = "") -> str:
    fill = f' style="--of: {colour}"' if colour else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{fill}>{escape(text)}</text>'


def _line(x0: float, y0: float, x1: float, y1: float, colour: str, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{colour}" stroke-width="1.3"{dashed}/>'
