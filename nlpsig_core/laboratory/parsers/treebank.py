"""Dependency trees: read from CoNLL-U and CoNLL-X, filled into such files, and encoded for the parsers' loops."""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.texts import text_file

# Columns of a file, and the numbers of columns it may have.
HEAD, RELATION = 6, 7
WIDTHS = (10, 8)
# How much of a cell an error shows, and the digits of a number that an array can hold.
SHOWN, MOST_DIGITS = 40, 18
# Columns of a treebank's codes. A column that a treebank leaves out has the code of an underscore.
COLUMNS = ("form", "lemma", "fine", "coarse", "feats")
# The code of the root in all columns; no word has it, and none has 0, which stands for nothing.
ROOT = 1


class Parse(NamedTuple):
    """The head (from 1, 0 for the root) and the relation of each word of a sentence."""

    heads: Sequence[int]
    relations: Sequence[str]


class ParsedSentence(NamedTuple):
    """A sentence with its parse; ``tags`` are UPOS in CoNLL-U, CPOSTAG in CoNLL-X.

    ``fine_tags`` are XPOS or POSTAG and ``features`` whole FEATS; what is not known may be left out.
    """

    forms: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    lemmas: tuple[str, ...] = ()
    fine_tags: tuple[str, ...] = ()
    features: tuple[str, ...] = ()


def read_treebank(path: Path) -> list[ParsedSentence]:
    """Read the trees of a file; FileError if it cannot be read, and as for ``read_trees``."""
    file = text_file(path)
    return read_trees(io.StringIO(file.text), file.name)


def read_trees(stream: TextIO, name: str, bare: bool = False) -> list[ParsedSentence]:
    """Read the trees of a CoNLL-U or CoNLL-X stream, without multiword tokens and empty nodes.

    With ``bare``, heads are not read: all words are roots. Raises FileError with line and reason for wrong columns or
    numbers, heads that form a cycle, and a file without sentences. Several roots, which CoNLL-X allows, are kept.
    """
    trees: list[ParsedSentence] = []
    rows: list[tuple[int, list[str]]] = []
    for line, text in enumerate([*stream.read().split("\n"), ""], start=1):
        if is_word(text):
            rows.append((line, _columns(name, line, text, len(rows) + 1, bare)))
        elif not text.strip() and rows:
            trees.append(_tree(name, rows))
            rows = []
    if not trees:
        raise FileError(name, None, "no sentence found; is this a CoNLL-U or CoNLL-X file?")
    return trees


def with_columns_of_all(trees: Mapping[str, list[ParsedSentence]]) -> dict[str, list[ParsedSentence]]:
    """Leave out lemmas, fine tags or features that one of several treebanks lacks."""
    lacking = {
        column
        for bank in trees.values()
        for column in ("lemmas", "fine_tags", "features")
        if all(value == "_" for tree in bank for value in getattr(tree, column))
    }
    return {name: [tree._replace(**dict.fromkeys(lacking, ())) for tree in bank] for name, bank in trees.items()}


def is_word(line: str) -> bool:
    """Tell whether a line is a word: not blank, a comment, a multiword token or an empty node."""
    identifier = line.partition("\t")[0]
    parts = identifier.replace(".", "-").split("-")
    return bool(line.strip()) and line[0] != "#" and not (len(parts) == 2 and all(map(str.isdecimal, parts)))


def lacks_heads(text: str) -> bool:
    """Tell whether no word of a CoNLL-U or CoNLL-X text has a head, as in files to be parsed."""
    return all(line.split("\t")[HEAD:RELATION] == ["_"] for line in text.split("\n") if is_word(line))


def _columns(name: str, line: int, text: str, number: int, bare: bool) -> list[str]:
    columns = text.split("\t")
    if len(columns) not in WIDTHS:
        raise FileError(name, line, f"{len(columns)} tab-separated columns instead of 10: {text[:60]!r}")
    if columns[0] != str(number):
        raise FileError(name, line, f"ID {columns[0][:SHOWN]} where {number} is expected")
    if bare:
        columns[HEAD] = "0"
    if not columns[HEAD].isdecimal() or len(columns[HEAD]) > MOST_DIGITS:
        needs = "parsers learn from whole trees, and parse files without any heads"
        raise FileError(name, line, f"HEAD {columns[HEAD][:SHOWN]!r} is not a number from 0 on; {needs}")
    return columns


