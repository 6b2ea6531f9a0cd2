"""What every step of the Learn page works on and how it speaks: the pair, large text, what is forgotten when."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from nlpsig_core.lessons.resampled import Resampled, resampled
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import Stats
from nlpsig_core.words import p_text
from ui.app import cache
from ui.app.text import plain
from ui.frame.frame import View

# Read from the last row; lines that are not too long to read.
STYLE = """
.st-key-lesson_text p { font-size: 1.12rem; line-height: 1.5; max-width: 68rem; }
.st-key-lesson_answer p { font-size: 1.25rem; line-height: 1.45; max-width: 68rem; }
"""


@dataclass(frozen=True)
class Lesson:
    """The pair that is looked at, winner first: names, and the statistics of these two systems alone."""

    view: View
    a: str
    b: str
    stats: Stats

    @property
    def unit(self) -> str:
        """What a unit is called."""
        return self.stats.unit

    @property
    def n(self) -> int:
        """The number of units."""
        return self.stats.n_units

    @property
    def winner(self) -> str:
        """The winner's name as Markdown shows it."""
        return plain(self.a)

    @property
    def other(self) -> str:
        """The other system's name as Markdown shows it."""
        return plain(self.b)

    @property
    def gain(self) -> float:
        """The gain on the test set."""
        first, second = self.stats.scores
        return float(self.stats.metric.sign * (first - second))

    def number(self, score: float) -> str:
        """A score or a gain with the usual decimals and a proper minus, which 0.00 does not have."""
        rounded = round(score, self.view.decimals) + 0.0
        return f"{rounded:.{self.view.decimals}f}".replace("-", "−")

    def signed(self, **more: object) -> str:
        """The signature of a figure of this pair."""
        return self.signed_by(self.view.recipe, **more)

    def signed_by(self, recipe: Resampling, **more: object) -> str:
        """The signature of a figure of this pair from other resamples than the page's."""
        return self.view.selection.signature(recipe, pair=f"{self.a} over {self.b}", **more)


def say(text: str, place: str) -> None:
    """What the step tells, and its place in the paper."""
    with st.container(key="lesson_text"):
        st.markdown(f"{text} :gray[({place})]")


def answer(text: str) -> None:
    """What the figure shows now."""
    with st.container(key="lesson_answer"):
        st.markdown(text)


def p_is(p: float, n_resamples: int) -> str:
    """What p is: "p = 0.0488", or "p < 1e-06" where no resample was counted."""
    text = p_text(p, n_resamples)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def resampled_of(of: Lesson, recipe: Resampling) -> Resampled:
    """The pair's gains on the resamples of a recipe."""
    work = partial(resampled, of.stats, recipe)
    return cache.lesson(of.stats, recipe, ("resampled",), work, f"{recipe.n_resamples:,} resamples of this pair")
