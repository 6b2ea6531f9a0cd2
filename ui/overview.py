"""The first page's parts: what was read, and the first lines of the ranking."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.analysis import same_scores
from ui import cache, components
from ui.frame import View
from ui.text import count, plain


def what_was_read(view: View) -> None:
    """Systems, groups, test sets, domains, units, and what could not be read."""
    task, selection = view.task, view.selection
    domains = len(set(selection.test_set.domains.tolist()))
    components.facts(
        ("Systems", len(task.systems)),
        ("Groups", task.systems["group"].nunique()),
        ("Test sets", len(task.test_sets)),
        ("Domains", domains or "–"),
        ("Sentences", f"{selection.stats.n_units:,}"),
        ("Pairs", f"{selection.stats.n_pairs:,}"),
    )
    _problems(view)
    _same(view)


def _problems(view: View) -> None:
    problems = view.selection.counts.problems
    if problems:
        treated = "scored 0, as the shared tasks rule" if view.selection.invalid == "score 0" else "left out"
        outputs = "outputs" if len(problems) > 1 else "output"
        st.warning(f"{len(problems)} invalid or missing {outputs}: {treated}.", icon=":material/warning:")
        names = view.task.names
        frame = pd.DataFrame({"system": [names[file] for file in problems], "reason": list(problems.values())})
        components.table(frame, "problems", view.signature, "Invalid outputs and the reason of each")
    notes = [*view.task.problems, *view.selection.test_set.notes]
    if notes:
        with st.expander(count(len(notes), "note") + " on the files", expanded=True):
            st.text("\n".join(notes))


def _same(view: View) -> None:
    systems = view.selection.systems
    copies = set(systems.loc[systems["file"].isin(list(view.selection.counts.same_bytes)), "system"])
    for names in same_scores(view.selection):
        kind = "the same file" if len(copies & set(names)) == len(names) - 1 else "the same in every sentence"
        st.info(
            f"{plain(', '.join(names))}: {kind} ({view.metric}); no test can tell them apart.",
            icon=":material/content_copy:",
        )


def first_lines(view: View, shown: int = 8) -> None:
    """The best systems by score, without resampling; the bootstrap starts in the background."""
    stats = view.selection.stats
    if stats.n_systems > 1 and stats.n_units > 1:
        cache.start_bootstrap(view.selection, view.recipe)
    table = pd.DataFrame({"system": stats.names, "score": stats.scores})
    table = table.merge(view.task.systems[["system", "group"]], on="system")
    table = table.sort_values("score", ascending=not view.selection.metric.higher_is_better).head(shown)
    components.table(table[["system", "score", "group"]], "best", view.signature, "The best systems")
    st.page_link("pages/scores.py", label="Ranking with intervals and ties", icon=":material/leaderboard:")
    st.page_link("pages/pairs.py", label="Every pair of systems", icon=":material/scatter_plot:")
