"""The film of the Learn page, on the made-up taggers or on any pair of systems of the open task."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from nlpsig_core.output.film.numbers import Numbers
from nlpsig_core.output.film.scene import plain_of_symbols
from nlpsig_core.output.film.script import CODE, STYLE, script
from nlpsig_core.studies.lessons.film import RESAMPLES
from ui.app import choice, components
from ui.app.copying import copyable
from ui.frame.view import View
from ui.significance.chosen_pair import choose_pair, held_pair, observed_pairs, pair_of, verdict_alone
from ui.studies.people import beside
from ui.work import computations
from ui.work.watching import watch

MADE_UP, OWN = "two made-up taggers", "systems of this task"

_mount = st.components.v2.component(
    "nlpsig_film",
    html='<div class="film"></div>',
    css=STYLE,
    js=f"{CODE}\nexport default mount;\n",
)


def show(view: View) -> None:
    """Draw the film of the made-up taggers, or of a pair of the task, behind a button that starts it."""
    if choice.segments("The film shows", (MADE_UP, OWN), "film") == MADE_UP:
        if len(pairs := observed_pairs(view)):
            held_pair(view, pairs)  # A link may name one that does not exist.
        _play(Numbers(film=watch(computations.film())))
    elif shown := _of_task(view):
        numbers, signature = shown
        _play(numbers)
        copyable(signature)
    choice.write_link()


def more() -> None:
    """Draw links to what can be learnt beyond the film, on any task."""
    with st.container(horizontal=True):
        components.page_link("Confidence", "A parser's confidence at work")
        components.page_link("Reranking", "A small reranker at work")


def _of_task(view: View) -> tuple[Numbers, str] | None:
    """Return the chosen pair's numbers and signature; None, with the reason on screen, if there is no gain to test."""
    if view.first.stats.several_runs:
        st.info("The film uses one output per system: the first run of each.", icon=":material/info:")
        first = replace(view.task, systems=view.selection.systems)
        view = replace(view, selection=view.selection.changed(task=first))
    row = choose_pair(view, observed_pairs(view))
    if row is None:
        st.info("This task has one system; the film compares two.", icon=":material/info:")
        return None
    if row["gain"] == 0:
        none = f"The two have the same score: there is no {view.metric.gain_word} to test. Choose another pair."
        st.info(none, icon=":material/info:")
        return None
    stats, signature = pair_of(replace(view, recipe=replace(view.recipe, n_resamples=RESAMPLES)), row)
    film = watch(computations.film(stats, view.recipe.seed))
    names = tuple(map(plain_of_symbols, stats.names))
    people = tuple(map(plain_of_symbols, beside.sentences(view, row)))
    verdict = verdict_alone(view, row, stats)
    return Numbers(film=film, names=names, decimals=view.decimals, people=people, verdict=verdict), signature


def _play(numbers: Numbers) -> None:
    """Play the film, which can go on with the pair of the task."""
    _mount(key="nlpsig_film", data=script(numbers), on_own_change=lambda: st.session_state.update(film=OWN))
