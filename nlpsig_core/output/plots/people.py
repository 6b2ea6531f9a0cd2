"""People's judgements beside a metric: every pair by both, and what a gain in the metric is worth to people."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, share
from nlpsig_core.output.plots.style.confidence import NAMED, Line, draw_lines, scatter
from nlpsig_core.output.plots.style.layout import add_line, axis, finish, legend_on_top, name_line
from nlpsig_core.output.plots.style.texts import ANSWER, answered, interval, lines, over, plain, sentence
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, GREEN, NEUTRAL, OPAQUE, PURPLE, STYLES
from nlpsig_core.studies.people.pairs import CONFIRMED, CONTRADICTED, METRIC_ONLY, NEITHER, PEOPLE_ONLY
from nlpsig_core.studies.people.worth import PREFER, SURELY

# Colour and symbol of each case, in the order of the legend.
CASE_STYLES = {
    CONFIRMED: (GREEN, "circle"),
    METRIC_ONLY: (ACCENT, "diamond"),
    PEOPLE_ONLY: (BLUE, "square"),
    CONTRADICTED: (PURPLE, "x"),
    NEITHER: (NEUTRAL, "circle-open"),
}
# Name, colour, area of the interval and dash of each curve; two areas could not be told apart.
CURVES = {
    PREFER: ("people prefer the metric's winner", BLUE, "rgba(0,114,178,0.16)", "solid"),
    SURELY: ("and significantly", ACCENT, "", "dash"),
}
# The name of a threshold where the systems have no groups.
USUALLY = "usually significant"
# Room beyond the last dot.
BEYOND = 1.06


def twice_figure(
    pairs: pd.DataFrame, thresholds: pd.DataFrame, *, metric: str, decimals: tuple[int, int], signature: str,
    level: float = 0.05,
) -> go.Figure:  # fmt: skip
    """Draw the gain by people against that in a metric for every pair of ``pairs_by_both``; customdata is its row.

    Each case has a colour and a symbol. Below the line at 0, people prefer the other system. Vertical lines are the
    ``thresholds`` of the metric: the gain above which pairs are usually significant. ``decimals`` are those of gains
    in the metric and by people.
    """
    figure = go.Figure()
    for case, (colour, symbol) in CASE_STYLES.items():
        rows = pairs[pairs["case"] == case]
        if len(rows):
            marker = {"color": colour, "symbol": symbol, "size": 9, "opacity": OPAQUE, "line": {"width": 1.2}}
            texts = [_hover(row, metric, decimals, level) for row in rows.itertuples()] if len(pairs) <= NAMED else None
            x, y = rows["gain"].to_numpy(), rows["gain_people"].to_numpy()
            trace = scatter(rows, x, y, marker, len(pairs), texts)
            figure.add_trace(trace.update(name=f"{case} ({len(rows):,})"))
    figure.add_hline(y=0, line={"color": NEUTRAL, "width": 1.2})
    largest = pairs["gain"].max() if len(pairs) else 0.0
    end = BEYOND * max(largest, 1e-9, *thresholds["model_threshold"].dropna())
    names = draw_lines(figure, _lines(thresholds, decimals[0]), end)
    x, y = axis(f"gain in {plain(metric)}", range=[-0.02 * end, end]), axis("gain by people")
    finish(figure, 480, alt=_twice_alt(pairs, metric), signature=signature, xaxis=x, yaxis=y)
    return legend_on_top(figure.update_layout(margin_t=figure.layout.margin.t + names))


def _lines(thresholds: pd.DataFrame, decimals: int) -> list[Line]:
    classes, several = thresholds["comparison"], len(thresholds) > 1
    return [
        Line(name=f"{at:.{decimals}f} {of if several else USUALLY}", at=at, colour=STYLES[of][0], dash="dot")
        for of, at in zip(classes, thresholds["model_threshold"], strict=True)
        if pd.notna(at)
    ]


def _hover(row: Any, metric: str, decimals: tuple[int, int], level: float) -> str:
    gains = interval(row.gain_low, row.gain_high, decimals[0])
    of_people = interval(row.gain_low_people, row.gain_high_people, decimals[1])
    return lines(
        over(row.system_a, row.system_b),
        f"{plain(metric)}: gain {row.gain:.{decimals[0]}f}, {gains}",
        answered(*(getattr(row, column) for column in ANSWER), level=level),
        f"people: gain {row.gain_people:.{decimals[1]}f}, {of_people}",
        answered(*(getattr(row, f"{column}_people") for column in ANSWER), level=level),
        f"<i>{row.case}</i>",
    )


def _twice_alt(pairs: pd.DataFrame, metric: str) -> str:
    cases = pairs["case"].value_counts()
    same = int((pairs["gain_people"] > 0).sum())
    return sentence(
        f"people prefer the same system in {same:,}",
        *(f"{case} {cases[case]:,}" for case in CASE_STYLES if case in cases),
        about=f"{count(len(pairs), 'pair')} by {metric} and by people",
    )


def worth_figure(
    curve: pd.DataFrame, thresholds: pd.DataFrame, *, metric: str, signature: str, decimals: int = 2
) -> go.Figure:
    """Draw the shares of pairs in which people prefer the metric's winner against the gain (``worth``).

    An area and dotted edges are 95% intervals, where there are any; vertical lines are the gains from which people
    agree in a share.
    """
    figure = go.Figure()
    end = BEYOND * float(curve["gain"].max()) if len(curve) else 1.0
    for column, (name, colour, area, dash) in CURVES.items():
        _interval(figure, curve, column, colour, area)
        texts = [
            lines(
                f"gain {row.gain:.{decimals}f} in {plain(metric)}",
                f"{name}: {share(getattr(row, column))}",
                f"{count(row.pairs, 'pair')} with this gain or a larger one",
            )
            for row in curve.itertuples()
        ]
        line = {"color": colour, "width": 2.5, "dash": dash, "shape": "hv"}
        add_line(figure, curve["gain"], curve[column], line, texts, name=name)
    for row in thresholds[thresholds["gain"].notna()].itertuples():
        name_line(figure, row.gain, "", dash="dot", width=1.2)
    for agreed in thresholds["share"]:
        figure.add_hline(y=agreed, line={"color": NEUTRAL, "width": 1, "dash": "dot"})
    x = axis(f"gain in {plain(metric)}", range=[0, end])
    y = axis("share of pairs", tickformat=".0%", range=[-0.02, 1.03])
    alt = _worth_alt(curve, thresholds, metric, decimals)
    finish(figure, 400, alt=alt, signature=signature, xaxis=x, yaxis=y)
    return legend_on_top(figure).update_layout(legend_traceorder="normal")


def _interval(figure: go.Figure, curve: pd.DataFrame, column: str, colour: str, fill: str) -> None:
    """Add the interval of a curve, where it is known: an area, or else its two edges."""
    known = curve[curve[f"{column}_low"].notna()]
    edge = {"width": 0 if fill else 1, "shape": "hv", "dash": "dot", "color": colour}
    for end in ("low", "high"):
        area = {"fill": "tonexty", "fillcolor": fill} if fill and end == "high" else {}
        add_line(figure, known["gain"], known[f"{column}_{end}"], edge, showlegend=False, **area)


def _worth_alt(curve: pd.DataFrame, thresholds: pd.DataFrame, metric: str, decimals: int) -> str:
    if curve.empty:
        return f"0 pairs have a gain in {metric}."
    first, last = curve.iloc[0], curve.iloc[-1]
    return sentence(
        f"people prefer the winner in {share(first[PREFER])} of the pairs with the smallest gains and in "
        f"{share(last[PREFER])} of those with the largest, significantly in {share(first[SURELY])} and "
        f"{share(last[SURELY])}",
        *(
            f"in {share(row.share)} from a gain of {row.gain:.{decimals}f} on"
            if np.isfinite(row.gain)
            else f"in {share(row.share)} from no gain that is known"
            for row in thresholds.itertuples()
        ),
        about=f"Gains in {metric} from {first['gain']:.{decimals}f} to {last['gain']:.{decimals}f}",
    )
