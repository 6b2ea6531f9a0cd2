"""Compiled loops over the bytes of a file of tab-separated rows: rows and cells, numbers, characters, codes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import compiled

N_COLUMNS = 10
LINE_FEED, TAB, HASH, HYPHEN, DOT, ZERO, NINE = 10, 9, 35, 45, 46, 48, 57
# Kinds of IDs; Python reads those that are ODD.
ODD, WORD, RANGE, EMPTY_NODE = range(4)
# The most digits of a number that certainly fits.
DIGITS = 18
# The least size of the hash table of a column's distinct values.
SMALLEST_TABLE = 256
PRIME = np.uint64(1099511628211)


@compiled()
def find_cells(
    text: np.ndarray, starts: np.ndarray, line: np.ndarray, sentence: np.ndarray, comments: np.ndarray
) -> tuple[int, int, int, bool]:
    """Return the numbers of rows, sentences and comments, and whether all rows have ten columns; else the last has not.

    Fills for each row ``starts`` (rows, N_COLUMNS + 1), where each column and the next line start, ``line`` and
    ``sentence``; for each comment ``comments`` (comments, 3), its start, its end and its sentence. An empty line ends a
    sentence; lines that begin with # are comments only before its first row.
    """
    rows = sentences = n_comments = number = at = 0
    inside = False
    while at < len(text):
        number += 1
        begin, column = at, 0
        if text[at] == LINE_FEED:
            inside = False
        elif text[at] == HASH and not inside:
            while at < len(text) and text[at] != LINE_FEED:
                at += 1
            comment = comments[n_comments]
            comment[0], comment[1], comment[2] = begin, at, sentences
            n_comments += 1
        else:
            sentences += not inside
            inside = True
            starts[rows, 0] = at
            while at < len(text) and text[at] != LINE_FEED:
                if text[at] == TAB:
                    column += 1
                    if column < N_COLUMNS:
                        starts[rows, column] = at + 1
                at += 1
            starts[rows, N_COLUMNS] = at + 1
            line[rows], sentence[rows] = number, sentences - 1
            rows += 1
            if column != N_COLUMNS - 1:
                return rows, sentences, n_comments, False
        at += 1
    return rows, sentences, n_comments, True


@compiled()
def _number(text: np.ndarray, begin: int, end: int) -> int:
    """Return the number that plain digits write, without zeros before it; -1 for anything else."""
    if not 0 < end - begin <= DIGITS or (text[begin] == ZERO and end - begin > 1):
        return -1
    value = np.int64(0)
    for at in range(begin, end):
        if not ZERO <= text[at] <= NINE:
            return -1
        value = 10 * value + np.int64(text[at]) - ZERO
    return int(value)


@compiled()
def find_numbers(text: np.ndarray, starts: np.ndarray, column: int, numbers: np.ndarray) -> None:
    """Fill ``numbers`` (rows,) with those of a column, -1 for cells that are no number in plain digits."""
    for row in range(len(starts)):
        numbers[row] = _number(text, starts[row, column], starts[row, column + 1] - 1)


@compiled()
def find_ids(text: np.ndarray, starts: np.ndarray, ids: np.ndarray) -> None:
    """Fill ``ids`` (3, rows) with each row's kind and numbers: one for a word, two for a range or an empty node."""
    for row in range(len(starts)):
        begin, end = starts[row, 0], starts[row, 1] - 1
        ids[0, row], ids[1, row], ids[2, row] = WORD, _number(text, begin, end), 0
        if ids[1, row] < 0:
            ids[0, row] = ODD
            mark = begin
            while mark < end and text[mark] != HYPHEN and text[mark] != DOT:
                mark += 1
            low, high = _number(text, begin, mark), _number(text, mark + 1, end)
            if low >= 0 and high >= 0:
                ids[0, row], ids[1, row], ids[2, row] = (RANGE if text[mark] == HYPHEN else EMPTY_NODE), low, high


