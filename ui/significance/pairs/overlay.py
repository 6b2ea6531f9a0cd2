"""Pairs drawn over those of the page: those of another task, or those among some of the systems."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.output.plots import Overlay
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from ui.app import choice, components
from ui.frame.selecting import counting
from ui.frame.view import View
from ui.open import tasks

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
        of_some = pairs[pairs["system_a"].isin(among) & pairs["system_b"].isin(among)]
        thresholds = threshold_table(of_some, rule)
        return Overlay("chosen systems", of_some, thresholds, ",".join(among)) if len(of_some) else None
    return _of_task(view, chosen, rule) if chosen else None


def _of_task(view: View, name: str, rule: Rule) -> Overlay | None:
    """Return the pairs of another task by the same metric, on all units of its first test set."""
    try:
        key, task = tasks.task_named(name)
        metric = Offer(task.test_set(), view.edition).counterpart(view.metric, view.first.test_set)
        selection = select(task, metric, count=counting(key))
        selection.check()
        results = view.results_of(selection, "over")
        others = results.pairs(view.notion, interval=view.interval)
    except NlpsigError as error:
        components.refusal(f"{tasks.short(name)} cannot be drawn over these pairs.", str(error))
        return None
    return Overlay(
        task.name,
        others,
        threshold_table(others, rule.following(view.notion, others)),
        f"{task.name} {selection.stats.digest[:8]}",
    )
