"""Where one pair's difference comes from: gains unit by unit, part by part, and without the units that pull most."""

from __future__ import annotations

import textwrap

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.metrics.base import Metric
from nlpsig_core.pair.units import LOSSES, TIES, WINS
from nlpsig_core.plots.theme import (
    ACCENT,
    BUTTONS,
    LABEL_SIZE,
    NEUTRAL,
    STYLES,
    finish,
    legend_above,
    plain,
    short_name,
)

BLUE = STYLES["different groups"][0]
# Left to right as on the axis of gains: what the second system wins, ties, what the first one wins.
OUTCOMES = ((LOSSES, ACCENT), (TIES, NEUTRAL), (WINS, BLUE))
# As many characters as a third of a phone's width shows.
NARROW = 16
# The height of a line of an axis' title.
LINE = 16
# Symbols of the two systems.
FIRST, SECOND = ("circle", BLUE), ("diamond", ACCENT)


def unit_gains_figure(
    bins: pd.DataFrame, *, a: str, b: str, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """The histogram of the gains of single units (``evidence.histogram``) without ties, below a bar with all three.

    The bar is all units: those that ``b``, the second system, wins, ties, and those that ``a`` wins.
    """
    counts = bins.groupby("outcome")["units"].sum()
    of_all = max(int(counts.sum()), 1)
    figure = make_subplots(rows=2, cols=1, row_heights=[0.09, 0.91], vertical_spacing=0.05)
    names = {LOSSES: _narrow(b), TIES: "", WINS: _narrow(a)}
    for place, ((outcome, colour), side) in enumerate(zip(OUTCOMES, ("left", "center", "right"), strict=True)):
        n = int(counts.get(outcome, 0))
        said = "tied" if outcome == TIES else "better"
        figure.add_trace(_share(n, of_all, f"{names[outcome]} {said}", colour, unit), row=1, col=1)
        figure.add_annotation(
            x=place / 2, xref="paper", xanchor=side, y=1, yref="paper", yanchor="bottom", align=side,
            text=f"{names[outcome]}<br>{n:,} {said} ({100 * n / of_all:.0f} %)",
            showarrow=False, font={"size": LABEL_SIZE},
        )  # fmt: skip
        rows = bins[bins["outcome"] == outcome]
        if outcome != TIES and len(rows):
            winner = a if outcome == WINS else b
            figure.add_trace(_bars(rows, colour, winner, unit, decimals), row=2, col=1)
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5}, row=2, col=1)
    finish(figure, signature, 430, barmode="stack", bargap=0, showlegend=False)
    figure.update_xaxes(visible=False, range=[0, of_all], row=1, col=1)
    figure.update_yaxes(visible=False, fixedrange=True, row=1, col=1)
    figure.update_xaxes(title={"text": f"{metric.gain_axis},<br>each {unit} alone"}, zeroline=False, row=2, col=1)
    figure.update_yaxes(title={"text": f"{unit}s"}, zeroline=False, row=2, col=1)
    return _lower(figure, 1).update_layout(margin={"t": BUTTONS})


def _narrow(name: str) -> str:
    return plain(short_name(name, NARROW))


def _share(n: int, of_all: int, name: str, colour: str, unit: str) -> go.Bar:
    return go.Bar(
        x=[n], y=[""], orientation="h", marker={"color": colour, "line": {"width": 0}},
        hovertemplate=f"{name}: {n:,} of {of_all:,} {unit}s<extra></extra>",
    )  # fmt: skip


def _bars(rows: pd.DataFrame, colour: str, winner: str, unit: str, decimals: int) -> go.Bar:
    sizes = rows[["low", "high"]].abs()
    texts = [
        f"<b>{plain(winner)}</b> better by {least:.{decimals}f} to {most:.{decimals}f}: {n:,} {unit}s"
        for least, most, n in zip(sizes.min(axis=1), sizes.max(axis=1), rows["units"], strict=True)
    ]
    return go.Bar(
        x=(rows["low"] + rows["high"]) / 2, y=rows["units"], width=rows["high"] - rows["low"], text=texts,
        textposition="none", hovertemplate="%{text}<extra></extra>", marker={"color": colour, "line": {"width": 0}},
    )  # fmt: skip


