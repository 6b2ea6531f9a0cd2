"""CoNLL-X, the format of the CoNLL 2006 and 2007 shared tasks: text stream -> Parses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.readers.conll.faults import Faults, first_fault, raise_lowest

FORM, HEAD, DEPREL = 1, 6, 7
# PHEAD and PDEPREL are optional.
WIDTHS = (10, 8)
# How much of a cell an error shows.
SHOWN = 40
# A line of spaces ends a sentence like an empty line does.
BLANK = re.compile(r"\n[ \t]+(?=\n|\Z)")


@dataclass(frozen=True, eq=False, kw_only=True)
class Parses:
    """The parses of one file; lists and arrays cover the tokens of the whole file.

    ``head`` is a number within the sentence, 0 for a root; ``relation`` is the DEPREL; ``lines`` start at 1;
    ``first_token`` is the index of each sentence's first token.
    """

    name: str
    tokens: list[str]
    head: np.ndarray
    relation: list[str]
    first_token: np.ndarray
    lines: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of sentences."""
        return len(self.first_token)

    @cached_property
    def token_sentence(self) -> np.ndarray:
        """Sentence of each token."""
        return np.repeat(np.arange(self.n_units), np.diff(np.append(self.first_token, len(self.tokens))))


def looks_like_conllx(head: str) -> bool:
    """Whether the first lines of a file are rows of 10 or 8 tab-separated columns with numeric ID and HEAD."""
    lines = head.split("\n")[:-1] or [head]
    rows = [line.split("\t") for line in lines if line.strip()]
    return bool(rows) and all(
        len(row) == len(rows[0]) in WIDTHS and row[0].isdecimal() and (row[HEAD].isdecimal() or row[HEAD] == "_")
        for row in rows
    )


def read_conllx(stream: TextIO, name: str) -> Parses:
    """The parses of a stream of 10 (or, without PHEAD and PDEPREL, 8) tab-separated columns.

    Heads need not form a tree: the official evaluations accept any number. Raises FileError for a wrong number of
    columns, wrong IDs, an empty form, and a head that is not a number from 0 to the length of the sentence. It is about
    the first sentence with a fault.
    """
    text = stream.read()
    try:
        return _parses(name, text)
    except FileError as error:
        raise first_fault(partial(_parses, name), text, error) from None


def _parses(name: str, text: str) -> Parses:
    bodies, first_lines = _sentences(BLANK.sub("\n", "\n" + text))
    if not bodies:
        raise FileError(name, None, "no sentence found; is this a CoNLL-X file?")
    length = np.array([body.count("\n") + 1 for body in bodies])
    first_token = np.cumsum(length) - length
    lines = np.repeat(np.array(first_lines) - first_token, length) + np.arange(length.sum())
    columns = _split(name, "\n".join(bodies), lines)
    _check_numbers(name, columns[0], length, lines)
    forms = columns[FORM]
    faults = [] if all(forms) else [FileError(name, int(lines[forms.index("")]), "an empty FORM")]
    head = _heads(name, columns[HEAD], np.repeat(length, length), lines, faults)
    raise_lowest(faults)
    return Parses(name=name, tokens=forms, head=head, relation=columns[DEPREL], first_token=first_token, lines=lines)


def _sentences(text: str) -> tuple[list[str], list[int]]:
    """The rows of each sentence and the line of its first; ``text`` has a line break before its first line."""
    bodies, first_lines, line = [], [], 0
    for block in text.split("\n\n"):
        body = block.strip("\n")
        if body:
            bodies.append(body)
            first_lines.append(line + len(block) - len(block.lstrip("\n")))
        line += block.count("\n") + 2
    return bodies, first_lines


def _split(name: str, body: str, lines: np.ndarray) -> list[list[str]]:
    """The columns. Line breaks become one more field: if all of them are in place, so are the columns."""
    width = body.partition("\n")[0].count("\t") + 1
    width = width if width in WIDTHS else WIDTHS[0]
    fields = body.replace("\n", "\t\n\t").split("\t")
    if len(fields) != (width + 1) * len(lines) - 1 or fields[width :: width + 1].count("\n") != len(lines) - 1:
        for line, row in zip(lines.tolist(), body.split("\n"), strict=True):
            if row.startswith("#"):
                raise FileError(name, line, "a comment, which CoNLL-X does not allow; name a CoNLL-U file .conllu")
            if (columns := row.count("\t") + 1) != width:
                raise FileError(name, line, f"{columns} tab-separated columns instead of {width}: {row[:60]!r}")
    return [fields[i :: width + 1] for i in range(width)]


def _check_numbers(name: str, identifiers: list[str], length: np.ndarray, lines: np.ndarray) -> None:
    numbers = [str(i + 1) for i in range(length.max())]
    expected = list(chain.from_iterable(numbers[:n] for n in length.tolist()))
    if identifiers != expected:
        w = next(w for w, number in enumerate(expected) if identifiers[w] != number)
        reason = f"ID {identifiers[w][:SHOWN]} where {expected[w]} is expected"
        if re.fullmatch(r"[0-9]+[-.][0-9]+", identifiers[w]):
            reason += "; name a CoNLL-U file .conllu"
        raise FileError(name, int(lines[w]), reason)


def _heads(name: str, heads: list[str], length: np.ndarray, lines: np.ndarray, faults: Faults) -> np.ndarray:
    """Heads as numbers within the sentence."""
    for w in [w for w, head in enumerate(heads) if not head.isdecimal()][:1]:
        faults.append(FileError(name, int(lines[w]), f"HEAD {heads[w][:SHOWN]!r} is not a number from 0 upwards"))
    # More than nine digits exceed every sentence, and possibly the range of the array.
    numbers = (int(head) if head.isdecimal() and len(head) < 10 else 10**9 for head in heads)
    head = np.fromiter(numbers, np.int64, count=len(heads))
    for w in np.flatnonzero(head > length)[:1]:
        reason = f"HEAD {heads[w][:SHOWN]} points outside the sentence of {length[w]} words"
        faults.append(FileError(name, int(lines[w]), reason))
    return head
