"""The axis of gains: in proportion, or by quantile where a few gains are so large that the others would be a line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.output.plots.style.confidence import BEYOND

# From a largest gain of so many times the median on, gains are drawn by quantile.
HUGE = 10
# Knots of the scale, and the least distance of two ticks as a share of the axis.
KNOTS, APART = 41, 0.07
# From so many times the close gains on, what is beyond them is compressed, and they keep this share of the axis.
FURTHER, KEPT = 1.5, 0.85


class GainScale:
    """Where gains are on the axis, which ends at ``end``; gains up to ``limit`` are drawn."""

    def __init__(self, gains: pd.Series, all_gains: bool, close: float, least: float = 0.0) -> None:
        """Take ``all_gains``, by quantile if a few are HUGE; else those up to ``close`` and to ``least`` at least."""
        everything = all_gains and len(gains) > 0
        self.limit = self.end = BEYOND * float(gains.max()) if everything else max(close, BEYOND * least)
        self.knots = self.places = np.zeros(0)
        self.how = ""
        if everything and gains.max() > HUGE * gains.median():
            self.knots = np.unique([0, *np.quantile(gains, np.linspace(0, 1, KNOTS))])
            self.places, self.end, self.how = np.linspace(0, 1, len(self.knots)), BEYOND, ", by quantile"
        elif not everything and self.limit > FURTHER * close:
            self.knots, self.places = np.array([0, close, self.limit]), np.array([0, KEPT, 1])
            self.end, self.how = 1.0, f", compressed from {close:.1f}"

    def __call__(self, gains: Any) -> np.ndarray:
        """Return the places of gains."""
        if not len(self.knots):
            return np.asarray(gains, dtype=float)
        return np.asarray(np.interp(gains, self.knots, self.places))

    def axis(self, title: str) -> dict[str, Any]:
        """Return the axis with its title; unless in proportion, it has round ticks where there is room."""
        of: dict[str, Any] = {"title": {"text": title}, "range": [0, self.end]}
        if not len(self.knots):
            return of
        ticks = [0.0]
        for gain in (times * 10.0**power for power in range(-4, 5) for times in (1, 2, 5)):
            if gain <= self.knots[-1] and self(gain) - self(ticks[-1]) >= APART:
                ticks.append(gain)
        more = {"tickmode": "array", "tickvals": self(ticks), "ticktext": [f"{tick:g}" for tick in ticks]}
        return of | {"title": {"text": f"{title}{self.how}"}} | more
