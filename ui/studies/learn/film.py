"""The film of the Learn page: eight scenes that the browser draws from numbers of the engine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from nlpsig_core.studies.lessons.equal_systems import SYSTEMS
from nlpsig_core.studies.lessons.film import FIRST, SIZES, WORDS, Film
from ui.frame.view import View
from ui.studies.learn.scenes import closing, of_a_pair, of_luck
from ui.studies.learn.scenes.numbers import ALPHA, Numbers
from ui.work import computations
from ui.work.watching import watch

CLIENT = Path(__file__).parent / "client"
# One module for the browser, in the order of use.
SCRIPTS = ("dom.js", "cards.js", "histogram.js", "luck.js", "threshold.js", "closing.js", "film.js")
SCENES = (
    of_a_pair.the_gain, of_a_pair.one_resample, of_a_pair.the_histogram, of_a_pair.the_slide, of_a_pair.the_notion,
    of_luck.after_looking, of_luck.many_systems, of_luck.the_threshold,
)  # fmt: skip
# Sets of equal systems that can be looked at.
SHOWN_SETS = 10

_mount = st.components.v2.component(
    "nlpsig_film",
    html='<div class="film"></div>',
    css=(CLIENT / "film.css").read_text(encoding="utf-8"),
    js="\n".join((CLIENT / name).read_text(encoding="utf-8") for name in SCRIPTS),
)


def show(_view: View) -> None:
    """The film, behind a button that starts it; it is the same whatever task is open."""
    _mount(key="film", data=script(watch(computations.film())), on_step_change=_go)


def _go() -> None:
    """Open the step of this page that the film names."""
    st.session_state["step"] = st.session_state["film"]["step"]


def script(film: Film) -> dict[str, Any]:
    """All that the browser draws: words and numbers, as JSON."""
    of = Numbers(film)
    return {
        "scenes": [asdict(scene(of)) for scene in SCENES],
        "learnt": closing.learnt(of),
        "questions": [asked._asdict() for asked in closing.questions(of)],
        "figures": _figures(film),
    }


def _figures(film: Film) -> dict[str, Any]:
    right = film.stats.values[..., 0].astype(int).tolist()
    return {
        "words": WORDS,
        "right": {"A": right[0], "B": right[1]},
        "drawn": film.drawn.tolist(),
        "gain": film.gain,
        "point": film.points(1),
        "gains": film.gains.tolist(),
        "range": [int(film.gains.min()), int(film.gains.max())],
        "first": FIRST,
        "alpha": ALPHA,
        "worlds": _worlds(film),
        "systems": SYSTEMS,
        "sets": _sets(film),
        "sizes": {str(size): _size(film, size) for size in SIZES},
    }


def _worlds(film: Film) -> list[list[int]]:
    """A row a world: the gain of A, and whether the one-sided and the two-sided p are below the level."""
    below = film.worlds[["p_value", "p_two_sided"]].to_numpy() < ALPHA
    return np.column_stack([film.world_gains, below]).tolist()


def _sets(film: Film) -> list[list[list[int]]]:
    """For each shown set, a row a pair: its systems, and whether p and Holm's p are below the level."""
    shown = film.sets[film.sets["draw"] < SHOWN_SETS]
    rows = shown.assign(marked=shown["p_two_sided"] < ALPHA, after_holm=shown["p_holm"] < ALPHA)
    columns = ["system_a", "system_b", "marked", "after_holm"]
    return [of_set[columns].astype(int).to_numpy().tolist() for _, of_set in rows.groupby("draw")]


def _size(film: Film, size: int) -> dict[str, Any]:
    pairs = film.sizes[size].pairs
    return {
        "threshold": film.sizes[size].threshold,
        "gain": pairs["gain"].round(3).tolist(),
        "confidence": (1 - pairs["p"]).round(4).tolist(),
        "significant": pairs["significant"].astype(int).tolist(),
    }
