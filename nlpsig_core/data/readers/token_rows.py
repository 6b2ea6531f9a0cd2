"""The rows of tokens and tags of a text, whatever its form, with their lines: text -> TokenRows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, json_rows, labels_in, looks_like_json
from nlpsig_core.data.readers.items.rows import plain_name
from nlpsig_core.data.readers.logs.json_values import parsed
from nlpsig_core.data.readers.token_lines import (
    MOST_TAGS,
    OF_TAGS,
    OF_TOKENS,
    SAMPLE,
    TAG,
    Rows,
    TokenRows,
    rows_of_lines,
)

VALID = "tags are O, or B, I, E, L, M, S or U with a type, such as B-PER"
# How often each tag occurs on average that stands alone in lines, of those that mark no chunks.
OFTEN = 10
# A word and its tag, as in Maria/B-PER or sings/VERB, and the tags that are known without a word.
WITH_TAG, TAG_ALONE = re.compile(r"(\S+)[/_](O|[BIMELSU]-\S+)"), re.compile(f"({TAG.pattern})")
WITH_ANY, ANY_ALONE = re.compile(r"(\S+)[/_]([^\s/_]+)"), re.compile(r"(\S+)")
# Universal parts of speech, those of the Penn Treebank, and word-level quality.
KNOWN_ALONE = re.compile(
    "(ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X|OK|BAD"
    "|CC|CD|DT|EX|FW|IN|JJ[RS]?|LS|MD|NNP?S?|PDT|POS|PRP[$]?|RB[RS]?|RP|TO|UH|VB[DGNPZ]?|WDT|WP[$]?|WRB"
    "|[.,:$#]|``|''|-[LR]RB-)"
)


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
