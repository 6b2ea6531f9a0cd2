"""CoNLL-U: text stream -> ParsedText, read like the CoNLL 2017 and 2018 evaluations do."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import whole_number
from nlpsig_core.data.readers.base import Utf8
from nlpsig_core.data.readers.conll.faults import Faults, first_fault, raise_lowest
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
# Forms are compared without Unicode space separators, of which U+3000 is the last.
IS_SPACE = np.array([unicodedata.category(chr(code)) == "Zs" for code in range(0x3001)])
# How much of a cell an error shows.
SHOWN = 40
WORD_FIELDS = {name: COLUMNS.index(name) for name in ("form", "lemma", "upos", "xpos", "feats", "deprel", "misc")}


def looks_like_conllu(head: str) -> bool:
    """Whether a file begins with rows of ten columns, and has comments, ranges or empty nodes, unlike CoNLL-X."""
    lines = head.split("\n")[:-1] or [head]
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    only_here = any(line.startswith("#") for line in lines) or any(set("-.") & set(row[0]) for row in rows)
    return bool(rows) and only_here and all(len(row) == 10 for row in rows)


def read_conllu(stream: TextIO, name: str) -> ParsedText:
    """The trees of a CoNLL-U stream; empty nodes are skipped, comments are kept.

    Raises FileError for everything that the CoNLL evaluations reject: a wrong number of columns, wrong indices, an
    empty form, a head outside the sentence, a cycle, several roots. It is about the first sentence with a fault.
    """
    data = _bytes(stream)
    try:
        return _parsed_text(name, data)
    except FileError as error:
        text = data.decode("utf-8", "surrogatepass")
        raise first_fault(lambda part: _parsed_text(name, part.encode("utf-8", "surrogatepass")), text, error) from None


def _parsed_text(name: str, data: bytes) -> ParsedText:
    rows, comment_spans = _rows(name, data)
    ids = _ids(rows)
    is_word = ids.kind == WORD
    words = rows.where(is_word)
    n_words = np.bincount(words.sentence, minlength=rows.n_sentences)
    first_word = np.cumsum(n_words) - n_words
    faults = [
        FileError(name, int(rows.line[rows.sentence == empty][0]), "a sentence without words")
        for empty in np.flatnonzero(n_words == 0)[:1]
    ]
    _check_numbers(name, words, ids.low[is_word], first_word, faults)
    begin, end = _multiword_spans(name, rows, ids, first_word, n_words, faults)
    raise_lowest(faults)

    opened = np.bincount(begin, minlength=len(words.line) + 1)
    closed = np.bincount(end, minlength=len(words.line) + 1)
    is_multiword = np.cumsum(opened - closed)[:-1] > 0
    opens_token = ~is_multiword
    opens_token[begin] = True
    is_token = ids.kind == RANGE
    is_token[is_word] = ~is_multiword
    tokens = rows.where(is_token)
    token_start, token_end, characters = _characters(name, tokens, faults)
    head = _heads(name, words, n_words, first_word, faults)
    raise_lowest(faults)
    return ParsedText(
        name=name,
        characters=characters,
        token_start=token_start,
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


def _bytes(stream: TextIO) -> bytes:
    """The content of a stream as UTF-8."""
    return stream.whole() if isinstance(stream, Utf8) else stream.read().encode("utf-8", "surrogatepass")


class _Rows(NamedTuple):
    """Rows of ten columns: where each column and the next line start in the file's bytes, its line, its sentence."""

    data: bytes
    starts: np.ndarray
    line: np.ndarray
    sentence: np.ndarray
    n_sentences: int

    @property
    def text(self) -> np.ndarray:
        return np.frombuffer(self.data, dtype=np.uint8)

    def where(self, keep: np.ndarray) -> _Rows:
        """Some of the rows."""
        if keep.all():
            return self
        return self._replace(starts=self.starts[keep], line=self.line[keep], sentence=self.sentence[keep])

    def cell(self, row: int | np.integer, column: int) -> str:
        """What a cell holds."""
        begin, end = self.starts[row, column : column + 2].tolist()
        return self.data[begin : end - 1].decode("utf-8", "surrogatepass")


class _Ids(NamedTuple):
    """What each row is and the numbers of its ID, of which words have only the first, (rows,)."""

    kind: np.ndarray
    low: np.ndarray
    high: np.ndarray


def _rows(name: str, data: bytes) -> tuple[_Rows, np.ndarray]:
    """The rows of a file, and where its comments start and end, each with its sentence."""
    text = np.frombuffer(data, dtype=np.uint8)
    n_lines = np.count_nonzero(text == LINE_FEED) + 1
    # Places in files below 2 GB take half of the memory.
    starts = np.empty((n_lines, N_COLUMNS + 1), dtype=np.int32 if len(data) < 2**31 - 1 else np.int64)
    line, sentence = np.empty((2, n_lines), dtype=np.int64)
    comments = np.empty((n_lines, 3), dtype=starts.dtype)
    n_rows, n_sentences, n_comments, regular = find_cells(text, starts, line, sentence, comments)
    rows = _Rows(data, starts[:n_rows], line[:n_rows], sentence[:n_rows], n_sentences)
    if not regular:
        row = data[rows.starts[-1, 0] : rows.starts[-1, -1] - 1].decode("utf-8", "surrogatepass")
        n_columns = row.count("\t") + 1
        raise FileError(name, int(rows.line[-1]), f"{n_columns} tab-separated columns instead of 10: {row[:60]!r}")
    if not n_sentences:
        raise FileError(name, None, "no sentence found; is this a CoNLL-U file?")
    return rows, comments[:n_comments][comments[:n_comments, 2] < n_sentences]


