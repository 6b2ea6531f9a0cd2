"""The rows of tokens and tags of lines with a token each: lines -> TokenRows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import groupby, islice
from typing import NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.rows import plain_name
from nlpsig_core.data.readers.separated import rows_of
from nlpsig_core.data.readers.tables.scores import is_number

DOCUMENT = "-DOCSTART-"
# The prefixes of IOB1, IOB2, IOE1, IOE2, BIOES, BILOU and BMES, and conlleval's brackets for chunks of one token.
TAG = re.compile(r"O|[BIMELSU\[\]](?:-.*)?")
TYPED = re.compile(r"[BIMELSU]-.+")
# The most tags that mark no chunks.
MOST_TAGS = 60
# Tags of word-level quality.
QUALITY = frozenset(("OK", "BAD"))
# Lines between sentences for TreeTagger, what it writes where it knows no lemma, and the least share of lemmas that
# begin as their words do.
MARKUP, NO_LEMMA, ALIKE = re.compile(r"<[^\t]+>"), frozenset(("<unknown>", "@card@", "@ord@")), 2 / 3
# The first lines, which tell whether tags mark chunks, and whether commas part columns.
SAMPLE = 200
# Names of columns, compared in lower case with _ for spaces.
OF_TOKENS = frozenset(("token", "tokens", "word", "words", "form"))
OF_TAGS = frozenset(
    "tag tags ner ner_tag ner_tags label labels bio iob entity prediction predictions lang langs language languages"
    " pos pos_tag pos_tags upos xpos gold pred predicted".split()
)
OF_SENTENCES = frozenset(("sentence", "sentence_", "sentence_id", "sent_id", "sent", "sentence_idx"))
SPACES = re.compile("[ \t]+")
# The first columns of HIPE, the line that begins a document there (of 2022 with a prefix), and what the last cell of a
# sentence has, in whatever case.
COARSE, DOCUMENT_ID, END = ["token", "ne_coarse_lit"], re.compile(r"# (hipe2022:)?document_id\b"), "endofsentence"
# What notes say of the columns that are not scored.
LEMMAS = "the last column is read as lemmas, and not scored; the tags are those before it"
ONLY_COARSE = "of HIPE's columns, NE-COARSE-LIT is scored; to score another, put its tags into this one"
# The column of the tag, from the end, if confidences follow.
BEFORE_CONFIDENCE = -2
# Cells of tokens, each row with its line. One without cells, or with DOCUMENT, ends a sentence.
Rows = list[tuple[int, list[str]]]


class TokenRows(NamedTuple):
    """The rows of a text, whether its first line named the columns, and a note on those that are left out, or ""."""

    rows: Rows
    named: bool = False
    note: str = ""


class _Form(NamedTuple):
    """What the first lines tell: how to ``split`` a line into cells, the ``first`` row, and whether it has ``tabs``.

    ``chunks``: tags mark chunks. ``lemmas``: they follow the tags. ``quality``: the columns are those of
    ``_are_of_quality``.
    """

    split: Callable[[str], list[str]]
    first: list[str]
    tabs: bool
    chunks: bool
    lemmas: bool
    quality: bool

    def ends_sentence(self, line: str) -> bool:
        """Return whether a line is between sentences, as <s> is among lemmas."""
        return is_break(line) or (self.lemmas and MARKUP.fullmatch(line) is not None)

    def cells(self, line: str) -> list[str]:
        """Return the cells of a line without the lemma."""
        row = self.split(line)
        return row[:2] if self.lemmas and len(row) == 3 else row

    def is_comment(self, line: str) -> bool:
        """Return whether a line at the beginning of a sentence is a comment.

        Where tags mark no chunks, # may be a token; no such tag is a number.
        """
        row = self.split(line)
        tag = row[tag_column(row)]
        if not row[0].startswith("#") or TAG.fullmatch(tag):
            return False
        alike = len(row) == len(self.first) and ("\t" in line) == self.tabs
        return self.chunks or (_cells(line)[0] == "#" and (not alike or is_number(tag)))


def rows_of_lines(lines: Sequence[str]) -> TokenRows:
    """Return the tokens of lines with a token each.

    Of named columns, only those from the token on are kept, and one of sentences ends them. Those of word-level quality
    are kept from the word on. Lemmas after tags are not kept, and a line such as <s> between them ends sentences.
    """
    form = _form_of(lines)
    if _names_hipe(form.first):
        return TokenRows(_rows_of_hipe(lines, len(form.first)), True, ONLY_COARSE)
    header, names = _header(lines, form)
    of_sentence, of_token = _columns(names, form)
    rows, starts, sentence = Rows(), True, list[str]()
    for number, line in enumerate(lines, 1):
        if form.ends_sentence(line):
            rows.append((number, [DOCUMENT] * line.startswith(DOCUMENT)))
            starts = True
        elif number > header and not (starts and form.is_comment(line)):
            row = form.cells(line)
            here = list(filter(None, row[of_sentence]))
            if here and here != sentence:
                rows.append((number, []))
                sentence = here
            rows.append((number, row[of_token]))
            starts = False
    return TokenRows(rows, header > 0, LEMMAS * form.lemmas)


def _form_of(lines: Sequence[str]) -> _Form:
    plain = list(islice((line for line in lines if not (is_break(line) or line.startswith("#"))), SAMPLE)) or [""]
    split = _by_commas if _are_of_commas(plain) else _cells
    rows = list(map(split, plain))
    return _Form(split, rows[0], "\t" in plain[0], _mark_chunks(rows), _end_with_lemmas(rows), _are_of_quality(rows))


def _header(lines: Sequence[str], form: _Form) -> tuple[int, list[str]]:
    """Return the number of the last line before the first token that names the columns, and these; 0 if none does."""
    header, columns = 0, list[str]()
    for number, line in enumerate(lines, 1):
        if form.ends_sentence(line) or form.is_comment(line):
            continue
        names = list(map(plain_name, form.cells(line)))
        # The first tag may be called pos.
        if len(names) < 2 or names[-1] not in OF_TAGS or not (form.chunks or not OF_TOKENS.isdisjoint(names)):
            break
        header, columns = number, names
    return header, columns


def _columns(names: Sequence[str], form: _Form) -> tuple[slice, slice]:
    """Return the columns that name the sentence, and those from the token on."""
    if form.quality and not names:
        return slice(-3), slice(-2, None)
    sentence = next((slice(n, n + 1) for n, name in enumerate(names) if name in OF_SENTENCES), slice(0))
    return sentence, next((slice(n, None) for n, name in enumerate(names) if name in OF_TOKENS), slice(None))


def _names_hipe(row: Sequence[str]) -> bool:
    """Return whether a row names the columns of HIPE's tables of entities."""
    return list(map(plain_name, row[:2])) == COARSE


