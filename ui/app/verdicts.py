"""Verdicts on screen: a box in the colour of the answer, and what would decide it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.significance.comparison.verdict import Verdict
from ui.app import components
from ui.app.text import plain

# The colour of each answer on light and on dark pages.
COLOURS = {
    "green": "#1B7F4B, #4CC38A",
    "blue": "#0065A8, #5EB1EF",
    "violet": "#6E56CF, #BAA7FF",
    "orange": "#A65A00, #F0A94B",
}
STYLE = """
[class*="st-key-verdict-"] {
    border-left: 4px solid var(--answer); border-radius: 0.4rem; padding: 0.7rem 1rem;
    background: color-mix(in srgb, var(--answer) 11%, transparent);
}
""" + "".join(
    f"[class*='st-key-verdict-{name}'] {{ --answer: light-dark({colours}); }}\n" for name, colours in COLOURS.items()
)


def draw(place: DeltaGenerator, verdict: Verdict, key: str = "best", plan: bool = True) -> None:
    """Draw the verdict with its reason and, if it is undecided, what would decide it; ``key`` tells boxes apart.

    Without a ``plan``, what would decide it is left out.
    """
    answer = verdict.answer
    with place.container(key=f"verdict-{answer.colour}-{key}", gap="xsmall"):
        st.markdown(f"{answer.symbol} **{plain(verdict.word)}**: {plain(verdict.reason)}")
        if plan and verdict.needs:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(plain(verdict.needs), width="content")
                pair = f"{verdict.row['system_a']} over {verdict.row['system_b']}"
                # A test set is planned, not the average of several.
                if len(verdict.stats.test_sets) == 1:
                    components.go("Test size", "Plan a test set", f"plan-{key}", pair=pair)
