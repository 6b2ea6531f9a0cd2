"""The model of thresholds: what a test set that nobody has seen is likely to ask of a gain."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.atlas.store import Atlas
from nlpsig_core.atlas.thresholds import Z
from nlpsig_core.comparison.classes import DIFFERENT, DIFFERENT_MODELS, SAME, SAME_MODEL
from nlpsig_core.metrics import METRICS

# Fewer test sets of a metric than this do not show how far they spread; the spread of other metrics counts then.
FEW = 5
# The spread of other metrics counts as that of so many test sets more.
BORROWED = 4.0
# The spread of log thresholds where no metric has enough test sets: a typical one of those that have.
UNKNOWN = 0.45
# Metrics with fewer test sets than this share one slope of the level.
OWN_SLOPE = 20
# Scores nearer to 0 or 100 than this tell no more.
EDGE = 0.5
# Rounds of weighting by the spreads, which depend on the fit.
ROUNDS = 3
# What stands in for a class that no test set has.
ALIKE = {SAME_MODEL: SAME, DIFFERENT_MODELS: DIFFERENT}
METRIC, COMPARISON, LEVEL, SHARED = "metric", "comparison", "level", "shared level"


@dataclass(frozen=True)
class Prediction:
    """The log of threshold x sqrt(n) / Z on a new test set: Student's t around ``centre`` with ``spread``."""

    centre: float
    spread: float
    freedom: float

    def log_errors(self, shares: np.ndarray) -> np.ndarray:
        """Its quantiles."""
        from scipy.special import stdtrit

        return np.asarray(self.centre + self.spread * stdtrit(self.freedom, shares))

    def thresholds(self, shares: np.ndarray, n: float, z: float = Z) -> np.ndarray:
        """Quantiles of the threshold on ``n`` units for gains that are ``z`` standard errors."""
        return np.asarray(z * np.exp(self.log_errors(shares)) / n**0.5)


@dataclass(frozen=True, eq=False)
class Model:
    """log(threshold x sqrt(n) / Z) by metric, class and (if ``by_level``) score level, with the spread of test sets.

    The threshold over z is the standard error that 95% of a test set's pairs stay below. ``effects`` has the terms
    with their estimates and covariances, ``spreads`` a row for each metric: the ``spread`` of its test sets around
    the effects, with degrees of ``freedom``, its number of ``test_sets``, and their mean ``level``.
    """

    effects: pd.DataFrame
    spreads: pd.DataFrame
    by_level: bool

    def predict(self, metric: str, comparison: str, level: float | None = None) -> Prediction:
        """What to expect of a new test set; a class that no test set has is taken for one alike."""
        spread = self.spreads.set_index("metric").loc[metric]
        known = set(self.effects["name"][self.effects["kind"] == COMPARISON])
        like = comparison if comparison in known else ALIKE.get(comparison, DIFFERENT)
        x = np.zeros(len(self.effects))
        away = 0.0 if level is None or not self.by_level else logit_spread(level, metric) - float(spread["level"])
        for number, (kind, name) in enumerate(zip(self.effects["kind"], self.effects["name"], strict=True)):
            if kind in (METRIC, COMPARISON):
                x[number] = name in (metric, like)
            else:
                x[number] = away * (name == metric or (kind == SHARED and not self._own_slope(metric)))
        covariance = self.effects.filter(like="with_").to_numpy()
        variance = float(spread["spread"]) ** 2 + x @ covariance @ x
        return Prediction(float(x @ self.effects["estimate"]), float(variance**0.5), float(spread["freedom"]))

    def _own_slope(self, metric: str) -> bool:
        return bool(((self.effects["kind"] == LEVEL) & (self.effects["name"] == metric)).any())

    def test_sets(self, metric: str) -> int:
        """The number of test sets of a metric."""
        return int(self.spreads.set_index("metric").loc[metric, "test_sets"])


def model_of(atlas: Atlas, by_level: bool = False) -> Model:
    """The fitted model in an atlas: with the level of scores where a question names one."""
    effects, spreads = (atlas.tables[name] for name in ("effects", "spreads"))
    of = effects[effects["by_level"] == by_level]
    width = len(of)
    columns = ["kind", "name", "estimate", *(f"with_{number}" for number in range(width))]
    return Model(of[columns].reset_index(drop=True), spreads[spreads["by_level"] == by_level], by_level)


