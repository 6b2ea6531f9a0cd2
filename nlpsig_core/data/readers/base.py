"""The declaration of a format: Reader and its parts, and sentences of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.readers.logs.evaluations import LogFormat

# The first character of the scripts whose characters are syllables or words.
FIRST_EAST_ASIAN = "\u2e80"
Read = Callable[[TextIO, str], Any]
# What usually groups units, and can be resampled beside the format's own unit.
DOCUMENT = "document"
# Between the name of a file and one of its columns, and between the names of a system and a run.
COLUMN_MARK = " › "


class Utf8(TextIOWrapper):
    """A text stream of UTF-8 bytes without BOM and with \\n alone; ``whole`` saves readers of bytes the decoding."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        super().__init__(BytesIO(data), encoding="utf-8", newline="\n")

    def whole(self) -> bytes:
        """Return all bytes, from the first one on."""
        return self._data


@dataclass(frozen=True, eq=False, kw_only=True)
class Sentences:
    """Sentences of tokens: the index of each sentence's first token, and the line of each token, from 1."""

    name: str
    first_token: np.ndarray
    lines: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of sentences."""
        return len(self.first_token)

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of each sentence, (sentences,)."""
        return np.diff(np.append(self.first_token, len(self.lines)))

    @cached_property
    def token_sentence(self) -> np.ndarray:
        """Sentence of each token."""
        return np.repeat(np.arange(self.n_units), self.lengths)

    def tokens_of(self, sentence: int) -> slice:
        """Return the tokens of one sentence."""
        return slice(*np.append(self.first_token, len(self.lines))[sentence : sentence + 2].tolist())


@dataclass(frozen=True, kw_only=True)
class Editions:
    """A choice between editions of an evaluation: its title and a sentence of help.

    ``usual`` is the default edition, or returns that of a gold; None means that the user has to choose.
    """

    title: str
    help: str
    usual: str | Callable[[Any], str] | None


@dataclass(frozen=True, kw_only=True)
class Companion:
    """Files that accompany the gold, such as the parameters of the evaluation or the source text.

    A file is a companion with this ``role`` if it has one of these ``endings``, or one of these ``names`` before the
    first dot outside the systems' folder. Only those ``with_gold`` are passed to ``Reader.read_gold``: all for the
    test set, or, with ``only_one``, the one named like the gold, else the one named ``standard``, else the only one.
    """

    role: str
    endings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    with_gold: bool = True
    only_one: bool = False
    standard: str = ""

    def includes(self, path: PurePosixPath) -> bool:
        """Return whether the name of a file is one of these."""
        return path.suffix.lower() in self.endings or path.name.lower().partition(".")[0] in self.names


@dataclass(frozen=True, kw_only=True)
class BundleContents:
    """The contents of one file: the lines of the gold and of each output, and the role of each column.

    The lines of an output are made on demand, since a short table can have many units and many outputs. ``runs`` maps
    an output's name to its system and run; it is empty if the file does not number runs.
    """

    units: list[str]
    outputs: Mapping[str, Callable[[], list[str]]]
    roles: Mapping[str, str]
    runs: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """A format in which one file holds the units and every system's output, each in its own column.

    ``split(stream, file name, roles)`` returns the contents, where ``roles`` overrides the roles of columns by name.
    ``roles`` are the roles that a column can have.
    """

    endings: tuple[str, ...]
    roles: tuple[str, ...]
    split: Callable[[TextIO, str, Mapping[str, str]], BundleContents]


class Likeness(NamedTuple):
    """What lines are that may be texts: the format that reads them ("" if none does), and in words ("" if texts).

    ``read_as`` are ways to read files by path that no file shows alone.
    """

    format: str = ""
    what: str = ""
    read_as: Mapping[str, str] = MappingProxyType({})


def _looks_like_nothing(head: str) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Reader:
    """A format: how its files are recognised and read, and everything else that depends on the format alone.

    ``unit`` is the format's word for its units. Output files have one of ``endings``, or of ``shared_endings`` once the
    format is known; in a folder of the systems, also one of ``endings_in_systems`` if its function returns True for the
    beginning of the file. ``gold_endings`` are reserved for gold.
    ``read(stream, file name)`` returns the units of an output: an object with ``n_units`` and ``notes``, and, if known,
    ``documents`` and ``domains``. ``read_gold([(stream, file name), ...])`` returns those of the gold if it differs
    from an output: references (``several_gold``), or gold with ``companions``.

    ``looks_like(beginning of a file)`` distinguishes formats that share an ending. If several fit, ``condenses`` is the
    least factor by which lines of the gold are shorter than those of the source text. ``unlike(gold, [output, ...])``,
    of which path and text are given, returns what the files are if they only look like the format. ``read_as`` maps
    names of alternative ways to read a file to functions like ``read``. ``editions`` describes the choice between
    editions of the metrics, and ``drawing`` names the entry of DRAWINGS that shows a unit.

    ``bundle`` is set if one file holds the gold and all outputs, ``logs`` if each file holds one system's output and
    the gold's units; ``read`` and ``read_gold`` then read the lines that are made of these files. ``version`` changes
    whenever reading a file may give another result; it is part of the cache's key.
    """

    name: str
    unit: str
    endings: tuple[str, ...] = ()
    shared_endings: tuple[str, ...] = ()
    endings_in_systems: Mapping[str, Callable[[str], bool]] = field(default_factory=dict)
    read: Read
    looks_like: Callable[[str], bool] = _looks_like_nothing
    drawing: str = "translations"
    read_gold: Callable[..., Any] | None = None
    several_gold: bool = False
    gold_endings: tuple[str, ...] = ()
    companions: tuple[Companion, ...] = ()
    condenses: float = 0.0
    unlike: Callable[[tuple[str, str], Sequence[tuple[str, str]]], Likeness] | None = None
    read_as: Mapping[str, Read] = field(default_factory=dict)
    editions: Editions | None = None
    bundle: Bundle | None = None
    logs: Mapping[str, LogFormat] = field(default_factory=dict)
    version: int = 1

    def fits(self, gold: str, source: str) -> bool:
        """Return whether lines of the gold are as much shorter than the source's as expected (beginnings of both)."""
        return not self.condenses or _mean_line_length(source) >= self.condenses * _mean_line_length(gold) > 0


def _mean_line_length(text: str) -> float:
    """Return the mean number of characters in a line; a character of an East Asian script counts as three."""
    return sum(3 if character >= FIRST_EAST_ASIAN else 1 for character in text) / (text.count("\n") + 1)
