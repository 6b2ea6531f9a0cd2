"""Word alignments in Pharaoh lines, NAACL 2003 columns or GIZA's blocks: text stream -> Alignments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.readers.base import Companion

# Numbers have at most six digits, so that a sentence and two positions fit into one 64-bit key.
LINK = re.compile(r"([0-9]{1,6})([-pP?])([0-9]{1,6})")
NUMBER = r"[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?"
ROW = re.compile(rf"\s*0*([0-9]{{1,6}})\s+([0-9]{{1,6}})\s+([0-9]{{1,6}})(?:\s+([SPsp]))?(?:\s+{NUMBER})?\s*")
# A link and a row that may be cut off where the known beginning of a file ends.
CUT_LINK = re.compile(r"[0-9]{1,6}(?:[-pP?][0-9]{0,6})?")
CUT_ROW = re.compile(r"\s*+[0-9]++(?:\s++[0-9]{1,6}){0,2}(?:\s++[SPsp])?(?:\s++[-+.0-9eE]*+)?\s*+")
# A block of GIZA is its number and lengths, the target sentence, and the source words with their positions in it.
GIZA, GIZA_WORD = "# Sentence pair (", re.compile(r"\(\{([ 0-9]*)\}\)")
POSITIONS = 10**6 + 1
# Files of sentences, by their name before the first dot.
SIDES = {"source": "source", "src": "source", "target": "target"}
SENTENCES = Companion(role="input", names=tuple(SIDES))


@dataclass(frozen=True, eq=False, kw_only=True)
class Alignments:
    """The distinct links of one file, ordered by sentence, source and target; arrays are (links,).

    ``source`` and ``target`` are positions from 0, while the file counts from ``base``; ``line`` starts at 1.
    ``read_as`` is a key of READ_AS. Files that are ``numbered`` number their sentences and may lack the last ones.
    ``source_words`` and ``target_words`` are the lengths of the sentences, (units,), if known; ``source_sentences``
    and ``target_sentences`` are the sentences, with spaces between words.
    """

    name: str
    n_units: int
    sentence: np.ndarray
    source: np.ndarray
    target: np.ndarray
    sure: np.ndarray
    line: np.ndarray
    base: int
    read_as: str
    numbered: bool
    notes: tuple[str, ...] = ()
    source_words: np.ndarray | None = None
    target_words: np.ndarray | None = None
    source_sentences: tuple[str, ...] | None = None
    target_sentences: tuple[str, ...] | None = None

    @cached_property
    def keys(self) -> np.ndarray:
        """One whole number per link, equal in all files for the same link of the same sentence."""
        return keys_of(self.sentence, self.source, self.target)

    @property
    def n_links(self) -> int:
        """Number of links."""
        return len(self.sentence)

    def other_readings(self) -> Iterator[Reading]:
        """Yield the same links with source and target swapped, counted from the other base, and both."""
        for swap, shift in ((True, False), (False, True), (True, True)):
            base = 1 - self.base if shift else self.base
            source, target = (p + self.base - base for p in (self.source, self.target))
            if self.n_links and min(source.min(), target.min()) < 0:
                continue
            words = ["reversed"] * (("reversed" in self.read_as) != swap)
            words += [f"from {base}"] * ("from" in self.read_as or shift)
            changes = ["with source and target swapped"] * swap + [f"with positions counted from {base}"] * shift
            yield Reading(
                read_as=", ".join(words) or "as it is",
                change=" and ".join(changes),
                source=target if swap else source,
                target=source if swap else target,
            )


class Reading(NamedTuple):
    """Another way to read a file: its key in READ_AS, its difference in words, and the positions (links,)."""

    read_as: str
    change: str
    source: np.ndarray
    target: np.ndarray


def keys_of(sentence: np.ndarray, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return one whole number for each link of a sentence, (links,)."""
    keys: np.ndarray = (sentence * POSITIONS + source) * POSITIONS + target
    return keys


