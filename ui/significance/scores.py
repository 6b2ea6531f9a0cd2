"""The Scores page: the ranking, all metrics, and the average over test sets."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import ordinal, span
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.advice import shared_note
from nlpsig_core.significance.comparison.scores import all_metrics as metric_scores
from nlpsig_core.significance.comparison.scores import by_score, by_test_set, metrics_side_by_side
from nlpsig_core.significance.stats.weights import WEIGHTS
from ui.app import brushing, choice, components, verdicts
from ui.app.text import plain
from ui.frame.view import View
from ui.significance import baseline, report
from ui.significance.chosen_pair import carried
from ui.work import computations
from ui.work.memory import remember
from ui.work.watching import soon


def ranking_of(view: View) -> pd.DataFrame:
    """Return the ranking with intervals; until it is ready, the systems by score are on the page."""
    place = st.empty()
    if not soon(computations.bootstrap(view.selection, view.recipe)):
        with place.container():
            st.caption("Systems by score. Intervals and rank ranges follow when all pairs are tested.")
            table, signature = by_score(view.selection), view.signed_scores()
            components.table(table, "by_score", signature, "Systems by score", **view.scored)
    ranking = view.ranking
    place.empty()
    return ranking


def headline(view: View) -> None:
    """Say whether the best system is really the best and who beats the baseline, and offer the report."""
    left, right = st.columns([5, 1], vertical_alignment="center")
    with left:
        if (best := view.best_two) is not None:
            verdicts.draw(st.empty(), view.results.verdict(best, view.notion, carried(view, best)))
        baseline.line(view)
    with right:
        report.report_button(view)


def ranking_figure(view: View, ranking: pd.DataFrame) -> None:
    """Draw the ranking as a dot plot, with a field for the highlighted systems; a click highlights a system.

    The systems of the pair that was chosen on another page stand out as well.
    """
    names = list(ranking["system"])
    highlight = brushing.chosen(names, help="Or click a system in the figure, or select its row in the table.")
    chart = remember(
        plots.ranking_figure,
        ranking,
        signature=view.signed(**view.reading),
        **view.scored,
        highlight=brushing.with_chosen_pair(highlight, names),
        baseline=view.baseline,
    )
    about = (
        "Lines are 95% intervals. Overlapping ones can hide a clear difference: all systems are scored on the same "
        f"{view.selection.stats.unit}s. Shading: ties, {view.words_of_ranking}."
    )
    components.figure(chart, "ranking", numbers="ranking_table", about=about, **brushing.in_figure("ranking", names))


def ranking_table(view: View, ranking: pd.DataFrame) -> None:
    """Draw the ranking as a table, also against the baseline; its selected rows are the highlighted systems."""
    components.table(
        baseline.beside(with_ranks(ranking.drop(columns="valid")), view),
        "ranking_table",
        view.signed(**view.reading, **baseline.signed(view)),
        "Ranking with intervals, ranks and ties",
        **view.scored,
        **brushing.in_table("ranking_table", list(ranking["system"])),
    )
    _rank_ranges(ranking)


def with_ranks(ranking: pd.DataFrame) -> pd.DataFrame:
    """Return the ranking with one column of ranks, such as 3–18, in place of two."""
    ranks = list(map(span, ranking["rank_low"], ranking["rank_high"]))
    ranking = ranking.drop(columns=["rank_low", "rank_high"])
    ranking.insert(list(ranking).index("tied_group"), "ranks", ranks)
    return ranking if (ranking["status"] != "").any() else ranking.drop(columns="status")


def _rank_ranges(ranking: pd.DataFrame) -> None:
    """Explain a rank range by the example of the first system of several ranks, behind others if there is one."""
    several = (ranking["rank_low"] < ranking["rank_high"]).astype(int)
    example = ranking.loc[(several + several * (ranking["rank_low"] > 1)).idxmax()]
    low, high = int(example["rank_low"]), int(example["rank_high"])
    if low == high:
        return
    better, worse = f"{low - 1:,}" if low > 1 else "none", f"{len(ranking) - high:,}" if high < len(ranking) else "none"
    ends = f"between {ordinal(low)} and {ordinal(high)}"
    st.caption(f"{plain(example['system'])} is {ends}: {better} clearly better, {worse} clearly worse.")


def macro(view: View) -> None:
    """Draw the scores on each test set and their mean, where systems are ranked by the mean."""
    if not view.selection.several:
        return
    st.header("Macro-average over test sets")
    note = shared_note(view.selection.stats)
    shared = f" {note}." if note else ""
    weighted = plain(WEIGHTS[view.selection.weights])
    st.caption(f"The mean of the test sets' scores: {weighted}. Each resample draws units from every test set.{shared}")
    frame = remember(by_test_set, view.selection)
    _side_by_side(view, frame, "macro", view.signed_scores(), "Scores by test set and their mean")


def _side_by_side(view: View, frame: pd.DataFrame, key: str, signature: str, alt: str) -> None:
    """Draw several scores of each system as a table."""
    number = st.column_config.NumberColumn(format=f"%.{view.decimals}f")
    config = {column: number for column in frame if column not in ("system", "group")}
    st.dataframe(frame, hide_index=True, alt=alt, placeholder="–", column_config=config)
    components.downloads(frame, key, signature)


def all_metrics(view: View) -> None:
    """Draw every metric of the edition on one test set; slow metrics only on request."""
    st.header("All metrics" if not view.selection.several else f"All metrics on {plain(view.first.test_set.name)}")
    test_set = view.first.test_set
    metrics = Offer(test_set, view.edition).metrics
    metrics.setdefault(view.metric.label, view.metric)
    others = {label: m for label, m in metrics.items() if m.family != view.metric.family and m.family.costly}
    others = others if test_set.packed is None else {}
    everything = not others or st.session_state.get("every_metric", False)
    if not everything:
        st.button(f"Add {', '.join(others)} (slow)", key="more_metrics", **choice.by_click(every_metric=True))
        metrics = {label: metric for label, metric in metrics.items() if label not in others}
    frame = metric_scores(view.selection, metrics, view.counts)
    wide = metrics_side_by_side(frame, list(view.ranking["system"]))
    settings = {"metrics": ",".join(metrics)} | ({"edition": view.edition} if view.edition else {})
    _side_by_side(view, wide, "metrics", view.signed_scores(**settings), "Every metric of every system")
