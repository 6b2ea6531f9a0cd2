"""Alignment of system words with gold words if both have their own tokenisation of a text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nlpsig_core.errors import FileError
from nlpsig_core.metrics.base import MOST_PAIRS
from nlpsig_core.readers.parsed_text import ParsedText


def match_words(gold: ParsedText, system: ParsedText) -> np.ndarray:
    """The gold word of each system word, -1 for none, (system words,).

    Words match if their character spans are equal. In stretches of text with multiword tokens, they match along a
    longest common subsequence of lower-cased forms. The result equals that of the CoNLL 2017 and 2018 evaluations
    (evaluation rules, "Aligning system words"). FileError if the texts differ, or for a stretch of too many words.
    """
    check_same_text(gold, system)
    match = np.full(system.n_words, -1)
    in_stretch = np.zeros(gold.n_words, dtype=bool)
    loose = ~system.is_multiword
    for gold_begin, gold_end, system_begin, system_end in _stretches(_Side.of(gold), _Side.of(system)):
        _check_pairs(system, gold_end - gold_begin, system_begin, system_end)
        in_stretch[gold_begin:gold_end] = True
        loose[system_begin:system_end] = False
        for g, s in _common(
            [form.lower() for form in gold.fields["form"][gold_begin:gold_end]],
            [form.lower() for form in system.fields["form"][system_begin:system_end]],
        ):
            match[system_begin + s] = gold_begin + g
    plain = np.flatnonzero(~in_stretch & ~gold.is_multiword)
    at_start = np.full(len(gold.characters) + 1, -1)
    at_start[gold.token_start[gold.word_token[plain]]] = plain
    candidate = at_start[system.token_start[system.word_token]]
    ends_alike = gold.token_end[gold.word_token[candidate]] == system.token_end[system.word_token]
    chosen = loose & (candidate >= 0) & ends_alike
    match[chosen] = candidate[chosen]
    return match


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
    """The words of one file: character spans, whether they belong to multiword tokens, and indices of those that do."""

    start: list[int]
    end: list[int]
    multiword: list[bool]
    multiword_words: list[int]

    @classmethod
    def of(cls, treebank: ParsedText) -> _Side:
        start, end = (span[treebank.word_token].tolist() for span in (treebank.token_start, treebank.token_end))
        return cls(start, end, treebank.is_multiword.tolist(), np.flatnonzero(treebank.is_multiword).tolist())

    def next_multiword(self, word: int) -> int:
        """The first word of a multiword token from ``word`` on, or the number of words."""
        i = bisect_left(self.multiword_words, word)
        return self.multiword_words[i] if i < len(self.multiword_words) else len(self.start)

    def beyond(self, word: int, reach: int) -> bool:
        """Whether a word is outside a stretch that ends at the character ``reach``."""
        if word >= len(self.start):
            return True
        return self.start[word] >= reach if self.multiword[word] else self.end[word] > reach


def _stretches(gold: _Side, system: _Side) -> Iterator[tuple[int, int, int, int]]:
    """Word ranges with multiword tokens: (gold begin, gold end, system begin, system end).

    The official evaluation advances through both files word by word, first in the one whose word starts earlier, and
    in the gold on ties. Words between multiword tokens are skipped here, since they do not affect the ranges.
    """
    words = _first_multiword(gold, system, 0, 0)
    while words is not None:
        g, s = words
        if gold.multiword[g]:
            reach = gold.end[g]
            s += not system.multiword[s] and system.start[s] < gold.start[g]
        else:
            reach = system.end[s]
            g += gold.start[g] < system.start[s]
        gold_end, system_end = _stretch_end(gold, system, g, s, reach)
        yield g, gold_end, s, system_end
        words = _first_multiword(gold, system, gold_end, system_end)


def _first_multiword(gold: _Side, system: _Side, g: int, s: int) -> tuple[int, int] | None:
    """The first words from (g, s) on, of which at least one belongs to a multiword token; None at the end."""
    n_gold, n_system = len(gold.start), len(system.start)
    if g >= n_gold or s >= n_system:
        return None
    next_gold, next_system = gold.next_multiword(g), system.next_multiword(s)
    if next_gold == g or next_system == s:
        return g, s
    never = max(gold.end[-1], system.end[-1])
    gold_time = gold.start[next_gold - 1] if next_gold < n_gold else never
    system_time = system.start[next_system - 1] if next_system < n_system else never
    if gold_time == system_time == never:
        return None
    if gold_time <= system_time:
        s = bisect_left(system.start, gold_time, lo=s)
        if s < n_system and (system.start[s], system.end[s]) == (gold_time, gold.end[next_gold - 1]):
            s += 1
        return (next_gold, s) if s < n_system else None
    g = bisect_right(gold.start, system_time, lo=g)
    return (g, next_system) if g < n_gold else None


def _stretch_end(gold: _Side, system: _Side, g: int, s: int, reach: int) -> tuple[int, int]:
    """The words after the smallest stretch from (g, s) on whose end no multiword token of either side crosses."""
    while not (gold.beyond(g, reach) and system.beyond(s, reach)):
        gold_next = g < len(gold.start) and (s >= len(system.start) or gold.start[g] <= system.start[s])
        side, word = (gold, g) if gold_next else (system, s)
        if side.multiword[word]:
            reach = max(reach, side.end[word])
        g, s = (g + 1, s) if gold_next else (g, s + 1)
    return g, s


def _common(ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int]]:
    """Index pairs on the longest common subsequence that the official evaluation chooses."""
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
