"""CoNLL-U: text stream -> ParsedText, read like the CoNLL 2017 and 2018 evaluations do."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import whole_number
from nlpsig_core.data.readers.base import Utf8
from nlpsig_core.data.readers.conll.faults import Faults, first_fault, first_wrong, raise_lowest
from nlpsig_core.data.readers.conll.kernels import (
    EMPTY_NODE,
    LINE_FEED,
    N_COLUMNS,
    ODD,
    RANGE,
    WORD,
    find_cells,
    find_ids,
    find_numbers,
    take_characters,
)
from nlpsig_core.data.readers.conll.parsed_text import Fields, ParsedText

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
ID, FORM, HEAD = (COLUMNS.index(name) for name in ("id", "form", "head"))
WORD_FIELDS = {name: COLUMNS.index(name) for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "misc")}
# Forms are compared without Unicode space separators, of which U+3000 is the last.
IS_SPACE = np.array([unicodedata.category(chr(code)) == "Zs" for code in range(0x3001)])
# The most characters of a cell that an error shows.
SHOWN = 40


def looks_like_conllu(head: str) -> bool:
    """Return whether a file begins with rows of ten columns, with comments, ranges or empty nodes unlike CoNLL-X."""
    lines = head.split("\n")[:-1] or [head]
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    only_here = any(line.startswith("#") for line in lines) or any(set("-.") & set(row[0]) for row in rows)
    return bool(rows) and only_here and rows[0][0][:1].isdecimal() and all(len(row) == 10 for row in rows)


def read_conllu(stream: TextIO, name: str) -> ParsedText:
    """Return the trees of a CoNLL-U stream; empty nodes are skipped, comments are kept.

    Raises FileError for everything that the CoNLL evaluations reject: a wrong number of columns, wrong indices, an
    empty form, a head outside the sentence, a cycle, several roots. The error names the first sentence with a fault.
    """
    data = stream.whole() if isinstance(stream, Utf8) else stream.read().encode("utf-8", "surrogatepass")
    try:
        return _parsed_text(name, data)
    except FileError as error:
        text = data.decode("utf-8", "surrogatepass")
        raise first_fault(lambda part: _parsed_text(name, part.encode("utf-8", "surrogatepass")), text, error) from None


def _parsed_text(name: str, data: bytes) -> ParsedText:
    rows, comment_spans = _rows(name, data)
    ids = _ids(rows)
    is_word = ids[0] == WORD
    words = rows.where(is_word)
    n_words = np.bincount(words.sentence, minlength=rows.n_sentences)
    first_word = np.cumsum(n_words) - n_words
    faults = [] if n_words.all() else rows.check(n_words[rows.sentence] == 0, lambda row: "a sentence without words")
    expected = np.arange(1, len(words.line) + 1) - first_word[words.sentence]
    faults += words.check(
        ids[1, is_word] != expected,
        lambda word: f"word ID {words.cell(word, ID)[:SHOWN]} where {expected[word]} is expected",
    )
    begin, end, range_faults = _multiword_spans(rows, ids, first_word, n_words)
    faults += range_faults
    raise_lowest(faults)

    opened = np.bincount(begin, minlength=len(words.line) + 1)
    closed = np.bincount(end, minlength=len(words.line) + 1)
    is_multiword = np.cumsum(opened - closed)[:-1] > 0
    opens_token = ~is_multiword
    opens_token[begin] = True
    is_token = ids[0] == RANGE
    is_token[is_word] = ~is_multiword
    tokens = rows.where(is_token)
    token_length, characters = _characters(tokens)
    faults = tokens.check(token_length == 0, lambda token: "an empty FORM")
    head, head_faults = _heads(words, n_words, first_word)
    raise_lowest(faults + head_faults)
    token_end = np.cumsum(token_length)
    return ParsedText(
        name=name,
        characters=characters,
        token_start=token_end - token_length,
        token_end=token_end,
        token_line=tokens.line,
        word_token=np.cumsum(opens_token) - 1,
        word_line=words.line,
        is_multiword=is_multiword,
        head=head,
        first_word=first_word,
        fields=Fields(words.data, words.starts, WORD_FIELDS),
        comment_spans=comment_spans,
    )


class _Rows(NamedTuple):
    """Rows of ten columns: where each column and the next line start in the file's bytes, its line, its sentence."""

    name: str
    data: bytes
    starts: np.ndarray
    line: np.ndarray
    sentence: np.ndarray
    n_sentences: int

    @property
    def text(self) -> np.ndarray:
        return np.frombuffer(self.data, dtype=np.uint8)

    def where(self, keep: np.ndarray) -> _Rows:
        if keep.all():
            return self
        return self._replace(starts=self.starts[keep], line=self.line[keep], sentence=self.sentence[keep])

    def cell(self, row: int, column: int) -> str:
        begin, end = self.starts[row, column : column + 2].tolist()
        return self.data[begin : end - 1].decode("utf-8", "surrogatepass")

    def check(self, wrong: np.ndarray, reason: Callable[[int], str]) -> Faults:
        return first_wrong(self.name, self.line, wrong, reason)


