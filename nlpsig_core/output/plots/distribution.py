"""One pair: the distribution of its resampled gains."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.style.hover import template
from nlpsig_core.output.plots.style.layout import LABEL_SIZE, axis, finish, name_line
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, FAINT
from nlpsig_core.output.plots.style.wording import sentence

# Lines closer than this share of the width get their names one above another, so many pixels apart.
NEAR, LABEL_ROW = 0.2, 15


def gain_figure(
    bins: pd.DataFrame, *, a: str, b: str, gain: float, metric: Metric, signature: str,
    interval: tuple[float, float] | None = None, decimals: int = 2,
) -> go.Figure:  # fmt: skip
    """Draw the histogram of delta* (``one_pair.histogram``) with 0, delta and 2 delta marked.

    Resamples centre on the observed gain, not on 0: evidence against the gain are those beyond 2 delta (the
    paper's figure 1) or below 0 (its footnote 2). These are coloured one by one: the bin at 2 delta also holds
    resamples of exactly 2 delta, which do not count. The ``interval`` of the gain is shaded.
    """
    counted, figure = bins["above"] + bins["below"], go.Figure()
    hover = f"δ* about %{{x:.{decimals + 1}f}}: %{{customdata[0]:,}} resamples, %{{customdata[1]:,}} of them counted"
    for resamples, colour in ((counted, ACCENT), (bins["resamples"] - counted, BLUE)):
        figure.add_bar(
            x=bins["gain"], y=resamples, width=bins["width"], marker={"color": colour, "line": {"width": 0}},
            customdata=np.column_stack([bins["resamples"], counted]), hovertemplate=template(hover), showlegend=False,
        )  # fmt: skip
    if interval is not None:
        figure.add_vrect(x0=interval[0], x1=interval[1], fillcolor=FAINT, line_width=0, layer="below")
    # Names that would overlap go into rows of their own.
    near = gain < NEAR * (bins["gain"].max() - bins["gain"].min())
    for index, (at, name) in enumerate(((0.0, "0"), (gain, f"δ = {gain:.{decimals}f}"), (2 * gain, "2δ"))):
        shift = near * LABEL_ROW * (1, 0, 2)[index]
        name_line(figure, at, name, dash="solid" if index == 1 else "dash", size=LABEL_SIZE + 1, yshift=shift)
    finish(
        figure, 360, alt=gain_alt(bins, a=a, b=b, gain=gain, metric=metric, interval=interval, decimals=decimals),
        signature=signature, bargap=0, barmode="stack", xaxis=axis(f"resampled {metric.gain_axis}"),
        yaxis=axis("resamples"),
    )  # fmt: skip
    return figure.update_layout(margin_t=figure.layout.margin.t + 2 * LABEL_ROW * bool(near))


def gain_alt(
    bins: pd.DataFrame, *, a: str, b: str, gain: float, metric: Metric, interval: tuple[float, float] | None,
    decimals: int,
) -> str:  # fmt: skip
    """Return centre and interval of the resampled gains, and how many are beyond twice the gain or below 0."""
    between = "" if interval is None else f", 95% interval {interval[0]:.{decimals}f} to {interval[1]:.{decimals}f}"
    resamples, above, below = (int(bins[column].sum()) for column in ("resamples", "above", "below"))
    return sentence(
        f"{a} over {b} in {count(resamples, 'resample')}: resampled gains around the observed {metric.gain} of "
        f"{gain:.{decimals}f}{between}",
        f"{above:,} are above twice the gain and {below:,} below 0",
    )
