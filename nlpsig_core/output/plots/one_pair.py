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
    LINE,
    add_dots,
    add_line,
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
    labels,
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
# A third and a half of a phone's width in characters.
NARROW, HALF = 16, 24
# A label whose place is nearer to an end, as a share of the width, begins or ends there.
AT_END = 0.25
# Ticks between fewer whole numbers than these would be at halves.
WHOLE_TICKS = 10
# Lines closer than this share of the width get their names one above another, LABEL_ROW pixels apart.
NEAR, LABEL_ROW = 0.2, 15


def gain_figure(
    bins: pd.DataFrame, *, a: str, b: str, gain: float, metric: Metric, signature: str,
    interval: tuple[float, float] | None = None, decimals: int = 2,
) -> go.Figure:  # fmt: skip
    """Draw the histogram of delta* (``resampled.gain_histogram``) with 0, delta and 2 delta marked.

    Resamples centre on the observed gain, not on 0: evidence against the gain are those beyond 2 delta (the
    paper's figure 1) or below 0 (its footnote 2). These are coloured one by one: the bin at 2 delta also holds
    resamples of exactly 2 delta, which do not count. The ``interval`` of the gain is shaded.
    """
    counted, figure = bins["above"] + bins["below"], go.Figure()
    hover = f"δ* about %{{x:.{decimals + 1}f}}: %{{customdata[0]:,}} resamples, %{{customdata[1]:,}} of them counted"
    for resamples, colour in ((counted, ACCENT), (bins["resamples"] - counted, BLUE)):
        look = {"marker": {"color": colour, "line": {"width": 0}}, "showlegend": False}
        numbers = {"customdata": np.column_stack([bins["resamples"], counted]), "hovertemplate": template(hover)}
        figure.add_bar(x=bins["gain"], y=resamples, width=bins["width"], **look, **numbers)
    if interval is not None:
        figure.add_vrect(x0=interval[0], x1=interval[1], fillcolor=FAINT, line_width=0, layer="below")
    # Names that would overlap go into rows of their own.
    near = gain < NEAR * (bins["gain"].max() - bins["gain"].min())
    for index, (at, name) in enumerate(((0.0, "0"), (gain, f"δ = {gain:.{decimals}f}"), (2 * gain, "2δ"))):
        shift = near * LABEL_ROW * (1, 0, 2)[index]
        name_line(figure, at, name, dash="solid" if index == 1 else "dash", size=LABEL_SIZE + 1, yshift=shift)
    between = "" if interval is None else f", 95% interval {interval[0]:.{decimals}f} to {interval[1]:.{decimals}f}"
    n, above, below = (int(bins[column].sum()) for column in ("resamples", "above", "below"))
    observed = f"around the observed {metric.gain} of {gain:.{decimals}f}{between}"
    alt = sentence(
        f"{a} over {b} in {count(n, 'resample')}: resampled {metric.gain_word}s {observed}",
        f"{above:,} are above twice the {metric.gain_word} and {below:,} below 0",
    )
    axes = {"xaxis": axis(f"resampled {metric.gain_axis}"), "yaxis": axis("resamples")}
    finish(figure, 360, alt=alt, signature=signature, bargap=0, barmode="stack", **axes)
    return figure.update_layout(margin_t=figure.layout.margin.t + 2 * LABEL_ROW * bool(near))


