"""The Learn page: the film, six steps on a pair of systems, one on a parser, and buttons to move between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from nlpsig_core.studies.lessons.theory import estimated_pairs
from ui.app import choice
from ui.frame.frame import foot
from ui.frame.view import View
from ui.significance.chosen_pair import choose_pair
from ui.studies.learn import film, gain, luck, rules, votes
from ui.studies.learn.lesson import STYLE, Lesson


class Step(NamedTuple):
    """A step: its name, and the function that draws it, given the pair, or the view if the step needs no pair."""

    name: str
    show: Callable[..., None]
    of_pair: bool = True


FILM = "film"
STEPS = {
    FILM: Step("The film", film.show, of_pair=False),
    "1": Step("The gain", gain.the_gain),
    "2": Step("Resamples", gain.resamples),
    "3": Step("Twice the gain", gain.twice_the_gain),
    "4": Step("Luck alone", luck.luck),
    "5": Step("The curve", luck.curve),
    "6": Step("Other rules", rules.other_rules),
    "7": Step("Edge confidence", votes.edge_confidence, of_pair=False),
}


def chosen_step() -> Step:
    """The step, from a row of buttons."""
    st.html(f"<style>{STYLE}</style>")
    chosen = choice.held(list(STEPS), "step")
    with st.container(horizontal=True, gap="small"):
        for key, step in STEPS.items():
            st.button(
                step.name if key == FILM else f"{key} {step.name}", key=f"step_{key}", on_click=_go, args=(key,),
                type="primary" if key == chosen else "secondary",
            )  # fmt: skip
    return STEPS[chosen]


def pair_of(view: View) -> Lesson | None:
    """The chosen pair; None, with the reason on screen, if there is no gain to test."""
    if view.first.stats.several_runs:
        st.info("The lessons use one output per system: the first run of each.", icon=":material/info:")
        first = replace(view.task, systems=view.selection.systems)
        view = replace(view, selection=view.selection.changed(task=first))
    stats = view.first.stats
    row = choose_pair(view, estimated_pairs(stats, view.recipe.seed))
    if row is None or row["p_value"] == 1:
        st.info("The two have the same score: there is no gain to test. Choose another pair.", icon=":material/info:")
        return None
    a, b = row["system_a"], row["system_b"]
    return Lesson(view=view, a=a, b=b, stats=stats.of([stats.names.index(a), stats.names.index(b)]))


def show(view: View) -> None:
    """The row of steps, the chosen one, and buttons to the previous and the next one."""
    step = chosen_step()
    of = pair_of(view) if step.of_pair else view
    if of is None:
        return
    step.show(of)
    _beside(list(STEPS).index(st.session_state["step"]))
    if step.of_pair:
        st.caption("Sections, figures and footnotes refer to Berg-Kirkpatrick, Burkett and Klein (2012).")


def _beside(place: int) -> None:
    """Buttons to the previous and the next step."""
    order = list(STEPS)
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, move, icon in (("Back", -1, ":material/arrow_back:"), ("Next", 1, ":material/arrow_forward:")):
            target = order[place + move] if 0 <= place + move < len(order) else ""
            name = f"{label}: {STEPS[target].name}" if target else label
            st.button(name, key=f"learn_{label}", icon=icon, on_click=_go, args=(target,), disabled=not target)


def close(view: View) -> None:
    """The foot of the page, with the signature of the pair's numbers if the step has a pair."""
    if STEPS[st.session_state["step"]].of_pair:
        foot(view)
    else:
        choice.write_link()


def _go(step: str) -> None:
    st.session_state["step"] = step
