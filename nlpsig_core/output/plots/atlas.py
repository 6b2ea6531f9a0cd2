"""The atlas: pairs of many test sets, the threshold of each, thresholds by size, shares as predicted and as seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, plural, share, two_digits
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import AXIS, view_limit
from nlpsig_core.output.plots.style.layout import (
    add_dots,
    add_line,
    axis,
    finish,
    legend_above,
    log_axis,
    name_line,
    note,
)
from nlpsig_core.output.plots.style.texts import ends, lines, of_all, plain, sentence
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, GREEN, LIGHT, NEUTRAL
from nlpsig_core.studies.atlas.store import n_test_sets

# More dots than this say nothing more, and weigh on the browser.
MOST = 4_000
HEIGHT = 470
BAND = "rgba(0,114,178,0.14)"
# How the lines of thresholds look, and where their names are.
NAMED: dict[str, Any] = {"colour": ACCENT, "width": 1.8, "dash": "dot", "xref": "x", "yref": "y domain"}


def cloud_figure(
    rows: pd.DataFrame, *, n: int, unit: str, metric: Metric, threshold: float, gain: float | None,
    confidence: float, signature: str,
) -> go.Figure:  # fmt: skip
    """Draw confidence against gain for the pairs of all test sets (``views.nearby``), and the reader's gain among them.

    Gains of test sets of another size are drawn at what they would be, in standard errors, on ``n`` units. At most
    MOST pairs are drawn, those on about n units first. ``confidence`` is what the ``gain`` is likely to have.
    """
    about, others = rows[rows["about_n"]], rows[~rows["about_n"]]
    drawn = _evenly(others, max(MOST - len(about), 0)), _evenly(about, MOST)
    figure, of_n, word = go.Figure(), f"on about {n:,} {plural(n, unit)}", metric.gain_word
    behind = 0.35 if len(about) else 0.75
    looks = (("of other sizes, scaled", len(others), NEUTRAL, behind), (of_n, len(about), BLUE, 0.75))
    for part, (name, of, colour, opacity) in zip(drawn, looks, strict=True):
        where = zip(part["task"], part["test_set"], part["language"], part["n"], part["gain"], strict=True)
        hover = [
            lines(
                plain(f"{test_set} ({task})"),
                plain(str(language)),
                f"{size:,} units, {word} {two_digits(own)}",
            )
            for task, test_set, language, size, own in where
        ]
        x, y = part["gain_at_n"].to_numpy("float32"), (1 - part["p_value"]).to_numpy("float32")
        marker = {"color": colour, "size": 4, "opacity": opacity}
        add_dots(figure, x, y, marker, hover, name=f"{name} ({of:,})")
    name_line(figure, threshold, f"{two_digits(threshold)} usually significant", **NAMED)
    limit = view_limit(pd.concat(drawn).assign(gain=lambda of: of["gain_at_n"]))
    if gain is not None:
        limit = max(limit, 1.3 * gain)
        marker = {"color": ACCENT, "size": 15, "symbol": "star", "line": {"color": LIGHT, "width": 1.5}}
        name = f"a {word} of {gain:g}"
        add_dots(figure, [gain], [confidence], marker, f"{name}: {share(confidence)} to be expected", name=name)
    alt, x = _cloud_alt(rows, n, unit, metric, threshold), f"{metric.gain_axis}, at {n:,} {plural(n, unit)}"
    axes = {"xaxis": axis(x, range=[0, limit]), "yaxis": axis(AXIS, range=[0.485, 1.012])}
    return legend_above(finish(figure, HEIGHT, alt=alt, signature=signature, **axes), 1.08)


def _cloud_alt(rows: pd.DataFrame, n: int, unit: str, metric: Metric, threshold: float) -> str:
    about = rows[rows["about_n"]]
    return sentence(
        f"{of_all(int(rows['significant'].sum()), len(rows), 'pair')} are significant",
        f"{of_all(int(about['significant'].sum()), len(about), 'pair')} on about {n:,} {plural(n, unit)}",
        f"above a {metric.gain_word} of {two_digits(threshold)} pairs are usually significant",
        about=f"Pairs of {count(n_test_sets(rows), 'test set')} by {metric.label}",
    )


def _evenly(rows: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return at most this number of rows, evenly spaced."""
    return rows if len(rows) <= most else rows.iloc[np.linspace(0, len(rows) - 1, most).astype(int)]


