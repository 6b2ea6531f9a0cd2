"""The minimal detectable gain: the true gain that a test set finds with a chance of 80 %."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from nlpsig_core.comparison.notion import Notion
from nlpsig_core.errors import ChoiceError

FEWEST_UNITS = 2


def detectable_gain(
    standard_error: float | np.ndarray,
    level: float = 0.05,
    sides: str = "two",
    power: float = 0.8,
    freedom: float | np.ndarray | None = None,
) -> float | np.ndarray:
    """The minimal detectable gain: the true gain that comes out with p < level with a chance of ``power``.

    An observed gain delta is about normal around the true gain g with the ``standard_error`` s, and p < level where
    delta > z s, with z as in ``Notion.z``. The chance of this is Phi(g / s - z), and it is ``power`` at

        g = (z + z(power)) s

    so 2.80 s for a two-sided p < 0.05 and 80 %. It speaks of a true gain: of pairs with just this true gain, half
    show a smaller one. With degrees of ``freedom`` of s (``spread.with_freedom``), quantiles of Student's t take
    the place of both z.
    """
    wanted = Aim(1.0, level, power, sides)
    if freedom is None:
        return (wanted.z + wanted.z_power) * standard_error
    from scipy.special import stdtrit

    tail = NormalDist().cdf(wanted.z)
    return (stdtrit(freedom, tail) + stdtrit(freedom, power)) * standard_error


def detectable_of_pairs(
    standard_error: np.ndarray, effective: np.ndarray, level: float, sides: str, power: float = 0.8
) -> np.ndarray:
    """The minimal detectable gain of each pair, (m,), by its unadjusted p.

    Two-sided that is the small-sample p, so Student's t with D - 1 degrees of freedom and a standard error larger by
    sqrt(D / (D - 1)), where D (m,) is the ``effective`` number of differing units; NaN where it is below 2.
    """
    if sides == "one":
        return np.asarray(detectable_gain(standard_error, level, sides, power))
    freedom = np.maximum(effective - 1, 1.0)
    found = detectable_gain(standard_error * np.sqrt((freedom + 1) / freedom), level, sides, power, freedom)
    return np.where(effective < 2, np.nan, found)


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
    sides: str = "two"

    def __post_init__(self) -> None:
        if not 0 < self.gain < np.inf:
            raise ChoiceError(f"A gain of {self.gain:g} cannot be found by any number of units; choose one above 0")
        if not 0 < self.level < self.power < 1:
            wrong = f"A power of {self.power:g} at the level {self.level:g}"
            raise ChoiceError(f"{wrong}; choose a level above 0 and a power between it and 1")
        Notion(level=self.level, sides=self.sides).z()

    @property
    def z(self) -> float:
        """How many standard errors make p = level."""
        return Notion(level=self.level, sides=self.sides).z()

    @property
    def z_power(self) -> float:
        """How many standard errors more make the power."""
        return NormalDist().inv_cdf(self.power)

    def needed(self, n_units: int, errors: np.ndarray) -> np.ndarray:
        """Whole units that pairs need, from their standard errors on ``n_units``; of the same shape."""
        needed = n_units * ((self.z + self.z_power) * errors / self.gain) ** 2
        # Rounded up, but not for the last digits of a float.
        return np.maximum(np.ceil(needed * (1 - 1e-12)), FEWEST_UNITS)

    def chance(self, n_units: int, error: float, units: np.ndarray) -> np.ndarray:
        """The chance of p < level on each number of ``units``, for a pair of this standard error on ``n_units``."""
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):
            in_errors = np.divide(self.gain * np.sqrt(units / n_units), error)
        return ndtr(in_errors - self.z)
