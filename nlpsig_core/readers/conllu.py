"""CoNLL-U: text stream -> ParsedText, read like the CoNLL 2017 and 2018 evaluations do."""

from __future__ import annotations

import unicodedata
from itertools import chain, compress
from typing import NamedTuple, TextIO

import numpy as np

from nlpsig_core.errors import FileError
from nlpsig_core.readers.parsed_text import ParsedText
from nlpsig_core.words import whole_number

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
# Forms are compared without Unicode space separators.
SPACES = {code: None for code in range(0x3001) if unicodedata.category(chr(code)) == "Zs"}
# How much of a cell an error shows.
SHOWN = 40
WORD_FIELDS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "misc")


def looks_like_conllu(head: str) -> bool:
    """Whether a file begins with rows of ten columns, and has comments, ranges or empty nodes, unlike CoNLL-X."""
    lines = head.split("\n")[:-1] or [head]
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    only_here = any(line.startswith("#") for line in lines) or any(set("-.") & set(row[0]) for row in rows)
    return bool(rows) and only_here and all(len(row) == 10 for row in rows)


def read_conllu(stream: TextIO, name: str) -> ParsedText:
    """The trees of a CoNLL-U stream; empty nodes are skipped, comments are kept.

    Raises FileError for everything that the CoNLL evaluations reject: a wrong number of columns, wrong indices, an
    empty form, a head outside the sentence, a cycle, several roots.
    """
    blocks = _blocks(stream.read())
    if not blocks:
        raise FileError(name, None, "no sentence found; is this a CoNLL-U file?")
    n_rows = np.array([block.n_rows for block in blocks])
    first_row = np.cumsum(n_rows) - n_rows
    row_line = np.repeat([block.line for block in blocks] - first_row, n_rows) + np.arange(n_rows.sum())
    columns = _split(name, [block.body for block in blocks], row_line)
    row_sentence = np.repeat(np.arange(len(blocks)), n_rows)
    return _assemble(name, columns, row_line, row_sentence, tuple(block.comments for block in blocks))


class _Block(NamedTuple):
    """The lines of one sentence: its comments, and ``n_rows`` rows of columns that start at line ``line``."""

    comments: tuple[str, ...]
    body: str
    line: int
    n_rows: int


def _blocks(text: str) -> list[_Block]:
    blocks, line, comments = [], 1, []
    for block in text.split("\n\n"):
        body = block.strip("\n")
        first = line + len(block) - len(block.lstrip("\n"))
        while body.startswith("#"):
            comment, _, body = body.partition("\n")
            comments.append(comment)
            first += 1
        if body:
            blocks.append(_Block(tuple(comments), body, first, body.count("\n") + 1))
            comments = []
        line += block.count("\n") + 2
    return blocks


def _split(name: str, bodies: list[str], row_line: np.ndarray) -> list[list[str]]:
    """The ten columns. Line breaks become an eleventh field: if all of them are in place, so are the columns."""
    body = "\n".join(bodies)
    fields = body.replace("\n", "\t\n\t").split("\t")
    if len(fields) != 11 * len(row_line) - 1 or fields[10::11].count("\n") != len(row_line) - 1:
        for line, row in zip(row_line, body.split("\n"), strict=True):
            if (tabs := row.count("\t")) != 9:
                raise FileError(name, int(line), f"{tabs + 1} tab-separated columns instead of 10: {row[:60]!r}")
    return [fields[i::11] for i in range(10)]


def _assemble(
    name: str,
    columns: list[list[str]],
    row_line: np.ndarray,
    row_sentence: np.ndarray,
    comments: tuple[tuple[str, ...], ...],
) -> ParsedText:
    identifiers = columns[0]
    is_word = list(map(str.isdecimal, identifiers))
    line, sentence = row_line[is_word], row_sentence[is_word]
    n_words = np.bincount(sentence, minlength=len(comments))
    for empty in np.flatnonzero(n_words == 0)[:1]:
        raise FileError(name, int(row_line[row_sentence == empty][0]), "a sentence without words")
    first_word = np.cumsum(n_words) - n_words
    _check_numbers(name, _where(identifiers, is_word), n_words, line)
    spans = _multiword_spans(name, identifiers, is_word, row_line, first_word[row_sentence], n_words[row_sentence])

    is_multiword = np.zeros(len(line), dtype=bool)
    for _, begin, end in spans:
        is_multiword[begin:end] = True
    opens_token = ~is_multiword
    opens_token[[begin for _, begin, _ in spans]] = True
    is_token = np.array(is_word)
    is_token[is_token] = ~is_multiword
    is_token[[row for row, _, _ in spans]] = True
    token_start, token_end, characters = _characters(name, _where(columns[1], is_token.tolist()), row_line[is_token])
    return ParsedText(
        name=name,
        characters=characters,
        token_start=token_start,
        token_end=token_end,
        token_line=row_line[is_token],
        word_token=np.cumsum(opens_token) - 1,
        word_line=line,
        is_multiword=is_multiword,
        head=_heads(name, _where(columns[6], is_word), n_words, first_word, line),
        first_word=first_word,
        fields={c: _where(columns[COLUMNS.index(c)], is_word) for c in WORD_FIELDS},
        comments=comments,
    )


