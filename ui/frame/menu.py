"""The menu: pages in sections, and why the open task cannot feed some of them."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.words import count
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.laboratory.confidence.alignment import FORMATS
from nlpsig_core.studies.people.rated import has_people
from ui.app import components
from ui.app.pages import PAGES, SECTIONS

# The session's last reasons: the menu stands at once, and is drawn again where the task has other ones.
REASONS = "menu_reasons"


def draw(place: DeltaGenerator, reasons: Mapping[str, str]) -> None:
    """Draw a link to each page below the name of its section; pages with a reason are dimmed, with it as a tooltip."""
    with place.container(gap="xxsmall"):
        for section in SECTIONS:
            st.caption(section)
            for page in (page for page in PAGES if page.section == section):
                components.page_link(page.title, why_not=reasons.get(page.title, ""))


def known() -> Mapping[str, str]:
    """Return the reasons of the task that was open last."""
    reasons: Mapping[str, str] = st.session_state.get(REASONS, {})
    return reasons


def fitted(place: DeltaGenerator, task: SharedTask) -> None:
    """Draw the menu again if this task feeds other pages than the last one."""
    reasons = why_not(task)
    if reasons != known():
        st.session_state[REASONS] = reasons
        draw(place, reasons)


def why_not(task: SharedTask) -> dict[str, str]:
    """Return why the task cannot feed a page, by title."""
    test_sets = task.test_sets.values()
    needed = {
        "Campaign": (len(task.test_sets) > 1, "several test sets; this task has one"),
        "People": (any(map(has_people, test_sets)), "people's scores of the outputs"),
        "Confidence": (
            task.reader.name in FORMATS and not any(of.packed for of in test_sets),
            f"predictions with their texts, of one of {', '.join(FORMATS)}",
        ),
    }
    lacking = {title: f"It needs {what}." for title, (has, what) in needed.items() if not has}
    n = task.systems["system"].nunique()
    few = {
        page.title: f"It needs {count(page.systems, 'system')}; this task has {n}."
        for page in PAGES
        if n < page.systems
    }
    return few | lacking
