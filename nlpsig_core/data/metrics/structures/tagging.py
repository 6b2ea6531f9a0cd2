"""Chunks and entities as counted by conlleval, and token accuracy."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nlpsig_core.data.metrics.base import Family, only
from nlpsig_core.data.metrics.structures.conllx import check_same_tokens
from nlpsig_core.data.readers.tagged import OUTSIDE, Tagged, invalid_tag, may_be_plain, parts_of

# Chunks of the gold, of the output and of both; tokens, and tokens with the right tag.
COLUMNS = ("gold_chunks", "system_chunks", "chunks", "tokens", "tags")
# Prefixes that start a chunk, and prefixes that end one.
OPENING, CLOSING = frozenset("BSU[]"), frozenset("ELSU[]")
SENTENCES = "sentences end elsewhere ({:,}; the gold has {:,}): the tokens are the same, so the gold's sentences count"
MARKED = {
    (True, True): "each start and each end marked",
    (True, False): "each start marked",
    (False, True): "each end marked",
    (False, False): "starts and ends marked at most between adjacent chunks",
}


def in_sentences_of(gold: Tagged, output: Tagged) -> Tagged:
    """Return an output with the gold's sentences, and a note, if all its tokens are the gold's and only they differ."""
    if output.tokens is None or output.tokens != gold.tokens or np.array_equal(output.first_token, gold.first_token):
        return output
    notes = (*output.notes, SENTENCES.format(output.n_units, gold.n_units))
    return replace(output, first_token=gold.first_token, documents=gold.documents, notes=notes)


def count(gold: Tagged, output: Tagged) -> np.ndarray:
    """Count the sufficient statistics of an output, (sentences, COLUMNS), integers.

    A chunk is right if its first token, last token and type are (conlleval 2004-01-26, of the CoNLL 2000 and 2003
    shared tasks). There is none where the gold's tags are classes. Raises FileError if the sentences or tokens differ
    from the gold's, or the tags of an output alone mark no chunks.
    """
    check_same_tokens(gold, output)
    if output.classes and not (gold.classes or may_be_plain({*gold.tags, *output.tags})):
        raise invalid_tag(output.name, output.tags, output.lines)
    right = np.array([tag == other for tag, other in zip(gold.tags, output.tags, strict=True)])
    sentence = gold.token_sentence
    # Tags that are classes mark no chunks.
    chunks = (np.empty(0, dtype=np.int64),) * 3 if gold.classes else _first_tokens(gold, output)
    tokens = (*chunks, np.arange(len(right)), np.flatnonzero(right))
    return np.stack([np.bincount(sentence[at], minlength=gold.n_units) for at in tokens], axis=1).astype(np.int32)


def _first_tokens(gold: Tagged, output: Tagged) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first tokens of the gold's chunks, of the output's, and of those that both have."""
    codes: dict[str, int] = {}
    ours, theirs = Chunks.of(gold, codes), Chunks.of(output, codes)
    _, g, s = np.intersect1d(ours.first, theirs.first, assume_unique=True, return_indices=True)
    both = g[(ours.last[g] == theirs.last[s]) & (ours.kind[g] == theirs.kind[s])]
    return ours.first, theirs.first, ours.first[both]


def count_missing(gold: Tagged) -> np.ndarray:
    """Return the statistics of a missing output: the gold's chunks and tokens, none of them right."""
    return only(count(gold, gold), [column in ("gold_chunks", "tokens") for column in COLUMNS])


class Marks(NamedTuple):
    """The tags of a file, arrays (tokens,): outside of chunks; opening or closing by their prefix; type."""

    outside: np.ndarray
    opening: np.ndarray
    closing: np.ndarray
    kind: np.ndarray

    @classmethod
    def of(cls, tagged: Tagged, codes: dict[str, int]) -> Marks:
        """Return the marks of a file; new types are added to ``codes``."""
        distinct = list(dict.fromkeys(tagged.tags))
        index = {tag: i for i, tag in enumerate(distinct)}
        indices = np.fromiter(map(index.__getitem__, tagged.tags), dtype=np.int64, count=len(tagged.tags))
        split = list(map(parts_of, distinct))
        columns = (
            [prefix == OUTSIDE for prefix, _ in split],
            [prefix in OPENING for prefix, _ in split],
            [prefix in CLOSING for prefix, _ in split],
            [codes.setdefault(kind, len(codes)) for _, kind in split],
        )
        return cls(*(np.array(column)[indices] for column in columns))


