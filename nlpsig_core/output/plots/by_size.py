"""Against the size of the test set: thresholds (the paper's figure 10) and power; detectable against observed gains."""

from __future__ import annotations

import math
import textwrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, rounded_up, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import by_class
from nlpsig_core.output.plots.style.layout import (
    add_dots,
    add_line,
    axis,
    error_bars,
    finish,
    legend_above,
    log_axis,
    note,
)
from nlpsig_core.output.plots.style.texts import both_ends, lines, of_all, over, sentence
from nlpsig_core.output.plots.style.theme import NEUTRAL, STYLES, hollow
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.significance.comparison.verdict import needed_in_words
from nlpsig_core.studies.analyses.sizes import ESTIMATES

ONE_PAIR = "this pair"
# Numbers of units are long: on a phone two ticks of a decade have room, one if they span more than so many decades, and
# one of several decades if they span more than MOST of them.
WIDE, DECADES, MOST = (1, 3), 3, 4
# The characters of a text beside a mark that a phone has room for.
BESIDE = 18
# One pair looks like the first class.
PAIR_STYLE = STYLES[COMPARISONS[0]]
ESTIMATE_NAMES = {"window": "from the window of p", "model": "from the model of needed gains"}


def threshold_curve_figure(
    thresholds: pd.DataFrame, fit: pd.DataFrame, spread: pd.DataFrame, *, metric: Metric, unit: str, signature: str,
    decimals: int = 2, estimate: str = "window",
) -> go.Figure:  # fmt: skip
    """Draw threshold against size on logarithmic axes, by one estimate; each class has a colour and symbol.

    Frames are those of ``sizes.thresholds_by_size``, ``fit_by_size`` and ``spread_by_size``. For a size with one draw
    the bar is the model's interval; the window gives none. For a size with several draws each is a small dot, the
    symbol is at their median, and the bar extends from the smallest to the largest. The line is the fitted
    c / sqrt(size).
    """
    columns = {name: thresholds.get(f"{ESTIMATES[estimate]}{name}", np.nan) for name in ("threshold", "low", "high")}
    every = thresholds[["size", "draw", "comparison"]].assign(**columns).dropna(subset="threshold")
    middle = spread[(spread["estimate"] == estimate) & (spread["found"] > 0)]
    own = every[["size", "comparison", "low", "high"]].drop_duplicates(["size", "comparison"])
    middle = middle.merge(own, on=["size", "comparison"], suffixes=("", "_own"))
    fits = fit[fit["estimate"] == estimate].set_index("comparison")["c"].dropna()
    figure = go.Figure()
    for comparison, rows in by_class(middle):
        (colour, symbol), several = STYLES[comparison], rows["draws"] > 1
        marker = {"color": colour, "symbol": symbol}
        if several.any():
            draws = every[every["comparison"] == comparison]
            # Beside the bar, which would hide them.
            x, small = draws["size"] * 1.025, marker | {"size": 5, "opacity": 0.6}
            add_dots(figure, x, draws["threshold"], small, None, showlegend=False, legendgroup=comparison)
        low, high = (rows[end].where(several, rows[f"{end}_own"]) for end in ("low", "high"))
        ends = zip(rows.itertuples(index=False), low, high, strict=True)
        hover = [_hover(row, low, high, metric, unit, decimals) for row, low, high in ends]
        bars = error_bars(rows["median"], low, high, colour=colour, thickness=1.5, width=4)
        named = {"name": comparison, "legendgroup": comparison}
        add_dots(figure, rows["size"], rows["median"], marker | {"size": 10}, hover, error_y=bars, **named)
        if comparison in fits:
            c, x = fits[comparison], [float(rows["size"].min()), float(rows["size"].max())]
            named = {"name": f"{c:.{max(decimals - 1, 0)}f} / √{unit}s", "legendgroup": comparison}
            add_line(figure, x, [c / math.sqrt(end) for end in x], {"color": colour, "width": 1.5}, **named)
    sizes = sorted(thresholds["size"].unique())
    ticks = {"tickmode": "array", "tickvals": sizes, "ticktext": [f"{size:,}" for size in sizes]}
    room = [math.log10(sizes[0] * 0.92), math.log10(sizes[-1] * 1.09)] if sizes else None
    heights = [*every["threshold"], *middle["low"], *middle["high"]]
    x = axis(f"{unit}s in the test set", type="log", range=room, **ticks)
    y = log_axis(f"threshold {ESTIMATE_NAMES[estimate]}:<br>{metric.gain_axis}", heights)
    about = f"Thresholds as {metric.gain} at {count(spread['size'].nunique(), 'size')}"
    texts = _by_class(spread[(spread["estimate"] == estimate) & spread["median"].notna()], fits, unit, decimals)
    alt = sentence(*(texts or ["none"]), about=about)
    return legend_above(finish(figure, 460, alt=alt, signature=signature, showlegend=True, xaxis=x, yaxis=y))


