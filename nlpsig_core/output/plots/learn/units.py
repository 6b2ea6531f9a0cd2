"""The Learn page's figures of units: their gains, how often a resample draws each, which ones a world swaps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nlpsig_core.base.words import capital, count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.learn.large_print import COUNTED, NOTE_SIZE, OTHER, TITLE_SIZE, on_screen
from nlpsig_core.output.plots.style.layout import axis
from nlpsig_core.output.plots.style.texts import label, of_all, sentence, template
from nlpsig_core.output.plots.style.theme import BLUE, NEUTRAL
from nlpsig_core.studies.pair.units import LOSSES, WINS

LOSS = COUNTED
# The axis of the running gain ignores this share of the units: on the first few the gain jumps too far to be drawn.
FIRST_JUMPS = 0.02
# Columns for each row of the grid of units; its height, the width of a phone, and the largest cell, in pixels.
WIDER = 1.7
GRID_HEIGHT, NARROW, LARGEST = 400, 340, 30
# The part of its cell that a unit fills if drawn 0, 1, 2, ... times.
SIZES = np.array([0.18, 0.45, 0.66, 0.84, 1.0])


def running_gain_figure(
    units: pd.DataFrame, upto: int, *, names: tuple[str, str], metric: Metric, unit: str, signature: str,
    decimals: int = 2,
) -> go.Figure:  # fmt: skip
    """Draw the gain of each unit (``lessons.sample.running_gain``), and below it the gain of all units up to each.

    The gain of the first ``upto`` units is marked; the units after them are faint.
    """
    figure = make_subplots(
        rows=2, shared_xaxes=True, row_heights=[0.36, 0.64], vertical_spacing=0.12,
        subplot_titles=(f"gain of each {unit}", f"gain of the first {unit}s together"),
    )  # fmt: skip
    figure.update_annotations(x=0, xanchor="left", font_size=NOTE_SIZE)
    inside = units["unit"] <= upto
    for outcome, colour, who in ((WINS, BLUE, names[0]), (LOSSES, LOSS, names[1])):
        rows = units["outcome"] == outcome
        figure.add_bar(
            x=units.loc[rows, "unit"], y=units.loc[rows, "gain"], name=f"{label(who, 24)} better",
            marker={"color": colour, "opacity": np.where(inside[rows], 1.0, 0.25), "line": {"width": 0}},
            hovertemplate=template(f"{unit} %{{x}}: %{{y:.{decimals}f}}"), showlegend=True, row=1, col=1,
        )  # fmt: skip
    below: dict[str, Any] = {"row": 2, "col": 1}
    for part, opacity in ((units[inside], 1.0), (units[~inside | (units["unit"] == upto)], 0.35)):
        figure.add_scatter(
            x=part["unit"], y=part["running"], mode="lines", line={"color": BLUE, "width": 3}, opacity=opacity,
            hovertemplate=template(f"first %{{x:,}} {unit}s: %{{y:.{decimals}f}}"), showlegend=False, **below,
        )  # fmt: skip
    here, whole = (float(units["running"].iloc[end - 1]) for end in (upto, len(units)))
    figure.add_hline(y=0, line={"color": NEUTRAL, "width": 1}, **below)
    figure.add_hline(y=whole, line={"color": NEUTRAL, "width": 2, "dash": "dash"}, **below)
    low, high = _range(units["running"])
    figure.add_scatter(
        x=[upto], y=[min(max(here, low), high)], mode="markers+text", text=[f"<b>{here:.{decimals}f}</b>"],
        textposition="top left" if upto > len(units) / 2 else "top right", textfont={"size": TITLE_SIZE},
        marker={"color": LOSS if here < 0 else BLUE, "size": 13}, cliponaxis=False, hoverinfo="skip",
        showlegend=False, **below,
    )  # fmt: skip
    alt = sentence(
        f"{here:.{decimals}f} on the first {count(upto, unit)}, {whole:.{decimals}f} on all {len(units):,}",
        about=f"{capital(metric.gain)} of {names[0]} over {names[1]}",
    )
    on_screen(figure, 580, 110, alt=alt, signature=signature, bargap=0, showlegend=True)
    figure.update_xaxes(range=[0, len(units) + 1])
    figure.update_xaxes(title_text=f"{unit}s, in the order of the test set", **below)
    figure.update_yaxes(title_text=metric.gain_axis, range=[low, high], **below)
    return figure.update_layout(legend={"y": 1.07})


def _range(running: pd.Series) -> list[float]:
    """Return the range of the running gain with 0 and some room, without its first few units."""
    settled = running.iloc[min(int(FIRST_JUMPS * len(running)) + 4, len(running) - 1) :]
    low, high = min(float(settled.min()), 0.0), max(float(settled.max()), 0.0)
    room = 0.12 * (high - low) or 1.0
    return [low - room, high + room]


def drawn_figure(times: np.ndarray, last: int | None, *, unit: str, signature: str) -> go.Figure:
    """Draw a dot for each unit, row by row, larger the more often the unit is drawn; ``times`` is (units,).

    A unit that is not drawn is a small grey dot; the ``last`` one drawn (its index) has another colour.
    """
    n = len(times)
    across = max(1, math.ceil(math.sqrt(n * WIDER)))
    down, index, colour = math.ceil(n / across), np.arange(n), np.where(times == 0, NEUTRAL, BLUE)
    if last is not None:
        colour[last] = COUNTED
    # Between the room on a wide screen, limited by height, and on a phone, limited by width.
    room = min(math.sqrt(GRID_HEIGHT / down * NARROW / across), LARGEST)
    figure = go.Figure().add_scatter(
        x=index % across, y=index // across, mode="markers", customdata=index + 1, text=times,
        marker={"color": colour, "size": room * SIZES[np.minimum(times, len(SIZES) - 1)], "opacity": 1.0},
        hovertemplate=template(f"{unit} %{{customdata}}: drawn %{{text}}×"),
    )  # fmt: skip
    most, in_resample = int(times.max(initial=0)), of_all(int((times > 0).sum()), n, unit)
    alt = sentence(
        f"{in_resample} in the resample" + (f", one of them {most}×" * (most > 1)),
        about=count(int(times.sum()), "draw"),
    )
    hidden = {"visible": False, "constrain": "domain"}
    on_screen(
        figure, GRID_HEIGHT + 90, 34, alt=alt, signature=signature, xaxis=hidden | {"range": [-0.7, across - 0.3]},
        yaxis=hidden | {"range": [down - 0.3, -0.7], "scaleanchor": "x"},
    )  # fmt: skip
    return figure.update_layout(margin_b=10)


def world_figure(units: pd.DataFrame, *, metric: Metric, unit: str, signature: str, decimals: int = 2) -> go.Figure:
    """Draw the gain of each unit in a world where some are swapped; columns unit (from 0), gain and swapped."""
    figure, gain = go.Figure(), units["gain"]
    for swapped, colour, name in ((False, OTHER, "as it was"), (True, COUNTED, "swapped")):
        rows = units[units["swapped"] == swapped]
        figure.add_bar(
            x=rows["unit"] + 1, y=rows["gain"], name=name, marker={"color": colour, "line": {"width": 0}},
            hovertemplate=template(f"{unit} %{{x}}, {name}: %{{y:.{decimals}f}}"),
        )  # fmt: skip
    figure.add_hline(y=0, line={"color": NEUTRAL, "width": 1})
    alt = sentence(
        f"{of_all(int(units['swapped'].sum()), len(units), unit)} are swapped",
        f"in this world the gain is above 0 on {(gain > 0).sum():,} {unit}s and below 0 on {(gain < 0).sum():,}",
    )
    return on_screen(
        figure, alt=alt, signature=signature, bargap=0, showlegend=True,
        xaxis=axis(f"{unit}s", range=[0, len(units) + 1]), yaxis=axis(metric.gain_axis),
    )  # fmt: skip