def looks_like_alignments(head: str) -> bool:
    """Return whether the beginning of a file, possibly cut off within a link, consists of links."""
    if head.startswith(GIZA):
        return True
    whole = head.endswith("\n")
    lines = [line for line in head.split("\n") if line.strip()]
    return _all_match(head.split(), LINK, CUT_LINK, whole) or _all_match(lines, ROW, CUT_ROW, whole)


def _all_match(texts: list[str], pattern: re.Pattern[str], cut: re.Pattern[str], whole: bool) -> bool:
    if not texts or not all(map(pattern.fullmatch, texts[:-1])):
        return False
    return bool(pattern.fullmatch(texts[-1]) or (not whole and len(texts) > 1 and cut.fullmatch(texts[-1])))


def read_alignments(stream: TextIO, name: str, read_as: str = "as it is") -> Alignments:
    """Return the links of a stream in Pharaoh format, in the columns of the NAACL 2003 shared task or in GIZA's blocks.

    Pharaoh: one line per sentence pair, ``i-j`` is sure, ``ipj`` or ``i?j`` possible; positions start at 0 if a link
    has position 0, otherwise at 1. Columns: sentence, source, target, S or P, confidence, all counted from 1; position
    0 is the NULL word, whose links are left out. ``read_as`` is a key of READ_AS. Raises FileError for invalid links,
    and for a file without links.
    """
    lines = stream.read().removesuffix("\n").split("\n")
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise FileError(name, None, "no link found; is this a file of word alignments?")
    numbered, blocks = first.split()[0].isdecimal(), first.startswith(GIZA)
    read = _row_links if numbered else _giza_links if blocks else _pharaoh_links
    links = np.array([*read(name, lines)], dtype=np.int64).reshape(-1, 5).T
    n_units = int(links[0].max()) + 1 if numbered else len(lines) // 3 if blocks else len(lines)
    base = int(read_as[-1]) if "from" in read_as else int(numbered or blocks or bool(links[1:3].all()))
    links, notes = _from_zero(name, links, base, numbered)
    if base and not numbered and not blocks and "from" not in read_as:
        notes.append("no link has position 0: positions are counted from 1")
    if "reversed" in read_as:
        links = links[[0, 2, 1, 3, 4]]
    # Each link once, in order; it is sure if any of its mentions is.
    links = links[:, np.argsort(-links[3], kind="stable")]
    sentence, source, target, sure, line = links[:, np.unique(keys_of(*links[:3]), return_index=True)[1]]
    return Alignments(
        name=name,
        n_units=n_units,
        sentence=sentence,
        source=source,
        target=target,
        sure=sure.astype(bool),
        line=line,
        base=base,
        read_as=read_as,
        numbered=numbered,
        notes=tuple(notes),
    )


def _pharaoh_links(name: str, lines: list[str]) -> Iterator[tuple[int, int, int, bool, int]]:
    """Yield sentence from 0, the two positions as written, whether sure, and line of each Pharaoh link."""
    for number, line in enumerate(lines, 1):
        for text in line.split():
            link = LINK.fullmatch(text)
            if link is None:
                reason = f"cannot read the link {text[:60]!r}; links are written 3-4 (sure) or 3p4 (possible)"
                raise FileError(name, number, reason)
            yield number - 1, int(link[1]), int(link[3]), link[2] == "-", number


def _giza_links(name: str, lines: list[str]) -> Iterator[tuple[int, int, int, bool, int]]:
    """Yield the same for the blocks of GIZA, of three lines; the first word is NULL, whose links are left out."""
    for number, line in enumerate(lines, 1):
        if number % 3 == 1 and not line.startswith(GIZA):
            raise FileError(name, number, f"cannot read {line[:60]!r}; GIZA's blocks begin with {GIZA}")
        if not number % 3:
            for source, positions in enumerate(GIZA_WORD.findall(line)):
                for target in positions.split() if source else ():
                    yield number // 3 - 1, source, int(target), True, number


