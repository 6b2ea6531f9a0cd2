"""Numbers: one an item. The statistics of a unit are two numbers; metrics make moments of them, or sort them.

Correlations of a sample with a constant gold or constant predictions are 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from nlpsig_core.base.words import count, finite_number
from nlpsig_core.data.metrics.base import F1_COMPONENTS, Family, Metric, f1
from nlpsig_core.data.metrics.items.by_class import ratio
from nlpsig_core.data.readers.items.items import Answers, Items

COLUMNS = ("gold", "predicted")
# A variance is 0 if it is at most this share of the mean square: rounding is below, 1e-16 for each unit.
ROUNDING = 1e-12
# Probabilities of 0 and 1 are this far from 0 and 1 in logarithms, as in scikit-learn.
SMALLEST = float(np.finfo(np.float64).eps)
BINS = 10
# With a skewness above this, the app warns: promises were measured to hold at 0, and to break at 6.
SKEWED = 3.0


def count_numbers(gold: Items, output: Answers) -> np.ndarray:
    """Return the gold's and the predicted number of each unit, (units, 2); NaN for a missing one."""
    return np.stack([gold.answers, output.values], axis=1)


def remarks(gold: Items, output: Answers) -> list[str]:
    """Return the notes on an output; against a gold of two values, also on numbers that are no probabilities."""
    outside = int(((output.values < 0) | (output.values > 1)).sum())
    if not gold.classes or not outside:
        return list(output.notes)
    what = count(outside, "number is", "numbers are")
    return [*output.notes, f"{what} not between 0 and 1; Brier, log-loss and ECE take the nearer of the two"]


FAMILY = Family(
    name="numbers",
    version=1,
    reader="Numbers",
    columns=COLUMNS,
    match=Items.answers_of,
    count=count_numbers,
    remarks=remarks,
    whole=False,
)


