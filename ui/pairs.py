"""The Pairs page's parts: filters, the figure, one pair, and what p means."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.comparison.classes import COMPARISONS, INVALID
from nlpsig_core.comparison.notion import Notion, fewest_resamples
from nlpsig_core.comparison.pair_table import SHOWN_COLUMNS, p_matrix, speaks_against
from nlpsig_core.comparison.thresholds import Rule
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.paired_tests.small_sample import FEW, TOO_FEW
from nlpsig_core.resampling.bootstrap import ties
from nlpsig_core.stats.array import Stats
from nlpsig_core.words import count, p_text
from ui import cache, choice, components, significance
from ui.frame import PAIR, View
from ui.text import capital, plain

VIEWS = ("scatter", "matrix", "two tests")


def filters(view: View, pairs: pd.DataFrame, test: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """The pairs that the filters leave, by class, group and system; and the test and the filters, for signatures."""
    classes = [c for c in COMPARISONS if (pairs["comparison"] == c).any()]
    systems = view.selection.systems
    with st.expander("Filter pairs", icon=":material/filter_alt:", expanded=False):
        kept = choice.several(st.pills, "Classes", classes, "classes", selection_mode="multi")
        left, right = st.columns(2)
        groups = choice.several(left.multiselect, "Groups", sorted(systems["group"].unique()), "groups")
        names = choice.several(right.multiselect, "Systems", list(systems["system"]), "systems")
        both = choice.toggle("Both systems of a pair among them", "both")
    if kept:
        pairs = pairs[pairs["comparison"].isin(kept)]
    wanted = set(names) | set(systems.loc[systems["group"].isin(groups), "system"])
    if wanted:
        a, b = pairs["system_a"].isin(wanted), pairs["system_b"].isin(wanted)
        pairs = pairs[a & b if both else a | b]
    # "groups" stands for the systems' groups in signatures.
    chosen = {"of_classes": kept, "of_groups": groups, "of_systems": names, "both": ["yes"] if both and wanted else []}
    return pairs, {"test": test} | {name: ",".join(values) for name, values in chosen.items() if values}


def pair_figure(
    view: View,
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    rule: Rule,
    filtered: dict[str, str],
    over: plots.Overlay | None = None,
) -> None:
    """The scatter, the matrix of p-values, or two tests; a click on a dot picks the pair."""
    names = list(view.ranking["system"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = choice.segments("View", VIEWS, "view")
        if kind == "scatter":
            colour = choice.segments(
                "Colour", ["class", "correlation"], "colour", help="Correlation of the two systems' resampled scores."
            )
            gains = choice.segments(
                "Gains",
                ["in doubt", "all"],
                "reach",
                help="In doubt: up to a little beyond the last pair with p > 0.0005.",
            )
            highlight = choice.select(
                "Highlight", ["", *names], "highlight", format_func=lambda n: n or "no system", width=145
            )
    if not len(pairs):
        st.info("No pair is left by the filters.", icon=":material/filter_alt:")
        return
    if kind == "two tests":
        significance.two_tests(view, pairs, filtered)
        return
    if kind == "matrix":
        signature = view.signed(**view.notion.signed, **view.classes, **filtered)
        b = significance.n_resamples(view, filtered["test"])
        chart = plots.matrix_figure(
            p_matrix(pairs, names), column="p", signature=signature, level=view.alpha, n_resamples=b
        )
        components.figure(chart, "matrix", "Matrix of p-values, systems in order of rank")
        st.caption(f"p of the row's gain over the column's system. Significant here: {view.words}.")
        return
    how: dict[str, object] = view.notion.signed | rule.signed | view.classes | filtered
    signature = view.signed(**how | ({"over": over.said} if over else {}))
    chart = plots.pair_figure(
        pairs, thresholds, metric=view.metric, signature=signature,
        n_resamples=significance.n_resamples(view, filtered["test"]),
        notion=view.notion, cutoff=rule.level, window=rule.borders, highlight=[highlight] if highlight else [],
        by_correlation=colour == "correlation", all_gains=gains == "all", decimals=view.decimals, over=over,
    )  # fmt: skip
    alt = "Confidence against gain for all pairs of systems"
    components.figure(chart, "pairs", alt, on_select=components.pick("pairs"), selection_mode="points")
    _say_what_is_drawn(pairs, chart.layout.xaxis.range[1], over)


def _say_what_is_drawn(pairs: pd.DataFrame, limit: float, over: plots.Overlay | None) -> None:
    beyond, without = int((pairs["gain"] > limit).sum()), int((pairs["gain"] <= 0).sum())
    st.caption(
        "Click a dot to see its pair. Vertical lines are thresholds, dashed from the window of p, dotted by the "
        "model of needed gains."
        + (f" {count(beyond, 'pair')} with a larger gain: choose all gains to see them." if beyond else "")
        + (f" Not drawn: {count(without, 'pair')} without any gain." if without else "")
        + (f" Open markers: {plain(over.name)}." if over else "")
    )


def choose_pair(view: View, pairs: pd.DataFrame) -> pd.Series | None:
    """The row of the pair that is chosen by its systems' names, or was clicked; None where there is no pair."""
    if pairs.empty:
        return None
    ordered = pairs.sort_values(["gain"], kind="stable")
    names = [f"{a} over {b}" for a, b in zip(ordered["system_a"], ordered["system_b"], strict=True)]
    clicked = st.session_state.pop("picked_row", None)
    if clicked is not None and clicked in pairs.index:
        st.session_state["pair"] = f"{pairs.loc[clicked, 'system_a']} over {pairs.loc[clicked, 'system_b']}"
    turned = {f"{b} over {a}": f"{a} over {b}" for a, b in zip(ordered["system_a"], ordered["system_b"], strict=True)}
    if (wanted := st.session_state.get("pair")) in turned and wanted not in names:
        st.session_state["pair"] = turned[wanted]
    chosen = choice.select("Pair, winner first, by gain", names, "pair", usual=names[_best_two(view, ordered)])
    return ordered.iloc[names.index(chosen)]


