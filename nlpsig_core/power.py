"""How large a test set must be: the chance that a gain comes out significant, and the units that this takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd

from nlpsig_core.comparisons import COMPARISONS, INVALID
from nlpsig_core.errors import ChoiceError
from nlpsig_core.thresholds import Rule

# Percentiles of the standard errors of a class's pairs: an easy pair, the median pair, a hard one.
EASY_MEDIAN_HARD = (10, 50, 90)
FEWEST_UNITS = 2
REACH, FEWEST = 2.0, 5
# Sizes of a curve that the caller does not choose.
N_SIZES = 80


@dataclass(frozen=True)
class Aim:
    """What a test set is to show: that a true ``gain`` comes out with p < ``level`` with a chance of ``power``.

    On m units a pair's observed gain delta is about normal around the true gain g, with the standard error
    s_m = s sqrt(n / m), where s is its bootstrap standard error on n units. The paper's p, the share of
    resamples with delta* > 2 delta, is then about 1 - Phi(delta / s_m), so that p < level where
    delta > z s_m with z = z(1 - level). The chance of this is

        Phi(g / s_m - z) = Phi(g sqrt(m / n) / s - z)

    and it reaches ``power`` where g / s_m = z + z(power), which is at

        m = n (z + z(power))^2 s^2 / g^2

    By the two-sided p, z is z(1 - level / 2). That the worse system wins significantly is not counted.
    """

    gain: float
    level: float = 0.05
    power: float = 0.8
    two_sided: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.gain < np.inf:
            raise ChoiceError(f"A gain of {self.gain:g} cannot be found by any number of units; choose one above 0")
        if not 0 < self.level < self.power < 1:
            wrong = f"A power of {self.power:g} at the level {self.level:g}"
            raise ChoiceError(f"{wrong}; choose a level above 0 and a power between it and 1")

    @property
    def z(self) -> float:
        """How many standard errors make p = level."""
        return NormalDist().inv_cdf(1 - self.level / (2 if self.two_sided else 1))

    def needed(self, n_units: int, errors: np.ndarray) -> np.ndarray:
        """Whole units that pairs need, from their standard errors on ``n_units``; of the same shape."""
        needed = n_units * ((self.z + NormalDist().inv_cdf(self.power)) * errors / self.gain) ** 2
        # Rounded up, but not for the last digits of a float.
        return np.maximum(np.ceil(needed * (1 - 1e-12)), FEWEST_UNITS)

    def chance(self, n_units: int, error: float, units: np.ndarray) -> np.ndarray:
        """The chance of p < level on each number of ``units``, for a pair of this standard error on ``n_units``."""
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):
            in_errors = np.divide(self.gain * np.sqrt(units / n_units), error)
        return ndtr(in_errors - self.z)


def needed_units(pairs: pd.DataFrame, n_units: int, aim: Aim, rule: Rule = Rule()) -> pd.DataFrame:
    """How many units it takes to reach the aim: a row a comparison class; ``pairs`` are those of ``n_units``.

    Columns comparison, pairs, units, low, high, share_enough, extrapolated, reason: what the pair with the median
    standard error needs, and those at the 10th and the 90th percentile of standard errors (four of five pairs
    lie between); the share of the pairs for which ``n_units`` are enough; whether ``units`` are more than those.

    As the threshold from standard errors, it rests on pairs of similar score (``REACH``): one very bad
    system makes the standard errors of its pairs larger than those of a close pair. With fewer than
    ``FEWEST`` of them there is a reason instead of numbers.
    """
    _check(n_units)
    rows = []
    for comparison, errors in _errors_by_class(pairs, rule).items():
        row: dict[str, object] = {"comparison": comparison, "pairs": len(errors)}
        row |= dict.fromkeys(("units", "low", "high", "share_enough"), np.nan)
        if len(errors) < FEWEST:
            how_many = f"{len(errors)} pair{'' if len(errors) == 1 else 's'}"
            rows.append(row | {"extrapolated": False, "reason": f"{how_many} of similar score; {FEWEST} are needed"})
            continue
        low, units, high = aim.needed(n_units, np.percentile(errors, EASY_MEDIAN_HARD))
        enough = float((aim.needed(n_units, errors) <= n_units).mean())
        row |= {"units": units, "low": low, "high": high, "share_enough": enough}
        rows.append(row | {"extrapolated": bool(units > n_units), "reason": ""})
    columns = ["comparison", "pairs", "units", "low", "high", "share_enough", "extrapolated", "reason"]
    return pd.DataFrame(rows, columns=columns)


def power_curve(n_units: int, standard_error: float, aim: Aim, sizes: Sequence[float] | None = None) -> pd.DataFrame:
    """The chance of p < level by the size of the test set, for one pair; ``standard_error`` is its on ``n_units``.

    Columns units, power, extrapolated (more units than there are), enough (power is as wanted). Without
    ``sizes`` there is a row at ``n_units`` and one at the first size that is enough, with others around them.

    Taking the observed gain for the true one says nothing that p does not: where p = level the chance is a
    half. It is rather too high, since the winner was chosen after looking.
    """
    _check(n_units)
    needed = float(aim.needed(n_units, np.array(standard_error)))
    units = np.unique(np.array(_usual_sizes(n_units, needed) if sizes is None else sizes, dtype=float))
    if not len(units) or units[0] < FEWEST_UNITS:
        raise ChoiceError(f"A test set has {FEWEST_UNITS} units at least; choose sizes from {FEWEST_UNITS} on")
    return pd.DataFrame(
        {
            "units": units,
            "power": aim.chance(n_units, standard_error, units),
            "extrapolated": units > n_units,
            "enough": units >= needed,
        }
    )


def power_by_class(
    pairs: pd.DataFrame, n_units: int, aim: Aim, rule: Rule = Rule(), sizes: Sequence[float] | None = None
) -> pd.DataFrame:
    """``power_curve`` of the median pair of each comparison class, on the pairs of ``needed_units``.

    Columns comparison, those of ``power_curve``, then low and high: the chance of the pairs at the 90th and at
    the 10th percentile of standard errors. Classes with fewer than ``FEWEST`` pairs are left out.
    """
    _check(n_units)
    found = [pd.DataFrame(columns=["comparison", "units", "power", "extrapolated", "enough", "low", "high"])]
    for comparison, errors in _errors_by_class(pairs, rule).items():
        if len(errors) < FEWEST:
            continue
        easy, median, hard = np.percentile(errors, EASY_MEDIAN_HARD)
        curve = power_curve(n_units, median, aim, sizes)
        curve.insert(0, "comparison", comparison)
        units = curve["units"].to_numpy()
        found.append(curve.assign(low=aim.chance(n_units, hard, units), high=aim.chance(n_units, easy, units)))
    return pd.concat(found[1:], ignore_index=True) if len(found) > 1 else found[0]


def _usual_sizes(n_units: int, needed: float) -> np.ndarray:
    """Sizes at equal ratios from well below to well above the two, with both among them."""
    least, most = min(n_units, needed), max(n_units, needed)
    between = np.geomspace(max(FEWEST_UNITS, least / 10), 3 * most, N_SIZES).round()
    return np.concatenate([between, [n_units, needed]])


def _errors_by_class(pairs: pd.DataFrame, rule: Rule) -> dict[str, np.ndarray]:
    """The standard errors of each class's pairs of similar score, of the classes that have pairs with a gain."""
    usable = pairs[(pairs["gain"] > 0) & (pairs["comparison"] != INVALID)]
    reach = REACH * NormalDist().inv_cdf(1 - rule.level) * usable["standard_error"]
    near = usable["gain"] <= reach
    return {
        comparison: usable.loc[near & of_class, "standard_error"].to_numpy(dtype=float)
        for comparison in COMPARISONS
        if (of_class := usable["comparison"] == comparison).any()
    }


def _check(n_units: int) -> None:
    if n_units < FEWEST_UNITS:
        raise ChoiceError(f"Standard errors on {n_units} units; {FEWEST_UNITS} are needed at least")
