"""Settings of the methods that have some, the best on a development set; of equals, the first."""

from __future__ import annotations

import numpy as np

from nlpsig_core.laboratory.confidence.evaluation import average_precision
from nlpsig_core.laboratory.confidence.parser_methods import (
    TIE_BREAKING,
    ParserPrediction,
    k_best_shares,
    kd_fix,
    marginal,
    mixed,
)
from nlpsig_core.laboratory.parsers.graph import GraphParser

# The numbers of trees that the paper's development sets chose.
TREES = range(10, 21)
# Deviations of the noise, as multiples of the root mean square of the trained weights.
DEVIATIONS = tuple(2.0**step for step in np.arange(-2, 3.5, 0.5).tolist())
# Weights of KD-Fix beside Delta; the last is the paper's.
WEIGHTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, TIE_BREAKING)
# Temperatures, as multiples of the median of Delta.
TEMPERATURES = tuple(2.0**step for step in np.arange(-4, 0.75, 0.25).tolist())


def tune_k(dev: ParserPrediction) -> dict[str, float]:
    """Return the number of trees with the highest average precision."""
    shares = k_best_shares(dev, max(TREES))
    return {"k": max(TREES, key=lambda k: average_precision(shares[k - 1], dev.wrong))}


def noise_unit(parser: GraphParser) -> float:
    """Return the root mean square of the weights that training touched; 1 if there are none."""
    trained = parser.weights[parser.weights != 0].astype(np.float64)
    return float(np.sqrt((trained**2).mean())) if len(trained) else 1.0


def deviations(parser: GraphParser) -> list[float]:
    """Return the deviations of the noise that are tried."""
    unit = noise_unit(parser)
    return [unit * deviation for deviation in DEVIATIONS]


def tune_noise(dev: ParserPrediction) -> dict[str, float]:
    """Return the deviation of the noise with the highest average precision."""
    scales = deviations(dev.parser)
    dev.shares(scales)
    return {"s": max(scales, key=lambda s: average_precision(kd_fix(dev, s), dev.wrong))}


def tune_mixture(dev: ParserPrediction) -> dict[str, float]:
    """Return the deviation of the noise, then the weight of KD-Fix with the highest average precision."""
    noise = tune_noise(dev)
    shares = kd_fix(dev, **noise)
    return noise | {"a": max(WEIGHTS, key=lambda a: average_precision(mixed(shares, dev.margins, a), dev.wrong))}


def tune_temperature(dev: ParserPrediction) -> dict[str, float]:
    """Return the temperature with the lowest Brier score."""
    unit = float(np.median(dev.margins[np.isfinite(dev.margins)])) or 1.0

    def brier(temperature: float) -> float:
        return float(((marginal(dev, temperature) - ~dev.wrong) ** 2).mean())

    return {"temperature": min((unit * t for t in TEMPERATURES), key=brier)}
