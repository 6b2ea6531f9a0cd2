"""The main job in one call: a task, a metric, a recipe -> the tables of scores, pairs and thresholds."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from nlpsig_core import __version__
from nlpsig_core.comparison.base import Comparison
from nlpsig_core.comparison.signature import line
from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics.base import Family, Metric
from nlpsig_core.paired_tests.small_sample import document_ratio
from nlpsig_core.resampling.bootstrap import all_pairs
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.runs import runs_of
from nlpsig_core.stats.array import Stats
from nlpsig_core.stats.counts import Counts
from nlpsig_core.task.domains import units_of, units_to_resample
from nlpsig_core.task.shared_task import SharedTask
from nlpsig_core.task.test_set import TestSet


@dataclass(frozen=True, eq=False)
class Selection(Comparison):
    """What is analysed: the systems of a task on (a domain of) a test set, by one metric.

    ``domain`` is "" for all, a domain's name, or "all but" and a name; ``unit`` is "document" where documents
    are resampled instead of the format's own units; ``invalid`` as in ``Counts.stats``; ``part`` restricts it
    to some of the units that these leave, by index, where None is all of them.
    """

    task: SharedTask
    test_set: TestSet
    counts: Counts
    metric: Metric
    domain: str = ""
    invalid: str = ""
    unit: str = ""
    part: np.ndarray | None = None

    def __post_init__(self) -> None:
        possible = units_to_resample(self.test_set)
        if self.unit and self.unit not in possible:
            raise ChoiceError.unknown("unit to resample", self.unit, possible)

    @cached_property
    def stats(self) -> Stats:  # type: ignore[override]
        """The statistics of the systems on the chosen units."""
        names, units = self.task.names, self.complete
        stats = self.counts.stats(self.metric, names, self.invalid, units)
        if self.unit not in ("", self.test_set.reader.unit):
            stats = stats.group_by(self.test_set.documents[units], self.unit)
        return stats if self.part is None else stats.take(self.part)

    @cached_property
    def document_ratio(self) -> float:
        """The standard error of a close pair by documents as a multiple of that by units; 0 where it is not known."""
        documents = self.test_set.documents
        if not len(documents) or self.unit not in ("", self.test_set.reader.unit) or self.stats.n_systems < 2:
            return 0.0
        labels = documents[np.concatenate(self.own_units)] if self.own_units else documents[:0]
        ratio = document_ratio(self.stats, labels, all_pairs(self.metric.sign * self.stats.scores))
        return 0.0 if math.isnan(ratio) else ratio

    @property
    def first_runs(self) -> Selection:
        """The same with the first run of each system alone."""
        return replace(self, task=replace(self.task, systems=self.systems)) if self.stats.several_runs else self

    def on(self, units: np.ndarray) -> Selection:
        """The same on some of its units (indices, which may repeat)."""
        return replace(self, part=units if self.part is None else self.part[units])

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The files of the outputs in ``stats``, in that order."""
        return self.counts.kept(self.task.names, self.invalid)

    @cached_property
    def complete(self) -> np.ndarray:
        """Which of the format's units take part, (units,) mask: of the domain, and with scores of all systems."""
        complete = self.counts.complete(self.task.names, self.invalid)
        of_domain = units_of(self.test_set, self.domain)
        return complete if of_domain is None else complete & of_domain

    @cached_property
    def own_units(self) -> list[np.ndarray]:
        """The format's own units (indices into the gold) that make up each unit of ``stats``."""
        own = np.flatnonzero(self.complete)
        if self.unit in ("", self.test_set.reader.unit):
            found = [own[place : place + 1] for place in range(len(own))]
        else:
            labels = self.test_set.documents[own]
            found = [own[labels == label] for label in dict.fromkeys(labels.tolist())]
        return found if self.part is None else [found[place] for place in self.part]

    @property
    def identities(self) -> list[Hashable]:
        """What tells each unit of ``stats`` to be the same in another test set, None where nothing does.

        Documents are the same where their names and all their own units are.
        """
        known, documents = self.test_set.identities, self.test_set.documents
        if self.unit in ("", self.test_set.reader.unit):
            own = np.flatnonzero(self.complete)
            return [known[place] for place in (own if self.part is None else own[self.part]).tolist()]
        units = [(documents[places[0]], *(known[place] for place in places)) for places in self.own_units]
        return [None if None in unit else unit for unit in units]

    def all_metrics(
        self, metrics: Mapping[str, Metric], counted: Callable[[Family], Counts] | None = None
    ) -> pd.DataFrame:
        """A row a system and metric: system, metric, score, then the metric's parts (precision, recall, f1, ...).

        ``metrics`` are by label (``metrics_for``); ``counted`` gives the counts of another family than the
        selection's; without it the metrics of others are left out.
        """
        rows = []
        for label, metric in metrics.items():
            own = metric.family == self.counts.family
            if not own and counted is None:
                continue
            counts = self.counts if own or counted is None else counted(metric.family)
            stats = replace(self, metric=metric, counts=counts).stats
            parts = {part: stats.over_runs(score(stats.totals)) for part, score in metric.parts.items()}
            rows.append(pd.DataFrame({"system": stats.names, "metric": label, "score": stats.scores} | parts))
        return pd.concat(rows).sort_values("system", kind="stable", ignore_index=True)

    @property
    def invalid_files(self) -> set[str]:
        """The outputs that are not to be compared with others in earnest."""
        return self.with_leads(self.counts.invalid(self.invalid))

    @property
    def output_notes(self) -> dict[str, str]:
        """What is to be said of an output: invalid, missing, or the same as another one."""
        labels = self.task.labels
        same = {f: f"same file as {labels[of]}" for f, of in self.counts.same_bytes.items() if of in labels}
        remarks = {f: "; ".join([same[f], *said] if f in same else said) for f, said in self.counts.remarks.items()}
        return same | remarks | self.counts.problems

    def signature(self, recipe: Resampling, **more: object) -> str:
        """One line that says how a result was made, the same for the same result.

        ``more`` parts follow, or take the place of those of the same name: ``test="randomization"``.
        """
        parts = {
            "metric": self.metric.name,
            **self.metric.details,
            **({"refs": len(self.test_set.gold_files)} if self.test_set.reader.several_gold else {}),
            "test": "bootstrap",
            "b": recipe.n_resamples,
            "seed": recipe.seed,
            "unit": self.stats.unit,
            "n": self.stats.n_units,
            **runs_of(self.stats),
            "task": self.task.name,
            "data": self.stats.digest[:8],
        }
        parts |= {"test_set": self.test_set.name} if self.test_set.name else {}
        parts |= {"domain": self.domain} if self.domain else {}
        parts |= {"invalid": self.invalid or self.counts.treatments[0]} if self.counts.problems else {}
        for companion in self.test_set.reader.companions:
            if companion.standard:
                parts[companion.role] = ",".join(file.path for file in self.test_set.gold_files[1:]) or "standard"
        return line(parts | more | {"version": __version__})


def same_scores(selection: Selection) -> list[list[str]]:
    """Valid systems whose statistics of the metric are the same in every unit, in groups of two or more."""
    problems = selection.with_leads(selection.counts.problems)
    stats, groups = selection.stats, dict[bytes, list[str]]()
    for place, file in enumerate(selection.systems["file"]):
        if file not in problems:
            groups.setdefault(stats.values[stats.rows(place)].tobytes(), []).append(stats.names[place])
    return [names for names in groups.values() if len(names) > 1]
