"""Confidence against gain in several conditions: test sets of several sizes, as in figure 9, or several domains."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, p_text, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import (
    AXIS,
    NAMED,
    by_class,
    confidence_range,
    dots,
    draw_in_panel,
    draw_level,
    pair_texts,
    view_limit,
)
from nlpsig_core.output.plots.style.layout import Cell, axis, finish, finish_panels, legend_on_top
from nlpsig_core.output.plots.style.layout import panels as panels_of
from nlpsig_core.output.plots.style.texts import both_ends, ends, gain_text, lines, over, plain, sentence
from nlpsig_core.output.plots.style.theme import OPAQUE, STYLES, ordered, series
from nlpsig_core.significance.comparison.notion import ALONE, Notion

# The height of a panel of a size.
PANEL_HEIGHT = 270


def sizes_figure(
    pairs: pd.DataFrame, *, metric: Metric, unit: str, signature: str, decimals: int = 2, notion: Notion = Notion(),
    panels: bool = False, spread: pd.DataFrame | None = None, estimate: str = "window", limit: float | None = None,
) -> go.Figure:  # fmt: skip
    """Draw confidence (1 - p) against gain for all pairs on test sets of several sizes (``sizes.pairs_by_size``).

    Each size has a colour and symbol or, with ``panels``, a panel with the colours of the comparison classes and the
    median thresholds of ``spread`` (``sizes.spread_by_size``) by one ``estimate``. Gains are drawn up to ``limit``,
    by default the ``view_limit`` of all sizes together. customdata is the row of ``pairs``.
    """
    with_gain = pairs[pairs["gain"] > 0]
    shown = view_limit(with_gain) if limit is None else limit
    drawn = with_gain[with_gain["gain"] <= shown]
    of_size = with_gain["size"].value_counts().sort_index()
    parts = [(f"{size:,} {unit}s", drawn[drawn["size"] == size]) for size in of_size.index]
    texts = _size_texts(drawn, metric, unit, decimals, notion.level) if len(drawn) <= NAMED else None
    marker = {"size": 5 if panels else 6, "opacity": 0.9}
    trace = partial(_trace, marker=marker, texts=texts, n_drawn=len(drawn), decimals=decimals)
    if panels:
        titles = {"x_title": metric.gain_axis, "y_title": AXIS}
        figure, cells = panels_of(
            [name for name, _ in parts], (0.02, 0.14), shared_xaxes="all", shared_yaxes="all", **titles
        )
        _fill(figure, cells, [rows for _, rows in parts], trace)
        medians = pd.DataFrame({"size": []}) if spread is None else spread[spread["estimate"] == estimate]
        for size, cell in zip(of_size.index, cells, strict=True):
            at = medians[medians["size"] == size]
            levels = zip(at["comparison"], at["median"], strict=True) if len(at) else ()
            draw_in_panel(figure, levels, cell, decimals, "dash" if estimate == "window" else "dot")
    else:
        figure, cells = go.Figure(), []
        for index, (of, (name, rows)) in enumerate(zip(of_size, parts, strict=True)):
            some = f"{len(rows):,} of " if len(rows) < of else ""
            figure.add_trace(trace(rows, *ordered(index, len(parts))).update(name=f"{name} ({some}{of:,})"))
        figure.update_layout(xaxis=axis(metric.gain_axis), yaxis=axis(AXIS))
    _range(figure, drawn, shown, notion, in_legend=panels)
    height = 130 + PANEL_HEIGHT * max((cell["row"] for cell in cells), default=1) if panels else 620
    shares = pairs.groupby("size")["significant"].mean()
    at_ends = [
        f"{share(part)} of pairs are significant on {count(int(size), unit)}"
        for size, part in shares.iloc[both_ends(shares)].items()
    ]
    alt = sentence(*at_ends, about=f"{count(len(shares), 'size')} of the test set")
    finish(figure, height, alt=alt, signature=signature)
    return legend_on_top(figure).update_layout(margin={"l": 66}) if panels else figure


def _size_texts(rows: pd.DataFrame, metric: Metric, unit: str, decimals: int, level: float) -> pd.Series:
    """Return the hover text of each pair, with its draw where there are several."""
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


def domains_figure(
    pairs: pd.DataFrame, thresholds: pd.DataFrame, *, metric: Metric, unit: str, signature: str, decimals: int = 2,
    notion: Notion = Notion(), panels: bool = False,
) -> go.Figure:  # fmt: skip
    """Draw confidence (1 - p) against gain in each domain; customdata is the row of ``pairs``.

    ``pairs`` are those of ``domains.pairs_by_domain``. The paper's figure 11: the same systems on test sets of one
    size. Each domain has a colour and symbol or, with ``panels``, axes of its own with the same ranges, the colours of
    the comparison classes and the model's ``thresholds`` (``domains.thresholds_by_domain``). Pairs beyond
    ``view_limit`` are not drawn. A line marks where the notion of significance is reached without adjustment.
    """
    with_gain = pairs[pairs["gain"] > 0]
    limit = view_limit(with_gain)
    drawn = with_gain[with_gain["gain"] <= limit]
    of_pairs = zip(drawn["domain"], pair_texts(drawn, metric, unit, decimals, notion.level), strict=True)
    texts = pd.Series([f"{plain(name)}: {text}" for name, text in of_pairs], index=drawn.index, dtype=object)
    marker = {"size": 6 if panels else 7, "opacity": OPAQUE}
    trace = partial(_trace, marker=marker, texts=texts, n_drawn=len(drawn), decimals=decimals)
    names = list(dict.fromkeys(pairs["domain"]))
    parts = [drawn[drawn["domain"] == name] for name in names]
    meta = {"alt": _domains_alt(pairs, thresholds, metric, decimals), "signature": signature}
    if panels:
        figure, cells = panels_of(names)
        _fill(figure, cells, parts, trace)
        for name, cell in zip(names, cells, strict=True):
            own = thresholds[thresholds["domain"] == name]
            draw_in_panel(figure, zip(own["comparison"], own["model_threshold"], strict=True), cell, decimals, "dot")
        finish_panels(figure, cells, metric.gain_axis, AXIS, **meta)
    else:
        figure = go.Figure()
        for index, (name, rows) in enumerate(zip(names, parts, strict=True)):
            of = f"{plain(name)} ({(with_gain['domain'] == name).sum():,})"
            figure.add_trace(trace(rows, *series(index)).update(name=of))
        finish(figure, 620, **meta, xaxis=axis(metric.gain_axis), yaxis=axis(AXIS))
    _range(figure, drawn, limit, notion, in_legend=panels)
    return legend_on_top(figure) if panels else figure


def _domains_alt(pairs: pd.DataFrame, thresholds: pd.DataFrame, metric: Metric, decimals: int) -> str:
    shares = pairs.groupby("domain", sort=False)["significant"].mean().reset_index()
    texts = [f"significant pairs {ends(shares['significant'], shares['domain'], '.0%')}"] if len(shares) else []
    for comparison, rows in by_class(thresholds):
        if found := ends(rows["model_threshold"], rows["domain"], f".{decimals}f"):
            texts.append(f"thresholds (model) for {comparison} as {metric.gain} {found}")
    return sentence(*texts, about=count(len(shares), "domain"))


def _trace(
    rows: pd.DataFrame, colour: str, symbol: str, *, marker: dict[str, Any], texts: pd.Series | None, n_drawn: int,
    decimals: int,
) -> Any:  # fmt: skip
    hover = None if texts is None else texts.loc[rows.index].tolist()
    look = marker | {"color": colour, "symbol": symbol}
    return dots(rows, look, n_drawn=n_drawn, hover=hover, decimals=decimals)


def _fill(figure: go.Figure, cells: list[Cell], parts: Iterable[pd.DataFrame], trace: Callable[..., Any]) -> None:
    """Add the dots of each panel, each class in its colour, and once in the legend."""
    named: set[str] = set()
    for cell, part in zip(cells, parts, strict=True):
        for comparison, rows in by_class(part):
            of_class = trace(rows, *STYLES[comparison]).update(name=comparison, legendgroup=comparison)
            figure.add_trace(of_class.update(showlegend=comparison not in named), **cell)
            named.add(comparison)


def _range(figure: go.Figure, drawn: pd.DataFrame, limit: float, notion: Notion, in_legend: bool) -> None:
    """Add the line of significance of a pair on its own, and set the range of all axes."""
    draw_level(figure, replace(notion, scope=ALONE), in_legend=in_legend)
    figure.update_xaxes(range=[0, limit], zeroline=False)
    figure.update_yaxes(range=confidence_range(drawn), zeroline=False)
