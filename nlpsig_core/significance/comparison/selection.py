"""Selection: what is analysed, one test set or the macro-average over several; Results: its bootstrap, as tables."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.engine import Workers
from nlpsig_core.base.errors import TaskError, check_types, whole
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import first_few
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.limits import too_many_together
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.significance.comparison.advice import notes_by_system, notes_on_outputs
from nlpsig_core.significance.comparison.classes import comparisons, groups_of
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import SmallSample, decide, pair_table, small_sample
from nlpsig_core.significance.comparison.ranking import ranking
from nlpsig_core.significance.comparison.signature import signature
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.comparison.verdict import BETTER, Verdict, complete
from nlpsig_core.significance.paired_tests import PValues, p_by
from nlpsig_core.significance.paired_tests.max_t import max_t
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.shipped import known_or_bootstrap
from nlpsig_core.significance.stats.array import MacroStats, Sample, Stats
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.significance.stats.strata import strata_of
from nlpsig_core.significance.stats.weights import EQUAL, weights_of


@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """The systems of a task by one metric, on one test set or by the mean over several.

    Each of several test sets is resampled on its own; units that they share are drawn for all of them at once
    (``stats.strata.Stratum``). An invalid or missing output is scored as empty, as in the CoNLL 2017 and 2018 shared
    tasks; if it is left out in one test set, the system has no mean and is left out here.

    Parameters
    ----------
    test_sets, weights
        The selected test sets by name, and how their mean weighs them, one of ``WEIGHTS``; see ``Task.select``.

    Examples
    --------
    >>> import nlpsig_core as nlpsig
    >>> selection = nlpsig.load_task("pelune-entities").select(metric="F1")
    >>> selection.stats.n_systems, selection.stats.n_units, selection.stats.unit
    (14, 300, 'sentence')
    """

    test_sets: Mapping[str, SelectedTestSet]
    weights: str = EQUAL

    @property
    def first(self) -> SelectedTestSet:
        """The only or the first test set."""
        return next(iter(self.test_sets.values()))

    @property
    def several(self) -> bool:
        """Whether it averages over several test sets."""
        return len(self.test_sets) > 1

    @property
    def task(self) -> SharedTask:
        """The shared task."""
        return self.first.task

    @property
    def metric(self) -> Metric:
        """The metric (of the first test set, where editions differ)."""
        return self.first.metric

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The files of the outputs that all test sets have, in the order of ``stats``.

        If they are answers, of whose runs each test set may have its own, the files of the systems that all have.
        """
        each = [part.outputs for part in self.test_sets.values()]
        if not self.metric.family.answers:
            return tuple(file for file in each[0] if all(file in other for other in each))
        names = self.task.names
        systems = set.intersection(*({names[file] for file in files} for files in each))
        return tuple(dict.fromkeys(file for files in each for file in files if names[file] in systems))

    @cached_property
    def stats(self) -> Sample:
        """The statistics of the outputs that all test sets have; TaskError if memory has no room for them together."""
        if not self.several:
            return self.first.stats
        stats: tuple[Stats, ...] = ()
        for test_set in self.test_sets.values():
            stats += (test_set.stats.keep(np.isin(test_set.outputs, self.outputs)),)
            if reason := too_many_together([kept.values for kept in stats]):
                raise TaskError(reason)
        sizes = {name: part.n_units for name, part in zip(self.test_sets, stats, strict=True)}
        strata = strata_of([part.identities for part in self.test_sets.values()])
        return MacroStats(stats, strata, weights_of(self.weights, sizes))

    @property
    def each(self) -> dict[str, Selection]:
        """Each test set by itself, by name."""
        return {name: Selection({name: part}) for name, part in self.test_sets.items()}

    @property
    def only_first(self) -> Selection:
        """The same on the first test set alone."""
        return Selection(dict([next(iter(self.test_sets.items()))]))

    def changed(self, **fields: Any) -> Selection:
        """Return the same with other fields of ``SelectedTestSet`` in every test set: ``changed(domain="news")``."""
        return replace(self, test_sets={name: replace(part, **fields) for name, part in self.test_sets.items()})

    def on(self, units: np.ndarray) -> Selection:
        """Return the same on some of the units (indices, which may repeat) of its only test set."""
        ((name, only),) = self.test_sets.items()
        return Selection({name: only.on(units)})

    @cached_property
    def systems(self) -> pd.DataFrame:
        """The rows of the systems in ``stats``, in that order; of several runs the first one's."""
        table = self.task.systems.set_index("file", drop=False).loc[list(self.outputs)]
        return table.drop_duplicates("system").reset_index(drop=True)

    @cached_property
    def first_files(self) -> dict[str, str]:
        """The first file of each system in ``stats``, by the system's name."""
        return dict(zip(self.systems["system"], self.systems["file"], strict=True))

    @cached_property
    def invalid_files(self) -> frozenset[str]:
        """Outputs excluded from comparisons: invalid or missing in one of the test sets."""
        return frozenset(self.with_leads(set().union(*(part.invalid_files for part in self.test_sets.values()))))

    @property
    def notes(self) -> dict[str, str]:
        """Notes on outputs, by file; those on a system's several runs together, by the first file in ``stats``."""
        return notes_by_system(notes_on_outputs(self.test_sets), self.task.names, self.task.labels, self.first_files)

    def with_leads(self, files: Collection[str]) -> set[str]:
        """Return these files, and the first file of each system that has one of them among its runs in ``stats``."""
        return set(files) | {self.first_files[self.task.names[file]] for file in self.outputs if file in files}

    def check(self, systems: int = 2) -> None:
        """Raise TaskError if fewer than two systems (or another number), two units or one valid output are left."""
        systems, stats = whole("systems", systems), self.stats
        valid = sum(len({*part.outputs} - part.invalid_files) for part in self.test_sets.values())
        left = ((stats.n_systems, systems, "system"), (stats.fewest_units, 2, stats.unit), (valid, 1, "valid output"))
        for here, least, thing in left:
            if here < least:
                why = next((f" ({f}: {note})" for f, note in self.notes.items() if f in self.invalid_files), "")
                raise TaskError(f"A comparison needs {least} {thing}{'s' * (least > 1)} at least; here is {here}{why}")

    @property
    def decimals(self) -> int:
        """How many decimals tell scores apart: two for percentages and points, else by the spread of the scores."""
        scores = self.stats.scores
        if self.metric.scale or not len(scores):
            return 2
        spread = float(np.ptp(scores)) or float(np.abs(scores).max()) or 1.0
        return min(max(3 - math.floor(math.log10(spread)), 0), 8)

    def bootstrap(
        self,
        recipe: Resampling = Resampling(),
        progress: Progress | None = None,
        *,
        resamples: int | None = None,
        seed: int | None = None,
        workers: Workers = Workers(),
    ) -> Results:
        """Run the paired bootstrap of every pair of systems; ``resamples`` and ``seed`` replace the recipe's.

        Threads of this process count the resamples, or Dask's ``workers``.
        """
        check_types(recipe=(recipe, Resampling), workers=(workers, Workers))
        self.check(systems=1)
        given = {"n_resamples": None if resamples is None else whole("resamples", resamples), "seed": seed}
        recipe = replace(recipe, **{name: value for name, value in given.items() if value is not None})
        return Results(self, known_or_bootstrap(self.stats, recipe, progress, workers))

    def signature(self, recipe: Resampling, **more: object) -> str:
        """Return one line that states how a result was made; ``more`` fields follow, or replace those of that name."""
        weighted = {"weights": self.weights} if self.several and self.weights != EQUAL else {}
        return signature(self.test_sets, self.stats, recipe, **weighted, **more)

    def verdict(self, row: pd.Series, notion: Notion, carried: int | None = None) -> Verdict:
        """Return the verdict on a ``row`` of a pair table that was made by the notion from these statistics."""
        made = partial(Verdict, row=complete(row), notion=notion, stats=self.stats, n_pairs=self.stats.n_pairs)
        return made(decimals=self.decimals, carried=carried, test=notion.test_on(self.stats))

    def __repr__(self) -> str:
        where = f" on {first_few(self.test_sets)}" if any(self.test_sets) else ""
        return f"<Selection of {self.task.name}: {self.metric.label}{where}>"


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """The bootstrap of all pairs of a selection, as tables that follow a notion of significance.

    Parameters
    ----------
    selection, bootstrap
        What was resampled, and the counts of its resamples; ``Selection.bootstrap`` makes both.
    by_max_t, by_tests
        p of every pair corrected by max-t, (m,), and p by other tests, by name; computed on demand by default.

    Examples
    --------
    >>> import nlpsig_core as nlpsig
    >>> results = nlpsig.load_task("pelune-entities").select(metric="F1").bootstrap(resamples=10_000)
    >>> results.pairs()[["system_a", "system_b", "gain", "p_value"]].round(4).values.tolist()[0]
    ['Drimolka-1', 'Feltrony-1', 9.0489, 0.0006]
    """

    selection: Selection
    bootstrap: Bootstrap
    by_max_t: np.ndarray | None = None
    by_tests: tuple[tuple[str, PValues], ...] = ()

    @property
    def recipe(self) -> Resampling:
        """How many resamples, from which seed."""
        return self.bootstrap.recipe

    @property
    def signature(self) -> str:
        """One line that states how tables by the usual notion were made; equal ones guarantee equal numbers."""
        return self.selection.signature(self.recipe, test=Notion().test_on(self.selection.stats))

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

    def _p_values(self, notion: Notion) -> tuple[PValues, np.ndarray | None]:
        """Return p of every pair by the notion's test, and corrected by max-t if the notion asks for that."""
        check_types(notion=(notion, Notion))
        return self.p_by(notion.test_on(self.selection.stats)), self._by_max_t if notion.by_max_t else None

    def pairs(self, notion: Notion = Notion(), *, interval: str = "percentile") -> pd.DataFrame:
        """Return the table of all pairs (``pair_table``), by the notion's test."""
        p, among_all = self._p_values(notion)
        of, made = self.selection, self.bootstrap
        classes, groups = comparisons(of.systems, made.pairs, of.invalid_files), groups_of(of.systems)
        return pair_table(
            made, of.stats, classes, groups, interval=interval, p=p, notion=notion, small=self.small, by_max_t=among_all
        )

    def ranking(self, notion: Notion = Notion(), *, interval: str = "percentile") -> pd.DataFrame:
        """Return the ranking of the systems with rank ranges and tied groups, by the pairs whose answer is "better".

        Unless the notion's scope is "alone", these are significant among all pairs.
        """
        p, among_all = self._p_values(notion)
        of, better = self.selection, decide(p, self.small, notion, among_all).answer == BETTER
        return ranking(self.bootstrap, of.systems, of.notes, better, interval=interval, invalid=of.invalid_files)

    def verdict(self, row: pd.Series, notion: Notion, carried: int | None = None) -> Verdict:
        """Return the verdict on a ``row`` of the table of all pairs, by the notion that made the table."""
        return self.selection.verdict(row, notion, carried)

    def thresholds(self, rule: Rule = Rule(), notion: Notion | None = None) -> pd.DataFrame:
        """Return thresholds by comparison class, by both estimates; without a notion at the rule's level and sides."""
        check_types(rule=(rule, Rule))
        pairs = self.pairs(notion := notion or Notion(level=rule.level, sides=rule.sides))
        return threshold_table(pairs, rule.following(notion, pairs))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.signature}>"
