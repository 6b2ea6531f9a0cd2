"""How well an atlas foretells test sets that it has not seen: whole languages are left out, and predicted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.atlas.model import Prediction, fit
from nlpsig_core.atlas.shares import TAILS, Foretold, calibrated, curves_for, foretold
from nlpsig_core.atlas.store import Atlas
from nlpsig_core.atlas.thresholds import Z
from nlpsig_core.comparison.classes import COMPARISONS
from nlpsig_core.comparison.thresholds import Rule

FOLDS = 10
# Gains at which shares are foretold, in predicted thresholds, and how near a pair's gain must be to one of them.
GAINS = np.array([0.4, 0.55, 0.7, 0.85, 1.0, 1.2, 1.6])
NEAR = 0.2
FEWEST_NEAR = 10
# The gains between which the share of a single pair is interpolated, in predicted thresholds.
GRID = np.exp(np.linspace(-5, 4, 91))
LEVEL = 0.05
NOTHING = pd.DataFrame({"fold": np.zeros(0, dtype=int), "predicted": np.zeros(0), "seen": np.zeros(0, dtype=bool)})
THRESHOLD, WINDOW, SHARE = "threshold", "threshold of the window of p", "share"


@dataclass(frozen=True, eq=False)
class _Left:
    """A threshold of a test set that was left out with a ``fold``, with its prediction and its pairs."""

    fold: int
    row: pd.Series
    prediction: Prediction
    curves: np.ndarray
    pairs: pd.DataFrame

    @property
    def centre(self) -> float:
        """The threshold to be expected."""
        return float(self.prediction.thresholds(np.array([0.5]), self.row["n"])[0])

    def held(self) -> Iterator[tuple[str, bool]]:
        """What was foretold, and whether its interval holds what was seen."""
        low, high = self.prediction.thresholds(np.array(TAILS), self.row["n"])
        yield THRESHOLD, bool(low <= self.row["threshold"] <= high)
        first, last = Rule().borders
        inside = self.pairs["gain"][self.pairs["p_small_two_sided"].between(first, last)]
        if len(inside) >= Rule().fewest:
            yield WINDOW, bool(low <= np.percentile(inside, Rule().percentile) <= high)
        gains = GAINS * self.centre
        shares = self.foretold(gains)
        for number, gain in enumerate(gains):
            near = self.pairs[(self.pairs["gain"] / gain - 1).abs() <= NEAR]
            if len(near) >= FEWEST_NEAR and np.isfinite(shares.share[number]):
                seen = (near["p_small_two_sided"] < LEVEL).mean()
                yield SHARE, bool(shares.low[number] <= seen <= shares.high[number])

    def foretold(self, gains: np.ndarray) -> Foretold:
        """The shares of pairs with these gains that are significant."""
        return foretold(self.prediction, self.curves, gains, self.row["n"], Z)

    def by_pair(self) -> pd.DataFrame:
        """For each pair the predicted probability of being significant, and whether it is."""
        share = self.foretold(GRID * self.centre).share
        predicted = np.interp(np.log(self.pairs["gain"] / self.centre), np.log(GRID), share)
        seen = self.pairs["p_small_two_sided"] < LEVEL
        return pd.DataFrame({"fold": self.fold, "predicted": predicted, "seen": seen})


def checked(atlas: Atlas) -> dict[str, pd.DataFrame]:
    """The tables ``coverage``, ``calibration`` and ``shares`` of an atlas; empty if there is nothing to leave out.

    Test sets of one language are left out together, with all metrics: treebanks of a language resemble each other.
    ``coverage`` has for each ``of`` (what was foretold), metric and way of predicting (``by_level``) the number of
    ``predictions`` and of those that their 90% interval ``held``, one of a threshold for each test set and class.
    ``calibration`` has ten bins of the share of significant pairs that the model predicts, with the share ``seen``;
    ``shares`` has them for ``calibrated`` shares, by the calibration of the other folds alone.
    """
    coverage, pairs = [], []
    by_part = dict(iter(atlas.tables["rows"].groupby("part")))
    for by_level in (False, True):
        for left in _left_out(atlas.thresholds, by_part, by_level):
            coverage += [(what, str(left.row["metric"]), by_level, ok) for what, ok in left.held()]
            pairs += [] if by_level else [left.by_pair()]
    columns = ["of", "metric", "by_level", "held"]
    held = pd.DataFrame(coverage, columns=columns).astype({"held": int}).groupby(columns[:-1])["held"]
    table = held.agg(predictions="size", held="sum").reset_index()
    every = pd.concat(pairs, ignore_index=True).dropna() if pairs else NOTHING
    return {"coverage": table, "calibration": _bins(every), "shares": _bins(_by_other_folds(every))}


def _by_other_folds(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs with their predictions calibrated on the other folds."""
    parts = [NOTHING]
    for fold, own in pairs.groupby("fold"):
        others = _bins(pairs[pairs["fold"] != fold])
        parts.append(own.assign(predicted=calibrated(own["predicted"].to_numpy(), others)))
    return pd.concat(parts, ignore_index=True)


def _bins(table: pd.DataFrame) -> pd.DataFrame:
    """Ten bins of the predicted share: their ends, number of pairs, mean prediction, and share seen."""
    columns = ["low", "high", "pairs", "predicted", "seen"]
    number = np.minimum(table["predicted"] * 10, 9).astype(int)
    bins = table.groupby(number).agg(pairs=("seen", "size"), predicted=("predicted", "mean"), seen=("seen", "mean"))
    return bins.assign(low=bins.index / 10, high=(bins.index + 1) / 10)[columns].reset_index(drop=True)


def _left_out(thresholds: pd.DataFrame, pairs: Mapping[int, pd.DataFrame], by_level: bool) -> Iterator[_Left]:
    """Every threshold, predicted by a model that was fitted without its test set."""
    folds = folds_of(thresholds)
    for fold in np.unique(folds):
        rest, left = thresholds[folds != fold], thresholds[folds == fold]
        if not len(rest):
            continue
        model = fit(rest.reset_index(drop=True), by_level)
        known = set(model.spreads["metric"])
        for _, row in left.iterrows():
            if row["metric"] not in known:
                continue
            prediction = model.predict(row["metric"], row["comparison"], row["level"] if by_level else None)
            curves = curves_for(rest, row["metric"], row["comparison"])
            yield _Left(int(fold), row, prediction, curves, _of_class(pairs[row["part"]], row["comparison"]))


def _of_class(pairs: pd.DataFrame, comparison: str) -> pd.DataFrame:
    return pairs[(pairs["comparison"] == COMPARISONS.index(comparison)) & (pairs["gain"] > 0)]


def folds_of(thresholds: pd.DataFrame) -> np.ndarray:
    """The number of the fold of each threshold: those of one language, or of a test set without one, share it."""
    language = thresholds["language"].astype(str)
    kin = language.where(language != "", thresholds["task"].astype(str) + "\t" + thresholds["test_set"].astype(str))
    sizes = kin.value_counts()
    order = sorted(sizes.index, key=lambda name: (-sizes[name], name))
    return np.asarray(kin.map({name: number % FOLDS for number, name in enumerate(order)}))
