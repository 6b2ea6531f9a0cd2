"""Alignment of system words with gold words if both have their own tokenisation of a text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.base import MOST_PAIRS
from nlpsig_core.data.readers.conll.kernels import equal_cells
from nlpsig_core.data.readers.conll.parsed_text import ParsedText


def match_words(gold: ParsedText, system: ParsedText) -> np.ndarray:
    """Return the gold word of each system word, -1 for none, (system words,).

    Words match if their character spans are equal. In stretches of text with multiword tokens, they match along a
    longest common subsequence of lower-cased forms. The result equals that of the CoNLL 2017 and 2018 evaluations
    (evaluation rules, "Aligning system words"). FileError if the texts differ, or for a stretch of too many words.
    """
    check_same_text(gold, system)
    match = np.full(system.n_words, -1)
    stretches = np.empty((np.count_nonzero(gold.is_multiword) + np.count_nonzero(system.is_multiword), 4), np.int64)
    n_stretches = _walk(_Side.of(gold), _Side.of(system), match, stretches)
    for gold_begin, gold_end, system_begin, system_end in stretches[:n_stretches].tolist():
        _check_pairs(system, gold_end - gold_begin, system_begin, system_end)
        ours, theirs = _forms(gold, gold_begin, gold_end), _forms(system, system_begin, system_end)
        for g, s in _common(ours, theirs):
            match[system_begin + s] = gold_begin + g
    return match


def _forms(treebank: ParsedText, begin: int, end: int) -> list[str]:
    return [form.lower() for form in treebank.fields.values_at("form", range(begin, end))]


def check_same_text(gold: ParsedText, system: ParsedText) -> None:
    """Raise FileError at the first token where the system's text differs from the gold's."""
    if gold.characters == system.characters:
        return
    shorter = min(len(gold.characters), len(system.characters))
    ours, theirs = (np.array(list(t.characters[:shorter])) for t in (gold, system))
    differs = np.flatnonzero(ours != theirs)
    first = int(differs[0]) if len(differs) else shorter
    raise FileError(
        system.name,
        _line_of(system, first),
        f"the text differs from the gold's: {system.characters[first : first + 20]!r} where the gold "
        f"({gold.name}, line {_line_of(gold, first)}) has {gold.characters[first : first + 20]!r}",
    )


def _check_pairs(system: ParsedText, n_gold: int, begin: int, end: int) -> None:
    if n_gold * (end - begin) > MOST_PAIRS:
        reason = f"{end - begin:,} words belong to overlapping multiword tokens; with {n_gold:,} of the gold too many"
        raise FileError(system.name, int(system.word_line[begin]), reason)


def _line_of(treebank: ParsedText, character: int) -> int:
    token = int(np.searchsorted(treebank.token_end, character, side="right"))
    return int(treebank.token_line[min(token, len(treebank.token_line) - 1)])


class _Side(NamedTuple):
    """The words of one file: spans of characters, whether they belong to multiword tokens, bytes of their forms."""

    start: np.ndarray
    end: np.ndarray
    multiword: np.ndarray
    text: np.ndarray
    form: np.ndarray

    @classmethod
    def of(cls, treebank: ParsedText) -> _Side:
        fields = treebank.fields
        column = fields.columns["form"]
        # Of one layout, whichever columns were read: loops are compiled for each.
        form = np.ascontiguousarray(fields.starts[:, column : column + 2])
        return cls(treebank.word_start, treebank.word_end, treebank.is_multiword, fields.text, form)


@compiled()
def _walk(gold: _Side, system: _Side, match: np.ndarray, stretches: np.ndarray) -> int:
    """Return the number of stretches with multiword tokens that differ between the sides; match other words.

    ``stretches`` (stretches, 4) are the first words, and the words after the last, of the gold and of the system. As in
    the official evaluation, both files advance word by word, the gold first on ties.
    """
    n_stretches = g = s = 0
    while g < len(gold.start) and s < len(system.start):
        if gold.multiword[g] or system.multiword[s]:
            if gold.multiword[g]:
                reach = gold.end[g]
                s += not system.multiword[s] and system.start[s] < gold.start[g]
            else:
                reach = system.end[s]
                g += gold.start[g] < system.start[s]
            gold_end, system_end = _stretch_end(gold, system, g, s, reach)
            if _same_forms(gold, system, g, gold_end, s, system_end):
                for word in range(gold_end - g):
                    match[s + word] = g + word
            else:
                stretch = stretches[n_stretches]
                stretch[0], stretch[1], stretch[2], stretch[3] = g, gold_end, s, system_end
                n_stretches += 1
            g, s = gold_end, system_end
        elif gold.start[g] == system.start[s] and gold.end[g] == system.end[s]:
            match[s] = g
            g, s = g + 1, s + 1
        elif gold.start[g] <= system.start[s]:
            g += 1
        else:
            s += 1
    return n_stretches


@compiled()
def _stretch_end(gold: _Side, system: _Side, g: int, s: int, reach: int) -> tuple[int, int]:
    """Return the words after the smallest stretch from (g, s) whose end no multiword token crosses."""
    while not (_beyond(gold, g, reach) and _beyond(system, s, reach)):
        if g < len(gold.start) and (s >= len(system.start) or gold.start[g] <= system.start[s]):
            reach = max(reach, gold.end[g]) if gold.multiword[g] else reach
            g += 1
        else:
            reach = max(reach, system.end[s]) if system.multiword[s] else reach
            s += 1
    return g, s


@compiled()
def _beyond(side: _Side, word: int, reach: int) -> bool:
    """Return whether a word is outside a stretch that ends at the character ``reach``."""
    if word >= len(side.start):
        return True
    return bool(side.start[word] >= reach if side.multiword[word] else side.end[word] > reach)


@compiled()
def _same_forms(gold: _Side, system: _Side, g: int, gold_end: int, s: int, system_end: int) -> bool:
    """Return whether a stretch has the same forms on both sides; False for one of too many words to compare."""
    n_words = gold_end - g
    if n_words != system_end - s or n_words * n_words > MOST_PAIRS:
        return False
    for i in range(n_words):
        ours, theirs = gold.form[g + i], system.form[s + i]
        if not equal_cells(gold.text, ours[0], ours[1] - 1, system.text, theirs[0], theirs[1] - 1):
            return False
    return True


def _common(ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int]]:
    """Yield index pairs on the longest common subsequence that the official evaluation chooses."""
    longest = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for g in reversed(range(len(ours))):
        for s in reversed(range(len(theirs))):
            both = 1 + longest[g + 1][s + 1] if ours[g] == theirs[s] else 0
            longest[g][s] = max(both, longest[g + 1][s], longest[g][s + 1])
    g = s = 0
    while g < len(ours) and s < len(theirs):
        if ours[g] == theirs[s]:
            yield g, s
            g, s = g + 1, s + 1
        elif longest[g][s] == longest[g + 1][s]:
            g += 1
        else:
            s += 1
