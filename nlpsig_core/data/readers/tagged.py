"""Tokens with tags, of chunks and entities or any others, one per line: text stream -> Tagged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import groupby, pairwise, product
from operator import eq
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.base import Sentences
from nlpsig_core.data.readers.items.json_rows import looks_like_json
from nlpsig_core.data.readers.items.rows import plain_name
from nlpsig_core.data.readers.tables.scores import is_number
from nlpsig_core.data.readers.token_lines import (
    BEFORE_CONFIDENCE,
    DOCUMENT,
    MOST_TAGS,
    OF_TAGS,
    OF_TOKENS,
    TAG,
    TYPED,
    Rows,
    rows_of_lines,
    tag_column,
)
from nlpsig_core.data.readers.token_rows import KNOWN_ALONE, VALID, sentences_of_lines, tokens_of

OUTSIDE = "O"
# What tags of chunks have with a type, and others with errors in them.
PREFIXED = re.compile(rf"{TYPED.pattern}|[^\W\d_]-\w+")
# The type of a chunk without a prefix, as Stanford NER writes it.
TYPE = re.compile(r"(?!.-)[^\W\d_]\S+")
# A list of strings by its name, and a string; tags of chunks.
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
NAMED_LIST = re.compile(rf'"(\w+)"\s*:\s*\[((?:[\s,]*{STRING.pattern})+)\s*\]')
TYPED_IN_JSON, OUTSIDE_IN_JSON = re.compile(r'[\[,]\s*"[BIMELSU]-\w'), re.compile(r'[\[,]\s*"O"')
# The fewest tokens of pairs to tell tags by, and the most columns of tags that mark no chunks.
FEWEST_TOKENS, MOST_COLUMNS = 8, 5
# The end of one sentence of pairs in JSON and the beginning of the next; and a pair.
BETWEEN_PAIRS = re.compile(r"\]\s*\]\s*,?\s*\[\s*\[")
PAIR = re.compile(rf"\[\s*{STRING.pattern}\s*,\s*({STRING.pattern})\s*\]")
PLAIN = "tags beside O have no prefixes: neighbours with the same tag are read as one entity"
INNER = "the last column is read as tags of inner chunks, and not scored; the tags are those before it"


@dataclass(frozen=True, eq=False, kw_only=True)
class Tagged(Sentences):
    """The tagged sentences of one file; lists and arrays cover the tokens of the whole file.

    ``tokens`` is None if the file contains only tags. ``documents`` has one name per sentence, or none at all.
    ``confidences`` are the cells of a column after the tags, unchanged, or empty if the file has none. ``classes`` are
    the distinct tags if they mark no chunks, else none.
    """

    tokens: list[str] | None
    tags: list[str]
    classes: tuple[str, ...] = ()
    confidences: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def looks_like_tagged(head: str) -> bool:
    """Return whether the first lines of a file are rows with the same number of columns, the last of which is a tag.

    If a confidence follows the tag in the first row, the last column but one has the tags. Where names of columns,
    commas, JSON, or lines of sentences make them less plain, one tag needs a type. Tags that mark no chunks are few,
    and blank lines part sentences of tokens that recur.
    """
    if looks_like_json(head):
        chunks = bool(TYPED_IN_JSON.search(head) and OUTSIDE_IN_JSON.search(head))
        return chunks or _are_as_many(head) or _are_pairs(head)
    lines = head.split("\n")[:-1] or [head]
    if sentences := sentences_of_lines(lines):
        words, tags = ([row[place] for row in _filled(sentences)] for place in (0, -1))
        if any(map(TYPED.fullmatch, tags)) or (words == tags and all(map(KNOWN_ALONE.fullmatch, tags))):
            return True
        # Names with slashes or underscores have mostly lower case; the tag of a comma may be a comma.
        marks = any(word == tag and not any(map(str.isalnum, tag)) for word, tag in zip(words, tags, strict=True))
        return (are_plain(tags) or marks or all(tag == tag.upper() for tag in tags)) and _are_tags(sentences, tags)
    rows, named, _ = rows_of_lines(lines)
    filled = _filled(rows)
    if not filled or any(len(row) != len(filled[0]) for row in filled):
        return False
    tags = [row[tag_column(filled[0])] for row in filled]
    if all(map(TAG.fullmatch, tags)):
        return (not named and "," not in lines[0]) or any(map(TYPED.fullmatch, tags))
    return _are_tags(rows, tags)


def _filled(rows: Rows) -> list[list[str]]:
    """Return the cells of the rows with a token."""
    return [row for _, row in filter(_is_token, rows)]


def _is_token(row: tuple[int, Sequence[str]]) -> bool:
    """Return whether a row with its line has a token, and does not end a sentence or start a document."""
    return bool(row[1]) and not row[1][0].startswith(DOCUMENT)


def _are_tags(rows: Rows, tags: Sequence[str]) -> bool:
    """Return whether tags mark no chunks: they are few, of tokens that recur in sentences, but mostly not at once.

    Ids of documents do so, speakers are fewer, and items may have a blank line each; parses have more columns. Of tags
    alone, those that are known. Tokens of plain chunks need not recur.
    """
    filled = _filled(rows)
    sentences = sum(bool(row) and not before for (_, before), (_, row) in pairwise([(0, list[str]()), *rows]))
    numbered = len(filled[0]) > 2 and all(row[0].isdecimal() for row in filled)
    words, classes = [row[numbered] for row in filled], set(tags)
    clear = known = all(map(KNOWN_ALONE.fullmatch, classes))
    if words != tags:
        at_once = sum(word == before for before, word in pairwise(words))
        clear = (known or len(set(words)) >= len(classes)) and len(set(words)) < len(words) > 2 * at_once
        clear = (clear or are_plain(tags)) and not all(map(is_number, words))
    return (
        clear
        and 1 < len(classes) <= min(MOST_TAGS, len(tags) // 2)
        and 1 < sentences <= len(tags) // 2
        and len(filled[0]) <= MOST_COLUMNS
        and not any(is_number(tag) or PREFIXED.fullmatch(tag) for tag in classes)
    )


def are_plain(tags: Sequence[str]) -> bool:
    """Return whether tags are of chunks without prefixes: O most often, and types that are not all parts of speech."""
    number = Counter(tags)
    return may_be_plain(number.keys()) and number[OUTSIDE] == max(number.values())


def may_be_plain(tags: Set[str]) -> bool:
    """Return whether distinct tags are O and types of chunks without prefixes."""
    types = tags - {OUTSIDE}
    plain = all(map(TYPE.fullmatch, types)) and not all(map(KNOWN_ALONE.fullmatch, types))
    return OUTSIDE in tags and plain


def parts_of(tag: str) -> tuple[str, str]:
    """Return the prefix and the type of a tag of chunks; I is that of a type without one."""
    prefix, _, kind = tag.partition("-")
    return (prefix, kind) if TAG.fullmatch(tag) else ("I", tag)


def _are_as_many(head: str) -> bool:
    """Return whether each sentence of JSON has as many tags as tokens, unlike texts with a set of labels."""
    lengths: dict[str, list[int]] = {}
    for name, strings in NAMED_LIST.findall(head):
        lengths.setdefault(plain_name(name), []).append(len(STRING.findall(strings)))
    tokens, tags = ([own for name, own in lengths.items() if name in names] for names in (OF_TOKENS, OF_TAGS))
    return any(all(map(eq, *both)) for both in product(tokens, tags))


def _are_pairs(head: str) -> bool:
    """Return whether sentences of JSON are lists of pairs of a token and a known tag."""
    tags = [tag[1:-1] for tag in PAIR.findall(head)] if BETWEEN_PAIRS.search(head) else []
    return len(tags) >= FEWEST_TOKENS and len(set(tags)) > 1 and all(map(KNOWN_ALONE.fullmatch, tags))


def gold_beside_tags(text: str) -> list[str]:
    """Return the rows without their last column if it has predictions beside gold tags, as conlleval reads them.

    Nothing if it has not: tags of both columns have types in common, unlike those of chunks and of entities. Those that
    mark no chunks are mostly the same.
    """
    rows = rows_of_lines(text.removesuffix("\n").split("\n")).rows
    # The last row may be cut off.
    filled = _filled(rows)[:-1]
    if not filled or not all(len(row) == len(filled[0]) > 2 for row in filled):
        return []
    gold, own = ([row[column] for row in filled] for column in (-2, -1))
    if all(map(TAG.fullmatch, {*gold, *own})):
        if not any(map(TYPED.fullmatch, {*gold} & {*own})) or _are_nested(filled):
            return []
    elif 2 * sum(map(eq, gold, own)) <= len(own) or not (_are_tags(rows[:-1], gold) and _are_tags(rows[:-1], own)):
        return []
    elif plain_name(filled[0][0]) in OF_TOKENS:
        return []  # other names of columns
    return without_column(text, -1)


def without_column(text: str, column: int) -> list[str]:
    """Return the rows of a text without a column, counted from the end."""
    rows = rows_of_lines(text.removesuffix("\n").split("\n")).rows
    return ["\t".join(row[:column] + row[len(row) + column + 1 :] or row) for _, row in rows]


def _are_nested(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether numbered tokens have tags of chunks and those of chunks inside them, as GermEval has them.

    Predictions beside gold tags are mostly the same, and inner chunks are fewer than those around them.
    """
    if len(rows[0]) != 4 or rows[0][0] != "1" or not all(TAG.fullmatch(tag) for row in rows for tag in row[2:]):
        return False
    outer, inner = ([row for row in rows if row[column] != OUTSIDE] for column in (2, 3))
    types = [{parts_of(row[column])[1] for row in own} for own, column in ((outer, 2), (inner, 3))]
    alike = not types[0].isdisjoint(types[1]) if inner else any(types[0])
    return alike and 3 * len(inner) <= len(outer) and 2 * sum(row[2] == row[3] for row in inner) <= len(inner)


