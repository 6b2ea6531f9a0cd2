"""Confidence of edges: precision-recall curves, reliability diagrams, errors found against edges inspected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.colors import hex_to_rgb

from nlpsig_core.base.words import count, share
from nlpsig_core.output.plots.style.hover import label, lines, plain, template
from nlpsig_core.output.plots.style.layout import finish, legend_above, note
from nlpsig_core.output.plots.style.theme import NEUTRAL, series
from nlpsig_core.output.plots.style.wording import listed, sentence

# The opacity of the bands of intervals, and of the bars behind the data.
BAND, BARS = 0.15, 0.3
# The share of a bin that the bars of all series take together.
BIN_SHARE = 0.8


def precision_recall_figure(curves: pd.DataFrame, *, signature: str) -> go.Figure:
    """Precision against recall in finding wrong edges, with 95% bands: figure 2 of Mejer and Crammer (2012).

    ``curves`` has the columns of ``confidence.resampled.curve`` and ``name``, a series each. customdata is the row.
    """
    figure = go.Figure()
    for index, (name, rows) in enumerate(curves.groupby("name", sort=False)):
        colour, _ = series(index)
        band = pd.concat([rows["recall"], rows["recall"][::-1]]), pd.concat([rows["high"], rows["low"][::-1]])
        figure.add_trace(
            go.Scatter(
                x=band[0], y=band[1], mode="lines", line={"width": 0}, fill="toself", fillcolor=_faint(colour, BAND),
                legendgroup=name, showlegend=False, hoverinfo="skip",
            )
        )  # fmt: skip
        figure.add_trace(_line(rows, "recall", "precision", str(name), index, _curve_texts(rows, str(name))))
    return legend_above(
        finish(
            figure, 500, alt=precision_recall_alt(curves), signature=signature,
            xaxis=_share_axis("recall: errors found"), yaxis=_share_axis("precision: errors among those seen"),
        )
    )  # fmt: skip


def precision_recall_alt(curves: pd.DataFrame) -> str:
    """The precision of each series where half of the errors are found."""
    texts = []
    for name, rows in curves.groupby("name", sort=False):
        nearest = rows.iloc[int(np.abs(rows["recall"] - 0.5).argmin())]
        interval = f"95% interval {share(nearest['low'])} to {share(nearest['high'])}"
        texts.append(f"{name} {share(nearest['precision'])} ({interval})")
    return sentence(listed(texts), about="Precision where 50% of the errors are found")


def reliability_figure(bins: pd.DataFrame, *, signature: str) -> go.Figure:
    """Share of right edges against confidence in 20 bins, with bars of the number of edges, and the line y = x.

    ``bins`` has the columns of ``confidence.evaluation.reliability`` and ``name``, a series each.
    customdata is the row. Figure 1 of Mejer and Crammer (2012).
    """
    figure = go.Figure()
    names = list(dict.fromkeys(bins["name"]))
    for index, name in enumerate(names):
        rows, (colour, symbol) = bins[bins["name"] == name], series(index)
        figure.add_trace(
            go.Bar(
                x=rows["centre"], y=rows["edges"], yaxis="y2", width=BIN_SHARE * 0.05 / len(names),
                offset=BIN_SHARE * 0.05 * (index / len(names) - 0.5), marker={"color": colour, "opacity": BARS},
                legendgroup=name, showlegend=False, hoverinfo="skip",
            )
        )  # fmt: skip
        filled = rows[rows["edges"] > 0]
        figure.add_trace(
            go.Scatter(
                x=filled["centre"], y=filled["right"], mode="lines+markers", name=plain(name), legendgroup=name,
                line={"color": colour, "width": 1.5}, marker={"color": colour, "symbol": symbol, "size": 9},
                customdata=filled.index.to_numpy("int32"), text=_bin_texts(filled, name), hovertemplate=template(),
            )
        )  # fmt: skip
    _diagonal(figure)
    finish(
        figure, 500, alt=reliability_alt(bins), signature=signature,
        xaxis=_share_axis("confidence, in bins of width 0.05"),
        yaxis=_share_axis("right") | {"overlaying": "y2"},
        yaxis2={"title": {"text": "number (bars)"}, "side": "right", "showgrid": False, "rangemode": "tozero",
            "tickformat": ",d"},
    )  # fmt: skip
    note(figure, "above the line: too pessimistic", colour=NEUTRAL, x=0.02, y=0.98, xanchor="left", yanchor="top")
    # Between the line and the bars, of which the last one is often the longest.
    note(figure, "below: too optimistic", colour=NEUTRAL, x=0.92, y=0.3, xanchor="right", yanchor="middle")
    return legend_above(figure)


def reliability_alt(bins: pd.DataFrame) -> str:
    """The share that is right in the first and in the last bin of each series."""
    texts = []
    for name, rows in bins[bins["edges"] > 0].groupby("name", sort=False):
        first, last = rows.iloc[0], rows.iloc[-1]
        texts.append(
            f"{name} {share(first['right'])} of {first['edges']:,} at a confidence around {share(first['centre'], 1)}"
            f" and {share(last['right'])} of {last['edges']:,} around {share(last['centre'], 1)}"
        )
    bins_of_one = count(bins["centre"].nunique(), "bin")
    return sentence(*texts, about=f"Predictions that are right, by confidence in {bins_of_one}")


def errors_found_figure(found: pd.DataFrame, *, signature: str, marked: float | None = None) -> go.Figure:
    """Share of the wrong edges found against the share of edges inspected, the least sure first.

    ``found`` has the columns of ``confidence.evaluation.found_after`` and ``name``, a series each; customdata is the
    row. ``marked`` is a share of edges with a line of its own. Table 2 of Mejer and Crammer (2012) as a curve.
    """
    figure = go.Figure()
    for index, (name, rows) in enumerate(found.groupby("name", sort=False)):
        figure.add_trace(_line(rows, "inspected", "found", str(name), index, _found_texts(rows, str(name))))
    _diagonal(figure)
    if marked is not None:
        figure.add_vline(x=marked, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    note(figure, "dashed: random order", colour=NEUTRAL, x=0.98, y=0.02, xanchor="right", yanchor="bottom")
    return legend_above(
        finish(
            figure, 500, alt=errors_found_alt(found, marked=marked), signature=signature,
            xaxis=_share_axis("looked at, the least sure first"), yaxis=_share_axis("errors found"),
        )
    )  # fmt: skip


def errors_found_alt(found: pd.DataFrame, *, marked: float | None = None) -> str:
    """The share of errors that each series finds in the marked share of the least sure, or in a tenth."""
    at = 0.1 if marked is None else marked
    texts = []
    for name, rows in found.groupby("name", sort=False):
        nearest = rows.iloc[int(np.abs(rows["inspected"] - at).argmin())]
        texts.append(f"{name} {share(nearest['found'])}")
    about = f"Errors found in the {share(at)} least sure"
    return sentence(listed(texts) or "no system has errors", about=about)


def _line(rows: pd.DataFrame, x: str, y: str, name: str, index: int, texts: list[str]) -> go.Scatter:
    return go.Scatter(
        x=rows[x], y=rows[y], mode="lines", name=plain(name), legendgroup=name,
        line={"color": series(index)[0], "width": 2}, customdata=rows.index.to_numpy("int32"), text=texts,
        hovertemplate=template(),
    )  # fmt: skip


def _diagonal(figure: go.Figure) -> None:
    figure.add_trace(
        go.Scatter(
            x=[0, 1], y=[0, 1], mode="lines", showlegend=False, hoverinfo="skip",
            line={"color": NEUTRAL, "width": 1.5, "dash": "dash"},
        )
    )  # fmt: skip


def _share_axis(title: str) -> dict[str, Any]:
    ticks = {"tickmode": "array", "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1], "tickformat": ".0%"}
    return {"title": {"text": title}, "range": [-0.01, 1.02], "zeroline": False, **ticks}


def _faint(colour: str, opacity: float) -> str:
    return f"rgba({','.join(map(str, hex_to_rgb(colour)))},{opacity})"


def _curve_texts(rows: pd.DataFrame, name: str) -> list[str]:
    return [
        lines(
            f"<b>{label(name)}</b>",
            f"{share(row.recall)} of the errors found: precision {share(row.precision, 1)}",
            f"95% interval {share(row.low, 1)} to {share(row.high, 1)}",
        )
        for row in rows.itertuples()
    ]


def _bin_texts(rows: pd.DataFrame, name: str) -> list[str]:
    return [
        lines(
            f"<b>{label(name)}</b>",
            f"{row.edges:,} with a mean confidence of {share(row.confidence, 1)}",
            f"{share(row.right, 1)} right",
        )
        for row in rows.itertuples()
    ]


def _found_texts(rows: pd.DataFrame, name: str) -> list[str]:
    return [
        lines(
            f"<b>{label(name)}</b>",
            f"the {share(row.inspected, 1)} least sure have {share(row.found, 1)} of the errors",
        )
        for row in rows.itertuples()
    ]
