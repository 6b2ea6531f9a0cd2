"""The Learn page: a pair of systems, six steps, and buttons to move between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from nlpsig_core.lessons.theory import estimated_pairs
from ui.app import choice
from ui.frame.view import View
from ui.learn import gain, luck, rules
from ui.learn.lesson import STYLE, Lesson
from ui.pair.pair import choose_pair


class Step(NamedTuple):
    """A step: its name, and the function that draws it."""

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
    """The step and the pair; no pair, with the reason on screen, if there is no gain to test."""
    st.html(f"<style>{STYLE}</style>")
    if view.first.stats.several_runs:
        st.info("The lessons use one output per system: the first run of each.", icon=":material/info:")
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
    return chosen, Lesson(view=view, a=a, b=b, stats=stats.of([stats.names.index(a), stats.names.index(b)]))


def show(step: str, of: Lesson | None) -> None:
    """The step, with buttons to the previous and the next one."""
    if of is None:
        return
    STEPS[step].show(of)
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, move, icon in (("Back", -1, ":material/arrow_back:"), ("Next", 1, ":material/arrow_forward:")):
            target = str(int(step) + move)
            name = f"{label}: {STEPS[target].name}" if target in STEPS else label
            st.button(name, key=f"learn_{label}", icon=icon, on_click=_go, args=(target,), disabled=target not in STEPS)
        st.caption("Sections, figures and footnotes refer to Berg-Kirkpatrick, Burkett and Klein (2012).")


def _go(step: str) -> None:
    st.session_state["step"] = step
