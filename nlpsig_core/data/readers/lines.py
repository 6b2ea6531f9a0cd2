"""Plain text, one segment per line: text stream -> Lines; and what outputs are compared with: References."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TextIO

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.readers.base import Companion
from nlpsig_core.data.readers.items.items import Items

# The source text helps to recognise summaries; it is not needed to score them.
SOURCE = Companion(role="input", endings=(".source", ".src"), names=("source", "src", "input"), with_gold=False)
# East Asian scripts, by words in the Unicode names of their letters.
SCRIPTS = {"HIRAGANA": "kana", "KATAKANA": "kana", "HANGUL": "hangul", "CJK": "han"}
# Least shares of East Asian letters in Chinese, Japanese and Korean texts, and of kana among those in Japanese.
EAST_ASIAN_SHARE, KANA_SHARE = 0.3, 0.2
# The beginning of n-best lists of Moses and fairseq, and what to do with such lists.
LISTS = re.compile(r"\d+ \|\|\| |(S-\d+\t.*\n)?(T-\d+\t.*\n)?H-\d+\t-?\d+\.\d+\t")
ABOUT_LISTS = (
    "an n-best list, but a system has one candidate for each unit; keep the best one, or choose with `nlpsig rerank`, "
    "as on the page Reranking"
)


@dataclass(frozen=True)
class Lines:
    """The segments of one file, in order."""

    name: str
    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units: the lines."""
        return len(self.lines)


@dataclass(frozen=True)
class References:
    """The references that outputs are compared with: ``lines`` is (references, units), ``names`` are their files.

    A blank line is not a reference if another file has one for that unit. Two objects are equal, and hash alike, if
    their names and texts are equal. ``items`` are those of the first file, by which outputs are matched.
    """

    names: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    items: Items | None = field(default=None, compare=False)

    @property
    def n_units(self) -> int:
        """Number of units: the lines of each reference."""
        return len(self.lines[0])

    @property
    def unit_names(self) -> tuple[str, ...]:
        """The ids of the units, or nothing."""
        return self.items.keys if self.items else ()

    @property
    def documents(self) -> tuple[str, ...]:
        """The document of each unit, or nothing."""
        return self.items.documents if self.items else ()

    @property
    def domains(self) -> tuple[str, ...]:
        """The domain of each unit, or nothing."""
        return self.items.domains if self.items else ()

    @cached_property
    def by_unit(self) -> tuple[tuple[str, ...], ...]:
        """The references of each unit: those that are not blank, or all of them if all are."""
        units = zip(*self.lines, strict=True)
        return tuple(tuple(line for line in unit if line.strip()) or unit for unit in units)

    @cached_property
    def or_none(self) -> tuple[tuple[str | None, ...], ...]:
        """The lines, (references, units), with None for missing references, as sacrebleu expects them."""
        any_filled = [any(map(str.strip, unit)) for unit in zip(*self.lines, strict=True)]
        return tuple(
            tuple(None if filled and not line.strip() else line for line, filled in zip(lines, any_filled, strict=True))
            for lines in self.lines
        )


def looks_like_lines(head: str) -> bool:
    """Return whether a file may be plain text: it contains a letter. All other formats take precedence."""
    return any(map(str.isalpha, head))


def read_lines(stream: TextIO, name: str) -> Lines:
    """Return the lines of a stream, ended by line feeds; the last one may lack its own.

    No other character ends a line: U+2028, U+0085 and vertical tabs occur inside real segments. Raises FileError for
    an empty file.
    """
    text = stream.read()
    if not text:
        raise FileError(name, None, "the file is empty; it should have one segment per line")
    return Lines(name, tuple(text.removesuffix("\n").split("\n")))


def notes_on_references(names: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """Return notes on references, (references, units): units without any text, or some of it, and identical files."""
    filled = [sum(bool(line.strip()) for line in unit) for unit in zip(*lines, strict=True)]
    blank = [number for number, n in enumerate(filled, 1) if not n]
    lacking = [number for number, n in enumerate(filled, 1) if 0 < n < len(lines)]
    everywhere = " in every reference" if len(lines) > 1 else ""
    notes = [count_of(blank, "blank line") + everywhere] if blank else []
    if lacking:
        verb = "lacks one or more of its" if len(lacking) == 1 else "lack one or more of their"
        notes.append(f"{count_of(lacking, 'segment')} {verb} references because the line is blank")
    for index, text in enumerate(lines):
        same = [name for name, earlier in zip(names, lines[:index], strict=False) if earlier == text]
        notes.extend(f"{names[index]}: the same text as {name}" for name in same[:1])
    return notes


def count_of(numbers: Sequence[int], thing: str) -> str:
    """Return the number of lines and the first: "3 blank lines (first: line 17)" for the thing "blank line"."""
    if len(numbers) == 1:
        return f"1 {thing} (line {numbers[0]})"
    return f"{len(numbers):,} {thing}s (first: line {numbers[0]})"


def check_number(lines: Lines, n_units: int, whose: str, what: str) -> None:
    """Raise FileError at the first missing or surplus line if a file has a different number of lines than ``whose``."""
    if lines.n_units == n_units:
        return
    advice = "look for segments that are split over two lines"
    if lines.n_units < n_units:
        advice = "every segment needs a line, if only a blank one"
    reason = f"{lines.n_units:,} {what}, but {whose} has {n_units:,}; {advice}"
    raise FileError(lines.name, min(lines.n_units, n_units) + 1, reason)


def trimmed(lines: Lines, wanted: Sequence[str], whose: str, what: str) -> Lines:
    """Return lines without surplus blank ones at the end, or with those that ``wanted`` has; FileError as above."""
    longer, shorter = (lines.lines, wanted) if lines.n_units > len(wanted) else (wanted, lines.lines)
    if any(line.strip() for line in longer[len(shorter) :]):
        check_number(lines, len(wanted), whose, what)
    return replace(lines, lines=(*lines.lines[: len(wanted)], *wanted[lines.n_units :]))


def target_tokenizer(gold: References) -> str:
    """Return the BLEU tokeniser that sacrebleu recommends for the language of the references, by their script.

    "ja-mecab", "ko-mecab" or "zh" if enough letters are kana and Han, hangul, or Han; "13a" otherwise.
    """
    letters = Counter(filter(str.isalpha, chain.from_iterable(chain.from_iterable(gold.lines))))
    scripts: Counter[str] = Counter()
    for letter, number in letters.items():
        name = unicodedata.name(letter, "")
        scripts[next((script for mark, script in SCRIPTS.items() if mark in name), "")] += number
    east_asian = letters.total() - scripts[""]
    if not east_asian or east_asian < EAST_ASIAN_SHARE * letters.total():
        return "13a"
    if 2 * scripts["hangul"] > east_asian:
        return "ko-mecab"
    return "ja-mecab" if scripts["kana"] >= KANA_SHARE * east_asian else "zh"
