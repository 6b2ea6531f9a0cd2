"""What the Domains and Calibration pages set side by side: domains, test sets, other tasks of the same systems."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from nlpsig_core.analyses.domains import by_domain, common_systems
from nlpsig_core.comparison.select import select_each
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.errors import NlpsigError
from nlpsig_core.metrics.base import Metric
from nlpsig_core.metrics.editions import metric_for
from nlpsig_core.stats.counts import Counts
from nlpsig_core.task.shared_task import SharedTask
from nlpsig_core.task.test_set import TestSet
from ui.app import cache, choice, components
from ui.frame.frame import View
from ui.open import recognition, tasks

DOMAINS, TEST_SETS = "domains", "test sets"


def parts(view: View) -> dict[str, Selection]:
    """Selections by name, in the order to show them; without two of them the page ends here, saying what to do."""
    others = [name for name in tasks.names() if name != st.session_state["task"]]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        more = choice.several(
            st.multiselect, "Other tasks of the same systems", others, "with", format_func=tasks.short, width=420
        )
        kinds = [DOMAINS] if len(view.first.test_set.domains) else []
        kinds += [TEST_SETS] if more or len(view.task.test_sets) > 1 else []
        kind = choice.segments("Side by side", kinds, "side") if kinds else DOMAINS
    if not len(view.first.test_set.domains):
        with st.expander("Find domains in the names of units", icon=":material/regular_expression:"):
            recognition.domains_by_rule(view.key)
    try:
        found, notes = _domains(view) if kind == DOMAINS else _test_sets(view, more)
        if len(found) > 1:
            notes += common_systems(found)[1]
    except NlpsigError as error:
        components.refusal("These cannot be set side by side.", str(error))
        st.stop()
    if len(found) < 2:
        st.info(
            "Nothing to set side by side: neither two domains nor two test sets are known. Choose another task of the "
            "same systems, give domains.tsv, or find domains in the names of units.",
            icon=":material/info:",
        )
        st.stop()
    if notes:
        with st.expander(f"{len(notes)} left out", icon=":material/playlist_remove:"):
            st.text("\n".join(notes))
    return found


def _domains(view: View) -> tuple[dict[str, Selection], list[str]]:
    return by_domain(view.selection.only_first)


def _test_sets(view: View, more: list[str]) -> tuple[dict[str, Selection], list[str]]:
    """Every test set of the task and of the others, with the choices of the sidebar where they fit."""
    first = view.first
    tasks_of = [(view.key, view.task), *(tasks.task_named(name) for name in more)]
    found: dict[str, Selection] = {}
    for key, task in tasks_of:

        def metric_of(test_set: TestSet) -> Metric:
            return metric_for(test_set, first.metric, view.edition, first.test_set)

        def counted(task: SharedTask, test_set: TestSet, metric: Metric, key: Hashable = key) -> Counts:
            return cache.count(key, task, test_set, metric.family)

        of_task = select_each(
            task.test_sets, task, metric_of, domain=first.domain, invalid=first.invalid, unit=first.unit, count=counted
        )
        for name, part in of_task.items():
            found[f"{task.name} {name}" if name and len(tasks_of) > 1 else name or task.name] = part
    return found, []
