"""A plain reader of CoNLL-U, line by line, for tests of the fast one."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import whole_number

SPACES = {code: None for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs"}


class Row(NamedTuple):
    line: int
    sentence: int
    cells: list[str]


def read_plainly(text: str, name: str) -> dict[str, list]:
    """What a ParsedText holds, by attribute; FileError as of the fast reader: of the first sentence that has a fault.

    Reads the first sentence, then the first two, and so on.
    """
    lines = text.split("\n")
    ends = [i for i, line in enumerate(lines) if not line and any(each and each[0] != "#" for each in lines[:i])]
    for end in ends:
        read_whole("\n".join(lines[:end]), name)
    return read_whole(text, name)


def raise_lowest(faults: list[FileError]) -> None:
    """Raise that of the lowest line; of equals the first."""
    for fault in sorted(faults, key=lambda fault: fault.line)[:1]:
        raise fault


def read_whole(text: str, name: str) -> dict[str, list]:
    """What a ParsedText holds; FileError of the lowest line of the first kind of fault."""
    rows, comments = rows_of(text, name)
    faults: list[FileError] = []
    words = [row for row in rows if row.cells[0].isdecimal()]
    n_words = [sum(word.sentence == sentence for word in words) for sentence in range(len(comments))]
    for sentence, n in enumerate(n_words):
        if not n:
            first = next(r.line for r in rows if r.sentence == sentence)
            faults.append(FileError(name, first, "a sentence without words"))
    first_word = [sum(n_words[:sentence]) for sentence in range(len(n_words))]
    for w, word in enumerate(words):
        number = word.cells[0]
        if number != str(expected := w - first_word[word.sentence] + 1):
            faults.append(FileError(name, word.line, f"word ID {number[:40]} where {expected} is expected"))
    spans = spans_of(rows, first_word, n_words, name, faults)
    raise_lowest(faults)
    token_of, tokens = {}, []
    for row in rows:
        if row in words and words.index(row) in token_of:
            continue
        if row in words:
            token_of[words.index(row)] = len(tokens)
        elif row.line in spans:
            token_of |= dict.fromkeys(spans[row.line], len(tokens))
        else:
            continue
        tokens.append((row.line, row.cells[1].translate(SPACES)))
    for line, form in tokens:
        if not form:
            faults.append(FileError(name, line, "an empty FORM"))
    heads = heads_of(words, first_word, n_words, name, faults)
    raise_lowest(faults)
    ends = [sum(len(form) for _, form in tokens[: i + 1]) for i in range(len(tokens))]
    inside = {word for words in spans.values() for word in words}
    return {
        "characters": "".join(form for _, form in tokens),
        "token_start": [0, *ends[:-1]],
        "token_end": ends,
        "token_line": [line for line, _ in tokens],
        "word_token": [token_of[w] for w in range(len(words))],
        "word_line": [word.line for word in words],
        "is_multiword": [w in inside for w in range(len(words))],
        "head": heads,
        "first_word": first_word,
        "comments": tuple(map(tuple, comments)),
        "fields": [word.cells[1:6] + word.cells[7:8] + word.cells[9:] for word in words],
    }


def rows_of(text: str, name: str) -> tuple[list[Row], list[list[str]]]:
    """The rows, and the comments of each sentence."""
    rows, comments, waiting, inside = [], [], [], False
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            inside = False
        elif line.startswith("#") and not inside:
            waiting.append(line)
        else:
            if not inside:
                comments.append(waiting)
                waiting, inside = [], True
            rows.append(Row(number, len(comments) - 1, line.split("\t")))
            if (n := len(rows[-1].cells)) != 10:
                raise FileError(name, number, f"{n} tab-separated columns instead of 10: {line[:60]!r}")
    if not rows:
        raise FileError(name, None, "no sentence found; is this a CoNLL-U file?")
    return rows, comments


def spans_of(rows: list[Row], first_word: list[int], n_words: list[int], name: str, faults: list) -> dict[int, range]:
    """The words of each multiword token, by its line."""
    spans: dict[int, range] = {}
    before = covered = 0
    for row in rows:
        identifier = row.cells[0]
        if identifier.isdecimal():
            before += 1
            continue
        parts = identifier.split("-") if "-" in identifier else identifier.split(".")
        numbers = [whole_number(part) for part in parts]
        if len(parts) != 2 or None in numbers:
            faults.append(FileError(name, row.line, f"cannot read the ID {identifier[:40]!r}"))
            break
        if "." in identifier:
            continue
        low, high = numbers
        if low != before - first_word[row.sentence] + 1 or not low <= high <= n_words[row.sentence]:
            faults.append(FileError(name, row.line, f"the multiword token {identifier} does not precede its words"))
            break
        if before < covered:
            faults.append(FileError(name, row.line, f"the multiword token {identifier} overlaps another"))
            break
        covered = before + high - low + 1
        spans[row.line] = range(before, covered)
    return spans


def heads_of(words: list[Row], first_word: list[int], n_words: list[int], name: str, faults: list) -> list[int]:
    """The head of each word, -1 for a root; no heads if one is no number or outside of its sentence."""
    outside = []
    for word in words:
        head, n = word.cells[6], n_words[word.sentence]
        try:
            known = abs(int(head)) < 2**63
        except ValueError:
            known = False
        if not known:
            fault = "points outside the sentence" if head.isdecimal() else "is not a number"
            outside.append(FileError(name, word.line, f"HEAD {head[:40]!r} {fault}"))
        elif not 0 <= int(head) <= n:
            outside.append(FileError(name, word.line, f"HEAD {int(head)} points outside the sentence of {n} words"))
    faults += outside
    if outside:
        return []
    heads = [first_word[word.sentence] + int(word.cells[6]) - 1 if int(word.cells[6]) else -1 for word in words]
    for sentence, first in enumerate(first_word):
        roots = [w for w in range(first, first + n_words[sentence]) if heads[w] < 0]
        if len(roots) > 1:
            faults.append(FileError(name, words[roots[1]].line, f"a second root; the sentence has {len(roots)}"))
    for w, word in enumerate(words):
        above = w
        for _ in words:
            above = heads[above] if above >= 0 else above
        if above >= 0:
            faults.append(FileError(name, word.line, "this word never reaches a root: the heads form a cycle"))
    return heads
