"""Tokens with tags, of chunks and entities or any others, one per line: text stream -> Tagged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.base import Sentences
from nlpsig_core.data.readers.items.guessing import plain_name
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, json_cells, looks_like_json
from nlpsig_core.data.readers.separated import rows_of
from nlpsig_core.data.readers.tables.scores import is_number

DOCUMENT = "-DOCSTART-"
OUTSIDE = "O"
# The prefixes of IOB1, IOB2, IOE1, IOE2, BIOES, BILOU and BMES, and conlleval's brackets for chunks of one token.
TAG = re.compile(r"O|[BIMELSU\[\]](?:-.*)?")
VALID = "tags are O, or B, I, E, L, M, S or U with a type, such as B-PER"
TYPED = re.compile(r"[BIMELSU]-.+")
NAMED_IN_JSON = re.compile(r'"(?:tags|pos|pos_tags|upos|xpos)"\s*:\s*\[\s*"')
TYPED_IN_JSON, OUTSIDE_IN_JSON = re.compile(r'[\[,]\s*"[BIMELSU]-\w'), re.compile(r'[\[,]\s*"O"')
TYPED_CELL = re.compile(r'(?:^|[\s,/_"])[BIMELSU]-[^\s\d]', re.MULTILINE)
# A word and its tag, as in Maria/B-PER; other tags, as in sings/VERB, and those that are known without a word.
WITH_TAG, TAG_ALONE = re.compile(r"(\S+)[/_](O|[BIMELSU]-\S+)"), re.compile(f"({TAG.pattern})")
WITH_ANY = re.compile(r"(\S+)[/_]([^\sa-z/_]+)")
KNOWN_ALONE = re.compile("(ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X|OK|BAD)")
# Other tags: the most of them, the fewest tokens to tell them by, and how many columns these have. How many lines tell
# whether tags mark chunks.
MOST_TAGS, FEWEST_TOKENS, COLUMNS, SAMPLE = 60, 8, range(2, 6), 200
# Names of columns, compared in lower case with _ for spaces.
OF_TOKENS = frozenset(("token", "tokens", "word", "words", "form"))
OF_TAGS = frozenset(
    "tag tags ner ner_tag ner_tags label labels bio iob entity prediction pos pos_tag pos_tags upos xpos".split()
)
OF_SENTENCES = frozenset(("sentence", "sentence_", "sentence_id", "sent_id", "sent", "sentence_idx"))
SPACES = re.compile("[ \t]+")
# The column of the tag, from the end, if confidences follow.
BEFORE_CONFIDENCE = -2
# Cells of tokens, each row with its line.
Rows = list[tuple[int, list[str]]]


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
        chunks = TYPED_IN_JSON.search(head) and OUTSIDE_IN_JSON.search(head)
        return bool(chunks or (NAMED_IN_JSON.search(head) and '"tokens"' in head))
    lines = head.split("\n")[:-1] or [head]
    if sentences := _sentences_of_lines(lines):
        tags = [row[-1] for _, row in sentences if row]
        return any(map(TYPED.fullmatch, tags)) or all(map(KNOWN_ALONE.fullmatch, tags)) or _are_tags(tags)
    rows, names = _rows_of_lines(lines)
    filled = [row for _, row in rows if row and not row[0].startswith(DOCUMENT)]
    if not filled or any(len(row) != len(filled[0]) for row in filled):
        return False
    tags = [row[_tag_column(filled[0])] for row in filled]
    if all(map(TAG.fullmatch, tags)):
        return (not names and "," not in lines[0]) or any(map(TYPED.fullmatch, tags))
    # Parses have more columns, and identifiers would not recur; a blank line may follow the last row.
    recur = len(filled[0]) in COLUMNS and len({row[0] for row in filled}) < len(filled)
    return recur and any(not row for _, row in rows[:-1]) and _are_tags(tags)


def _are_tags(tags: Sequence[str]) -> bool:
    """Return whether these may be tags that mark no chunks."""
    few = 1 < len(set(tags)) <= min(MOST_TAGS, len(tags) // 2)
    return (
        few
        and len(tags) >= FEWEST_TOKENS
        and not any(map(is_number, set(tags)))
        and not any(map(TYPED.fullmatch, tags))
    )


def gold_beside_tags(text: str) -> list[str]:
    """Return the lines without their last column if it has predictions beside gold tags, as conlleval reads them.

    Nothing if it has not: tags of both columns have types in common, unlike those of chunks and of entities.
    """
    lines = text.removesuffix("\n").split("\n")
    # The last row may be cut off.
    rows = [row for _, row in _rows_of_lines(lines)[0] if row and not row[0].startswith(DOCUMENT)][:-1]
    if not rows or not all(len(row) == len(rows[0]) > 2 for row in rows):
        return []
    gold, own = ({row[column] for row in rows} for column in (-2, -1))
    if not all(map(TAG.fullmatch, gold | own)) or not any(map(TYPED.fullmatch, gold & own)):
        return []
    return [line if _is_break(line) or line.startswith("# ") else line.rstrip().rsplit(None, 1)[0] for line in lines]


def read_tagged(stream: TextIO, name: str) -> Tagged:
    """Return the sentences of a stream of rows whose first column is the token and last column the tag, or only tags.

    If the first row has a number after the tag, the last column has confidences, and the one before it tags. Columns
    are separated by tabs, by spaces if a row has no tab, or by commas. Blank lines end sentences, and so do lines that
    start with -DOCSTART-, which also start a document, and a column named as the sentence. A comment (``# id ...``)
    before a sentence is skipped. A line may also be a sentence of tags or of word/TAG; JSON has a list of tags for each
    sentence, perhaps beside one of tokens. Raises FileError for rows with different numbers of columns, and for other
    tags among those of chunks.
    """
    text = stream.read()
    rows: list[list[str]] = []
    lines: list[int] = []
    first_token: list[int] = []
    documents: list[int] = []
    document, starts = 0, True
    for number, row in _rows(text, name):
        if not row or row[0].startswith(DOCUMENT):
            document += bool(row)
            starts = True
            continue
        if rows and len(row) != len(rows[0]):
            _tags(name, rows, lines)
            raise FileError(name, number, f"{len(row)} columns instead of {len(rows[0])}: {' '.join(row)[:60]!r}")
        if starts:
            first_token.append(len(rows))
            documents.append(document)
            starts = False
        rows.append(row)
        lines.append(number)
    if not rows:
        raise FileError(name, None, "no tagged token found; is this a file of tokens and tags?")
    column = _tag_column(rows[0])
    numbers = np.arange(len(rows)) - np.repeat(first_token, np.diff([*first_token, len(rows)])) + 1
    numbered = len(rows[0]) + column > 1 and all(row[0] == str(n) for row, n in zip(rows, numbers, strict=True))
    tags = _tags(name, rows, lines)
    return Tagged(
        name=name,
        tokens=[row[numbered] for row in rows] if len(rows[0]) + column > 0 else None,
        tags=tags,
        classes=() if all(map(TAG.fullmatch, set(tags))) else tuple(sorted(set(tags))),
        first_token=np.array(first_token),
        lines=np.array(lines),
        confidences=tuple(row[-1] for row in rows) if column == BEFORE_CONFIDENCE else (),
        documents=tuple(f"document {d + (not documents[0])}" for d in documents) if document else (),
    )


def _rows(text: str, name: str) -> Rows:
    """Return the cells of each token with its line; a row without cells, or with DOCUMENT, ends a sentence."""
    if looks_like_json(text):
        return _rows_of_json(text, name)
    lines = text.split("\n")
    return _sentences_of_lines(lines) or _rows_of_lines(lines)[0]


def _rows_of_json(text: str, name: str) -> Rows:
    """Return the tokens of sentences: the last list of tags of each, and the first list of as many other strings."""
    rows: Rows = []
    cells = json_cells(text, name)
    names = list(map(plain_name, cells.header)) or [""] * len(cells.columns)
    for number, *sentence in zip(cells.lines.tolist(), *cells.columns, strict=True):
        named = [
            (of, cell.split(LABEL_MARK)[1:]) for of, cell in zip(names, sentence, strict=True) if LABEL_MARK in cell
        ]
        lists = [own for _, own in named]
        others = [own for of, own in named if of in OF_TAGS]
        tags = next((own for own in reversed(lists) if all(map(TAG.fullmatch, own))), others[-1] if others else None)
        if tags is None:
            raise FileError(name, number, f"no list of tags; {VALID}")
        tokens = next((own for own in lists if own is not tags and len(own) == len(tags)), None)
        own = zip(tokens, tags, strict=True) if tokens else zip(tags, strict=True)
        rows += [(number, list(row)) for row in own] + [(number, [])]
    return rows


def _sentences_of_lines(lines: Sequence[str]) -> Rows:
    """Return the tokens of lines with a sentence each: of tags, not as many in each line, or of word/TAG; else none."""
    first = next((line.split() for line in lines if line.strip()), [])
    patterns = (TAG_ALONE, WITH_TAG, KNOWN_ALONE, WITH_ANY)
    pattern = next((pattern for pattern in patterns if all(map(pattern.fullmatch, first))), None)
    if pattern is None:
        return []
    cells = [line.split() for line in lines]
    filled = [line for line in cells if line]
    if pattern in (TAG_ALONE, KNOWN_ALONE) and len(set(map(len, filled))) == 1:
        return []
    rows: Rows = []
    for number, line in enumerate(cells, 1):
        for match in map(pattern.fullmatch, line):
            if match is None:
                return []
            rows.append((number, list(match.groups())))
        rows.append((number, []))
    return rows if filled else []


def _rows_of_lines(lines: Sequence[str]) -> tuple[Rows, bool]:
    """Return the tokens of lines with a token each, and whether the first line named the columns.

    Of named columns, only those from the token on are kept, and one of sentences ends them.
    """
    rows, starts, begun, split = Rows(), True, False, _cells
    chunks, width = _mark_chunks(lines), 0
    sentence, names = "", list[str]()
    for number, line in enumerate(lines, 1):
        if _is_break(line):
            ends = line.startswith(DOCUMENT)
            rows.append((number, [DOCUMENT] * ends))
            starts, begun = True, begun or ends
            continue
        row = split(line)
        # Where tags mark no chunks, a token may be # or begin so.
        comment = starts and row[0].startswith("#") and (chunks or (row[0] == "#" and len(row) != width))
        if comment and not TAG.fullmatch(row[_tag_column(row)]):
            continue
        if not rows or not (names or begun):
            if not TAG.fullmatch(row[_tag_column(row)]) and "\t" not in line and "," in line:
                split = _by_commas
                row = split(line)
            if plain_name(row[-1]) in OF_TAGS and len(row) > 1:
                names = list(map(plain_name, row))
                continue
        starts = False
        if names:
            here = next((cell for name, cell in zip(names, row, strict=False) if name in OF_SENTENCES), "")
            if here and here != sentence:
                rows.append((number, []))
                sentence = here
            row = row[next((place for place, name in enumerate(names) if name in OF_TOKENS), 0) :]
        rows.append((number, row))
        begun, width = begun or bool(row), len(row)
    return rows, bool(names)


def _mark_chunks(lines: Sequence[str]) -> bool:
    """Return whether tags mark chunks: one has a type, or most of the first ones are tags of chunks."""
    cells = [line.split() for line in lines[:SAMPLE] if line.strip()]
    tags = [row[_tag_column(row)] for row in cells]
    return any(map(TYPED_CELL.search, lines)) or 2 * sum(map(bool, map(TAG.fullmatch, tags))) > len(tags)


def _is_break(line: str) -> bool:
    return not line.strip(" \t") or line.startswith(DOCUMENT)


def _tag_column(row: list[str]) -> int:
    """Return the column of the tag, from the end: before a confidence, or the one after a number and a token."""
    if len(row) > 1 and is_number(row[-1]) and (TAG.fullmatch(row[-2]) or (len(row) > 2 and "." in row[-1])):
        return BEFORE_CONFIDENCE
    numbered = len(row) > 2 and row[0] == "1" and TAG.fullmatch(row[2]) and not TAG.fullmatch(row[-1])
    return 2 - len(row) if numbered else -1


def _cells(line: str) -> list[str]:
    line = line.strip(" \t")
    return [cell.strip(" ") for cell in line.split("\t")] if "\t" in line else SPACES.split(line)


def _by_commas(line: str) -> list[str]:
    cells = line.split(",")
    if '"' in line:
        with suppress(FileError, ValueError):
            ((_, cells),) = rows_of(line, "", ",")
    return list(map(str.strip, cells))


def _tags(name: str, rows: list[list[str]], lines: list[int]) -> list[str]:
    """Return the tags of rows; FileError at the first other one among those of chunks."""
    column = _tag_column(rows[0])
    tags = [row[column] for row in rows]
    numbers = Counter(tags)
    others = {tag for tag in numbers if not TAG.fullmatch(tag)}
    if others and (any(map(TYPED.fullmatch, numbers)) or 2 * sum(numbers[tag] for tag in others) <= len(tags)):
        raise invalid_tag(name, tags, lines)
    return tags


def invalid_tag(name: str, tags: Sequence[str], lines: Iterable[int]) -> FileError:
    """Return the error of the first tag that marks no chunk."""
    line, tag = next((line, tag) for line, tag in zip(lines, tags, strict=True) if not TAG.fullmatch(tag))
    return FileError(name, int(line), f"invalid tag {tag!r}; {VALID}")
