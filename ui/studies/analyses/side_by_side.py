"""The selections that the Domains and Calibration pages compare: domains, test sets, other tasks."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.select import named_apart, select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.studies.analyses.domains import by_domain, common_systems
from ui.app import brushing, choice, components
from ui.frame.selecting import counting
from ui.frame.view import View
from ui.open import recognition, tasks

DOMAINS, TEST_SETS = "domains", "test sets"
NOTHING = (
    "There is nothing to compare: this page needs two domains or two test sets. Choose another task of the same "
    "systems, add domains.tsv to the task, or extract domains from the unit names."
)
ONE_DOMAIN = "There is nothing to compare: one domain is chosen. Choose all of them in the sidebar."


def choose_selections(view: View, place: DeltaGenerator) -> tuple[dict[str, Selection], list[str]]:
    """Choose selections by name, in the order to show them, in a fold; return them and notes on domains left out.

    Stops the page, with advice in its ``place``, where there are fewer than two.
    """
    several = len(view.task.test_sets) > 1
    with st.expander("What is compared", expanded=not several and not len(view.first.test_set.domains)):
        more, kind = _choose_kind(view, several)
        try:
            of_domains = kind == DOMAINS
            selections, left_out = by_domain(view.selection.only_first) if of_domains else (_test_sets(view, more), [])
            notes = [*left_out, *(common_systems(selections)[1] if len(selections) > 1 else [])]
        except NlpsigError as error:
            with place:
                components.refusal("These cannot be compared.", str(error))
            st.stop()
        st.text("\n".join([f"Compared: {', '.join(selections)}.", *notes] if selections else notes))
    if len(selections) < 2:
        place.info(ONE_DOMAIN if view.first.domain else NOTHING, icon=":material/info:")
        st.stop()
    return selections, left_out


def _choose_kind(view: View, several: bool) -> tuple[list[str], str]:
    """Choose other tasks to compare with, and whether domains or test sets are compared."""
    others = [name for name in tasks.names() if name != st.session_state["task"]]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        more = choice.several(
            st.multiselect, "Other tasks of the same systems", others, "with", format_func=tasks.short, width=420
        )
        kinds = [DOMAINS] if len(view.first.test_set.domains) else []
        kinds += [TEST_SETS] if more or several else []
        kind = choice.segments("Compare", kinds, "side") if len(kinds) > 1 else (*kinds, DOMAINS)[0]
    if not len(view.first.test_set.domains) and view.first.test_set.packed is None:
        recognition.domains_by_rule(view.key, view.first.test_set)
    return more, kind


def _test_sets(view: View, more: list[str]) -> dict[str, Selection]:
    """Return every test set of this task and of other ones, with the sidebar's choices where they apply."""
    first = view.first
    all_tasks = [(view.key, view.task), *(tasks.task_named(name) for name in more)]
    selections: list[tuple[str, Selection]] = []

    def metric_of(test_set: TestSet) -> Metric:
        return Offer(test_set, view.edition).counterpart(first.metric, first.test_set)

    how: dict[str, str] = {"domain": first.domain, "invalid": first.invalid, "unit": first.unit}
    for key, task in all_tasks:
        of_task = select(task, metric_of, MACRO, **how, count=counting(key))
        for name, selection in of_task.each.items():
            named = f"{task.name} {name}" if name and len(all_tasks) > 1 else name or task.name
            selections.append((named, selection))
    return named_apart(selections)


def choose_two(systems: list[str], best: list[str], baseline: str, keys: tuple[str, str]) -> tuple[str, str]:
    """Choose two systems, in fields side by side; by default the pair of another page, else the best two.

    A ``baseline`` stands in place of the second. ``best`` are systems in order of rank, of which some may not be on
    offer.
    """
    first, second = brushing.chosen_pair(systems) or _usual_pair(systems, best, baseline)
    with st.container(horizontal=True):
        a = choice.select("System", systems, keys[0], usual=first)
        others = [name for name in systems if name != a]
        b = choice.select("over", others, keys[1], usual=second if second in others else others[0])
    return a, b


def _usual_pair(systems: list[str], best: list[str], baseline: str) -> tuple[str, str]:
    """Return the best two systems, or the best and the baseline."""
    first, second, *_ = dict.fromkeys([*(name for name in best if name in systems), *systems])
    return first, baseline if baseline in systems and baseline != first else second
