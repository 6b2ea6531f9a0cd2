"""The minimal detectable gain: the true gain that a test set finds significant with a given power."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from statistics import NormalDist

import numpy as np

from nlpsig_core.base.errors import ChoiceError, check_numbers
from nlpsig_core.significance.comparison.notion import Notion

FEWEST_UNITS = 2
# The number of units that a smaller gain needs is beyond all numbers; below it is rounding.
SMALLEST_GAIN = 1e-12


def detectable_gain(
    standard_error: float | np.ndarray,
    level: float = 0.05,
    sides: str = "two",
    power: float = 0.8,
    freedom: float | np.ndarray | None = None,
) -> float | np.ndarray:
    """Return the minimal detectable gain: the true gain that gives p < level with probability ``power``.

    An observed gain delta is about normal around the true gain g with ``standard_error`` s, and p < level if
    delta > z s, with z as in ``Notion.z``. The probability of this is Phi(g / s - z), and it is ``power`` at

        g = (z + z(power)) s

    which is 2.80 s for two-sided p < 0.05 and 80%. This is a true gain: half of the pairs with it show a smaller one.
    With degrees of ``freedom`` of s (``power.with_freedom``), quantiles of Student's t replace both z.
    """
    aim = Aim(gain=1.0, level=level, power=power, sides=sides)
    if freedom is None:
        return (aim.z + aim.z_power) * standard_error
    from scipy.special import stdtrit

    tail = NormalDist().cdf(aim.z)
    errors: float | np.ndarray = stdtrit(freedom, tail) + stdtrit(freedom, power)
    return errors * standard_error


def detectable_of_pairs(
    standard_error: np.ndarray,
    effective: np.ndarray,
    n_units: int | np.ndarray,
    level: float,
    sides: str,
    power: float = 0.8,
) -> np.ndarray:
    """Return the minimal detectable gain of each pair, (m,), by its unadjusted p.

    Two-sided, this is the small-sample p: Student's t with D - 1 degrees of freedom and a standard error larger by
    sqrt(D / (D - 1)), where D (m,) is the ``effective`` number of differing units. NaN if D is below 2, if no
    difference on ``n_units`` units can be significant, or if no resample changes the gain: a standard error of 0 does
    not say what other gains could be found.
    """
    known = np.where(np.greater(standard_error, 0), standard_error, np.nan)
    if sides == "one":
        return np.asarray(detectable_gain(known, level, sides, power))
    freedom = np.maximum(effective - 1, 1.0)
    gain = detectable_gain(known * np.sqrt((freedom + 1) / freedom), level, sides, power, freedom)
    few = np.less(n_units, Aim(1.0, level=level, power=power, sides=sides).fewest)
    return np.where((effective < 2) | few, np.nan, gain)


@dataclass(frozen=True)
class Aim:
    """The aim of a test set: to find a true ``gain`` with p < ``level`` with probability ``power``.

    On m units a pair's observed gain delta is about normal around the true gain g, with standard error
    s_m = s sqrt(n / m), where s is its bootstrap standard error on n units. The paper's p, the share of resamples with
    delta* > 2 delta, is then about 1 - Phi(delta / s_m), so p < level if delta > z s_m with z = z(1 - level). The
    probability of this is

        Phi(g / s_m - z) = Phi(g sqrt(m / n) / s - z)

    and it reaches ``power`` at g / s_m = z + z(power), that is, at

        m = n (z + z(power))^2 s^2 / g^2

    With the two-sided p, z is z(1 - level / 2). A significant win of the worse system does not count.
    """

    gain: float
    _: KW_ONLY
    level: float = 0.05
    power: float = 0.8
    sides: str = "two"

    def __post_init__(self) -> None:
        check_numbers(gain=self.gain, level=self.level, power=self.power)
        if 0 < self.gain < SMALLEST_GAIN:
            raise ChoiceError(f"A gain of {self.gain:g} is too small to be found; choose one from {SMALLEST_GAIN:g} on")
        if not 0 < self.gain < np.inf:
            raise ChoiceError(f"A gain of {self.gain:g} cannot be found by any number of units; choose one above 0")
        if not 0 < self.level < self.power < 1:
            wrong = f"A power of {self.power:g} at the level {self.level:g}"
            raise ChoiceError(f"{wrong}; choose a level above 0 and a power between it and 1")
        Notion(level=self.level, sides=self.sides).z()

    @property
    def z(self) -> float:
        """The number of standard errors at which p = level."""
        return Notion(level=self.level, sides=self.sides).z()

    @property
    def z_power(self) -> float:
        """The number of further standard errors that give the power."""
        return NormalDist().inv_cdf(self.power)

    @property
    def fewest(self) -> int:
        """The least number m of units on which swaps can give p < level: 1 / 2^m of them are at least as good."""
        return max(FEWEST_UNITS, math.floor(-math.log2(NormalDist().cdf(-self.z))) + 1)

    def needed(self, n_units: int | np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Return the number of units that pairs need, from their standard errors on ``n_units``; of the same shape."""
        needed = n_units * ((self.z + self.z_power) * errors / self.gain) ** 2
        # Rounded up, except for rounding errors of floats.
        return np.maximum(np.ceil(needed * (1 - 1e-12)), self.fewest)

    def chance(self, n_units: int, error: float, units: np.ndarray) -> np.ndarray:
        """Return the probability of p < level by number of ``units``, for a pair with this ``error`` on ``n_units``."""
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):
            in_errors = np.divide(self.gain * np.sqrt(units / n_units), error)
        return np.where(units < self.fewest, 0.0, ndtr(in_errors - self.z))
