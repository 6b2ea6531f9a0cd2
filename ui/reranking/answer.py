"""The Reranking page: what the reranker is worth, the oracle, and the ranks of the best and of the chosen parses."""

from __future__ import annotations

import streamlit as st

from nlpsig_core import plots
from nlpsig_core.comparison.answers import BETTER, WORSE
from nlpsig_core.reranking.summary import verdicts_of
from nlpsig_core.reranking.variants import FIRST, ORACLE
from nlpsig_core.words import capital, count, p_text, share
from ui.app import components
from ui.reranking.shown import Shown


def headline(shown: Shown) -> None:
    """What the reranker is worth, with the tests that show it."""
    step, metric = shown.step, shown.metric
    first, oracle = (float(shown.summary.step(name)["f1_test"]) for name in (FIRST, ORACLE))
    st.markdown(
        f"## {_verdict(shown)}\n"
        f"**{capital(shown.estimator)}** with {int(step['classes'])} classes of features has {metric.label} "
        f"**{step['f1_test']:.2f}** on {count(len(shown.summary.sentences), 'test sentence')}; the first parse of each "
        f"list has {first:.2f}. The 95% interval of the gain is {step['gain_low']:.2f} to {step['gain_high']:.2f}. "
        f"{count(int(step['better']), 'sentence')} are better, {step['worse']:,} worse, {step['tied']:,} equal: "
        f"p = {p_text(step['p_permutation'])} by the permutation test and {p_text(step['p_sign'])} by the sign test, "
        f"two-sided. The best parse of each list would have {oracle:.2f}: the reranker makes "
        f"{share((step['f1_test'] - first) / (oracle - first))} of this gain."
    )


def _verdict(shown: Shown) -> str:
    """The answer in one line."""
    step = shown.step
    (verdict,) = verdicts_of(step.to_frame().T, shown.level)
    label = shown.metric.label
    if verdict == BETTER:
        return f"The reranker is worth {step['gain']:+.1f} {label}: significantly {verdict} than the first parse"
    if verdict == WORSE:
        return f"The reranker costs {-step['gain']:.1f} {label}: significantly {verdict} than the first parse"
    return f"The reranker's gain of {step['gain']:+.1f} {label} over the first parse is not significant"


def figures(shown: Shown) -> None:
    """The oracle by the size of the list, and the ranks of the best and of the chosen parses, side by side."""
    summary, metric = shown.summary, shown.metric
    marks = {
        "first parse": float(summary.step(FIRST)["f1_test"]),
        "reranked": float(shown.step["f1_test"]),
        "oracle": float(summary.step(ORACLE)["f1_test"]),
    }
    left, right = st.columns(2)
    with left:
        st.header("How good could it be?")
        chart = plots.oracle_figure(summary.oracle, marks, metric=metric, signature=summary.signature)
        alt, heads = plots.oracle_alt(summary.oracle, marks, metric=metric), {"size": "parses in each list"}
        components.figure(chart, "oracle", alt, summary.oracle, metric=metric, heads=heads)
    with right:
        st.header("Where is the best parse?")
        chart = plots.ranks_figure(summary.ranks, signature=summary.signature)
        heads = {"best": "share of the best parses", "kept": "share of the reranker's choices"}
        components.figure(chart, "ranks", plots.ranks_alt(summary.ranks), summary.ranks, heads=heads)
    best, kept = summary.ranks.iloc[0][["best", "kept"]]
    st.caption(
        f"The first parse is the best of its list in {share(best, 1)} of the lists; of equally good parses the first "
        f"counts. The reranker keeps the first parse in {share(kept, 1)}."
    )
