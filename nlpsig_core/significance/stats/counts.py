"""Counts: the statistics of a family for all outputs of a test set, and the treatment of invalid outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from nlpsig_core.base.errors import check_named
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Family, Metric
from nlpsig_core.significance.stats.array import Stats

SCORE_AS_0, LEAVE_OUT, DROP_UNITS = "score as 0", "leave out", "drop units"
# Descriptions of the treatments of outputs that are invalid or lack scores for some units.
TREATED = {
    SCORE_AS_0: "scored as empty, as the shared tasks rule",
    LEAVE_OUT: "left out",
    DROP_UNITS: "the units that one of them lacks are left out for all systems",
}
TREATMENTS = tuple(TREATED)


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """The statistics of a family for the outputs of a test set.

    ``values`` is (outputs, units, columns), and ``files`` are the names of the outputs. ``problems`` maps invalid and
    missing outputs to the reason; their values are those of a system that predicts nothing, or NaN if the family has
    none. ``remarks`` maps outputs to notes, and ``same_bytes`` maps an output to the first one of the same content.
    A pack may have ``only`` some of the family's columns; columns by class are those of the gold's. Values in
    a small type stand for numbers of another (``counted_as``), which statistics have.
    """

    files: tuple[str, ...]
    values: np.ndarray
    family: Family
    unit: str
    problems: dict[str, str] = field(default_factory=dict)
    remarks: dict[str, list[str]] = field(default_factory=dict)
    same_bytes: dict[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    counted_as: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.only or self.family.columns

    @property
    def treatments(self) -> tuple[str, ...]:
        """The treatments available for invalid outputs, the default first; "drop units" is for scores of units."""
        if self.family.sparse:
            return TREATMENTS[:0:-1]
        return TREATMENTS[:2] if self.family.count_missing is not None else TREATMENTS[1:]

    def treatment(self, invalid: str = "") -> str:
        """Return a treatment of invalid outputs, "" for the default."""
        return invalid or self.treatments[0]

    def check(self, invalid: str) -> None:
        """Raise ChoiceError for a treatment of invalid outputs that is not available."""
        check_named("treatment of invalid outputs", self.treatment(invalid), self.treatments)

    @property
    def incomplete(self) -> list[str]:
        """The outputs that lack scores for some, but not all units."""
        if self.family.whole:
            return []
        finite = np.isfinite(self.values).all(axis=2)
        some = finite.any(axis=1) & ~finite.all(axis=1)
        return [file for file, is_incomplete in zip(self.files, some, strict=True) if is_incomplete]

    def invalid(self, treatment: str = "") -> set[str]:
        """Return the outputs excluded from comparisons."""
        complete = self.incomplete if self.treatment(treatment) == DROP_UNITS else []
        return set(self.problems) - set(complete)

    def reasons(self, treatment: str = "") -> dict[str, str]:
        """Return why outputs are invalid or missing, by file, and which treatment would keep those that lack scores."""
        if self.treatment(treatment) == DROP_UNITS:
            return self.problems
        lacking = set(self.incomplete) if DROP_UNITS in self.treatments else set()
        n_common = int(self._in_all(set(self.files) - self.invalid(DROP_UNITS)).sum()) if lacking else 0
        common = f"the {count(n_common, self.unit)} that all have"
        advice = f"; choose {DROP_UNITS!r} for invalid outputs to keep it on {common}" if n_common else ""
        return {file: reason + (advice if file in lacking else "") for file, reason in self.problems.items()}

    def kept(self, names: dict[str, str], invalid: str = "") -> tuple[str, ...]:
        """Return the outputs that a treatment keeps, in the order of ``names``, with the runs of a system side by side.

        ``names`` may have outputs for other test sets.
        """
        invalid = self.treatment(invalid)
        kept = set(self.files) - (set() if invalid == SCORE_AS_0 else self.invalid(invalid))
        index = {name: i for i, name in enumerate(dict.fromkeys(names.values()))}
        return tuple(sorted((f for f in names if f in kept), key=lambda f: index[names[f]]))

    def stats(self, metric: Metric, names: dict[str, str], invalid: str = "", units: np.ndarray | None = None) -> Stats:
        """Return the statistics of one metric; ``names`` maps outputs to systems, whose several outputs are its runs.

        ``invalid`` is one of ``treatments`` ("" for the default). ``units`` restricts the test set (indices or mask).
        Outputs are in the order of ``kept``. Raises ChoiceError for an unavailable treatment.
        """
        self.check(invalid)
        kept = self.kept(names, invalid)
        runs = Counter(names[f] for f in kept)
        columns = metric.places(self.columns)
        values = self.values[[self.files.index(f) for f in kept]][:, :, columns]
        values = values.astype(self.counted_as) if self.counted_as else values
        values = metric.expand(values) if metric.expand and kept else values
        stats = Stats(tuple(runs), values, metric, unit=self.unit, runs=tuple(runs.values()))
        mask = self.complete(names, invalid)
        return stats.take(np.flatnonzero(mask) if units is None else np.arange(len(mask))[units][mask[units]])

    def complete(self, names: dict[str, str], invalid: str = "") -> np.ndarray:
        """Return mask (units,) of the units for which all outputs kept by the treatment have statistics."""
        if self.family.whole or self.treatment(invalid) != DROP_UNITS:
            return np.ones(self.values.shape[1], dtype=bool)
        return self._in_all(self.kept(names, invalid))

    def _in_all(self, files: Collection[str]) -> np.ndarray:
        """Return mask (units,) of the units for which these outputs have statistics."""
        mask: np.ndarray = np.isfinite(self.values[[file in files for file in self.files]]).all(axis=(0, 2))
        return mask
