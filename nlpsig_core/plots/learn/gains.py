"""The Learn page's figures of gains: resampled ones, and confidence against gain with the normal curve."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.lessons.resampled import Resampled
from nlpsig_core.metrics.base import Metric
from nlpsig_core.plots.learn.large_print import BLUE, COUNTED, OTHER, mark, note, on_screen
from nlpsig_core.plots.theme import ACCENT, NEUTRAL, plain

# Lines nearer to one another than this share of the width get their names one above the other.
NEAR = 0.16


def resampled_figure(
    found: Resampled, *, metric: Metric, signature: str, decimals: int = 2, event: str = "", centred: bool = False
) -> go.Figure:
    """The histogram of delta*, with 0, delta and 2 delta; resamples that an ``event`` counts are coloured.

    ``centred`` moves all by delta to the left: to where the null hypothesis has its centre.
    """
    bins, moved = found.bins, found.gain if centred else 0.0
    counted = bins[event] if event else 0 * bins["resamples"]
    figure = go.Figure()
    for number, colour, name in ((bins["resamples"] - counted, OTHER, "not counted"), (counted, COUNTED, "counted")):
        figure.add_trace(
            go.Bar(
                x=bins["gain"] - moved, y=number, width=bins["width"], name=name,
                marker={"color": colour, "line": {"width": 0}},
                hovertemplate=f"about %{{x:.{decimals + 1}f}}: %{{y:,}} resamples<extra></extra>",
            )
        )  # fmt: skip
    delta = f"δ = {found.gain:.{decimals}f}"
    names = ("−δ", "0", delta) if centred else ("0", delta, "2δ")
    near = found.gain < NEAR * (found.high - found.low)
    for place, name in enumerate(names):
        row = (1, 0, 2)[place] if near else 0
        mark(figure, place * found.gain - moved, name, row, "solid" if place == 1 else "dash")
    what = "δ* − δ" if centred else f"δ*: {metric.gain_axis}"
    return on_screen(
        figure, signature, top=60 + 36 * near, barmode="stack", bargap=0,
        xaxis={"title": {"text": what}, "range": [found.low - moved, found.high - moved]},
        yaxis={"title": {"text": "resamples"}, "rangemode": "tozero"},
    )  # fmt: skip


def curve_figure(
    pairs: pd.DataFrame, now: pd.DataFrame, moved: pd.DataFrame, needed: float, *, level: float, metric: Metric,
    signature: str, decimals: int = 2,
) -> go.Figure:  # fmt: skip
    """Confidence against gain: the pairs as dots, the normal curve as it is ``now`` (dashed) and ``moved``.

    Curves are those of ``lessons.theory.confidence_curve``, and the gains shown are theirs; ``needed`` is the gain at
    which the moved one reaches 1 - level.
    """
    limit = float(now["gain"].max())
    shown = pairs[(pairs["gain"] > 0) & (pairs["gain"] <= limit)]
    figure = go.Figure()
    names = zip(shown["system_a"], shown["system_b"], strict=True)
    figure.add_trace(
        go.Scatter(
            x=shown["gain"].to_numpy("float32"), y=(1 - shown["p_value"]).to_numpy("float32"), mode="markers",
            name="pairs of systems", marker={"color": NEUTRAL, "size": 8, "opacity": 0.8},
            text=[f"{plain(a)} over {plain(b)}" for a, b in names],
            hovertemplate=f"%{{text}}<br>gain %{{x:.{decimals}f}}, 1 − p %{{y:.3f}}<extra></extra>",
        )
    )  # fmt: skip
    lines = ((moved, "theory, moved", "solid", ACCENT, 5), (now, "theory, as it is", "dash", BLUE, 3))
    for curve, name, dash, colour, width in lines:
        figure.add_trace(
            go.Scatter(
                x=curve["gain"], y=curve["confidence"], mode="lines", name=name,
                line={"color": colour, "width": width, "dash": dash},
                hovertemplate=f"{name}: gain %{{x:.{decimals}f}}, confidence %{{y:.3f}}<extra></extra>",
            )
        )  # fmt: skip
    figure.add_hline(y=1 - level, line={"color": NEUTRAL, "width": 1.5, "dash": "dot"})
    lowest = min(0.5, 1 - float(shown["p_value"].max())) if len(shown) else 0.5
    if needed <= limit:
        _mark_needed(figure, needed, 1 - level, lowest, f"{needed:.{decimals}f}", left=needed > 0.7 * limit)
    return on_screen(
        figure, signature, 480, 100, showlegend=True,
        xaxis={"title": {"text": metric.gain_axis}, "range": [0, limit]},
        yaxis={"title": {"text": "confidence, 1 − p"}, "range": [lowest - 0.015, 1.01]},
    )  # fmt: skip


def _mark_needed(figure: go.Figure, gain: float, confidence: float, lowest: float, text: str, left: bool) -> None:
    line = {"color": ACCENT, "width": 3, "dash": "dot"}
    figure.add_shape(type="line", x0=gain, x1=gain, y0=lowest, y1=confidence, line=line)
    side = {"xanchor": "right", "xshift": -6} if left else {"xanchor": "left", "xshift": 6}
    note(figure, f"<b>{text}</b>", x=gain, y=lowest, yanchor="bottom", font={"size": 20, "color": ACCENT}, **side)
