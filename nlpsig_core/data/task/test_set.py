"""TestSet: one gold with its units, their domains and documents, and the outputs for it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.readers import Reader
from nlpsig_core.data.readers.base import Read
from nlpsig_core.data.task.domain_rules import DomainRule
from nlpsig_core.data.task.files import File, stream_of
from nlpsig_core.data.task.limits import memory, size_of_gold
from nlpsig_core.data.task.packed import Packed


@dataclass(frozen=True, eq=False, kw_only=True)
class TestSet:
    """The gold and the outputs for it, by the names of the systems' files; a system may lack an output.

    ``gold_files`` are the arguments of the reader's ``read_gold``. ``labels`` are domains and documents by column
    and number of the unit, from a table; without one, ``domain_rule``, that of the task, finds domains in the names
    of units and documents. ``read_as`` maps a path to one of the reader's alternative ways to read a file.
    ``packed`` holds the statistics of a pack, which has no text: its files have names, but cannot be read.
    """

    __test__ = False  # pytest would collect it as a test class

    name: str
    reader: Reader
    gold_files: tuple[File, ...]
    outputs: Mapping[str, File]
    labels: Mapping[str, Mapping[int, str]]
    read_as: Mapping[str, str]
    domain_rule: DomainRule | None = None
    packed: Packed | None = None

    @cached_property
    def gold(self) -> Any:
        """The gold as returned by its reader; raises FileError if it is invalid, since nothing can be scored then.

        Where memory has no room for those of all test sets, the last ones are kept; others are read again.
        """
        if self.packed is not None:
            return self.packed
        contents = [file.load() for file in self.gold_files]
        gold = self._read_gold(contents)
        _keep(self, size_of_gold(sum(map(len, contents)), gold.n_units))
        return gold

    def _read_gold(self, contents: Sequence[bytes]) -> Any:
        path = self.gold_files[0].path
        if self.reader.read_gold is None:
            return self.read(path, contents[0])
        files = [(stream_of(data, of.path), of.path) for data, of in zip(contents, self.gold_files, strict=True)]
        return (
            self.reader.read_gold(files, self._read_function(path))
            if self.reader.read_as
            else self.reader.read_gold(files)
        )

    def _read_function(self, path: str) -> Read:
        """The function that reads a file, as chosen by the user or the usual one of the format."""
        return self.reader.read_as.get(self.read_as.get(path, ""), self.reader.read)

    def read(self, path: str, data: bytes) -> Any:
        """The units of a file with this content."""
        return self._read_function(path)(stream_of(data, path), path)

    @property
    def about(self) -> Mapping[str, str]:
        """What a pack tells of the test set: its source, language, year, campaign."""
        return self.packed.about if self.packed is not None else {}

    @property
    def n_units(self) -> int:
        """Number of units of the gold."""
        n_units: int = self.gold.n_units
        return n_units

    @cached_property
    def domains(self) -> np.ndarray:
        """The domain of each unit, (units,), or an empty array if none are known."""
        labels = self.labels.get("domain")
        if not labels:
            of_gold = _names(getattr(self.gold, "domains", ()))
            return of_gold if len(of_gold) or self.domain_rule is None else self.domains_by(self.domain_rule)
        return _names([labels.get(unit + 1) or "no domain" for unit in range(self.n_units)])

    def domains_by(self, rule: DomainRule) -> np.ndarray:
        """A rule's match (its first group, or all of it) in each unit's name, else in its document's, (units,)."""
        nothing = ("",) * self.n_units
        documents = self.documents.tolist() or nothing
        names = list(zip(getattr(self.gold, "unit_names", nothing), documents, strict=True))
        domains = {of_unit: rule.domain(of_unit) or "no domain" for of_unit in set(names)}
        return _names([domains[of_unit] for of_unit in names])

    @cached_property
    def documents(self) -> np.ndarray:
        """The document of each unit, (units,), or an empty array if none are known; others are their own document."""
        labels = self.labels.get("document")
        if not labels:
            return _names(getattr(self.gold, "documents", ()))
        return _names([labels.get(unit + 1) or f"unit {unit + 1}" for unit in range(self.n_units)])

    @cached_property
    def identities(self) -> tuple[Hashable, ...]:
        """Name and text of each unit, which identify it in other test sets; None if either is unknown.

        A pack has a number in place of each.
        """
        if self.packed is not None:
            return self.packed.identities or (None,) * self.n_units
        names, texts = (getattr(self.gold, attribute, ()) for attribute in ("unit_names", "unit_texts"))
        if not len(names) or not len(texts):
            return (None,) * self.n_units
        return tuple((name, text) if name and text else None for name, text in zip(names, texts, strict=True))

    @property
    def notes(self) -> list[str]:
        """Notes on the gold, and on mismatches between it and the table of domains."""
        # Notes on several references name their file themselves, and so do those of a pack.
        named = self.packed is not None or (self.reader.several_gold and len(self.gold_files) > 1)
        notes = [note if named else f"{self.gold_files[0].path}: {note}" for note in self.gold.notes]
        labels = next(iter(self.labels.values()), {})
        if not labels:
            return notes
        without = self.n_units - len(labels.keys() & set(range(1, self.n_units + 1)))
        beyond = len(labels) - (self.n_units - without)
        notes += [f"domains.tsv: units of the gold without a row: {without} of {self.n_units}"] if without else []
        notes += [f"domains.tsv: rows beyond the gold's {self.n_units} units: {beyond}"] if beyond else []
        return notes


# The test sets of all tasks whose golds are in memory, in the order in which they were read, with their bytes.
_KEPT: WeakKeyDictionary[TestSet, int] = WeakKeyDictionary()
_KEEPING = Lock()


def _keep(test_set: TestSet, size: int) -> None:
    """Note that a gold of this size was read, and forget those that were read first and do not fit beside it."""
    with _KEEPING:
        _KEPT.pop(test_set, None)
        _KEPT[test_set] = size
        while len(_KEPT) > 1 and sum(_KEPT.values()) > memory():
            first = next(iter(_KEPT))
            del _KEPT[first]
            vars(first).pop("gold", None)


def _names(of_units: Sequence[str]) -> np.ndarray:
    """Names as an array of objects: one of fixed width would take that of the longest name for each."""
    return np.array(of_units, dtype=object)
