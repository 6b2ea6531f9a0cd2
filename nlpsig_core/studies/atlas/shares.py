"""The share of pairs with a gain that are significant on a new test set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.studies.atlas.model import FEW, TAILS, Prediction
from nlpsig_core.studies.atlas.rows import CURVE, SHARES
from nlpsig_core.studies.atlas.store import n_test_sets

# Equally likely thresholds of a new test set.
LIKELY = (np.arange(39) + 0.5) / 39


class Shares(NamedTuple):
    """The share that is significant at some gains, each (gains,): its mean over new test sets, and its interval."""

    share: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Worth(NamedTuple):
    """What a gain is worth: the ``share`` of pairs with it that are significant, of those ``observed`` or by the model.

    ``low`` and ``high`` are the interval on a new test set, which holds the share. ``expected`` is the model's alone.
    """

    share: float
    low: float
    high: float
    observed: pd.DataFrame
    expected: Shares

    @property
    def test_sets(self) -> int:
        """Return the number of test sets of the observed pairs."""
        return n_test_sets(self.observed)

    @property
    def disagrees(self) -> bool:
        """Return whether the share that was observed is outside of the interval that the model expects."""
        return bool(len(self.observed) and not self.expected.low[0] <= self.share <= self.expected.high[0])


def curves_for(thresholds: pd.DataFrame, metric: str, comparison: str) -> np.ndarray:
    """Return the curves of significant pairs (``rows.curve_of``), one a row: those of the metric and class.

    With fewer than FEW of them, those of all metrics.
    """
    known = thresholds[np.isfinite(thresholds[CURVE[0]].to_numpy(dtype=float))]
    of_metric = known[(known["metric"] == metric) & (known["comparison"] == comparison)]
    alike = of_metric if len(of_metric) >= FEW else known
    return np.asarray(alike[CURVE], dtype=float)


def predicted_shares(prediction: Prediction, curves: np.ndarray, gains: np.ndarray, n: float, z: float) -> Shares:
    """Return the share of pairs on ``n`` units that are significant at each of the ``gains``, by threshold and curve.

    A new test set has one of the likely thresholds and, independently, one of the curves seen.
    """
    if not len(curves):
        nothing = np.full(len(gains), np.nan)
        return Shares(nothing, nothing, nothing)
    away = np.log(gains)[:, None] - np.log(prediction.thresholds(LIKELY, n, z))
    shares = np.stack([np.interp(away, curve, SHARES) for curve in curves])
    of_gain = np.moveaxis(shares, 1, 0).reshape(len(gains), -1)
    low, high = np.quantile(of_gain, TAILS, axis=1)
    return Shares(of_gain.mean(axis=1), low, high)


def calibrated(shares: np.ndarray, calibration: pd.DataFrame) -> np.ndarray:
    """Return predicted shares as the share seen where as much was predicted, between the bins of ``check``.

    Test sets with small thresholds have more pairs near a gain, so of all pairs more are significant than of the pairs
    of a test set at random.
    """
    bins = calibration.sort_values("predicted")
    seen = [0.0, *np.maximum.accumulate(bins["seen"]), 1.0]
    return np.asarray(np.interp(shares, [0.0, *bins["predicted"], 1.0], seen))
