"""Several domains or test sets side by side: pairs, agreement of rankings, and one pair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, p_text
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.hover import gain_text, interval, label, lines, plain, template
from nlpsig_core.output.plots.style.layout import LABEL_SIZE, error_bars, finish, note, rows_axis
from nlpsig_core.output.plots.style.theme import (
    ACCENT,
    AGREEING,
    BLUE,
    CONTRADICTING,
    DARK,
    DARK_CELL,
    LIGHT,
    NEUTRAL,
    hollow,
)
from nlpsig_core.output.plots.style.wording import ends, of_all, sentence

# With more domains than these, intervals or numbers do not fit into the cells, or rows are low.
MOST_WITH_INTERVALS, MOST_WITH_NUMBERS, MOST_IN_HIGH_ROWS = 8, 20, 20
HIGH_ROW, LOW_ROW = 34, 17
# The room that upright names of domains need below an axis.
UPRIGHT = 70


def agreement_figure(agreement: pd.DataFrame, *, signature: str, decimals: int = 2, thing: str = "domain") -> go.Figure:
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
        alt=agreement_alt(agreement, thing),
        signature=signature,
        height=max(300, 190 + (52 if len(names) <= MOST_WITH_INTERVALS else 30 if with_numbers else 15) * len(names)),
        xaxis=axis
        | {"tickvals": positions[::apart], "ticktext": labels[:-1][::apart]}
        | ({} if with_numbers else {"tickangle": -90}),
        yaxis=axis | {"tickvals": positions, "ticktext": labels[1:], "autorange": "reversed"},
    )
    if not with_numbers:
        figure.update_layout(height=figure.layout.height + UPRIGHT, margin={"b": figure.layout.margin.b + UPRIGHT})
    return figure


def agreement_alt(agreement: pd.DataFrame, thing: str = "domain") -> str:
    """The range of Kendall's tau over pairs of domains, or of whatever they are called."""
    both = agreement["domain_a"].astype(str) + " and " + agreement["domain_b"].astype(str)
    domains = len({*agreement["domain_a"], *agreement["domain_b"]})
    return sentence(
        ends(agreement["tau"], both, ".2f") or "unknown",
        about=f"Kendall's tau between the rankings of {count(domains, thing)}",
    )


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
            text=[_pair_hover(row, a, b, metric, decimals) for row in tested.itertuples()],
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
        170 + height * len(table),
        alt=pair_by_domain_alt(table, a=a, b=b, metric=metric, decimals=decimals, average=average),
        signature=signature,
        xaxis={"title": {"text": metric.gain_axis}, "zeroline": False},
        yaxis=rows_axis(names, **({"tickfont": {"size": 10}} if height == LOW_ROW else {})),
    )


def pair_by_domain_alt(
    table: pd.DataFrame, *, a: str, b: str, metric: Metric, decimals: int = 2, average: bool = False
) -> str:
    """The range of the gain over domains, and in how many it is significant.

    With ``average``, rows are test sets, of which the last is their mean.
    """
    each, thing = (table.iloc[:-1], "test set") if average else (table, "domain")
    tested = each[each["gain"].notna()]
    significant = tested[tested["significant"].astype(bool)]
    where = f"significant in {of_all(len(significant), len(tested), thing)}"
    found = ends(tested["gain"], tested["domain"], f".{decimals}f")
    gains = f"{metric.gain} {found}" if found else ""
    if not average:
        return sentence(gains, where, about=f"{a} over {b}")
    for_b = f"for {b} in {(significant['gain'] < 0).sum():,} of them"
    mean = ends(table["gain"].tail(1), table["domain"].tail(1), f".{decimals}f")
    return sentence(gains, f"{where}, {for_b}", f"average {mean}", about=f"{a} over {b}")


def _pair_hover(row: Any, a: str, b: str, metric: Metric, decimals: int) -> str:
    return lines(
        f"<b>{plain(row.domain)}</b>",
        f"{plain(a)} {row.score_a:.{decimals}f}, {plain(b)} {row.score_b:.{decimals}f}",
        f"{gain_text(metric, row.gain, decimals)}, {interval(row.low, row.high, decimals)}",
        f"p {p_text(row.p, bound=row.p_bound)}",
    )
