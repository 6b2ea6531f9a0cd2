"""Notes beside the pairs: what p rests on, and what it means."""

from __future__ import annotations

import streamlit as st

from nlpsig_core.comparison.notion import Notion, fewest_resamples
from nlpsig_core.paired_tests import TESTS
from ui.app.text import capital, plain
from ui.frame.frame import View


def too_few_resamples(view: View, test: str = "bootstrap", ranking: bool = False) -> None:
    """Say where there are too few resamples for an adjustment, of pairs or for the ranking, to find anything."""
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
    """Say where sentences of one document are so alike that p-values by sentence come out too small."""
    if not (said := view.selection.document_note):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(f"{said}.", icon=":material/article:", width="stretch")
        st.button("Resample documents", key="by_document", on_click=_resample_documents)


def _resample_documents() -> None:
    st.session_state["unit"] = "document"


def _what_decides(notion: Notion) -> str:
    """Which p the notion goes by."""
    if not notion.takes_papers_p(notion.for_pairs):
        return "Significance, ranks and ties go by it, and adjustments are of it."
    if not notion.takes_papers_p(notion.for_ranking):
        return "Significance goes by the one-sided p as it is, as in the paper; ranks and ties by the small-sample p."
    return "Significance, ranks and ties go by the one-sided p as it is, as in the paper."


def meaning(view: View, test: str) -> None:
    """What the p-value here says, and what it does not."""
    said = TESTS[test]
    with st.expander("What p means here", icon=":material/lightbulb:"):
        if test == "bootstrap":
            b = view.recipe.n_resamples
            st.markdown(
                "- **One-sided p** (Berg-Kirkpatrick et al. 2012, figure 1): the share of resamples in which the "
                "winner's gain is more than twice the observed one. **Two-sided p** adds the resamples in which the "
                f"loser wins. 0 hits in {b:,} resamples are shown as < {1 / b:.1g}; the table has the Monte-Carlo "
                "error of each p.\n"
                f"- **Small-sample p**: where two systems differ in few {view.selection.stats.unit}s, resampled gains "
                "spread too little. Student's t with D − 1 degrees of freedom, D the number that differ, makes up "
                "for it where gains are not skewed; where they are, the bootstrap-t is nearer to its level. "
                + _what_decides(view.notion)
            )
        else:
            st.markdown(
                f"- **{capital(said.label)}** ({plain(said.source)}), of the {said.statistic}. Null hypothesis: "
                f"{plain(said.null)} Assumes: {plain(said.assumes)}\n"
                "- **One-sided p** is in favour of the system with the better corpus score; it is above 0.5 where the "
                "test's own statistic favours the other one. Gains and their intervals are the bootstrap's."
            )
        st.markdown(
            f"""
- The winner was chosen after looking. Among systems that are truly equal, the one-sided p falls below 0.05 for about
  one pair in ten, the two-sided p for one in twenty, where they differ in a hundred {view.selection.stats.unit}s or
  more; in fewer, more often.
  **Holm** keeps the chance of any false alarm among all {view.selection.stats.n_pairs:,} pairs,
  **Benjamini-Hochberg** the expected share of false alarms where tests are independent, **Benjamini-Yekutieli**
  always. Significant now means {view.words}.
- The test speaks of texts like those of this test set. It says nothing of other domains (section 4.2 of the paper).
- {plain(view.selection.runs_note)}.
"""
        )
