"""The Learn page: a pair of systems, six steps, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from nlpsig_core.lessons.theory import estimated_pairs
from ui.app import choice
from ui.frame.frame import View
from ui.learn import gain, luck, rules
from ui.learn.lesson import STYLE, Lesson
from ui.pair.pair import choose_pair


class Step(NamedTuple):
    """A step: its name, and what draws it."""

    name: str
    show: Callable[[Lesson], None]


STEPS = {
    "1": Step("The gain", gain.the_gain),
    "2": Step("Resamples", gain.resamples),
    "3": Step("Twice the gain", gain.twice_the_gain),
    "4": Step("Luck alone", luck.luck),
    "5": Step("The curve", luck.curve),
    "6": Step("Other rules", rules.other_rules),
}


def choices(view: View) -> tuple[str, Lesson | None]:
    """The step, and the pair; None, and the reason on screen, where that has no gain to test."""
    st.html(f"<style>{STYLE}</style>")
    if view.first.stats.several_runs:
        st.info("The lessons take one output a system: the first run of each.", icon=":material/info:")
        view = replace(view, selection=view.selection.first_runs)
    stats = view.first.stats
    chosen = choice.held(list(STEPS), "step")
    with st.container(horizontal=True, gap="small"):
        for key, step in STEPS.items():
            st.button(
                f"{key} {step.name}", key=f"step_{key}", type="primary" if key == chosen else "secondary",
                on_click=_go, args=(key,),
            )  # fmt: skip
    row = choose_pair(view, estimated_pairs(stats, view.recipe.seed))
    if row is None or row["p_value"] == 1:
        st.info("The two have the same score: there is no gain to test. Choose another pair.", icon=":material/info:")
        return chosen, None
    a, b = row["system_a"], row["system_b"]
    return chosen, Lesson(view, a, b, stats.of([stats.names.index(a), stats.names.index(b)]))


def show(step: str, of: Lesson | None) -> None:
    """The step, and the way back and on."""
    if of is None:
        return
    STEPS[step].show(of)
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, move, icon in (("Back", -1, ":material/arrow_back:"), ("Next", 1, ":material/arrow_forward:")):
            to = str(int(step) + move)
            name = f"{label}: {STEPS[to].name}" if to in STEPS else label
            st.button(name, key=f"learn_{label}", icon=icon, on_click=_go, args=(to,), disabled=to not in STEPS)
        st.caption("Sections, figures and footnotes are those of Berg-Kirkpatrick, Burkett and Klein (2012).")


def _go(step: str) -> None:
    st.session_state["step"] = step