@compiled()
def take_characters(
    text: np.ndarray, starts: np.ndarray, column: int, is_space: np.ndarray, taken: np.ndarray, lengths: np.ndarray
) -> int:
    """Put a column's cells without spaces into ``taken``, their ``lengths`` in characters, and return their bytes.

    ``text`` is UTF-8, and ``is_space`` says for each character up to U+3000 whether it is a space.
    """
    filled = 0
    for row in range(len(starts)):
        at, end = starts[row, column], starts[row, column + 1] - 1
        while at < end:
            lead = np.int64(text[at])
            size = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            code = lead
            if size == 2:
                code = (lead & 0x1F) << 6 | (text[at + 1] & 0x3F)
            elif size == 3:
                code = (lead & 0x0F) << 12 | (np.int64(text[at + 1]) & 0x3F) << 6 | (text[at + 2] & 0x3F)
            if size == 4 or code >= len(is_space) or not is_space[code]:
                for byte in range(at, at + size):
                    taken[filled] = text[byte]
                    filled += 1
                lengths[row] += 1
            at += size
    return filled


@compiled()
def equal_cells(
    text: np.ndarray, begin: int, end: int, other_text: np.ndarray, other_begin: int, other_end: int
) -> bool:
    """Return whether two cells have the same bytes."""
    if end - begin != other_end - other_begin:
        return False
    at, size = 0, end - begin
    while at < size and text[begin + at] == other_text[other_begin + at]:
        at += 1
    return at == size


class Distinct(NamedTuple):
    """The distinct values of a column of a text with rows of ``starts``: the first row and the hash of each."""

    text: np.ndarray
    starts: np.ndarray
    rows: np.ndarray
    hashes: np.ndarray


@compiled()
def _hash(text: np.ndarray, begin: int, end: int) -> np.uint64:
    """Return a hash of a cell: FNV-1a of four bytes at a time, with its high bits mixed into the low ones."""
    mixed, at = np.uint64(14695981039346656037), begin
    while at + 4 <= end:
        four = np.uint32(text[at]) | np.uint32(text[at + 1]) << np.uint32(8)
        four |= np.uint32(text[at + 2]) << np.uint32(16) | np.uint32(text[at + 3]) << np.uint32(24)
        mixed = (mixed ^ np.uint64(four)) * PRIME
        at += 4
    while at < end:
        mixed = (mixed ^ np.uint64(text[at])) * PRIME
        at += 1
    return mixed ^ (mixed >> np.uint64(32))


@compiled()
def find_codes(column: int, known: Distinct, values: Distinct, codes: np.ndarray) -> int:
    """Return the number of distinct values of a column, those ``known`` first; fill ``codes`` (rows,) with their index.

    Fills the rows and hashes of ``values``, which have room for all known values and as many as there are rows.
    """
    text, starts, rows, hashes = values
    n_known = distinct = len(known.rows)
    for code in range(n_known):
        rows[code], hashes[code] = known.rows[code], known.hashes[code]
    table = _hash_table(hashes[:n_known])
    for row in range(len(starts)):
        begin, end = starts[row, column], starts[row, column + 1] - 1
        mixed = _hash(text, begin, end)
        slot = np.int64(mixed & np.uint64(len(table) - 1))
        while table[slot] >= 0:
            code = table[slot]
            if hashes[code] == mixed:
                first = rows[code]
                if code < n_known:
                    first_begin, first_end = known.starts[first, column], known.starts[first, column + 1] - 1
                    same = equal_cells(text, begin, end, known.text, first_begin, first_end)
                else:
                    same = equal_cells(text, begin, end, text, starts[first, column], starts[first, column + 1] - 1)
                if same:
                    break
            slot = (slot + 1) & (len(table) - 1)
        if table[slot] < 0:
            table[slot], rows[distinct], hashes[distinct] = distinct, row, mixed
            distinct += 1
        codes[row] = table[slot]
        if 2 * distinct > len(table):
            table = _hash_table(hashes[:distinct])
    return distinct


@compiled()
def _hash_table(hashes: np.ndarray) -> np.ndarray:
    """Return the codes by hash, with at least three of four places empty (-1)."""
    size = SMALLEST_TABLE
    while size < 4 * len(hashes):
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    for code in range(len(hashes)):
        slot = np.int64(hashes[code] & np.uint64(size - 1))
        while table[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        table[slot] = code
    return table
