"""TestSet: one gold with its units, their domains and documents, and the outputs for it."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpsig_core.readers import Reader
from nlpsig_core.task.files import File


@dataclass(frozen=True, eq=False)
class TestSet:
    """The gold and the outputs for it, by the name of the system's files; not each system has one.

    ``gold_files`` are what the reader makes the gold of; ``rows`` the tables of domains and documents by number
    of the unit; ``read_as`` says by path which of the reader's other ways to read a file is meant; where no
    domains are told, ``domain_rule`` is a regular expression that finds them in the names of units and documents.
    """

    __test__ = False  # pytest takes it for a test class otherwise

    name: str
    reader: Reader
    gold_files: tuple[File, ...]
    outputs: Mapping[str, File]
    rows: Mapping[str, Mapping[int, str]]
    read_as: Mapping[str, str]
    domain_rule: str = ""

    @cached_property
    def gold(self):
        """The gold as its reader gives it; FileError where it is invalid, since then nothing can be scored."""
        first = self.gold_files[0]
        if self.reader.read_gold is None:
            return self.read(first.path, first.text())
        files = [(file.stream(), file.path) for file in self.gold_files]
        return (
            self.reader.read_gold(files, self._way(first.path)) if self.reader.read_as else self.reader.read_gold(files)
        )

    def _way(self, path: str):
        """How a file is read: as the user said, or as the format is usually read."""
        return self.reader.read_as.get(self.read_as.get(path, ""), self.reader.read)

    def read(self, path: str, text: str):
        """The units of a file of this content."""
        return self._way(path)(io.StringIO(text), path)

    @property
    def n_units(self) -> int:
        """Number of units of the gold."""
        return self.gold.n_units

    @cached_property
    def domains(self) -> np.ndarray:
        """The domain of each unit, (units,), or an empty array where none are known."""
        rows = self.rows.get("domain")
        if not rows:
            told = np.array(getattr(self.gold, "domains", ()), dtype=str)
            return told if len(told) or not self.domain_rule else self._by_rule()
        return np.array([rows.get(unit + 1) or "no domain" for unit in range(self.n_units)])

    def _by_rule(self) -> np.ndarray:
        """What the rule finds (its first group, or all of it) in each unit's name, else in its document's."""
        rule = re.compile(self.domain_rule)
        nothing = ("",) * self.n_units
        documents = self.documents.tolist() or nothing
        found = []
        for names in zip(getattr(self.gold, "unit_names", nothing), documents, strict=True):
            match = next(filter(None, map(rule.search, names)), None)
            found.append((match[1] if rule.groups else match[0]) if match else "")
        return np.array([domain or "no domain" for domain in found])

    @cached_property
    def documents(self) -> np.ndarray:
        """The document of each unit, (units,), or an empty array where none are known; a unit without is one itself."""
        rows = self.rows.get("document")
        if not rows:
            return np.array(getattr(self.gold, "documents", ()), dtype=str)
        return np.array([rows.get(unit + 1) or f"unit {unit + 1}" for unit in range(self.n_units)])

    @cached_property
    def identities(self) -> tuple[tuple[str, str] | None, ...]:
        """Name and text of each unit, by which other test sets have the same one; None where one is not known."""
        names, texts = (getattr(self.gold, what, ()) for what in ("unit_names", "unit_texts"))
        if not len(names) or not len(texts):
            return (None,) * self.n_units
        return tuple((name, text) if name and text else None for name, text in zip(names, texts, strict=True))

    @property
    def notes(self) -> list[str]:
        """What is to be said of the gold, and what does not fit between it and the table of domains."""
        # Notes of several references say themselves whose they are.
        several = self.reader.several_gold and len(self.gold_files) > 1
        notes = [note if several else f"{self.gold_files[0].path}: {note}" for note in self.gold.notes]
        rows = next(iter(self.rows.values()), {})
        if not rows:
            return notes
        without = self.n_units - len(rows.keys() & set(range(1, self.n_units + 1)))
        beyond = len(rows) - (self.n_units - without)
        notes += [f"domains.tsv: units of the gold without a row: {without} of {self.n_units}"] if without else []
        notes += [f"domains.tsv: rows beyond the gold's {self.n_units} units: {beyond}"] if beyond else []
        return notes
