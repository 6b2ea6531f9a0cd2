"""Selection: what is analysed, one test set or the macro-average over several."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest
from nlpsig_core.base.engine import Workers
from nlpsig_core.base.errors import TaskError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import capital
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.limits import too_many_together
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, Notion
from nlpsig_core.significance.comparison.output_notes import notes_on_outputs
from nlpsig_core.significance.comparison.results import Results
from nlpsig_core.significance.comparison.signature import signature
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.small_sample import FEW, effective_units
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.runs import notes_by_system, runs_note
from nlpsig_core.significance.resampling.shipped import known_or_bootstrap
from nlpsig_core.significance.stats.array import MacroStats, Sample, Stats
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.influence import MATTERS
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.significance.stats.strata import strata_of
from nlpsig_core.significance.stats.weights import EQUAL, weights_of


@dataclass(frozen=True, eq=False)
class Selection:
    """The systems of a task by one metric, on one test set or by the mean over several.

    Each of several test sets is resampled on its own; units that they share are drawn for all of them at once
    (``stats.strata.Stratum``). An invalid or missing output is scored as empty, as in the CoNLL 2017 and 2018 shared
    tasks; if it is left out in one test set, the system has no mean and is left out here. ``weights`` is the way in
    which the mean weighs the test sets, one of ``WEIGHTS``.
    """

    test_sets: Mapping[str, SelectedTestSet]
    weights: str = EQUAL

    @classmethod
    def of(
        cls, task: SharedTask, test_set: TestSet, counts: Counts, metric: Metric, *, domain: str = "",
        invalid: str = "", unit: str = "", subset: np.ndarray | None = None,
    ) -> Selection:  # fmt: skip
        """One test set; arguments as in ``SelectedTestSet``."""
        one = SelectedTestSet(
            task=task, test_set=test_set, counts=counts, metric=metric, domain=domain, invalid=invalid, unit=unit,
            subset=subset,
        )  # fmt: skip
        return cls({test_set.name: one})

    @classmethod
    def together(cls, selections: Mapping[str, Selection], weights: str = EQUAL) -> Selection:
        """The macro-average over selections of one test set each, by name, weighted in one of the ways of WEIGHTS."""
        return cls({name: selection.first for name, selection in selections.items()}, weights)

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
        each = [one.outputs for one in self.test_sets.values()]
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
        each = self.test_sets.values()
        stats: tuple[Stats, ...] = ()
        for one in each:
            stats += (one.stats.keep(np.isin(one.outputs, self.outputs)),)
            if reason := too_many_together([of_one.values for of_one in stats]):
                raise TaskError(reason)
        sizes = {name: one.n_units for name, one in zip(self.test_sets, stats, strict=True)}
        return MacroStats(stats, strata_of([one.identities for one in each]), weights_of(self.weights, sizes))

    @property
    def each(self) -> dict[str, Selection]:
        """Each test set by itself, by name."""
        return {name: Selection({name: one}) for name, one in self.test_sets.items()}

    @property
    def only_first(self) -> Selection:
        """The same on the first test set alone."""
        return Selection(dict([next(iter(self.test_sets.items()))]))

    @property
    def first_runs(self) -> Selection:
        """The same with the first run of each system alone."""
        if not self.stats.several_runs:
            return self
        return self.changed(task=replace(self.task, systems=self.systems))

    def changed(self, **fields: Any) -> Selection:
        """The same with other fields of ``SelectedTestSet`` in every test set: ``changed(domain="news")``."""
        return replace(self, test_sets={name: replace(one, **fields) for name, one in self.test_sets.items()})

    def on(self, units: np.ndarray) -> Selection:
        """The same on some of the units (indices, which may repeat) of its only test set."""
        ((name, only),) = self.test_sets.items()
        return Selection({name: only.on(units)})

    @cached_property
    def systems(self) -> pd.DataFrame:
        """The rows of the systems in ``stats``, in that order; of several runs the first one's."""
        table = self.task.systems.set_index("file", drop=False).loc[list(self.outputs)]
        return table.drop_duplicates("system").reset_index(drop=True)

    @property
    def _first_files(self) -> dict[str, str]:
        """The first file of each system in ``stats``, by the system's name."""
        return dict(zip(self.systems["system"], self.systems["file"], strict=True))

    @property
    def invalid_files(self) -> set[str]:
        """Outputs excluded from comparisons: invalid or missing in one of the test sets."""
        return self.with_leads(set().union(*(one.invalid_files for one in self.test_sets.values())))

    @property
    def output_notes(self) -> dict[str, str]:
        """Notes on outputs, by file (``notes_on_outputs``)."""
        return notes_on_outputs(self.test_sets)

    @property
    def notes(self) -> dict[str, str]:
        """Notes on outputs, by file; those on a system's several runs together, by the first file in ``stats``."""
        return notes_by_system(self.output_notes, self.task.names, self.task.labels, self._first_files)

    def with_leads(self, files: Collection[str]) -> set[str]:
        """These files, and the first file of each system that has one of them among its runs in ``stats``."""
        names, first = self.task.names, self._first_files
        return set(files) | {first[names[file]] for file in self.outputs if file in files}

    def check(self, systems: int = 2) -> None:
        """Raise TaskError if fewer than two systems (or another number), or two units to resample, are left."""
        fewest_units = min(one.n_units for one in self.stats.test_sets)
        for number, fewest, thing in ((self.stats.n_systems, systems, "system"), (fewest_units, 2, self.stats.unit)):
            if number < fewest:
                first = next(
                    (f" ({file}: {note})" for file, note in self.notes.items() if file in self.invalid_files), ""
                )
                raise TaskError(
                    f"A comparison needs {fewest} {thing}{'s' * (fewest > 1)} at least; here is {number}{first}"
                )

    @property
    def decimals(self) -> int:
        """How many decimals tell scores apart: two for percentages and points, else by the spread of the scores."""
        scores = self.stats.scores
        if self.metric.scale or not len(scores):
            return 2
        spread = float(np.ptp(scores)) or float(np.abs(scores).max()) or 1.0
        return min(max(3 - math.floor(math.log10(spread)), 0), 8)

    @property
    def few_units(self) -> str:
        """A warning if (in a test set) there are too few units to resample; "" otherwise."""
        n = self.stats.n_together
        if n < min(one.n_units for one in self.stats.test_sets):
            few = f"{n} {self.stats.unit}s of the same test sets"
        else:
            smallest = min(self.stats.test_sets, key=effective_units)
            worth = effective_units(smallest)
            few = f"{smallest.n_units} {smallest.unit}s"
            if worth < n - 0.5:
                few += f", worth {worth:.3g} of equal size,"
            n = math.floor(worth)
        return f"{few} are few to resample: the bootstrap's p comes out too small" if n < FEW else ""

    @property
    def by_documents(self) -> bool:
        """Whether documents are resampled in some test set without having been chosen, since their units are alike."""
        return any(not one.unit and not one.by_own_unit for one in self.test_sets.values())

    @property
    def document_note(self) -> str:
        """Sentences if units of one document are alike: where documents are resampled, and where p is too small.

        "" if they are not, or if documents were chosen.
        """
        alike = {name: one for name, one in self.test_sets.items() if one.document_ratio > MATTERS}
        by_own = {name: one for name, one in alike.items() if one.by_own_unit}
        usual = {name: one for name, one in alike.items() if not one.unit and name not in by_own}
        notes = [(usual, "so documents are resampled"), (by_own, "so p is too small")]
        return ". ".join(self._alike(of, what) for of, what in notes if of)

    def _alike(self, of: Mapping[str, SelectedTestSet], what: str) -> str:
        """Return that units of one document are alike on some test sets, and ``what`` follows."""
        unit, ratio = next(iter(of.values())).test_set.reader.unit, max(one.document_ratio for one in of.values())
        where = f" on {', '.join(of)}" if self.several else ""
        times = f"standard errors are {ratio:.2f} times as large by document"
        return f"{capital(unit)}s of one document are alike{where} ({times}), {what}"

    @property
    def runs_note(self) -> str:
        """A sentence on whether p covers another training run."""
        return runs_note(self.stats)

    @property
    def shared_note(self) -> str:
        """How many units several test sets share, and that they are drawn together; "" if none."""
        n = self.stats.n_shared
        stand = f"{n:,} {self.stats.unit}{' stands' if n == 1 else 's stand'}"
        share = "shares its draws" if n == 1 else "share their draws"
        return f"{stand} in several test sets and {share} in all of them" if n else ""

    @property
    def usual_test(self) -> str:
        """The usual test: the paired bootstrap, or randomization if few documents are resampled on every test set."""
        few = all(one.unit_sizes is not None and effective_units(one) < FEW for one in self.stats.test_sets)
        return "randomization" if few and not TESTS["randomization"].applies(self.stats) else BOOTSTRAP

    def test_of(self, notion: Notion) -> str:
        """Return the test of TESTS that gives p: the notion's, else the usual one; max-t needs the bootstrap."""
        return notion.test or (BOOTSTRAP if notion.by_max_t else self.usual_test)

    def signed(self, notion: Notion) -> dict[str, object]:
        """Return the fields of a signature that say what counts as significant, the test included."""
        return {"test": self.test_of(notion), **notion.signed}

    @property
    def classes_digest(self) -> str:
        """A name for what the comparison classes depend on: the systems' groups, kinds and base models."""
        columns = [c for c in ("system", "group", "kind", "base_model") if c in self.systems]
        return digest(self.systems[columns].to_csv(index=False).encode())[:6]

    def bootstrap(
        self,
        recipe: Resampling = Resampling(),
        progress: Progress | None = None,
        *,
        resamples: int | None = None,
        seed: int | None = None,
        workers: Workers = Workers(),
    ) -> Results:
        """The paired bootstrap of every pair of systems; ``resamples`` and ``seed`` replace the recipe's.

        Threads of this process count the resamples, or Dask's ``workers``.
        """
        self.check(systems=1)
        recipe = replace(
            recipe,
            n_resamples=recipe.n_resamples if resamples is None else resamples,
            seed=recipe.seed if seed is None else seed,
        )
        return Results(self, known_or_bootstrap(self.stats, recipe, progress, workers))

    def signature(self, recipe: Resampling, **more: object) -> str:
        """One line that states how a result was made; equal signatures guarantee equal numbers.

        ``more`` fields follow, or replace those of the same name: ``test="randomization"``.
        """
        weighted = {"weights": self.weights} if self.several and self.weights != EQUAL else {}
        return signature(self.test_sets, self.stats, recipe, **weighted, **more)
