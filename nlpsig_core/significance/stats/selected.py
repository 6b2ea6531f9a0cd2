"""SelectedTestSet: what is analysed of one test set, and its statistics."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from nlpsig_core.base.errors import check_named
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers.base import DOCUMENT
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.influence import MATTERS, document_ratio

# With fewer documents no exact two-sided test reaches 0.05, since 2 / 2^5 is larger.
FEWEST_DOCUMENTS = 6


@dataclass(frozen=True, eq=False, kw_only=True)
class SelectedTestSet:
    """The systems of a task on (a domain of) a test set, by one metric.

    ``domain`` is "" for all units, a domain's name, or "all but" and a name. ``unit`` is what is resampled: the own
    unit of the format, "document" or what documents are (``TestSet.cluster``), or "" for the usual one, documents where
    they make a difference (``resampled``).
    ``invalid`` is the treatment of invalid outputs, as in ``Counts.stats``. ``within`` is a mask of the format's units
    that may take part. ``subset`` restricts it to some of the remaining units, by index (which may repeat). None keeps
    all.
    """

    task: SharedTask
    test_set: TestSet
    counts: Counts
    metric: Metric
    domain: str = ""
    invalid: str = ""
    unit: str = ""
    within: np.ndarray | None = None
    subset: np.ndarray | None = None

    def __post_init__(self) -> None:
        self.test_set.units_in(self.domain)
        possible = self.test_set.resampling_units
        if self.unit == DOCUMENT:
            object.__setattr__(self, "unit", possible[-1] if len(possible) > 1 else DOCUMENT)
        if self.unit:
            check_named("unit to resample", self.unit, possible)

    @cached_property
    def stats(self) -> Stats:
        """The statistics of the systems on the selected units."""
        return self.selected(self._by_own_unit)

    def selected(self, stats: Stats) -> Stats:
        """Return statistics by the format's own unit, of all complete units, as those of what is resampled here."""
        if not self.by_own_unit:
            stats = stats.group_by(self.test_set.documents[self.complete], self.resampled)
        return stats if self.subset is None else stats.take(self.subset)

    @cached_property
    def _by_own_unit(self) -> Stats:
        """The statistics by the format's own unit, without a subset."""
        return self.counts.stats(self.metric, self.task.names, self.invalid, self.complete)

    @cached_property
    def document_ratio(self) -> float:
        """The ratio of a close pair's standard error by document to that by the format's unit; 0 if unknown."""
        documents, stats = self.test_set.documents, self._by_own_unit
        if len(self.test_set.resampling_units) == 1 or stats.n_systems < 2 or not stats.n_units:
            return 0.0
        # Summaries are documents themselves.
        return document_ratio(stats, documents[self.complete]) if len(documents) else 0.0

    @cached_property
    def resampled(self) -> str:
        """What is resampled: the unit that is chosen, or the usual one; too few documents could decide nothing.

        In a domain it is that of the whole test set, unless the domain is one document.
        """
        own, *others = self.test_set.resampling_units
        if self.unit or not others:
            return self.unit or own
        documents = len(set(self.test_set.documents[self.complete].tolist()))
        if self.domain:
            return replace(self, domain="", subset=None).resampled if documents > 1 else own
        return others[0] if self.document_ratio > MATTERS and documents >= FEWEST_DOCUMENTS else own

    @property
    def by_own_unit(self) -> bool:
        """Whether the format's own unit is resampled, not documents."""
        return self.resampled == self.test_set.reader.unit

    @property
    def by_usual_documents(self) -> bool:
        """Whether documents are resampled without having been chosen, since their units are alike."""
        return not self.unit and not self.by_own_unit

    def on(self, units: np.ndarray) -> SelectedTestSet:
        """Return the same on some of its units (indices, which may repeat)."""
        subset = units if self.subset is None else self.subset[units]
        return replace(self, subset=subset, unit=self.resampled)

    @property
    def treatment(self) -> str:
        """The treatment of invalid outputs, chosen or usual."""
        return self.counts.treatment(self.invalid)

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The files of the outputs in ``stats``, in that order."""
        return self.counts.kept(self.task.names, self.invalid)

    @cached_property
    def complete(self) -> np.ndarray:
        """Mask of the format's units that take part, (units,): in the domain, and with scores of all systems."""
        complete = self.counts.complete(self.task.names, self.invalid)
        for mask in (self.test_set.units_in(self.domain), self.within):
            complete = complete if mask is None else complete & mask
        return complete

    @cached_property
    def own_units(self) -> list[np.ndarray]:
        """The format's own units (indices into the gold) that make up each unit of ``stats``."""
        own = np.flatnonzero(self.complete)
        if self.by_own_unit:
            units = [own[index : index + 1] for index in range(len(own))]
        else:
            labels = self.test_set.documents[own]
            units = [own[labels == label] for label in dict.fromkeys(labels.tolist())]
        return units if self.subset is None else [units[index] for index in self.subset]

    @property
    def identities(self) -> list[Hashable]:
        """What identifies each unit of ``stats`` in another test set; None where nothing does.

        Documents are the same if their names and all their own units are.
        """
        known, documents = self.test_set.identities, self.test_set.documents
        if self.by_own_unit:
            own = np.flatnonzero(self.complete)
            return [known[index] for index in (own if self.subset is None else own[self.subset]).tolist()]
        units = [(documents[own[0]], *(known[index] for index in own)) for own in self.own_units]
        return [None if None in unit else unit for unit in units]

    @property
    def invalid_files(self) -> set[str]:
        """Outputs excluded from comparisons."""
        return self.counts.invalid(self.invalid)

    @property
    def problems(self) -> dict[str, str]:
        """Why outputs are invalid or missing, by file."""
        return self.counts.reasons(self.invalid)

    @property
    def output_notes(self) -> dict[str, str]:
        """Notes on outputs, by file: invalid, missing, or identical to another."""
        labels = self.task.labels
        same = {f: f"same file as {labels[of]}" for f, of in self.counts.same_bytes.items() if of in labels}
        remarks = {f: "; ".join([same[f], *notes] if f in same else notes) for f, notes in self.counts.remarks.items()}
        return same | remarks | self.problems
