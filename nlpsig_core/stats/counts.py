"""Counts: the statistics of a family for all outputs of a test set, and what becomes of invalid ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics.base import Family, Metric
from nlpsig_core.stats.array import Stats

SCORE_AS_0, LEAVE_OUT, DROP_UNITS = "score as 0", "leave out", "drop units"
# Descriptions of the treatments of outputs that are invalid or lack scores for some units.
TREATED = {
    SCORE_AS_0: "scored as empty, as the shared tasks rule",
    LEAVE_OUT: "left out",
    DROP_UNITS: "the units that one of them lacks are left out for all systems",
}
TREATMENTS = tuple(TREATED)


@dataclass(frozen=True, eq=False)
class Counts:
    """The statistics of a family for the outputs of a test set.

    ``values`` is (outputs, units, columns); ``files`` names the outputs; ``problems`` says by output why it
    is invalid or missing (its values are those of a system that predicts nothing, or NaN where there is no
    such thing), ``remarks`` what else is to be known of it; ``same_bytes`` maps an output to the first one
    with the same content.
    """

    files: tuple[str, ...]
    values: np.ndarray
    family: Family
    unit: str
    problems: dict[str, str]
    remarks: dict[str, list[str]]
    same_bytes: dict[str, str]

    @property
    def treatments(self) -> tuple[str, ...]:
        """What can become of invalid outputs, the usual first; "drop units" only of a table."""
        return TREATMENTS[:2] if self.family.count_missing is not None else TREATMENTS[1:]

    @property
    def incomplete(self) -> list[str]:
        """The outputs that lack a few units only."""
        if self.family.whole:
            return []
        finite = np.isfinite(self.values).all(axis=2)
        some = finite.any(axis=1) & ~finite.all(axis=1)
        return [file for file, is_incomplete in zip(self.files, some, strict=True) if is_incomplete]

    def invalid(self, treatment: str = "") -> set[str]:
        """The outputs that are not to be compared with others in earnest."""
        complete = self.incomplete if (treatment or self.treatments[0]) == DROP_UNITS else []
        return set(self.problems) - set(complete)

    def kept(self, names: dict[str, str], invalid: str = "") -> tuple[str, ...]:
        """The outputs that a treatment keeps, in the order of ``names``, but those of one system together."""
        invalid = invalid or self.treatments[0]
        left_out = set() if invalid == SCORE_AS_0 else self.invalid(invalid)
        place = {name: place for place, name in enumerate(dict.fromkeys(names.values()))}
        return tuple(sorted((f for f in names if f not in left_out), key=lambda f: place[names[f]]))

    def stats(self, metric: Metric, names: dict[str, str], invalid: str = "", units: np.ndarray | None = None) -> Stats:
        """Statistics of one metric, by the names of systems given by output; of one name are runs of one system.

        ``invalid`` says what becomes of invalid and missing outputs (``treatments``; "" is the usual one).
        ``units`` restricts the test set (indices or mask). Outputs are in the order of ``kept``.
        """
        invalid = invalid or self.treatments[0]
        if invalid not in self.treatments:
            raise ChoiceError.unknown("treatment of invalid outputs", invalid, self.treatments)
        kept = self.kept(names, invalid)
        runs = Counter(names[f] for f in kept)
        values = self.values[[self.files.index(f) for f in kept]]
        columns = [self.family.columns.index(column) for column in metric.columns]
        stats = Stats(tuple(runs), values[:, :, columns], metric, self.unit, tuple(runs.values()))
        mask = self.complete(names, invalid)
        return stats.take(np.flatnonzero(mask) if units is None else np.arange(len(mask))[units][mask[units]])

    def complete(self, names: dict[str, str], invalid: str = "") -> np.ndarray:
        """Which units every system has statistics for that the treatment keeps, (units,) mask."""
        if self.family.whole or (invalid or self.treatments[0]) != DROP_UNITS:
            return np.ones(self.values.shape[1], dtype=bool)
        kept = [self.files.index(f) for f in names if f not in self.invalid(invalid)]
        return np.asarray(np.isfinite(self.values[kept]).all(axis=(0, 2)))
