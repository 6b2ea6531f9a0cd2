"""Notes on p-values: what they mean, and when they cannot be trusted."""

from __future__ import annotations

import streamlit as st

from nlpsig_core.base.words import capital
from nlpsig_core.significance.comparison.advice import document_note, runs_note
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, CORRECTIONS, fewest_resamples
from nlpsig_core.significance.paired_tests import TESTS
from ui.app import choice
from ui.app.text import plain
from ui.frame.view import View


def too_few_resamples(view: View) -> None:
    """Warn if no corrected p can fall below the level with so few resamples."""
    n_pairs, b, level = view.selection.stats.n_pairs, view.recipe.n_resamples, view.notion.level
    needed = fewest_resamples(view.notion, n_pairs)
    if TESTS[view.tested.test].resamples and b < needed:
        st.warning(
            f"With {b:,} resamples no p corrected for {n_pairs:,} pairs can be below {level:g}; {needed:,} are needed.",
            icon=":material/warning:",
        )


def by_document(view: View) -> None:
    """Say that documents are resampled since their sentences are alike, or that p by sentences is too small."""
    if not (note := document_note(view.selection.test_sets)):
        return
    usual = any(one.by_usual_documents for one in view.selection.test_sets.values())
    known = next(one.test_set for one in view.selection.test_sets.values() if one.document_ratio)
    unit, cluster = known.resampling_units
    with st.container(horizontal=True, vertical_alignment="center"):
        if usual:
            st.caption(f"{note}.")
        else:
            st.warning(f"{note}.", icon=":material/article:", width="stretch")
        label = f"Resample {unit}s" if usual else f"Resample {cluster}s"
        icon = ":material/shuffle:"
        st.button(label, key="by_document", type="tertiary", icon=icon, **choice.by_click(unit=unit if usual else ""))


def meaning(view: View) -> None:
    """Say what the p-value means, and what it does not."""
    test, unit, gain = view.tested.test, view.selection.stats.unit, view.metric.gain_word
    used = TESTS[test]
    with st.expander("What p means", icon=":material/lightbulb:"):
        if test == BOOTSTRAP:
            st.markdown(
                f"- **p**: how often chance alone would give such a {gain}. Of {view.recipe.n_resamples:,} resamples "
                f"it counts those with more than twice the observed {gain} and those in which the loser wins "
                "(Berg-Kirkpatrick et al. 2012, figure 1 and footnote 2), and corrects for few differing "
                f"{unit}s by Student's t.\n"
                "- The table also has the paper's **one-sided p** and the two-sided p without that correction."
            )
        else:
            st.markdown(
                f"- **p** is that of {'the ' * used.takes_article}{used.label} ({plain(used.source)}). Null "
                f"hypothesis: {plain(used.null)} Assumes: {plain(used.assumes)}\n"
                f"- {capital(gain)}s and their intervals are from the bootstrap."
            )
        st.markdown(
            f"""
- Among {view.selection.stats.n_pairs:,} pairs some seem to differ by chance. **Corrected** p keeps such false alarms
  rare: {CORRECTIONS[view.notion.adjust]}.
- p speaks of texts like those of this test set, not of other domains (section 4.2 of the paper).
- {plain(runs_note(view.selection.stats))}.
"""
        )