class Chunks(NamedTuple):
    """The chunks of a file in order, arrays (chunks,): first token, last token, type."""

    first: np.ndarray
    last: np.ndarray
    kind: np.ndarray

    @classmethod
    def of(cls, tagged: Tagged, codes: dict[str, int]) -> Chunks:
        """Return the chunks of a file by conlleval's rules; new types are added to ``codes``.

        Every tag but O is part of a chunk. A chunk starts at B, S and U, after O, at the start of a sentence, after E,
        L, S and U, and where the type changes; it ends before O, at the end of a sentence and before the next start.
        conlleval itself supports B, I, E, O and brackets; S, L, U, M and B after E have their meaning in BIOES, BILOU
        and BMES.
        """
        marks = Marks.of(tagged, codes)
        apart = _apart(tagged, marks)
        starts = ~marks.outside & (apart[:-1] | marks.opening | np.append(True, marks.closing[:-1]))
        continues = ~marks.outside & ~starts
        first = np.flatnonzero(starts)
        last = np.flatnonzero(~marks.outside & ~np.append(continues[1:], False))
        return cls(first, last, marks.kind[first])


def _apart(tagged: Tagged, marks: Marks) -> np.ndarray:
    """Return whether O, another type or a sentence break separates each token from the one before, (tokens + 1,)."""
    apart = np.ones(len(tagged.tags) + 1, dtype=bool)
    apart[1:-1] = marks.outside[:-1] | marks.outside[1:] | (marks.kind[:-1] != marks.kind[1:])
    apart[tagged.first_token] = True
    return apart


def remarks(gold: Tagged, output: Tagged) -> list[str]:
    """Return remarks on repaired tags, files without tokens, and tags of another scheme than the gold's."""
    notes = [note for note in output.notes if note not in gold.notes]
    if output.tokens is None and gold.tokens is not None:
        notes.append("the file has no tokens: only the lengths of its sentences could be compared with the gold's")
    if gold.classes:
        return notes
    ours, theirs = _Scheme.of(gold), _Scheme.of(output)
    if theirs.repaired.any():
        notes.append(_repairs(output, theirs))
    if ours.prefixes and theirs.prefixes and (ours.marked != theirs.marked or not theirs.prefixes <= ours.prefixes):
        notes.append(
            f"its tags ({theirs}) follow another scheme than the gold's ({ours}): "
            "F1 compares the chunks, but token accuracy compares the tags themselves"
        )
    return notes


class _Scheme(NamedTuple):
    """How a file marks chunks: its prefixes, and whether all starts and all ends are marked.

    ``late`` and ``early`` are the tags that start and end a chunk without the mark that the scheme requires, (tokens,).
    """

    prefixes: frozenset[str]
    marked: tuple[bool, bool]
    late: np.ndarray
    early: np.ndarray

    @property
    def repaired(self) -> np.ndarray:
        """Tags that start or end a chunk without the required mark, (tokens,)."""
        either: np.ndarray = self.late | self.early
        return either

    def __str__(self) -> str:
        return f"{', '.join(sorted(self.prefixes))}; {MARKED[self.marked]}"

    @classmethod
    def of(cls, tagged: Tagged) -> _Scheme:
        """Return the scheme of most tags at the starts and ends that O, a change of type or a sentence break shows."""
        codes: dict[str, int] = {}
        marks, chunks = Marks.of(tagged, codes), Chunks.of(tagged, codes)
        apart = _apart(tagged, marks)
        prefixes = frozenset(prefix for prefix, _ in map(parts_of, set(tagged.tags))) - {OUTSIDE}
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
    repairs = "1 tag was repaired as in conlleval:" if n == 1 else f"{n} tags were repaired as in conlleval, e.g."
    return f"{repairs} {output.tags[at]} {where} on line {output.lines[at]}"


FAMILY = Family(
    name="tagging",
    version=4,
    reader="Tagged tokens",
    columns=COLUMNS,
    match=in_sentences_of,
    count=count,
    count_missing=count_missing,
    remarks=remarks,
)
