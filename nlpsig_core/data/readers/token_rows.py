"""The rows of tokens and tags of a text, whatever its form, with their lines: text -> Rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, groupby, islice
from typing import NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, json_rows, labels_in, looks_like_json
from nlpsig_core.data.readers.items.rows import plain_name
from nlpsig_core.data.readers.logs.json_values import parsed
from nlpsig_core.data.readers.separated import rows_of
from nlpsig_core.data.readers.tables.scores import is_number

DOCUMENT = "-DOCSTART-"
# The prefixes of IOB1, IOB2, IOE1, IOE2, BIOES, BILOU and BMES, and conlleval's brackets for chunks of one token.
TAG = re.compile(r"O|[BIMELSU\[\]](?:-.*)?")
VALID = "tags are O, or B, I, E, L, M, S or U with a type, such as B-PER"
TYPED = re.compile(r"[BIMELSU]-.+")
# The most tags that mark no chunks, and how often each of those occurs on average that stand alone in lines.
MOST_TAGS, OFTEN = 60, 10
# A word and its tag, as in Maria/B-PER or sings/VERB, and the tags that are known without a word.
WITH_TAG, TAG_ALONE = re.compile(r"(\S+)[/_](O|[BIMELSU]-\S+)"), re.compile(f"({TAG.pattern})")
WITH_ANY, ANY_ALONE = re.compile(r"(\S+)[/_]([^\s/_]+)"), re.compile(r"(\S+)")
# Universal parts of speech, those of the Penn Treebank, and word-level quality.
KNOWN_ALONE = re.compile(
    "(ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X|OK|BAD"
    "|CC|CD|DT|EX|FW|IN|JJ[RS]?|LS|MD|NNP?S?|PDT|POS|PRP[$]?|RB[RS]?|RP|TO|UH|VB[DGNPZ]?|WDT|WP[$]?|WRB"
    "|[.,:$#]|``|''|-[LR]RB-)"
)
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


def tokens_of(text: str, name: str) -> TokenRows:
    """Return the rows of a text, which may have a sentence in each line or be JSON."""
    if looks_like_json(text):
        return TokenRows(_rows_of_json(text, name))
    lines = text.split("\n")
    if sentences := sentences_of_lines(lines):
        return TokenRows(sentences)
    few = _matched(lines, ANY_ALONE, 0) if are_of_few_words(lines) else []
    return TokenRows(few) if few else rows_of_lines(lines)


def _rows_of_json(text: str, name: str) -> Rows:
    """Return the tokens of sentences: the last list of tags of each, and the first list of as many other strings.

    Without a list of tags, those of a list of pairs of a token and its tag.
    """
    rows: Rows = []
    cells = json_rows(text, name)
    names = list(map(plain_name, cells.header)) or [""] * len(cells.columns)
    for number, *sentence in zip(cells.lines.tolist(), *cells.columns, strict=True):
        named = [(of, labels_in(cell)) for of, cell in zip(names, sentence, strict=True) if LABEL_MARK in cell]
        lists = [strings for _, strings in named]
        longest = max(map(len, lists), default=0)
        others = [strings for of, strings in named if of in OF_TAGS and len(strings) == longest]
        # A token or its lemma may be I or U.
        chunks = (strings for of, strings in reversed(named) if of in OF_TAGS or not (others or of in OF_TOKENS))
        tags = next((each for each in chunks if all(map(TAG.fullmatch, each))), others[-1] if others else None)
        if tags is not None:
            tokens = next((each for each in lists if each is not tags and len(each) == len(tags)), [])
            own = list(map(list, zip(tokens, tags, strict=True) if tokens else zip(tags, strict=True)))
        elif not (own := next(filter(None, map(_pairs, lists)), [])):
            raise FileError(name, number, f"no list of tags; {VALID}")
        rows += [*((number, row) for row in own), (number, [])]
    return rows


def _pairs(strings: Sequence[str]) -> list[list[str]]:
    """Return the cells of the tokens of a sentence, each a list of JSON; nothing if one is none."""
    try:
        rows = [parsed(string.encode()) for string in strings if string.startswith("[")]
    except ValueError:
        return []
    whole = len(rows) == len(strings) and all(len(row) > 1 for row in rows)
    return [list(map(str, row)) for row in rows] if whole else []


def sentences_of_lines(lines: Sequence[str]) -> Rows:
    """Return the tokens of lines with a sentence each: of known tags, or of word/TAG; else none."""
    first = next((line.split() for line in lines if line.strip()), [])
    # Lines of as many tags may be columns of chunks, or the tags of the gold and of an output.
    patterns = {TAG_ALONE: len(first) + 1, WITH_TAG: 0, KNOWN_ALONE: 3, WITH_ANY: 0}
    fitting = (pattern for pattern in patterns if all(map(pattern.fullmatch, first)))
    return next(filter(None, (_matched(lines, pattern, patterns[pattern]) for pattern in fitting)), [])


def _matched(lines: Sequence[str], pattern: re.Pattern[str], fewest: int) -> Rows:
    """Return the tokens of lines if all fit a pattern; none if each has as many, and fewer than the ``fewest``."""
    cells = [line.split() for line in lines]
    filled = [line for line in cells if line]
    if not filled or (len(filled[0]) < fewest and len(set(map(len, filled))) == 1):
        return []
    rows: Rows = []
    for number, line in enumerate(cells, 1):
        for match in map(pattern.fullmatch, line):
            if match is None:
                return []
            rows.append((number, list(match.groups())))
        rows.append((number, []))
    return rows


def are_of_few_words(lines: Sequence[str]) -> bool:
    """Return whether the first lines are of few words, each of which occurs often, and most not of as many."""
    first = lines[:SAMPLE]
    cells = [line.split() for line in first if line.strip()]
    words, lengths = Counter(chain.from_iterable(cells)), Counter(map(len, cells))
    few = len(words) <= MOST_TAGS and OFTEN * len(words) <= words.total()
    return few and 2 * max(lengths.values(), default=1) <= len(cells) and not any("\t" in line for line in first)


def rows_of_lines(lines: Sequence[str]) -> TokenRows:
    """Return the tokens of lines with a token each.

    Of named columns, only those from the token on are kept, and one of sentences ends them. Those of word-level quality
    are kept from the word on. Lemmas after tags are not kept, and a line such as <s> between them ends sentences.
    """
    plain = list(islice((line for line in lines if not (is_break(line) or line.startswith("#"))), SAMPLE)) or [""]
    split = _by_commas if _are_of_commas(plain) else _cells
    first = list(map(split, plain))
    if _names_hipe(first[0]):
        return TokenRows(_rows_of_hipe(lines, len(first[0])), True, ONLY_COARSE)
    chunks, lemmas, quality = _mark_chunks(first), _end_with_lemmas(first), _are_of_quality(first)
    # The cells that name the sentence, if any do, and those of the token, if others are beside them.
    of_sentence, of_token = (slice(-3), slice(-2, None)) if quality else (None, None)
    rows, starts, begun, named, sentence = Rows(), True, False, False, list[str]()
    for number, line in enumerate(lines, 1):
        if is_break(line) or (lemmas and MARKUP.fullmatch(line)):
            rows.append((number, [DOCUMENT] * line.startswith(DOCUMENT)))
            starts = True
            continue
        row = split(line)
        if starts and row[0].startswith("#") and not TAG.fullmatch(row[tag_column(row)]):
            # Where tags mark no chunks, # may be a token; no such tag is a number.
            alike = len(row) == len(first[0]) and ("\t" in line) == ("\t" in plain[0])
            if chunks or (_cells(line)[0] == "#" and (not alike or is_number(row[tag_column(row)]))):
                continue
        row = row[:2] if lemmas and len(row) == 3 else row
        names = list(map(plain_name, row)) if not begun else []
        # The first tag may be called pos.
        if len(names) > 1 and names[-1] in OF_TAGS and (chunks or not OF_TOKENS.isdisjoint(names)):
            named = True
            of_sentence = next((slice(n, n + 1) for n, name in enumerate(names) if name in OF_SENTENCES), None)
            of_token = next((slice(n, None) for n, name in enumerate(names) if name in OF_TOKENS), None)
            continue
        here = list(filter(None, row[of_sentence])) if of_sentence else []
        if here and here != sentence:
            rows.append((number, []))
            sentence = here
        rows.append((number, row[of_token] if of_token else row))
        starts, begun = False, True
    return TokenRows(rows, named, LEMMAS * lemmas)


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