def by_part_figure(
    parts: pd.DataFrame, *, part: str, a: str, b: str, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """Both scores in each part of the test set (``evidence.by_length`` or ``by_domain``), beside them the gain.

    Bars are 95 % intervals; open symbols have too few units for them. ``part`` is the title of the axis of parts.
    """
    table = parts.reset_index(drop=True)
    figure = make_subplots(rows=1, cols=2, shared_yaxes=True, column_widths=[0.55, 0.45], horizontal_spacing=0.04)
    few, y = table["note"] != "", list(table.index)
    hover = [_part_hover(row, a, b, metric, unit, decimals) for row in table.itertuples()]
    # What the two have between them, so that close ones are seen to be two.
    ends = table[["score_a", "score_b"]].assign(gap=None).to_numpy().ravel()
    line = {"color": NEUTRAL, "width": 1.5}
    between = go.Scatter(
        x=ends, y=[place for place in y for _ in range(3)], mode="lines", line=line, hoverinfo="skip", showlegend=False
    )
    figure.add_trace(between, row=1, col=1)
    common = {"y": y, "mode": "markers", "text": hover, "hovertemplate": "%{text}<extra></extra>"}
    for name, column, (symbol, colour) in ((a, "score_a", FIRST), (b, "score_b", SECOND)):
        scores = go.Scatter(**common, x=table[column], marker=_marker(few, symbol, colour), showlegend=False)
        figure.add_trace(scores, row=1, col=1)
        # The legend takes the symbol of a trace's first dot, which may be an open one.
        shown = {"symbol": symbol, "color": colour, "size": 9}
        figure.add_trace(go.Scatter(x=[None], y=[None], mode="markers", name=plain(short_name(name)), marker=shown))
    bar = {
        "type": "data", "symmetric": False, "thickness": 2, "width": 0, "color": BLUE,
        "array": table["gain_high"] - table["gain"], "arrayminus": table["gain"] - table["gain_low"],
    }  # fmt: skip
    gains = go.Scatter(**common, x=table["gain"], marker=_marker(few, "circle", BLUE), error_x=bar, showlegend=False)
    figure.add_trace(gains, row=1, col=2)
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5}, row=1, col=2)
    return _finish_parts(figure, table, (metric.axis, metric.gain_axis), f"{part}, number of {unit}s", signature)


