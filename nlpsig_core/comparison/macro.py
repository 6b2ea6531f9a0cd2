"""The macro-average over test sets, the ranking of the CoNLL shared tasks, as a metric with p-values of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from nlpsig_core import __version__
from nlpsig_core.comparison.base import Comparison
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.comparison.signature import line
from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics.base import Metric
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.runs import runs_of
from nlpsig_core.stats.array import MacroStats
from nlpsig_core.stats.counts import Counts
from nlpsig_core.stats.strata import strata_of
from nlpsig_core.task.domains import domain_in
from nlpsig_core.task.shared_task import SharedTask
from nlpsig_core.task.test_set import TestSet

# What stands among the test sets for the mean over all of them.
MACRO = "macro-average"


def selections(
    task: SharedTask,
    metric_of: Callable[[TestSet], Metric],
    counted: Callable[[TestSet, Metric], Counts],
    domain: str = "",
    invalid: str = "",
    unit: str = "",
) -> dict[str, Selection]:
    """The selection of every test set by its name, each by its own edition of the metric.

    Test sets without the domain are left out; those without the one that "all but" excepts take part whole.
    """
    found = {}
    for name, test_set in task.test_sets.items():
        own = domain_in(test_set, domain)
        if own is not None:
            metric = metric_of(test_set)
            found[name] = Selection(task, test_set, counted(test_set, metric), metric, own, invalid, unit)
    if not found:
        every = {d for test_set in task.test_sets.values() for d in test_set.domains.tolist()}
        raise ChoiceError.unknown("domain", domain, every)
    return found


@dataclass(frozen=True, eq=False)
class MacroAverage(Comparison):
    """What is analysed: the systems of a task by the mean of a metric over test sets, each resampled within itself.

    Units that several test sets have are drawn for all of them at once (``stats.Stratum``).
    An invalid or missing output is scored as empty, as the CoNLL 2017 and 2018 shared tasks rule; where it is
    left out in one test set, the system has no average and is left out here.
    """

    selections: Mapping[str, Selection]

    @property
    def first(self) -> Selection:
        """The selection of the first test set."""
        return next(iter(self.selections.values()))

    @property
    def task(self) -> SharedTask:  # type: ignore[override]
        """The shared task."""
        return self.first.task

    @property
    def metric(self) -> Metric:  # type: ignore[override]
        """The metric that is averaged."""
        return self.first.metric

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The files of the outputs that all test sets have."""
        first, *others = (selection.outputs for selection in self.selections.values())
        return tuple(file for file in first if all(file in other for other in others))

    @cached_property
    def stats(self) -> MacroStats:  # type: ignore[override]
        """The statistics of the outputs that all test sets have."""
        each = self.selections.values()
        parts = tuple(of.stats.keep(np.isin(of.outputs, self.outputs)) for of in each)
        return MacroStats(parts, strata_of([of.identities for of in each]))

    @property
    def invalid_files(self) -> set[str]:
        """The outputs that are invalid or missing in one of the test sets."""
        invalid: set[str] = set().union(*(s.counts.invalid(s.invalid) for s in self.selections.values()))
        return self.with_leads(invalid)

    @property
    def output_notes(self) -> dict[str, str]:
        """What is to be said of the outputs of a system, with the test set."""
        found: dict[str, str] = {}
        for name, selection in self.selections.items():
            for file, note in selection.output_notes.items():
                found[file] = "; ".join(filter(None, [found.get(file), f"{name}: {note}"]))
        return found

    @property
    def document_ratio(self) -> float:
        """The largest of the test sets."""
        return max(selection.document_ratio for selection in self.selections.values())

    def table(self) -> pd.DataFrame:
        """A row a system, best first: system, group, macro-average, then the score on each test set."""
        scores = pd.DataFrame(
            {name: part.scores for name, part in zip(self.selections, self.stats.parts, strict=True)},
            index=list(self.stats.names),
        )
        scores.insert(0, "macro-average", self.stats.scores)
        table = self.systems.set_index("system")[["group"]].join(scores)
        ascending = not self.metric.higher_is_better
        return (
            table.sort_values("macro-average", ascending=ascending, kind="stable").rename_axis("system").reset_index()
        )

    def signature(self, recipe: Resampling, **more: object) -> str:
        """One line that says how a result was made, the same for the same result."""
        metrics = [selection.metric for selection in self.selections.values()]
        parts = {
            "metric": f"macro-average of {_each(metric.name for metric in metrics)}",
            **{key: _each(metric.details.get(key, "") for metric in metrics) for key in self.metric.details},
            "test": "bootstrap",
            "b": recipe.n_resamples,
            "seed": recipe.seed,
            "unit": self.stats.unit,
            "n": "+".join(str(part.n_units) for part in self.stats.parts),
            **({"shared": self.stats.n_shared} if self.stats.n_shared else {}),
            **runs_of(self.stats),
            "task": self.task.name,
            "data": self.stats.digest[:8],
            "test_sets": ",".join(self.selections),
        }
        selections = self.selections.values()
        parts |= {"domain": _each(s.domain or "all" for s in selections)} if any(s.domain for s in selections) else {}
        if self.invalid_files:
            parts["invalid"] = _each(s.invalid or s.counts.treatments[0] for s in selections)
        return line(parts | more | {"version": __version__})


def _each(values: Iterable[object]) -> str:
    """What the test sets have in common in one word, else a word for each kind."""
    return "+".join(dict.fromkeys(map(str, values)))
