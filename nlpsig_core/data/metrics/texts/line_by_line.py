"""Checks of outputs that are scored line by line: numbers of lines and words, blank lines, copied references."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.base import MOST_PAIRS
from nlpsig_core.data.readers.lines import Lines, References, check_number, count_of


def check(gold: References, output: Lines) -> None:
    """Raise FileError if the output and the references differ in their number of lines."""
    check_number(output, gold.n_units, f"the reference {gold.names[0]}", "segments")


def check_pairs(
    gold: References, output: Lines, most: int = MOST_PAIRS, words: Callable[[str], Sequence[str]] = str.split
) -> None:
    """Raise FileError at the first line with too many words to be compared with each word of a reference."""
    for number, (line, references) in enumerate(zip(output.lines, gold.by_unit, strict=True), 1):
        longest = max(references, key=len)
        # There are no more words than characters, which are known without a look at them.
        if len(line) * len(longest) > most and (n := len(words(line))) * (m := len(words(longest))) > most:
            reason = f"{n:,} words here and {m:,} in the reference are too many to compare; divide the segment"
            raise FileError(output.name, number, reason)


def blank(gold: References, output: Lines, noun: str) -> list[str]:
    """Return at most one remark: the lines that are blank although a reference is not, each an empty ``noun``."""
    wanted = [any(map(str.strip, references)) for references in zip(*gold.lines, strict=True)]
    numbers = [n for n, (line, w) in enumerate(zip(output.lines, wanted, strict=True), 1) if w and not line.strip()]
    each = "each an" if len(numbers) > 1 else "an"
    return [f"{count_of(numbers, 'blank segment')}, {each} empty {noun}"] if numbers else []


def copied(gold: References, output: Lines) -> list[str]:
    """Return at most one remark: the output equals a reference in all or in more than half of its lines."""
    ours = list(map(str.strip, output.lines))
    same = [sum(map(str.__eq__, ours, map(str.strip, reference))) for reference in gold.lines]
    most = max(same)
    if 2 * most <= gold.n_units:
        return []
    where = "" if most == gold.n_units else f" in {most:,} of {gold.n_units:,} lines"
    return [f"is the same text as the reference {gold.names[same.index(most)]}{where}"]