def strip_figure(
    table: pd.DataFrame, *, n: int, unit: str, metric: Metric, interval: tuple[float, float, float],
    gain: float | None, signature: str,
) -> go.Figure:  # fmt: skip
    """Draw the threshold of each test set at ``n`` units (``views.strip``), and the interval of a new one.

    ``interval`` is the low end, the centre and the high end; its ends are NaN where none is known. customdata is the
    row.
    """
    low, centre, high = interval
    figure = go.Figure()
    if np.isfinite([low, high]).all():
        figure.add_vrect(x0=low, x1=high, fillcolor=BAND, line_width=0, layer="below")
    columns = ["task", "test_set", "language", "year", "n", "threshold"]
    hover = [
        lines(
            plain(f"{test_set} ({task})"),
            plain(" ".join(filter(None, (str(language), str(year))))),
            f"{two_digits(own)} on its {size:,} {plural(size, unit)}",
        )
        for task, test_set, language, year, size, own in zip(*(table[column] for column in columns), strict=True)
    ]
    marker = {"color": BLUE, "size": 8, "line": {"color": LIGHT, "width": 0.5}}
    places = np.arange(len(table))
    add_dots(figure, table["at_n"], places, marker, hover, customdata=table.index, showlegend=False)
    name_line(figure, centre, two_digits(centre), **NAMED)
    if gain is not None:
        at = {"xref": "x", "xanchor": "left", "y": 0, "yref": "y domain"}
        name_line(figure, gain, f" gain {gain:g}", colour=GREEN, width=2, dash=None, **at)
    at_n = f"threshold of {metric.label} at {n:,} {plural(n, unit)}"
    alt = sentence(
        ends(table["at_n"], table["test_set"].astype(str), ".3g"),
        f"{two_digits(centre)}{_between(low, high)} on a new one",
        about=f"Thresholds of {metric.label} on {count(len(table), 'test set')} at {n:,} {plural(n, unit)}",
    )
    y = axis("test sets, by threshold", showticklabels=False, showgrid=False)
    x = {"title": {"text": at_n}, "rangemode": "tozero"}
    return finish(figure, HEIGHT, alt=alt, signature=signature, xaxis=x, yaxis=y)


def _between(low: float, high: float) -> str:
    """Return an interval in words; "" where none is known."""
    return "" if low != low else f" ({two_digits(low)} to {two_digits(high)})"


def threshold_by_size_figure(
    table: pd.DataFrame, *, n: int, unit: str, metric: Metric, gain: float | None, published: pd.DataFrame,
    signature: str,
) -> go.Figure:  # fmt: skip
    """Draw the threshold of a new test set by its number of units (``views.curve``), its interval and ``n``.

    ``published`` are thresholds from elsewhere, with the columns n, threshold, data and comparison.
    """
    figure, known = go.Figure(), table.dropna()
    for column, fill in (("high", None), ("low", "tonexty")) if len(known) else ():
        band = {"fill": fill, "fillcolor": BAND, "name": "90% interval, new test set"}
        add_line(figure, table["n"], table[column], {"width": 0}, showlegend=column == "low", **band)
    look, name = {"color": BLUE, "width": 2.4}, "usually significant above"
    of_threshold = f"%{{x:,}} {plural(2, unit)}: %{{two_digits(y)}}"
    add_line(figure, table["n"], table["threshold"], look, of_threshold, name=name)
    if len(published):
        hover = [
            lines(plain(row.data), plain(row.comparison), f"{two_digits(row.threshold)} on {row.n:,}, one-sided p")
            for row in published.itertuples()
        ]
        marker = {"color": ACCENT, "symbol": "diamond", "size": 9}
        add_dots(figure, published["n"], published["threshold"], marker, hover, name="in the paper")
    figure.add_vline(x=n, line={"color": ACCENT, "dash": "dot", "width": 1.8})
    if gain is not None:
        figure.add_hline(y=gain, line={"color": GREEN, "width": 2})
        at = {"x": 1, "xref": "x domain", "xanchor": "right", "y": np.log10(gain), "yanchor": "bottom"}
        note(figure, f"gain {gain:g}", colour=GREEN, **at)
    heights = [*known["low"], *table["threshold"], *known["high"], *published["threshold"]]
    texts = [
        f"{two_digits(row.threshold)}{_between(row.low, row.high)} on {count(int(row.n), unit)}"
        for row in table.iloc[[0, -1]].itertuples()
    ]
    alt = sentence(*texts, about=f"The threshold of {metric.label} falls with the size of the test set")
    x = log_axis(f"{plural(2, unit)} in the test set", [*table["n"], *published["n"]])
    y = log_axis(metric.gain_axis, heights)
    return legend_above(finish(figure, HEIGHT, alt=alt, signature=signature, xaxis=x, yaxis=y))


def predicted_shares_figure(shares: pd.DataFrame, *, signature: str) -> go.Figure:
    """Draw the share of significant pairs seen on test sets left out, in ten bins, against the share predicted."""
    figure, line = go.Figure(), {"color": NEUTRAL, "dash": "dash", "width": 1.2}
    figure.add_shape(type="line", x0=0, y0=0, x1=1, y1=1, line=line)
    hover = [
        f"predicted {share(row.predicted)}, seen {share(row.seen)}<br>{row.pairs:,} pairs"
        for row in shares.itertuples()
    ]
    add_dots(figure, shares["predicted"], shares["seen"], {"color": BLUE, "size": 10}, hover, showlegend=False)
    figure.update_traces(mode="markers+lines", line={"color": BLUE, "width": 1})
    x, y = (axis(f"significant pairs {how}", range=[-0.03, 1.03], tickformat=".0%") for how in ("predicted", "seen"))
    texts = [f"{share(row.seen)} seen where {share(row.predicted)} was predicted" for row in shares.itertuples()]
    off = f"the largest difference is {100 * (shares['seen'] - shares['predicted']).abs().max():.0f} points"
    about = "Significant pairs of test sets that were left out, in ten bins"
    alt = sentence(*texts[:1], *texts[-1:], off, about=about)
    return finish(figure, HEIGHT - 60, alt=alt, signature=signature, xaxis=x, yaxis=y)
