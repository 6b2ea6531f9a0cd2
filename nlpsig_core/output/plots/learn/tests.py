"""The Learn page's figures of p-values: under the null hypothesis, by many rules, and of many equal systems."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import capital, count, p_text
from nlpsig_core.output.plots.learn.large_print import COUNTED, OTHER, cased_line, mark, note, on_screen
from nlpsig_core.output.plots.style.hover import template
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, GREEN, NEUTRAL, ONE_SIDED, TWO_SIDED, hollow
from nlpsig_core.output.plots.style.wording import listed, of_all, sentence
from nlpsig_core.studies.lessons.equal_systems import BH, HOLM, READINGS

ROW = 50
# The smallest p by a formula that is drawn.
LEAST = 1e-9
# A p by a formula is never shown as a bound.
BY_FORMULA = 10**15


def p_histogram_figure(bins: pd.DataFrame, level: float, *, what: str, signature: str) -> go.Figure:
    """How many worlds have p in each bin (``lessons.null_world.p_histogram``), those below the level coloured.

    The line is the number expected of a uniform p; the band holds 95% of such bars.
    """
    figure = go.Figure()
    middle, width = (bins["low"] + bins["high"]) / 2, bins["high"] - bins["low"]
    for number, colour in ((bins["below"], COUNTED), (bins["worlds"] - bins["below"], OTHER)):
        figure.add_trace(
            go.Bar(
                x=middle, y=number, width=0.9 * width, marker={"color": colour, "line": {"width": 0}, "opacity": 0.85},
                hovertemplate=template("p about %{x:.3f}: %{y:,} worlds"),
            )
        )  # fmt: skip
    flat = bins[bins["flat"] > 0]
    first, end = flat.iloc[0], float(flat["high"].max())
    figure.add_shape(type="rect", x0=0, x1=end, y0=first["flat_low"], y1=first["flat_high"], line_width=0,
                     fillcolor=NEUTRAL, opacity=0.4, layer="below")  # fmt: skip
    cased_line(figure, 0, end, first["flat"])
    mark(figure, level, f"α = {level:g}")
    return on_screen(
        figure, alt=p_histogram_alt(bins, level, what=what), signature=signature, barmode="stack",
        xaxis={"title": {"text": what}, "range": [0, 1]},
        yaxis={"title": {"text": "worlds"}, "rangemode": "tozero"},
    )  # fmt: skip


def p_histogram_alt(bins: pd.DataFrame, level: float, *, what: str) -> str:
    """How many worlds have p below the level, and the smallest and largest bar."""
    worlds, bars = int(bins["worlds"].sum()), bins.loc[bins["flat"] > 0, "worlds"]
    return sentence(
        f"{capital(what)} is below {level:g} in {of_all(int(bins['below'].sum()), worlds, 'world')}",
        f"bars have {bars.min():,} to {bars.max():,} worlds, where a flat histogram has {bins['flat'].max():,.0f}",
    )


def rules_figure(rules: pd.DataFrame, alpha: float, *, a: str, b: str, chosen: str, signature: str) -> go.Figure:
    """p of one pair by each rule on a logarithmic axis (``lessons.rules.by_rules``), the ``chosen`` rule marked.

    One-sided and two-sided p differ in colour and symbol. A p below 1 / b or LEAST is drawn there with an open
    symbol. A one-sided p above one half means that by this rule the other system is ahead.
    """
    figure = go.Figure()
    positions = np.arange(len(rules))
    least = np.where(rules["n_resamples"] > 0, 1 / rules["n_resamples"].clip(lower=1), LEAST)
    sides = (("one_sided", "one-sided p", ONE_SIDED), ("two_sided", "two-sided p", TWO_SIDED))
    for column, name, (colour, symbol) in sides:
        known = rules[column].notna().to_numpy()
        p = rules[column].to_numpy(dtype=float)[known]
        figure.add_trace(
            go.Scatter(
                x=np.maximum(p, least[known]), y=positions[known], mode="markers", name=name, text=rules["rule"][known],
                marker={
                    "color": colour, "symbol": np.where(p >= least[known], symbol, hollow(symbol)), "size": 15,
                    "line": {"width": 2, "color": colour},
                },
                hovertemplate=template(f"%{{text}}<br>{name} %{{x:.4g}}"),
            )
        )  # fmt: skip
    for position, (rule, p) in enumerate(zip(rules["rule"], rules["one_sided"], strict=True)):
        text = f"{rule}: the other system is ahead" if p > 0.5 else rule
        text, colour = (f"<b>{text}</b>", ACCENT) if rule == chosen else (text, "")
        note(
            figure, text, colour=colour, x=0, xref="paper", xanchor="left", y=position, yanchor="bottom", yshift=7,
        )  # fmt: skip
        # In pieces, so that it does not cross the names.
        piece = {"x0": alpha, "x1": alpha, "y0": position - 0.1, "y1": position + 0.32}
        figure.add_shape(type="line", line={"color": NEUTRAL, "width": 2}, layer="below", **piece)
    # Unlike shapes, annotations are placed by the logarithm on a logarithmic axis.
    note(figure, f"<b>α = {alpha:g}</b>", x=math.log10(alpha), y=1, yref="paper", yanchor="bottom")
    lowest = min(float(trace.x.min()) for trace in figure.data if len(trace.x))
    on_screen(
        figure, 150 + ROW * len(rules), 100, alt=rules_alt(rules, alpha, a=a, b=b), signature=signature,
        showlegend=True,
        xaxis={"type": "log", "title": {"text": "p"}, "range": [math.log10(lowest) - 0.3, 0.1]} | _ticks(lowest),
        yaxis={"range": [len(rules) - 0.5, -0.9], "showticklabels": False, "tickvals": positions},
    )  # fmt: skip
    # Above the name of the level.
    return figure.update_layout(legend_y=1 + 26 / (ROW * len(rules)))


def rules_alt(rules: pd.DataFrame, alpha: float, *, a: str, b: str) -> str:
    """p by each rule, and how many are below the level."""
    below = int((rules["one_sided"] < alpha).sum())
    each = (
        f"{row.rule} {p_text(float(row.one_sided), int(row.n_resamples) or BY_FORMULA)}" for row in rules.itertuples()
    )
    return sentence(
        listed(each),
        about=f"One-sided p of {a} over {b} by {count(len(rules), 'rule')}, {below} of them below {alpha:g}",
    )


def _ticks(lowest: float) -> dict[str, object]:
    """Ticks of a logarithmic axis of p from ``lowest`` to 1: powers of ten, with steps between where there is room."""
    decades = range(math.floor(math.log10(lowest)), 1)
    steps = (1, 2, 5) if len(decades) < 4 else (1,)
    values = [step * 10.0**power for power in decades for step in steps if step * 10.0**power <= 1]
    return {"tickvals": values, "ticktext": [f"{value:g}" for value in values]}


def sorted_p_figure(p: np.ndarray, limits: pd.DataFrame, *, n_resamples: int, signature: str) -> go.Figure:
    """Two-sided p of many pairs, the smallest first, on logarithmic axes with the ``limits`` of each rule.

    Limits come from ``lessons.equal_systems.limits``. A p without any hit is drawn at half of 1 / b.
    """
    drawn = np.maximum(np.sort(p), 0.5 / n_resamples)
    rank, figure = limits["rank"], go.Figure()
    lines = (
        ("expected", "independent pairs", NEUTRAL, "solid"), ("alpha", "α", ACCENT, "dash"),
        (BH, BH, BLUE, "dashdot"), (HOLM, HOLM, GREEN, "dot"),
    )  # fmt: skip
    for column, name, colour, dash in lines:
        figure.add_trace(
            go.Scatter(
                x=rank, y=limits[column], mode="lines", name=name, line={"color": colour, "width": 3, "dash": dash},
                hovertemplate=template(f"{name}, rank %{{x}}: %{{y:.2g}}"),
            )
        )  # fmt: skip
    below = drawn < limits["alpha"].to_numpy()
    marker = {"color": np.where(below, COUNTED, OTHER), "symbol": np.where(below, "diamond", "circle"), "size": 9}
    hover = template("rank %{x}: p %{y:.4f}")
    figure.add_trace(
        go.Scatter(x=rank, y=drawn, mode="markers", name="pairs", showlegend=False, marker=marker, hovertemplate=hover)
    )
    axis = {"type": "log", "dtick": 1}
    lowest = math.log10(min(float(drawn.min()), float(limits[HOLM].min()))) - 0.25
    return on_screen(
        figure, 500, 130, alt=sorted_p_alt(p, limits, n_resamples=n_resamples), signature=signature, showlegend=True,
        xaxis=axis | {"title": {"text": "pairs, smallest p first"}, "range": [-0.04, math.log10(len(p)) + 0.04]},
        yaxis=axis | {"title": {"text": "two-sided p"}, "range": [lowest, 0.1]},
    )  # fmt: skip


def sorted_p_alt(p: np.ndarray, limits: pd.DataFrame, *, n_resamples: int) -> str:
    """How many p are below the level, and the smallest beside the one of Holm's line."""
    alpha = float(limits["alpha"].iloc[0])
    return sentence(
        f"{(p < alpha).sum():,} below {alpha:g}",
        f"the smallest is {p_text(float(p.min()), n_resamples)}, where the lines of Holm and Benjamini-Hochberg begin "
        f"at {alpha / len(p):.2g}",
        about=f"Two-sided p of {count(len(p), 'pair')} of equal systems",
    )


