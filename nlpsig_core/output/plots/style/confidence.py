"""What the figures of confidence against gain share: dots, both axes, the lines of significance and of thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.layout import add_line, note
from nlpsig_core.output.plots.style.texts import (
    ANSWER,
    answered,
    gain_text,
    how_many_more,
    interval,
    lines,
    over,
    template,
)
from nlpsig_core.output.plots.style.theme import NEUTRAL, STYLES
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER, Notion

AXIS = "confidence, 1 − p"
# Above this number of dots WebGL draws faster than SVG, which exports as true vectors.
MANY = 5_000
# So many of the closest pairs are drawn in any case; room beyond the last dot.
FEWEST, BEYOND = 10, 1.03
# Above this number of dots their hover texts weigh more than the dots themselves.
NAMED = 20_000
# If the largest gain is at least this many times the median, gains are drawn by quantile.
HUGE = 10
# Knots of the scale, and the least distance of two ticks as a share of the axis.
KNOTS, APART = 41, 0.07
# Beyond this many times the close gains, the rest is compressed, and the close ones keep this share of the axis.
FURTHER, KEPT = 1.5, 0.85
# The height of a name and the width of one of its characters in pixels.
ROW, CHARACTER = 15, 5.6


def tested(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs with a gain; others are ties, also those whose scores are equal but for rounding (p = 1)."""
    return pairs[(pairs["gain"] > 0) & (pairs["p_value"] < 1)]


def view_limit(pairs: pd.DataFrame) -> float:
    """Return the largest gain to draw: a little beyond the last pair in doubt and the closest FEWEST pairs."""
    if not len(pairs):
        return 1.0
    doubtful = pairs.loc[pairs["p_value"] >= 0.0005, "gain"]
    closest = pairs["gain"].nsmallest(FEWEST).max()
    return max(1.25 * float(doubtful.max() if len(doubtful) else pairs["gain"].max()), BEYOND * float(closest))


def close_limit(pairs: pd.DataFrame) -> float:
    """Return the ``view_limit`` of pairs with or without a gain."""
    return view_limit(tested(pairs))


