"""Tokens with tags of chunks or entities, one per line: text stream -> Tagged."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TextIO

import numpy as np

from nlpsig_core.errors import FileError

DOCUMENT = "-DOCSTART-"
OUTSIDE = "O"
# The prefixes of IOB1, IOB2, IOE1, IOE2, BIOES, BILOU and BMES, and conlleval's brackets for chunks of one token.
TAG = re.compile(r"O|[BIMELSU\[\]](?:-.*)?")
SPACES = re.compile("[ \t]+")


@dataclass(frozen=True, eq=False, kw_only=True)
class Tagged:
    """The tagged sentences of one file; lists and arrays cover the tokens of the whole file.

    ``tokens`` is None if the file contains only tags. ``first_token`` is the index of each sentence's first token;
    ``lines`` start at 1. ``documents`` has one name per sentence, or none at all.
    """

    name: str
    tokens: list[str] | None
    tags: list[str]
    first_token: np.ndarray
    lines: np.ndarray
    documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of sentences."""
        return len(self.first_token)

    @cached_property
    def token_sentence(self) -> np.ndarray:
        """Sentence of each token."""
        return np.repeat(np.arange(self.n_units), np.diff(np.append(self.first_token, len(self.tags))))


def looks_like_tagged(head: str) -> bool:
    """Whether the first lines of a file are rows with the same number of columns, the last of which is a tag."""
    lines = head.split("\n")[:-1] or [head]
    rows = [_fields(line) for line in lines if not _is_break(line)]
    rows = [row for row in rows if not row[0].startswith("#") or TAG.fullmatch(row[-1])]
    return bool(rows) and all(len(row) == len(rows[0]) and TAG.fullmatch(row[-1]) for row in rows)


def read_tagged(stream: TextIO, name: str) -> Tagged:
    """The sentences of a stream of rows whose first column is the token and last column the tag, or only the tag.

    Columns are separated by tabs, or by spaces if a row has no tab. Blank lines end sentences, and so do lines that
    start with -DOCSTART-, which also start a document. A comment (``# id ...``) before a sentence is skipped. Raises
    FileError for rows with different numbers of columns and for invalid tags.
    """
    tokens: list[str] = []
    tags: list[str] = []
    lines: list[int] = []
    first_token: list[int] = []
    documents: list[int] = []
    width, document, starts = 0, 0, True
    for number, line in enumerate(stream.read().split("\n"), 1):
        if _is_break(line):
            document += line.startswith(DOCUMENT)
            starts = True
            continue
        row = _fields(line)
        if starts and row[0].startswith("#") and not TAG.fullmatch(row[-1]):
            continue
        width = width or len(row)
        if len(row) != width:
            raise FileError(name, number, f"{len(row)} columns instead of {width}: {line[:60]!r}")
        if starts:
            first_token.append(len(tags))
            documents.append(document)
            starts = False
        tokens.append(row[0])
        tags.append(row[-1])
        lines.append(number)
    if not tags:
        raise FileError(name, None, "no tagged token found; is this a file of tokens and tags?")
    _check_tags(name, tags, lines)
    return Tagged(
        name=name,
        tokens=tokens if width > 1 else None,
        tags=tags,
        first_token=np.array(first_token),
        lines=np.array(lines),
        documents=tuple(f"document {d + (not documents[0])}" for d in documents) if document else (),
    )


def _is_break(line: str) -> bool:
    return not line.strip(" \t") or line.startswith(DOCUMENT)


def _fields(line: str) -> list[str]:
    """The columns of a line that is not blank."""
    line = line.strip(" \t")
    return [field.strip(" ") for field in line.split("\t")] if "\t" in line else SPACES.split(line)


def _check_tags(name: str, tags: list[str], lines: list[int]) -> None:
    wrong = {tag for tag in set(tags) if not TAG.fullmatch(tag)}
    for line, tag in zip(lines, tags, strict=True) if wrong else ():
        if tag in wrong:
            reason = f"invalid tag {tag!r}; tags are O, or B, I, E, L, M, S or U with a type, such as B-PER"
            raise FileError(name, line, reason)