def unit_gains_figure(
    bins: pd.DataFrame, *, a: str, b: str, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """Draw the histogram of the gains of single units without ties (``units.histogram``), below a bar of all units.

    The bar shows how many units ``b``, the second system, wins, how many are tied and how many ``a`` wins. The two
    systems are named above its ends, ties below their part of it.
    """
    counts = bins.groupby("outcome")["units"].sum()
    total = max(int(counts.sum()), 1)
    figure = make_subplots(rows=2, cols=1, row_heights=[0.09, 0.91], vertical_spacing=0.09)
    winners = dict(zip((LOSSES, TIES, WINS), labels((b, "", a), HALF), strict=True))
    for outcome, colour in OUTCOMES:
        n, name = int(counts.get(outcome, 0)), winners[outcome]
        result = "tied" if outcome == TIES else "better"
        bar: dict[str, Any] = {"marker": {"color": colour, "line": {"width": 0}}}
        hover = template(f"{f'{name} {result}'.strip()}: {n:,} of {count(total, unit)}")
        figure.add_bar(x=[n], y=[""], orientation="h", hovertemplate=hover, **bar, row=1, col=1)
        text = f"{n:,} {result} ({share(n / total)})"
        if outcome != TIES:
            x, side = (0, "left") if outcome == LOSSES else (1, "right")
            above: dict[str, Any] = {"y": 1, "yref": "paper", "yanchor": "bottom", "align": side}
            note(figure, f"{name}<br>{text}", x=x, xref="paper", xanchor=side, **above)
        elif n:
            middle = (int(counts.get(LOSSES, 0)) + n / 2) / total
            side = "left" if middle < AT_END else "right" if middle > 1 - AT_END else "center"
            below: dict[str, Any] = {"y": 0, "yref": "y domain", "yanchor": "top"}
            note(figure, text, x=middle, xref="paper", xanchor=side, **below)
        rows = bins[bins["outcome"] == outcome]
        if outcome != TIES and len(rows):
            sizes, winner = rows[["low", "high"]].abs(), plain(winners[outcome])
            texts = [
                f"<b>{winner}</b> better by {low:.{decimals}f} to {high:.{decimals}f}: {count(n, unit)}"
                for low, high, n in zip(sizes.min(axis=1), sizes.max(axis=1), rows["units"], strict=True)
            ]
            bar |= {"text": texts, "textposition": "none", "hovertemplate": template()}
            middle, width = (rows["low"] + rows["high"]) / 2, rows["high"] - rows["low"]
            figure.add_bar(x=middle, y=rows["units"], width=width, **bar, row=2, col=1)
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5}, row=2, col=1)
    n = int(counts.sum())
    won, lost, tied = (of_all(int(counts.get(outcome, 0)), n, unit) for outcome in (WINS, LOSSES, TIES))
    alt = sentence(f"{a} is better on {won}, {b} on {lost}", f"{tied} are ties")
    finish(figure, 430, alt=alt, signature=signature, barmode="stack", bargap=0, showlegend=False)
    figure.update_xaxes(visible=False, range=[0, total], row=1, col=1)
    figure.update_yaxes(visible=False, fixedrange=True, row=1, col=1)
    title = metric.gain_axis if metric.by_unit else f"contribution to the {metric.gain_axis}"
    figure.update_xaxes(axis(f"{title},<br>of each {unit}"), row=2, col=1)
    few = bool(bins.loc[bins["outcome"] != TIES, "units"].max() < WHOLE_TICKS)
    figure.update_yaxes(axis(f"{unit}s", dtick=1 if few else None), row=2, col=1)
    return figure.update_layout(margin={"t": BUTTONS, "b": figure.layout.margin.b + LINE})