def _best_two(view: View, pairs: pd.DataFrame) -> int:
    """The place of the best system over the best one that scores otherwise; 0 where all score alike."""
    stats = view.selection.stats
    scores = pd.Series(stats.metric.sign * stats.scores, index=stats.names)
    rank = scores.rank(ascending=False, method="first")
    a, b = pairs["system_a"], pairs["system_b"]
    tied = pairs["gain"].to_numpy() <= ties(scores[a].to_numpy(), scores[b].to_numpy())
    return int(np.lexsort((rank[b], rank[a], tied))[0])


def pair_of(view: View, row: pd.Series) -> tuple[Stats, str]:
    """The statistics of a pair's two systems, winner first, and the signature of what is made of them."""
    names = view.selection.stats.names
    pair = view.first.stats.of([names.index(row["system_a"]), names.index(row["system_b"])])
    return pair, view.signed(pair=f"{row['system_a']} over {row['system_b']}")


def facts_of(view: View, row: pd.Series, test: str = "bootstrap") -> None:
    """The numbers of one pair, side by side, with the p of a test."""
    digits, n_resamples = view.decimals, significance.n_resamples(view, test)
    components.facts(
        (capital(view.metric.gain), f"{row['gain']:.{digits + 1}f}"),
        ("95 % interval", f"{row['gain_low']:.{digits}f} – {row['gain_high']:.{digits}f}"),
        ("p, one-sided", p_text(row["p_value"], n_resamples)),
        ("p, two-sided", p_text(row["p_two_sided"], n_resamples)),
        *([("small-sample p", p_text(row["p_small_two_sided"]))] if row["p_small_two_sided"] > 0 else []),
        ("p, Holm", p_text(row["p_holm"])),
        (f"{capital(view.selection.stats.unit)}s that differ", f"{row['differing']:,}"),
        ("Correlation", f"{row['correlation']:.3f}"),
    )
    decided = "significant" if row["significant"] else "not significant"
    if row["significant"] and speaks_against(row["p_value"], row["p_two_sided"]):
        decided = f"significant in favour of {plain(row['system_b'])}"
    st.caption(
        f"**{capital(decided)}** ({view.words}). p-values by the {significance.label(test)}."
        f"{significance.against_the_winner(row, test)}"
        + (_few_differing(row, view.selection.stats.unit) if test == "bootstrap" else "")
    )
    if row["comparison"] == INVALID:
        st.warning(
            "The output of one of the two is invalid: what is compared is what becomes of invalid outputs.",
            icon=":material/warning:",
        )


def _few_differing(row: pd.Series, unit: str) -> str:
    """What is to be said where two systems differ in few units."""
    n, worth = int(row["differing"]), row["fewest_differing"]
    if not 0 < worth < FEW:
        return ""
    in_one = "" if worth > n - 0.5 else f", worth {worth:.3g} of equal size in the test set with the fewest"
    rests = f" Rests on {count(n, unit)} that differ{in_one}: the bootstrap's p comes out too small, see the "
    return f"{rests}small-sample p." + (
        f" With fewer than {TOO_FEW} no exact two-sided test can reach 0.05." if n < TOO_FEW else ""
    )


def distribution(view: View, row: pd.Series) -> None:
    """The distribution of one pair's resampled gains, with what lies beyond 2 delta and below 0."""
    if row["gain"] <= 0:
        st.info("The two have the same score: there is no gain to test, and p is 1.", icon=":material/content_copy:")
        return
    bins = cache.gains_of_pair(view.selection, view.recipe, (row["system_a"], row["system_b"]))
    chart = plots.gain_figure(
        bins, gain=row["gain"], interval=(row["gain_low"], row["gain_high"]), metric=view.metric,
        decimals=view.decimals, signature=f"{view.signature}|pair:{row['system_a']} over {row['system_b']}",
    )  # fmt: skip
    components.figure(chart, "gains", f"Resampled gains of {row['system_a']} over {row['system_b']}")
    result = view.result
    names = list(view.selection.stats.names)
    place = (result.pairs == [names.index(row["system_a"]), names.index(row["system_b"])]).all(axis=1).argmax()
    above, below = result.hits_above[place], result.hits_below[place]
    st.caption(
        "The resamples centre on the observed gain δ, not on 0; grey is its 95 % interval. Of "
        f"{view.recipe.n_resamples:,}, {above:,} lie beyond 2δ (the paper's one-sided p) and {below:,} below 0; "
        "together they are the two-sided p of the bootstrap."
    )


def one_pair(view: View, pairs: pd.DataFrame, test: str) -> None:
    """One pair: numbers, the distribution of its resampled gains, and the way to its own page."""
    st.subheader("One pair")
    row = choose_pair(view, pairs)
    if row is not None:
        facts_of(view, row, test)
        st.page_link(
            PAIR, label="Look closer: is it real, and where does it come from?", icon=":material/frame_inspect:"
        )
        distribution(view, row)


def all_pairs(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """The table of the pairs that the filters leave."""
    signature = view.signed(interval=view.interval, **view.notion.signed, **view.classes, **filtered)
    shown = pairs[list(SHOWN_COLUMNS)]
    alt = "All pairs with gains, intervals and p-values"
    components.table(shown, "pair_table", signature, alt, decimals=view.decimals)
    st.caption(f"Significant: {view.words}. {count(int(pairs['significant'].sum()), 'pair')} of {len(pairs):,}.")


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
