"""Chunks and entities as conlleval counts them, and token accuracy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.metrics.base import Family
from nlpsig_core.metrics.conllx import check_same_tokens
from nlpsig_core.readers.tagged import OUTSIDE, Tagged

# Chunks of the gold, of the output and of both; tokens, and those with the right tag.
COLUMNS = ("gold_chunks", "system_chunks", "chunks", "tokens", "tags")
# Prefixes that start a chunk by themselves, and those that end it.
OPENING, CLOSING = frozenset("BSU[]"), frozenset("ELSU[]")
MARKED = {
    (True, True): "each start and each end marked",
    (True, False): "each start marked",
    (False, True): "each end marked",
    (False, False): "starts and ends marked at most between neighbours",
}


def count(gold: Tagged, output: Tagged) -> np.ndarray:
    """Sufficient statistics, (sentences, COLUMNS), whole numbers.

    A chunk is right with its first token, last token and type (conlleval 2004-01-26, of the CoNLL 2000 and 2003 shared
    tasks). Raises FileError where the output has not the gold's sentences and tokens.
    """
    check_same_tokens(gold, output)
    codes: dict[str, int] = {}
    ours, theirs = Chunks.of(gold, codes), Chunks.of(output, codes)
    _, g, s = np.intersect1d(ours.first, theirs.first, assume_unique=True, return_indices=True)
    both = g[(ours.last[g] == theirs.last[s]) & (ours.kind[g] == theirs.kind[s])]
    right = np.array([tag == other for tag, other in zip(gold.tags, output.tags, strict=True)])
    sentence = gold.token_sentence
    booked = (ours.first, theirs.first, ours.first[both], np.arange(len(right)), np.flatnonzero(right))
    return np.stack([np.bincount(sentence[at], minlength=gold.n_units) for at in booked], axis=1).astype(np.int32)


def count_missing(gold: Tagged) -> np.ndarray:
    """Statistics of a system without valid output: the gold's chunks and tokens, none found."""
    return count(gold, gold) * np.array([column in ("gold_chunks", "tokens") for column in COLUMNS])


class Marks(NamedTuple):
    """The tags of a file, token by token (tokens,): outside of chunks, opening or closing by prefix, type."""

    outside: np.ndarray
    opening: np.ndarray
    closing: np.ndarray
    kind: np.ndarray

    @classmethod
    def of(cls, tagged: Tagged, codes: dict[str, int]) -> Marks:
        """Marks with the types numbered as ``codes`` has them, which is added to."""
        distinct = list(dict.fromkeys(tagged.tags))
        place = {tag: i for i, tag in enumerate(distinct)}
        of_token = np.fromiter(map(place.__getitem__, tagged.tags), dtype=np.int64, count=len(tagged.tags))
        parts = [tag.partition("-") for tag in distinct]
        columns = (
            [prefix == OUTSIDE for prefix, _, _ in parts],
            [prefix in OPENING for prefix, _, _ in parts],
            [prefix in CLOSING for prefix, _, _ in parts],
            [codes.setdefault(kind, len(codes)) for _, _, kind in parts],
        )
        return cls(*(np.array(column)[of_token] for column in columns))


class Chunks(NamedTuple):
    """The chunks of a file in order, (chunks,): first token, last token, type."""

    first: np.ndarray
    last: np.ndarray
    kind: np.ndarray

    @classmethod
    def of(cls, tagged: Tagged, codes: dict[str, int]) -> Chunks:
        """Chunks by the rules of conlleval, with types numbered as ``codes`` has them.

        Every tag but O is inside of a chunk. A chunk starts at B, S and U, after O and at the start of a sentence,
        after E, L, S and U, and where the type changes; it ends before O, at the end of a sentence and before the
        next start. conlleval itself knows B, I, E, O and brackets; S, L, U, M and a B right after E mean here what they
        mean in BIOES, BILOU and BMES.
        """
        marks = Marks.of(tagged, codes)
        apart = _apart(tagged, marks)
        starts = ~marks.outside & (apart[:-1] | marks.opening | np.append(True, marks.closing[:-1]))
        goes_on = ~marks.outside & ~starts
        first = np.flatnonzero(starts)
        last = np.flatnonzero(~marks.outside & ~np.append(goes_on[1:], False))
        return cls(first, last, marks.kind[first])


