"""Several domains or test sets side by side: pairs, agreement of rankings, and one pair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import LEVEL, count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.layout import LABEL_SIZE, add_dots, axis, error_bars, finish, note, rows_axis
from nlpsig_core.output.plots.style.texts import (
    ANSWER,
    answered,
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

# With more domains than these, intervals or numbers do not fit into the cells, or rows are low.
MOST_WITH_INTERVALS, MOST_WITH_NUMBERS, MOST_IN_HIGH_ROWS = 8, 20, 20
HIGH_ROW, LOW_ROW = 34, 17
# Below the axis of a phone.
MOST_NAMES = 15
# What the names of two systems have at most on one line of a phone, and fewer pixels than a character is wide.
MOST_ON_A_LINE, CHARACTER = 36, 5
# The room that upright names of domains need below an axis.
UPRIGHT = 70


def agreement_figure(agreement: pd.DataFrame, *, signature: str, thing: str = "domain") -> go.Figure:
    """Draw Kendall's tau between the rankings of each two domains (``domains.agreement``), below the diagonal.

    Without the columns low and high there are no intervals (``campaign.agreement``). ``thing`` is what domains are
    called.
    """
    names = list(dict.fromkeys([*agreement["domain_a"], *agreement["domain_b"]]))
    tau = agreement.pivot(index="domain_b", columns="domain_a", values="tau").reindex(names[1:], columns=names[:-1])
    positions, shown = list(range(len(names) - 1)), labels(names, 24)
    hovers = np.full(tau.shape, "", dtype=object)
    for row in agreement.itertuples():
        hovers[names.index(row.domain_b) - 1, names.index(row.domain_a)] = lines(
            f"<b>{plain(row.domain_a)}</b> and <b>{plain(row.domain_b)}</b>, {row.systems:.0f} systems",
            f"Kendall's tau {row.tau:.2f}" + (f", {interval(row.low, row.high, 2)}" if "low" in agreement else ""),
        )
    with_numbers, below_zero = len(names) <= MOST_WITH_NUMBERS, bool((agreement["tau"] < 0).any())
    with_intervals = len(names) <= MOST_WITH_INTERVALS and "low" in agreement
    gap = 2 if with_numbers else 0
    look: dict[str, Any] = {"xgap": gap, "ygap": gap, "hoverongaps": False, "hovertemplate": template()}
    look |= {"zmax": 1, "colorbar": {"title": {"text": "Kendall's tau", "side": "right"}, "thickness": 12, "len": 0.7}}
    look |= {"zmin": -1, "colorscale": CONTRADICTING + AGREEING} if below_zero else {"zmin": 0, "colorscale": AGREEING}
    figure = go.Figure().add_heatmap(z=tau.to_numpy(), x=positions, y=positions, text=hovers.tolist(), **look)
    if with_numbers:
        known = agreement[agreement["tau"].notna()]
        x, y = [names.index(a) for a in known["domain_a"]], [names.index(b) - 1 for b in known["domain_b"]]
        texts = [
            f"{row.tau:.2f}" + (f"<br><sub>{row.low:.2f}–{row.high:.2f}</sub>" if with_intervals else "")
            for row in known.itertuples()
        ]
        colours = [LIGHT if abs(value) >= DARK_CELL else DARK for value in known["tau"]]
        font = {"textfont": {"color": colours}, "hoverinfo": "skip", "showlegend": False}
        figure.add_scatter(x=x, y=y, mode="text", text=texts, **font)
    each: dict[str, Any] = {"tickmode": "array", "showgrid": False, "zeroline": False, "automargin": True}
    # Upright names of all would overlap on a phone; those on the left have the same order.
    apart = -(-len(names) // MOST_NAMES)
    each |= {} if with_numbers else {"tickfont": {"size": 10}}
    row_height = 52 if len(names) <= MOST_WITH_INTERVALS else 30 if with_numbers else 15
    both = agreement["domain_a"].astype(str) + " and " + agreement["domain_b"].astype(str)
    about = f"Kendall's tau between the rankings of {count(len(set(names)), thing)}"
    alt = sentence(ends(agreement["tau"], both, ".2f") or "unknown", about=about)
    below = each | {"tickvals": positions[::apart], "ticktext": shown[:-1][::apart]}
    left = each | {"tickvals": positions, "ticktext": shown[1:], "autorange": "reversed"}
    height = max(300, 190 + row_height * len(names))
    finish(figure, height, alt=alt, signature=signature, xaxis=below, yaxis=left)
    if not with_numbers:
        margin = figure.layout.margin.b + UPRIGHT
        figure.update_layout(xaxis_tickangle=-90, height=height + UPRIGHT, margin_b=margin)
    return figure


def pair_by_domain_figure(
    table: pd.DataFrame, *, a: str, b: str, metric: Metric, signature: str, decimals: int = 2, average: bool = False,
    unit_of: Mapping[str, str] | None = None, level: float = LEVEL,
) -> go.Figure:  # fmt: skip
    """Draw the gain of one system over another in each domain (``domain_pair.pair_by_domain``) with its interval.

    Full dots are significant. A domain that was not tested has a row with the reason instead of a dot. With
    ``average``, the last row is the mean over the others: a diamond below a line. ``unit_of`` names what is resampled
    in each domain.
    """
    table = table.reset_index(drop=True)
    tested = table[table["gain"].notna()]
    last = (tested.index == len(table) - 1) & average
    marks = zip(np.where(last, "diamond", "circle"), tested["significant"].astype(bool), strict=True)
    height, colours = HIGH_ROW if len(table) <= MOST_IN_HIGH_ROWS else LOW_ROW, np.where(last, ACCENT, BLUE)
    figure, bars = go.Figure(), error_bars(tested["gain"], tested["gain_low"], tested["gain_high"])
    symbols = [hollow(str(symbol), not significant) for symbol, significant in marks]
    marker = {"color": colours, "line": {"width": 2, "color": colours}, "symbol": symbols}
    marker |= {"size": np.where(last, 13, min(10, height - 8))}
    hover = [_pair_hover(row, a, b, metric, decimals, level) for row in tested.itertuples()]
    add_dots(figure, tested["gain"], tested.index, marker, hover, error_x=bars, showlegend=False)
    if average:
        figure.add_hline(y=len(table) - 1.5, line={"color": NEUTRAL, "width": 1})
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5})
    for row in table[table["gain"].isna()].itertuples():
        note(figure, plain(row.reason), colour=NEUTRAL, x=0, xanchor="left", xshift=6, y=row.Index)
    named = zip(table["domain"], table["units"], strict=True)
    names = [f"{label(name)} ({count(n, unit_of[name]) if unit_of else f'{n:,}'})" for name, n in named]
    above: dict[str, Any] = {"size": LABEL_SIZE + 1, "xref": "paper", "y": 1, "yref": "paper", "yanchor": "bottom"}
    name_a, name_b = labels((a, b))
    # One begins above the names of rows; on a phone, long ones have a line each.
    line = LABEL_SIZE + 6 if len(name_a + name_b) > MOST_ON_A_LINE else 0
    shift = -CHARACTER * max(map(len, names), default=0)
    note(figure, f"← {name_b} better", x=0, xanchor="left", xshift=shift, yshift=line, **above)
    note(figure, f"{name_a} better →", x=1, xanchor="right", **above)
    alt = _pair_by_domain_alt(table, a, b, metric, decimals, average)
    y = rows_axis(names, **({"tickfont": {"size": 10}} if height == LOW_ROW else {}))
    x = axis(metric.gain_axis)
    return finish(figure, 170 + height * len(table), alt=alt, signature=signature, xaxis=x, yaxis=y)


def _pair_by_domain_alt(table: pd.DataFrame, a: str, b: str, metric: Metric, decimals: int, average: bool) -> str:
    """Return the range of the gain over domains, and in how many it is significant.

    With ``average``, rows are test sets, of which the last is their mean.
    """
    each, thing = (table.iloc[:-1], "test set") if average else (table, "domain")
    tested = each[each["gain"].notna()]
    significant = tested[tested["significant"].astype(bool)]
    where = f"significant in {of_all(len(significant), len(tested), thing)}"
    found = ends(tested["gain"], tested["domain"], f".{decimals}f")
    mean = ""
    if average:
        where += f", for {b} in {(significant['gain'] < 0).sum():,} of them"
        mean = f"average {ends(table['gain'].tail(1), table['domain'].tail(1), f'.{decimals}f')}"
    return sentence(f"{metric.gain} {found}" if found else "", where, mean, about=f"{a} over {b}")


def _pair_hover(row: Any, a: str, b: str, metric: Metric, decimals: int, level: float) -> str:
    return lines(
        f"<b>{plain(row.domain)}</b>",
        f"{plain(a)} {row.score_a:.{decimals}f}, {plain(b)} {row.score_b:.{decimals}f}",
        f"{gain_text(metric, row.gain, decimals)}, {interval(row.gain_low, row.gain_high, decimals)}",
        answered(*(getattr(row, column) for column in ANSWER), level=level),
    )
