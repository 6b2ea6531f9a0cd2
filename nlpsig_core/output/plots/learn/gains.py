"""The Learn page's figures of gains: resampled gains, and confidence against gain with the normal curve."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import capital, count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.learn.large_print import COUNTED, OTHER, mark, note, on_screen
from nlpsig_core.output.plots.style.confidence import AXIS, confidence_range
from nlpsig_core.output.plots.style.layout import axis
from nlpsig_core.output.plots.style.texts import of_all, over, sentence, template
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, NEUTRAL
from nlpsig_core.studies.lessons.resampled import BELOW, TWICE, Resampled

# Lines closer than this share of the width get their names one above another.
NEAR = 0.16


def resampled_figure(
    resampled: Resampled, *, metric: Metric, signature: str, decimals: int = 2, event: str = "", centred: bool = False
) -> go.Figure:
    """Draw the histogram of delta* with 0, delta and 2 delta marked; the resamples counted by ``event`` are coloured.

    ``centred`` shifts all of it left by delta, to the centre under the null hypothesis.
    """
    bins, moved, figure = resampled.bins, resampled.gain if centred else 0.0, go.Figure()
    counted = bins[event] if event else 0 * bins["resamples"]
    for number, colour, name in ((bins["resamples"] - counted, OTHER, "not counted"), (counted, COUNTED, "counted")):
        figure.add_bar(
            x=bins["gain"] - moved, y=number, width=bins["width"], name=name,
            marker={"color": colour, "line": {"width": 0}},
            hovertemplate=template(f"about %{{x:.{decimals + 1}f}}: %{{y:,}} resamples"),
        )  # fmt: skip
    delta = f"δ = {resampled.gain:.{decimals}f}"
    near = resampled.gain < NEAR * (resampled.high - resampled.low)
    for index, name in enumerate(("−δ", "0", delta) if centred else ("0", delta, "2δ")):
        row = (1, 0, 2)[index] if near else 0
        mark(figure, index * resampled.gain - moved, name, row, "solid" if index == 1 else "dash")
    title = "δ* − δ" if centred else f"δ*: {metric.gain_axis}"
    return on_screen(
        figure, top=60 + 36 * near, alt=resampled_alt(resampled, metric=metric, decimals=decimals), signature=signature,
        barmode="stack", bargap=0, xaxis=axis(title, range=[resampled.low - moved, resampled.high - moved]),
        yaxis=axis("resamples", rangemode="tozero"),
    )  # fmt: skip


def resampled_alt(resampled: Resampled, *, metric: Metric, decimals: int) -> str:
    """Return the gain, its standard error, and the resamples beyond twice the gain or below 0."""
    return sentence(
        f"around {resampled.gain:.{decimals}f}, standard error {resampled.error:.{decimals}f}",
        f"{resampled.hits[TWICE]:,} are above 2δ and {resampled.hits[BELOW]:,} below 0",
        about=f"{capital(metric.gain)} in {count(resampled.n_resamples, 'resample')}",
    )


def curve_figure(
    pairs: pd.DataFrame, now: pd.DataFrame, moved: pd.DataFrame, needed: float, *, level: float, metric: Metric,
    signature: str, decimals: int = 2,
) -> go.Figure:  # fmt: skip
    """Draw confidence against gain: a dot for each pair, the normal curve ``now`` (dashed), and when ``moved``.

    Curves come from ``lessons.theory.confidence_curve`` and set the range of gains; ``needed`` is the gain at which
    the moved curve reaches 1 - level.
    """
    limit, figure = float(now["gain"].max()), go.Figure()
    with_gain = pairs[pairs["gain"] > 0]
    shown = with_gain[with_gain["gain"] <= limit]
    figure.add_scatter(
        x=shown["gain"].to_numpy("float32"), y=(1 - shown["p_value"]).to_numpy("float32"), mode="markers",
        name="pairs of systems", marker={"color": NEUTRAL, "size": 8, "opacity": 0.8},
        text=[over(a, b) for a, b in zip(shown["system_a"], shown["system_b"], strict=True)],
        hovertemplate=template(f"%{{text}}<br>gain %{{x:.{decimals}f}}, 1 − p %{{y:.3f}}"),
    )  # fmt: skip
    lines = ((moved, "normal curve, moved", "solid", ACCENT, 5), (now, "normal curve, now", "dash", BLUE, 3))
    for curve, name, dash, colour, width in lines:
        figure.add_scatter(
            x=curve["gain"], y=curve["confidence"], mode="lines", name=name,
            line={"color": colour, "width": width, "dash": dash},
            hovertemplate=template(f"{name}: gain %{{x:.{decimals}f}}, confidence %{{y:.3f}}"),
        )  # fmt: skip
    figure.add_hline(y=1 - level, line={"color": NEUTRAL, "width": 1.5, "dash": "dot"})
    bottom = confidence_range(shown)[0]
    if needed <= limit:
        at: dict[str, Any] = {"x0": needed, "x1": needed, "y0": bottom + 0.015, "y1": 1 - level}
        figure.add_shape(type="line", line={"color": ACCENT, "width": 3, "dash": "dot"}, **at)
        left = needed > 0.7 * limit
        beside: dict[str, Any] = {
            "xanchor": "right" if left else "left",
            "xshift": -6 if left else 6,
            "yanchor": "bottom",
        }
        text = f"<b>{needed:.{decimals}f}</b>"
        note(figure, text, size=20, colour=ACCENT, x=needed, y=bottom + 0.015, **beside)
    above = of_all(int((with_gain["p_value"] < level).sum()), len(with_gain), "pair")
    alt = sentence(
        f"The normal curve reaches a confidence of {1 - level:g} at a {metric.gain} of {needed:.{decimals}f}",
        f"{above} have more confidence",
    )
    return on_screen(
        figure, 480, 100, showlegend=True, signature=signature, alt=alt, xaxis=axis(metric.gain_axis, range=[0, limit]),
        yaxis=axis(AXIS, range=[bottom, 1.01]),
    )  # fmt: skip
