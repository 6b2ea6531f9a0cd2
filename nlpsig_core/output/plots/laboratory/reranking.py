"""Reranking: the oracle by size of the list, where the best parse stands, and what each class of features adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, p_text, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.layout import (
    LABEL_SIZE,
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
    listed,
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
        f"the best of the first {row.size} of each list: {metric.label} {row.score:.2f}" if row.size > 1
        else f"the first parse: {metric.label} {row.score:.2f}"
        for row in oracle.rename_axis("row").itertuples(name="Row")
    ]  # fmt: skip
    figure = go.Figure(
        go.Scatter(
            x=oracle["size"], y=oracle["score"], mode="lines+markers", name="best of the first parses",
            line={"color": BLUE, "width": 2}, marker={"color": BLUE, "size": 7}, showlegend=False,
            customdata=oracle.index.to_numpy("int32"), text=texts, hovertemplate=template(),
        )
    )  # fmt: skip
    for name, score in marks.items():
        figure.add_hline(y=score, line={"color": NEUTRAL, "width": 1.2, "dash": "dash"}, layer="below")
        # The lowest line has its name below it, so that names of lines near each other do not overlap.
        side = "top" if score == min(marks.values()) else "bottom"
        note(
            figure, f"{plain(name)} {score:.2f}", x=NAMES_AT, xref="paper", xanchor="right", y=score, yref="y",
            yanchor=side,
        )  # fmt: skip
    return finish(
        figure, 400, alt=oracle_alt(oracle, marks, metric=metric), signature=signature,
        xaxis=log_axis("parses in each list, the base parser's best first", oracle["size"]),
        yaxis={"title": {"text": metric.axis}, "zeroline": False},
    )  # fmt: skip


def oracle_alt(oracle: pd.DataFrame, marks: Mapping[str, float], *, metric: Metric) -> str:
    """Return the score of the best parse of the first one and of the longest list, and each marked score."""
    first, last = oracle.iloc[0], oracle.iloc[-1]
    sizes = f"{int(first['size'])} to {int(last['size'])}"
    return sentence(
        f"{first['score']:.2f} to {last['score']:.2f}",
        listed(f"{name} {score:.2f}" for name, score in marks.items()),
        about=f"{metric.label} of the best parse among the first {sizes} of each list",
    )


def ranks_figure(ranks: pd.DataFrame, *, signature: str) -> go.Figure:
    """Plot the share of lists whose best parse has each rank, and of those where the reranker chooses it.

    ``ranks`` has the columns rank (from 1), best and kept; ranks beyond RANKS are one bar. customdata is the row.
    """
    figure = go.Figure()
    shown = _with_rest(ranks)
    for column, name, colour in (("best", "the best parse", GREEN), ("kept", "the reranker's choice", BLUE)):
        texts = [f"{name} is {where} in {share(value, 1)} of the lists" for where, value in zip(
            shown["where"], shown[column], strict=True)]  # fmt: skip
        figure.add_trace(
            go.Bar(
                x=shown["tick"], y=shown[column], name=name, marker={"color": colour}, text=texts,
                textposition="none", customdata=shown.index.to_numpy("int32"), hovertemplate=template(),
            )
        )  # fmt: skip
    return legend_above(
        finish(
            figure, 400, alt=ranks_alt(ranks), signature=signature, barmode="group", bargap=0.25,
            xaxis={"title": {"text": "rank in the list of the base parser"}, "type": "category", "tickangle": 0},
            yaxis={"title": {"text": "lists"}, "tickformat": ".0%", "rangemode": "tozero"},
        )
    )  # fmt: skip


def ranks_alt(ranks: pd.DataFrame) -> str:
    """Return how often the best parse, and the reranker's choice, is the first of its list."""
    first = ranks.iloc[0]
    return sentence(
        f"Of {count(len(ranks), 'rank')}, the first holds the best parse in {share(first['best'], 1)} of the lists "
        f"and the reranker's choice in {share(first['kept'], 1)}"
    )


def ladder_figure(ladder: pd.DataFrame, *, metric: Metric, zero: str, signature: str) -> go.Figure:
    """Return a dot with its 95% interval for each step, coloured by its verdict; the line at 0 is called ``zero``.

    ``ladder`` has the columns name, gain, gain_low, gain_high, verdict (of VERDICTS), p (the one that decides), better,
    worse, tied and against; the first row is on top. customdata is the row.
    """
    figure = go.Figure()
    rows = ladder.assign(place=range(len(ladder)))
    for verdict, (colour, symbol) in VERDICTS.items():
        of_verdict = rows[rows["verdict"] == verdict]
        bars = error_bars(of_verdict["gain"], of_verdict["gain_low"], of_verdict["gain_high"], colour=colour)
        figure.add_trace(
            go.Scatter(
                x=of_verdict["gain"], y=of_verdict["place"], error_x=bars, mode="markers", name=verdict,
                marker={"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2, "color": colour}},
                customdata=of_verdict.index.to_numpy("int32"), hovertemplate=template(),
                text=[_step_text(row, metric) for row in of_verdict.itertuples()],
            )
        )  # fmt: skip
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5, "dash": "dash"}, layer="below")
    note(figure, plain(zero), colour=NEUTRAL, x=0, xref="x", y=-0.55, yref="y", yanchor="bottom")
    finish(
        figure, 250 + ROW * len(rows), showlegend=True, alt=ladder_alt(ladder, metric=metric, zero=zero),
        signature=signature,
        xaxis={"title": {"text": metric.gain_axis}, "zeroline": False},
        yaxis=rows_axis([label(name) for name in rows["name"]], tickfont={"size": LABEL_SIZE + 1}),
    )  # fmt: skip
    # The name of the line at 0 is between the rows and the legend.
    return legend_above(figure, 1 + 16 / (ROW * len(rows)))


def ladder_alt(ladder: pd.DataFrame, *, metric: Metric, zero: str) -> str:
    """Return the range of the gains over steps, and how many are better, worse and undecided."""
    verdicts = listed(f"{(ladder['verdict'] == verdict).sum():,} {verdict}" for verdict in (BETTER, WORSE, UNDECIDED))
    return sentence(
        verdicts,
        f"{metric.gain} {ends(ladder['gain'], ladder['name'], '+.2f')}",
        about=f"{count(len(ladder), 'step')} against {zero}",
    )


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
        f"p {p_text(row.p)} by the permutation test",
        f"{count(row.better, 'sentence')} better, {row.worse:,} worse, {row.tied:,} equal",
    )
