"""Several domains or test sets side by side: pairs, agreement of rankings, and one pair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import LEVEL, count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import AXIS, confidence_range, dots, draw_level, pair_texts, view_limit
from nlpsig_core.output.plots.style.hover import answered, gain_text, interval, label, lines, plain, template
from nlpsig_core.output.plots.style.layout import LABEL_SIZE, error_bars, finish, legend_on_top, note, rows_axis
from nlpsig_core.output.plots.style.panels import finish_panels
from nlpsig_core.output.plots.style.panels import panels as panels_of
from nlpsig_core.output.plots.style.theme import (
    ACCENT,
    AGREEING,
    BLUE,
    CONTRADICTING,
    DARK,
    DARK_CELL,
    LIGHT,
    NEUTRAL,
    OPAQUE,
    STYLES,
    hollow,
    series,
)
from nlpsig_core.output.plots.style.thresholds import draw_in_panel
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.notion import ALONE, Notion

# With more domains than these, intervals or numbers do not fit into the cells, or rows are low.
MOST_WITH_INTERVALS, MOST_WITH_NUMBERS, MOST_IN_HIGH_ROWS = 8, 20, 20
HIGH_ROW, LOW_ROW = 34, 17
# The room that upright names of domains need below an axis.
UPRIGHT = 70


def domains_figure(
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    *,
    metric: Metric,
    unit: str,
    signature: str,
    decimals: int = 2,
    notion: Notion = Notion(),
    panels: bool = False,
) -> go.Figure:
    """Confidence (1 - p) against gain in each domain; customdata is the row of ``pairs``.

    ``pairs`` are those of ``domains.pairs_by_domain``. The paper's figure 11: the same systems on test sets of one
    size. Each domain has a colour and symbol or, with ``panels``, axes of its own with the same ranges, the colours of
    the comparison classes and the model's ``thresholds`` (``domains.thresholds_by_domain``). Pairs beyond
    ``view_limit`` are not drawn. A line marks where the notion of significance is reached without adjustment.
    """
    with_gain = pairs[pairs["gain"] > 0]
    limit = view_limit(with_gain)
    drawn = with_gain[with_gain["gain"] <= limit]
    hover = pd.Series(pair_texts(drawn, metric, unit, decimals, notion.level), index=drawn.index, dtype=object)
    trace = partial(_trace, hover=hover, n_drawn=len(drawn), decimals=decimals)
    level = replace(notion, scope=ALONE)
    if panels:
        names = list(dict.fromkeys(pairs["domain"]))
        figure, cells = panels_of(names)
        for name, cell in zip(names, cells, strict=True):
            _add_panel(figure, drawn[drawn["domain"] == name], trace, cell)
            own = thresholds[thresholds["domain"] == name]
            draw_in_panel(figure, zip(own["comparison"], own["model_threshold"], strict=True), cell, decimals, "dot")
        _once_in_legend(figure)
        draw_level(figure, level, in_legend=True)
        legend_on_top(finish_panels(figure, names, signature, metric.gain_axis, AXIS))
    else:
        figure = _overlaid(drawn, with_gain["domain"].value_counts(), list(dict.fromkeys(pairs["domain"])), trace)
        axes = {"xaxis": {"title": {"text": metric.gain_axis}}, "yaxis": {"title": {"text": AXIS}}}
        finish(figure, signature, 620, **axes)
        draw_level(figure, level)
    figure.update_xaxes(range=[0, limit], zeroline=False)
    return figure.update_yaxes(range=confidence_range(drawn), zeroline=False)


def _trace(rows: pd.DataFrame, marker: dict[str, Any], hover: pd.Series, n_drawn: int, decimals: int) -> Any:
    texts = [f"{plain(name)}: {text}" for name, text in zip(rows["domain"], hover.loc[rows.index], strict=True)]
    return dots(rows, {"size": 7, "opacity": OPAQUE} | marker, n_drawn=n_drawn, hover=texts, decimals=decimals)


def _overlaid(drawn: pd.DataFrame, of_domain: pd.Series, names: list[str], trace: Callable[..., Any]) -> go.Figure:
    """All domains on the same axes; ``of_domain`` counts the pairs with a gain of each."""
    figure = go.Figure()
    for index, name in enumerate(names):
        colour, symbol = series(index)
        of = trace(drawn[drawn["domain"] == name], {"color": colour, "symbol": symbol})
        figure.add_trace(of.update(name=f"{plain(name)} ({of_domain.get(name, 0):,})"))
    return figure


def _add_panel(figure: go.Figure, rows: pd.DataFrame, trace: Callable[..., Any], cell: dict[str, int]) -> None:
    """Add the dots of one domain, each class in its colour."""
    for comparison in COMPARISONS:
        of_class = rows[rows["comparison"] == comparison]
        if len(of_class):
            colour, symbol = STYLES[comparison]
            dots_of = trace(of_class, {"color": colour, "symbol": symbol, "size": 6})
            figure.add_trace(dots_of.update(name=comparison, legendgroup=comparison), **cell)


def _once_in_legend(figure: go.Figure) -> None:
    """Show each class once in the legend."""
    named: set[str] = set()
    for trace in figure.data:
        trace.update(showlegend=trace.name not in named)
        named.add(trace.name)


def agreement_figure(agreement: pd.DataFrame, *, signature: str, decimals: int = 2) -> go.Figure:
    """Kendall's tau between the rankings of each two domains (``domains.agreement``), below the diagonal.

    Without the columns low and high there are no intervals (``campaign.agreement``).
    """
    names = list(dict.fromkeys([*agreement["domain_a"], *agreement["domain_b"]]))
    tau = agreement.pivot(index="domain_b", columns="domain_a", values="tau").reindex(names[1:], columns=names[:-1])
    rows, positions = agreement.set_index(["domain_b", "domain_a"]), list(range(len(names) - 1))
    labels, below_zero = [label(name, 24) for name in names], bool((agreement["tau"] < 0).any())
    cells = [[rows.loc[(b, a)] if (b, a) in rows.index else None for a in names[:-1]] for b in names[1:]]
    hovers = [
        [_cell_hover(a, b, cell, decimals) for a, cell in zip(names[:-1], of_row, strict=True)]
        for b, of_row in zip(names[1:], cells, strict=True)
    ]
    with_numbers = len(names) <= MOST_WITH_NUMBERS
    gap = 2 if with_numbers else 0
    figure = go.Figure(
        go.Heatmap(
            z=tau.to_numpy(), x=positions, y=positions, zmin=-1 if below_zero else 0, zmax=1, xgap=gap, ygap=gap,
            colorscale=[*CONTRADICTING, *AGREEING] if below_zero else list(AGREEING),
            text=hovers, hovertemplate=template(), hoverongaps=False,
            colorbar={"title": {"text": "Kendall's<br>tau"}, "thickness": 12, "len": 0.7},
        )
    )  # fmt: skip
    if with_numbers:
        figure.add_trace(_numbers(cells, decimals, len(names) <= MOST_WITH_INTERVALS and "low" in agreement))
    axis: dict[str, Any] = {"tickmode": "array", "showgrid": False, "zeroline": False, "automargin": True}
    # Upright names of all would overlap on a phone; those on the left have the same order.
    apart = -(-len(names) // MOST_WITH_NUMBERS)
    axis |= {} if with_numbers else {"tickfont": {"size": 10}}
    finish(
        figure,
        signature,
        max(300, 190 + (52 if len(names) <= MOST_WITH_INTERVALS else 30 if with_numbers else 15) * len(names)),
        xaxis=axis
        | {"tickvals": positions[::apart], "ticktext": labels[:-1][::apart]}
        | ({} if with_numbers else {"tickangle": -90}),
        yaxis=axis | {"tickvals": positions, "ticktext": labels[1:], "autorange": "reversed"},
    )
    if not with_numbers:
        figure.update_layout(height=figure.layout.height + UPRIGHT, margin={"b": figure.layout.margin.b + UPRIGHT})
    return figure


def _numbers(cells: list[list[pd.Series | None]], decimals: int, with_intervals: bool) -> go.Scatter:
    """Tau in each cell, and below it its interval where there is room."""
    known = [
        (x, y, row)
        for y, of_row in enumerate(cells)
        for x, row in enumerate(of_row)
        if row is not None and pd.notna(row["tau"])
    ]
    texts = [
        f"{row['tau']:.{decimals}f}"
        + (f"<br><sub>{row['low']:.{decimals}f}–{row['high']:.{decimals}f}</sub>" if with_intervals else "")
        for _, _, row in known
    ]
    colours = [LIGHT if abs(row["tau"]) >= DARK_CELL else DARK for _, _, row in known]
    return go.Scatter(
        x=[x for x, _, _ in known], y=[y for _, y, _ in known], mode="text", text=texts, textfont={"color": colours},
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip


def _cell_hover(a: str, b: str, row: pd.Series | None, decimals: int) -> str:
    if row is None:
        return ""
    return lines(
        f"<b>{plain(a)}</b> and <b>{plain(b)}</b>, {row['systems']:.0f} systems",
        f"Kendall's tau {row['tau']:.{decimals}f}"
        + (f", {interval(row['low'], row['high'], decimals)}" if "low" in row else ""),
    )


def pair_by_domain_figure(
    table: pd.DataFrame,
    *,
    a: str,
    b: str,
    metric: Metric,
    signature: str,
    decimals: int = 2,
    average: bool = False,
    unit_of: Mapping[str, str] | None = None,
    level: float = LEVEL,
) -> go.Figure:
    """The gain of one system over another in each domain (``domains.pair_by_domain``), a dot with its interval.

    Full dots are significant. A domain that was not tested has a row with the reason instead of a dot. With
    ``average``, the last row is the mean over the others: a diamond below a line. ``unit_of`` names what is resampled
    where domains differ in it.
    """
    table = table.reset_index(drop=True)
    tested = table[table["gain"].notna()]
    last = (tested.index == len(table) - 1) & average
    marks = zip(np.where(last, "diamond", "circle"), tested["significant"].astype(bool), strict=True)
    symbols = [hollow(str(symbol), not significant) for symbol, significant in marks]
    height = HIGH_ROW if len(table) <= MOST_IN_HIGH_ROWS else LOW_ROW
    figure = go.Figure(
        go.Scatter(
            x=tested["gain"],
            y=tested.index,
            error_x=error_bars(tested["gain"], tested["low"], tested["high"]),
            mode="markers",
            marker={
                "size": np.where(last, 13, min(10, height - 8)), "color": np.where(last, ACCENT, BLUE),
                "symbol": symbols, "line": {"width": 2, "color": np.where(last, ACCENT, BLUE)},
            },
            text=[_pair_hover(row, a, b, metric, decimals, level) for row in tested.itertuples()],
            hovertemplate=template(),
            showlegend=False,
        )
    )  # fmt: skip
    if average:
        figure.add_hline(y=len(table) - 1.5, line={"color": NEUTRAL, "width": 1})
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5})
    for row in table[table["gain"].isna()].itertuples():
        note(figure, plain(row.reason), colour=NEUTRAL, x=0, xanchor="left", xshift=6, y=row.Index)
    named = zip(table["domain"], table["units"], strict=True)
    names = [f"{label(name)} ({count(n, unit_of[name]) if unit_of else f'{n:,}'})" for name, n in named]
    for x, text in ((0, f"← {label(b, 18)} better"), (1, f"{label(a, 18)} better →")):
        note(
            figure, text, size=LABEL_SIZE + 1, x=x, xref="paper", xanchor="right" if x else "left", y=1, yref="paper",
            yanchor="bottom",
        )  # fmt: skip
    return finish(
        figure,
        signature,
        170 + height * len(table),
        xaxis={"title": {"text": metric.gain_axis}, "zeroline": False},
        yaxis=rows_axis(names, **({"tickfont": {"size": 10}} if height == LOW_ROW else {})),
    )


def _pair_hover(row: Any, a: str, b: str, metric: Metric, decimals: int, level: float) -> str:
    return lines(
        f"<b>{plain(row.domain)}</b>",
        f"{plain(a)} {row.score_a:.{decimals}f}, {plain(b)} {row.score_b:.{decimals}f}",
        f"{gain_text(metric, row.gain, decimals)}, {interval(row.low, row.high, decimals)}",
        answered(row.verdict, row.p, row.p_bound, row.p_corrected, level),
    )
