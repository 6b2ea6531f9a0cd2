"""Which words of a system are which words of the gold, when both have tokenised the text themselves."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np

from nlpsig_core.errors import FileError
from nlpsig_core.readers.conllu import Treebank


def match_words(gold: Treebank, system: Treebank) -> np.ndarray:
    """The gold word of each system word, -1 where it has none; shape (system words,).

    Words match where their spans of characters are equal; where a multiword token takes part, along a
    longest common subsequence of lower-cased forms inside the whole stretch that it touches. The result
    is that of the CoNLL 2017 and 2018 evaluations (evaluation rules, "Aligning system words").
    """
    check_same_text(gold, system)
    match = np.full(system.n_words, -1)
    in_stretch = np.zeros(gold.n_words, dtype=bool)
    loose = ~system.is_multiword
    for gold_begin, gold_end, system_begin, system_end in _stretches(gold, system):
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


def check_same_text(gold: Treebank, system: Treebank) -> None:
    """Raise FileError at the first token where the system's text leaves the gold's."""
    if gold.characters == system.characters:
        return
    shorter = min(len(gold.characters), len(system.characters))
    ours, theirs = (np.array(list(t.characters[:shorter])) for t in (gold, system))
    differs = np.flatnonzero(ours != theirs)
    place = int(differs[0]) if len(differs) else shorter
    raise FileError(
        system.name,
        _line_of(system, place),
        f"the text differs from the gold's: {system.characters[place : place + 20]!r} where the gold "
        f"({gold.name}, line {_line_of(gold, place)}) has {gold.characters[place : place + 20]!r}",
    )


def _line_of(treebank: Treebank, character: int) -> int:
    token = np.searchsorted(treebank.token_end, character, side="right")
    return int(treebank.token_line[min(token, len(treebank.token_line) - 1)])


def _stretches(gold: Treebank, system: Treebank):
    """(gold begin, gold end, system begin, system end) word ranges that multiword tokens touch.

    The official evaluation walks through both files word by word, the one that starts earlier first and
    the gold on ties. Between multiword tokens the walk has nothing to decide, so it is jumped over.
    """
    sides = gold, system
    start, end = ([t[side.word_token].tolist() for side, t in zip(sides, ts, strict=True)] for ts in _spans(sides))
    multiword = [side.is_multiword.tolist() for side in sides]
    pending = [np.flatnonzero(side.is_multiword).tolist() for side in sides]
    at = (0, 0)
    while True:
        at = _next_multiword(start, end, pending, at)
        if at is None:
            return
        begin, at = _stretch(start, end, multiword, *at)
        yield begin[0], at[0], begin[1], at[1]


def _spans(sides):
    return [side.token_start for side in sides], [side.token_end for side in sides]


def _next_multiword(start, end, pending, at):
    """Where the walk from ``at`` first stands on a word of a multiword token, on either side."""
    (g, s), n_gold, n_system = at, len(start[0]), len(start[1])
    if g >= n_gold or s >= n_system:
        return None
    next_gold = _first_from(pending[0], g, n_gold)
    next_system = _first_from(pending[1], s, n_system)
    if next_gold == g or next_system == s:
        return g, s
    gold_time = start[0][next_gold - 1] if next_gold < n_gold else float("inf")
    system_time = start[1][next_system - 1] if next_system < n_system else float("inf")
    if gold_time == system_time == float("inf"):
        return None
    if gold_time <= system_time:
        s = bisect_left(start[1], gold_time, lo=s)
        if s < n_system and (start[1][s], end[1][s]) == (gold_time, end[0][next_gold - 1]):
            s += 1
        return (next_gold, s) if s < n_system else None
    g = bisect_right(start[0], system_time, lo=g)
    return (g, next_system) if g < n_gold else None


def _first_from(indices: list[int], begin: int, otherwise: int) -> int:
    place = bisect_left(indices, begin)
    return indices[place] if place < len(indices) else otherwise


def _stretch(start, end, multiword, g, s):
    """The smallest pair of word ranges around (g, s) that no multiword token of either side leaves."""
    if multiword[0][g]:
        reach = end[0][g]
        if not multiword[1][s] and start[1][s] < start[0][g]:
            s += 1
    else:
        reach = end[1][s]
        if start[0][g] < start[1][s]:
            g += 1
    begin = at = [g, s]
    at = list(begin)
    while not (_beyond(start, end, multiword, 0, at[0], reach) and _beyond(start, end, multiword, 1, at[1], reach)):
        gold_left, system_left = at[0] < len(start[0]), at[1] < len(start[1])
        side = 0 if gold_left and (not system_left or start[0][at[0]] <= start[1][at[1]]) else 1
        if multiword[side][at[side]]:
            reach = max(reach, end[side][at[side]])
        at[side] += 1
    return begin, tuple(at)


def _beyond(start, end, multiword, side, word, reach):
    if word >= len(start[side]):
        return True
    return start[side][word] >= reach if multiword[side][word] else end[side][word] > reach


def _common(ours: list[str], theirs: list[str]):
    """Pairs of positions on the longest common subsequence that the official evaluation picks."""
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