def _where(column: list[str], keep: list[bool]) -> list[str]:
    return column if all(keep) else list(compress(column, keep))


def _check_numbers(name: str, identifiers: list[str], n_words: np.ndarray, line: np.ndarray) -> None:
    numbers = [str(i + 1) for i in range(n_words.max())]
    expected = list(chain.from_iterable(numbers[:n] for n in n_words.tolist()))
    if identifiers != expected:
        w = next(w for w, number in enumerate(expected) if identifiers[w] != number)
        raise FileError(name, int(line[w]), f"word ID {identifiers[w][:SHOWN]} where {expected[w]} is expected")


def _multiword_spans(
    name: str,
    identifiers: list[str],
    is_word: list[bool],
    row_line: np.ndarray,
    row_first_word: np.ndarray,
    row_n_words: np.ndarray,
) -> list[tuple[int, int, int]]:
    """(row, first word, word after the last) of each multiword token; empty nodes are skipped."""
    spans: list[tuple[int, int, int]] = []
    words_before = np.cumsum(is_word)
    for row in np.flatnonzero(~np.array(is_word)):
        identifier, line = identifiers[row], int(row_line[row])
        parts = identifier.split("-") if "-" in identifier else identifier.split(".")
        numbers = [number for number in map(whole_number, parts) if number is not None]
        if len(parts) != 2 or len(numbers) != 2:
            raise FileError(name, line, f"cannot read the ID {identifier[:SHOWN]!r}")
        if "." in identifier:
            continue
        low, high = numbers
        begin = int(words_before[row])
        if low != begin - row_first_word[row] + 1 or not low <= high <= row_n_words[row]:
            raise FileError(name, line, f"the multiword token {identifier} does not precede its words")
        if spans and begin < spans[-1][2]:
            raise FileError(name, line, f"the multiword token {identifier} overlaps another")
        spans.append((int(row), begin, begin + high - low + 1))
    return spans


def _characters(name: str, forms: list[str], line: np.ndarray) -> tuple[np.ndarray, np.ndarray, str]:
    """Start and end of each token in the text without white space, and this text."""
    text = "".join(forms)
    if any(chr(space) in text for space in SPACES):
        forms = [form.translate(SPACES) for form in forms]
        text = "".join(forms)
    lengths = np.fromiter(map(len, forms), dtype=np.int64, count=len(forms))
    if not lengths.all():
        raise FileError(name, int(line[np.argmin(lengths)]), "an empty FORM")
    end = np.cumsum(lengths)
    return end - lengths, end, text


def _heads(name: str, heads: list[str], n_words: np.ndarray, first_word: np.ndarray, line: np.ndarray) -> np.ndarray:
    """Heads as word indices within the file, -1 for a root; each sentence must be one tree."""
    try:
        head = np.fromiter(map(int, heads), dtype=np.int64, count=len(heads))
    except (ValueError, OverflowError):
        w = next(i for i, head in enumerate(heads) if not _fits(head))
        fault = "points outside the sentence" if heads[w].isdecimal() else "is not a number"
        raise FileError(name, int(line[w]), f"HEAD {heads[w][:SHOWN]!r} {fault}") from None
    length = np.repeat(n_words, n_words)
    for w in np.flatnonzero((head < 0) | (head > length))[:1]:
        raise FileError(name, int(line[w]), f"HEAD {head[w]} points outside the sentence of {length[w]} words")
    parent = np.where(head == 0, -1, head - 1 + np.repeat(first_word, n_words))
    _check_trees(name, parent, n_words, first_word, line)
    return parent


def _fits(head: str) -> bool:
    """Whether a head is a number that fits into the array."""
    try:
        return abs(int(head)) < 2**63
    except ValueError:  # also of more than 4,300 digits
        return False


def _check_trees(name: str, parent: np.ndarray, n_words: np.ndarray, first_word: np.ndarray, line: np.ndarray) -> None:
    roots = np.add.reduceat(parent == -1, first_word, dtype=np.int64)
    for bad in np.flatnonzero(roots > 1)[:1]:
        begin = first_word[bad]
        second = np.flatnonzero(parent[begin : begin + n_words[bad]] == -1)[1]
        raise FileError(name, int(line[begin + second]), f"a second root; the sentence has {roots[bad]}")
    # Pointer doubling: after log2(words) rounds every word has reached the root or is in a cycle.
    ancestor = np.append(np.where(parent < 0, len(parent), parent), len(parent))
    for _ in range(int(n_words.max()).bit_length()):
        ancestor = ancestor[ancestor]
    for w in np.flatnonzero(ancestor[:-1] != len(parent))[:1]:
        raise FileError(name, int(line[w]), "this word never reaches a root: the heads form a cycle")