def _finish_parts(
    figure: go.Figure, table: pd.DataFrame, titles: tuple[str, str], parts_title: str, signature: str
) -> go.Figure:
    """The figure with a row a part, the first on top, and titles that a phone's width has room for."""
    names = [f"{plain(short_name(str(row.part), NARROW + 4))} ({row.units:,})" for row in table.itertuples()]
    height = 260 + 34 * len(table)
    finish(figure, signature, height)
    figure.update_yaxes(
        tickmode="array", tickvals=list(table.index), ticktext=names, range=[len(table) - 0.4, -0.6],
        showgrid=False, zeroline=False, automargin=True,
    )  # fmt: skip
    wrapped = "<br>".join(textwrap.wrap(parts_title, max(20, (height - 220) // 7)))
    figure.update_yaxes(title={"text": wrapped, "font": {"size": LABEL_SIZE + 1}}, row=1, col=1)
    lines = [textwrap.wrap(title, NARROW) for title in titles]
    for column, of_column in enumerate(lines, start=1):
        title = {"text": "<br>".join(of_column), "font": {"size": LABEL_SIZE + 1}}
        figure.update_xaxes(title=title, zeroline=False, nticks=5, tickangle=0, row=1, col=column)
    return legend_above(_lower(figure, max(map(len, lines)) - 1))


def _lower(figure: go.Figure, lines: int) -> go.Figure:
    """The figure with its signature, the last annotation, so many lines of an axis' title lower."""
    signature = figure.layout.annotations[-1]
    signature.update(yshift=signature.yshift - LINE * lines)
    return figure.update_layout(margin={"b": figure.layout.margin.b + LINE * lines})


def _marker(few: pd.Series, symbol: str, colour: str) -> dict[str, object]:
    symbols = [f"{symbol}-open" if is_few else symbol for is_few in few]
    return {"symbol": symbols, "color": colour, "size": 9, "line": {"width": 2, "color": colour}}


def _part_hover(row, a: str, b: str, metric: Metric, unit: str, decimals: int) -> str:
    interval = f", 95 % interval {row.gain_low:.{decimals}f} to {row.gain_high:.{decimals}f}"
    note = f"<br>{row.note}" if row.note else ""
    return (
        f"<b>{plain(str(row.part))}</b>, {row.units:,} {unit}{'s' * (row.units != 1)}"
        f"<br>{plain(a)} {row.score_a:.{decimals}f}, {plain(b)} {row.score_b:.{decimals}f}"
        f"<br>{metric.gain} {row.gain:.{decimals}f}{interval if pd.notna(row.gain_low) else ''}{note}"
    )


def without_figure(
    curve: pd.DataFrame, *, k: int, carried: int | None, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """The gain without the units that pull most (``evidence.gain_without``), dashed where it is not significant.

    ``k`` units are marked as chosen; ``carried`` are those of ``evidence.carried_by``, None where there are none. The
    dotted line is the gain that as many units at random would leave, on average.
    """
    last = int(curve["k"].iloc[-1])
    significant = curve[curve["k"] <= (last if carried is None else carried)]
    beyond = curve[curve["k"] >= (last if carried is None else carried)]
    figure = go.Figure()
    for rows, colour, dash in ((significant, BLUE, "solid"), (beyond, ACCENT, "dash")):
        texts = [
            f"without {row.k:,} {unit}{'s' * (row.k != 1)} ({row.share:.1%})"
            f"<br>{metric.gain} {row.gain:.{decimals + 1}f}"
            for row in rows.itertuples()
        ]
        figure.add_trace(
            go.Scatter(
                x=rows["k"], y=rows["gain"], mode="lines", line={"color": colour, "width": 2.5, "dash": dash},
                text=texts, hovertemplate="%{text}<extra></extra>", showlegend=False,
            )
        )  # fmt: skip
    whole = float(curve["gain"].iloc[0])
    figure.add_hline(y=0, line={"color": NEUTRAL, "width": 1.5})
    figure.add_hline(y=whole, line={"color": NEUTRAL, "width": 1.2, "dash": "dot"})
    label = {"showarrow": False, "font": {"size": LABEL_SIZE, "color": NEUTRAL}}
    figure.add_annotation(
        x=1, xref="paper", xanchor="right", y=whole, yanchor="bottom", text="as many at random",
        **label,
    )  # fmt: skip
    if carried is not None:
        _mark_carried(figure, carried, last)
    chosen = curve[curve["k"] == min(k, last)]
    figure.add_trace(
        go.Scatter(
            x=chosen["k"], y=chosen["gain"], mode="markers", hoverinfo="skip", showlegend=False, cliponaxis=False,
            marker={"size": 12, "symbol": "circle-open", "color": NEUTRAL, "line": {"width": 2.5}},
        )
    )  # fmt: skip
    return finish(
        figure, signature, 340,
        xaxis={"title": {"text": f"{unit}s left out, the largest pull first"}, "zeroline": False,
               "range": [-0.02 * max(last, 1), 1.02 * max(last, 1)], "tickformat": ",d"},
        yaxis={"title": {"text": metric.gain_axis}, "zeroline": False, "rangemode": "tozero"},
    )  # fmt: skip


def _mark_carried(figure: go.Figure, carried: int, last: int) -> None:
    """A line where the gain stops being significant, named above the figure on the side that has room."""
    figure.add_vline(x=carried, line={"color": ACCENT, "width": 1.5, "dash": "dash"})
    text = f"not significant without {carried:,}" if carried else "not significant with all"
    figure.add_annotation(
        x=carried, y=1, yref="paper", text=text, showarrow=False, yanchor="bottom",
        xanchor="left" if carried < 0.5 * last else "right", font={"size": LABEL_SIZE, "color": ACCENT},
    )  # fmt: skip
