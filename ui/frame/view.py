"""What the sidebar selects, and the tables and signatures that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.metrics import Metric
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.significance.comparison.advice import cautions
from nlpsig_core.significance.comparison.classes import classes_digest
from nlpsig_core.significance.comparison.notion import CORRECTED, Notion, cutoff_for
from nlpsig_core.significance.comparison.ranking import best_two
from nlpsig_core.significance.comparison.scores import against
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.signature import NOTHING_RESAMPLED
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.selected import SelectedTestSet
from ui.work import computations
from ui.work.cache import TaskKey
from ui.work.memory import remember
from ui.work.watching import watch


@dataclass(frozen=True, kw_only=True)
class View:
    """The sidebar's choices; tables are computed when a page asks for them."""

    key: TaskKey
    task: SharedTask
    selection: Selection
    recipe: Resampling
    notion: Notion
    interval: str
    edition: str | None
    baseline: str = ""

    @property
    def first(self) -> SelectedTestSet:
        """The only or the first test set."""
        return self.selection.first

    @property
    def metric(self) -> Metric:
        """The metric of every score."""
        return self.selection.metric

    @property
    def decimals(self) -> int:
        """The number of decimals of a score."""
        return self.selection.decimals

    @property
    def scored(self) -> dict[str, Any]:
        """For figures and tables of scores: the metric and its decimals."""
        return {"metric": self.metric, "decimals": self.decimals}

    def signed(self, **more: object) -> str:
        """Return the signature of something that depends on more than the resamples."""
        return self.selection.signature(self.recipe, **more)

    def signed_scores(self, **more: object) -> str:
        """Return the signature of something that depends on scores and statistics: nothing is resampled."""
        return self.signed(**NOTHING_RESAMPLED, **more)

    @cached_property
    def classes(self) -> dict[str, object]:
        """For signatures: what comparison classes depend on, the systems' groups, kinds and base models."""
        return {"groups": classes_digest(self.selection.systems)}

    @property
    def reading(self) -> dict[str, object]:
        """For signatures: what counts as significant, and the kind of interval."""
        return self.significance | {"interval": self.interval}

    @property
    def significance(self) -> dict[str, object]:
        """For signatures: what counts as significant."""
        return self.notion.signed_on(self.selection.stats)

    @property
    def tested(self) -> Notion:
        """What counts as significant, with the test that gives p here."""
        return replace(self.notion, test=self.notion.test_on(self.selection.stats))

    def of_pair(self, row: pd.Series) -> Notion:
        """Return what counts as significant for a pair tested on its own, so that its row of the table agrees.

        A corrected p that decides is below the level where p of the pair on its own is below the cutoff.
        """
        if self.notion.scope != CORRECTED:
            return self.tested
        return replace(self.tested, level=cutoff_for(row, self.pairs, self.notion))

    @property
    def cautions(self) -> str:
        """Warnings of few units, if the bootstrap decides, and of values for which the metric's promises break."""
        return ". ".join(cautions(self.selection.stats, self.notion))

    @property
    def words(self) -> str:
        """When a pair is significant, in words."""
        return self.notion.words(self.selection.stats.n_pairs)

    @property
    def words_of_ranking(self) -> str:
        """When a pair is significant for rank ranges and tied groups, in words."""
        return self.notion.words(self.selection.stats.n_pairs, ranking=True)

    def at_most(self, n_resamples: int) -> Resampling:
        """Return the recipe with no more resamples than these."""
        return replace(self.recipe, n_resamples=min(self.recipe.n_resamples, n_resamples))

    @cached_property
    def result(self) -> Bootstrap:
        """The bootstrap of all pairs."""
        return watch(computations.bootstrap(self.selection, self.recipe))

    @cached_property
    def results(self) -> Results:
        """The bootstrap as tables, with max-t if the notion asks for it."""
        return self.results_of(self.selection)

    def results_of(self, selection: Selection, name: str = "bootstrap") -> Results:
        """Return the results of a selection by the same choices; ``name`` keeps its jobs apart."""
        return remember(Results, *computations.evidence(selection, self.recipe, self.notion, watch, name))

    def bootstrap_of(self, pair: Sample) -> Bootstrap:
        """Return the bootstrap of two systems alone, with their scores in all resamples."""
        return watch(computations.bootstrap_of_pair(pair, self.recipe))

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """The ranking with intervals and ties."""
        return remember(self.results.ranking, self.notion, interval=self.interval)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """All pairs, ordered by the scores of winner and loser."""
        return remember(_pairs, self.results, self.notion, self.interval)

    @cached_property
    def against(self) -> pd.DataFrame | None:
        """Gain, verdict and p of every system against the baseline, best first; None without a baseline or a pair."""
        if not self.baseline or not self.selection.stats.n_pairs:
            return None
        return remember(against, self.pairs, self.baseline, tuple(self.ranking["system"]))

    def counts(self, metric: Metric) -> Counts:
        """Return the counts of the first test set by a metric, waited for on screen."""
        return watch(computations.count(self.key, self.task, self.first.test_set, metric.family))

    def row(self, a: str, b: str) -> pd.Series:
        """Return the row of two systems in the table of all pairs, whichever wins."""
        pairs = self.pairs
        return pairs[pairs["system_a"].isin([a, b]) & pairs["system_b"].isin([a, b])].iloc[0]

    @property
    def best_two(self) -> pd.Series | None:
        """The row of the best two systems with a valid output; None without two."""
        return best_two(self.ranking, self.pairs) if self.selection.stats.n_pairs else None


def _pairs(results: Results, notion: Notion, interval: str) -> pd.DataFrame:
    better_first = not results.bootstrap.metric.higher_is_better
    pairs = results.pairs(notion, interval=interval)
    return pairs.sort_values(["score_a", "score_b"], ascending=better_first, kind="stable")
