"""The first page's parts: what was read, and the first lines of the ranking."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.analysis import same_scores
from ui import cache, components
from ui.frame import View
from ui.text import plain


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
        ("Pairs", f"{selection.stats.n_systems * (selection.stats.n_systems - 1) // 2:,}"),
    )
    _problems(view)
    _same(view)


def _problems(view: View) -> None:
    problems = view.selection.counts.problems
    if problems:
        treated = "scored 0, as the shared tasks rule" if view.selection.invalid == "score 0" else "left out"
        outputs = "outputs" if len(problems) > 1 else "output"
        st.warning(f"{len(problems)} invalid or missing {outputs}: {treated}.", icon=":material/warning:")
        frame = pd.DataFrame({"system": list(problems), "reason": list(problems.values())})
        st.dataframe(frame, hide_index=True, alt="Invalid outputs and the reason of each")
    if view.task.problems:
        with st.expander(f"{len(view.task.problems)} notes on the files"):
            st.text("\n".join(view.task.problems))


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
    cache.start_bootstrap(view.selection, view.recipe)
    stats = view.selection.stats
    table = pd.DataFrame({"system": stats.names, "score": stats.scores})
    table = table.merge(view.task.systems[["system", "group"]], on="system")
    table = table.sort_values("score", ascending=not view.selection.metric.higher_is_better).head(shown)
    st.dataframe(
        table[["system", "score", "group"]], hide_index=True, alt="The best systems",
        column_config={"score": st.column_config.NumberColumn(view.metric, format="%.2f")},
    )  # fmt: skip
    st.page_link("pages/scores.py", label="Ranking with intervals and ties", icon=":material/leaderboard:")
    st.page_link("pages/pairs.py", label="Every pair of systems", icon=":material/scatter_plot:")
