"""The paper's figures 9 and 10, confidence against gain by size of the test set, and thresholds against size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.analyses.sizes import ESTIMATES
from nlpsig_core.comparison.classes import COMPARISONS
from nlpsig_core.comparison.notion import NONE, Notion
from nlpsig_core.metrics.base import Metric
from nlpsig_core.plots.pairs import MANY, NAMED, draw_level, view_limit
from nlpsig_core.plots.theme import LABEL_SIZE, STYLES, finish, legend_above, plain
from nlpsig_core.words import p_text

# From few units to many: one hue after the other, darker by steps, each with a contrast of 3:1 on white and on dark.
ORDERED_COLOURS = (
    "#D27908", "#E55E08", "#EB4843", "#E3406D", "#D43F91", "#BF43B0", "#A64AC9", "#8751DA", "#615AE3", "#2564E0",
)  # fmt: skip
SYMBOLS = (
    "circle", "diamond", "square", "triangle-up", "cross", "x", "star", "triangle-down", "hexagon", "pentagon",
)  # fmt: skip
PANELS_A_ROW = 3
PANEL_HEIGHT = 270
ESTIMATE_NAMES = {"window": "from the window of p", "model": "from the model of needed gains"}


def sizes_figure(
    pairs: pd.DataFrame,
    *,
    metric: Metric,
    unit: str,
    n_resamples: int,
    signature: str,
    decimals: int = 2,
    notion: Notion = Notion(),
    panels: bool = False,
    spread: pd.DataFrame | None = None,
    estimate: str = "window",
    limit: float | None = None,
) -> go.Figure:
    """Confidence (1 - p) against gain for all pairs on test sets of several sizes (``sizes.pairs_by_size``).

    A colour and symbol a size, or, as ``panels``, a panel a size with the colours of the comparison classes and
    the median thresholds of ``spread`` (``sizes.spread_by_size``) by one ``estimate``. Gains are drawn up to
    ``limit``, by default up to ``view_limit`` of all sizes together. customdata is the row of ``pairs``.
    """
    with_gain = pairs[pairs["gain"] > 0]
    shown = view_limit(with_gain) if limit is None else limit
    drawn = with_gain[with_gain["gain"] <= shown]
    of_size = with_gain["size"].value_counts().sort_index()
    hover = _hover(drawn, metric, unit, n_resamples, decimals) if len(drawn) <= NAMED else None
    trace = partial(_trace, hover=hover, n_drawn=len(drawn), decimals=decimals)
    x_title, y_title = metric.gain_axis, "confidence, 1 − p"
    if panels:
        cells = _cells(list(of_size.index))
        figure = _panels(drawn, cells, trace, unit, x_title, y_title)
        if spread is not None:
            _draw_thresholds(figure, spread[spread["estimate"] == estimate], cells, estimate, decimals)
    else:
        figure = _overlaid(drawn, of_size, trace, unit)
        figure.update_layout(xaxis={"title": {"text": x_title}}, yaxis={"title": {"text": y_title}})
    draw_level(figure, replace(notion, adjust=NONE), xref="x domain")
    figure.update_xaxes(range=[0, shown], zeroline=False)
    figure.update_yaxes(range=[_lowest(drawn), 1.008], zeroline=False)
    if not panels:
        return finish(figure, signature, 620)
    finish(figure, signature, 130 + PANEL_HEIGHT * max(cell["row"] for cell in cells.values()))
    above = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yref": "container", "yanchor": "top"}
    return figure.update_layout(legend=above, margin={"t": 66, "l": 66})


def _overlaid(drawn: pd.DataFrame, of_size: pd.Series, trace: Callable, unit: str) -> go.Figure:
    """All sizes on the same axes, the largest on top; ``of_size`` is how many pairs with a gain each size has."""
    figure = go.Figure()
    for place, (size, of) in enumerate(of_size.items()):
        marker = {"color": _colour(place, len(of_size)), "symbol": SYMBOLS[place % len(SYMBOLS)], "size": 6}
        rows = drawn[drawn["size"] == size]
        some = f"{len(rows):,} of {of:,}" if len(rows) < of else f"{of:,}"
        figure.add_trace(trace(rows, marker).update(name=f"{size:,} {unit}s ({some})"))
    return figure


def _cells(sizes: list[int]) -> dict[int, dict[str, int]]:
    """Row and column of each size's panel, from 1."""
    across = 2 if len(sizes) == 4 else PANELS_A_ROW
    return {size: {"row": place // across + 1, "col": place % across + 1} for place, size in enumerate(sizes)} or {
        0: {"row": 1, "col": 1}
    }


def _panels(
    drawn: pd.DataFrame, cells: dict[int, dict[str, int]], trace: Callable, unit: str, x_title: str, y_title: str
) -> go.Figure:
    """A panel a size, on the same axes; each class's name stands in the legend once."""
    down, across = (max(cell[way] for cell in cells.values()) for way in ("row", "col"))
    figure = make_subplots(
        down, across, shared_xaxes="all", shared_yaxes="all", x_title=x_title, y_title=y_title,
        subplot_titles=[f"{size:,} {unit}s" for size in cells], horizontal_spacing=0.02, vertical_spacing=0.14 / down,
    )  # fmt: skip
    figure.update_annotations(font={"size": LABEL_SIZE + 2})
    named: set[str] = set()
    for place, (size, cell) in enumerate(cells.items()):
        for comparison in COMPARISONS:
            rows = drawn[(drawn["size"] == size) & (drawn["comparison"] == comparison)]
            if len(rows):
                colour, symbol = STYLES[comparison]
                dots = trace(rows, {"color": colour, "symbol": symbol, "size": 5})
                dots.update(name=comparison, legendgroup=comparison, showlegend=comparison not in named)
                figure.add_trace(dots, **cell)
                named.add(comparison)
        # Where the last row is not full, the numbers stand below the panels above its gap.
        if place >= len(cells) - across:
            figure.update_xaxes(showticklabels=True, **cell)
    return figure


def _draw_thresholds(figure: go.Figure, spread: pd.DataFrame, cells: dict, estimate: str, decimals: int) -> None:
    for size, rows in spread.dropna(subset="median").groupby("size"):
        for place, row in enumerate(rows.itertuples(index=False)):
            colour, dash = STYLES[row.comparison][0], "dash" if estimate == "window" else "dot"
            figure.add_vline(x=row.median, line={"color": colour, "width": 1.6, "dash": dash}, **cells[size])
            figure.add_annotation(
                x=row.median, y=0.5 + 0.05 * place, text=f"{row.median:.{decimals}f}", showarrow=False,
                xanchor="left", yanchor="bottom", xshift=3, font={"size": LABEL_SIZE, "color": colour}, **cells[size],
            )  # fmt: skip


def _trace(rows: pd.DataFrame, marker: dict, hover: pd.Series | None, n_drawn: int, decimals: int):
    kind = go.Scattergl if n_drawn > MANY else go.Scatter
    return kind(
        x=rows["gain"].to_numpy("float32"),
        y=(1 - rows["p_value"]).to_numpy("float32"),
        mode="markers",
        marker=marker | {"opacity": 0.9},
        customdata=rows.index.to_numpy("int32"),
        text=None if hover is None else hover.loc[rows.index].tolist(),
        hovertemplate=f"gain %{{x:.{decimals}f}}, 1 − p %{{y:.4f}}<extra></extra>"
        if hover is None
        else "%{text}<extra></extra>",
    )


def _hover(rows: pd.DataFrame, metric: Metric, unit: str, n_resamples: int, decimals: int) -> pd.Series:
    several = rows["draw"].max() > 1 if len(rows) else False
    columns = ["system_a", "system_b", "gain", "p_value", "comparison", "size", "draw"]
    texts = [
        f"<b>{plain(a)}</b> over <b>{plain(b)}</b><br>{metric.gain} {gain:.{decimals}f}, "
        f"p {p_text(p, n_resamples)} one-sided<br>{comparison}<br>{size:,} {unit}s"
        + (f", draw {draw}" if several else "")
        for a, b, gain, p, comparison, size, draw in rows[columns].itertuples(index=False)
    ]
    return pd.Series(texts, index=rows.index, dtype=object)


def _lowest(pairs: pd.DataFrame) -> float:
    """Where the confidence axis starts: at 0.5 as in the paper, lower where a skewed pair has less."""
    return min(0.5, 1 - float(pairs["p_value"].max())) - 0.015 if len(pairs) else 0.485


def _colour(place: int, of: int) -> str:
    """The colours of few sizes are far apart; the last size has the last colour."""
    last = len(ORDERED_COLOURS) - 1
    return ORDERED_COLOURS[round(place * last / max(of - 1, 1)) if of > 1 else last]


def threshold_curve_figure(
    thresholds: pd.DataFrame,
    fit: pd.DataFrame,
    spread: pd.DataFrame,
    *,
    metric: Metric,
    unit: str,
    signature: str,
    decimals: int = 2,
    estimate: str = "window",
) -> go.Figure:
    """Threshold against size on logarithmic axes, a colour and symbol a comparison class, by one estimate.

    Frames are those of ``sizes.thresholds_by_size``, ``fit_by_size`` and ``spread_by_size``. Where a size has one
    draw, the bar is the model's interval, and there is none by the window; where it has several, each is a small dot,
    the symbol stands at their median and the bar reaches from the smallest to the largest. The line is the fitted
    c / sqrt(size).
    """
    every = _of_estimate(thresholds, estimate).dropna(subset="threshold")
    middle = spread[(spread["estimate"] == estimate) & (spread["found"] > 0)]
    own = every[["size", "comparison", "low", "high"]].drop_duplicates(["size", "comparison"])
    middle = middle.merge(own, on=["size", "comparison"], suffixes=("", "_own"))
    fits = fit[fit["estimate"] == estimate].set_index("comparison")
    figure = go.Figure()
    for comparison in (c for c in COMPARISONS if (middle["comparison"] == c).any()):
        rows = middle[middle["comparison"] == comparison]
        if (rows["draws"] > 1).any():
            figure.add_trace(_dots(every[every["comparison"] == comparison], comparison))
        figure.add_trace(_middle(rows, comparison, metric, unit, decimals))
        if comparison in fits.index and not math.isnan(fits.loc[comparison, "c"]):
            figure.add_trace(_line(rows, comparison, fits.loc[comparison, "c"], unit, decimals))
    sizes = sorted(thresholds["size"].unique())
    finish(
        figure, signature, 460,
        showlegend=True,
        xaxis={"type": "log", "title": {"text": f"{unit}s in the test set"}, "zeroline": False, "tickmode": "array",
               "tickvals": sizes, "ticktext": [f"{size:,}" for size in sizes], "range": _around(sizes)},
        yaxis={"type": "log", "title": {"text": f"threshold {ESTIMATE_NAMES[estimate]}:<br>{metric.gain_axis}"},
               "zeroline": False, **log_ticks([*every["threshold"], *middle["low"], *middle["high"]])},
    )  # fmt: skip
    return legend_above(figure)


def _of_estimate(thresholds: pd.DataFrame, estimate: str) -> pd.DataFrame:
    """Columns size, draw, comparison, threshold, low, high by one estimate; the window has no interval."""
    prefix = ESTIMATES[estimate]
    named = {f"{prefix}{name}": name for name in ("threshold", "low", "high")}
    found = thresholds[["size", "draw", "comparison"]].copy()
    for column, name in named.items():
        found[name] = thresholds.get(column, np.nan)
    return found


def _around(sizes: list[int]) -> list[float] | None:
    """The range of a logarithmic axis that holds all sizes, with some room."""
    return [math.log10(sizes[0] * 0.92), math.log10(sizes[-1] * 1.09)] if sizes else None


def log_ticks(values: Iterable[float]) -> dict[str, object]:
    """Round numbers from below the smallest to above the largest of some positive values, for a logarithmic axis."""
    known = [value for value in values if value > 0] or [1.0]
    decades = range(math.floor(math.log10(min(known))), math.floor(math.log10(max(known))) + 1)
    steps = (1, 2, 3, 5, 7) if len(decades) < 3 else (1, 2, 5) if len(decades) < 5 else (1,)
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    return {"tickmode": "array", "tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}


def _dots(rows: pd.DataFrame, comparison: str) -> go.Scatter:
    colour, symbol = STYLES[comparison]
    return go.Scatter(
        # Beside the bar, which would cover them.
        x=rows["size"] * 1.025, y=rows["threshold"], mode="markers", hoverinfo="skip", showlegend=False,
        legendgroup=comparison, marker={"color": colour, "symbol": symbol, "size": 5, "opacity": 0.6},
    )  # fmt: skip


def _middle(rows: pd.DataFrame, comparison: str, metric: Metric, unit: str, decimals: int) -> go.Scatter:
    colour, symbol = STYLES[comparison]
    several = rows["draws"] > 1
    low, high = (rows[end].where(several, rows[f"{end}_own"]) for end in ("low", "high"))
    text = [
        f"<b>{comparison}</b>, {row.size:,} {unit}s<br>{metric.gain} {row.median:.{decimals}f}"
        + (f", median of {row.found} of {row.draws} draws; they are" if row.draws > 1 else "")
        + (", interval" if row.draws == 1 and known else "")
        + (f" {row_low:.{decimals}f} to {row_high:.{decimals}f}" if known else "")
        for row, row_low, row_high, known in zip(rows.itertuples(index=False), low, high, low.notna(), strict=True)
    ]
    return go.Scatter(
        x=rows["size"], y=rows["median"], mode="markers", name=comparison, legendgroup=comparison, text=text,
        hovertemplate="%{text}<extra></extra>", marker={"color": colour, "symbol": symbol, "size": 10},
        error_y={"type": "data", "symmetric": False, "array": high - rows["median"],
                 "arrayminus": rows["median"] - low, "color": colour, "thickness": 1.5, "width": 4},
    )  # fmt: skip


def _line(rows: pd.DataFrame, comparison: str, c: float, unit: str, decimals: int) -> go.Scatter:
    ends = [float(rows["size"].min()), float(rows["size"].max())]
    name = f"{c:.{max(decimals - 1, 0)}f} / √{unit}s"
    return go.Scatter(
        x=ends, y=[c / math.sqrt(end) for end in ends], mode="lines", name=name, legendgroup=comparison,
        hoverinfo="skip", line={"color": STYLES[comparison][0], "width": 1.5},
    )  # fmt: skip
