"""The main job in one call: a task, a metric, a recipe -> the tables of scores, pairs and thresholds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from nlpsig_core import __version__
from nlpsig_core.bootstrap import Bootstrap, bootstrap
from nlpsig_core.comparisons import comparisons
from nlpsig_core.counting import Counts
from nlpsig_core.errors import ChoiceError, TaskError
from nlpsig_core.metrics import metrics_for
from nlpsig_core.metrics.base import Metric
from nlpsig_core.ranking import ranking
from nlpsig_core.resampling import Progress, Resampling
from nlpsig_core.significance import pair_table
from nlpsig_core.stats import Stats
from nlpsig_core.task import SharedTask, TestSet


@dataclass(frozen=True, eq=False)
class Selection:
    """What is analysed: the systems of a task on (a domain of) a test set, by one metric."""

    task: SharedTask
    test_set: TestSet
    counts: Counts
    metric: Metric
    domain: str = ""
    invalid: str = "score 0"

    @cached_property
    def stats(self) -> Stats:
        """The statistics of the systems on the chosen units."""
        units = units_of(self.test_set, self.domain)
        return self.counts.stats(self.metric, self.task.names, self.invalid, units)

    def check(self) -> None:
        """Raise TaskError where fewer than two systems or two units are left to compare."""
        for number, what in ((self.stats.n_systems, "system"), (self.stats.n_units, self.stats.unit)):
            if number < 2:
                raise TaskError(f"A comparison needs two {what}s at least; here is {number}")

    @property
    def systems(self) -> pd.DataFrame:
        """The rows of the systems in ``stats``, in that order."""
        table = self.task.systems
        return table[table["system"].isin(self.stats.names)].reset_index(drop=True)

    def all_metrics(self, edition: str | None = None) -> pd.DataFrame:
        """A row a system and metric of an edition: system, metric, then the metric's parts (f1, ...), in percent.

        Without an edition it is that of the selection's metric.
        """
        edition = edition or next(iter(self.metric.editions), None)
        rows = []
        for label, metric in metrics_for(self.metric.family.reader, edition).items():
            stats = replace(self, metric=metric).stats
            parts = {part: score(stats.totals) for part, score in metric.parts.items()}
            rows.append(pd.DataFrame({"system": stats.names, "metric": label} | parts))
        return pd.concat(rows).sort_values("system", kind="stable", ignore_index=True)

    def bootstrap(self, recipe: Resampling, progress: Progress | None = None) -> Bootstrap:
        """The paired bootstrap of every pair of systems."""
        self.check()
        return bootstrap(self.stats, recipe, progress)

    def pairs(self, result: Bootstrap, interval: str = "percentile") -> pd.DataFrame:
        """The table of all pairs (``significance.pair_table``)."""
        classes = comparisons(self.systems, result.pairs, self.counts.problems)
        return pair_table(result, list(self.stats.names), classes, interval)

    def ranking(
        self, result: Bootstrap, alpha: float = 0.05, adjustment: str = "Holm", interval: str = "percentile"
    ) -> pd.DataFrame:
        """The ranking of the systems (``ranking.ranking``)."""
        return ranking(result, self.systems, self.notes, alpha, adjustment, interval, self.counts.problems)

    @property
    def notes(self) -> dict[str, str]:
        """What is to be said of an output: invalid, missing, or the same as another one."""
        names = self.task.names
        same = {f: f"same file as {names[of]}" for f, of in self.counts.same_bytes.items() if of in names}
        return same | self.counts.problems

    def macro_signature(self, test_sets: list[str]) -> str:
        """One line that says how a macro-average over test sets was made."""
        parts = {"metric": f"macro-average of {self.metric.name}", "task": self.task.name}
        parts |= {"test_sets": ",".join(test_sets)} | ({"domain": self.domain} if self.domain else {})
        return _line(parts | {"version": __version__})

    def signature(self, recipe: Resampling, **more: object) -> str:
        """One line that says how a result was made, the same for the same result."""
        parts = {
            "metric": self.metric.name,
            "test": "bootstrap",
            "b": recipe.n_resamples,
            "seed": recipe.seed,
            "unit": self.stats.unit,
            "n": self.stats.n_units,
            "task": self.task.name,
            "data": self.stats.digest[:8],
        }
        parts |= {"test_set": self.test_set.name} if self.test_set.name else {}
        parts |= {"domain": self.domain} if self.domain else {}
        parts |= {"invalid": self.invalid} if self.counts.problems else {}
        return _line(parts | more | {"version": __version__})


def _line(parts: dict) -> str:
    return "|".join(f"{key}:{str(value).replace('|', '/')}" for key, value in parts.items())


def units_of(test_set: TestSet, domain: str) -> np.ndarray | None:
    """Which units belong to a domain, (units,) mask, or None for all of them."""
    if not domain:
        return None
    if domain not in test_set.domains:
        raise ChoiceError.unknown("domain", domain, set(test_set.domains.tolist()))
    return test_set.domains == domain


def same_scores(selection: Selection) -> list[list[str]]:
    """Valid systems whose statistics of the metric are the same in every unit, in groups of two or more."""
    groups: dict[bytes, list[str]] = {}
    for file, name, values in zip(
        selection.systems["file"], selection.stats.names, selection.stats.values, strict=True
    ):
        if file not in selection.counts.problems:
            groups.setdefault(np.ascontiguousarray(values).tobytes(), []).append(name)
    return [names for names in groups.values() if len(names) > 1]
