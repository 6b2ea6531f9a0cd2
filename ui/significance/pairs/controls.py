"""The controls of the figure in one line: what it shows, and panels for the test, the pairs and the colours."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import capital
from nlpsig_core.significance.comparison.classes import COMPARISONS
from ui.app import brushing, choice
from ui.app.terms import explained
from ui.frame.view import View
from ui.work.memory import remember

SCATTER, MATRIX, TWO_TESTS = VIEWS = ("scatter", "matrix", "two tests")
IN_DOUBT, ALL = "in doubt", "all"
BY_RANK, BY_GROUP = "rank", "group"
# Widths in pixels of the field of highlighted systems, empty and with room for two names.
EMPTY, WITH_NAMES = 150, 440
ORDERS = {BY_RANK: "by rank", BY_GROUP: "by group"}
GAINS = {IN_DOUBT: "close pairs", ALL: "all"}
# The key of the figure of each view.
FIGURES = {SCATTER: "pairs", MATRIX: "matrix", TWO_TESTS: "two_tests"}


class Look(NamedTuple):
    """What the figure shows: one of VIEWS, all gains or those in doubt, highlighted systems; groups in the matrix."""

    view: str
    all_gains: bool = True
    highlight: tuple[str, ...] = ()
    by_group: bool = False


def look(view: View) -> Look:
    """Return what the figure shows."""
    kind = choice.segments("View", VIEWS, "view", label_visibility="collapsed")
    if kind == MATRIX:
        order = choice.segments(
            "Order", list(ORDERS), "order", format_func=ORDERS.__getitem__, label_visibility="collapsed"
        )
        return Look(kind, highlight=_highlighted(view), by_group=order == BY_GROUP)
    if kind == TWO_TESTS:
        return Look(kind)
    gains = choice.segments(
        f"{capital(view.metric.gain_word)}s",
        list(GAINS),
        "reach",
        format_func=GAINS.__getitem__,
        label_visibility="collapsed",
        help=f"Close pairs: {view.metric.gain_word}s up to slightly above that of the last pair with p > 0.0005.",
    )
    return Look(kind, gains == ALL, _highlighted(view))


def _highlighted(view: View) -> tuple[str, ...]:
    width = WITH_NAMES if st.session_state.get(brushing.KEY) else EMPTY
    return tuple(brushing.chosen(list(view.ranking["system"]), label_visibility="collapsed", width=width))


def filters(view: View, pairs: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the pairs that pass the filters by class, group and system; and the filters, for signatures."""
    classes = [c for c in COMPARISONS if (pairs["comparison"] == c).any()]
    systems = view.selection.systems
    related = explained("How the two systems of a pair are related.", "comparison class")
    kept = choice.several(st.pills, "Classes", classes, "classes", selection_mode="multi", help=related)
    groups = choice.several(st.multiselect, "Groups", sorted(systems["group"].unique()), "groups")
    names = choice.several(st.multiselect, "Systems", list(systems["system"]), "systems")
    both = choice.toggle("Both systems of a pair", "both")
    wanted = frozenset(names) | frozenset(systems.loc[systems["group"].isin(groups), "system"])
    pairs = remember(_passing, pairs, tuple(kept), wanted, both) if kept or wanted else pairs
    # In signatures "groups" is the digest of the systems' groups.
    chosen = {"of_classes": kept, "of_groups": groups, "of_systems": names, "both": ["yes"] if both and wanted else []}
    return pairs, {name: ",".join(values) for name, values in chosen.items() if values}


def _passing(pairs: pd.DataFrame, classes: tuple[str, ...], systems: frozenset[str], both: bool) -> pd.DataFrame:
    """Return the pairs of these classes with one or both of these systems; none of either stands for all."""
    if classes:
        pairs = pairs[pairs["comparison"].isin(classes)]
    if systems:
        a, b = pairs["system_a"].isin(systems), pairs["system_b"].isin(systems)
        pairs = pairs[a & b if both else a | b]
    return pairs


def by_correlation() -> bool:
    """Return whether dots have the colour of the correlation of their two systems, rather than that of their class."""
    what = explained("Correlation of the two systems' resampled scores.", "correlation", "comparison class")
    return choice.segments("Colour", ["class", "correlation"], "colour", help=what) == "correlation"
