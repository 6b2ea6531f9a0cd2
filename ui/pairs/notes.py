"""Notes on p-values: what they mean, and when they cannot be trusted."""

from __future__ import annotations

import streamlit as st

from nlpsig_core.comparison.notion import Notion, fewest_resamples
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.words import capital
from ui.app.text import plain
from ui.frame.view import View


def too_few_resamples(view: View, test: str = "bootstrap", ranking: bool = False) -> None:
    """Warn if an adjusted p-value, of pairs or for the ranking, cannot fall below the level with so few resamples."""
    n_pairs, b = view.selection.stats.n_pairs, view.recipe.n_resamples
    adjustment = view.notion.for_ranking if ranking else view.notion.for_pairs
    needed = fewest_resamples(adjustment, n_pairs, view.alpha)
    if TESTS[test].resamples and b < needed:
        st.warning(
            f"With {b:,} resamples no p{view.notion.adjusted(ranking)} over {n_pairs:,} pairs can be below "
            f"{view.alpha:g}; {needed:,} are needed.",
            icon=":material/warning:",
        )


def by_document(view: View) -> None:
    """Warn if sentences of one document are so similar that p-values by sentence are too small."""
    if not (note := view.selection.document_note):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(f"{note}.", icon=":material/article:", width="stretch")
        st.button("Resample documents", key="by_document", on_click=_resample_documents)


def _resample_documents() -> None:
    st.session_state["unit"] = "document"


def _deciding_p(notion: Notion) -> str:
    """Which p-value decides significance, ranks and ties."""
    if not notion.takes_papers_p(notion.for_pairs):
        return "It decides significance, ranks and ties, and it is the one that is adjusted."
    if not notion.takes_papers_p(notion.for_ranking):
        return "The unadjusted one-sided p decides significance, as in the paper; the small-sample p, ranks and ties."
    return "The unadjusted one-sided p decides significance, ranks and ties, as in the paper."


def meaning(view: View, test: str) -> None:
    """What the p-value means, and what it does not."""
    of = TESTS[test]
    with st.expander("What p means", icon=":material/lightbulb:"):
        if test == "bootstrap":
            b = view.recipe.n_resamples
            st.markdown(
                "- **One-sided p** (Berg-Kirkpatrick et al. 2012, figure 1): the share of resamples in which the "
                "winner's gain is more than twice the observed one. **Two-sided p** adds the resamples in which the "
                f"loser wins. 0 hits in {b:,} resamples are shown as < {1 / b:.1g}; the table lists the Monte Carlo "
                "error of each p.\n"
                f"- **Small-sample p**: where two systems differ in few {view.selection.stats.unit}s, resampled gains "
                "vary too little. Student's t with D − 1 degrees of freedom, where D units differ, corrects for this "
                "unless gains are skewed; then the bootstrap-t is closer to its level. " + _deciding_p(view.notion)
            )
        else:
            st.markdown(
                f"- **{capital(of.label)}** ({plain(of.source)}), of the {of.statistic}. Null hypothesis: "
                f"{plain(of.null)} Assumes: {plain(of.assumes)}\n"
                "- **One-sided p** is in favour of the system with the better corpus score; it is above 0.5 where the "
                "test's own statistic favours the other system. Gains and their intervals are from the bootstrap."
            )
        st.markdown(
            f"""
- The winner is chosen after the fact. Among truly equal systems that differ in a hundred
  {view.selection.stats.unit}s or more, the one-sided p is below 0.05 for about one pair in ten, the two-sided p for one
  in twenty; with fewer differing {view.selection.stats.unit}s, more often.
  **Holm** controls the chance of any false alarm among all {view.selection.stats.n_pairs:,} pairs,
  **Benjamini-Hochberg** the expected share of false alarms among significant pairs if tests are independent,
  **Benjamini-Yekutieli** in any case. Significant now means {view.words}.
- The test applies to texts like those of this test set, not to other domains (section 4.2 of the paper).
- {plain(view.selection.runs_note)}.
"""
        )