def by_class(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return each comparison class that rows have, in the order of the classes, with its rows."""
    of_class = ((name, rows[rows["comparison"] == name]) for name in COMPARISONS)
    return [(name, rows) for name, rows in of_class if len(rows)]


def confidence_range(pairs: pd.DataFrame) -> list[float]:
    """Return the range of the confidence axis: from 0.5 as in the paper, or lower where a skewed pair has less."""
    return [min(0.5, 1 - float(pairs["p_value"].max())) - 0.015 if len(pairs) else 0.485, 1.008]


def scatter(
    rows: pd.DataFrame, x: Any, y: Any, marker: dict[str, Any], n_drawn: int, hover: list[str] | str | None
) -> Any:
    """Return a dot for each row, which is its customdata; ``hover`` is the text of each, or a template for all.

    Without one the pointer shows nothing, but dots can be clicked.
    """
    kind = go.Scattergl if n_drawn > MANY else go.Scatter
    shown: dict[str, Any] = {"hoverinfo": "none"} if hover is None else {"text": hover, "hovertemplate": template()}
    if isinstance(hover, str):
        shown = {"hovertemplate": template(hover)}
    return kind(x=x, y=y, mode="markers", marker=marker, customdata=rows.index.to_numpy("int32"), **shown)


def dots(
    rows: pd.DataFrame, marker: dict[str, Any], n_drawn: int, hover: list[str] | None, decimals: int, x: Any = None
) -> Any:
    """Return a dot for each pair, at ``x`` or its gain; without ``hover`` its numbers show."""
    at = (rows["gain"].to_numpy() if x is None else x).astype("float32")
    numbers = f"gain %{{x:.{decimals}f}}, 1 − p %{{y:.4f}}"
    return scatter(
        rows, at, (1 - rows["p_value"]).to_numpy("float32"), marker, n_drawn, numbers if hover is None else hover
    )


def pair_texts(rows: pd.DataFrame, metric: Metric, unit: str, decimals: int, level: float) -> list[str]:
    """Return the hover text of each pair: who wins, by how much, the answer, and how many more units would give one."""
    columns = ["system_a", "system_b", "gain", "gain_low", "gain_high"]
    columns += [*ANSWER, "needed"]
    return [
        lines(
            over(a, b),
            f"{gain_text(metric, gain, decimals)}, {interval(low, high, decimals)}",
            answered(*answer, level=level),
            how_many_more(needed, unit),
        )
        for a, b, gain, low, high, *answer, needed in rows[columns].itertuples(index=False)
    ]


def draw_level(figure: go.Figure, notion: Notion, cutoff: float | None = None, in_legend: bool = False) -> None:
    """Add the line above which a pair is significant by the notion, and faintly the paper's where it differs.

    ``cutoff`` is the unadjusted p of that line (None: the level). Their names are at their right ends or, for small
    panels, in the legend.
    """
    at, paper = notion.confidence(cutoff), AS_IN_THE_PAPER.confidence()
    levels = [(at, notion.words().replace("<", "="), "dash", 1.2)]
    if abs(at - paper) > 1e-9:
        levels.append((paper, f"the paper's {paper:g}", "dot", 0.7))
    for y, text, dash, width in levels:
        line = {"color": NEUTRAL, "width": width, "dash": dash}
        figure.add_hline(y=y, line=line)
        if in_legend:
            add_line(figure, [None], [None], line, name=text)
        else:
            note(figure, text, colour=NEUTRAL, x=1, xref="x domain", xanchor="right", y=y, yref="y", yanchor="top")


class GainScale:
    """Where gains are on the axis, which ends at ``end``; gains up to ``limit`` are drawn."""

    def __init__(self, gains: pd.Series, all_gains: bool, close: float, least: float = 0.0) -> None:
        """Take ``all_gains``, by quantile if a few are HUGE; else those up to ``close`` and to ``least`` at least."""
        everything = all_gains and len(gains) > 0
        self.limit = self.end = BEYOND * float(gains.max()) if everything else max(close, BEYOND * least)
        self.knots = self.places = np.zeros(0)
        self.how = ""
        if everything and gains.max() > HUGE * gains.median():
            self.knots = np.unique([0, *np.quantile(gains, np.linspace(0, 1, KNOTS))])
            self.places, self.end, self.how = np.linspace(0, 1, len(self.knots)), BEYOND, ", by quantile"
        elif not everything and self.limit > FURTHER * close:
            self.knots, self.places = np.array([0, close, self.limit]), np.array([0, KEPT, 1])
            self.end, self.how = 1.0, f", compressed from {close:.1f}"

    def __call__(self, gains: Any) -> np.ndarray:
        """Return the places of gains."""
        if not len(self.knots):
            return np.asarray(gains, dtype=float)
        return np.asarray(np.interp(gains, self.knots, self.places))

    def axis(self, title: str) -> dict[str, Any]:
        """Return the axis with its title; unless in proportion, it has round ticks where there is room."""
        of: dict[str, Any] = {"title": {"text": title}, "range": [0, self.end]}
        if not len(self.knots):
            return of
        ticks = [0.0]
        for gain in (times * 10.0**power for power in range(-4, 5) for times in (1, 2, 5)):
            if gain <= self.knots[-1] and self(gain) - self(ticks[-1]) >= APART:
                ticks.append(gain)
        more = {"tickmode": "array", "tickvals": self(ticks), "ticktext": [f"{tick:g}" for tick in ticks]}
        return of | {"title": {"text": f"{title}{self.how}"}} | more


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
        across: dict[str, Any] = {
            "x": line.at,
            "xanchor": "center",
            "xshift": round(width * (0.5 - line.at / limit), 1),
        }
        up: dict[str, Any] = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 2 + ROW * row}
        note(figure, line.name, colour=line.colour, **across, **up)
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
        right: dict[str, Any] = {"x": 1, "xref": "x domain", "xanchor": "right"}
        low: dict[str, Any] = {"y": 0.02, "yref": "y domain", "yanchor": "bottom", "yshift": ROW * row}
        note(figure, f"{at:.{decimals}f}" if known else "none", colour=colour, **right, **low, **cell)
