"""Two tests compared: p of one against p of the other for all pairs."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count, p_text
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.confidence import NAMED, by_class, scatter
from nlpsig_core.output.plots.style.layout import axis, finish, legend_above, note
from nlpsig_core.output.plots.style.texts import gain_text, lines, over, sentence
from nlpsig_core.output.plots.style.theme import NEUTRAL, OPAQUE, STYLES, hollow

# Smaller p-values, which formulas can give, are drawn on the edge.
LEAST = 1e-6
TICKS = {1.0: "1", 0.5: "0.5", 0.2: "0.2", 0.05: "0.05", 0.01: "0.01", 0.001: "0.001", 0.0001: "10<sup>−4</sup>"}
# On a phone, a tick beside the edge needs at least this many times its p.
APART = 15
# The smaller half of the axis on a phone, in characters.
NARROW = 18


def two_tests_figure(
    pairs: pd.DataFrame, *, name_x: str, name_y: str, n_resamples: tuple[int, int], metric: Metric, signature: str,
    alpha: float = 0.05, decimals: int = 2, sided: str = "two-sided",
) -> go.Figure:  # fmt: skip
    """Draw p_x against p_y of every pair, small ones at the top and right; customdata is the row of ``pairs``.

    Columns system_a, system_b, gain, comparison, p_x, p_y, bound_x, bound_y (what p is below without a hit, else NaN)
    and opposed: whether the two tests favour different systems, drawn with open markers. ``n_resamples`` of each test
    is 0 where p comes from a formula.
    Both axes are on the normal scale, where p of a true gain has the same spread everywhere: a position is the
    number of standard errors with that two-sided p. Below 1/b, or LEAST, p is drawn on the edge. The pairs in each
    of the four corners around ``alpha`` are counted. Pairs without a gain cannot be tested and are not drawn.
    """
    drawn = pairs[(pairs["gain"] > 0) & pairs["p_x"].notna() & pairs["p_y"].notna()]
    edges = [max(1 / n, LEAST) if n else LEAST for n in n_resamples]
    most, at = float(_position(max(edges))), float(_position(alpha))
    line = {"color": NEUTRAL, "width": 1, "dash": "dash"}
    figure = go.Figure()
    figure.add_shape(type="line", x0=0, y0=0, x1=most, y1=most, line=line | {"dash": "dot"})
    for comparison, rows in by_class(drawn):
        hover = _hover(rows, name_x, name_y, metric, decimals, alpha) if len(drawn) <= NAMED else None
        figure.add_trace(_dots(rows, comparison, edges, hover, len(drawn)))
    figure.add_vline(x=at, line=line).add_hline(y=at, line=line)
    _count_corners(figure, drawn, alpha, (name_x, name_y), edges)
    x, y = (_axis(f"{sided} p, {name}", edge, alpha) for name, edge in zip((name_x, name_y), edges, strict=True))
    alt = _alt(drawn, name_x, name_y, alpha)
    return legend_above(finish(figure, 620, alt=alt, signature=signature, xaxis=x | {"tickangle": 0}, yaxis=y))


def _alt(drawn: pd.DataFrame, name_x: str, name_y: str, alpha: float) -> str:
    by_x, by_y = drawn["p_x"] < alpha, drawn["p_y"] < alpha
    opposed = int(drawn["opposed"].sum())
    return sentence(
        f"two-sided p is below {alpha:g} by both tests for {(by_x & by_y).sum():,}, only by {name_x} for "
        f"{(by_x & ~by_y).sum():,}, only by {name_y} for {(~by_x & by_y).sum():,}, by neither for "
        f"{(~by_x & ~by_y).sum():,}",
        f"for {count(opposed, 'pair')} the tests favour different systems" if opposed else "",
        about=count(len(drawn), "pair"),
    )


def _position(p: float | np.ndarray, edge: float = LEAST) -> np.ndarray:
    from scipy.special import ndtri

    return np.asarray(-ndtri(np.clip(p, edge, 1.0) / 2))


def _axis(title: str, edge: float, alpha: float) -> dict[str, Any]:
    ticks = {p: text for p, text in TICKS.items() if p > APART * edge and not 0.45 < p / alpha < 2.2}
    ticks[alpha] = f"{alpha:g}"
    last = "≤ 10<sup>−6</sup>" if edge == LEAST else f"≤ {edge:.2g}"
    most = float(_position(edge))
    at = [*_position(np.array(list(ticks))), most]
    return axis(
        title, range=[-0.02 * most, 1.07 * most], tickmode="array", tickvals=at, ticktext=[*ticks.values(), last]
    )


def _dots(rows: pd.DataFrame, comparison: str, edges: list[float], hover: list[str] | None, n_drawn: int) -> Any:
    colour, symbol = STYLES[comparison]
    symbols = [hollow(symbol, opposed) for opposed in rows["opposed"]] if rows["opposed"].any() else symbol
    x, y = (
        _position(rows[p].to_numpy(), edge).astype("float32") for p, edge in zip(("p_x", "p_y"), edges, strict=True)
    )
    marker = {"color": colour, "size": 7, "opacity": OPAQUE, "line": {"width": 1}, "symbol": symbols}
    return scatter(rows, x, y, marker, n_drawn, hover).update(name=f"{comparison} ({len(rows):,})")


def _hover(rows: pd.DataFrame, name_x: str, name_y: str, metric: Metric, decimals: int, level: float) -> list[str]:
    columns = ["system_a", "system_b", "gain", "p_x", "bound_x", "p_y", "bound_y", "comparison", "opposed"]
    return [
        lines(
            over(a, b),
            gain_text(metric, gain, decimals),
            f"p {p_text(x, bound=bound_x, level=level)} by {name_x}",
            f"p {p_text(y, bound=bound_y, level=level)} by {name_y}",
            comparison,
            "the tests favour different systems" if opposed else "",
        )
        for a, b, gain, x, bound_x, y, bound_y, comparison, opposed in rows[columns].itertuples(index=False)
    ]


def _count_corners(
    figure: go.Figure, drawn: pd.DataFrame, alpha: float, names: tuple[str, str], edges: list[float]
) -> None:
    """Add how many pairs are significant by both tests, one, or neither, each in its corner away from the diagonal."""
    by_x, by_y = drawn["p_x"] < alpha, drawn["p_y"] < alpha
    at, (right, top) = float(_position(alpha)), (float(_position(edge)) for edge in edges)
    only_x, only_y = (f"only by {name}" for name in names)
    apart = int((drawn["opposed"] & by_x & by_y).sum())
    both = f"by both, {apart:,} of them for different systems" if apart else "by both"
    corners = (
        (at, "left", top, "top", both, by_x & by_y),
        (right, "right", 0.0, "bottom", only_x, by_x & ~by_y),
        (0.0, "left", top, "top", only_y, ~by_x & by_y),
        (0.0, "left", at, "top", "by neither", ~by_x & ~by_y),
    )
    for x, side, y, level, which_tests, chosen in corners:
        text = "<br>".join(textwrap.wrap(f"{chosen.sum():,} {which_tests}", NARROW))
        note(figure, text, x=x, xanchor=side, xshift=4 if side == "left" else -4, y=y, yanchor=level, align=side)