def _centred(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return gold and predictions less their means over units, (outputs, units) each: small numbers are safe to add."""
    gold, predicted = values[..., 0], values[..., 1]
    if not len(values):
        return gold, predicted
    return gold - np.nanmean(gold), predicted - np.nanmean(predicted, axis=1, keepdims=True)


def _scaled(numbers: np.ndarray) -> np.ndarray:
    """Return numbers divided by the largest magnitude of each output."""
    largest = np.nanmax(np.abs(numbers), axis=1, keepdims=True, initial=0)
    return numbers / np.where(largest > 0, largest, 1)


def _moments(gold: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Return the statistics of two numbers a unit: 1, both, their squares and their product, (outputs, units, 6)."""
    return np.stack([np.ones(gold.shape), gold, predicted, gold**2, predicted**2, gold * predicted], axis=-1)


def skewed(statistics: np.ndarray, systems: Sequence[str]) -> str:
    """Return a warning if the gold or an output is skewed ("make validate": Pearson, skewed), for ``moments``."""
    numbers = statistics[..., 1:3] - statistics[..., 1:3].mean(axis=1, keepdims=True)
    skewness = np.abs(ratio((numbers**3).mean(axis=1), (numbers**2).mean(axis=1) ** 1.5)).max(initial=0.0)
    measured = (
        "7 to 9% of simulated equal systems differed significantly, and 95% intervals of scores held in 86 to 91%"
    )
    return f"numbers are skewed ({skewness:.1f}): with a skewness of 6, {measured}" if skewness > SKEWED else ""


def moments(values: np.ndarray) -> np.ndarray:
    """Return the statistics of centred numbers, each scaled on its own."""
    return _moments(*map(_scaled, _centred(values)))


def moments_on_one_scale(values: np.ndarray) -> np.ndarray:
    """Return the statistics of numbers on the scale of the gold, from the gold's mean."""
    gold, predicted = values[..., 0], values[..., 1]
    middle = np.nanmean(gold) if (gold == gold).any() else 0.0
    spread = np.nanmax(np.abs(gold - middle), initial=0) or 1.0
    return _moments((gold - middle) / spread, (predicted - middle) / spread)


def _variance(n: np.ndarray, total: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Return n squared times the variance; 0 where rounding alone would make it more."""
    variance: np.ndarray = n * squares - total**2
    return np.where(variance > ROUNDING * n * squares, variance, 0.0)


def pearson(totals: np.ndarray) -> np.ndarray:
    """Return Pearson's correlation, -1 to 1, of the totals of ``moments``."""
    n, x, y, xx, yy, xy = np.moveaxis(totals, -1, 0)
    spread = np.sqrt(_variance(n, x, xx) * _variance(n, y, yy))
    return np.asarray(np.clip(ratio(n * xy - x * y, spread), -1, 1))


def concordance(totals: np.ndarray) -> np.ndarray:
    """Return Lin's concordance (1989), -1 to 1, of the totals of ``moments_on_one_scale``."""
    n, x, y, xx, yy, xy = np.moveaxis(totals, -1, 0)
    spreads = _variance(n, x, xx), _variance(n, y, yy)
    together = np.where(np.minimum(*spreads) > 0, 2 * (n * xy - x * y), 0.0)
    return np.asarray(np.clip(ratio(together, spreads[0] + spreads[1] + (x - y) ** 2), -1, 1))


def squares(values: np.ndarray) -> np.ndarray:
    """Return 1, the gold less its mean, its square, and the squared error, on the scale of the gold."""
    gold = _centred(values)[0]
    spread = np.nanmax(np.abs(gold), initial=0) or 1.0
    errors = (values[..., 1] - values[..., 0]) / spread
    return np.stack([np.ones(gold.shape), gold / spread, (gold / spread) ** 2, errors**2], axis=-1)


def r2(totals: np.ndarray) -> np.ndarray:
    """Return the coefficient of determination, at most 1, of the totals of ``squares``.

    With a constant gold 0, or 1 if nothing is wrong, as in scikit-learn.
    """
    n, x, xx, errors = np.moveaxis(totals, -1, 0)
    spread = _variance(n, x, xx)
    constant = np.where(errors > 0, 0.0, 1.0)
    return np.where(spread > 0, 1 - ratio(n * errors, spread), constant)


def _with_ones(errors: np.ndarray) -> np.ndarray:
    return np.stack([errors, np.ones(errors.shape)], axis=-1)


def errors(values: np.ndarray, power: int) -> np.ndarray:
    """Return the absolute error of each unit to a power, and 1."""
    return _with_ones(np.abs(values[..., 0] - values[..., 1]) ** power)


def root_mean(totals: np.ndarray) -> np.ndarray:
    """Return the square root of the mean, of totals (..., 2): sum and number."""
    return np.asarray(np.sqrt(totals[..., 0] / np.maximum(totals[..., 1], 1)))


def binary(classes: tuple[str, ...]) -> bool:
    """Return whether a gold has two values."""
    return len(classes) == 2


def _positive(values: np.ndarray) -> np.ndarray:
    """Return where the gold has the larger of its two values, (outputs, units)."""
    return np.asarray(values[..., 0] == np.nanmax(values[..., 0], initial=-np.inf))


def _probabilities(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return _positive(values).astype(np.float64), np.clip(values[..., 1], 0, 1)


def squared_errors(values: np.ndarray) -> np.ndarray:
    """Return the squared error of each probability, and 1 (Brier 1950)."""
    positive, probability = _probabilities(values)
    return _with_ones((probability - positive) ** 2)


def surprisals(values: np.ndarray) -> np.ndarray:
    """Return minus the logarithm of the probability of what is right, and 1."""
    positive, probability = _probabilities(values)
    right = np.where(positive > 0, probability, 1 - probability)
    return _with_ones(-np.log(np.clip(right, SMALLEST, 1)))


def by_bin(values: np.ndarray) -> np.ndarray:
    """Return what is right less its probability, in the column of the probability's bin, (outputs, units, 10), and 1.

    Bins are equally wide; a probability of 0.1 is in the first.
    """
    positive, probability = _probabilities(values)
    bins = np.clip(np.ceil(np.nan_to_num(probability) * BINS) - 1, 0, BINS - 1).astype(np.intp)
    statistics = np.zeros((*bins.shape, BINS + 1))
    np.put_along_axis(statistics, bins[..., None], (positive - probability)[..., None], axis=-1)
    statistics[..., -1] = 1
    return statistics


def calibration_error(totals: np.ndarray) -> np.ndarray:
    """Return the expected calibration error of the totals of ``by_bin``, 0 to 1 (Naeini et al. 2015)."""
    result: np.ndarray = np.abs(totals[..., :-1]).sum(axis=-1) / np.maximum(totals[..., -1], 1)
    return result


def at_threshold(values: np.ndarray, threshold: float) -> np.ndarray:
    """Return whether each unit is correctly predicted as positive, whether it is so predicted, and whether it is."""
    positive, predicted = _positive(values), values[..., 1] >= threshold
    return np.stack([positive & predicted, predicted, positive], axis=-1).view(np.uint8)


def marked(values: np.ndarray) -> np.ndarray:
    """Return the gold as 0 and 1, and the predictions."""
    return np.stack([_positive(values), values[..., 1]], axis=-1)


def few_of_a_value(statistics: np.ndarray, systems: Sequence[str], significant: Sequence[int]) -> str:
    """Return a warning if so few items of the gold have one of its two values that p is too small, for ``marked``.

    ``significant`` is the percentage of simulated pairs of equal systems that differed significantly with 1, 2, ... of
    100 items (docs/validation.md).
    """
    positive = statistics[..., 0].max(axis=0, initial=0)
    rarest = int(min(positive.sum(), len(positive) - positive.sum()))
    if not rarest:
        return "all items of the gold have the same value: there is nothing to tell apart"
    if rarest > len(significant):
        return ""
    few, share = count(rarest, "item"), significant[rarest - 1]
    measured = f"{share}% of simulated pairs of equal systems differed significantly, not 5%"
    return f"one value of the gold has {few}, so p is too small: with {rarest} of 100 items, {measured}"


def f1_at(threshold: float) -> Metric:
    """Return F1 of the larger value of the gold, predicted from a threshold on."""
    return Metric(
        name=f"F1@{threshold:.15g}",
        what=f"F1 of the larger value, predicted where a number is {threshold:.15g} or more",
        family=FAMILY,
        columns=COLUMNS,
        expand=partial(at_threshold, threshold=threshold),
        score=f1,
        components=F1_COMPONENTS,
        by_unit=False,
        fits=binary,
    )


def own_metric(name: str, classes: tuple[str, ...]) -> Metric | None:
    """Return F1 at the threshold in the name, such as F1@0.7, against a gold of two values; None for other names."""
    start, _, text = name.partition("@")
    threshold = finite_number(text)
    return f1_at(threshold) if start == "F1" and binary(classes) and threshold is not None else None