def _ids(rows: _Rows) -> _Ids:
    """The IDs of all rows; those of unusual digits are read by Python, and ODD is what cannot be read."""
    ids = np.empty((3, len(rows.line)), dtype=np.int64)
    find_ids(rows.text, rows.starts, ids)
    for row in np.flatnonzero(ids[0] == ODD):
        identifier = rows.cell(row, ID)
        parts = identifier.split("-") if "-" in identifier else identifier.split(".")
        numbers = [number for number in map(whole_number, parts) if number is not None]
        if identifier.isdecimal():
            ids[:, row] = WORD, -1, 0
        elif len(parts) == len(numbers) == 2:
            ids[:, row] = RANGE if "-" in identifier else EMPTY_NODE, *numbers
    return _Ids(*ids)


def _check_numbers(name: str, words: _Rows, number: np.ndarray, first_word: np.ndarray, faults: Faults) -> None:
    expected = np.arange(1, len(number) + 1) - first_word[words.sentence]
    for w in np.flatnonzero(number != expected)[:1]:
        reason = f"word ID {words.cell(w, ID)[:SHOWN]} where {expected[w]} is expected"
        faults.append(FileError(name, int(words.line[w]), reason))


def _multiword_spans(
    name: str, rows: _Rows, ids: _Ids, first_word: np.ndarray, n_words: np.ndarray, faults: Faults
) -> tuple[np.ndarray, np.ndarray]:
    """The first word of each multiword token and the word after its last; empty nodes are skipped."""
    token = np.flatnonzero((ids.kind == RANGE) | (ids.kind == ODD))
    sentence, low, high = rows.sentence[token], ids.low[token], ids.high[token]
    begin = np.cumsum(ids.kind == WORD)[token]
    end = begin + high - low + 1
    unreadable = ids.kind[token] == ODD
    elsewhere = (low != begin - first_word[sentence] + 1) | (low > high) | (high > n_words[sentence])
    overlaps = begin < np.append(0, end)[:-1]
    for i in np.flatnonzero(unreadable | elsewhere | overlaps)[:1]:
        identifier, line = rows.cell(token[i], ID), int(rows.line[token[i]])
        fault = "does not precede its words" if elsewhere[i] else "overlaps another"
        reason = f"the multiword token {identifier} {fault}"
        faults.append(FileError(name, line, f"cannot read the ID {identifier[:SHOWN]!r}" if unreadable[i] else reason))
    return begin, end


def _characters(name: str, tokens: _Rows, faults: Faults) -> tuple[np.ndarray, np.ndarray, str]:
    """Start and end of each token in the text without white space, and this text."""
    taken = np.empty(int((tokens.starts[:, FORM + 1] - tokens.starts[:, FORM]).sum()), dtype=np.uint8)
    lengths = np.zeros(len(tokens.line), dtype=np.int64)
    size = take_characters(tokens.text, tokens.starts, FORM, IS_SPACE, taken, lengths)
    if not lengths.all():
        faults.append(FileError(name, int(tokens.line[np.argmin(lengths)]), "an empty FORM"))
    end = np.cumsum(lengths)
    return end - lengths, end, taken[:size].tobytes().decode("utf-8", "surrogatepass")


def _heads(name: str, words: _Rows, n_words: np.ndarray, first_word: np.ndarray, faults: Faults) -> np.ndarray:
    """Heads as word indices within the file, -1 for a root; each sentence must be one tree."""
    head, line = np.empty(len(words.line), dtype=np.int64), words.line
    find_numbers(words.text, words.starts, HEAD, head)
    unusual = {w: words.cell(w, HEAD) for w in np.flatnonzero(head < 0).tolist()}
    head[list(unusual)] = [int(cell) if _fits(cell) else -1 for cell in unusual.values()]
    for w, cell in [(w, cell) for w, cell in unusual.items() if not _fits(cell)][:1]:
        fault = "points outside the sentence" if cell.isdecimal() else "is not a number"
        faults.append(FileError(name, int(line[w]), f"HEAD {cell[:SHOWN]!r} {fault}"))
    length = np.repeat(n_words, n_words)
    for w in np.flatnonzero((head < 0) | (head > length))[:1]:
        reason = f"HEAD {head[w]} points outside the sentence of {length[w]} words"
        faults.append(FileError(name, int(line[w]), reason))
        return head
    parent = np.where(head == 0, -1, head - 1 + np.repeat(first_word, n_words))
    _check_trees(name, parent, n_words, first_word, line, faults)
    return parent


def _fits(head: str) -> bool:
    """Whether a head is a number that fits into the array."""
    try:
        return abs(int(head)) < 2**63
    except ValueError:  # also of more than 4,300 digits
        return False


def _check_trees(
    name: str, parent: np.ndarray, n_words: np.ndarray, first_word: np.ndarray, line: np.ndarray, faults: Faults
) -> None:
    roots = np.add.reduceat(parent == -1, first_word, dtype=np.int64)
    for bad in np.flatnonzero(roots > 1)[:1]:
        begin = first_word[bad]
        second = np.flatnonzero(parent[begin : begin + n_words[bad]] == -1)[1]
        faults.append(FileError(name, int(line[begin + second]), f"a second root; the sentence has {roots[bad]}"))
    # Pointer doubling: after log2(words) rounds every word has reached the root or is in a cycle.
    ancestor = np.append(np.where(parent < 0, len(parent), parent), len(parent))
    for _ in range(int(n_words.max()).bit_length()):
        ancestor = ancestor[ancestor]
    for w in np.flatnonzero(ancestor[:-1] != len(parent))[:1]:
        faults.append(FileError(name, int(line[w]), "this word never reaches a root: the heads form a cycle"))
