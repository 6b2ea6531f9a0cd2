"""CoNLL-X, the format of the CoNLL 2006 and 2007 shared tasks, and that of 2009: text stream -> Parses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.base import Sentences
from nlpsig_core.data.readers.conll.faults import first_fault, first_wrong, raise_lowest

FORM, HEAD, DEPREL = 1, 6, 7
# PHEAD and PDEPREL are optional.
WIDTHS = (10, 8)
# The columns of CoNLL 2009 up to PDEPREL, and those of HEAD and DEPREL with the automatic ones behind them; after these
# columns, a sentence has as many as it has predicates.
WIDTH_2009, HEADS_2009, DEPRELS_2009 = 12, (8, 9), (10, 11)
# What the first column after these has.
FILLPRED = ("_", "Y")
# The most characters of a cell that an error shows.
SHOWN = 40
# A line of spaces and a comment end a sentence like an empty line does.
BLANK = re.compile(r"\n(?:[ \t]+|#[^\n]*)(?=\n|\Z)")


@dataclass(frozen=True, eq=False, kw_only=True)
class Parses(Sentences):
    """The parses of one file; lists and arrays cover the tokens of the whole file.

    ``head`` is a number within the sentence, 0 for a root; ``relation`` is the DEPREL.
    """

    tokens: list[str]
    head: np.ndarray
    relation: list[str]


def looks_like_conllx(head: str) -> bool:
    """Return whether the first lines of a file are rows of 10 or 8 tab-separated columns with numeric ID and HEAD.

    Those of 2009 have more, numbers in HEAD or PHEAD, and Y or nothing in FILLPRED, unlike wide tables of numbers.
    """
    lines = head.split("\n")[:-1] or [head]
    rows = [line.split("\t") for line in lines if line.strip()]
    if rows and len(rows[0]) > WIDTH_2009:
        return all(
            len(row) > WIDTH_2009
            and row[0].isdecimal()
            and row[WIDTH_2009] in FILLPRED
            and any(row[column].isdecimal() for column in HEADS_2009)
            for row in rows
        )
    return bool(rows) and all(
        len(row) == len(rows[0]) in WIDTHS and row[0].isdecimal() and (row[HEAD].isdecimal() or row[HEAD] == "_")
        for row in rows
    )


def read_conllx(stream: TextIO, name: str) -> Parses:
    """Return the parses of a stream of 10 (or, without PHEAD and PDEPREL, 8) tab-separated columns, or of CoNLL 2009.

    Of the latter, HEAD and DEPREL are read as eval09.pl does, or PHEAD and PDEPREL if HEAD is empty throughout. Heads
    need not form a tree: the official evaluations accept any number. Raises FileError for a wrong number of columns,
    wrong IDs, an empty form, and a head that is not a number from 0 to the length of the sentence. The error names the
    first sentence with a fault.
    """
    text = stream.read()
    try:
        return _parses(name, text)
    except FileError as error:
        raise first_fault(partial(_parses, name), text, error) from None


def _parses(name: str, text: str) -> Parses:
    rows = BLANK.sub("\n", "\n" + text).split("\n")
    lines = np.array([line for line, row in enumerate(rows) if row])
    if not len(lines):
        raise FileError(name, None, "no sentence found; is this a CoNLL-X file?")
    columns, notes = _columns(name, list(filter(None, rows)), lines), tuple[str, ...]()
    if len(columns) == WIDTH_2009:
        columns, notes = _as_conllx(columns)
    first_token = np.flatnonzero(np.diff(lines, prepend=-1) > 1)
    length = np.diff(np.append(first_token, len(lines)))
    number = np.arange(1, len(lines) + 1) - np.repeat(first_token, length)
    _check_ids(name, columns[0], number, lines)
    forms, heads, length = columns[FORM], columns[HEAD], np.repeat(length, length)
    has_form = np.fromiter(map(bool, forms), np.bool_, count=len(forms))
    # More than nine digits exceed every sentence, and possibly the range of the array.
    numbers = (
        int(head) if head.isdecimal() and len(head) < 10 else 10**9 if head.isdecimal() else -1 for head in heads
    )
    head = np.fromiter(numbers, np.int64, count=len(heads))

    def reason(token: int) -> str:
        if head[token] < 0:
            return f"HEAD {heads[token][:SHOWN]!r} is not a number from 0 upwards"
        return f"HEAD {heads[token][:SHOWN]} points outside the sentence of {length[token]} words"

    faults = first_wrong(name, lines, ~has_form, lambda token: "an empty FORM")
    faults += first_wrong(name, lines, (head < 0) | (head > length), reason)
    raise_lowest(faults)
    return Parses(
        name=name, tokens=forms, head=head, relation=columns[DEPREL], first_token=first_token, lines=lines, notes=notes
    )


def _as_conllx(columns: list[list[str]]) -> tuple[list[list[str]], tuple[str, ...]]:
    """Return columns of CoNLL 2009 in the order of CoNLL-X, and a note if the automatic heads are others."""
    heads, relations = ([columns[column] for column in places] for places in (HEADS_2009, DEPRELS_2009))
    automatic = set(heads[0]) == {"_"}
    differ = not automatic and set(heads[1]) != {"_"} and heads[0] != heads[1]
    note = "HEAD and DEPREL are read, as eval09.pl does; PHEAD, which differs, is not"
    return [*columns[:HEAD], heads[automatic], relations[automatic]], (note,) * differ


def _columns(name: str, rows: list[str], lines: np.ndarray) -> list[list[str]]:
    """Split rows into columns. Line breaks become one more field: if all of them are in place, so are the columns."""
    width = rows[0].count("\t") + 1
    if width > WIDTH_2009:
        rows = ["\t".join(row.split("\t", WIDTH_2009)[:WIDTH_2009]) for row in rows]
        width = WIDTH_2009
    width = width if width in (*WIDTHS, WIDTH_2009) else WIDTHS[0]
    fields = "\t\n\t".join(rows).split("\t")
    if len(fields) != (width + 1) * len(rows) - 1 or fields[width :: width + 1].count("\n") != len(rows) - 1:
        for line, row in zip(lines.tolist(), rows, strict=True):
            if (columns := row.count("\t") + 1) != width:
                raise FileError(name, line, f"{columns} tab-separated columns instead of {width}: {row[:60]!r}")
    return [fields[i :: width + 1] for i in range(width)]


def _check_ids(name: str, identifiers: list[str], number: np.ndarray, lines: np.ndarray) -> None:
    expected = list(map(str, number.tolist()))
    if identifiers != expected:
        token = next(token for token, identifier in enumerate(identifiers) if identifier != expected[token])
        reason = f"ID {identifiers[token][:SHOWN]} where {expected[token]} is expected"
        if re.fullmatch(r"[0-9]+[-.][0-9]+", identifiers[token]):
            reason += "; name a CoNLL-U file .conllu"
        raise FileError(name, int(lines[token]), reason)
