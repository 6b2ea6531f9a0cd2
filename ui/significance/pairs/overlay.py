"""Pairs drawn over those of the page: those of another task, or those among some of the systems."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.output.plots import Overlay
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Results
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from ui.app import choice, components
from ui.frame.selecting import on_first_test_set
from ui.frame.view import View
from ui.open import tasks
from ui.work.memory import remember

SOME_SYSTEMS = "some of the systems"


def overlay(view: View, pairs: pd.DataFrame, rule: Rule, panel: DeltaGenerator) -> Overlay | None:
    """Return the pairs to draw over those of the page, chosen in a panel; None for nothing."""
    others = [name for name in tasks.names() if name != st.session_state["task"]]
    offered = ["", SOME_SYSTEMS, *others]
    with panel:
        chosen = choice.select("Compare with", offered, "over", format_func=lambda n: tasks.short(n) or "none")
        systems = list(view.selection.systems["system"]) if chosen == SOME_SYSTEMS else []
        among = choice.several(st.multiselect, "Systems", systems, "over_systems") if systems else []
    if chosen == SOME_SYSTEMS:
        return remember(_of_some, pairs, tuple(among), rule)
    return _of_task(view, chosen, rule) if chosen else None


def _of_some(pairs: pd.DataFrame, systems: tuple[str, ...], rule: Rule) -> Overlay | None:
    """Return the pairs among some of the systems; None if there are none."""
    among = pairs[pairs["system_a"].isin(systems) & pairs["system_b"].isin(systems)]
    return Overlay("chosen systems", among, threshold_table(among, rule), ",".join(systems)) if len(among) else None


def _of_task(view: View, name: str, rule: Rule) -> Overlay | None:
    """Return the pairs of another task by the same metric, on all units of its first test set."""
    try:
        key, task = tasks.task_named(name)
        metric = Offer(task.test_set(), view.edition).counterpart(view.metric, view.first.test_set)
        selection = on_first_test_set(key, task, metric)
        selection.check()
        return remember(_of_results, view.results_of(selection, "over"), view.notion, view.interval, rule)
    except NlpsigError as error:
        components.refusal(f"{tasks.short(name)} cannot be drawn over these pairs.", str(error))
        return None


def _of_results(results: Results, notion: Notion, interval: str, rule: Rule) -> Overlay:
    pairs, (name, stats) = (
        results.pairs(notion, interval=interval),
        (results.selection.task.name, results.selection.stats),
    )
    return Overlay(name, pairs, threshold_table(pairs, rule.following(notion, pairs)), f"{name} {stats.digest[:8]}")
