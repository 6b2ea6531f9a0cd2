"""TestSet: one gold with its units, their domains and documents, and the outputs for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from nlpsig_core.base.cache import directory
from nlpsig_core.base.errors import ChoiceError, entry_named
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.readers import Reader
from nlpsig_core.data.readers.base import DOCUMENT, Read
from nlpsig_core.data.readers.people.beside import of_outputs
from nlpsig_core.data.readers.people.ratings import named_in
from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.data.task.contents import Contents, states_of
from nlpsig_core.data.task.domain_rule import DomainRule
from nlpsig_core.data.task.files import File, stream_of
from nlpsig_core.data.task.limits import memory, size_of_gold
from nlpsig_core.data.task.outlines import Outline, known_or_read, place_of

ALL_BUT = "all but "
# The family of statistics of people's scores.
JUDGEMENTS = "judgements"


@dataclass(frozen=True, eq=False, kw_only=True)
class PackedFamily:
    """The statistics of one family of metrics: ``values()`` is (files, units, columns), read when it is called.

    ``version`` is that of the family's counts, ``counted_as`` the type of number (numpy's) that they had. ``problems``,
    ``remarks`` and ``same_bytes`` are by file, as in ``Counts``.
    """

    files: tuple[str, ...]
    columns: tuple[str, ...]
    version: str
    counted_as: str
    values: Callable[[], np.ndarray]
    problems: Mapping[str, str]
    remarks: Mapping[str, list[str]]
    same_bytes: Mapping[str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Packed(Outline):
    """A test set without text: takes the place of its gold.

    ``lengths`` are (units,), or empty if not known. ``edition`` is the usual edition of the metrics, ``about`` what
    else is known (source, language, year), ``digests`` those of the files that were counted, by path.
    """

    families: Mapping[str, PackedFamily]
    lengths: tuple[int, ...] = ()
    edition: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)

    def family(self, name: str) -> PackedFamily:
        """Return the statistics of a family; ChoiceError if the pack does not have them."""
        return entry_named("family of statistics in this pack", name, self.families)

    def suffices_for(self, family: str, columns: tuple[str, ...]) -> bool:
        """Return whether it has these columns of a family, those by class for the same number of classes."""
        own = self.families[family].columns if family in self.families else ()
        number = Counter(column.partition("[")[0] for column in own)
        return len({number[column] for column in columns}) == 1 and number[columns[0]] > 0


@dataclass(frozen=True, eq=False, kw_only=True)
class TestSet:
    """The gold and the outputs for it, by the names of the systems' files; a system may lack an output.

    ``gold_files`` are the arguments of the reader's ``read_gold``. ``labels`` are domains and documents by column
    and number of the unit, from a table; without one, ``domain_rule``, that of the task, finds domains in the names
    of units and documents. ``read_as`` maps a path to one of the reader's alternative ways to read a file.
    ``judged`` are people's scores of the outputs. ``packed`` holds the statistics of a pack, which has no text: its
    files have names, but cannot be read.
    """

    __test__ = False  # pytest would collect it as a test class

    name: str
    reader: Reader
    gold_files: tuple[File, ...]
    outputs: Mapping[str, File]
    labels: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    read_as: Mapping[str, str] = field(default_factory=dict)
    domain_rule: DomainRule | None = None
    judged: SegmentScores | None = None
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
        path, read_gold = self.gold_files[0].path, self.reader.read_gold
        if read_gold is None:
            return self.read(path, contents[0])
        streams = [
            (stream_of(data, file.path), file.path) for data, file in zip(contents, self.gold_files, strict=True)
        ]
        return read_gold(streams, self._read_function(path)) if self.reader.read_as else read_gold(streams)

    def _read_function(self, path: str) -> Read:
        return self.reader.read_as.get(self.read_as.get(path, ""), self.reader.read)

    def read(self, path: str, data: bytes) -> Any:
        """Return the units of a file with this content."""
        return self._read_function(path)(stream_of(data, path), path)

    @property
    def files(self) -> list[File]:
        """The files of the gold and of all outputs."""
        return [*self.gold_files, *self.outputs.values()]

    @cached_property
    def outline(self) -> Outline:
        """What the gold says of its units; raises FileError if it is invalid."""
        if self.packed is not None:
            return self.packed
        return known_or_read(self.gold_files, self._gold_read_as, lambda: self.gold)

    @property
    def _gold_read_as(self) -> list[object]:
        return [self.reader.name, self.reader.version, [self.read_as.get(file.path, "") for file in self.gold_files]]

    def forget(self) -> None:
        """Forget what the cache knows of the files, so that all are read again; OSError if it cannot be written."""
        Contents(self.files, directory()).place.unlink(missing_ok=True)
        place_of(states_of(self.gold_files), self._gold_read_as).unlink(missing_ok=True)

    @property
    def about(self) -> Mapping[str, str]:
        """The source, language, year and campaign that a pack states."""
        return self.packed.about if self.packed is not None else {}

    @property
    def is_judged(self) -> bool:
        """Whether there are people's scores of the outputs."""
        return self.judged is not None or (self.packed is not None and JUDGEMENTS in self.packed.families)

    @cached_property
    def people(self) -> SegmentScores | None:
        """People's scores of the outputs by unit, NaN where there are none; None without any, and in packs."""
        if self.judged is None:
            return None
        numbers = [str(number) for number in range(1, self.n_units + 1)]
        names = [numbers, self.unit_names, _in_documents(self.documents.tolist())]
        return of_outputs(self.judged, tuple(self.outputs), [tuple(of) for of in names if of])

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the gold's labels, or its two numbers; () if it has neither."""
        return self.outline.classes

    @property
    def n_units(self) -> int:
        """Number of units of the gold."""
        return self.outline.n_units

    @property
    def unit_names(self) -> tuple[str, ...]:
        """The id of each unit, "" if it has none; () if the format has no ids."""
        return self.outline.names

    @cached_property
    def domains(self) -> np.ndarray:
        """The domain of each unit, (units,), or an empty array if none are known."""
        if labels := self.labels.get("domain"):
            return _names([labels.get(number) or "no domain" for number in self._numbers])
        stated = _names(self.outline.domains)
        return stated if len(stated) or self.domain_rule is None else self.domains_by(self.domain_rule)

    @property
    def _numbers(self) -> list[int]:
        """The number of each unit in the table of domains: by the unit's name if the table has ids, else its place."""
        by_id = {name: number for number, name in self.labels.get("id", {}).items()}
        if not by_id.keys() & set(self.unit_names):
            return list(range(1, self.n_units + 1))
        return [by_id.get(name, 0) for name in self.unit_names]

    def domains_by(self, rule: DomainRule) -> np.ndarray:
        """Return a rule's match in each unit's name, else in its document's, (units,)."""
        nothing = ("",) * self.n_units
        names = list(zip(self.unit_names or nothing, self.documents.tolist() or nothing, strict=True))
        domains = {pair: rule.domain(pair) or "no domain" for pair in set(names)}
        return _names([domains[pair] for pair in names])

    @cached_property
    def documents(self) -> np.ndarray:
        """The document of each unit, (units,), or an empty array if none are known; others are their own document."""
        if labels := self.labels.get("document"):
            numbers = enumerate(self._numbers, 1)
            return _names([labels.get(number) or f"unit {unit}" for unit, number in numbers])
        return _names(self.outline.documents)

    @property
    def cluster(self) -> str:
        """What the documents are: speakers or recordings where the gold says so."""
        return DOCUMENT if self.labels.get("document") else self.outline.cluster

    @property
    def resampling_units(self) -> list[str]:
        """What can be resampled: the format's own unit, and the document (or ``cluster``) if documents are known."""
        own = self.reader.unit
        return [own, *([self.cluster] if own != self.cluster and len(self.documents) else [])]

    @property
    def domain_choices(self) -> list[str]:
        """Each domain by name, followed by all but each one if there are three or more."""
        known = sorted(set(self.domains.tolist()))
        return known + ([ALL_BUT + name for name in known] if len(known) > 2 else [])

    def units_in(self, domain: str) -> np.ndarray | None:
        """Return a mask of the units in a domain, or in "all but" one, (units,); None if no domain is chosen."""
        if not domain:
            return None
        but = domain.removeprefix(ALL_BUT)
        if domain not in self.domains and but not in self.domains:
            raise ChoiceError.unknown("domain", domain, set(self.domains.tolist()))
        return np.asarray(self.domains == domain if domain in self.domains else self.domains != but)

    def domain_here(self, domain: str) -> str | None:
        """Return the choice of domain that applies among several test sets; None if this one lacks the domain.

        A test set without the domain of "all but" takes part with all its units.
        """
        if not domain or domain in self.domains:
            return domain
        but = domain.removeprefix(ALL_BUT)
        return None if but == domain else domain if but in self.domains else ""

    @property
    def identities(self) -> tuple[int | None, ...]:
        """A number for the name and text of each unit, by which other test sets know it; None if either is unknown."""
        return self.outline.identities or (None,) * self.n_units

    @property
    def notes(self) -> list[str]:
        """Notes on the gold, and on mismatches between it and the table of domains."""
        # Notes on several references name their file themselves, and so do those of a pack.
        named = self.packed is not None or (self.reader.several_gold and len(self.gold_files) > 1)
        notes = [note if named else f"{self.gold_files[0].path}: {note}" for note in self.outline.notes]
        if rows := next(iter(self.labels.values()), {}):
            known = len(rows.keys() & set(self._numbers))
            if without := self.n_units - known:
                notes.append(f"domains.tsv: units of the gold without a row: {without} of {self.n_units}")
            if beyond := len(rows) - known:
                notes.append(f"domains.tsv: rows beyond the gold's {self.n_units} units: {beyond}")
        return notes + ([f"{people.name}: {note}" for note in people.notes] if (people := self.people) else [])


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


def _names(names: Sequence[str]) -> np.ndarray:
    """Return names as an array of objects: one of fixed width would take that of the longest name for each."""
    return np.array(names, dtype=object)


def _in_documents(documents: Sequence[str]) -> list[str]:
    """Return the number of each unit in its document, as ratings name it: "3 of letter"."""
    number: Counter[str] = Counter()
    names = []
    for document in documents:
        number[document] += 1
        names.append(named_in(document, str(number[document])))
    return names