def _by_class(spread: pd.DataFrame, fits: pd.Series, unit: str, decimals: int) -> list[str]:
    """Return the threshold of each class at the smallest and at the largest size, and its fitted curve."""
    texts = []
    for comparison, rows in by_class(spread):
        shown = rows.iloc[both_ends(rows)]
        sizes = zip(shown["median"], shown["size"], strict=True)
        at = ", ".join(f"{median:.{decimals}f} at {count(int(size), unit)}" for median, size in sizes)
        fitted = f", fitted by {fits[comparison]:.3g} / √n" if comparison in fits else ""
        texts.append(f"{comparison} {at}{fitted}")
    return texts


def _hover(row: Any, low: float, high: float, metric: Metric, unit: str, decimals: int) -> str:
    known = pd.notna(low)
    return (
        f"<b>{row.comparison}</b>, {row.size:,} {unit}s<br>{metric.gain} {row.median:.{decimals}f}"
        + (f", median of {row.found} of {row.draws} draws, range" if row.draws > 1 else "")
        + (", interval" if row.draws == 1 and known else "")
        + (f" {low:.{decimals}f} to {high:.{decimals}f}" if known else "")
    )


def power_figure(
    curve: pd.DataFrame, *, n_units: int, aim: Aim, metric: Metric, unit: str, signature: str, decimals: int = 2
) -> go.Figure:
    """Draw the chance of p < level against the number of units on a logarithmic axis, dashed beyond the ``n_units``.

    ``curve`` is that of ``power.power_curve``, or of ``power.power_by_class``, which gives a line for each comparison
    class. A band shows the range of standard errors. Marked are the target power, the present number of units, and
    the smallest sufficient size, whose number is in the legend, or for one pair beside the mark.
    """
    figure, by_name = go.Figure(), by_class(curve) if "comparison" in curve else [(ONE_PAIR, curve)]
    for name, rows in by_name:
        _add_power(figure, rows, name, unit)
    figure.add_hline(y=aim.power, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    figure.add_vline(x=n_units, line={"color": NEUTRAL, "width": 1.5})
    # Unlike lines, annotations are placed by the logarithm on a logarithmic axis.
    here: dict[str, Any] = {"x": math.log10(n_units), "y": 1, "yref": "paper", "yanchor": "bottom"}
    note(figure, f"{n_units:,} {unit}s here", colour=NEUTRAL, **here)
    chance = f"chance of {aim.sides}-sided p < {aim.level:.2g}<br>at a true {metric.gain} of {aim.gain:.{decimals}f}"
    needed = [_required(rows, name, n_units, unit) for name, rows in by_name]
    goal = f"A power of {share(aim.power)} for a true {metric.gain} of {aim.gain:.{decimals}f} requires"
    alt = sentence(f"{goal} {', '.join(needed)}", f"the test set has {n_units:,}")
    low, high = (math.log10(end) for end in (curve["units"].min(), curve["units"].max()))
    x = log_axis(f"{unit}s in the test set", curve["units"], WIDE if high - low < DECADES else WIDE[:1])
    x |= {name: x[name][:: max(1, math.ceil((high - low) / MOST))] for name in ("tickvals", "ticktext")}
    # A range of its own: plotly would make room for all of the text beside the mark.
    x |= {"tickangle": 0, "range": [low - 0.05 * (high - low), high + 0.05 * (high - low)]}
    y = axis(chance, range=[0, 1.02], tickformat=".0%")
    finish(figure, 440, alt=alt, signature=signature, xaxis=x, yaxis=y)
    marks = curve[curve["enough"]].head(0 if "comparison" in curve else 1)
    for size in marks["units"]:
        beside: dict[str, Any] = {"xanchor": "left", "yanchor": "top", "xshift": 8, "yshift": -4}
        if math.log10(size) > (low + high) / 2:
            beside = {"xanchor": "right", "yanchor": "bottom", "xshift": -8, "yshift": 4}
        words = "<br>".join(textwrap.wrap(needed_in_words(size, n_units, unit), BESIDE))
        note(figure, f"<b>{words}</b><br>for a power of {share(aim.power)}", x=math.log10(size), y=aim.power, **beside)
    if marks.empty:
        right: dict[str, Any] = {"x": 1, "xref": "paper", "xanchor": "right", "y": aim.power, "yanchor": "bottom"}
        note(figure, f"target power: {share(aim.power)}", colour=NEUTRAL, **right)
    if "comparison" in curve:
        # The present number of units is between the legend and the data.
        return legend_above(figure, 1.07)
    return figure.update_layout(showlegend=False)


def _required(rows: pd.DataFrame, name: str, n_units: int, unit: str) -> str:
    """Return the smallest sufficient size of a line, as its mark or the legend has it."""
    enough = rows.loc[rows["enough"], "units"]
    most = f"more than {count(round(rows['units'].max()), unit)}"
    return f"{most if enough.empty else needed_in_words(enough.iloc[0], n_units, unit)} for {name}"


def _add_power(figure: go.Figure, rows: pd.DataFrame, name: str, unit: str) -> None:
    """Add the band, the line up to the present number of units and beyond it, and the smallest sufficient size."""
    (colour, symbol), enough = STYLES.get(name, PAIR_STYLE), rows[rows["enough"]]
    needed = f": {rounded_up(enough['units'].iloc[0]):,}" if len(enough) else ""
    common = {"legendgroup": name, "name": f"{name}{needed}"}
    x, y = [*rows["units"], *rows["units"][::-1]], [*rows["high"], *rows["low"][::-1]]
    band: dict[str, Any] = {"fill": "toself", "fillcolor": colour, "opacity": 0.15, "showlegend": False}
    add_line(figure, x, y, {"width": 0}, **band, **common)
    # The dashed line starts where the other one ends.
    last = rows.loc[~rows["extrapolated"], "units"].max()
    beyond = rows[rows["extrapolated"] | (rows["units"] == last)]
    for part, dash, more in ((rows[~rows["extrapolated"]], "solid", ""), (beyond, "dash", ", extrapolated")):
        line = {"color": colour, "width": 2, "dash": dash}
        hover = f"<b>{name}</b><br>%{{x:,}} {unit}s: %{{y:.1%}}{more}"
        add_line(figure, part["units"], part["power"], line, hover, showlegend=not more, **common)
    first, marker = enough.head(1), {"color": colour, "symbol": symbol, "size": 10}
    if len(first):
        hover = f"<b>{name}</b><br>%{{x:,}} {unit}s are enough"
        add_dots(figure, first["units"], first["power"], marker, hover, showlegend=False, **common)


def detectable_figure(table: pd.DataFrame, *, aim: Aim, metric: Metric, signature: str, decimals: int = 2) -> go.Figure:
    """Draw each pair's observed gain against its own minimal detectable gain, both on logarithmic axes.

    ``table`` is that of ``power.detectable_gains``, made with the level, sides and power of ``aim``. On the solid
    line the two gains are equal; on the dashed line the observed gain gives p = level. Dots below the solid line are
    open. customdata is the row of ``table``. Pairs without a gain are not drawn.
    """
    figure, drawn = go.Figure(), table[table["gain"] > 0]
    least, most = drawn["detectable"].min(), drawn["detectable"].max()
    if len(drawn):
        ends = np.array([least / 1.1, most * 1.1])
        equal = (ends, "solid", f"minimal detectable {metric.gain_word} ({share(aim.power)} power)")
        significant = (ends * aim.z / (aim.z + aim.z_power), "dash", f"{aim.sides}-sided p = {aim.level:g}")
        for y, dash, name in (equal, significant):
            line = {"color": NEUTRAL, "width": 1.5, "dash": dash}
            add_line(figure, ends, y, line, name=name)
    for name, rows in by_class(drawn):
        colour, symbol = STYLES[name]
        texts = [
            lines(
                over(row.system_a, row.system_b),
                name,
                f"observed {metric.gain} {row.gain:.{decimals}f}",
                f"minimal detectable {row.detectable:.{decimals}f}",
            )
            for row in rows.itertuples()
        ]
        symbols = [hollow(symbol, not above) for above in rows["above"]]
        marker, row = {"color": colour, "symbol": symbols, "size": 7}, rows.index.to_numpy("int32")
        add_dots(figure, rows["detectable"], rows["gain"], marker, texts, name=name, customdata=row)
    alt = sentence(
        f"The observed {metric.gain} exceeds the detectable {metric.gain_word} ({share(aim.power)} power) in "
        f"{of_all(int(drawn['above'].sum()), len(drawn), 'pair')}",
        f"detectable {metric.gain_word}s are {least:.{decimals}f} to {most:.{decimals}f}" if len(drawn) else "",
    )
    detectable = log_axis(f"minimal detectable {metric.gain}", drawn["detectable"])
    observed = log_axis(f"observed {metric.gain}", drawn["gain"])
    return legend_above(finish(figure, 520, alt=alt, signature=signature, xaxis=detectable, yaxis=observed))
