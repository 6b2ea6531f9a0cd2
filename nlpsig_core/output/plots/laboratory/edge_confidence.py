"""Confidence of edges: precision-recall curves, reliability diagrams, errors found against edges inspected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.colors import hex_to_rgb

from nlpsig_core.base.words import count, share
from nlpsig_core.output.plots.style.layout import add_line, axis, finish, legend_above, note
from nlpsig_core.output.plots.style.texts import label, lines, plain, sentence
from nlpsig_core.output.plots.style.theme import NEUTRAL, series

# The opacity of the bands of intervals, and of the bars behind the data.
BAND, BARS = 0.15, 0.3
# The share of a bin that the bars of all series take together.
BIN_SHARE = 0.8


def precision_recall_figure(curves: pd.DataFrame, *, signature: str) -> go.Figure:
    """Draw precision against recall in finding wrong edges, with 95% bands: figure 2 of Mejer and Crammer (2012).

    ``curves`` has the columns of ``confidence.resampled.curve`` and ``name``, a series each. customdata is the row.
    """
    figure = go.Figure()
    for index, (name, rows) in enumerate(curves.groupby("name", sort=False)):
        band = f"rgba({','.join(map(str, hex_to_rgb(series(index)[0])))},{BAND})"
        x, y = (pd.concat([rows[up], rows[down][::-1]]) for up, down in (("recall", "recall"), ("high", "low")))
        area: dict[str, Any] = {"fill": "toself", "fillcolor": band}
        add_line(figure, x, y, {"width": 0}, legendgroup=name, showlegend=False, **area)
        texts = [
            lines(
                f"<b>{label(name)}</b>",
                f"{share(row.recall)} of the errors found: precision {share(row.precision, 1)}",
                f"95% interval {share(row.low, 1)} to {share(row.high, 1)}",
            )
            for row in rows.itertuples()
        ]
        _add_series(figure, rows, ("recall", "precision"), name, index, texts)
    middle = [
        f"{name} {share(row['precision'])} (95% interval {share(row['low'])} to {share(row['high'])})"
        for name, row in _nearest(curves, "recall", 0.5)
    ]
    alt = sentence(", ".join(middle), about="Precision where 50% of the errors are found")
    titles = "recall: errors found", "precision: errors among those seen"
    return _finished(figure, titles, alt=alt, signature=signature)


def _nearest(curves: pd.DataFrame, column: str, at: float) -> list[tuple[str, pd.Series]]:
    """Return of each series its name and the row whose column is nearest to a value."""
    series_of = curves.groupby("name", sort=False)
    return [(name, rows.iloc[int(np.abs(rows[column] - at).argmin())]) for name, rows in series_of]


def reliability_figure(bins: pd.DataFrame, *, signature: str) -> go.Figure:
    """Draw the share of right edges against confidence in 20 bins, bars of the number of edges, and the line y = x.

    ``bins`` has the columns of ``confidence.evaluation.reliability`` and ``name``, a series each.
    customdata is the row. Figure 1 of Mejer and Crammer (2012).
    """
    figure, names = go.Figure(), list(dict.fromkeys(bins["name"]))
    for index, name in enumerate(names):
        rows, (colour, symbol) = bins[bins["name"] == name], series(index)
        width = BIN_SHARE * 0.05
        figure.add_bar(
            x=rows["centre"],
            y=rows["edges"],
            yaxis="y2",
            width=width / len(names),
            offset=width * (index / len(names) - 0.5),
            marker={"color": colour, "opacity": BARS},
            legendgroup=name,
            showlegend=False,
            hoverinfo="skip",
        )
        filled = rows[rows["edges"] > 0]
        texts = [
            lines(
                f"<b>{label(name)}</b>",
                f"{row.edges:,} with a mean confidence of {share(row.confidence, 1)}",
                f"{share(row.right, 1)} right",
            )
            for row in filled.itertuples()
        ]
        marker = {"color": colour, "symbol": symbol, "size": 9}
        named = {"name": plain(name), "legendgroup": name, "customdata": filled.index.to_numpy("int32")}
        line = {"color": colour, "width": 1.5}
        add_line(figure, filled["centre"], filled["right"], line, texts, mode="lines+markers", marker=marker, **named)
    _add_diagonal(figure)
    note(figure, "above the line: too pessimistic", colour=NEUTRAL, x=0.02, y=0.98, xanchor="left", yanchor="top")
    # Between the line and the bars, of which the last one is often the longest.
    note(figure, "below: too optimistic", colour=NEUTRAL, x=0.92, y=0.3, xanchor="right", yanchor="middle")
    ends = []
    for name, rows in bins[bins["edges"] > 0].groupby("name", sort=False):
        first, last = rows.iloc[0], rows.iloc[-1]
        ends.append(
            f"{name} {share(first['right'])} of {first['edges']:,} at a confidence around {share(first['centre'], 1)}"
            f" and {share(last['right'])} of {last['edges']:,} around {share(last['centre'], 1)}"
        )
    n_bins = count(bins["centre"].nunique(), "bin")
    alt = sentence(*ends, about=f"Predictions that are right, by confidence in {n_bins}")
    number = {"title": {"text": "number (bars)"}, "side": "right", "showgrid": False, "rangemode": "tozero"}
    titles = "confidence, in bins of width 0.05", "right"
    _finished(figure, titles, alt=alt, signature=signature, yaxis2=number | {"tickformat": ",d"})
    return figure.update_layout(yaxis_overlaying="y2")


def errors_found_figure(found: pd.DataFrame, *, signature: str, marked: float | None = None) -> go.Figure:
    """Draw the share of the wrong edges found against the share of edges inspected, the least sure first.

    ``found`` has the columns of ``confidence.evaluation.found_after`` and ``name``, a series each; customdata is the
    row. ``marked`` is a share of edges with a line of its own. Table 2 of Mejer and Crammer (2012) as a curve.
    """
    figure = go.Figure()
    for index, (name, rows) in enumerate(found.groupby("name", sort=False)):
        texts = [
            lines(
                f"<b>{label(name)}</b>",
                f"the {share(row.inspected, 1)} least sure have {share(row.found, 1)} of the errors",
            )
            for row in rows.itertuples()
        ]
        _add_series(figure, rows, ("inspected", "found"), name, index, texts)
    _add_diagonal(figure)
    if marked is not None:
        figure.add_vline(x=marked, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    note(figure, "dashed: random order", colour=NEUTRAL, x=0.98, y=0.02, xanchor="right", yanchor="bottom")
    at = 0.1 if marked is None else marked
    shares = [f"{name} {share(row['found'])}" for name, row in _nearest(found, "inspected", at)]
    alt = sentence(", ".join(shares) or "no system has errors", about=f"Errors found in the {share(at)} least sure")
    return _finished(figure, ("looked at, the least sure first", "errors found"), alt=alt, signature=signature)


def _add_series(
    figure: go.Figure, rows: pd.DataFrame, columns: tuple[str, str], name: str, index: int, texts: list[str]
) -> None:
    """Add the line of a series, whose customdata is the row."""
    x, y = (rows[column] for column in columns)
    line, row = {"color": series(index)[0], "width": 2}, rows.index.to_numpy("int32")
    add_line(figure, x, y, line, texts, name=plain(name), legendgroup=name, customdata=row)


def _add_diagonal(figure: go.Figure) -> None:
    add_line(figure, [0, 1], [0, 1], {"color": NEUTRAL, "width": 1.5, "dash": "dash"}, showlegend=False)


def _finished(figure: go.Figure, titles: tuple[str, str], **layout: Any) -> go.Figure:
    """Return the figure with shares from 0 to 1 on both axes and a legend above them."""
    ticks = {"tickmode": "array", "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1], "tickformat": ".0%"}
    x, y = (axis(title, range=[-0.01, 1.02], **ticks) for title in titles)
    return legend_above(finish(figure, 500, **layout, xaxis=x, yaxis=y))