def _apart(tagged: Tagged, marks: Marks) -> np.ndarray:
    """Whether O, another type or a sentence break parts each token from the one before, (tokens + 1,)."""
    apart = np.ones(len(tagged.tags) + 1, dtype=bool)
    apart[1:-1] = marks.outside[:-1] | marks.outside[1:] | (marks.kind[:-1] != marks.kind[1:])
    apart[tagged.first_token] = True
    return apart


def remarks(gold: Tagged, output: Tagged) -> list[str]:
    """Tags that had to be repaired, a file without tokens, and tags of another kind than the gold's."""
    found = list(output.notes)
    if output.tokens is None and gold.tokens is not None:
        found.append("the file has no tokens: only the lengths of its sentences could be compared with the gold's")
    ours, theirs = _Scheme.of(gold), _Scheme.of(output)
    if theirs.repaired.any():
        found.append(_repairs(output, theirs))
    if ours.prefixes and theirs.prefixes and (ours.marked != theirs.marked or not theirs.prefixes <= ours.prefixes):
        found.append(
            f"its tags ({theirs}) are of another kind than the gold's ({ours}): "
            "F1 compares the chunks, but token accuracy compares the tags as they stand"
        )
    return found


class _Scheme(NamedTuple):
    """How a file marks chunks: its prefixes, whether all starts and all ends are marked.

    ``late`` and ``early`` are the tags that start and end a chunk without the mark that is due, (tokens,).
    """

    prefixes: frozenset[str]
    marked: tuple[bool, bool]
    late: np.ndarray
    early: np.ndarray

    @property
    def repaired(self) -> np.ndarray:
        """Tags that start a chunk without saying so, or end one, (tokens,)."""
        return self.late | self.early

    def __str__(self) -> str:
        return f"{', '.join(sorted(self.prefixes))}; {MARKED[self.marked]}"

    @classmethod
    def of(cls, tagged: Tagged) -> _Scheme:
        """The scheme that most of the tags follow where O, another type or a sentence break shows a start or an end."""
        codes: dict[str, int] = {}
        marks, chunks = Marks.of(tagged, codes), Chunks.of(tagged, codes)
        apart = _apart(tagged, marks)
        prefixes = frozenset(tag.partition("-")[0] for tag in set(tagged.tags)) - {OUTSIDE}
        marked, wrong = [], []
        for at, beside, mark in ((chunks.first, 0, marks.opening), (chunks.last, 1, marks.closing)):
            shown = at[apart[at + beside]]
            marked.append(bool(2 * mark[shown].sum() > len(shown)))
            wrong.append(np.isin(np.arange(len(tagged.tags)), at[~mark[at]] if marked[-1] else ()))
        return cls(prefixes, (marked[0], marked[1]), *wrong)


def _repairs(output: Tagged, scheme: _Scheme) -> str:
    at = int(np.argmax(scheme.repaired))
    beside = at - 1 if scheme.late[at] else at + 1
    same = 0 <= beside < len(output.tags) and output.token_sentence[beside] == output.token_sentence[at]
    if scheme.late[at]:
        where = f"after {output.tags[beside]}" if same else "at the start of a sentence"
    else:
        where = f"before {output.tags[beside]}" if same else "at the end of a sentence"
    n = int(scheme.repaired.sum())
    said = "1 tag was repaired as conlleval does:" if n == 1 else f"{n} tags were repaired as conlleval does, e.g."
    return f"{said} {output.tags[at]} {where} on line {output.lines[at]}"


FAMILY = Family(
    name="tagging",
    version=1,
    reader="Tagged tokens",
    columns=COLUMNS,
    count=count,
    count_missing=count_missing,
    remarks=remarks,
)
