"""One pair: its resampled gains, the gains of its units and parts, and without the most influential units."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.base.words import count, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.layout import (
    BUTTONS,
    LABEL_SIZE,
    axis,
    error_bars,
    finish,
    legend_above,
    name_line,
    note,
    rows_axis,
)
from nlpsig_core.output.plots.style.texts import (
    ends,
    gain_text,
    interval,
    label,
    lines,
    of_all,
    plain,
    sentence,
    template,
)
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, FAINT, FIRST, NEUTRAL, SECOND, hollow
from nlpsig_core.studies.pair.units import LOSSES, TIES, WINS

# From left to right as on the axis of gains: units that the second system wins, ties, units that the first wins.
OUTCOMES = ((LOSSES, ACCENT), (TIES, NEUTRAL), (WINS, BLUE))
# A third of a phone's width in characters.
NARROW = 16
# The height of a line of an axis' title.
LINE = 16
# Ticks between fewer whole numbers than these would be at halves.
WHOLE_TICKS = 10
# Lines closer than this share of the width get their names one above another, so many pixels apart.
NEAR, LABEL_ROW = 0.2, 15


def gain_figure(
    bins: pd.DataFrame, *, a: str, b: str, gain: float, metric: Metric, signature: str,
    interval: tuple[float, float] | None = None, decimals: int = 2,
) -> go.Figure:  # fmt: skip
    """Draw the histogram of delta* (``one_pair.histogram``) with 0, delta and 2 delta marked.

    Resamples centre on the observed gain, not on 0: evidence against the gain are those beyond 2 delta (the
    paper's figure 1) or below 0 (its footnote 2). These are coloured one by one: the bin at 2 delta also holds
    resamples of exactly 2 delta, which do not count. The ``interval`` of the gain is shaded.
    """
    counted, figure = bins["above"] + bins["below"], go.Figure()
    hover = f"δ* about %{{x:.{decimals + 1}f}}: %{{customdata[0]:,}} resamples, %{{customdata[1]:,}} of them counted"
    for resamples, colour in ((counted, ACCENT), (bins["resamples"] - counted, BLUE)):
        figure.add_bar(
            x=bins["gain"], y=resamples, width=bins["width"], marker={"color": colour, "line": {"width": 0}},
            customdata=np.column_stack([bins["resamples"], counted]), hovertemplate=template(hover), showlegend=False,
        )  # fmt: skip
    if interval is not None:
        figure.add_vrect(x0=interval[0], x1=interval[1], fillcolor=FAINT, line_width=0, layer="below")
    # Names that would overlap go into rows of their own.
    near = gain < NEAR * (bins["gain"].max() - bins["gain"].min())
    for index, (at, name) in enumerate(((0.0, "0"), (gain, f"δ = {gain:.{decimals}f}"), (2 * gain, "2δ"))):
        shift = near * LABEL_ROW * (1, 0, 2)[index]
        name_line(figure, at, name, dash="solid" if index == 1 else "dash", size=LABEL_SIZE + 1, yshift=shift)
    finish(
        figure, 360, alt=gain_alt(bins, a=a, b=b, gain=gain, metric=metric, interval=interval, decimals=decimals),
        signature=signature, bargap=0, barmode="stack", xaxis=axis(f"resampled {metric.gain_axis}"),
        yaxis=axis("resamples"),
    )  # fmt: skip
    return figure.update_layout(margin_t=figure.layout.margin.t + 2 * LABEL_ROW * bool(near))


def gain_alt(
    bins: pd.DataFrame, *, a: str, b: str, gain: float, metric: Metric, interval: tuple[float, float] | None,
    decimals: int,
) -> str:  # fmt: skip
    """Return centre and interval of the resampled gains, and how many are beyond twice the gain or below 0."""
    between = "" if interval is None else f", 95% interval {interval[0]:.{decimals}f} to {interval[1]:.{decimals}f}"
    resamples, above, below = (int(bins[column].sum()) for column in ("resamples", "above", "below"))
    return sentence(
        f"{a} over {b} in {count(resamples, 'resample')}: resampled gains around the observed {metric.gain} of "
        f"{gain:.{decimals}f}{between}",
        f"{above:,} are above twice the gain and {below:,} below 0",
    )


def unit_gains_figure(
    bins: pd.DataFrame, *, a: str, b: str, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """Draw the histogram of the gains of single units without ties (``units.histogram``), below a bar of all units.

    The bar shows how many units ``b``, the second system, wins, how many are tied and how many ``a`` wins.
    """
    counts = bins.groupby("outcome")["units"].sum()
    total = max(int(counts.sum()), 1)
    figure = make_subplots(rows=2, cols=1, row_heights=[0.09, 0.91], vertical_spacing=0.05)
    winners = {LOSSES: b, TIES: "", WINS: a}
    for index, ((outcome, colour), side) in enumerate(zip(OUTCOMES, ("left", "center", "right"), strict=True)):
        n, name, result = (
            int(counts.get(outcome, 0)),
            label(winners[outcome], NARROW),
            "tied" if outcome == TIES else "better",
        )
        bar = {"marker": {"color": colour, "line": {"width": 0}}}
        hover = template(f"{f'{name} {result}'.strip()}: {n:,} of {count(total, unit)}")
        figure.add_bar(x=[n], y=[""], orientation="h", hovertemplate=hover, **bar, row=1, col=1)
        note(
            figure, f"{name}<br>{n:,} {result} ({share(n / total)})", x=index / 2, xref="paper",
            xanchor=side, y=1, yref="paper", yanchor="bottom", align=side,
        )  # fmt: skip
        rows = bins[bins["outcome"] == outcome]
        if outcome != TIES and len(rows):
            sizes, winner = rows[["low", "high"]].abs(), plain(winners[outcome])
            texts = [
                f"<b>{winner}</b> better by {low:.{decimals}f} to {high:.{decimals}f}: {count(n, unit)}"
                for low, high, n in zip(sizes.min(axis=1), sizes.max(axis=1), rows["units"], strict=True)
            ]
            figure.add_bar(
                x=(rows["low"] + rows["high"]) / 2, y=rows["units"], width=rows["high"] - rows["low"], text=texts,
                textposition="none", hovertemplate=template(), **bar, row=2, col=1,
            )  # fmt: skip
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5}, row=2, col=1)
    alt = unit_gains_alt(counts, a=a, b=b, unit=unit)
    finish(figure, 430, alt=alt, signature=signature, barmode="stack", bargap=0, showlegend=False)
    figure.update_xaxes(visible=False, range=[0, total], row=1, col=1)
    figure.update_yaxes(visible=False, fixedrange=True, row=1, col=1)
    figure.update_xaxes(axis(f"{metric.gain_axis},<br>of each {unit}"), row=2, col=1)
    figure.update_yaxes(axis(f"{unit}s"), row=2, col=1)
    return figure.update_layout(margin={"t": BUTTONS, "b": figure.layout.margin.b + LINE})


def unit_gains_alt(counts: pd.Series, *, a: str, b: str, unit: str) -> str:
    """Return how many units each system wins, and how many are ties."""
    n = int(counts.sum())
    won, lost, tied = (of_all(int(counts.get(outcome, 0)), n, unit) for outcome in (WINS, LOSSES, TIES))
    return sentence(f"{a} is better on {won}, {b} on {lost}", f"{tied} are ties")


def by_part_figure(
    parts: pd.DataFrame, *, part: str, title: str, a: str, b: str, metric: Metric, unit: str, signature: str,
    decimals: int = 2,
) -> go.Figure:  # fmt: skip
    """Draw both scores in each part of the test set (``units.by_length`` or ``by_domain``), beside them the gain.

    Bars are 95% intervals; open symbols have too few units for one. ``part`` says by what the test set is divided, and
    ``title`` is that of the axis of parts. Titles fit a phone.
    """
    table = parts.reset_index(drop=True)
    figure = make_subplots(rows=1, cols=2, shared_yaxes=True, column_widths=[0.55, 0.45], horizontal_spacing=0.04)
    few, y = table["note"] != "", list(table.index)
    # A line between the two scores shows that close dots are two.
    ends_of_lines = table[["score_a", "score_b"]].assign(gap=None).to_numpy().ravel()
    figure.add_scatter(
        x=ends_of_lines, y=[row for row in y for _ in range(3)], mode="lines", line={"color": NEUTRAL, "width": 1.5},
        hoverinfo="skip", showlegend=False, row=1, col=1,
    )  # fmt: skip
    hover = [_part_hover(row, a, b, metric, unit, decimals) for row in table.itertuples()]
    common = {"y": y, "mode": "markers", "text": hover, "hovertemplate": template(), "showlegend": False, "row": 1}
    for name, column, (colour, symbol) in ((a, "score_a", FIRST), (b, "score_b", SECOND)):
        figure.add_scatter(**common, x=table[column], marker=_marker(few, symbol, colour), col=1)
        # The legend shows the symbol of a trace's first dot, which may be open.
        shown = {"symbol": symbol, "color": colour, "size": 9}
        figure.add_scatter(x=[None], y=[None], mode="markers", name=label(name), marker=shown)
    bar = error_bars(table["gain"], table["gain_low"], table["gain_high"], colour=BLUE)
    figure.add_scatter(**common, x=table["gain"], marker=_marker(few, "circle", BLUE), error_x=bar, col=2)
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5}, row=1, col=2)
    height, font = 260 + 34 * len(table), {"size": LABEL_SIZE + 1}
    finish(
        figure, height, signature=signature,
        alt=by_part_alt(parts, part=part, a=a, b=b, metric=metric, decimals=decimals),
    )  # fmt: skip
    names = [f"{label(str(row.part), NARROW + 4)} ({row.units:,})" for row in table.itertuples()]
    figure.update_yaxes(rows_axis(names))
    wrapped = "<br>".join(textwrap.wrap(f"{title}, number of {unit}s", max(20, (height - 220) // 7)))
    figure.update_yaxes(title={"text": wrapped, "font": font}, row=1, col=1)
    narrow = [textwrap.wrap(text, NARROW) for text in (metric.axis, metric.gain_axis)]
    for place, of_column in enumerate(narrow, start=1):
        figure.update_xaxes(axis("<br>".join(of_column), nticks=5, tickangle=0, title_font=font), row=1, col=place)
    lower = figure.layout.margin.b + LINE * (max(map(len, narrow)) - 1)
    return legend_above(figure.update_layout(margin={"b": lower}))


def by_part_alt(parts: pd.DataFrame, *, part: str, a: str, b: str, metric: Metric, decimals: int) -> str:
    """Return the smallest and the largest gain over the parts."""
    range_of_gains = ends(parts["gain"], parts["part"], f".{decimals}f")
    about = f"{a} over {b} in {count(len(parts), 'part')} by {part}"
    return sentence(f"{metric.gain} {range_of_gains}" if range_of_gains else "", about=about)


def _marker(few: pd.Series, symbol: str, colour: str) -> dict[str, object]:
    symbols = [hollow(symbol, is_few) for is_few in few]
    return {"symbol": symbols, "color": colour, "size": 9, "line": {"width": 2, "color": colour}}


def _part_hover(row: Any, a: str, b: str, metric: Metric, unit: str, decimals: int) -> str:
    ends = f", {interval(row.gain_low, row.gain_high, decimals)}" if pd.notna(row.gain_low) else ""
    return lines(
        f"<b>{plain(str(row.part))}</b>, {count(row.units, unit)}",
        f"{plain(a)} {row.score_a:.{decimals}f}, {plain(b)} {row.score_b:.{decimals}f}",
        f"{gain_text(metric, row.gain, decimals)}{ends}",
        row.note,
    )


def without_figure(
    curve: pd.DataFrame, *, k: int, carried: int | None, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """Draw the gain without the most influential units (``without.gain_without``), dashed where it is not significant.

    A circle marks the chosen ``k`` units; ``carried`` is how many units carry the result (``without.carried_by``), or
    None. The dotted line is the mean gain after removing the same number of units at random.
    """
    figure, last = go.Figure(), int(curve["k"].iloc[-1])
    until = last if carried is None else carried
    for rows, colour, dash in (
        (curve[curve["k"] <= until], BLUE, "solid"),
        (curve[curve["k"] >= until], ACCENT, "dash"),
    ):
        texts = [
            lines(f"without {count(row.k, unit)} ({share(row.share, 1)})", gain_text(metric, row.gain, decimals + 1))
            for row in rows.itertuples()
        ]
        figure.add_scatter(
            x=rows["k"], y=rows["gain"], mode="lines", line={"color": colour, "width": 2.5, "dash": dash}, text=texts,
            hovertemplate=template(), showlegend=False,
        )  # fmt: skip
    whole = float(curve["gain"].iloc[0])
    figure.add_hline(y=0, line={"color": NEUTRAL, "width": 1.5})
    figure.add_hline(y=whole, line={"color": NEUTRAL, "width": 1.2, "dash": "dot"})
    right: dict[str, Any] = {"x": 1, "xref": "paper", "xanchor": "right", "y": whole, "yanchor": "bottom"}
    note(figure, "without as many at random", colour=NEUTRAL, **right)
    if carried is not None:
        text = f"not significant without {carried:,}" if carried else "not significant with all"
        # On the side that has room.
        side = "left" if carried < 0.5 * last else "right"
        name_line(figure, carried, text, colour=ACCENT, dash="dash", xanchor=side)
    chosen = curve[curve["k"] == min(k, last)]
    figure.add_scatter(
        x=chosen["k"], y=chosen["gain"], mode="markers", hoverinfo="skip", showlegend=False, cliponaxis=False,
        marker={"size": 12, "symbol": "circle-open", "color": NEUTRAL, "line": {"width": 2.5}},
    )  # fmt: skip
    removed = axis(
        f"{unit}s removed, the most influential first", tickformat=",d", dtick=1 if last < WHOLE_TICKS else None
    )
    return finish(
        figure, 340, alt=without_alt(curve, carried=carried, metric=metric, unit=unit, decimals=decimals),
        signature=signature, xaxis=removed | {"range": [-0.02 * max(last, 1), 1.02 * max(last, 1)]},
        yaxis=axis(metric.gain_axis, rangemode="tozero"),
    )  # fmt: skip


def without_alt(curve: pd.DataFrame, *, carried: int | None, metric: Metric, unit: str, decimals: int) -> str:
    """Return the gain with all units and without the last removed ones, and how many units carry the result."""
    first, last = curve.iloc[0], curve.iloc[-1]
    carries = {None: "", 0: "it is not significant with all of them"}
    return sentence(
        f"The {metric.gain} is {first['gain']:.{decimals + 1}f} with all {unit}s and {last['gain']:.{decimals + 1}f} "
        f"without the {count(int(last['k']), unit)} of the largest pull",
        carries.get(carried, f"it is not significant without {count(carried or 0, unit)}"),
    )
