"""Drawings of transcripts: the words of the gold and those of each output below them, aligned, with their errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.words import count, one_line
from nlpsig_core.data.drawings.items import name_of
from nlpsig_core.data.drawings.markup import GOLD, NO_OUTPUT, badge, element, frame, head, listed, span
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.texts.transcripts import FAMILIES, MEANINGS, TEXTS, word_edits
from nlpsig_core.data.readers.items.items import Items
from nlpsig_core.data.readers.items.rows import Rows
from nlpsig_core.data.readers.transcripts import AS_WRITTEN

# The most characters of a transcript in a list, and of words in a drawing; longer ones show stretches with errors, with
# a few words on both sides.
MOST_OF_A_LINE, MOST_WORDS, CONTEXT = 200, 400, 4
DELETED, NOTHING = "−", "\u00a0"
LEGEND = (
    (span("unlike", "word"), "substituted"),
    (span("lacking gone", DELETED), "deleted"),
    (span("unlike", "+word"), "inserted"),
)


class _Column(NamedTuple):
    """A word of the gold (None: there is none) and that of each output (None: none) in its place."""

    wanted: str | None
    given: tuple[str | None, ...]

    @property
    def wrong(self) -> bool:
        return any(word != self.wanted for word in self.given)


def lengths(gold: Items) -> np.ndarray:
    """Count the words of each utterance, (units,)."""
    return np.array([len(text.split()) for text in gold.answers], dtype=np.int64)


def text(gold: Items, unit: int) -> str:
    """Return the beginning of an utterance in one line, or its id if it has no words."""
    line = one_line(gold.answers[unit][: MOST_OF_A_LINE + 1]).strip()
    return f"{line[:MOST_OF_A_LINE]} …" if len(line) > MOST_OF_A_LINE else line or name_of(gold, unit)


def draw(gold: Items, outputs: Mapping[str, Rows | None], unit: int, metric: Metric) -> str:
    """Draw the words of the gold and of the outputs, aligned as they are counted; of a long one, its errors."""
    edition = next((edition for edition, family in FAMILIES.items() if family is metric.family), AS_WRITTEN)
    words = TEXTS[edition](gold.answers[unit]).split()
    aligned, heads = list[tuple[int, _Aligned]](), list[str]()
    for number, (name, output) in enumerate(outputs.items(), 1):
        if output is None:
            heads.append(head(name, NO_OUTPUT, number))
            continue
        own = _aligned(words, TEXTS[edition](gold.answers_of(output).values[unit] or "").split())
        aligned.append((number, own))
        heads.append(head(name, own.summary(words), number))
    columns = list(_columns(words, [own for _, own in aligned]))
    stretches, note = _stretches(columns)
    labels = _slot(element("", GOLD, tag="b"), *(badge(number) for number, _ in aligned))
    parts = [element("aligned", labels, *map(_words, columns[stretch])) for stretch in stretches]
    by_words = metric.family is FAMILIES[edition] and "characters" not in metric.columns
    texts = f"words {MEANINGS[edition]}" + ("" if by_words else f"; errors are marked by words, not by {metric.label}")
    labelled = listed(*(of_units[unit] for of_units in (gold.domains, gold.documents) if of_units))
    return frame(
        head(name_of(gold, unit), listed(labelled, count(len(words), "word"))),
        *heads,
        *parts,
        legend=LEGEND if any(column.wrong for column in columns) else (),
        words=words,
        note=listed(texts, note),
    )


class _Aligned(NamedTuple):
    """The words of an output in the place of each of the gold's (None: deleted), and those inserted before each."""

    given: list[str | None]
    inserted: dict[int, list[str]]

    def summary(self, words: Sequence[str]) -> str:
        """Return the numbers of errors, in all and by kind."""
        deleted, inserted = self.given.count(None), sum(map(len, self.inserted.values()))
        substituted = sum(own != word for own, word in zip(self.given, words, strict=True)) - deleted
        kinds = {"substituted": substituted, "deleted": deleted, "inserted": inserted}
        total = count(sum(kinds.values()), "error")
        return listed(total, *(f"{number:,} {kind}" for kind, number in kinds.items() if number))


def _aligned(words: Sequence[str], own: Sequence[str]) -> _Aligned:
    given, inserted = list[str | None](), dict[int, list[str]]()
    for edit in word_edits(words, own):
        theirs = own[edit.dest_start : edit.dest_end]
        if edit.tag == "insert":
            inserted[edit.src_start] = list(theirs)
        else:
            given += theirs or [None] * (edit.src_end - edit.src_start)
    return _Aligned(given, inserted)


def _columns(words: Sequence[str], outputs: Sequence[_Aligned]) -> Iterator[_Column]:
    for place in range(len(words) + 1):
        for inserted in zip_longest(*(output.inserted.get(place, ()) for output in outputs)):
            yield _Column(None, inserted)
        if place < len(words):
            yield _Column(words[place], tuple(output.given[place] for output in outputs))


def _stretches(columns: Sequence[_Column]) -> tuple[list[slice], str]:
    """Return what is shown of columns: all of few; of many the stretches with errors, where outputs differ; a note."""
    if len(columns) <= MOST_WORDS:
        return [slice(0, len(columns))], ""
    wrong = np.array([column.wrong for column in columns])
    near = np.convolve(wrong, np.ones(2 * CONTEXT + 1), "same") > 0
    starts, ends = (np.flatnonzero(np.diff(near, prepend=0, append=0) == step).tolist() for step in (1, -1))
    every = list(map(slice, starts, ends))
    if not every:
        return [slice(0, MOST_WORDS)], f"no errors; the first {MOST_WORDS} words"
    different = [own for own in every if any(len(set(column.given)) > 1 for column in columns[own])] or every
    sizes = np.cumsum([own.stop - own.start for own in different])
    shown = different[: int(np.searchsorted(sizes, MOST_WORDS, "right"))]
    cut = "" if shown else f", cut after {MOST_WORDS} words"
    shown = shown or [slice(different[0].start, different[0].start + MOST_WORDS)]
    what = " in which the outputs differ" if len(different) < len(every) else ""
    return shown, f"the first {len(shown):,} of {count(len(different), 'stretch', 'stretches')} with errors{what}{cut}"


def _words(column: _Column) -> str:
    cells = [span("" if column.wanted else "summary", column.wanted or NOTHING)]
    for word in column.given:
        if word == column.wanted:
            cells.append(span("", word or NOTHING))
        elif word is None:
            cells.append(span("lacking gone", DELETED, title="deleted"))
        else:
            cells.append(span("unlike", word if column.wanted else f"+{word}"))
    return _slot(*cells)


def _slot(*cells: str) -> str:
    return element("slot", *(element("", cell) for cell in cells))
