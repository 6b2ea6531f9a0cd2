"""What people say of the chosen pair, on the Pair page and at the end of the film."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import capital, count
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER, equals, shown_p
from nlpsig_core.studies.people.pairs import case_of, for_people, opinion
from nlpsig_core.studies.people.rated import Rated
from nlpsig_core.studies.people.shared import SharedResults
from ui.app import components, verdicts
from ui.app.text import plain
from ui.frame.view import View
from ui.studies.people.pairs import differing
from ui.studies.people.shown import people_of, rated_in, row_of
from ui.work.watching import watch, watch_here


def people(view: View, row: pd.Series) -> None:
    """Draw people's verdict on a pair, and the units on which they and the metric differ most, if they judged both."""
    if view.selection.several or not view.first.test_set.is_judged or view.metric is HUMAN_SCORE:
        return
    st.header("Do people notice it?")
    rated = rated_in(view)
    if not _have_judged(rated, row):
        st.caption(f"People have not judged two {rated.unit}s of both.")
    elif results := watch_here(people_of(view, rated)):
        _verdict(view, row, results)
        with st.expander(f"{capital(rated.unit)}s on which {plain(view.metric.label)} and people differ most"):
            decimals = view.decimals, results.selection.decimals
            differing(rated, view.metric.label, row, view.signed(people=results.data), decimals)


def sentences(view: View, row: pd.Series) -> tuple[str, ...]:
    """Return what people say of a pair, a sentence each; none if they have not judged both systems."""
    if not view.first.test_set.is_judged or not _have_judged(rated := rated_in(view), row):
        return ()
    results = watch(people_of(view, rated))
    own = row_of(results, for_people(view.notion), (row["system_a"], row["system_b"]))
    gain = f"{own['gain']:.{results.selection.decimals}f}, p {equals(shown_p(own, view.notion.level))}"
    return (
        f"People judged {count(int(own['segments']), rated.unit)} of both outputs.",
        f"By their scores, {own['system_a']} is ahead by {gain}." if own["gain"] else "Both have the same score.",
    )


def _have_judged(rated: Rated, row: pd.Series) -> bool:
    names = row["system_a"], row["system_b"]
    return set(names) <= set(rated.systems) and bool(rated.shared(*names).sum() > 1)


def _verdict(view: View, row: pd.Series, results: SharedResults) -> None:
    notion, names = for_people(view.notion), frozenset((row["system_a"], row["system_b"]))
    own = row_of(results, notion, names)
    turned = own["system_a"] != row["system_a"]
    seen = SEEN_FROM_THE_LOSER.get(own["verdict"], own["verdict"]) if turned else own["verdict"]
    verdicts.draw(st.empty(), results.verdict(own, notion), "people", plan=False)
    stats = results.selection_of(names).stats
    said = opinion(case_of(view.row(*names)["verdict"], seen))
    judged, every = count(stats.n_units, stats.unit), view.first.stats.n_units
    st.caption(f"{said} They judged {judged} of both, of {every:,}.")
    components.page_link("People", "Every pair by the metric and by people")
