"""Text stream -> units; one module a format, one entry here to add one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from nlpsig_core.readers.alignments import READ_AS, looks_like_alignments, read_alignments, read_gold_alignments
from nlpsig_core.readers.brackets import looks_like_trees, read_gold_trees, read_trees
from nlpsig_core.readers.conllu import looks_like_conllu, read_conllu
from nlpsig_core.readers.conllx import looks_like_conllx, read_conllx
from nlpsig_core.readers.lines import looks_like_lines, read_lines, read_references
from nlpsig_core.readers.scores import read_scored_units, read_scores
from nlpsig_core.readers.tagged import looks_like_tagged, read_tagged

# The first character of the scripts whose characters are syllables or words.
EAST_ASIAN = "\u2e80"
Read = Callable[[TextIO, str], Any]


@dataclass(frozen=True)
class Reader:
    """A format: what its units are called, the endings that files of it may have, and how it is read.

    ``read(stream, file name)`` gives an output's units: an object with ``n_units`` and ``notes``, where known
    also ``documents`` and ``domains``; ``read_gold([(stream, file name), ...])`` gives the gold's where that is
    more than one file (``several_gold``: references; ``with_gold``: roles of files that are read with it).
    ``looks_like(beginning of a file)`` tells formats of the same ending apart, and ``condenses`` a format
    whose gold has lines that many times shorter than the input's. ``read_as`` are other ways to read a file.
    """

    name: str
    unit: str
    endings: tuple[str, ...]
    read: Read
    looks_like: Callable[[str], bool]
    read_gold: Callable[..., Any] | None = None
    several_gold: bool = False
    with_gold: tuple[str, ...] = ()
    condenses: float = 0.0
    read_as: Mapping[str, Read] = field(default_factory=dict)
    version: int = 1

    def fits(self, gold: str, source: str) -> bool:
        """Whether the gold's lines are as much shorter than the input's as they should be (beginnings of both)."""
        return not self.condenses or mean_line(source) >= self.condenses * mean_line(gold) > 0


def mean_line(text: str) -> float:
    """Mean length of the lines of a text in letters; a character of East Asian scripts counts as three."""
    return sum(3 if character >= EAST_ASIAN else 1 for character in text) / (text.count("\n") + 1)


# Of formats with the same ending the first one that looks like the file is taken.
READERS = {
    "CoNLL-U": Reader("CoNLL-U", "sentence", (".conllu", ".conll"), read_conllu, looks_like_conllu),
    "CoNLL-X": Reader(
        "CoNLL-X", "sentence", (".conllx", ".conll", ".conll06", ".conll07", ".txt"), read_conllx, looks_like_conllx
    ),
    "Tagged tokens": Reader(
        "Tagged tokens", "sentence", (".bio", ".iob", ".iob2", ".bioes", ".tags", ".conll", ".txt"), read_tagged,
        looks_like_tagged,
    ),
    "Bracketed trees": Reader(
        "Bracketed trees", "sentence", (".mrg", ".gld", ".tst", ".ptb", ".trees", ".brackets", ".parse", ".txt"),
        read_trees, looks_like_trees, read_gold_trees, with_gold=("parameters",),
    ),
    "Word alignments": Reader(
        "Word alignments", "sentence", (".align", ".talp", ".wa", ".pharaoh", ".txt"), read_alignments,
        looks_like_alignments, read_gold_alignments, with_gold=("input",), read_as=READ_AS,
    ),
    "Summaries": Reader(
        "Summaries", "document", (".txt",), read_lines, looks_like_lines, read_references, several_gold=True,
        condenses=2.5,
    ),
    "Translations": Reader(
        "Translations", "segment", (".txt",), read_lines, looks_like_lines, read_references, several_gold=True
    ),
    "Score table": Reader("Score table", "unit", (), read_scores, lambda head: False, read_scored_units),
}  # fmt: skip
ENDINGS = {
    ending: tuple(reader for reader in READERS.values() if ending in reader.endings)
    for reader in READERS.values()
    for ending in reader.endings
}
