"""Results: the bootstrap of a selection, and its tables of pairs, ranking and thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from nlpsig_core.base.engine import Workers
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.significance.comparison.answers import BETTER
from nlpsig_core.significance.comparison.classes import comparisons, groups_of
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import SmallSample, decide, pair_table, small_sample
from nlpsig_core.significance.comparison.ranking import ranking
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.comparison.verdict import Verdict
from nlpsig_core.significance.paired_tests import PValues, p_by
from nlpsig_core.significance.paired_tests.max_t import max_t
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample


class Selected(Protocol):
    """What results need of a selection (``Selection``)."""

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

    @property
    def decimals(self) -> int:
        """How many decimals tell the scores apart."""

    def test_of(self, notion: Notion) -> str:
        """Return the test that a notion uses here."""

    def signature(self, recipe: Resampling, **more: object) -> str:
        """Return one line that states how a result was made."""


def verdict_on(row: pd.Series, notion: Notion, of: Selected, carried: int | None = None) -> Verdict:
    """Return the verdict on a ``row`` of a pair table that was made by the notion from these statistics."""
    return Verdict(
        row=row, notion=notion, stats=of.stats, n_pairs=of.stats.n_pairs, decimals=of.decimals, carried=carried,
        test=of.test_of(notion),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Results:
    """The bootstrap of all pairs of a selection, as tables that follow a notion of significance.

    ``by_max_t`` is p of every pair corrected by max-t (``max_t``), ``by_tests`` p by other tests than the bootstrap.
    What is not given is computed once, when a notion needs it.
    """

    selection: Selected
    bootstrap: Bootstrap
    by_max_t: np.ndarray | None = None
    by_tests: tuple[tuple[str, PValues], ...] = ()

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

    def max_t(self, progress: Progress | None = None, workers: Workers = Workers()) -> np.ndarray:
        """Return p of every pair corrected by max-t, (m,), in one more pass over the resamples."""
        return max_t(self.selection.stats, self.bootstrap, progress, workers=workers)

    @cached_property
    def _by_max_t(self) -> np.ndarray:
        return self.max_t() if self.by_max_t is None else self.by_max_t

    @cached_property
    def _p(self) -> dict[str, PValues]:
        return dict(self.by_tests)

    def p_by(self, test: str) -> PValues:
        """Return p of every pair by a test of TESTS."""
        if test not in self._p:
            self._p[test] = p_by(test, self.selection.stats, self.bootstrap)
        return self._p[test]

    def pairs(self, notion: Notion = Notion(), *, interval: str = "percentile") -> pd.DataFrame:
        """Return the table of all pairs (``pair_table``), by the notion's test."""
        of, systems = self.selection, self.selection.systems
        return pair_table(
            self.bootstrap, of.stats, comparisons(systems, self.bootstrap.pairs, of.invalid_files), groups_of(systems),
            interval=interval, p=self.p_by(of.test_of(notion)), notion=notion, small=self.small,
            by_max_t=self._by_max_t if notion.by_max_t else None,
        )  # fmt: skip

    def ranking(self, notion: Notion = Notion(), *, interval: str = "percentile") -> pd.DataFrame:
        """Return the ranking of the systems with rank ranges and tied groups, by the pairs whose answer is "better".

        Unless the notion's scope is "alone", these are significant among all pairs.
        """
        of, by_max_t = self.selection, self._by_max_t if notion.by_max_t else None
        decision = decide(self.p_by(self.selection.test_of(notion)), self.small, notion, by_max_t)
        return ranking(self.bootstrap, of.systems, of.notes, decision.answer == BETTER, interval, of.invalid_files)

    def verdict(self, row: pd.Series, notion: Notion, carried: int | None = None) -> Verdict:
        """Return the verdict on a ``row`` of the table of all pairs, by the notion that made the table."""
        return verdict_on(row, notion, self.selection, carried)

    def thresholds(self, rule: Rule = Rule(), notion: Notion = Notion()) -> pd.DataFrame:
        """Return thresholds by comparison class, from the paper's window of p and from the model of needed gains."""
        pairs = self.pairs(notion)
        return threshold_table(pairs, rule.following(notion, pairs))
