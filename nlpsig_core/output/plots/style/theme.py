"""Colours and symbols of all figures, with a contrast of 3:1 on light and dark backgrounds unless noted."""

from __future__ import annotations

from nlpsig_core.significance.comparison.classes import (
    COMBINATION,
    DIFFERENT,
    DIFFERENT_MODELS,
    INVALID,
    MIXED,
    SAME,
    SAME_MODEL,
)
from nlpsig_core.significance.comparison.verdict import ANSWERS

# Okabe and Ito's colours, those that reach the contrast.
BLUE, ACCENT, GREEN = "#0072B2", "#D55E00", "#009E73"
PURPLE, OCHRE, PINK = "#7B61C9", "#B07D12", "#B65C92"
NEUTRAL = "#8A8F98"
# The opacity of dots: the least at which all keep the contrast.
OPAQUE = 0.95
# For areas behind the data and for bars of intervals; without the contrast.
FAINT, PALE_BLUE = "rgba(128,128,128,0.16)", "rgba(90,155,205,0.8)"
DARK, LIGHT = "#1B2530", "#FFFFFF"

# Colour and symbol of each comparison class.
STYLES = {
    DIFFERENT: (BLUE, "circle"),
    SAME: (ACCENT, "diamond"),
    DIFFERENT_MODELS: (PURPLE, "hexagon"),
    SAME_MODEL: (OCHRE, "diamond-tall"),
    COMBINATION: (GREEN, "square"),
    MIXED: (PINK, "triangle-up"),
    INVALID: ("#8A8A8A", "x"),
}
# Colour and symbol of the two systems of a pair.
FIRST, SECOND = (BLUE, "circle"), (ACCENT, "diamond")

# Colour and symbol of series without an order, such as domains.
SERIES_COLOURS = (BLUE, ACCENT, GREEN, PINK, OCHRE, PURPLE, "#C8392B", "#14899B", "#6B8E23", "#9C5F4A", "#4F81E0")
SERIES_SYMBOLS = "circle diamond square triangle-up cross hexagon triangle-down star x pentagon bowtie".split()
SERIES = tuple(zip(SERIES_COLOURS, SERIES_SYMBOLS, strict=True))
# Colours and symbols of series with an order, such as sizes: darker by steps.
ORDERED_COLOURS = "#D27908 #E55E08 #EB4843 #E3406D #D43F91 #BF43B0 #A64AC9 #8751DA #615AE3 #2564E0".split()
ORDERED_SYMBOLS = "circle diamond square triangle-up cross x star triangle-down hexagon pentagon".split()

# Cells of matrices; opaque, so that the background does not matter.
# Answers by the names of their colours: as far apart in lightness as in hue, with symbols in dark or in white on them.
CELLS = {"green": "#1E8A55", "blue": "#5AA9E6", "violet": "#9C87EE", "orange": "#F0C36D"}
ANSWER_COLOURS = {name: CELLS[answer.colour] for name, answer in ANSWERS.items()}
# Kendall's tau from 0 to 1, and from -1 to 0.
AGREEING = ("#F0EDE4", "#9ECAE1", "#4A98C9", "#0B4A8F")
# Numbers in every cell: all pale enough for dark ones, with a contrast of 4.5:1.
PALE = ("#F3D9B1", "#F0EDE4", "#BFDDD3", "#8CC0DC", "#4F9BCB")
CONTRADICTING = ("#8C1B2F", "#D6604D", "#F4A582")
# From this absolute tau on cells are dark enough for light numbers.
DARK_CELL = 0.75


def series(index: int) -> tuple[str, str]:
    """Return colour and symbol of a series; beyond the last one colours recur with other symbols."""
    again, at = divmod(index, len(SERIES))
    return SERIES[at][0], SERIES[(at + again) % len(SERIES)][1]


def ordered(index: int, of: int) -> tuple[str, str]:
    """Return colour and symbol of one ``of`` ordered series: few are far apart, the last has the last colour."""
    last = len(ORDERED_COLOURS) - 1
    colour = ORDERED_COLOURS[round(index * last / (of - 1)) if of > 1 else last]
    return colour, ORDERED_SYMBOLS[index % len(ORDERED_SYMBOLS)]


def hollow(symbol: str, where: bool = True) -> str:
    """Return the open variant of a symbol, or the symbol itself."""
    return f"{symbol}-open" if where else symbol