def fitted(thresholds: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The tables ``effects`` and ``spreads`` of both models, for an atlas."""
    models = [fit(thresholds, by_level) for by_level in (False, True)]
    return {
        name: pd.concat([getattr(m, name).assign(by_level=m.by_level) for m in models], ignore_index=True)
        for name in ("effects", "spreads")
    }


def fit(thresholds: pd.DataFrame, by_level: bool = False) -> Model:
    """The model of thresholds (``Atlas.thresholds``), fitted by restricted maximum likelihood.

        log(threshold x sqrt(n) / Z) = metric + class (+ slope of the metric x level) + spread of the metric x (u + e)

    where u is a random effect of the test set, e one of test set and metric, both normal, and the level is
    log(p (1 - p)) of the scores of its pairs, p from 0 to 1. Metrics differ in how far their test sets spread: their
    residual variances are estimated first, drawn to their mean as by Smyth (2004), and the mixed model is that of the
    responses over the spreads.
    """
    y, keys = log_errors(thresholds), keys_of_test_sets(thresholds)
    levels = np.array([logit_spread(*of) for of in zip(thresholds["level"], thresholds["metric"], strict=True)])
    centres = pd.Series(levels).groupby(thresholds["metric"].to_numpy(dtype=str)).mean()
    sets = pd.Series(keys).groupby(thresholds["metric"].to_numpy(dtype=str)).nunique()
    terms, x = _design(thresholds, levels - centres[thresholds["metric"]].to_numpy(), sets if by_level else None)
    spread = np.ones(len(y))
    for _ in range(ROUNDS):
        beta = np.linalg.lstsq(x / spread[:, None], y / spread, rcond=None)[0]
        of_metric = _spreads(thresholds["metric"].to_numpy(dtype=str), y - x @ beta)
        spread = of_metric["spread"][thresholds["metric"]].to_numpy()
    estimate, covariance = _mixed(y / spread, x / spread[:, None], keys)
    effects = pd.DataFrame(terms, columns=["kind", "name"]).assign(estimate=estimate)
    effects = effects.assign(**{f"with_{number}": column for number, column in enumerate(covariance.T)})
    spreads = of_metric.assign(level=centres, test_sets=sets)
    return Model(effects, spreads.rename_axis("metric").reset_index(), by_level)


def log_errors(thresholds: pd.DataFrame) -> np.ndarray:
    """The response of the model: log(threshold x sqrt(n) / Z)."""
    return np.asarray(np.log(thresholds["threshold"] * thresholds["n"] ** 0.5 / Z), dtype=float)


def keys_of_test_sets(thresholds: pd.DataFrame) -> np.ndarray:
    """A number for each test set, whatever the metric."""
    names = thresholds["task"].astype(str) + "\t" + thresholds["test_set"].astype(str)
    return np.unique(names, return_inverse=True)[1]


def logit_spread(level: float, metric: str) -> float:
    """log(p (1 - p)) of a score of 100 p; 0 for metrics on another scale.

    The variance of a unit that is right with probability p is p (1 - p).
    """
    if not any(one.scale in ("%", "points") for one in METRICS.values() if metric in (one.label, one.name)):
        return 0.0
    p = min(max(level, EDGE), 100 - EDGE) / 100
    return float(np.log(p * (1 - p)))


def _design(
    thresholds: pd.DataFrame, levels: np.ndarray, sets: Mapping[str, int] | None
) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Terms (kind, name) and their columns (thresholds, terms), without those that others make up.

    With ``sets``, the numbers of test sets by metric, there are slopes of the ``levels``.
    """
    metric, comparison = (thresholds[name].to_numpy(dtype=str) for name in ("metric", "comparison"))
    columns = {(METRIC, name): (metric == name).astype(float) for name in np.unique(metric)}
    classes = [name for name in np.unique(comparison) if name != DIFFERENT]
    columns |= {(COMPARISON, name): (comparison == name).astype(float) for name in classes}
    if sets is not None:
        own = [name for name in np.unique(metric) if sets[name] >= OWN_SLOPE]
        columns |= {(LEVEL, name): levels * (metric == name) for name in own}
        columns |= {(SHARED, ""): levels * ~np.isin(metric, own)}
    x = np.stack(list(columns.values()), axis=1)
    remainder = np.abs(np.diag(np.linalg.qr(x, mode="r")))
    kept = [i for i in range(len(remainder)) if remainder[i] > 1e-8 * max(float(np.linalg.norm(x[:, i])), 1.0)]
    return [list(columns)[i] for i in kept], x[:, kept]


def _spreads(metric: np.ndarray, residuals: np.ndarray) -> pd.DataFrame:
    """The spread of residuals of each metric, drawn to that of all, with degrees of freedom (Smyth 2004)."""
    squares = pd.Series(residuals**2).groupby(metric).agg(["sum", "size"])
    free = np.maximum(squares["size"] - 1, 0)
    enough = squares["size"] >= FEW
    others = float((squares["sum"] / free)[enough].mean()) if enough.any() else UNKNOWN**2
    freedom = BORROWED + free.where(squares["size"] >= 2, 0)
    return pd.DataFrame({"spread": ((BORROWED * others + squares["sum"]) / freedom) ** 0.5, "freedom": freedom})


def _mixed(y: np.ndarray, x: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Effects and their covariance, by a mixed model with a random effect of ``keys``.

    With too few test sets for one, by least squares, at the variance 1 that the spreads imply.
    """
    if len(np.unique(keys)) < FEW or len(y) <= x.shape[1] + 1:
        return np.linalg.lstsq(x, y, rcond=None)[0], np.linalg.inv(x.T @ x)
    # statsmodels is slow to import, and only a build needs it.
    import statsmodels.api as sm

    with warnings.catch_warnings(action="ignore"):
        found = sm.MixedLM(y, x, groups=keys).fit(reml=True)
    k = x.shape[1]
    return np.asarray(found.fe_params), np.asarray(found.cov_params())[:k, :k]
