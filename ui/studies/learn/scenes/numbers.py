"""Numbers of the film that several scenes say."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.studies.lessons.equal_systems import false_alarms
from nlpsig_core.studies.lessons.film import FIRST, SIZES, Film

ALPHA = 0.05


class Numbers:
    """The numbers of a film, as scenes say them."""

    def __init__(self, film: Film) -> None:
        self.film = film

    @cached_property
    def scores(self) -> list[str]:
        """The scores of A and B."""
        return [f"{score:.2f}" for score in self.film.stats.scores]

    @cached_property
    def outcomes(self) -> tuple[int, int, int]:
        """Sentences in which A is better, in which B is, and in which they are equal."""
        right = self.film.stats.values[..., 0].astype(int)
        better = np.sign(right[0] - right[1])
        return int((better > 0).sum()), int((better < 0).sum()), int((better == 0).sum())

    @cached_property
    def missed_first(self) -> int:
        """How many sentences the first resample misses."""
        return self.film.stats.n_units - len(np.unique(self.film.drawn[0]))

    def points(self, words: float) -> str:
        """A gain in points, with a typographic minus."""
        return f"{self.film.points(words):.2f}".replace("-", "−")

    @property
    def delta(self) -> str:
        """The gain on the test set in points."""
        return self.points(self.film.gain)

    @cached_property
    def below_first(self) -> int:
        """How many of the first resamples B wins."""
        return int((self.film.gains[:FIRST] < 0).sum())

    @property
    def resamples(self) -> int:
        """The number of resamples."""
        return len(self.film.gains)

    @cached_property
    def one_sided(self) -> float:
        """The one-sided p."""
        return self.film.above_twice / self.resamples

    @cached_property
    def two_sided(self) -> float:
        """The two-sided p."""
        return (self.film.above_twice + self.film.below_zero) / self.resamples

    @cached_property
    def world_alarms(self) -> tuple[int, int]:
        """How many worlds raise a false alarm, one-sided and two-sided."""
        worlds = self.film.worlds
        return int((worlds["p_value"] < ALPHA).sum()), int((worlds["p_two_sided"] < ALPHA).sum())

    @cached_property
    def world_winners(self) -> tuple[int, int]:
        """How many worlds with a one-sided false alarm have A ahead, and how many B."""
        ahead = self.film.world_gains[self.film.worlds["p_value"] < ALPHA]
        return int((ahead > 0).sum()), int((ahead < 0).sum())

    @cached_property
    def set_alarms(self) -> pd.DataFrame:
        """False alarms of each set of equal systems."""
        return false_alarms(self.film.sets, ALPHA)

    @cached_property
    def thresholds(self) -> list[str]:
        """The threshold on each size of the test set."""
        return [f"{self.film.sizes[size].threshold:.2f}" for size in SIZES]