def _rows_of_hipe(lines: Sequence[str], width: int) -> Rows:
    """Return the tokens of HIPE's tables, each with its coarse tag, and rows of another width as they are."""
    rows = Rows()
    for number, line in enumerate(lines, 1):
        row, starts = _cells(line), bool(DOCUMENT_ID.match(line))
        if is_break(line) or starts:
            rows.append((number, [DOCUMENT] * starts))
        elif ("\t" in line or not line.startswith("#")) and not _names_hipe(row):
            ends = END in row[-1].lower()
            rows += [(number, row[:2] if len(row) == width else row), *[(number, list[str]())] * ends]
    return rows


def _are_of_commas(lines: Sequence[str]) -> bool:
    """Return whether commas part columns; a token in spaces may have one."""
    several = "\t" not in lines[0] and "," in lines[0] and 2 * sum("," in line for line in lines) >= len(lines)
    row = _cells(lines[0])
    return several and not TAG.fullmatch(row[tag_column(row)])


def _mark_chunks(rows: Sequence[list[str]]) -> bool:
    """Return whether most rows end with a tag of chunks."""
    column = tag_column(rows[0])
    return 2 * sum(len(row) >= -column and bool(TAG.fullmatch(row[column])) for row in rows) > len(rows)


def _end_with_lemmas(rows: Sequence[list[str]]) -> bool:
    """Return whether most rows are a word, its tag and its lemma, as TreeTagger writes them.

    Tags are few, unlike lemmas, of which most begin as the word does.
    """
    whole = [row for row in rows if len(row) == 3]
    tags, lemmas = ({row[column] for row in whole} for column in (1, 2))
    alike = sum(row[2] in NO_LEMMA or row[2][:1].casefold() == row[0][:1].casefold() for row in whole)
    few = len(tags) <= min(MOST_TAGS, len(lemmas) - 1) and not all(map(TAG.fullmatch, lemmas))
    return few and 2 * len(whole) > len(rows) and alike >= ALIKE * len(whole)


def _are_of_quality(rows: Sequence[list[str]]) -> bool:
    """Return whether rows are those of WMT's word-level quality estimation, without blank lines.

    The last four columns are the number of the sentence, that of the word, which counts up, the word, and OK or BAD.
    """
    whole = [row for row in rows if len(row) > 4 and row[-1] in QUALITY and row[-4].isdecimal()]
    sentences = [[row[-3] for row in own] for _, own in groupby(whole, lambda row: row[:-3])]
    count = (own == list(map(str, range(own[0] == "1", len(own) + (own[0] == "1")))) for own in sentences)
    return 2 * len(whole) > len(rows) and all(count)


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