def by_part_figure(
    parts: pd.DataFrame, *, part: str, title: str, a: str, b: str, metric: Metric, unit: str, signature: str,
    decimals: int = 2,
) -> go.Figure:  # fmt: skip
    """Draw both scores in each part of the test set (``units.by_length`` or ``by_part``), beside them the gain.

    Bars are 95% intervals; open symbols have too few units for one. ``part`` says by what the test set is divided, and
    ``title`` is that of the axis of parts. Titles fit a phone.
    """
    table = parts.reset_index(drop=True)
    figure = make_subplots(rows=1, cols=2, shared_yaxes=True, column_widths=[0.55, 0.45], horizontal_spacing=0.14)
    few, y = table["note"] != "", list(table.index)
    # A line between the two scores shows that close dots are two.
    scores = table[["score_a", "score_b"]].assign(gap=None).to_numpy().ravel()
    add_line(figure, scores, np.repeat(y, 3).tolist(), {"color": NEUTRAL, "width": 1.5}, showlegend=False, row=1, col=1)
    hover = [_part_hover(row, a, b, metric, unit, decimals) for row in table.itertuples()]
    unnamed: dict[str, Any] = {"showlegend": False, "row": 1}
    columns = ("score_a", FIRST), ("score_b", SECOND)
    for name, (column, (colour, symbol)) in zip(labels((a, b)), columns, strict=True):
        add_dots(figure, table[column], y, _marker(few, symbol, colour), hover, col=1, **unnamed)
        # The legend shows the symbol of a trace's first dot, which may be open.
        shown = {"symbol": symbol, "color": colour, "size": 9}
        figure.add_scatter(x=[None], y=[None], mode="markers", name=name, marker=shown)
    bar = error_bars(table["gain"], table["gain_low"], table["gain_high"], colour=BLUE)
    add_dots(figure, table["gain"], y, _marker(few, "circle", BLUE), hover, error_x=bar, col=2, **unnamed)
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5}, row=1, col=2)
    height, font = 260 + 34 * len(table), {"size": LABEL_SIZE + 1}
    gains = ends(parts["gain"], parts["part"], f".{decimals}f")
    about = f"{a} over {b} in {count(len(parts), 'part')} by {part}"
    alt = sentence(f"{metric.gain} {gains}" if gains else "", about=about)
    finish(figure, height, alt=alt, signature=signature)
    names = [f"{label(str(row.part), NARROW + 4)} ({row.units:,})" for row in table.itertuples()]
    figure.update_yaxes(rows_axis(names))
    wrapped = "<br>".join(textwrap.wrap(f"{title}, number of {unit}s", max(20, (height - 220) // 7)))
    figure.update_yaxes(title={"text": wrapped, "font": font}, row=1, col=1)
    narrow = [textwrap.wrap(text, NARROW) for text in (metric.axis, metric.gain_axis)]
    for place, of_column in enumerate(narrow, start=1):
        more: dict[str, Any] = {"nticks": 5} if place == 1 else _ticks(table)
        shown = axis("<br>".join(of_column), tickangle=0, title_font=font, **more)
        figure.update_xaxes(shown, row=1, col=place)
    lower = figure.layout.margin.b + LINE * (max(map(len, narrow)) - 1)
    return legend_above(figure.update_layout(margin={"b": lower}))


def _ticks(parts: pd.DataFrame) -> dict[str, float]:
    """Return the distance of ticks of gains, half of the axis rounded down to one digit: 0 is not the only tick."""
    drawn = parts[["gain", "gain_low", "gain_high"]].to_numpy(dtype=float)
    half = (max(np.nanmax(drawn), 0) - min(np.nanmin(drawn), 0)) / 2
    if not half > 0:
        return {}
    power = 10.0 ** np.floor(np.log10(half))
    return {"tick0": 0, "dtick": float(np.floor(half / power) * power)}


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
            lines(f"without {count(row.k, unit)} ({share(row.share, 1)})", gain_text(metric, row.gain, decimals))
            for row in rows.itertuples()
        ]
        line = {"color": colour, "width": 2.5, "dash": dash}
        add_line(figure, rows["k"], rows["gain"], line, texts, showlegend=False)
    whole = float(curve["gain"].iloc[0])
    figure.add_hline(y=0, line={"color": NEUTRAL, "width": 1.5})
    figure.add_hline(y=whole, line={"color": NEUTRAL, "width": 1.2, "dash": "dot"})
    # Both names stand where there is room: that of the dotted line in the half that the dashed line does not cross.
    side = "left" if carried is None or carried < 0.5 * last else "right"
    end: dict[str, Any] = {"x": 1, "xref": "paper", "xanchor": "right"}
    start: dict[str, Any] = {"x": 0, "xanchor": "left", "xshift": 8}
    free = end if side == "left" else start
    note(figure, "as many at random", colour=NEUTRAL, y=whole, yanchor="bottom", **free)
    if carried is not None:
        text = f"not significant without {carried:,}" if carried else "not significant with all"
        name_line(figure, carried, text, colour=ACCENT, dash="dash", xanchor=side)
    chosen = curve[curve["k"] == min(k, last)]
    circle = {"size": 12, "symbol": "circle-open", "color": NEUTRAL, "line": {"width": 2.5}}
    add_dots(figure, chosen["k"], chosen["gain"], circle, None, showlegend=False, cliponaxis=False)
    ticks = {"tickformat": ",d", "dtick": 1 if last < WHOLE_TICKS else None}
    width, title = max(last, 1), f"{unit}s removed, the most influential first"
    x, y = axis(title, range=[-0.02 * width, 1.02 * width], **ticks), axis(metric.gain_axis, rangemode="tozero")
    alt = _without_alt(curve, carried, metric, unit, decimals)
    return finish(figure, 340, alt=alt, signature=signature, xaxis=x, yaxis=y)


def _without_alt(curve: pd.DataFrame, carried: int | None, metric: Metric, unit: str, decimals: int) -> str:
    first, last = curve.iloc[0], curve.iloc[-1]
    carries = {None: "", 0: "it is not significant with all of them"}
    return sentence(
        f"The {metric.gain} is {first['gain']:.{decimals}f} with all {unit}s and {last['gain']:.{decimals}f} "
        f"without the {count(int(last['k']), unit)} of the largest pull",
        carries.get(carried, f"it is not significant without {count(carried or 0, unit)}"),
    )
