"""Confidence of edges on several treebanks: small panels of reliability and of precision-recall curves, and draws."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, share
from nlpsig_core.laboratory.confidence import METHODS, PARSER, methods_of
from nlpsig_core.output.plots.style.layout import add_line, axis, finish, finish_panels, legend_above, panels
from nlpsig_core.output.plots.style.texts import label, lines, plain
from nlpsig_core.output.plots.style.theme import NEUTRAL, series

# Sizes of the marks of bins with the fewest and the most edges.
LEAST_MARK, MOST_MARK = 2, 10
# What all of these figures show.
ALT = "Confidence of edges:"


def reliability_of_treebanks(bins: pd.DataFrame, *, signature: str) -> go.Figure:
    """Draw the share of right edges against confidence, a panel for each treebank: figure 1 of Mejer and Crammer.

    ``bins`` are ``reliability`` of ``confidence.laboratory``; empty bins are not drawn, and bins of few edges have
    small marks. customdata is the row.
    """
    filled = bins[(bins["edges"] > 0) & (bins["method"] != "random")]
    texts = [
        f"{count(row.edges, 'edge')}, mean confidence {share(row.confidence, 1)}: {share(row.right, 1)} right"
        for row in filled.itertuples()
    ]
    most = filled.groupby(["language", "method"])["edges"].transform("max")
    size = LEAST_MARK + (MOST_MARK - LEAST_MARK) * np.sqrt(filled["edges"] / most)
    rows, titles = filled.assign(text=texts, size=size), ("confidence", "right edges")
    figure = _method_lines(
        rows, "centre", "right", "lines+markers", titles=titles, alt="reliability", signature=signature
    )
    line = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}
    return figure.add_shape(type="line", x0=0, y0=0, x1=1, y1=1, line=line, layer="below", row="all", col="all")


def curves_of_treebanks(curves: pd.DataFrame, *, signature: str) -> go.Figure:
    """Draw precision against recall in finding wrong edges, a panel for each treebank: figure 2 of the paper.

    ``curves`` are those of ``confidence.laboratory``; customdata is the row.
    """
    texts = [
        f"{share(row.recall)} of the wrong edges: precision {share(row.precision, 1)}" for row in curves.itertuples()
    ]
    titles, rows = ("recall: wrong edges found", "precision"), curves.assign(text=texts, size=MOST_MARK)
    return _method_lines(rows, "recall", "precision", "lines", titles=titles, alt="curves", signature=signature)


def draws_figure(draws: pd.DataFrame, *, signature: str) -> go.Figure:
    """Draw the average precision of KD-Fix against its number of draws, a line for each treebank: figure 2, right.

    ``draws`` are those of ``confidence.laboratory``, with bars of one standard deviation; customdata is the row.
    """
    figure = go.Figure()
    for index, (language, rows) in enumerate(draws.groupby("language", sort=False)):
        colour, symbol = series(index)
        texts = [
            lines(
                f"<b>{label(str(language))}</b>",
                f"{count(row.draws, 'draw')}: average precision {row.ap:.3f} ± {row.sd:.3f}",
            )
            for row in rows.itertuples()
        ]
        line, marker = {"color": colour, "width": 1.5}, {"color": colour, "symbol": symbol, "size": 7}
        bars = {"array": rows["sd"], "thickness": 1, "width": 2}
        named = {"name": plain(str(language)), "customdata": rows.index.to_numpy("int32")}
        look = {"mode": "lines+markers", "marker": marker, "error_y": bars}
        add_line(figure, rows["draws"], rows["ap"], line, texts, **look, **named)
    x, y = axis("draws of the weights"), axis("average precision of KD-Fix")
    finish(figure, 650, alt=f"{ALT} draws", signature=signature, xaxis=x, yaxis=y)
    return legend_above(figure).update_layout(margin={"t": 150})


def _method_lines(
    rows: pd.DataFrame, x: str, y: str, mode: str, *, titles: tuple[str, str], alt: str, signature: str
) -> go.Figure:
    """Draw a panel for each language with a line of shares for each method, which has one colour in all."""
    names, methods = list(dict.fromkeys(rows["language"])), list(methods_of(PARSER))
    figure, cells = panels(names)
    for (language, method), own in rows.groupby(["language", "method"], sort=False):
        (colour, symbol), cell = series(methods.index(str(method))), names.index(language)
        title, line = METHODS[method].label, {"color": colour, "width": 1.5}
        texts = [lines(f"<b>{label(language)}, {title}</b>", text) for text in own["text"]]
        marker = {"color": colour, "symbol": symbol, "size": own["size"]}
        named = {"name": title, "legendgroup": method, "showlegend": cell == 0}
        row = own.index.to_numpy("int32")
        add_line(figure, own[x], own[y], line, texts, mode=mode, marker=marker, customdata=row, **named, **cells[cell])
    finish_panels(figure, cells, *titles, alt=f"{ALT} {alt}", signature=signature)
    ticks = {"range": [-0.02, 1.04], "tickvals": [0, 0.5, 1], "tickformat": ".0%", "zeroline": False}
    figure.update_xaxes(ticks).update_yaxes(ticks)
    return legend_above(figure, 1 + 30 / figure.layout.height)
