"""Numbers and names of the film as scenes say them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import LEVEL, count
from nlpsig_core.significance.comparison.advice import few_units
from nlpsig_core.significance.comparison.verdict import Verdict
from nlpsig_core.studies.lessons.equal_systems import false_alarms
from nlpsig_core.studies.lessons.film import SHOWN, SIZES, Film
from nlpsig_core.studies.pair.units import unit_gains


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """The numbers of a film.

    ``names`` are those of A and B, empty for the made-up taggers; ``decimals`` are those of a score. ``people`` are
    sentences on what people say of the two, and ``verdict`` is that on this pair alone.
    """

    film: Film
    names: tuple[str, ...] = ()
    decimals: int = 2
    people: tuple[str, ...] = ()
    verdict: Verdict | None = None

    @property
    def unit(self) -> str:
        """The name of a unit."""
        return self.film.stats.unit

    @property
    def n(self) -> int:
        """The number of units."""
        return self.film.stats.n_units

    @property
    def shown(self) -> int:
        """The number of units in a figure."""
        return min(self.n, SHOWN)

    @property
    def units(self) -> str:
        """All units, as "40 sentences"."""
        return count(self.n, self.unit)

    def score(self, score: float) -> str:
        """Return a score or a gain, with a typographic minus."""
        return f"{score:.{self.decimals}f}".replace("-", "−")

    def points(self, steps: float) -> str:
        """Return a gain in steps as a score."""
        return self.score(steps * self.film.step + 0.0)

    @property
    def a_unit(self) -> str:
        """One unit, with its article: a sentence, an item."""
        return f"{'an' if self.unit[0] in 'aeiou' else 'a'} {self.unit}"

    @property
    def in_points(self) -> str:
        """The word for points after a gain, with a space before it; empty where scores are not percentages."""
        return " points" if self.film.stats.metric.scale == "%" else ""

    @property
    def gain(self) -> str:
        """What a gain is called: a reduction if lower is better."""
        return self.film.stats.metric.gain_word

    @property
    def delta(self) -> str:
        """The gain on the test set."""
        return self.points(self.film.gain)

    @cached_property
    def gains_of_units(self) -> np.ndarray:
        """The gain of each unit, (units,), exactly 0 for a tie."""
        return np.asarray(unit_gains(self.film.stats)["gain"])

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """The units in which A is better, in which B is, and in which they are equal."""
        gains = self.gains_of_units
        return int((gains > 0).sum()), int((gains < 0).sum()), int((gains == 0).sum())

    @property
    def resamples(self) -> int:
        """The number of resamples."""
        return len(self.film.gains)

    @property
    def one_sided(self) -> float:
        """The one-sided p."""
        return self.film.above_twice / self.resamples

    @property
    def two_sided(self) -> float:
        """The two-sided p."""
        return (self.film.above_twice + self.film.below_zero) / self.resamples

    def equals(self, p: float) -> str:
        """Return "= 0.0303", or "< 0.0001" for no hits among the resamples."""
        return f"= {p:.4f}" if p * self.resamples >= 1 else f"< {1 / self.resamples:g}"

    @property
    def decided(self) -> tuple[str, ...]:
        """The verdict that other pages give, with the p that decides, which need not be one of the film's."""
        if not (verdict := self.verdict):
            return ()
        level, few = verdict.notion.level, few_units(verdict.stats)
        own = f"nlpsig's verdict on this pair alone, at the level {level:g}: {verdict.answer.name}, {verdict.p}"
        return tuple(f"{sentence}." for sentence in (few, own) if sentence)

    @property
    def swaps(self) -> int:
        """The number of swaps with the gain or more in favour of either system."""
        return self.film.swaps_won + self.film.swaps_lost

    @property
    def p_of_swaps(self) -> float:
        """The two-sided p of the randomization test: the real outputs are one of the swaps."""
        return (self.swaps + 1) / (self.resamples + 1)

    @cached_property
    def world_alarms(self) -> tuple[int, int]:
        """How many worlds raise a false alarm, one-sided and two-sided."""
        worlds = self.film.worlds
        return int((worlds["p_value"] < LEVEL).sum()), int((worlds["p_two_sided"] < LEVEL).sum())

    @cached_property
    def set_alarms(self) -> pd.DataFrame:
        """The false alarms of each set of equal systems."""
        return false_alarms(self.film.sets, LEVEL)

    @property
    def mean_alarms(self) -> float:
        """The mean number of false alarms of a set, two-sided and without adjustment."""
        return float(self.set_alarms["p_two_sided"].mean())

    @property
    def thresholds(self) -> list[str]:
        """The threshold on each size of the test set."""
        return [f"{self.film.sizes[size].threshold:.2f}" for size in SIZES]