def read_tagged(stream: TextIO, name: str) -> Tagged:
    """Return the sentences of a stream of rows whose first column is the token and last column the tag, or only tags.

    If the first row has a number after the tag, the last column has confidences, and the one before it tags. So it is
    if the last column has lemmas, or tags of inner chunks, which a note says. Columns are separated by tabs, by spaces
    if a row has no tab, or by commas. Blank lines end sentences, and so do lines that start with -DOCSTART-, which also
    start a document, and a column named as the sentence. HIPE's tables have their coarse tags, documents and ends of
    sentences. A comment (``# id ...``) before a sentence is skipped. A line may also be a sentence of tags or of
    word/TAG; JSON has a list of tags for each sentence, perhaps beside one of tokens, or a list of pairs. Raises
    FileError for rows with different numbers of columns, and for other tags among those of chunks.
    """
    tokens, _, note = tokens_of(stream.read(), name)
    rows, lines, first_token, documents = list[list[str]](), list[int](), list[int](), list[int]()
    document = 0
    for are_tokens, part in groupby(tokens, _is_token):
        numbers, cells = zip(*part, strict=True)
        if are_tokens:
            first_token.append(len(rows))
            documents.append(document)
            rows += cells
            lines += numbers
        else:
            document += sum(map(bool, cells))
    if not rows:
        raise FileError(name, None, "no tagged token found; is this a file of tokens and tags?")
    if (odd := next((number for number, row in enumerate(rows) if len(row) != len(rows[0])), 0)) > 0:
        # A wrong tag before a row of a chunk is the cause.
        tags = [row[tag_column(rows[0])] for row in rows[:odd]]
        _check(name, [*tags, *filter(TAG.fullmatch, rows[odd][-1:])], lines)
        reason = f"{len(rows[odd])} columns instead of {len(rows[0])}: {' '.join(rows[odd])[:60]!r}"
        raise FileError(name, lines[odd], reason)
    nested = _are_nested(rows)
    column = BEFORE_CONFIDENCE if nested else tag_column(rows[0])
    places = np.arange(len(rows)) - np.repeat(first_token, np.diff([*first_token, len(rows)])) + 1
    numbered = len(rows[0]) + column > 1 and all(row[0] == str(n) for row, n in zip(rows, places, strict=True))
    tags = [row[column] for row in rows]
    _check(name, tags, lines)
    plain = are_plain(tags)
    return Tagged(
        name=name,
        tokens=[row[numbered] for row in rows] if len(rows[0]) + column > 0 else None,
        tags=tags,
        classes=() if plain or all(map(TAG.fullmatch, set(tags))) else tuple(sorted(set(tags))),
        first_token=np.array(first_token),
        lines=np.array(lines),
        confidences=tuple(row[-1] for row in rows) if column == BEFORE_CONFIDENCE and not nested else (),
        notes=tuple(filter(None, (INNER if nested else note, PLAIN * plain))),
        documents=tuple(f"document {d + (not documents[0])}" for d in documents) if document else (),
    )


def _check(name: str, tags: Sequence[str], lines: Sequence[int]) -> None:
    """Raise FileError at the first tag of no chunk if a third are of chunks, or one has a prefix like these."""
    distinct = set(tags)
    others = {tag for tag in distinct if not TAG.fullmatch(tag)}
    chunks = 3 * sum(tag not in others for tag in tags) >= len(tags) or any(map(PREFIXED.fullmatch, distinct))
    if others and chunks and not may_be_plain(distinct):
        raise invalid_tag(name, tags, lines)


def invalid_tag(name: str, tags: Sequence[str], lines: Iterable[int]) -> FileError:
    """Return the error of the first tag that marks no chunk."""
    line, tag = next((line, tag) for line, tag in zip(lines, tags, strict=False) if not TAG.fullmatch(tag))
    return FileError(name, int(line), f"invalid tag {tag!r}; {VALID}")
