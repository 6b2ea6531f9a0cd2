"""The notion of significance: level, sides, test and correction, one choice that every result follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_named, check_numbers
from nlpsig_core.base.words import LEVEL
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.small_sample import FEW, effective_units
from nlpsig_core.significance.stats.array import Sample

# From the p-values of all pairs, (m,), to those corrected for their number.
Adjustment = Callable[[np.ndarray], np.ndarray]
SIDES = ("two", "one")
# What significance is about: a pair on its own, among all pairs, or both.
ALONE, BOTH, CORRECTED = "alone", "both", "corrected"
SCOPES = {
    ALONE: "each pair on its own",
    BOTH: "each pair on its own and among all",
    CORRECTED: "each pair among all",
}
HOLM, MAX_T, BH, BY = "Holm", "max-t", "BH", "BY"
# The name of each correction in a sentence.
CORRECTIONS = {HOLM: "Holm", MAX_T: "max-t", BH: "Benjamini-Hochberg", BY: "Benjamini-Yekutieli"}
BOOTSTRAP = "bootstrap"


@dataclass(frozen=True)
class Notion:
    """What counts as significant. Rankings rest on the corrected p, unless the scope is "alone".

    Parameters
    ----------
    level
        p must be below it.
    sides
        "two", or "one" as in the paper.
    scope
        Which p decides: that of the pair "alone", the "corrected" one of the pair among all, or "both".
    adjust
        The correction over all pairs, one of ``CORRECTIONS``.
    test
        One of ``TESTS``; "" takes the usual one of the selection.
    within
        The largest gain that nobody would mind, up to which systems are equivalent; None if none was named.

    Examples
    --------
    >>> import nlpsig_core as nlpsig
    >>> results = nlpsig.load_task("pelune-entities").select(metric="F1").bootstrap(resamples=10_000)
    >>> strict, lenient = nlpsig.Notion(level=0.01), nlpsig.Notion(level=0.05)
    >>> bool(results.pairs(strict)["significant"].sum() < results.pairs(lenient)["significant"].sum())
    True
    """

    level: float = LEVEL
    _: KW_ONLY
    sides: str = "two"
    scope: str = BOTH
    adjust: str = HOLM
    test: str = ""
    within: float | None = None

    def __post_init__(self) -> None:
        check_numbers(level=self.level, within=0 if self.within is None else self.within)
        if not 0 < self.level < 0.5:
            raise ChoiceError(f"The level {self.level:g} is not between 0 and 0.5")
        for what, chosen, available in (
            ("side", self.sides, SIDES),
            ("scope", self.scope, SCOPES),
            ("correction", self.adjust, CORRECTIONS),
            ("test", self.test or BOOTSTRAP, TESTS),
        ):
            check_named(what, chosen, available)
        if self.by_max_t and not self.two_sided:
            raise ChoiceError("max-t counts both directions of a pair; choose two sides")
        if self.by_max_t and self.test not in ("", BOOTSTRAP):
            raise ChoiceError(f"max-t is available for the paired bootstrap only; choose Holm for {self.test}")
        if self.within is not None and not 0 < self.within < np.inf:
            raise ChoiceError(f"Systems cannot be equivalent within {self.within:g}; choose a gain above 0")

    @property
    def corrects(self) -> bool:
        """Whether p is corrected for many pairs, if only beside the p of a pair on its own."""
        return self.scope != ALONE

    @property
    def by_max_t(self) -> bool:
        """Whether p is corrected by max-t, which takes one more pass over the resamples."""
        return self.corrects and self.adjust == MAX_T

    @property
    def two_sided(self) -> bool:
        """Whether both directions count."""
        return self.sides == "two"

    @property
    def p(self) -> str:
        """The p that is compared with the level, in words."""
        return "two-sided p" if self.two_sided else "winner's one-sided p"

    def z(self, p: float | None = None) -> float:
        """Return the number of standard errors at which p of a pair on its own equals ``p`` (by default the level)."""
        p = self.level if p is None else p
        return -NormalDist().inv_cdf(p / 2 if self.two_sided else p)

    def confidence(self, p: float | None = None) -> float:
        """Return the paper's confidence, 1 - its one-sided p, at which p of a pair on its own is about ``p``."""
        p = self.level if p is None else p
        return 1 - (p / 2 if self.two_sided else p)

    def words(self, n_pairs: int = 0, ranking: bool = False) -> str:
        """Return the notion in words: "two-sided p < 0.05", "two-sided p < 0.05 after Holm over 2,080 pairs".

        With the scope "both" this is p of a pair on its own, or for a ``ranking`` the corrected p. A single pair is not
        corrected for.
        """
        corrected = n_pairs != 1 and (self.scope == CORRECTED or (ranking and self.corrects))
        over = f" over {n_pairs:,} pairs" if n_pairs else ""
        return f"{self.p} < {self.level:g}" + (f" after {CORRECTIONS[self.adjust]}{over}" if corrected else "")

    def test_on(self, stats: Sample) -> str:
        """Return the test of TESTS that gives p: the one chosen, else the usual one; max-t needs the bootstrap.

        The usual one is the paired bootstrap, or randomization if few documents are resampled on every test set.
        """
        if self.test or self.by_max_t:
            return self.test or BOOTSTRAP
        few = all(part.unit_sizes is not None and effective_units(part) < FEW for part in stats.test_sets)
        return "randomization" if few and not TESTS["randomization"].applies(stats) else BOOTSTRAP

    def signed_on(self, stats: Sample) -> dict[str, object]:
        """Return its fields in a signature, the test included."""
        return {"test": self.test_on(stats), **self.signed}

    @property
    def signed(self) -> dict[str, object]:
        """Its fields in a signature but the test."""
        signed: dict[str, object] = {"level": f"{self.level:g}", "sides": self.sides, "scope": self.scope}
        signed |= {"adjust": self.adjust} if self.corrects else {}
        return signed | ({} if self.within is None else {"within": f"{self.within:g}"})