def _tree(name: str, rows: list[tuple[int, list[str]]]) -> ParsedSentence:
    cells = zip(*(columns[1 : RELATION + 1] for _, columns in rows), strict=True)
    forms, lemmas, tags, fine_tags, features, numbers, relations = cells
    heads = tuple(map(int, numbers))
    for (line, _), head in zip(rows, heads, strict=True):
        if head > len(heads):
            raise FileError(name, line, f"HEAD {head} points outside of the sentence of {len(heads)} words")
    arrived = {0}
    for number, (line, _) in enumerate(rows, start=1):
        path: set[int] = set()
        while number not in arrived:
            if number in path:
                raise FileError(name, line, "this word never reaches a root: the heads form a cycle")
            path.add(number)
            number = heads[number - 1]
        arrived.update(path)
    return ParsedSentence(
        forms=forms, tags=tags, heads=heads, relations=relations, lemmas=lemmas, fine_tags=fine_tags, features=features
    )


def filled(text: str, parses: Sequence[Parse]) -> str:
    """Fill the heads and relations of ``parses`` into a CoNLL-U or CoNLL-X text; words, tags and comments are kept.

    The next column (DEPS or PHEAD) would reveal the gold heads and is emptied.
    """
    answers = (answer for parse in parses for answer in zip(parse.heads, parse.relations, strict=True))
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if is_word(line):
            columns, (head, relation) = line.split("\t"), next(answers)
            columns[HEAD : RELATION + 2] = [str(head), relation, "_"][: len(columns) - HEAD]
            lines[i] = "\t".join(columns)
    return "\n".join(lines)


@dataclass(frozen=True, eq=False, kw_only=True)
class Treebank:
    """Sentences as arrays over nodes: the root of each sentence, then its words.

    ``codes`` (nodes, 5) uint32 are hashes of COLUMNS; ``heads`` (nodes,) are numbers within the sentence, 0 for
    dependents of the root and -1 for the root itself; ``first`` (sentences + 1,) has the root of each sentence, then
    the number of nodes.
    """

    sentences: tuple[ParsedSentence, ...]
    codes: np.ndarray
    heads: np.ndarray
    first: np.ndarray

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.first) - 1

    @property
    def is_word(self) -> np.ndarray:
        """Whether each node is a word and not a root, (nodes,)."""
        return np.asarray(self.heads >= 0)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The relations that occur, sorted."""
        return tuple(sorted({relation for sentence in self.sentences for relation in sentence.relations}))

    @cached_property
    def single_root(self) -> bool:
        """Whether every sentence has exactly one dependent of the root."""
        return all(sentence.heads.count(0) == 1 for sentence in self.sentences)

    def relations(self, labels: Sequence[str]) -> np.ndarray:
        """Return the index of each node's relation in ``labels``, (nodes,); 0 for roots."""
        number = {label: i for i, label in enumerate(labels)}
        return np.array([i for s in self.sentences for i in (0, *(number[r] for r in s.relations))], dtype=np.int64)

    def parses(self, heads: np.ndarray, relations: Sequence[str]) -> list[Parse]:
        """Return heads and relations (nodes,) as a parse for each sentence."""
        ends = zip((self.first[:-1] + 1).tolist(), self.first[1:].tolist(), strict=True)
        return [Parse(heads[a:b].tolist(), list(relations[a:b])) for a, b in ends]


def encode(trees: Sequence[ParsedSentence]) -> Treebank:
    """Encode trees as arrays, identical on every machine; TaskError if there are none."""
    if not trees:
        raise TaskError("A treebank needs at least one sentence; this one is empty")
    lengths = np.array([len(tree.forms) for tree in trees])
    first = np.concatenate([[0], np.cumsum(lengths + 1)])
    words = np.delete(np.arange(first[-1]), first[:-1])
    codes = np.full((first[-1], len(COLUMNS)), ROOT, np.uint32)
    for number, column in enumerate(("forms", "lemmas", "fine_tags", "tags", "features")):
        codes[words, number] = _coded([text for tree in trees for text in _column(tree, column)])
    heads = np.full(first[-1], -1, np.int64)
    heads[words] = list(chain.from_iterable(tree.heads for tree in trees))
    return Treebank(sentences=tuple(trees), codes=codes, heads=heads, first=first)


def _column(tree: ParsedSentence, name: str) -> Sequence[str]:
    """Return a column of a sentence; lower-cased forms replace missing lemmas, coarse tags missing fine ones."""
    given: Sequence[str] = getattr(tree, name) or ("_",) * len(tree.forms)
    substitutes = {"lemmas": [form.lower() for form in tree.forms], "fine_tags": tree.tags}.get(name, given)
    return [other if text == "_" else text for text, other in zip(given, substitutes, strict=True)]


def _coded(texts: list[str]) -> list[int]:
    codes = {text: max(zlib.crc32(text.encode()), ROOT + 1) for text in set(texts)}
    return [codes[text] for text in texts]
