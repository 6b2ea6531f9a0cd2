"""The macro-average over test sets, the ranking of the CoNLL shared tasks, as a metric with p-values of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from nlpsig_core import __version__
from nlpsig_core.analysis import Comparison, Selection, line
from nlpsig_core.metrics.base import Metric
from nlpsig_core.resampling import Resampling
from nlpsig_core.stats import MacroStats
from nlpsig_core.task import SharedTask


@dataclass(frozen=True, eq=False)
class MacroAverage(Comparison):
    """What is analysed: the systems of a task by the mean of a metric over test sets, each resampled within itself.

    An invalid or missing output gets no credit, as the CoNLL 2017 and 2018 shared tasks rule; where it is
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
    def stats(self) -> MacroStats:  # type: ignore[override]
        """The statistics of the systems that all test sets have."""
        each = [selection.stats for selection in self.selections.values()]
        common = [name for name in each[0].names if all(name in stats.names for stats in each)]
        return MacroStats(tuple(stats.of([stats.names.index(name) for name in common]) for stats in each))

    @property
    def invalid_files(self) -> set[str]:
        """The outputs that are invalid or missing in one of the test sets."""
        return set().union(*(selection.invalid_files for selection in self.selections.values()))

    @property
    def notes(self) -> dict[str, str]:
        """What is to be said of the outputs of a system, with the test set."""
        found: dict[str, str] = {}
        for name, selection in self.selections.items():
            for file, note in selection.notes.items():
                found[file] = "; ".join(filter(None, [found.get(file), f"{name}: {note}"]))
        return found

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
        parts = {
            "metric": f"macro-average of {self.metric.name}",
            **self.metric.details,
            "test": "bootstrap",
            "b": recipe.n_resamples,
            "seed": recipe.seed,
            "unit": self.stats.unit,
            "n": "+".join(str(part.n_units) for part in self.stats.parts),
            "task": self.task.name,
            "data": self.stats.digest[:8],
            "test_sets": ",".join(self.selections),
        }
        parts |= {"domain": self.first.domain} if self.first.domain else {}
        parts |= {"invalid": self.first.invalid or "as usual"} if self.invalid_files else {}
        return line(parts | more | {"version": __version__})
