"""Results: the bootstrap of a selection, and its tables of pairs, ranking and thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import pandas as pd

from nlpsig_core.comparison.classes import comparisons, groups_of
from nlpsig_core.comparison.notion import MAX_T, Notion
from nlpsig_core.comparison.pair_table import SmallSample, decide, pair_table, small_sample
from nlpsig_core.comparison.ranking import ranking
from nlpsig_core.comparison.thresholds import Rule, threshold_table
from nlpsig_core.paired_tests import PValues, of_result
from nlpsig_core.paired_tests.max_t import max_t
from nlpsig_core.resampling.blocks import Progress
from nlpsig_core.resampling.bootstrap import Bootstrap
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.sample import Sample


class Selected(Protocol):
    """What results need of a selection."""

    @property
    def stats(self) -> Sample:
        """The statistics."""

    @property
    def systems(self) -> pd.DataFrame:
        """The rows of the systems, in the order of ``stats``."""

    @property
    def notes(self) -> dict[str, str]:
        """Notes on outputs, by file."""

    @property
    def invalid_files(self) -> set[str]:
        """Outputs excluded from comparisons."""

    def signature(self, recipe: Resampling, **more: object) -> str:
        """One line that states how a result was made."""


@dataclass(frozen=True, eq=False)
class Results:
    """The bootstrap of all pairs of a selection, as tables that follow a notion of significance.

    ``by_max_t`` is p of every pair adjusted by max-t (``max_t``), for notions that ask for it; computed if not given.
    """

    selection: Selected
    bootstrap: Bootstrap

    @property
    def recipe(self) -> Resampling:
        """How many resamples, from which seed."""
        return self.bootstrap.recipe

    @property
    def signature(self) -> str:
        """One line that states how these results were made; equal signatures guarantee equal numbers."""
        return self.selection.signature(self.recipe)

    @cached_property
    def small(self) -> SmallSample:
        """The small-sample p of every pair."""
        return small_sample(self.selection.stats, self.bootstrap)

    def max_t(self, progress: Progress | None = None) -> np.ndarray:
        """p of every pair adjusted by max-t, (m,), in one more pass over the resamples."""
        return max_t(self.selection.stats, self.bootstrap, progress)

    def pairs(
        self,
        notion: Notion = Notion(),
        *,
        interval: str = "percentile",
        p: PValues | None = None,
        by_max_t: np.ndarray | None = None,
    ) -> pd.DataFrame:
        """The table of all pairs (``pair_table``), with p by the bootstrap or by another test."""
        systems = self.selection.systems
        classes = comparisons(systems, self.bootstrap.pairs, self.selection.invalid_files)
        return pair_table(
            self.bootstrap, self.selection.stats, classes, groups_of(systems), interval=interval, p=p, notion=notion,
            by_max_t=by_max_t,
        )  # fmt: skip

    def ranking(
        self, notion: Notion = Notion(), *, interval: str = "percentile", by_max_t: np.ndarray | None = None
    ) -> pd.DataFrame:
        """The ranking of the systems with rank ranges and tied groups, by the pairs ``significant_for_ranking``."""
        significant = self.significant_for_ranking(notion, by_max_t)
        of = self.selection
        return ranking(self.bootstrap, of.systems, of.notes, significant, interval, of.invalid_files)

    def significant_for_ranking(self, notion: Notion = Notion(), by_max_t: np.ndarray | None = None) -> np.ndarray:
        """Which pairs are significant by the notion's adjustment for rankings, (m,)."""
        if notion.for_ranking == MAX_T and by_max_t is None:
            by_max_t = self.max_t()
        return decide(of_result(self.bootstrap), self.small, notion, notion.for_ranking, by_max_t).significant

    def thresholds(self, rule: Rule = Rule(), notion: Notion = Notion()) -> pd.DataFrame:
        """Thresholds by comparison class, from the paper's window of p and from the model of needed gains."""
        pairs = self.pairs(notion)
        return threshold_table(pairs, rule.following(notion, pairs))
