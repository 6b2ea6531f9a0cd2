"""Read dependency trees from CoNLL-U and CoNLL-X, and fill predicted trees into such files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from nlpsig_core.base.errors import FileError

FORM, LEMMA, TAG, FINE_TAG, FEATURES, HEAD, RELATION = 1, 2, 3, 4, 5, 6, 7
WIDTHS = (10, 8)
# How much of a cell an error shows, and the digits of a number that an array can hold.
SHOWN, MOST_DIGITS = 40, 18


class Parse(NamedTuple):
    """Head (from 1, 0 for the root) and relation of each word of a sentence."""

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


def treebank_text(path: Path) -> str:
    """The text of a treebank's file, line breaks as \\n; FileError where it cannot be read."""
    try:
        data = path.read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(path.name, line, "not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise FileError(str(path), None, f"cannot be read ({error.strerror})") from None


def read_treebank(path: Path) -> list[ParsedSentence]:
    """The trees of a file; FileError as for ``treebank_text`` and ``read_trees``."""
    return read_trees(io.StringIO(treebank_text(path)), path.name)


def read_trees(stream: TextIO, name: str) -> list[ParsedSentence]:
    """The trees of a CoNLL-U or CoNLL-X stream, without multiword tokens and empty nodes.

    Raises FileError with line and reason for wrong columns or numbers, heads that form a cycle, and a file
    without sentences. Several roots, which CoNLL-X allows, are kept.
    """
    trees: list[ParsedSentence] = []
    rows: list[tuple[int, list[str]]] = []
    for line, text in enumerate([*stream.read().split("\n"), ""], start=1):
        if is_word(text):
            rows.append((line, _columns(name, line, text, len(rows) + 1)))
        elif not text.strip() and rows:
            trees.append(_tree(name, rows))
            rows = []
    if not trees:
        raise FileError(name, None, "no sentence found; is this a CoNLL-U or CoNLL-X file?")
    return trees


def with_columns_of_all(trees: Mapping[str, list[ParsedSentence]]) -> dict[str, list[ParsedSentence]]:
    """The trees of several treebanks without lemmas, fine tags or features that one of them lacks."""
    lacking = {
        column
        for of_one in trees.values()
        for column in ("lemmas", "fine_tags", "features")
        if all(value == "_" for tree in of_one for value in getattr(tree, column))
    }
    return {name: [tree._replace(**dict.fromkeys(lacking, ())) for tree in of_one] for name, of_one in trees.items()}


def is_word(line: str) -> bool:
    """Whether a line is a word: not blank, no comment, no multiword token and no empty node."""
    identifier = line.partition("\t")[0]
    parts = identifier.replace(".", "-").split("-")
    return bool(line.strip()) and line[0] != "#" and not (len(parts) == 2 and all(map(str.isdecimal, parts)))


def _columns(name: str, line: int, text: str, number: int) -> list[str]:
    columns = text.split("\t")
    if len(columns) not in WIDTHS:
        raise FileError(name, line, f"{len(columns)} tab-separated columns instead of 10: {text[:60]!r}")
    if columns[0] != str(number):
        raise FileError(name, line, f"ID {columns[0][:SHOWN]} where {number} is expected")
    if not columns[HEAD].isdecimal() or len(columns[HEAD]) > MOST_DIGITS:
        raise FileError(
            name, line, f"HEAD {columns[HEAD][:SHOWN]!r} is not a number from 0 on; parsers learn from whole trees"
        )
    return columns


def _tree(name: str, rows: list[tuple[int, list[str]]]) -> ParsedSentence:
    heads = [int(columns[HEAD]) for _, columns in rows]
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
    column = [tuple(columns[i] for _, columns in rows) for i in range(RELATION + 1)]
    return ParsedSentence(
        forms=column[FORM],
        tags=column[TAG],
        heads=tuple(heads),
        relations=column[RELATION],
        lemmas=column[LEMMA],
        fine_tags=column[FINE_TAG],
        features=column[FEATURES],
    )


def filled(text: str, parses: Sequence[Parse]) -> str:
    """A CoNLL-U or CoNLL-X text with the heads and relations of ``parses``; words, tags and comments are kept.

    The next column (DEPS or PHEAD) would reveal the gold heads and is emptied.
    """
    answers = [answer for parse in parses for answer in zip(parse.heads, parse.relations, strict=True)]
    lines, number = text.split("\n"), 0
    for i, line in enumerate(lines):
        if is_word(line):
            columns = line.split("\t")
            columns[HEAD], columns[RELATION] = str(answers[number][0]), answers[number][1]
            columns[RELATION + 1 : RELATION + 2] = ["_"] * (len(columns) > RELATION + 1)
            lines[i] = "\t".join(columns)
            number += 1
    return "\n".join(lines)


def projective(heads: Sequence[int]) -> list[int]:
    """Heads (from 1) without crossing arcs and with one root.

    Further roots are attached to the first. Arcs over a word that is not below their head are lifted to the head of
    their head, short arcs first (Nivre and Nilsson 2005).
    """
    result = list(heads)
    root = result.index(0) + 1
    result = [root if head == 0 and number != root else head for number, head in enumerate(result, start=1)]
    while crossing := [(abs(n - h), n) for n, h in enumerate(result, start=1) if h and not _spans(result, n, h)]:
        number = min(crossing)[1]
        result[number - 1] = result[result[number - 1] - 1]
    return result


def _spans(heads: Sequence[int], number: int, head: int) -> bool:
    """Whether all words between a word and its head are below that head."""
    low, high = min(number, head), max(number, head)
    between = heads[low : high - 1]
    # If all heads are within the ends of the arc, every path leads to the head.
    if all(low <= other <= high for other in between):
        return True
    for other in range(low + 1, high):
        while other not in (0, head):
            other = heads[other - 1]
        if other != head:
            return False
    return True