# The winner's one-sided p, pair by pair (Berg-Kirkpatrick et al. 2012).
AS_IN_THE_PAPER = Notion(sides="one", scope=ALONE, test=BOOTSTRAP)


def holm(p: np.ndarray) -> np.ndarray:
    """Adjust p to control the probability of any false alarm (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    return adjusted


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """Adjust p to control the expected share of false alarms (Benjamini and Hochberg 1995, equation 1)."""
    return _step_up(p, 1.0)


def benjamini_yekutieli(p: np.ndarray) -> np.ndarray:
    """Adjust p in the same way under arbitrary dependence (Benjamini and Yekutieli 2001, theorem 1.3)."""
    return _step_up(p, (1 / np.arange(1, len(p) + 1)).sum())


def _step_up(p: np.ndarray, factor: float) -> np.ndarray:
    """Return the smallest p m / rank over the p-values from each one on, for each of m."""
    order, m = np.argsort(p, kind="stable"), len(p)
    shares = p[order] * (m / np.arange(1.0, m + 1)) * factor
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(shares[::-1])[::-1], 1.0)
    return adjusted


# Corrections that need only the p-values.
BY_P: dict[str, Adjustment] = {
    HOLM: holm,
    BH: benjamini_hochberg,
    BY: benjamini_yekutieli,
}


def cutoff(pairs: pd.DataFrame, notion: Notion) -> float:
    """Return p of a pair on its own below which pairs of the whole table are significant by the notion."""
    m, significant = len(pairs), int(pairs["significant"].sum())
    if not m or notion.scope != CORRECTED:
        return notion.level
    if notion.adjust == HOLM:
        return notion.level / max(m - significant, 1)
    if notion.adjust in (BH, BY):
        harmonic = (1 / np.arange(1, m + 1)).sum() if notion.adjust == BY else 1.0
        return notion.level * max(significant, 1) / m / harmonic
    if 0 < significant < m:
        p, is_significant = pairs["p_alone"], pairs["significant"].astype(bool)
        last, first = p[is_significant].max(), p[~is_significant].min()
        return float(np.sqrt(max(last, 1e-300) * max(first, 1e-300)))
    return notion.level / m


def cutoff_for(pair: pd.Series, pairs: pd.DataFrame, notion: Notion) -> float:
    """Return the ``cutoff`` for one row of the table: p of the pair on its own is below it if the pair is significant.

    max-t orders pairs by gain / standard error, which is not quite the order of p, so the cutoff of the whole table has
    a few pairs on the wrong side.
    """
    level, p = cutoff(pairs, notion), pair["p_alone"]
    if notion.scope != CORRECTED:
        return level
    return float(max(level, np.nextafter(p, 1)) if pair["significant"] else min(level, p))


def fewest_resamples(notion: Notion, n_pairs: int) -> int:
    """Return the number of resamples b needed for a single pair without a hit to be below the level, corrected.

    Its corrected p is pairs / (b + 1) by Holm and 1 / (b + 1) by max-t. Other corrections have no such limit, since
    many pairs with small p-values lower each other's corrected p.
    """
    of_correction = {HOLM: n_pairs, MAX_T: 1} if notion.corrects else {}
    return int(np.floor(of_correction.get(notion.adjust, 0) / notion.level))
