"""The Learn page's figures of p-values: under the null hypothesis, by many rules, and of many equal systems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import capital, count, p_text
from nlpsig_core.output.plots.learn.large_print import COUNTED, OTHER, mark, note, on_screen
from nlpsig_core.output.plots.style.layout import axis
from nlpsig_core.output.plots.style.texts import listed, of_all, sentence, template
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, DARK, GREEN, LIGHT, NEUTRAL, ONE_SIDED, TWO_SIDED, hollow
from nlpsig_core.studies.lessons.equal_systems import BH, HOLM, READINGS

ROW = 50
# The smallest p by a formula that is drawn.
LEAST = 1e-9
# A p by a formula is never shown as a bound.
BY_FORMULA = 10**15


def p_histogram_figure(bins: pd.DataFrame, level: float, *, what: str, signature: str) -> go.Figure:
    """Draw how many worlds have p in each bin (``lessons.null_world.p_histogram``), those below the level coloured.

    The line is the number expected of a uniform p; the band holds 95% of such bars.
    """
    figure = go.Figure()
    middle, width = (bins["low"] + bins["high"]) / 2, bins["high"] - bins["low"]
    for number, colour in ((bins["below"], COUNTED), (bins["worlds"] - bins["below"], OTHER)):
        figure.add_bar(
            x=middle, y=number, width=0.9 * width, marker={"color": colour, "line": {"width": 0}, "opacity": 0.85},
            hovertemplate=template("p about %{x:.3f}: %{y:,} worlds"),
        )  # fmt: skip
    flat = bins[bins["flat"] > 0]
    first, end = flat.iloc[0], float(flat["high"].max())
    band = {"line_width": 0, "fillcolor": NEUTRAL, "opacity": 0.4, "layer": "below"}
    figure.add_shape(type="rect", x0=0, x1=end, y0=first["flat_low"], y1=first["flat_high"], **band)
    # Visible on bars and on any background: dark, with a light edge.
    for colour, thick in ((LIGHT, 6), (DARK, 3)):
        line = {"color": colour, "width": thick}
        figure.add_shape(type="line", x0=0, x1=end, y0=first["flat"], y1=first["flat"], line=line)
    mark(figure, level, f"α = {level:g}")
    bars = flat["worlds"]
    alt = sentence(
        f"{capital(what)} is below {level:g} in {of_all(int(bins['below'].sum()), int(bins['worlds'].sum()), 'world')}",
        f"bars have {bars.min():,} to {bars.max():,} worlds, where a flat histogram has {bins['flat'].max():,.0f}",
    )
    return on_screen(
        figure, alt=alt, signature=signature, barmode="stack", xaxis=axis(what, range=[0, 1]),
        yaxis=axis("worlds", rangemode="tozero"),
    )  # fmt: skip


def rules_figure(rules: pd.DataFrame, alpha: float, *, a: str, b: str, chosen: str, signature: str) -> go.Figure:
    """Draw p of one pair by each rule on a logarithmic axis (``lessons.rules.by_rules``), the ``chosen`` rule marked.

    One-sided and two-sided p differ in colour and symbol. A p below 1 / b or LEAST is drawn there with an open
    symbol. A one-sided p above one half means that by this rule the other system is ahead.
    """
    figure, positions = go.Figure(), np.arange(len(rules))
    least = np.where(rules["n_resamples"] > 0, 1 / rules["n_resamples"].clip(lower=1), LEAST)
    sides = (("one_sided", "one-sided p", ONE_SIDED), ("two_sided", "two-sided p", TWO_SIDED))
    for column, name, (colour, symbol) in sides:
        known = rules[column].notna().to_numpy()
        p = rules[column].to_numpy(dtype=float)[known]
        symbols = np.where(p >= least[known], symbol, hollow(symbol))
        figure.add_scatter(
            x=np.maximum(p, least[known]), y=positions[known], mode="markers", name=name, text=rules["rule"][known],
            marker={"color": colour, "symbol": symbols, "size": 15, "line": {"width": 2, "color": colour}},
            hovertemplate=template(f"%{{text}}<br>{name} %{{x:.4g}}"),
        )  # fmt: skip
    for position, (rule, p) in enumerate(zip(rules["rule"], rules["one_sided"], strict=True)):
        text = f"{rule}: the other system is ahead" if p > 0.5 else rule
        text, colour = (f"<b>{text}</b>", ACCENT) if rule == chosen else (text, "")
        above: dict[str, Any] = {
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "y": position,
            "yanchor": "bottom",
            "yshift": 7,
        }
        note(figure, text, colour=colour, **above)
        # In pieces, so that it does not cross the names.
        piece = {"x0": alpha, "x1": alpha, "y0": position - 0.1, "y1": position + 0.32}
        figure.add_shape(type="line", line={"color": NEUTRAL, "width": 2}, layer="below", **piece)
    # Unlike shapes, annotations are placed by the logarithm on a logarithmic axis.
    note(figure, f"<b>α = {alpha:g}</b>", x=math.log10(alpha), y=1, yref="paper", yanchor="bottom")
    lowest = min(float(trace.x.min()) for trace in figure.data if len(trace.x))
    on_screen(
        figure, 150 + ROW * len(rules), 100, alt=rules_alt(rules, alpha, a=a, b=b), signature=signature,
        showlegend=True, xaxis=axis("p", type="log", range=[math.log10(lowest) - 0.3, 0.1], **_ticks(lowest)),
        yaxis={"range": [len(rules) - 0.5, -0.9], "showticklabels": False, "tickvals": positions},
    )  # fmt: skip
    # Above the name of the level.
    return figure.update_layout(legend_y=1 + 26 / (ROW * len(rules)))


def rules_alt(rules: pd.DataFrame, alpha: float, *, a: str, b: str) -> str:
    """Return p by each rule, and how many are below the level."""
    below = int((rules["one_sided"] < alpha).sum())
    each = (
        f"{row.rule} {p_text(float(row.one_sided), int(row.n_resamples) or BY_FORMULA)}" for row in rules.itertuples()
    )
    about = f"One-sided p of {a} over {b} by {count(len(rules), 'rule')}, {below} of them below {alpha:g}"
    return sentence(listed(each), about=about)


def _ticks(lowest: float) -> dict[str, object]:
    """Return ticks of a logarithmic axis of p from ``lowest`` to 1: powers of ten, and steps where there is room."""
    decades = range(math.floor(math.log10(lowest)), 1)
    steps = (1, 2, 5) if len(decades) < 4 else (1,)
    values = [step * 10.0**power for power in decades for step in steps if step * 10.0**power <= 1]
    return {"tickvals": values, "ticktext": [f"{value:g}" for value in values]}


def sorted_p_figure(p: np.ndarray, limits: pd.DataFrame, *, n_resamples: int, signature: str) -> go.Figure:
    """Draw two-sided p of many pairs, the smallest first, on logarithmic axes with the ``limits`` of each rule.

    Limits come from ``lessons.equal_systems.limits``. A p without any hit is drawn at half of 1 / b.
    """
    drawn = np.maximum(np.sort(p), 0.5 / n_resamples)
    rank, figure, alpha = limits["rank"], go.Figure(), float(limits["alpha"].iloc[0])
    lines = (
        ("expected", "independent pairs", NEUTRAL, "solid"), ("alpha", "α", ACCENT, "dash"),
        (BH, BH, BLUE, "dashdot"), (HOLM, HOLM, GREEN, "dot"),
    )  # fmt: skip
    for column, name, colour, dash in lines:
        figure.add_scatter(
            x=rank, y=limits[column], mode="lines", name=name, line={"color": colour, "width": 3, "dash": dash},
            hovertemplate=template(f"{name}, rank %{{x}}: %{{y:.2g}}"),
        )  # fmt: skip
    below = drawn < alpha
    marker = {"color": np.where(below, COUNTED, OTHER), "symbol": np.where(below, "diamond", "circle"), "size": 9}
    hover = template("rank %{x}: p %{y:.4f}")
    figure.add_scatter(
        x=rank, y=drawn, mode="markers", name="pairs", showlegend=False, marker=marker, hovertemplate=hover
    )
    lowest = math.log10(min(float(drawn.min()), float(limits[HOLM].min()))) - 0.25
    alt = sentence(
        f"{(p < alpha).sum():,} below {alpha:g}",
        f"the smallest is {p_text(float(p.min()), n_resamples)}, where the lines of Holm and Benjamini-Hochberg begin "
        f"at {alpha / len(p):.2g}",
        about=f"Two-sided p of {count(len(p), 'pair')} of equal systems",
    )
    ranks = {"range": [-0.04, math.log10(len(p)) + 0.04], "type": "log", "dtick": 1}
    return on_screen(
        figure, 500, 130, alt=alt, signature=signature, showlegend=True, xaxis=axis("pairs, smallest p first", **ranks),
        yaxis=axis("two-sided p", range=[lowest, 0.1], type="log", dtick=1),
    )  # fmt: skip


def false_alarms_figure(alarms: pd.DataFrame, *, pairs: int, signature: str) -> go.Figure:
    """Draw how many pairs are significant in each set of equal systems, by each reading of p, with the mean.

    ``alarms`` come from ``lessons.equal_systems.false_alarms``; sets are side by side in their order.
    """
    figure = go.Figure()
    beside, means = (
        np.linspace(-0.3, 0.3, len(alarms)),
        {reading: float(alarms[reading].mean()) for reading in READINGS},
    )
    for index, (reading, mean) in enumerate(means.items()):
        figure.add_scatter(
            x=index + beside, y=alarms[reading], mode="markers", name=reading,
            marker={"color": COUNTED if index < 2 else BLUE, "size": 7, "opacity": 0.6},
            hovertemplate=template(f"{reading}: %{{y}} of {count(pairs, 'pair')}"),
        )  # fmt: skip
        line = {"color": NEUTRAL, "width": 4}
        figure.add_shape(type="line", x0=index - 0.38, x1=index + 0.38, y0=mean, y1=mean, line=line)
        note(figure, f"<b>mean<br>{mean:.1f}</b>", x=index, y=1, yref="paper", yanchor="bottom", align="center")
    most = max(float(alarms[list(READINGS)].to_numpy().max()), 1.0)
    names = [reading.replace("-", "-<br>") for reading in READINGS]
    about = f"Mean false alarms of {count(pairs, 'pair')} in {count(len(alarms), 'set')}"
    alt = sentence(listed(f"{reading} {mean:.1f}" for reading, mean in means.items()), about=about)
    return on_screen(
        figure, 480, 76, alt=alt, signature=signature,
        xaxis={"tickvals": list(range(len(READINGS))), "ticktext": names, "range": [-0.5, len(READINGS) - 0.5]},
        yaxis=axis(f"significant pairs, of {pairs:,}", range=[-0.04 * most, 1.06 * most]),
    )  # fmt: skip
