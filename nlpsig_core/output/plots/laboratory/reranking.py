"""Reranking: the oracle by size of the list, where the best parse stands, and what each class of features adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.layout import (
    LABEL_SIZE,
    add_dots,
    add_line,
    axis,
    error_bars,
    finish,
    legend_above,
    log_axis,
    note,
    rows_axis,
)
from nlpsig_core.output.plots.style.texts import (
    ends,
    gain_text,
    interval,
    label,
    lines,
    plain,
    sentence,
    template,
)
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, GREEN, NEUTRAL, hollow
from nlpsig_core.significance.comparison.verdict import BETTER, UNDECIDED, WORSE

# Colour and symbol of each verdict on a step.
VERDICTS = {
    BETTER: (BLUE, "circle"),
    WORSE: (ACCENT, "diamond"),
    UNDECIDED: (NEUTRAL, hollow("circle")),
}
# Where the names of the lines end, as a share of the axis.
NAMES_AT = 0.99
# The height of a step in pixels.
ROW = 24
# Ranks are shown up to this one; those beyond it are one bar.
RANKS = 15


def oracle_figure(oracle: pd.DataFrame, marks: Mapping[str, float], *, metric: Metric, signature: str) -> go.Figure:
    """Plot the score of the best candidates among the first 1, 2, ... of each list, with lines at ``marks``.

    ``oracle`` has the columns size and score; customdata is the row. Johnson (2005), slide 8.
    """
    texts = [
        f"the best of the first {row.size} of each list: {metric.label} {row.score:.2f}"
        if row.size > 1
        else f"the first parse: {metric.label} {row.score:.2f}"
        for row in oracle.rename_axis("row").itertuples(name="Row")
    ]
    figure, line = go.Figure(), {"color": BLUE, "width": 2}
    look = {"mode": "lines+markers", "marker": {"color": BLUE, "size": 7}, "showlegend": False}
    named = {"name": "best of the first parses", "customdata": oracle.index.to_numpy("int32")}
    add_line(figure, oracle["size"], oracle["score"], line, texts, **look, **named)
    for name, score in marks.items():
        figure.add_hline(y=score, line={"color": NEUTRAL, "width": 1.2, "dash": "dash"}, layer="below")
        # The lowest line has its name below it, so that names of lines near each other do not overlap.
        side = "top" if score == min(marks.values()) else "bottom"
        at: dict[str, Any] = {"x": NAMES_AT, "xref": "paper", "y": score, "yref": "y", "yanchor": side}
        note(figure, f"{plain(name)} {score:.2f}", xanchor="right", **at)
    first, last = oracle.iloc[0], oracle.iloc[-1]
    sizes = f"{first['size']:.0f} to {last['size']:.0f}"
    alt = sentence(
        f"{first['score']:.2f} to {last['score']:.2f}",
        ", ".join(f"{name} {score:.2f}" for name, score in marks.items()),
        about=f"{metric.label} of the best parse among the first {sizes} of each list",
    )
    x = log_axis("parses in each list, the base parser's best first", oracle["size"])
    return finish(figure, 400, alt=alt, signature=signature, xaxis=x, yaxis=axis(metric.axis))


def ranks_figure(ranks: pd.DataFrame, *, signature: str) -> go.Figure:
    """Plot the share of lists whose best parse has each rank, and of those where the reranker chooses it.

    ``ranks`` has the columns rank (from 1), best and kept; ranks beyond RANKS are one bar. customdata is the row.
    """
    figure = go.Figure()
    shown = _with_rest(ranks)
    for column, name, colour in (("best", "the best parse", GREEN), ("kept", "the reranker's choice", BLUE)):
        places = zip(shown["where"], shown[column], strict=True)
        figure.add_bar(
            x=shown["tick"],
            y=shown[column],
            name=name,
            marker={"color": colour},
            text=[f"{name} is {where} in {share(value, 1)} of the lists" for where, value in places],
            textposition="none",
            customdata=shown.index.to_numpy("int32"),
            hovertemplate=template(),
        )
    first = ranks.iloc[0]
    alt = sentence(
        f"Of {count(len(ranks), 'rank')}, the first holds the best parse in {share(first['best'], 1)} of the lists "
        f"and the reranker's choice in {share(first['kept'], 1)}"
    )
    x = {"title": {"text": "rank in the list of the base parser"}, "type": "category", "tickangle": 0}
    y = {"title": {"text": "share of lists"}, "tickformat": ".0%", "rangemode": "tozero"}
    finish(figure, 400, alt=alt, signature=signature, barmode="group", bargap=0.25, xaxis=x, yaxis=y)
    return legend_above(figure)


def ladder_figure(ladder: pd.DataFrame, *, metric: Metric, zero: str, signature: str) -> go.Figure:
    """Draw a dot with its 95% interval for each step, coloured by its verdict; the line at 0 is called ``zero``.

    ``ladder`` has the columns name, gain, gain_low, gain_high, verdict (of VERDICTS), p (the one that decides), better,
    worse, tied and against; the first row is on top. customdata is the row.
    """
    figure = go.Figure()
    rows = ladder.assign(place=range(len(ladder)))
    for verdict, (colour, symbol) in VERDICTS.items():
        steps = rows[rows["verdict"] == verdict]
        add_dots(
            figure,
            steps["gain"],
            steps["place"],
            {"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2, "color": colour}},
            [_step_text(row, metric) for row in steps.itertuples()],
            error_x=error_bars(steps["gain"], steps["gain_low"], steps["gain_high"], colour=colour),
            name=verdict,
            customdata=steps.index.to_numpy("int32"),
        )
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5, "dash": "dash"}, layer="below")
    note(figure, plain(zero), colour=NEUTRAL, x=0, xref="x", y=-0.55, yref="y", yanchor="bottom")
    verdicts = ", ".join(
        f"{(ladder['verdict'] == verdict).sum():,} {verdict}" for verdict in (BETTER, WORSE, UNDECIDED)
    )
    gains = f"{metric.gain} {ends(ladder['gain'], ladder['name'], '+.2f')}"
    alt = sentence(verdicts, gains, about=f"{count(len(ladder), 'step')} against {zero}")
    y = rows_axis([label(name) for name in rows["name"]], tickfont={"size": LABEL_SIZE + 1})
    height = 250 + ROW * len(rows)
    finish(figure, height, showlegend=True, alt=alt, signature=signature, xaxis=axis(metric.gain_axis), yaxis=y)
    # The name of the line at 0 is between the rows and the legend.
    return legend_above(figure, 1 + 16 / (ROW * len(rows)))


def _with_rest(ranks: pd.DataFrame) -> pd.DataFrame:
    """Return the first ranks with their ticks and places in words; what is beyond them as one row."""
    first = ranks[ranks["rank"] <= RANKS]
    shown = first.assign(tick=first["rank"].astype(str), where="at rank " + first["rank"].astype(str))
    rest = ranks[ranks["rank"] > RANKS]
    if rest.empty:
        return shown
    beyond = {"rank": RANKS + 1, "tick": f"{RANKS + 1}+", "where": f"beyond rank {RANKS}"}
    return pd.concat([shown, pd.DataFrame([beyond | rest[["best", "kept"]].sum().to_dict()])], ignore_index=True)


def _step_text(row: Any, metric: Metric) -> str:
    return lines(
        f"<b>{plain(row.name)}</b>: {row.verdict}",
        f"{gain_text(metric, row.gain, 2)}, {interval(row.gain_low, row.gain_high, 2)}, over {plain(row.against)}",
        f"p {row.p_shown} by the permutation test",
        f"{count(row.better, 'sentence')} better, {row.worse:,} worse, {row.tied:,} equal",
    )