def false_alarms_figure(alarms: pd.DataFrame, *, pairs: int, signature: str) -> go.Figure:
    """How many pairs are significant in each set of equal systems, by each reading of p, with the mean.

    ``alarms`` come from ``lessons.equal_systems.false_alarms``; sets are side by side in their order.
    """
    figure = go.Figure()
    beside = np.linspace(-0.3, 0.3, len(alarms))
    for index, reading in enumerate(READINGS):
        colour = COUNTED if index < 2 else BLUE
        mean = float(alarms[reading].mean())
        figure.add_trace(
            go.Scatter(
                x=index + beside, y=alarms[reading], mode="markers", name=reading,
                marker={"color": colour, "size": 7, "opacity": 0.6},
                hovertemplate=template(f"{reading}: %{{y}} of {count(pairs, 'pair')}"),
            )
        )  # fmt: skip
        line = {"color": NEUTRAL, "width": 4}
        figure.add_shape(type="line", x0=index - 0.38, x1=index + 0.38, y0=mean, y1=mean, line=line)
        note(figure, f"<b>mean<br>{mean:.1f}</b>", x=index, y=1, yref="paper", yanchor="bottom", align="center")
    most = max(float(alarms[list(READINGS)].to_numpy().max()), 1.0)
    names = [reading.replace("-", "-<br>") for reading in READINGS]
    return on_screen(
        figure, 480, 76, alt=false_alarms_alt(alarms, pairs=pairs), signature=signature,
        xaxis={"tickvals": list(range(len(READINGS))), "ticktext": names, "range": [-0.5, len(READINGS) - 0.5]},
        yaxis={"title": {"text": f"significant pairs, of {pairs:,}"}, "range": [-0.04 * most, 1.06 * most]},
    )  # fmt: skip


def false_alarms_alt(alarms: pd.DataFrame, *, pairs: int) -> str:
    """The mean number of false alarms of a set by each reading of p."""
    means = listed(f"{reading} {alarms[reading].mean():.1f}" for reading in READINGS)
    return sentence(means, about=f"Mean false alarms of {count(pairs, 'pair')} in {count(len(alarms), 'set')}")
