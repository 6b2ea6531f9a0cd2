"""The rows of tokens and tags of a text, whatever its form, with their lines: text -> Rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.guessing import plain_name
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, json_cells, looks_like_json
from nlpsig_core.data.readers.separated import rows_of
from nlpsig_core.data.readers.tables.scores import is_number

DOCUMENT = "-DOCSTART-"
# The prefixes of IOB1, IOB2, IOE1, IOE2, BIOES, BILOU and BMES, and conlleval's brackets for chunks of one token.
TAG = re.compile(r"O|[BIMELSU\[\]](?:-.*)?")
VALID = "tags are O, or B, I, E, L, M, S or U with a type, such as B-PER"
TYPED = re.compile(r"[BIMELSU]-.+")
# A word and its tag, as in Maria/B-PER or sings/VERB, and the tags that are known without a word.
WITH_TAG, TAG_ALONE = re.compile(r"(\S+)[/_](O|[BIMELSU]-\S+)"), re.compile(f"({TAG.pattern})")
WITH_ANY = re.compile(r"(\S+)[/_]([^\s/_]+)")
# Universal parts of speech, those of the Penn Treebank, and word-level quality.
KNOWN_ALONE = re.compile(
    "(ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X|OK|BAD"
    "|CC|CD|DT|EX|FW|IN|JJ[RS]?|LS|MD|NNP?S?|PDT|POS|PRP[$]?|RB[RS]?|RP|TO|UH|VB[DGNPZ]?|WDT|WP[$]?|WRB"
    "|[.,:$#]|``|''|-[LR]RB-)"
)
# The first lines, which tell whether tags mark chunks, and whether commas part columns.
SAMPLE = 200
# Names of columns, compared in lower case with _ for spaces.
OF_TOKENS = frozenset(("token", "tokens", "word", "words", "form"))
OF_TAGS = frozenset(
    "tag tags ner ner_tag ner_tags label labels bio iob entity prediction predictions lang langs language languages"
    " pos pos_tag pos_tags upos xpos".split()
)
OF_SENTENCES = frozenset(("sentence", "sentence_", "sentence_id", "sent_id", "sent", "sentence_idx"))
SPACES, SEPARATORS = re.compile("[ \t]+"), re.compile("[ \t,]+")
# The column of the tag, from the end, if confidences follow.
BEFORE_CONFIDENCE = -2
# Cells of tokens, each row with its line.
Rows = list[tuple[int, list[str]]]


def tokens_of(text: str, name: str) -> Rows:
    """Return the cells of each token with its line; a row without cells, or with DOCUMENT, ends a sentence."""
    if looks_like_json(text):
        return _rows_of_json(text, name)
    lines = text.split("\n")
    return sentences_of_lines(lines) or rows_of_lines(lines)[0]


def _rows_of_json(text: str, name: str) -> Rows:
    """Return the tokens of sentences: the last list of tags of each, and the first list of as many other strings."""
    rows: Rows = []
    cells = json_cells(text, name)
    names = list(map(plain_name, cells.header)) or [""] * len(cells.columns)
    for number, *sentence in zip(cells.lines.tolist(), *cells.columns, strict=True):
        named = [(of, _strings(cell)) for of, cell in zip(names, sentence, strict=True) if LABEL_MARK in cell]
        lists = [own for _, own in named]
        longest = max(map(len, lists), default=0)
        others = [own for of, own in named if of in OF_TAGS and len(own) == longest]
        # A token or its lemma may be I or U.
        chunks = (own for of, own in reversed(named) if of in OF_TAGS or not (others or of in OF_TOKENS))
        tags = next((own for own in chunks if all(map(TAG.fullmatch, own))), others[-1] if others else None)
        if tags is None:
            raise FileError(name, number, f"no list of tags; {VALID}")
        tokens = next((own for own in lists if own is not tags and len(own) == len(tags)), None)
        own = zip(tokens, tags, strict=True) if tokens else zip(tags, strict=True)
        rows += [(number, list(row)) for row in own] + [(number, [])]
    return rows


def _strings(cell: str) -> list[str]:
    return [] if cell == LABEL_MARK else cell.split(LABEL_MARK)[1:]


def sentences_of_lines(lines: Sequence[str]) -> Rows:
    """Return the tokens of lines with a sentence each: of tags, not as many in each line, or of word/TAG; else none."""
    first = next((line.split() for line in lines if line.strip()), [])
    patterns = (TAG_ALONE, WITH_TAG, KNOWN_ALONE, WITH_ANY)
    pattern = next((pattern for pattern in patterns if all(map(pattern.fullmatch, first))), None)
    if pattern is None:
        return []
    cells = [line.split() for line in lines]
    filled = [line for line in cells if line]
    # Lines of as many tags may be columns of chunks, or the tags of the gold and of an output.
    fewest = {TAG_ALONE: len(first) + 1, KNOWN_ALONE: 3}.get(pattern, 0)
    if len(first) < fewest and len(set(map(len, filled))) == 1:
        return []
    rows: Rows = []
    for number, line in enumerate(cells, 1):
        for match in map(pattern.fullmatch, line):
            if match is None:
                return []
            rows.append((number, list(match.groups())))
        rows.append((number, []))
    return rows if filled else []


def rows_of_lines(lines: Sequence[str]) -> tuple[Rows, bool]:
    """Return the tokens of lines with a token each, and whether the first line named the columns.

    Of named columns, only those from the token on are kept, and one of sentences ends them.
    """
    rows, starts, begun, split = Rows(), True, False, _cells
    names: list[str] = []
    first = lines[:SAMPLE]
    commas = 2 * sum("," in line for line in first) >= sum(not is_break(line) for line in first)
    plain, chunks, sentence = next(_plain(lines), ""), _mark_chunks(lines), ""
    for number, line in enumerate(lines, 1):
        if is_break(line):
            ends = line.startswith(DOCUMENT)
            rows.append((number, [DOCUMENT] * ends))
            starts, begun = True, begun or ends
            continue
        row = split(line)
        comment = starts and row[0].startswith("#") and (chunks or _is_comment(row, line, plain, split))
        if comment and not TAG.fullmatch(row[tag_column(row)]):
            continue
        if not rows or not (names or begun):
            # A token of a line in spaces may have a comma, and the first tag may be called pos.
            if not TAG.fullmatch(row[tag_column(row)]) and "\t" not in line and "," in line and commas:
                split = _by_commas
                row = split(line)
            named = list(map(plain_name, row))
            if len(row) > 1 and named[-1] in OF_TAGS and (chunks or not OF_TOKENS.isdisjoint(named)):
                names = named
                continue
        starts = False
        if names:
            here = next((cell for name, cell in zip(names, row, strict=False) if name in OF_SENTENCES), "")
            if here and here != sentence:
                rows.append((number, []))
                sentence = here
            row = row[next((place for place, name in enumerate(names) if name in OF_TOKENS), 0) :]
        rows.append((number, row))
        begun = begun or bool(row)
    return rows, bool(names)


def _is_comment(row: list[str], line: str, plain: str, split: Callable[[str], list[str]]) -> bool:
    """Return whether a row is no token, although # may be one where tags mark no chunks; no such tag is a number."""
    alike = len(row) == len(split(plain)) and ("\t" in line) == ("\t" in plain)
    return row[0] == "#" and (not alike or is_number(row[tag_column(row)]))


def _plain(lines: Iterable[str]) -> Iterator[str]:
    """Return the lines that are neither breaks nor begin like comments."""
    return (line for line in lines if not (is_break(line) or line.startswith("#")))


def _mark_chunks(lines: Sequence[str]) -> bool:
    """Return whether most of the first lines end with a tag of chunks."""
    cells = [SEPARATORS.split(line.strip()) for line in islice(_plain(lines), SAMPLE)]
    column = tag_column(cells[0]) if cells else -1
    return 2 * sum(len(row) >= -column and bool(TAG.fullmatch(row[column])) for row in cells) > len(cells)


def is_break(line: str) -> bool:
    """Return whether a line ends a sentence, as blank ones do and those that start a document."""
    return not line.strip(" \t") or line.startswith(DOCUMENT)


def tag_column(row: list[str]) -> int:
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
