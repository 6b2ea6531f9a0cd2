"""Tokens with tags of chunks or entities, one per line: text stream -> Tagged."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.base import Sentences
from nlpsig_core.data.readers.tables.scores import is_number

DOCUMENT = "-DOCSTART-"
OUTSIDE = "O"
# The prefixes of IOB1, IOB2, IOE1, IOE2, BIOES, BILOU and BMES, and conlleval's brackets for chunks of one token.
TAG = re.compile(r"O|[BIMELSU\[\]](?:-.*)?")
SPACES = re.compile("[ \t]+")
# The column of the tag, from the end, if confidences follow.
BEFORE_CONFIDENCE = -2


@dataclass(frozen=True, eq=False, kw_only=True)
class Tagged(Sentences):
    """The tagged sentences of one file; lists and arrays cover the tokens of the whole file.

    ``tokens`` is None if the file contains only tags. ``documents`` has one name per sentence, or none at all.
    ``confidences`` are the cells of a column after the tags, unchanged, or empty if the file has none.
    """

    tokens: list[str] | None
    tags: list[str]
    confidences: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def looks_like_tagged(head: str) -> bool:
    """Return whether the first lines of a file are rows with the same number of columns, the last of which is a tag.

    If a confidence follows the tag in the first row, the last column but one has the tags.
    """
    lines = head.split("\n")[:-1] or [head]
    rows = [row for line in lines if not _is_break(line) and not _is_comment(row := _cells(line))]
    return bool(rows) and all(len(row) == len(rows[0]) and TAG.fullmatch(row[_tag_column(rows[0])]) for row in rows)


def read_tagged(stream: TextIO, name: str) -> Tagged:
    """Return the sentences of a stream of rows whose first column is the token and last column the tag, or only tags.

    If the first row has a number after the tag, the last column has confidences, and the one before it tags. Columns
    are separated by tabs, or by spaces if a row has no tab. Blank lines end sentences, and so do lines that start with
    -DOCSTART-, which also start a document. A comment (``# id ...``) before a sentence is skipped. Raises FileError for
    rows with different numbers of columns and for invalid tags.
    """
    rows: list[list[str]] = []
    lines: list[int] = []
    first_token: list[int] = []
    documents: list[int] = []
    document, starts = 0, True
    for number, line in enumerate(stream.read().split("\n"), 1):
        if _is_break(line):
            document += line.startswith(DOCUMENT)
            starts = True
            continue
        row = _cells(line)
        if starts and _is_comment(row):
            continue
        if rows and len(row) != len(rows[0]):
            _tags(name, rows, lines)
            raise FileError(name, number, f"{len(row)} columns instead of {len(rows[0])}: {line[:60]!r}")
        if starts:
            first_token.append(len(rows))
            documents.append(document)
            starts = False
        rows.append(row)
        lines.append(number)
    if not rows:
        raise FileError(name, None, "no tagged token found; is this a file of tokens and tags?")
    column = _tag_column(rows[0])
    return Tagged(
        name=name,
        tokens=[row[0] for row in rows] if len(rows[0]) + column > 0 else None,
        tags=_tags(name, rows, lines),
        first_token=np.array(first_token),
        lines=np.array(lines),
        confidences=tuple(row[-1] for row in rows) if column == BEFORE_CONFIDENCE else (),
        documents=tuple(f"document {d + (not documents[0])}" for d in documents) if document else (),
    )


def _is_break(line: str) -> bool:
    return not line.strip(" \t") or line.startswith(DOCUMENT)


def _is_comment(row: list[str]) -> bool:
    return row[0].startswith("#") and not TAG.fullmatch(row[_tag_column(row)])


def _tag_column(row: list[str]) -> int:
    """Return the column of the tag, from the end: before the last one if that is a number and this a tag."""
    confident = len(row) > 1 and TAG.fullmatch(row[BEFORE_CONFIDENCE]) and is_number(row[-1])
    return BEFORE_CONFIDENCE if confident else -1


def _cells(line: str) -> list[str]:
    line = line.strip(" \t")
    return [cell.strip(" ") for cell in line.split("\t")] if "\t" in line else SPACES.split(line)


def _tags(name: str, rows: list[list[str]], lines: list[int]) -> list[str]:
    """Return the tags of rows; FileError at the first invalid one."""
    column = _tag_column(rows[0])
    tags = [row[column] for row in rows]
    if wrong := {tag for tag in set(tags) if not TAG.fullmatch(tag)}:
        line, tag = next((line, tag) for line, tag in zip(lines, tags, strict=True) if tag in wrong)
        reason = f"invalid tag {tag!r}; tags are O, or B, I, E, L, M, S or U with a type, such as B-PER"
        raise FileError(name, line, reason)
    return tags
