"""What the steps of the Learn page share: the pair, and large text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from nlpsig_core.base.words import p_text
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.lessons.resampled import Resampled, resampled
from ui.app.text import plain
from ui.frame.view import View
from ui.work import computations
from ui.work.watching import watch

# Readable from the last row of a lecture hall; lines of moderate length.
STYLE = """
.st-key-lesson_text p { font-size: 1.12rem; line-height: 1.5; max-width: 68rem; }
.st-key-lesson_answer p { font-size: 1.25rem; line-height: 1.45; max-width: 68rem; }
"""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """The pair of the lesson, winner first: the names, and the statistics of these two systems."""

    view: View
    a: str
    b: str
    stats: Stats

    @property
    def unit(self) -> str:
        """The name of a unit."""
        return self.stats.unit

    @property
    def n(self) -> int:
        """The number of units."""
        return self.stats.n_units

    @property
    def winner(self) -> str:
        """The winner's name, escaped for Markdown."""
        return plain(self.a)

    @property
    def other(self) -> str:
        """The other system's name, escaped for Markdown."""
        return plain(self.b)

    @property
    def gain(self) -> float:
        """The gain on the test set."""
        first, second = self.stats.scores
        return float(self.stats.metric.sign * (first - second))

    def number(self, score: float) -> str:
        """A score or a gain with the metric's decimals and a typographic minus; never −0.00."""
        rounded = round(score, self.view.decimals) + 0.0
        return f"{rounded:.{self.view.decimals}f}".replace("-", "−")

    def signed(self, **more: object) -> str:
        """The signature of a figure of this pair."""
        return self.signed_by(self.view.recipe, **more)

    def signed_by(self, recipe: Resampling, **more: object) -> str:
        """The signature of a figure of this pair from another recipe than the page's."""
        return self.view.selection.signature(recipe, pair=f"{self.a} over {self.b}", **more)


def explain(text: str, source: str) -> None:
    """The explanation of a step, with its section of the paper."""
    with st.container(key="lesson_text"):
        st.markdown(f"{text} :gray[({source})]")


def answer(text: str) -> None:
    """The current result of a step."""
    with st.container(key="lesson_answer"):
        st.markdown(text)


def p_is(p: float, n_resamples: int) -> str:
    """A p-value as an equation: "p = 0.0488", or "p < 1e-06" for no hits."""
    text = p_text(p, n_resamples)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def resampled_of(of: Lesson, recipe: Resampling) -> Resampled:
    """The pair's gains on the resamples of a recipe."""
    work = partial(resampled, of.stats, recipe)
    label = f"{recipe.n_resamples:,} resamples of this pair"
    return watch(computations.lesson(of.stats, recipe, ("resampled",), work, label))
