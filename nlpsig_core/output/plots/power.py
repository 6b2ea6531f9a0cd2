"""Power against the size of the test set, and observed against minimal detectable gains."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, rounded_up, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.hover import lines, over, template
from nlpsig_core.output.plots.style.layout import LABEL_SIZE, finish, legend_above, log_axis, note
from nlpsig_core.output.plots.style.theme import NEUTRAL, STYLES, hollow
from nlpsig_core.output.plots.style.wording import listed, of_all, sentence
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.detectable import Aim

ONE_PAIR = "this pair"
# Numbers of units are long: few ticks of a decade have room on a phone.
WIDE = (1, 3)
# One pair looks like the first class.
PAIR_STYLE = STYLES[COMPARISONS[0]]


def power_figure(
    curve: pd.DataFrame, *, n_units: int, aim: Aim, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """Probability of p < level against the number of units on a logarithmic axis, dashed beyond the ``n_units``.

    ``curve`` is that of ``power.power_curve``, or of ``power.power_by_class``, which gives a line for each comparison
    class. A band shows the range of standard errors. Marked are the target power, the present number of units, and
    the smallest sufficient size, whose number is in the legend, or for one pair beside the mark.
    """
    figure = go.Figure()
    by_class = "comparison" in curve
    for name in COMPARISONS if by_class else [ONE_PAIR]:
        rows = curve[curve["comparison"] == name] if by_class else curve
        if len(rows):
            figure.add_traces(_traces(rows, name, unit))
    figure.add_hline(y=aim.power, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    figure.add_vline(x=n_units, line={"color": NEUTRAL, "width": 1.5})
    target = f"target power: {share(aim.power)}"
    note(figure, target, colour=NEUTRAL, x=1, xref="paper", xanchor="right", y=aim.power, yanchor="bottom")
    # Unlike lines, annotations are placed by the logarithm on a logarithmic axis.
    present = f"{n_units:,} {unit}s here"
    note(figure, present, colour=NEUTRAL, x=math.log10(n_units), y=1, yref="paper", yanchor="bottom")
    chance = f"chance of {aim.sides}-sided p < {aim.level:.2g}<br>at a true {metric.gain} of {aim.gain:.{decimals}f}"
    finish(
        figure,
        440,
        alt=power_alt(curve, n_units=n_units, aim=aim, metric=metric, unit=unit, decimals=decimals),
        signature=signature,
        xaxis=log_axis(f"{unit}s in the test set", curve["units"], WIDE) | {"tickangle": 0},
        yaxis={"title": {"text": chance}, "range": [0, 1.02], "tickformat": ".0%", "zeroline": False},
    )
    if by_class:
        # The present number of units is between the legend and the data.
        return legend_above(figure, 1.07)
    for size in curve.loc[curve["enough"], "units"].head(1):
        note(
            figure, f"<b>{rounded_up(int(size)):,} {unit}s</b>", size=LABEL_SIZE + 2, x=math.log10(size), y=aim.power,
            xanchor="left", yanchor="top", xshift=8, yshift=-4,
        )  # fmt: skip
    return figure.update_layout(showlegend=False)


def power_alt(curve: pd.DataFrame, *, n_units: int, aim: Aim, metric: Metric, unit: str, decimals: int = 2) -> str:
    """The number of units from which each class, or the pair, has the intended power."""
    needed = [
        f"{count(round(rows.loc[rows['enough'], 'units'].iloc[0]), unit)} for {name}"
        if rows["enough"].any()
        else f"more than {count(round(rows['units'].max()), unit)} for {name}"
        for name, rows in _by_class(curve)
    ]
    goal = f"A power of {share(aim.power)} for a true {metric.gain} of {aim.gain:.{decimals}f} requires"
    return sentence(f"{goal} {listed(needed)}", f"the test set has {n_units:,}")


def _by_class(curve: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    if "comparison" not in curve:
        yield "this pair", curve
        return
    for name in COMPARISONS:
        rows = curve[curve["comparison"] == name]
        if len(rows):
            yield name, rows


def _traces(rows: pd.DataFrame, name: str, unit: str) -> list[go.Scatter]:
    """The band, the line up to the present number of units and beyond it, and the smallest sufficient size."""
    colour, symbol = STYLES.get(name, PAIR_STYLE)
    enough = rows[rows["enough"]]
    needed = f": {enough['units'].iloc[0]:,.0f}" if len(enough) else ""
    common = {"legendgroup": name, "name": f"{name}{needed}"}
    ends = {"x": [*rows["units"], *rows["units"][::-1]], "y": [*rows["high"], *rows["low"][::-1]]}
    band = {"mode": "lines", "fill": "toself", "fillcolor": colour, "opacity": 0.15, "line": {"width": 0}}
    traces = [go.Scatter(**ends, **band, **common, showlegend=False, hoverinfo="skip")]
    # The dashed line starts where the other one ends.
    last = rows.loc[~rows["extrapolated"], "units"].max()
    beyond = rows[rows["extrapolated"] | (rows["units"] == last)]
    for part, dash in ((rows[~rows["extrapolated"]], "solid"), (beyond, "dash")):
        traces.append(
            go.Scatter(
                x=part["units"], y=part["power"], mode="lines", line={"color": colour, "width": 2, "dash": dash},
                hovertemplate=template(
                    f"<b>{name}</b><br>%{{x:,}} {unit}s: %{{y:.1%}}" + (", extrapolated" if dash == "dash" else "")
                ),
                showlegend=dash == "solid", **common,
            )
        )  # fmt: skip
    if len(enough):
        first = enough.iloc[0]
        traces.append(
            go.Scatter(
                x=[first["units"]], y=[first["power"]], mode="markers",
                marker={"color": colour, "symbol": symbol, "size": 10}, showlegend=False,
                hovertemplate=template(f"<b>{name}</b><br>%{{x:,}} {unit}s are enough"), **common,
            )
        )  # fmt: skip
    return traces


def detectable_figure(table: pd.DataFrame, *, aim: Aim, metric: Metric, signature: str, decimals: int = 2) -> go.Figure:
    """Each pair's observed gain against its own minimal detectable gain, both on logarithmic axes.

    ``table`` is that of ``power.detectable_gains``, made with the level, sides and power of ``aim``. On the solid
    line the two gains are equal; on the dashed line the observed gain gives p = level. Dots below the solid line are
    open. customdata is the row of ``table``. Pairs without a gain are not drawn.
    """
    figure, drawn = go.Figure(), table[table["gain"] > 0]
    if len(drawn):
        ends = np.array([drawn["detectable"].min() / 1.1, drawn["detectable"].max() * 1.1])
        p = f"{aim.sides}-sided p = {aim.level:g}"
        _line(figure, ends, ends, "solid", f"minimal detectable gain ({share(aim.power)} power)")
        _line(figure, ends, ends * aim.z / (aim.z + aim.z_power), "dash", p)
    for name in (c for c in COMPARISONS if (drawn["comparison"] == c).any()):
        _gains(figure, drawn[drawn["comparison"] == name], name, metric, decimals)
    finish(
        figure,
        520,
        alt=detectable_alt(table, aim=aim, metric=metric, decimals=decimals),
        signature=signature,
        xaxis=log_axis(f"minimal detectable {metric.gain}", drawn["detectable"]),
        yaxis=log_axis(f"observed {metric.gain}", drawn["gain"]),
    )
    return legend_above(figure)


def detectable_alt(table: pd.DataFrame, *, aim: Aim, metric: Metric, decimals: int = 2) -> str:
    """How many observed gains exceed what is detectable, and the range of the detectable gains."""
    drawn = table[table["gain"] > 0]
    least, most = drawn["detectable"].min(), drawn["detectable"].max()
    return sentence(
        f"The observed {metric.gain} exceeds the detectable gain ({share(aim.power)} power) in "
        f"{of_all(int(drawn['above'].sum()), len(drawn), 'pair')}",
        f"detectable gains are {least:.{decimals}f} to {most:.{decimals}f}" if len(drawn) else "",
    )


def _line(figure: go.Figure, x: np.ndarray, y: np.ndarray, dash: str, name: str) -> None:
    line = {"color": NEUTRAL, "width": 1.5, "dash": dash}
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, name=name, hoverinfo="skip"))


def _gains(figure: go.Figure, rows: pd.DataFrame, name: str, metric: Metric, decimals: int) -> None:
    """Add the dots of one class, filled where the observed gain exceeds the pair's minimal detectable gain."""
    colour, symbol = STYLES[name]
    symbols = [hollow(symbol, not above) for above in rows["above"]]
    text = [
        lines(
            over(row.system_a, row.system_b),
            name,
            f"observed {metric.gain} {row.gain:.{decimals + 1}f}",
            f"minimal detectable {row.detectable:.{decimals + 1}f}",
        )
        for row in rows.itertuples()
    ]
    figure.add_trace(
        go.Scatter(
            x=rows["detectable"], y=rows["gain"], mode="markers", name=name, text=text,
            marker={"color": colour, "symbol": symbols, "size": 7}, customdata=rows.index.to_numpy("int32"),
            hovertemplate=template(),
        )
    )  # fmt: skip
