"""The chance that a gain comes out significant, against the size of the test set."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.comparison.classes import COMPARISONS
from nlpsig_core.comparison.detectable import Aim
from nlpsig_core.metrics.base import Metric
from nlpsig_core.plots.sizes import log_ticks
from nlpsig_core.plots.theme import LABEL_SIZE, NEUTRAL, STYLES, finish, legend_above, plain

ONE_PAIR = "this pair"
# One pair looks like the first class.
PAIR_STYLE = STYLES[COMPARISONS[0]]


def power_figure(
    curve: pd.DataFrame, *, n_units: int, aim: Aim, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """Chance of p < level against units on a logarithmic axis, dashed where it is beyond the ``n_units`` there are.

    ``curve`` is that of ``power.power_curve``, or of ``power.power_by_class``: then a line a comparison class. A band
    shows the range of standard errors. Marked are the wanted power, the present number of units, and the first size
    that is enough.
    """
    figure = go.Figure()
    by_class = "comparison" in curve
    for name in COMPARISONS if by_class else [ONE_PAIR]:
        rows = curve[curve["comparison"] == name] if by_class else curve
        if len(rows):
            for trace in _traces(rows, name, unit):
                figure.add_trace(trace)
    figure.add_hline(y=aim.power, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    figure.add_vline(x=n_units, line={"color": NEUTRAL, "width": 1.5})
    label = {"showarrow": False, "font": {"size": LABEL_SIZE, "color": NEUTRAL}}
    figure.add_annotation(
        x=0, xref="paper", xanchor="left", y=aim.power, yanchor="bottom", text=f"wanted: {100 * aim.power:g} %", **label
    )
    # Annotations, unlike lines, stand on a logarithmic axis by the logarithm.
    present = f"{n_units:,} {unit}s here"
    figure.add_annotation(x=math.log10(n_units), y=1, yref="paper", yanchor="bottom", text=present, **label)
    chance = f"chance of {aim.sides}-sided p < {aim.level:g}<br>at a true {metric.gain} of {aim.gain:.{decimals}f}"
    ticks = log_ticks(curve["units"])
    finish(
        figure,
        signature,
        440,
        xaxis={"type": "log", "title": {"text": f"{unit}s in the test set"}, "zeroline": False} | ticks,
        yaxis={"title": {"text": chance}, "range": [0, 1.02], "tickformat": ".0%", "zeroline": False},
    )
    # The number of units here stands between the legend and the data.
    return legend_above(figure, 1.07)


def _traces(rows: pd.DataFrame, name: str, unit: str) -> list[go.Scatter]:
    """The band of the range, the line as far as there are units and beyond, and the first size that is enough."""
    colour, symbol = STYLES.get(name, PAIR_STYLE)
    common = {"legendgroup": name, "name": name}
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
                hovertemplate=f"<b>{name}</b><br>%{{x:,}} {unit}s: %{{y:.1%}}"
                + (", extrapolated" if dash == "dash" else "") + "<extra></extra>",
                showlegend=dash == "solid", **common,
            )
        )  # fmt: skip
    if rows["enough"].any():
        first = rows[rows["enough"]].iloc[0]
        traces.append(
            go.Scatter(
                x=[first["units"]], y=[first["power"]], mode="markers+text", textposition="top left",
                text=[f"{first['units']:,.0f}"], textfont={"size": LABEL_SIZE, "color": colour},
                marker={"color": colour, "symbol": symbol, "size": 10}, showlegend=False,
                hovertemplate=f"<b>{name}</b><br>enough from %{{x:,}} {unit}s on<extra></extra>", **common,
            )
        )  # fmt: skip
    return traces


def detectable_figure(table: pd.DataFrame, *, aim: Aim, metric: Metric, signature: str, decimals: int = 2) -> go.Figure:
    """Each pair's observed gain against its own minimal detectable gain, both on logarithmic axes.

    ``table`` is that of ``power.detectable_gains``; ``aim`` has the level, the sides and the power it was made with.
    On the solid line the two are the same; on the dashed one the observed gain makes p = level. Dots below the solid
    line are open. customdata is the row of ``table``. Pairs without gain are not drawn.
    """
    figure, drawn = go.Figure(), table[table["gain"] > 0]
    if len(drawn):
        ends = np.array([drawn["detectable"].min() / 1.1, drawn["detectable"].max() * 1.1])
        power, p = f"{100 * aim.power:g} %", f"{aim.sides}-sided p = {aim.level:g}"
        _line(figure, ends, ends, "solid", f"minimal detectable gain ({power} power)")
        _line(figure, ends, ends * aim.z / (aim.z + aim.z_power), "dash", p)
    for name in (c for c in COMPARISONS if (drawn["comparison"] == c).any()):
        _gains(figure, drawn[drawn["comparison"] == name], name, metric, decimals)
    finish(
        figure,
        signature,
        520,
        xaxis=_log_axis(f"minimal detectable {metric.gain}", drawn["detectable"]),
        yaxis=_log_axis(f"observed {metric.gain}", drawn["gain"]),
    )
    return legend_above(figure)


def _line(figure: go.Figure, x: np.ndarray, y: np.ndarray, dash: str, name: str) -> None:
    line = {"color": NEUTRAL, "width": 1.5, "dash": dash}
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, name=name, hoverinfo="skip"))


def _gains(figure: go.Figure, rows: pd.DataFrame, name: str, metric: Metric, decimals: int) -> None:
    """The dots of one class, filled where the observed gain is above the pair's own minimal detectable one."""
    colour, symbol = STYLES[name]
    symbols = [symbol if above else f"{symbol}-open" for above in rows["above"]]
    text = [
        f"<b>{plain(row.system_a)}</b> over <b>{plain(row.system_b)}</b><br>{name}<br>observed {metric.gain} "
        f"{row.gain:.{decimals + 1}f}<br>minimal detectable {row.detectable:.{decimals + 1}f}"
        for row in rows.itertuples()
    ]
    figure.add_trace(
        go.Scatter(
            x=rows["detectable"], y=rows["gain"], mode="markers", name=name, text=text,
            marker={"color": colour, "symbol": symbols, "size": 7}, customdata=rows.index.to_numpy("int32"),
            hovertemplate="%{text}<extra></extra>",
        )
    )  # fmt: skip


def _log_axis(title: str, values: pd.Series) -> dict[str, object]:
    """A logarithmic axis with round ticks."""
    return {"type": "log", "title": {"text": title}, "zeroline": False} | log_ticks(values)