def _row_links(name: str, lines: list[str]) -> Iterator[tuple[int, int, int, bool, int]]:
    """Yield the same for the columns of the NAACL 2003 shared task, where blank lines have no meaning."""
    for number, line in enumerate(lines, 1):
        row = ROW.fullmatch(line)
        if row is None and line.strip():
            reason = f"cannot read {line[:60]!r}; the columns are sentence, source, target, S or P, confidence"
            raise FileError(name, number, reason)
        if row is not None:
            if not int(row[1]):
                raise FileError(name, number, "sentence 0; sentences are numbered from 1")
            yield int(row[1]) - 1, int(row[2]), int(row[3]), row[4] not in ("P", "p"), number


def _from_zero(name: str, links: np.ndarray, base: int, numbered: bool) -> tuple[np.ndarray, list[str]]:
    """Return the links with positions from 0, and a note on links of the NULL word."""
    null = (links[1:3] < base).any(axis=0)
    if null.any() and not numbered:
        _, first, second, _, line = links[:, np.argmax(null)].tolist()
        raise FileError(name, line, f"link {first}-{second} has position 0, but positions are to be counted from 1")
    notes = [f"links to position 0, the NULL word, are left out: {null.sum()}"] if null.any() else []
    return links[:, ~null] - np.array([0, base, base, 0, 0])[:, None], notes


READ_AS: Mapping[str, Callable[[TextIO, str], Alignments]] = {"as it is": read_alignments} | {
    name: partial(read_alignments, read_as=name)
    for name in ("reversed", "from 0", "from 1", "reversed, from 0", "reversed, from 1")
}


def read_gold_alignments(
    files: Sequence[tuple[TextIO, str]], read: Callable[[TextIO, str], Alignments] = read_alignments
) -> Alignments:
    """Return the gold's links from the first file, with lengths of sentences from files named source.* and target.*.

    These hold one sentence per line, words separated by spaces; other files are ignored. Raises FileError if the
    numbers of sentences differ, and if a link of the gold is outside its sentences.
    """
    (stream, name), *others = files
    gold = read(stream, name)
    sentences: dict[str, tuple[str, ...]] = {}
    for lines, path in others:
        side = SIDES.get(PurePosixPath(path).name.partition(".")[0].lower())
        if side is None:
            continue
        own = sentences[side] = tuple(lines.read().removesuffix("\n").split("\n"))
        if len(own) < gold.n_units or (len(own) > gold.n_units and (not gold.numbered or len(sentences) > 1)):
            raise FileError(path, None, f"{len(own)} sentences, but the gold ({name}) has {gold.n_units}")
        gold = replace(gold, n_units=len(own))
    source, target = sentences.get("source"), sentences.get("target")
    gold = replace(gold, source_sentences=source, target_sentences=target)
    gold = replace(gold, source_words=_lengths(source), target_words=_lengths(target))
    check_inside(gold, gold)
    return gold


def _lengths(sentences: tuple[str, ...] | None) -> np.ndarray | None:
    return None if sentences is None else np.array([len(sentence.split()) for sentence in sentences])


def check_inside(links: Alignments, gold: Alignments) -> None:
    """Raise FileError at the first link outside its sentence, if the gold knows the lengths of the sentences."""
    outside = _outside(gold, links.sentence, links.source, links.target)
    if not outside.any():
        return
    i = int(np.argmin(np.where(outside, links.line, links.line.max() + 1)))
    side, length = "source", gold.source_words
    if length is None or links.source[i] < length[links.sentence[i]]:
        side, length = "target", gold.target_words
    assert length is not None
    written = [int(p) + links.base for p in (links.source[i], links.target[i])]
    link = "-".join(map(str, reversed(written) if "reversed" in links.read_as else written))
    reason = f"link {link}: the {side} sentence has {length[links.sentence[i]]} words"
    reason += f", positions are counted from {links.base}"
    for other in links.other_readings():
        if not _outside(gold, links.sentence, other.source, other.target).any():
            reason += f"; all links fit {other.change}: read it as {other.read_as!r}"
            break
    raise FileError(links.name, int(links.line[i]), reason)


def _outside(gold: Alignments, sentence: np.ndarray, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    outside = np.zeros(len(sentence), dtype=bool)
    for position, words in ((source, gold.source_words), (target, gold.target_words)):
        if words is not None:
            outside |= position >= words[sentence]
    return outside
