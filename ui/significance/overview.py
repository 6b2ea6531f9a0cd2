"""The first page: a summary of the task's files, and the best systems."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.base.words import count
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.scores import by_score, told_apart_by_no_test
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.comparison.verdict import pairs_that_differ
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.shipped import comes_with_package
from nlpsig_core.significance.stats.counts import DROP_UNITS, TREATED
from ui.app import components, verdicts
from ui.app.text import plain
from ui.frame.sidebar import offer_common_units
from ui.frame.view import View
from ui.significance import baseline
from ui.significance.chosen_pair import carried
from ui.work import computations
from ui.work.memory import remember
from ui.work.watching import watch_here

# The first units of the test set whose pairs the picture can show, too.
SMALLER = (50, 100, 200)


def beside_the_picture(view: View) -> DeltaGenerator:
    """Return a place for the way in: beside a picture of every pair where its results come with the package."""
    if not comes_with_package(view.selection.stats, view.recipe):
        return st.container()
    place, right = st.columns(2, gap="large")
    with right:
        _every_pair(view)
    return place


@st.fragment
def _every_pair(view: View) -> None:
    """Draw a picture of every pair of the task that is open, on all its units or the first ones, with what it shows."""
    n, unit = view.selection.stats.n_units, view.selection.stats.unit
    sizes = [*(size for size in SMALLER if size < n), n]
    size = st.select_slider(f"Test {unit}s", sizes, n, format_func="{:,}".format, key="landing_size")
    found = watch_here(_picture(view, size))
    if found is not None:
        picture, shown = found
        st.markdown(f"**{plain(view.task.name)}**: {plain(shown)}.")
        st.html(picture)
    components.page_link("Pairs", "All pairs")


def _picture(view: View, size: int) -> computations.Computation[tuple[str, str]]:
    """Return the picture and what it shows, made once for all sessions."""
    selection, results, notion = view.selection, view.results, view.notion
    whole = size == selection.stats.n_units

    def work(progress: Progress) -> tuple[str, str]:
        of_whole = results.pairs(notion)
        pairs = of_whole if whole else selection.on(np.arange(size)).bootstrap(view.recipe, progress).pairs(notion)
        found = threshold_table(pairs, Rule().following(notion, pairs))
        picture = plots.pair_picture(pairs, found, notion=notion, **view.scored, scaled_by=of_whole)
        return picture, pairs_that_differ(pairs, notion)

    return computations.analysis(selection, view.recipe, ("every_pair", notion, size), work, "Drawing every pair")


def what_was_read(view: View) -> None:
    """Draw the numbers of systems, groups, test sets, domains and units, and problems with the files."""
    task, selection = view.task, view.selection
    test_set = view.first.test_set
    own = test_set.reader.unit
    domains, documents = (len(set(labels.tolist())) for labels in (test_set.domains, test_set.documents))
    components.facts(
        ("Systems", task.systems["system"].nunique()),
        *([("Outputs", len(task.systems))] if "run" in task.systems else []),
        ("Groups", task.systems["group"].nunique()),
        ("Test sets", len(task.test_sets)),
        ("Domains", domains or "–"),
        *(
            [(f"{test_set.cluster.capitalize()}s", f"{documents:,}")]
            if documents and selection.stats.unit != test_set.cluster
            else []
        ),
        (f"{selection.stats.unit.capitalize()}s", f"{selection.stats.n_units:,}"),
        *([] if view.first.by_own_unit else [(f"{own.capitalize()}s", f"{sum(map(len, view.first.own_units)):,}")]),
        ("Pairs", f"{selection.stats.n_pairs:,}"),
    )
    _problems(view)
    for sentence in [] if selection.several else remember(told_apart_by_no_test, selection):
        st.info(f"{plain(sentence)}.", icon=":material/content_copy:")


def _problems(view: View) -> None:
    problems, notes = [], list(view.task.problems)
    for test_set, part in view.selection.test_sets.items():
        names, where = view.task.labels, f"{test_set}: " if view.selection.several else ""
        problems += [(names[file], where + reason) for file, reason in part.problems.items()]
        remarks = [f"{names[f]}: {remark}" for f, of_file in part.counts.remarks.items() for remark in of_file]
        notes += [where + note for note in [*part.test_set.notes, *remarks]]
    if problems:
        outputs = count(len(problems), "invalid or missing output")
        st.warning(f"{outputs}: {TREATED[view.first.treatment]}{_remaining(view)}.", icon=":material/warning:")
        offer_common_units(view.selection)
        frame = pd.DataFrame(problems, columns=["system", "reason"])
        components.table(frame, "problems", view.signed_scores(), "Invalid outputs with reasons")
    if notes:
        with st.expander(count(len(notes), "note") + " on the files", expanded=True):
            st.text("\n".join(notes))


def _remaining(view: View) -> str:
    """Return how many units are left where some are dropped for all systems; else ""."""
    units, of = view.selection.stats.n_units, sum(part.test_set.n_units for part in view.selection.test_sets.values())
    dropped = view.first.treatment == DROP_UNITS and view.first.by_own_unit and not view.first.domain
    return f", {units:,} of {of:,} remain" if dropped else ""


def on_which_test_set(view: View) -> str:
    """Return the test set that the best systems are shown for, after a space, where the task has several; else ""."""
    if len(view.task.test_sets) == 1:
        return ""
    return " by the macro-average" if view.selection.several else f" on {plain(view.first.test_set.name)}"


def finding(view: View) -> None:
    """Say who beats the baseline, else whether the best system is really the best, as soon as all pairs are tested."""
    stats = view.selection.stats
    if stats.n_systems < 2 or stats.fewest_units < 2:
        return
    try:
        if watch_here(computations.bootstrap(view.selection, view.recipe)) is None:
            return
    except NlpsigError:  # the pages of pairs say why
        return
    baseline.line(view)
    if (best := view.best_two if view.against is None else baseline.unbeaten(view)) is not None:
        verdicts.draw(st.empty(), view.results.verdict(best, view.notion, carried(view, best)), "first")


def best_systems(view: View, shown: int = 8) -> None:
    """Draw the best systems by score."""
    components.table(
        remember(by_score, view.selection).head(shown), "best", view.signed_scores(), "The best systems", **view.scored
    )
    components.page_link("Scores", "Ranking with intervals and ties")
    components.page_link("Pairs", "Every pair of systems")
