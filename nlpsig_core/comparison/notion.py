"""The notion of significance: level, sides and adjustment, one choice that every result follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from nlpsig_core.errors import ChoiceError

SIDES = ("two", "one")
# Pairs unadjusted, rankings by Holm.
USUAL, NONE, HOLM, MAX_T, BH, BY = "usual", "none", "Holm", "max-t", "BH", "BY"
# The name of each adjustment in a sentence.
ADJUSTMENTS = {
    USUAL: "Holm for ranks only",
    NONE: "unadjusted",
    HOLM: "Holm",
    MAX_T: "max-t",
    BH: "Benjamini-Hochberg",
    BY: "Benjamini-Yekutieli",
}


@dataclass(frozen=True, kw_only=True)
class Notion:
    """What counts as significant: p below ``level``, two-sided or one-sided (``sides``), with an ``adjust``ment.

    "usual" leaves pairs unadjusted and adjusts rankings, which make many comparisons at once, by Holm's method.
    """

    level: float = 0.05
    sides: str = "two"
    adjust: str = USUAL

    def __post_init__(self) -> None:
        if not 0 < self.level < 0.5:
            raise ChoiceError(f"The level {self.level:g} is not between 0 and 0.5")
        for what, chosen, available in (("side", self.sides, SIDES), ("adjustment", self.adjust, ADJUSTMENTS)):
            if chosen not in available:
                raise ChoiceError.unknown(what, chosen, available)
        if self.adjust == MAX_T and not self.two_sided:
            raise ChoiceError("max-t counts both directions of a pair; choose two sides")

    @property
    def for_pairs(self) -> str:
        """The adjustment of a pair's p."""
        return NONE if self.adjust == USUAL else self.adjust

    @property
    def for_ranking(self) -> str:
        """The adjustment of the p-values behind rank ranges and tied groups."""
        return HOLM if self.adjust == USUAL else self.adjust

    @property
    def two_sided(self) -> bool:
        """Whether both directions count."""
        return self.sides == "two"

    def takes_papers_p(self, adjustment: str) -> bool:
        """Whether the level applies to the winner's unadjusted one-sided p, as in the paper."""
        return not self.two_sided and adjustment == NONE

    @property
    def p(self) -> str:
        """The p that is compared with the level, in words."""
        return "two-sided p" if self.two_sided else "winner's one-sided p"

    def z(self, p: float | None = None) -> float:
        """The number of standard errors at which the unadjusted p equals ``p`` (by default the level)."""
        p = self.level if p is None else p
        return -NormalDist().inv_cdf(p / 2 if self.two_sided else p)

    def confidence(self, p: float | None = None) -> float:
        """The paper's confidence, 1 - the winner's one-sided p, at which the unadjusted p is about ``p``."""
        p = self.level if p is None else p
        return 1 - (p / 2 if self.two_sided else p)

    def words(self, n_pairs: int = 0, ranking: bool = False) -> str:
        """The notion in words: "two-sided p < 0.05", "two-sided p < 0.05 after Holm over 2,080 pairs"."""
        adjusted = self.adjusted(ranking)
        return f"{self.p} < {self.level:g}{adjusted}" + (f" over {n_pairs:,} pairs" if adjusted and n_pairs else "")

    def adjusted(self, ranking: bool = False) -> str:
        """The adjustment as the end of a phrase: " after Holm", or "" without one."""
        adjustment = self.for_ranking if ranking else self.for_pairs
        return "" if adjustment == NONE else f" after {ADJUSTMENTS[adjustment]}"

    @property
    def signed(self) -> dict[str, object]:
        """Its fields in a signature."""
        return {"level": f"{self.level:g}", "sides": self.sides, "adjust": self.adjust}


# The winner's one-sided p, pair by pair (Berg-Kirkpatrick et al. 2012).
AS_IN_THE_PAPER = Notion(sides="one", adjust=NONE)


def holm(p: np.ndarray) -> np.ndarray:
    """p adjusted to control the probability of any false alarm (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    return adjusted


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """p adjusted to control the expected share of false alarms (Benjamini and Hochberg 1995, equation 1)."""
    return _step_up(p, 1.0)


def benjamini_yekutieli(p: np.ndarray) -> np.ndarray:
    """The same under arbitrary dependence of the p-values (Benjamini and Yekutieli 2001, theorem 1.3)."""
    return _step_up(p, (1 / np.arange(1, len(p) + 1)).sum())


def _step_up(p: np.ndarray, factor: float) -> np.ndarray:
    """The smallest share of false alarms at which each of m p is found: of all p from its own on, p m / rank."""
    order, m = np.argsort(p, kind="stable"), len(p)
    shares = p[order] * (m / np.arange(1.0, m + 1)) * factor
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(shares[::-1])[::-1], 1.0)
    return adjusted


# Adjustments that need only the p-values.
BY_P: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    NONE: lambda p: p,
    HOLM: holm,
    BH: benjamini_hochberg,
    BY: benjamini_yekutieli,
}


def fewest_resamples(adjustment: str, n_pairs: int, level: float) -> int:
    """The number of resamples b needed for a single pair without a hit to be below the level.

    Its adjusted p is pairs / (b + 1) by Holm and 1 / (b + 1) by max-t. Other adjustments have no such limit, since many
    pairs with small p-values lower each other's adjusted p.
    """
    of_adjustment = {HOLM: n_pairs, MAX_T: 1}
    return int(np.floor(of_adjustment.get(adjustment, 0) / level))
