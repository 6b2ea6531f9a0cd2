"""The paper's figures 9 and 10, confidence against gain by size of the test set, and thresholds against size."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.base.words import p_text
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import AXIS, NAMED, confidence_range, dots, draw_level, view_limit
from nlpsig_core.output.plots.style.hover import gain_text, lines, over, template
from nlpsig_core.output.plots.style.layout import LABEL_SIZE, error_bars, finish, legend_above, legend_on_top, log_ticks
from nlpsig_core.output.plots.style.theme import STYLES, ordered
from nlpsig_core.output.plots.style.thresholds import draw_in_panel
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.notion import ALONE, Notion
from nlpsig_core.studies.analyses.sizes import ESTIMATES

PANELS_A_ROW = 3
PANEL_HEIGHT = 270
ESTIMATE_NAMES = {"window": "from the window of p", "model": "from the model of needed gains"}


def sizes_figure(
    pairs: pd.DataFrame,
    *,
    metric: Metric,
    unit: str,
    signature: str,
    decimals: int = 2,
    notion: Notion = Notion(),
    panels: bool = False,
    spread: pd.DataFrame | None = None,
    estimate: str = "window",
    limit: float | None = None,
) -> go.Figure:
    """Confidence (1 - p) against gain for all pairs on test sets of several sizes (``sizes.pairs_by_size``).

    Each size has a colour and symbol or, with ``panels``, a panel with the colours of the comparison classes and the
    median thresholds of ``spread`` (``sizes.spread_by_size``) by one ``estimate``. Gains are drawn up to ``limit``,
    by default the ``view_limit`` of all sizes together. customdata is the row of ``pairs``.
    """
    with_gain = pairs[pairs["gain"] > 0]
    shown = view_limit(with_gain) if limit is None else limit
    drawn = with_gain[with_gain["gain"] <= shown]
    of_size = with_gain["size"].value_counts().sort_index()
    hover = _hover(drawn, metric, unit, decimals, notion.level) if len(drawn) <= NAMED else None
    trace = partial(_trace, hover=hover, n_drawn=len(drawn), decimals=decimals)
    x_title, y_title = metric.gain_axis, AXIS
    if panels:
        cells = _cells(list(of_size.index))
        figure = _panels(drawn, cells, trace, unit, x_title, y_title)
        if spread is not None:
            for size, rows in spread[spread["estimate"] == estimate].groupby("size"):
                levels = zip(rows["comparison"], rows["median"], strict=True)
                draw_in_panel(figure, levels, cells[size], decimals, "dash" if estimate == "window" else "dot")
    else:
        figure = _overlaid(drawn, of_size, trace, unit)
        figure.update_layout(xaxis={"title": {"text": x_title}}, yaxis={"title": {"text": y_title}})
    draw_level(figure, replace(notion, scope=ALONE), in_legend=panels)
    figure.update_xaxes(range=[0, shown], zeroline=False)
    figure.update_yaxes(range=confidence_range(drawn), zeroline=False)
    if not panels:
        return finish(figure, signature, 620)
    finish(figure, signature, 130 + PANEL_HEIGHT * max(cell["row"] for cell in cells.values()))
    return legend_on_top(figure).update_layout(margin={"l": 66})


def _trace(rows: pd.DataFrame, marker: dict[str, Any], hover: pd.Series | None, n_drawn: int, decimals: int) -> Any:
    texts = None if hover is None else hover.loc[rows.index].tolist()
    return dots(rows, marker | {"opacity": 0.9}, n_drawn=n_drawn, hover=texts, decimals=decimals)


def _overlaid(drawn: pd.DataFrame, of_size: pd.Series, trace: Callable[..., Any], unit: str) -> go.Figure:
    """All sizes on the same axes, the largest on top; ``of_size`` counts the pairs with a gain of each size."""
    figure = go.Figure()
    for index, (size, of) in enumerate(of_size.items()):
        colour, symbol = ordered(index, len(of_size))
        marker = {"color": colour, "symbol": symbol, "size": 6}
        rows = drawn[drawn["size"] == size]
        some = f"{len(rows):,} of {of:,}" if len(rows) < of else f"{of:,}"
        figure.add_trace(trace(rows, marker).update(name=f"{size:,} {unit}s ({some})"))
    return figure


def _cells(sizes: list[int]) -> dict[int, dict[str, int]]:
    """Row and column of each size's panel, from 1."""
    across = 2 if len(sizes) == 4 else PANELS_A_ROW
    cells = {size: {"row": index // across + 1, "col": index % across + 1} for index, size in enumerate(sizes)}
    return cells or {0: {"row": 1, "col": 1}}


def _panels(
    drawn: pd.DataFrame,
    cells: dict[int, dict[str, int]],
    trace: Callable[..., Any],
    unit: str,
    x_title: str,
    y_title: str,
) -> go.Figure:
    """A panel for each size, all with the same ranges; the legend has each class once."""
    down, across = (max(cell[way] for cell in cells.values()) for way in ("row", "col"))
    figure = make_subplots(
        down, across, shared_xaxes="all", shared_yaxes="all", x_title=x_title, y_title=y_title,
        subplot_titles=[f"{size:,} {unit}s" for size in cells], horizontal_spacing=0.02, vertical_spacing=0.14 / down,
    )  # fmt: skip
    figure.update_annotations(font={"size": LABEL_SIZE + 2})
    named: set[str] = set()
    for index, (size, cell) in enumerate(cells.items()):
        for comparison in COMPARISONS:
            rows = drawn[(drawn["size"] == size) & (drawn["comparison"] == comparison)]
            if len(rows):
                colour, symbol = STYLES[comparison]
                of_class = trace(rows, {"color": colour, "symbol": symbol, "size": 5})
                of_class.update(name=comparison, legendgroup=comparison, showlegend=comparison not in named)
                figure.add_trace(of_class, **cell)
                named.add(comparison)
        # Where the last row is not full, the numbers go below the panels above its gap.
        if index >= len(cells) - across:
            figure.update_xaxes(showticklabels=True, **cell)
    return figure


def _hover(rows: pd.DataFrame, metric: Metric, unit: str, decimals: int, level: float) -> pd.Series:
    several = rows["draw"].max() > 1 if len(rows) else False
    columns = ["system_a", "system_b", "gain", "p", "p_bound", "comparison", "size", "draw"]
    texts = [
        lines(
            over(a, b),
            f"{gain_text(metric, gain, decimals)}, p {p_text(p, bound=bound, level=level)}",
            comparison,
            f"{size:,} {unit}s" + (f", draw {draw}" if several else ""),
        )
        for a, b, gain, p, bound, comparison, size, draw in rows[columns].itertuples(index=False)
    ]
    return pd.Series(texts, index=rows.index, dtype=object)


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
    """Threshold against size on logarithmic axes, by one estimate; each comparison class has a colour and symbol.

    Frames are those of ``sizes.thresholds_by_size``, ``fit_by_size`` and ``spread_by_size``. For a size with one draw
    the bar is the model's interval; the window gives none. For a size with several draws each is a small dot, the
    symbol is at their median, and the bar extends from the smallest to the largest. The line is the fitted
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
            figure.add_trace(_draws(every[every["comparison"] == comparison], comparison))
        figure.add_trace(_middle(rows, comparison, metric, unit, decimals))
        if comparison in fits.index and not math.isnan(fits.loc[comparison, "c"]):
            figure.add_trace(_fitted(rows, comparison, fits.loc[comparison, "c"], unit, decimals))
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
    """Columns size, draw, comparison, threshold, low and high of one estimate; the window has no interval."""
    prefix = ESTIMATES[estimate]
    named = {f"{prefix}{name}": name for name in ("threshold", "low", "high")}
    table = thresholds[["size", "draw", "comparison"]].copy()
    for column, name in named.items():
        table[name] = thresholds.get(column, np.nan)
    return table


def _around(sizes: list[int]) -> list[float] | None:
    """The range of a logarithmic axis with all sizes and some room."""
    return [math.log10(sizes[0] * 0.92), math.log10(sizes[-1] * 1.09)] if sizes else None


def _draws(rows: pd.DataFrame, comparison: str) -> go.Scatter:
    colour, symbol = STYLES[comparison]
    return go.Scatter(
        # Beside the bar, which would hide them.
        x=rows["size"] * 1.025, y=rows["threshold"], mode="markers", hoverinfo="skip", showlegend=False,
        legendgroup=comparison, marker={"color": colour, "symbol": symbol, "size": 5, "opacity": 0.6},
    )  # fmt: skip


def _middle(rows: pd.DataFrame, comparison: str, metric: Metric, unit: str, decimals: int) -> go.Scatter:
    colour, symbol = STYLES[comparison]
    several = rows["draws"] > 1
    low, high = (rows[end].where(several, rows[f"{end}_own"]) for end in ("low", "high"))
    text = [
        f"<b>{comparison}</b>, {row.size:,} {unit}s<br>{metric.gain} {row.median:.{decimals}f}"
        + (f", median of {row.found} of {row.draws} draws, range" if row.draws > 1 else "")
        + (", interval" if row.draws == 1 and known else "")
        + (f" {row_low:.{decimals}f} to {row_high:.{decimals}f}" if known else "")
        for row, row_low, row_high, known in zip(rows.itertuples(index=False), low, high, low.notna(), strict=True)
    ]
    return go.Scatter(
        x=rows["size"], y=rows["median"], mode="markers", name=comparison, legendgroup=comparison, text=text,
        hovertemplate=template(), marker={"color": colour, "symbol": symbol, "size": 10},
        error_y=error_bars(rows["median"], low, high, colour=colour, thickness=1.5, width=4),
    )  # fmt: skip


def _fitted(rows: pd.DataFrame, comparison: str, c: float, unit: str, decimals: int) -> go.Scatter:
    ends = [float(rows["size"].min()), float(rows["size"].max())]
    name = f"{c:.{max(decimals - 1, 0)}f} / √{unit}s"
    return go.Scatter(
        x=ends, y=[c / math.sqrt(end) for end in ends], mode="lines", name=name, legendgroup=comparison,
        hoverinfo="skip", line={"color": STYLES[comparison][0], "width": 1.5},
    )  # fmt: skip
