"""Drawings of word alignments: one grid of source and target words per output, with wrong and missed links."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings.markup import GOLD, NO_OUTPUT, element, frame, head, listed, scrolling, span
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers.alignments import Alignments

Links = dict[tuple[int, int], bool]
LEGEND = (
    (element("link sure hit", tag="span"), "sure link of the gold, found"),
    (element("link sure lost", tag="span"), "sure link, not found"),
    (element("link possible hit", tag="span"), "possible link, found"),
    (element("link possible", tag="span"), "possible link, not found: no error"),
    (span("link wrong", "✗"), "wrong link"),
)
GOLD_LEGEND = (
    (element("link sure", tag="span"), "sure link of the gold"),
    (element("link possible", tag="span"), "possible link"),
)
# The most words of a side that are drawn, since a link may be at any position.
MOST_WORDS = 200


def lengths(gold: Alignments) -> np.ndarray:
    """Return the source words of each sentence pair, (units,); up to the last linked one if their number is unknown."""
    if gold.source_words is not None:
        return gold.source_words.copy()
    longest = np.zeros(gold.n_units, dtype=np.int64)
    np.maximum.at(longest, gold.sentence, gold.source + 1)
    return longest


def text(gold: Alignments, unit: int) -> str:
    """Return the source sentence if the gold has it, else the number of the sentence pair."""
    return " ".join(_words(gold.source_sentences, unit)) or f"sentence pair {unit + 1}"


def draw(gold: Alignments, outputs: Mapping[str, Alignments | None], unit: int, metric: Metric) -> str:
    """Draw a grid per output: gold links are squares, its own are dots and crosses; without outputs, the gold's.

    The drawing is the same for all metrics, since they agree on which links are right.
    """
    wanted = links_of(gold, unit)
    by_system = {name: None if output is None else links_of(output, unit) for name, output in outputs.items()}
    linked = [link for links in (wanted, *by_system.values()) for link in links or ()]
    source = _axis(gold, gold.source_sentences, gold.source_words, unit, [link[0] for link in linked])
    target = _axis(gold, gold.target_sentences, gold.target_words, unit, [link[1] for link in linked])
    too_long = max(len(source), len(target)) > MOST_WORDS
    source, target = source[:MOST_WORDS], target[:MOST_WORDS]
    n_sure = sum(wanted.values())
    summary = listed(count(n_sure, "sure link"), f"{len(wanted) - n_sure:,} possible" if len(wanted) > n_sure else "")
    compared = any(links is not None for links in by_system.values())
    grids = [] if compared else [element("one", _grid(source, target, wanted, None))]
    for number, (name, links) in enumerate(by_system.items(), 1):
        above = head(name, NO_OUTPUT if links is None else _summary(wanted, links), number)
        grids.append(element("one", above, "" if links is None else _grid(source, target, wanted, links)))
    return frame(
        head(GOLD, summary),
        element("grids", *grids),
        legend=LEGEND if compared else GOLD_LEGEND,
        words=target,
        note=f"only the first {MOST_WORDS} words of a side are drawn, with their links" if too_long else "",
    )


def links_of(alignments: Alignments, unit: int) -> Links:
    """Return the links of a sentence pair, (source, target) from 0, each with whether it is sure."""
    begin, end = np.searchsorted(alignments.sentence, (unit, unit + 1))
    columns = (alignments.source, alignments.target, alignments.sure)
    source, target, sure = (column[begin:end].tolist() for column in columns)
    return dict(zip(zip(source, target, strict=True), sure, strict=True))


def _words(sentences: Sequence[str] | None, unit: int) -> list[str]:
    """Return the words of one side of a sentence pair; none if the gold has links only."""
    return sentences[unit].split() if sentences else []


def _axis(
    gold: Alignments, sentences: Sequence[str] | None, lengths: np.ndarray | None, unit: int, linked: list[int]
) -> list[str]:
    """Return the words of one side; positions, as the gold counts them, for unknown words up to the last linked one."""
    words = _words(sentences, unit)
    n = max([0 if lengths is None else int(lengths[unit]), *(position + 1 for position in linked)])
    return words + [str(position + gold.base) for position in range(len(words), min(n, MOST_WORDS + 1))]


def _summary(wanted: Links, links: Links) -> str:
    wrong = len(links.keys() - wanted.keys())
    sure = [link for link, is_sure in wanted.items() if is_sure]
    return listed(
        f"{sum(link in links for link in sure):,} of {count(len(sure), 'sure link')} found",
        f"{len(links) - wrong:,} of {count(len(links), 'link')} right",
        f"{wrong:,} wrong" if wrong else "",
    )


def _grid(source: Sequence[str], target: Sequence[str], wanted: Links, links: Links | None) -> str:
    """Return a grid with a row per source word and a column per target word; of the gold alone without ``links``."""
    cells = [element("field", style="grid-area:2/2/-1/-1")]
    cells += [element("source", span("", word), style=f"grid-area:{i}/1") for i, word in enumerate(source, 2)]
    cells += [element(_orientation(word), span("", word), style=f"grid-area:1/{j}") for j, word in enumerate(target, 2)]
    for i, j in sorted(wanted.keys() | (links or {}).keys()):
        if i >= len(source) or j >= len(target):
            continue
        kind, meaning = _kind((i, j), wanted, links)
        mark, position = "✗" if kind == "wrong" else "", f"grid-area:{i + 2}/{j + 2}"
        cells.append(element(f"link {kind}", mark, style=position, title=f"{source[i]} – {target[j]}: {meaning}"))
    tracks = f"grid-template:max-content repeat({len(source)},18px)/max-content repeat({len(target)},18px)"
    return scrolling(element("grid", *cells, style=tracks), label="grid of word links")


def _kind(link: tuple[int, int], wanted: Links, links: Links | None) -> tuple[str, str]:
    """Return the CSS classes of a cell and their meaning."""
    if link not in wanted:
        return "wrong", "wrong link"
    gold = "sure" if wanted[link] else "possible"
    if links is None:
        return gold, f"{gold} link"
    if link in links:
        return f"{gold} hit", f"{gold} link, found"
    return ("sure lost", "sure link, not found") if wanted[link] else (gold, "possible link, not found")


def _orientation(word: str) -> str:
    """Return the class of a word above its column: numbers upright, East Asian scripts downwards, others rotated."""
    if word.isdecimal() and len(word) <= 3:
        return "target flat"
    wide = any(unicodedata.east_asian_width(character) in "WF" for character in word)
    return "target upright" if wide else "target"
