"""Word alignments as grids of source and target words, one an output, with the links that are wrong or lost."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np

from nlpsig_core.drawings.markup import (
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
from nlpsig_core.metrics.base import Metric
from nlpsig_core.readers.alignments import Alignments

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


def lengths(gold: Alignments) -> np.ndarray:
    """Source words of each sentence pair, (units,); up to the last one with a link where the lengths are not known."""
    if gold.source_words is not None:
        return gold.source_words.copy()
    longest = np.zeros(gold.n_units, dtype=np.int64)
    np.maximum.at(longest, gold.sentence, gold.source + 1)
    return longest


def text(gold: Alignments, unit: int) -> str:
    """The source sentence where the gold has it, else the number of the sentence pair."""
    return " ".join(_sentence(gold, "source", unit)) or f"sentence pair {unit + 1}"


def draw(gold: Alignments, outputs: Mapping[str, Alignments | None], unit: int, metric: Metric) -> str:
    """A grid for each output, the gold's links as squares, its own as dots and crosses; of the gold alone if none.

    All metrics count the same links right.
    """
    wanted = links_of(gold, unit)
    found = {name: None if output is None else links_of(output, unit) for name, output in outputs.items()}
    everything = [wanted, *filter(None, found.values())]
    source, target = (_axis(gold, side, k, unit, everything) for k, side in enumerate(("source", "target")))
    n_sure = sum(wanted.values())
    said = listed(several(n_sure, "sure link"), f"{len(wanted) - n_sure:,} possible" if len(wanted) > n_sure else "")
    compared = any(links is not None for links in found.values())
    gold_head = head(GOLD, said)
    grids = [] if compared else [_one(_grid(source, target, wanted, None))]
    for number, (name, links) in enumerate(found.items(), 1):
        said = NO_OUTPUT if links is None else _said(wanted, links)
        grids.append(_one(head(name, said, number), *([] if links is None else [_grid(source, target, wanted, links)])))
    legend = LEGEND if compared else GOLD_LEGEND
    return frame(gold_head, element("grids", *grids), legend=legend, right_to_left=reads_right_to_left(target))


def links_of(alignments: Alignments, unit: int) -> Links:
    """Whether each link of a sentence pair, (source, target) from 0, is sure."""
    begin, end = np.searchsorted(alignments.sentence, (unit, unit + 1))
    columns = (alignments.source, alignments.target, alignments.sure)
    source, target, sure = (column[begin:end].tolist() for column in columns)
    return dict(zip(zip(source, target, strict=True), sure, strict=True))


def _sentence(gold: Alignments, side: str, unit: int) -> list[str]:
    """The words of one side of a sentence pair; none where the gold has the links alone."""
    sentences = getattr(gold, f"{side}_sentences")
    return sentences[unit].split() if sentences else []


def _axis(gold: Alignments, side: str, k: int, unit: int, everything: Sequence[Links]) -> list[str]:
    """The words of one side, else their positions as the gold counts them, up to the last that is known of."""
    words = _sentence(gold, side, unit)
    told = gold.source_words if side == "source" else gold.target_words
    linked = max((link[k] + 1 for links in everything for link in links), default=0)
    n = max(linked, int(told[unit]) if told is not None else 0, len(words))
    return words + [str(position + gold.base) for position in range(len(words), n)]


def _said(wanted: Links, links: Links) -> str:
    wrong = len(links.keys() - wanted.keys())
    sure = [link for link, is_sure in wanted.items() if is_sure]
    lost = sum(link not in links for link in sure)
    return listed(
        f"{len(sure) - lost:,} of {several(len(sure), 'sure link')} found",
        f"{len(links) - wrong:,} of its {several(len(links), 'link')} right",
        f"{wrong:,} wrong" if wrong else "",
    )


def _one(*parts: str) -> str:
    return element("one", *parts)


def _grid(source: Sequence[str], target: Sequence[str], wanted: Links, links: Links | None) -> str:
    """Source words below each other, target words beside each other; ``links`` None shows the gold alone."""
    cells = [element("field", style="grid-area:2/2/-1/-1")]
    cells += [element("source", span("", word), style=f"grid-area:{i}/1") for i, word in enumerate(source, 2)]
    cells += [element(_set(word), span("", word), style=f"grid-area:1/{j}") for j, word in enumerate(target, 2)]
    for link in sorted(wanted.keys() | (links or {}).keys()):
        kind, said = _kind(link, wanted, links)
        place = f"grid-area:{link[0] + 2}/{link[1] + 2}"
        title = f"{source[link[0]]} – {target[link[1]]}: {said}"
        cells.append(element(f"link {kind}", "✗" if kind == "wrong" else "", style=place, title=title))
    tracks = f"grid-template:max-content repeat({len(source)},18px)/max-content repeat({len(target)},18px)"
    grid = element("grid", *cells, style=tracks)
    return scrolling(grid, label="grid of word links")


def _kind(link: tuple[int, int], wanted: Links, links: Links | None) -> tuple[str, str]:
    """The classes of a cell and what they mean."""
    if link not in wanted:
        return "wrong", "wrong link"
    gold = "sure" if wanted[link] else "possible"
    if links is None:
        return gold, f"{gold} link"
    if link in links:
        return f"{gold} hit", f"{gold} link, found"
    return ("sure lost", "sure link, not found") if wanted[link] else (gold, "possible link, not found")


def _set(word: str) -> str:
    """How a word stands above its column: a number as it is, East Asian scripts downwards, others turned."""
    if word.isdecimal() and len(word) <= 3:
        return "target flat"
    wide = any(unicodedata.east_asian_width(character) in "WF" for character in word)
    return "target upright" if wide else "target"
