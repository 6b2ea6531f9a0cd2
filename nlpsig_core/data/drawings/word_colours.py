"""Words of arc diagrams coloured by the confidence of their edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpsig_core.data.drawings.arcs import ArcWord
from nlpsig_core.data.drawings.markup import element, listed

# Below each confidence, from the least sure on, the colour of an arc; above the last one it has that of the text.
STEPS = ((0.25, "#C8392B"), (0.5, "#D43F91"), (0.75, "#8751DA"), (0.95, "#2564E0"))


def colour_of(confidence: float) -> str:
    """The colour of an edge of this confidence, "" for a sure one."""
    return next((colour for below, colour in STEPS if confidence < below), "")


def coloured(words: Sequence[ArcWord], confidence: np.ndarray | None) -> list[ArcWord]:
    """The words with arcs coloured by confidence, (words,), which is also below each word; unchanged for None."""
    if confidence is None:
        return list(words)
    return [
        replace(
            word,
            colour=colour_of(of_word),
            lines=[*word.lines, (f"{of_word:.0%}", False)],
            title=listed(f"confidence {of_word:.1%}", word.title),
        )
        for word, of_word in zip(words, confidence.tolist(), strict=True)
    ]


def legend_of_colours() -> list[tuple[str, str]]:
    """The legend of the colours: (HTML of the mark, explanation)."""
    return [
        (element("sure", tag="span", style=f"border-color:{colour}"), f"confidence below {below:.0%}")
        for below, colour in STEPS
    ]
