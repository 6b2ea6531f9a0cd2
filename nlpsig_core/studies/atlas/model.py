"""The model of thresholds: how large a gain a new test set is likely to need."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.significance.comparison.classes import DIFFERENT, DIFFERENT_MODELS, SAME, SAME_MODEL
from nlpsig_core.studies.atlas.names import on_percent_scale
from nlpsig_core.studies.atlas.rows import Z
from nlpsig_core.studies.atlas.store import Atlas

# Fewer test sets of a metric than this do not show how far they spread; the spread of other metrics counts then.
FEW = 5
# The weight of the spread of other metrics, in test sets.
BORROWED = 4.0
# The spread of log thresholds where no metric has enough test sets: a typical one of those that have.
UNKNOWN = 0.45
# The spread of the logs of rough thresholds around those that are known, on the same test sets.
ROUGH = 0.37
# Metrics with fewer test sets than this share one slope of the level.
OWN_SLOPE = 20
# Scores nearer to 0 or 100 than this count as this.
EDGE = 0.5
# Rounds of weighting by the spreads, which depend on the fit.
ROUNDS = 3
# The intervals of predictions hold a new test set with this probability, the rest is outside on either side.
HELD = 0.9
TAILS = ((1 - HELD) / 2, (1 + HELD) / 2)
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
        """Return its quantiles."""
        from scipy.special import stdtrit

        return np.asarray(self.centre + self.spread * stdtrit(self.freedom, shares))

    def thresholds(self, shares: np.ndarray, n: float, z: float = Z) -> np.ndarray:
        """Return quantiles of the threshold on ``n`` units for gains that are ``z`` standard errors."""
        return np.asarray(z * np.exp(self.log_errors(shares)) / n**0.5)


@dataclass(frozen=True, eq=False)
class Model:
    """log(threshold x sqrt(n) / Z) by metric, class and (if ``by_score``) score level, with the spread of test sets.

    The threshold over z is the standard error that 95% of a test set's pairs stay below. ``effects`` has the terms
    with their estimates and covariances, ``spreads`` a row for each metric: the ``spread`` of its test sets around
    the effects, with degrees of ``freedom``, its number of ``test_sets``, their mean ``level``, and whether its
    thresholds are ``rough``.
    """

    effects: pd.DataFrame
    spreads: pd.DataFrame
    by_score: bool

    def predict(self, metric: str, comparison: str, score: float | None = None) -> Prediction:
        """Return what to expect of a new test set; a class that no test set has is taken for one alike."""
        spread, freedom = (float(self._by_metric[metric][name]) for name in ("spread", "freedom"))
        like = comparison if (COMPARISON, comparison) in self._terms else ALIKE.get(comparison, DIFFERENT)
        x = np.zeros(len(self.effects))
        for term in ((METRIC, metric), (COMPARISON, like)):
            if term in self._terms:
                x[self._terms[term]] = 1
        slope = self._slope(metric)
        if score is not None and slope is not None:
            x[slope] = log_variance(score, metric) - float(self._by_metric[metric]["level"])
        variance = spread**2 + self.rough(metric) * ROUGH**2 + x @ self._covariance @ x
        return Prediction(float(x @ self._estimates), float(variance**0.5), freedom)

    def test_sets(self, metric: str) -> int:
        """Return the number of test sets of a metric."""
        return int(self._by_metric[metric]["test_sets"])

    def rough(self, metric: str) -> bool:
        """Return whether the thresholds of a metric are those of systems that are all far apart."""
        return bool(self._by_metric[metric]["rough"])

    def depends_on_score(self, metric: str) -> bool:
        """Return whether a score changes what is predicted for the metric."""
        return self._slope(metric) is not None and on_percent_scale(metric)

    def _slope(self, metric: str) -> int | None:
        """Return the number of the metric's slope of the level among the effects, its own or the shared one."""
        return self._terms.get((LEVEL, metric), self._terms.get((SHARED, "")))

    @cached_property
    def _terms(self) -> dict[tuple[str, str], int]:
        """Return the number of each effect by kind and name."""
        terms = zip(self.effects["kind"].astype(str), self.effects["name"].astype(str), strict=True)
        return {term: number for number, term in enumerate(terms)}

    @cached_property
    def _estimates(self) -> np.ndarray:
        return np.asarray(self.effects["estimate"], dtype=float)

    @cached_property
    def _covariance(self) -> np.ndarray:
        return np.asarray(self.effects.filter(like="with_").to_numpy(dtype=float))

    @cached_property
    def _by_metric(self) -> dict[str, dict[str, Any]]:
        return dict(self.spreads.set_index("metric").to_dict("index"))


@lru_cache(maxsize=2)
def model_of(atlas: Atlas, by_score: bool = False) -> Model:
    """Return the fitted model in an atlas: with the level of scores where a question names one."""
    effects, spreads = (atlas.tables[name] for name in ("effects", "spreads"))
    chosen = effects[effects["by_score"] == by_score]
    columns = ["kind", "name", "estimate", *(f"with_{number}" for number in range(len(chosen)))]
    return Model(chosen[columns].reset_index(drop=True), spreads[spreads["by_score"] == by_score], by_score)


