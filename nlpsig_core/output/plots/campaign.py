"""The test sets of a campaign side by side: every system on every test set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output.plots.style.layout import add_dots, axis, finish, legend_on_top, rows_axis
from nlpsig_core.output.plots.style.texts import ends, labels, lines, of_all, plain, sentence, template
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, DARK, NEUTRAL, PALE
from nlpsig_core.studies.analyses.campaign import INVALID, LEFT_OUT, MISSING

SCORE, RANK = "score", "rank"
# The symbol and the name of a cell without a score.
MARKS = {
    MISSING: ("line-ew", "no output"),
    INVALID: ("x-thin", "invalid output"),
    LEFT_OUT: ("circle-open", "left out of the average"),
}
# The heights of a row, of one of few rows, how many these are, and of a character of an upright name.
ROW, HIGH_ROW, MOST_IN_HIGH_ROWS, CHARACTER = 16, 26, 20, 6
# The least height of all rows: a legend on a narrow screen takes some of it.
LEAST = 150
LOOK: dict[str, Any] = {"ygap": 1, "textfont": {"color": DARK}}
# In more columns numbers could not be read, on a wide screen and on a phone.
MOST_WITH_NUMBERS, MOST_ON_A_PHONE = 40, 10
# A scale of so few whole numbers has a tick at each.
FEW = 6
# Upright names of more columns would overlap on a phone.
MOST_NAMES = 20


def cells_figure(
    cells: pd.DataFrame, *, show: str = SCORE, metric: Metric, signature: str, decimals: int = 2
) -> go.Figure:
    """Draw a cell for each test set and system (``campaign.cells``), bluer for a better score or rank.

    Cells without a score have a symbol in place of a colour. An invisible point on each cell, whose customdata is the
    row, can be clicked.
    """
    sets, systems = (list(dict.fromkeys(cells[column])) for column in ("test_set", "system"))
    blue_high = metric.higher_is_better and show == SCORE
    numbers = cells[show].to_numpy().reshape(len(sets), len(systems))
    digits = 0 if show == RANK else max(decimals - 1, 0)
    look = LOOK | {"colorscale": list(PALE if blue_high else PALE[::-1])}
    figure = go.Figure().add_heatmap(z=numbers, hoverinfo="skip", showlegend=False, **_numbers(numbers, digits), **look)
    x, y = cells.index % len(systems), cells.index // len(systems)
    for mark, (symbol, name) in MARKS.items():
        marked = (cells["mark"] == mark).to_numpy()
        if marked.any():
            # A dash along a row would cross the cells beside it where there are many.
            symbol = "line-ns" if mark == MISSING and len(systems) > MOST_NAMES else symbol
            marker = {"symbol": symbol, "size": 7, "color": NEUTRAL, "line": {"width": 1.5, "color": NEUTRAL}}
            add_dots(figure, x[marked], y[marked], marker, None, name=name)
    hover = [_hover(row, metric, decimals) for row in cells.itertuples()]
    hidden = {
        "customdata": cells.index.to_numpy("int32"),
        "unselected": {"marker": {"opacity": 0}},
        "showlegend": False,
    }
    add_dots(figure, x, y, {"size": ROW - 2, "opacity": 0}, hover, **hidden)
    figure.add_hline(y=0.5, line={"color": NEUTRAL, "width": 1.5})
    alt = _cells_alt(cells, metric, decimals)
    return legend_on_top(_matrix(figure, labels(sets, 20), labels(systems, 20), alt=alt, signature=signature))


def _numbers(cells: np.ndarray, digits: int) -> dict[str, object]:
    """Return what shows the number of each cell: itself, a scale of colours, or both where phones leave out numbers."""
    columns, known = cells.shape[1], cells[np.isfinite(cells)]
    whole = {"tickformat": ",d", "dtick": 1 if np.ptp(known) <= FEW else None} if digits == 0 and known.size else {}
    look: dict[str, object] = {"showscale": columns > MOST_ON_A_PHONE}
    look |= {"colorbar": {"thickness": 10, "outlinewidth": 0} | whole, "xgap": int(columns <= MOST_WITH_NUMBERS)}
    return look | ({"texttemplate": f"%{{z:.{digits}f}}"} if columns <= MOST_WITH_NUMBERS else {})


def _cells_alt(cells: pd.DataFrame, metric: Metric, decimals: int) -> str:
    of_average, each = cells[cells["test_set"] == MACRO], cells[cells["test_set"] != MACRO]
    where = each["system"] + " on " + each["test_set"]
    systems, sets = count(each["system"].nunique(), "system"), count(each["test_set"].nunique(), "test set")
    return sentence(
        f"macro-averages {ends(of_average['score'], of_average['system'], f'.{decimals}f')}",
        f"scores {ends(each['score'], where, f'.{decimals}f')}",
        *(f"{count(n, 'cell')} with {MARKS[mark][1]}" for mark, n in each["mark"].value_counts().items() if mark),
        about=f"{metric.label} of {systems} on {sets}",
    )


def _matrix(figure: go.Figure, rows: list[str], columns: list[str], **meta: str) -> go.Figure:
    apart = -(-len(columns) // MOST_NAMES)
    some: dict[str, Any] = {"tickvals": list(range(0, len(columns), apart)), "ticktext": columns[::apart]}
    ends = [-0.5, len(columns) - 0.5]
    above = rows_axis(columns, tickfont={"size": 10}, range=ends, side="top", tickangle=-90, **some)
    beside = rows_axis(rows, tickfont={"size": 10}, range=[len(rows) - 0.5, -0.5])
    return _finished(figure, len(rows), columns, xaxis=above, yaxis=beside, **meta)


def _finished(figure: go.Figure, rows: int, above: Sequence[str] = (), **layout: Any) -> go.Figure:
    """Return the figure with the common layout, room for its rows, and for upright names above them."""
    height = max(LEAST, rows * (ROW if rows > MOST_IN_HIGH_ROWS else HIGH_ROW))
    margin = finish(figure, height, **layout).layout.margin
    top = margin.t + CHARACTER * max(map(len, above), default=0)
    return figure.update_layout(height=top + height + margin.b, margin={"t": top})


def _hover(row: Any, metric: Metric, decimals: int) -> str:
    of = f"<b>{plain(row.system)}</b> on {plain(row.test_set)}"
    if row.mark:
        return lines(of, MARKS[row.mark][1], plain(row.note[:90]))
    return lines(of, f"{metric.label} {row.score:.{decimals}f}", f"rank {row.rank:.0f}")


def outcomes_figure(outcomes: pd.DataFrame, *, system: str, signature: str) -> go.Figure:
    """Draw how many systems one system beats (to the right) and loses to (to the left) on each test set.

    ``outcomes`` are the rows of the system (``campaign.outcomes``).
    """
    rows, figure = outcomes.reset_index(drop=True), go.Figure()
    texts = [
        lines(
            f"<b>{plain(system)}</b> on {plain(row.test_set)}",
            f"{row.wins} significantly worse, {row.losses} significantly better, {row.undecided} undecided",
        )
        for row in rows.itertuples()
    ]
    for column, sign, colour, pattern, result in (
        ("losses", -1, ACCENT, "/", "better"),
        ("wins", 1, BLUE, "", "worse"),
    ):
        look = {"color": colour, "pattern": {"shape": pattern}, "line": {"width": 0}}
        hover = {"text": texts, "textposition": "none", "hovertemplate": template()}
        name = f"significantly {result} systems"
        figure.add_bar(x=sign * rows[column], y=rows.index, orientation="h", name=name, marker=look, **hover)
    most = max(1, int(rows[["wins", "losses"]].to_numpy().max()))
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100) if most / step <= 6), most)
    ticks = list(range(-(most // step) * step, most + 1, step))
    ticked = {"tickmode": "array", "tickvals": ticks, "ticktext": list(map(abs, ticks)), "zeroline": True}
    x = axis("systems", range=[-most - 0.5, most + 0.5]) | ticked
    y = rows_axis(labels(rows["test_set"], 20), tickfont={"size": 10})
    wins, losses, undecided = (int(outcomes[column].sum()) for column in ("wins", "losses", "undecided"))
    about = f"{system} against the other systems on {count(len(outcomes), 'test set')}"
    sums = f"{wins:,} significantly worse", f"{losses:,} significantly better", f"{undecided:,} undecided"
    meta = {"alt": sentence(*sums, about=about), "signature": signature}
    return legend_on_top(_finished(figure, len(rows), barmode="overlay", bargap=0.25, xaxis=x, yaxis=y, **meta))


def won_figure(counted: pd.DataFrame, order: Sequence[str], *, signature: str) -> go.Figure:
    """Draw the number of test sets on which the row's system is significantly better than the column's.

    ``counted`` are the pairs of ``campaign.counted``; ``order`` are the systems of both axes, all or some.
    """
    columns = ["system_a", "system_b", "won", "test_sets"]
    turned = counted[["system_b", "system_a", "lost", "test_sets"]].set_axis(columns, axis=1)
    won = pd.concat([counted[columns], turned])
    number, of = (
        won.pivot(index="system_a", columns="system_b", values=column).reindex(index=order, columns=order).to_numpy()
        for column in ("won", "test_sets")
    )
    places, names = list(range(len(order))), labels(order, 20)
    hover = [[_won(names[a], names[b], number[a, b], of[a, b]) for b in places] for a in places]
    look = {"zmin": 0, "colorscale": list(PALE), "hoverongaps": False} | _numbers(number, digits=0)
    look |= {"text": hover, "hovertemplate": template()} | LOOK
    figure = go.Figure().add_heatmap(z=number, x=places, y=places, **look)
    any_won, any_lost = counted["won"] > 0, counted["lost"] > 0
    pairs, most = counted["system_a"] + " over " + counted["system_b"], counted["won"].astype(float)
    alt = sentence(
        f"{of_all(int((any_won | any_lost).sum()), len(counted), 'pair')} are significant on some test set",
        f"{int((any_won & any_lost).sum()):,} in both directions",
        f"most test sets: {most.max():.0f} ({pairs[most.idxmax()]})" if len(counted) else "",
    )
    return _matrix(figure, names, names, alt=alt, signature=signature)


def _won(row: str, column: str, number: float, of: float) -> str:
    if np.isnan(number):
        return ""
    return lines(f"<b>{row}</b> over <b>{column}</b>", f"significant on {number:.0f} of {of:.0f} test sets")
