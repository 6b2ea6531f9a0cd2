"""The Reranking page: what is folded below its figures."""

from __future__ import annotations

from collections.abc import Callable

from ui.app import components
from ui.laboratory.reranking import answer, reasons, steps
from ui.laboratory.reranking.shown import Shown

# By title: what draws it, and the choices by which a link opens it.
FOLDED: dict[str, tuple[Callable[[Shown], None], tuple[str, ...]]] = {
    "Is each class of features worth it?": (steps.steps, ("rerank_steps",)),
    "What has it learned?": (reasons.weights, ()),
    "One sentence, and what pulled its parse up": (reasons.sentence, ("rerank_effect", "rerank_sentence")),
    "More numbers": (answer.evidence, ()),
}


def folds(shown: Shown) -> None:
    """Draw the steps, the weights, a sentence and the tests, computed when they are opened."""
    for title, (draw, keys) in FOLDED.items():
        components.fold(title, draw, shown, key=f"reranking: {title}", choices=keys)