def fitted(thresholds: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables ``effects`` and ``spreads`` of both models, for an atlas."""
    models = [fit(thresholds, by_score) for by_score in (False, True)]
    return {
        name: pd.concat([getattr(m, name).assign(by_score=m.by_score) for m in models], ignore_index=True)
        for name in ("effects", "spreads")
    }


def fit(thresholds: pd.DataFrame, by_score: bool = False) -> Model:
    """Return the model of thresholds (``Atlas.thresholds``), fitted by restricted maximum likelihood.

        log(threshold x sqrt(n) / Z) = metric + class (+ slope of the metric x level) + spread of the metric x (u + e)

    where u is a random effect of the test set, e one of test set and metric, both normal, and the level is
    log(p (1 - p)) of the scores of its pairs, p from 0 to 1. Metrics differ in how far their test sets spread: their
    residual variances are estimated first, drawn to their mean as by Smyth (2004), and the mixed model is that of the
    responses over the spreads.
    """
    y, keys = log_errors(thresholds), keys_of_test_sets(thresholds)
    levels = np.array(
        [log_variance(level, metric) for level, metric in zip(thresholds["level"], thresholds["metric"], strict=True)]
    )
    centres = pd.Series(levels).groupby(thresholds["metric"].to_numpy(dtype=str)).mean()
    sets = pd.Series(keys).groupby(thresholds["metric"].to_numpy(dtype=str)).nunique()
    terms, x = _design(thresholds, levels - centres[thresholds["metric"]].to_numpy(), sets if by_score else None)
    spread = np.ones(len(y))
    for _ in range(ROUNDS):
        beta = np.linalg.lstsq(x / spread[:, None], y / spread, rcond=None)[0]
        by_metric = _spreads(thresholds["metric"].to_numpy(dtype=str), y - x @ beta, sets)
        spread = by_metric["spread"][thresholds["metric"]].to_numpy()
    estimate, covariance = _mixed(y / spread, x / spread[:, None], keys)
    effects = pd.DataFrame(terms, columns=["kind", "name"]).assign(estimate=estimate)
    effects = effects.assign(**{f"with_{number}": column for number, column in enumerate(covariance.T)})
    rough = thresholds["rough"].groupby(thresholds["metric"].to_numpy(dtype=str)).any()
    spreads = by_metric.assign(level=centres, test_sets=sets, rough=rough)
    return Model(effects, spreads.rename_axis("metric").reset_index(), by_score)


def log_errors(thresholds: pd.DataFrame) -> np.ndarray:
    """Return the response of the model: log(threshold x sqrt(n) / Z)."""
    return np.asarray(np.log(thresholds["threshold"] * thresholds["n"] ** 0.5 / Z), dtype=float)


def keys_of_test_sets(thresholds: pd.DataFrame) -> np.ndarray:
    """Return a number for each test set, the same for all metrics."""
    names = thresholds["task"].astype(str) + "\t" + thresholds["test_set"].astype(str)
    return np.unique(names, return_inverse=True)[1]


def log_variance(level: float, metric: str) -> float:
    """Return log(p (1 - p)) of a score of 100 p; 0 for metrics on another scale.

    The variance of a unit that is right with probability p is p (1 - p).
    """
    if not on_percent_scale(metric):
        return 0.0
    p = min(max(level, EDGE), 100 - EDGE) / 100
    return float(np.log(p * (1 - p)))


def log_odds(scores: float | np.ndarray | pd.Series) -> np.ndarray:
    """Return the log odds p / (1 - p) of scores of 100 p."""
    p = np.clip(np.asarray(scores, dtype=float), EDGE, 100 - EDGE) / 100
    return np.asarray(np.log(p / (1 - p)))


def _design(
    thresholds: pd.DataFrame, levels: np.ndarray, sets: Mapping[str, int] | None
) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Return terms (kind, name) and their columns (thresholds, terms), without those that others make up.

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


def _spreads(metric: np.ndarray, residuals: np.ndarray, sets: pd.Series) -> pd.DataFrame:
    """Return the spread of test sets by metric, drawn to that of the others, with degrees of freedom (Smyth 2004).

    ``sets`` are the numbers of test sets. The classes of one test set count as one, since they rest on the same
    outputs. Metrics with fewer than FEW test sets have the spread of the others alone.
    """
    own = (sets - 1).where(sets >= FEW, 0)
    variance = (pd.Series(residuals**2).groupby(metric).mean() * sets / own)[own > 0]
    others = float(variance.mean()) if len(variance) else UNKNOWN**2
    freedom = BORROWED + own
    squares = BORROWED * others + own * variance.reindex(sets.index, fill_value=0.0)
    return pd.DataFrame({"spread": (squares / freedom) ** 0.5, "freedom": freedom})


def _mixed(y: np.ndarray, x: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return effects and their covariance, by a mixed model with a random effect of ``keys``.

    With too few test sets for one, by least squares, at the variance 1 that the spreads imply.
    """
    if len(np.unique(keys)) < FEW or len(y) <= x.shape[1] + 1:
        return np.linalg.lstsq(x, y, rcond=None)[0], np.linalg.inv(x.T @ x)
    # statsmodels is slow to import, and only a build needs it.
    from statsmodels.regression.mixed_linear_model import MixedLM

    with warnings.catch_warnings(action="ignore"):
        fitted_model = MixedLM(y, x, groups=keys).fit(reml=True)
    k = x.shape[1]
    return np.asarray(fitted_model.fe_params), np.asarray(fitted_model.cov_params())[:k, :k]
