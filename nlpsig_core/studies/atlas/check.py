"""How well an atlas predicts test sets that it has not seen: whole languages are left out, and predicted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.studies.atlas.ask import SMALLEST_GAIN, Asked, Question
from nlpsig_core.studies.atlas.model import FEW, TAILS, fit, fitted, keys_of_test_sets, log_errors
from nlpsig_core.studies.atlas.names import on_percent_scale
from nlpsig_core.studies.atlas.record import MASKED, MASKED_ROUGH, THRESHOLD
from nlpsig_core.studies.atlas.rows import Z, out_of_reach, rough_numbers
from nlpsig_core.studies.atlas.shares import calibrated, predicted_shares
from nlpsig_core.studies.atlas.store import BINS, Atlas

FOLDS = 10
# Gains at which shares are predicted, in predicted thresholds, and how near a pair's gain must be to one of them.
GAINS = np.array([0.4, 0.55, 0.7, 0.85, 1.0, 1.2, 1.6])
NEAR = 0.2
FEWEST_NEAR = 10
# The gains between which the share of a single pair is interpolated, in predicted thresholds.
GRID = np.exp(np.linspace(-5, 4, 91))
LEVEL = 0.05
# Metrics with at least MANY test sets are masked, DRAWS times for every number of test sets below FEW.
MANY, DRAWS = 10, 5
NOTHING = pd.DataFrame({"fold": np.zeros(0, dtype=int), "predicted": np.zeros(0), "seen": np.zeros(0, dtype=bool)})
WINDOW, SHARE = "threshold of the window of p", "share"


@dataclass(frozen=True, eq=False, kw_only=True)
class _Left:
    """A threshold of a test set that was left out with its ``fold``, its pairs, and the question to the rest."""

    fold: int
    row: pd.Series
    asked: Asked
    pairs: pd.DataFrame

    def held(self) -> Iterator[tuple[str, bool]]:
        """Return what was predicted, and whether its interval holds what was seen."""
        low, centre, high = self.asked.thresholds(self.row["n"])
        yield THRESHOLD, low <= self.row["threshold"] <= high
        first, last = Rule().borders
        inside = self.pairs["gain"][self.pairs["p_small_two_sided"].between(first, last)]
        if len(inside) >= Rule().fewest:
            yield WINDOW, bool(low <= np.percentile(inside, Rule().percentile) <= high)
        for gain in GAINS * centre:
            near = self.pairs[(self.pairs["gain"] / gain - 1).abs() <= NEAR]
            if len(near) < FEWEST_NEAR or gain < SMALLEST_GAIN:
                continue
            worth = self.asked.worth_of(gain)
            if np.isfinite(worth.share):
                yield SHARE, worth.low <= (near["p_small_two_sided"] < LEVEL).mean() <= worth.high

    def by_pair(self) -> pd.DataFrame:
        """Return for each pair the predicted probability of being significant, not calibrated, and whether it is."""
        asked, n = self.asked, float(self.row["n"])
        centre = asked.thresholds(n)[1]
        share = predicted_shares(asked.prediction, asked.curves, GRID * centre, n, Z).share
        predicted = np.interp(np.log(self.pairs["gain"] / centre), np.log(GRID), share)
        seen = self.pairs["p_small_two_sided"] < LEVEL
        return pd.DataFrame({"fold": self.fold, "predicted": predicted, "seen": seen})


def checked(atlas: Atlas) -> dict[str, pd.DataFrame]:
    """Return the tables ``coverage``, ``calibration``, ``shares`` of an atlas; empty with nothing to leave out.

    Test sets of one language are left out together, with all metrics: treebanks of a language resemble each other, and
    so do the test sets of a benchmark.
    ``coverage`` has for each ``of`` (what was predicted), metric and way of predicting (``by_score``) the number of
    ``predictions`` and of those that their 90% interval ``held``, one of a threshold for each test set and class.
    ``calibration`` has ten bins of the share of significant pairs that the model predicts, with the share ``seen``;
    ``shares`` has them for ``calibrated`` shares, by the calibration of the other folds alone. So calibrated is also
    the interval of a share, which is that of an ``Answer``.
    """
    folds = _folds(atlas)
    left = [threshold for rest in folds for threshold in _left_out(atlas, rest, by_score=False)]
    every = pd.concat([NOTHING, *(threshold.by_pair() for threshold in left)], ignore_index=True).dropna()
    held = masked_coverage(atlas.thresholds, roughly(atlas))
    for rest in folds:
        calibration = _bins(every[every["fold"] != rest.fold])
        calibrated_rest = replace(rest, atlas=Atlas({**rest.atlas.tables, "calibration": calibration}, ""))
        for by_score in (False, True):
            for threshold in _left_out(atlas, calibrated_rest, by_score):
                held += [(what, str(threshold.row["metric"]), by_score, ok) for what, ok in threshold.held()]
    columns = ["of", "metric", "by_score", "held"]
    counted = pd.DataFrame(held, columns=columns).astype({"held": int}).groupby(columns[:-1])["held"]
    table = counted.agg(predictions="size", held="sum").reset_index()
    return {"coverage": table, "calibration": _bins(every), "shares": _bins(_by_other_folds(every))}


def _by_other_folds(pairs: pd.DataFrame) -> pd.DataFrame:
    parts = [NOTHING]
    for fold, own in pairs.groupby("fold"):
        others = _bins(pairs[pairs["fold"] != fold])
        parts.append(own.assign(predicted=calibrated(own["predicted"].to_numpy(), others)))
    return pd.concat(parts, ignore_index=True)


def _bins(table: pd.DataFrame) -> pd.DataFrame:
    """Return ten bins of the predicted share: their ends, number of pairs, mean prediction, and share seen."""
    number = np.minimum(table["predicted"] * 10, 9).astype(int)
    bins = table.groupby(number).agg(pairs=("seen", "size"), predicted=("predicted", "mean"), seen=("seen", "mean"))
    return bins.assign(low=bins.index / 10, high=(bins.index + 1) / 10)[list(BINS)].reset_index(drop=True)


@dataclass(frozen=True, eq=False)
class _Rest:
    """The atlas without the test sets of a fold: models are fitted to the rest, which has no calibration yet."""

    fold: int
    left: pd.DataFrame
    atlas: Atlas

    def with_metric(self, metric: str) -> Atlas:
        """Return the atlas with the pairs of one metric alone, which are searched faster."""
        tables = self.atlas.tables
        parts = np.flatnonzero(tables["parts"]["metric"] == metric)
        rows = tables["rows"][tables["rows"]["part"].isin(parts)].reset_index(drop=True)
        return Atlas({**tables, "rows": rows}, "")


def _folds(atlas: Atlas) -> list[_Rest]:
    """Return the atlas without each fold in turn, where anything is left."""
    thresholds, rows = atlas.thresholds, atlas.tables["rows"]
    numbers, folds = folds_of(thresholds), []
    for fold in np.unique(numbers):
        left, own = thresholds[numbers == fold], numbers != fold
        if not own.any():
            continue
        tables = {
            "parts": atlas.parts,
            "rows": rows[~rows["part"].isin(left["part"])],
            "thresholds": atlas.tables["thresholds"][own].reset_index(drop=True),
            **fitted(thresholds[own].reset_index(drop=True)),
            "calibration": _bins(NOTHING),
        }
        folds.append(_Rest(int(fold), left, Atlas(tables, "")))
    return folds


def _left_out(atlas: Atlas, rest: _Rest, by_score: bool) -> Iterator[_Left]:
    for metric, left in rest.left.groupby("metric", observed=True):
        if metric not in set(rest.atlas.tables["spreads"]["metric"]):
            continue
        known = rest.with_metric(str(metric))
        pairs = atlas.tables["rows"][atlas.tables["rows"]["part"].isin(left["part"])]
        for _, row in left.iterrows():
            comparison, score = str(row["comparison"]), None
            if by_score and on_percent_scale(str(metric)):
                score = float(row["level"])
            question = Question(metric=str(metric), n=int(row["n"]), comparison=comparison, score=score)
            own = (pairs["part"] == row["part"]) & (pairs["comparison"] == COMPARISONS.index(comparison))
            own_pairs = pairs[own & (pairs["gain"] > 0)]
            yield _Left(fold=rest.fold, row=row, asked=Asked(known, question), pairs=own_pairs)


def folds_of(thresholds: pd.DataFrame) -> np.ndarray:
    """Return the fold of each threshold: those of one language, or of a task without one, share it."""
    language = thresholds["language"].astype(str)
    kin = language.where(language != "", thresholds["task"].astype(str))
    sizes = kin.value_counts()
    order = sorted(sizes.index, key=lambda name: (-sizes[name], name))
    return np.asarray(kin.map({name: number % FOLDS for number, name in enumerate(order)}))


def roughly(atlas: Atlas) -> pd.DataFrame:
    """Return the thresholds as if only the pairs out of reach were known; NaN where these are too few."""
    pairs = dict(list(out_of_reach(atlas.tables["rows"]).groupby(["part", "comparison"])))
    known, nothing = atlas.thresholds, {"threshold": np.nan}
    keys = zip(known["part"], known["comparison"].map(COMPARISONS.index), known["n"], strict=True)
    far = [rough_numbers(pairs[part, of], n) if (part, of) in pairs else nothing for part, of, n in keys]
    return known.assign(threshold=[numbers["threshold"] for numbers in far], rough=True)


def masked_coverage(thresholds: pd.DataFrame, rough: pd.DataFrame) -> list[tuple[str, str, bool, bool]]:
    """Return for each masked prediction: what it rests on, metric, whether the score was given, and whether it held.

    A metric keeps 1 to FEW - 1 test sets, drawn at random. The model learns from these by this metric alone and from
    the test sets that do not have the metric; its 90% interval should hold the metric's other thresholds. One test set
    is also tried with its ``rough`` thresholds, where it has any.
    """
    names, keys = thresholds["metric"].to_numpy(dtype=str), keys_of_test_sets(thresholds)
    rng, held = np.random.default_rng(0), []
    for metric in np.unique(names):
        own = names == metric
        sets = np.unique(keys[own])
        elsewhere = thresholds[~np.isin(keys, sets)]
        for number in range(1, FEW if len(sets) >= MANY else 0):
            for _ in range(DRAWS):
                kept = own & np.isin(keys, rng.choice(sets, number, replace=False))
                tries = {MASKED.format(number): thresholds[kept]}
                if number == 1:
                    tries[MASKED_ROUGH] = rough[kept].dropna(subset="threshold")
                for what, known in tries.items():
                    outcomes = _held(known, elsewhere, thresholds[own & ~kept]) if len(known) else ()
                    held += [(what, metric, by_score, inside) for by_score, inside in outcomes]
    return held


def _held(known: pd.DataFrame, elsewhere: pd.DataFrame, hidden: pd.DataFrame) -> Iterator[tuple[bool, bool]]:
    """Yield for each hidden threshold, without its score and with it, whether the interval from the others held."""
    columns = (hidden[name].tolist() for name in ("metric", "comparison", "level"))
    rows = list(zip(*columns, log_errors(hidden), strict=True))
    for by_score in (False, True):
        model = fit(pd.concat([elsewhere, known], ignore_index=True), by_score)
        for metric, comparison, level, seen in rows:
            prediction = model.predict(metric, comparison, level if by_score else None)
            low, high = prediction.log_errors(np.array(TAILS))
            yield by_score, bool(low <= seen <= high)
