"""What a scene of the film consists of: texts, a question with its answer, and text alternatives of the figure.

Each sentence has one idea. ``[A]``, ``[B]``, ``[δ]``, ``[δ*]``, ``[2δ]``, ``[p]`` and ``[α]`` are symbols: each has
one colour in texts and figures.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Question:
    """What to guess before the answer is shown: a number from 0 up to ``high``, or one of a few ``options``."""

    ask: str
    answer: float | str
    high: float = 0
    step: float = 1
    unit: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One scene: the ``text`` before the question and the one ``after`` the answer.

    ``key`` names its figure; ``before`` and ``alt`` are the figure's text alternatives before and after the answer.
    ``short`` is the answer in a sentence, for the print-out.
    """

    key: str
    title: str
    text: tuple[str, ...]
    question: Question
    after: tuple[str, ...]
    short: str
    before: str
    alt: str


def plain_of_symbols(text: str) -> str:
    """Return a text with round brackets for square ones, in which the film has symbols."""
    return text.replace("[", "(").replace("]", ")")