def _rows(name: str, data: bytes) -> tuple[_Rows, np.ndarray]:
    """Return the rows of a file, and where its comments start and end, each with its sentence."""
    text = np.frombuffer(data, dtype=np.uint8)
    n_lines = np.count_nonzero(text == LINE_FEED) + 1
    # Positions in files below 2 GB take half of the memory.
    starts = np.empty((n_lines, N_COLUMNS + 1), dtype=np.int32 if len(data) < 2**31 - 1 else np.int64)
    line, sentence = np.empty((2, n_lines), dtype=np.int64)
    comments = np.empty((n_lines, 3), dtype=starts.dtype)
    n_rows, n_sentences, n_comments, regular = find_cells(text, starts, line, sentence, comments)
    rows = _Rows(name, data, starts[:n_rows], line[:n_rows], sentence[:n_rows], n_sentences)
    if not regular:
        row = data[rows.starts[-1, 0] : rows.starts[-1, -1] - 1].decode("utf-8", "surrogatepass")
        n_columns = row.count("\t") + 1
        raise FileError(name, int(rows.line[-1]), f"{n_columns} tab-separated columns instead of 10: {row[:60]!r}")
    if not n_sentences:
        raise FileError(name, None, "no sentence found; is this a CoNLL-U file?")
    return rows, comments[:n_comments][comments[:n_comments, 2] < n_sentences]


def _ids(rows: _Rows) -> np.ndarray:
    """Return the kind of each row and the numbers of its ID, of which words have only the first, (3, rows).

    Python reads those of unusual digits; ODD is the kind of those that cannot be read.
    """
    ids = np.empty((3, len(rows.line)), dtype=np.int64)
    find_ids(rows.text, rows.starts, ids)
    for row in np.flatnonzero(ids[0] == ODD).tolist():
        identifier = rows.cell(row, ID)
        parts = identifier.split("-") if "-" in identifier else identifier.split(".")
        numbers = [number for number in map(whole_number, parts) if number is not None]
        if identifier.isdecimal():
            ids[:, row] = WORD, -1, 0
        elif len(parts) == len(numbers) == 2:
            ids[:, row] = RANGE if "-" in identifier else EMPTY_NODE, *numbers
    return ids


def _multiword_spans(
    rows: _Rows, ids: np.ndarray, first_word: np.ndarray, n_words: np.ndarray
) -> tuple[np.ndarray, np.ndarray, Faults]:
    """Return the first word of each multiword token, the word after its last, and faults."""
    kind, low, high = ids
    is_range = (kind == RANGE) | (kind == ODD)
    ranges, unreadable = rows.where(is_range), kind[is_range] == ODD
    low, high, begin = low[is_range], high[is_range], np.cumsum(kind == WORD)[is_range]
    end = begin + high - low + 1
    expected = begin - first_word[ranges.sentence] + 1
    elsewhere = (low != expected) | (low > high) | (high > n_words[ranges.sentence])
    overlaps = begin < np.append(0, end)[:-1]

    def reason(row: int) -> str:
        identifier = ranges.cell(row, ID)
        if unreadable[row]:
            return f"cannot read the ID {identifier[:SHOWN]!r}"
        return (
            f"the multiword token {identifier} {'does not precede its words' if elsewhere[row] else 'overlaps another'}"
        )

    return begin, end, ranges.check(unreadable | elsewhere | overlaps, reason)


def _characters(tokens: _Rows) -> tuple[np.ndarray, str]:
    """Return the number of characters of each token without white space, and the text of all."""
    taken = np.empty(int((tokens.starts[:, FORM + 1] - tokens.starts[:, FORM]).sum()), dtype=np.uint8)
    lengths = np.zeros(len(tokens.line), dtype=np.int64)
    size = take_characters(tokens.text, tokens.starts, FORM, IS_SPACE, taken, lengths)
    return lengths, taken[:size].tobytes().decode("utf-8", "surrogatepass")


def _heads(words: _Rows, n_words: np.ndarray, first_word: np.ndarray) -> tuple[np.ndarray, Faults]:
    """Return heads as word indices within the file, -1 for a root, and faults: each sentence must be one tree."""
    head = np.empty(len(words.line), dtype=np.int64)
    find_numbers(words.text, words.starts, HEAD, head)
    unusual = {word: words.cell(word, HEAD) for word in np.flatnonzero(head < 0).tolist()}
    head[list(unusual)] = [int(cell) if _fits(cell) else -1 for cell in unusual.values()]
    length = np.repeat(n_words, n_words)
    outside = (head < 0) | (head > length)

    def reason(word: int) -> str:
        cell = unusual.get(word, "0")
        if _fits(cell):
            return f"HEAD {head[word]} points outside the sentence of {length[word]} words"
        return f"HEAD {cell[:SHOWN]!r} {'points outside the sentence' if cell.isdecimal() else 'is not a number'}"

    if outside.any():
        return head, words.check(outside, reason)
    parent = np.where(head == 0, -1, head - 1 + np.repeat(first_word, n_words))
    return parent, _tree_faults(words, parent, first_word, n_words)


def _fits(head: str) -> bool:
    """Return whether a head is a number that fits into the array."""
    try:
        return abs(int(head)) < 2**63
    except ValueError:  # also for more than 4,300 digits
        return False


def _tree_faults(words: _Rows, parent: np.ndarray, first_word: np.ndarray, n_words: np.ndarray) -> Faults:
    """Return the first second root and the first word in a cycle."""
    is_root = parent == -1
    roots = np.add.reduceat(is_root, first_word, dtype=np.int64)
    faults: Faults = []
    for sentence in np.flatnonzero(roots > 1)[:1]:
        second = np.flatnonzero(is_root[first_word[sentence] :])[1] + first_word[sentence]
        faults.append(
            FileError(words.name, int(words.line[second]), f"a second root; the sentence has {roots[sentence]}")
        )
    # Pointer doubling: after log2(words) rounds every word has reached the root or is in a cycle.
    ancestor = np.append(np.where(is_root, len(parent), parent), len(parent))
    for _ in range(int(n_words.max()).bit_length()):
        ancestor = ancestor[ancestor]
    return faults + words.check(
        ancestor[:-1] != len(parent), lambda word: "this word never reaches a root: the heads form a cycle"
    )
