"""Drawings of word alignments: one grid of source and target words per output, with wrong and missed links."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np

from nlpsig_core.data.drawings.markup import (
    GOLD,
    NO_OUTPUT,
    element,
    frame,
    head,
    listed,
    reads_right_to_left,
    scrolling,
    several,
    span,
)
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
# Words of a side that are drawn: a link may be at any position.
MOST_WORDS = 200


def lengths(gold: Alignments) -> np.ndarray:
    """Source words of each sentence pair, (units,); up to the last linked one if the lengths are unknown."""
    if gold.source_words is not None:
        return gold.source_words.copy()
    longest = np.zeros(gold.n_units, dtype=np.int64)
    np.maximum.at(longest, gold.sentence, gold.source + 1)
    return longest


def text(gold: Alignments, unit: int) -> str:
    """The source sentence if the gold has it, else the number of the sentence pair."""
    return " ".join(_sentence(gold, "source", unit)) or f"sentence pair {unit + 1}"


def draw(gold: Alignments, outputs: Mapping[str, Alignments | None], unit: int, metric: Metric) -> str:
    """One grid per output: gold links are squares, its own are dots and crosses; without outputs, a grid of the gold.

    The drawing is the same for all metrics, since they agree on which links are right.
    """
    wanted = links_of(gold, unit)
    by_system = {name: None if output is None else links_of(output, unit) for name, output in outputs.items()}
    all_links = [wanted, *filter(None, by_system.values())]
    both = [_length(gold, side, k, unit, all_links) for k, side in enumerate(("source", "target"))]
    source, target = (_axis(gold, side, unit, n) for n, side in zip(both, ("source", "target"), strict=True))
    note = f"only the first {MOST_WORDS} words of a side are drawn, with their links" if max(both) > MOST_WORDS else ""
    n_sure = sum(wanted.values())
    summary = listed(several(n_sure, "sure link"), f"{len(wanted) - n_sure:,} possible" if len(wanted) > n_sure else "")
    compared = any(links is not None for links in by_system.values())
    gold_head = head(GOLD, summary)
    grids = [] if compared else [_one(_grid(source, target, wanted, None))]
    for number, (name, links) in enumerate(by_system.items(), 1):
        summary = NO_OUTPUT if links is None else _summary(wanted, links)
        grids.append(
            _one(head(name, summary, number), *([] if links is None else [_grid(source, target, wanted, links)]))
        )
    legend = LEGEND if compared else GOLD_LEGEND
    return frame(
        gold_head, element("grids", *grids), legend=legend, right_to_left=reads_right_to_left(target), note=note
    )


def links_of(alignments: Alignments, unit: int) -> Links:
    """The links of a sentence pair, (source, target) from 0, each with whether it is sure."""
    begin, end = np.searchsorted(alignments.sentence, (unit, unit + 1))
    columns = (alignments.source, alignments.target, alignments.sure)
    source, target, sure = (column[begin:end].tolist() for column in columns)
    return dict(zip(zip(source, target, strict=True), sure, strict=True))


def _sentence(gold: Alignments, side: str, unit: int) -> list[str]:
    """The words of one side of a sentence pair; empty if the gold has links only."""
    sentences = getattr(gold, f"{side}_sentences")
    return sentences[unit].split() if sentences else []


def _length(gold: Alignments, side: str, k: int, unit: int, all_links: Sequence[Links]) -> int:
    """The number of words of one side; up to the last linked one if it is unknown."""
    numbers = gold.source_words if side == "source" else gold.target_words
    linked = max((link[k] + 1 for links in all_links for link in links), default=0)
    return max(linked, int(numbers[unit]) if numbers is not None else 0, len(_sentence(gold, side, unit)))


def _axis(gold: Alignments, side: str, unit: int, n: int) -> list[str]:
    """The words of one side that are drawn; positions, as the gold counts them, for words that are unknown."""
    words, drawn = _sentence(gold, side, unit), min(n, MOST_WORDS)
    return words[:drawn] + [str(position + gold.base) for position in range(len(words), drawn)]


def _summary(wanted: Links, links: Links) -> str:
    wrong = len(links.keys() - wanted.keys())
    sure = [link for link, is_sure in wanted.items() if is_sure]
    missed = sum(link not in links for link in sure)
    return listed(
        f"{len(sure) - missed:,} of {several(len(sure), 'sure link')} found",
        f"{len(links) - wrong:,} of {several(len(links), 'link')} right",
        f"{wrong:,} wrong" if wrong else "",
    )


def _one(*parts: str) -> str:
    return element("one", *parts)


def _grid(source: Sequence[str], target: Sequence[str], wanted: Links, links: Links | None) -> str:
    """A grid with a row per source word and a column per target word; with ``links`` None, of the gold alone."""
    cells = [element("field", style="grid-area:2/2/-1/-1")]
    cells += [element("source", span("", word), style=f"grid-area:{i}/1") for i, word in enumerate(source, 2)]
    cells += [element(_set(word), span("", word), style=f"grid-area:1/{j}") for j, word in enumerate(target, 2)]
    for link in sorted(wanted.keys() | (links or {}).keys()):
        if link[0] >= len(source) or link[1] >= len(target):
            continue
        kind, meaning = _kind(link, wanted, links)
        position = f"grid-area:{link[0] + 2}/{link[1] + 2}"
        title = f"{source[link[0]]} – {target[link[1]]}: {meaning}"
        cells.append(element(f"link {kind}", "✗" if kind == "wrong" else "", style=position, title=title))
    tracks = f"grid-template:max-content repeat({len(source)},18px)/max-content repeat({len(target)},18px)"
    grid = element("grid", *cells, style=tracks)
    return scrolling(grid, label="grid of word links")


def _kind(link: tuple[int, int], wanted: Links, links: Links | None) -> tuple[str, str]:
    """The CSS classes of a cell and their meaning."""
    if link not in wanted:
        return "wrong", "wrong link"
    gold = "sure" if wanted[link] else "possible"
    if links is None:
        return gold, f"{gold} link"
    if link in links:
        return f"{gold} hit", f"{gold} link, found"
    return ("sure lost", "sure link, not found") if wanted[link] else (gold, "possible link, not found")


def _set(word: str) -> str:
    """The orientation of a word above its column: numbers upright, East Asian scripts downwards, others rotated."""
    if word.isdecimal() and len(word) <= 3:
        return "target flat"
    wide = any(unicodedata.east_asian_width(character) in "WF" for character in word)
    return "target upright" if wide else "target"
