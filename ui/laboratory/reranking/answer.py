"""The Reranking page: what the reranker is worth, the oracle, and the ranks of the best and of the chosen parses."""

from __future__ import annotations

import streamlit as st

from nlpsig_core.base.words import count, p_text, share
from nlpsig_core.laboratory.reranking.summary import p_words, verdicts_of
from nlpsig_core.laboratory.reranking.training import FIRST, ORACLE
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.verdict import BETTER, WORSE
from ui.app import components
from ui.laboratory.reranking.shown import Shown
from ui.work.memory import remember


def headline(shown: Shown) -> None:
    """Say what the reranker is worth, beside the first and the best parse of each list."""
    step, metric, n = shown.step, shown.metric, len(shown.summary.sentences)
    first, oracle = (float(shown.summary.step(name)["f1_test"]) for name in (FIRST, ORACLE))
    gain = step["f1_test"] - first
    made = f"; the reranker achieves {share(gain / (oracle - first))} of that gain" if gain > 0 else ""
    st.markdown(
        f"## {_verdict(shown)}\n"
        f"It has {metric.label} **{step['f1_test']:.2f}** on {count(n, 'test sentence')}, the first parse "
        f"{first:.2f} ({p_words(step, shown.notion)}). The best parse of each list would give "
        f"{oracle:.2f}{made}."
    )


def evidence(shown: Shown) -> None:
    """Draw the estimator, the interval of its gain, and both tests."""
    step = shown.step
    st.markdown(
        f"- Estimator: **{shown.estimator}**, with {step['classes']} classes of features.\n"
        f"- The gain is {step['gain']:+.2f} {shown.metric.label}, 95% interval {step['gain_low']:+.2f} to "
        f"{step['gain_high']:+.2f}.\n"
        f"- {count(int(step['better']), 'sentence')} better, {step['worse']:,} worse, {step['tied']:,} equal.\n"
        f"- Two-sided {p_words(step, Notion())} by the permutation test, {p_text(step['p_sign'])} by the "
        "sign test."
    )


def _verdict(shown: Shown) -> str:
    """Return the answer in one line."""
    step = shown.step
    (verdict,) = verdicts_of(step.to_frame().T, shown.notion)
    label = shown.metric.label
    if verdict == BETTER:
        return f"The reranker is worth {step['gain']:+.1f} {label} over the first parse"
    if verdict == WORSE:
        return f"The reranker costs {-step['gain']:.1f} {label} against the first parse"
    low, high = step["gain_low"], step["gain_high"]
    return f"Undecided: the reranker's gain in {label} could be {low:z.1f} to {high:+z.1f}"


def figures(shown: Shown) -> None:
    """Draw the oracle by the size of the list, and the ranks of the best and of the chosen parses, side by side."""
    summary, metric = shown.summary, shown.metric
    marks = {
        "first parse": float(summary.step(FIRST)["f1_test"]),
        "reranked": float(shown.step["f1_test"]),
        "oracle": float(summary.step(ORACLE)["f1_test"]),
    }
    left, right = st.columns(2)
    with left:
        st.header("How good could it be?")
        chart = remember(plots.oracle_figure, summary.oracle, marks, metric=metric, signature=summary.signature)
        heads = {"size": "parses in each list"}
        components.figure(chart, "oracle", summary.oracle, metric=metric, heads=heads)
    with right:
        st.header("Where is the best parse?")
        chart = remember(plots.ranks_figure, summary.ranks, signature=summary.signature)
        heads = {"best": "share of the best parses", "kept": "share of the reranker's choices"}
        components.figure(chart, "ranks", summary.ranks, heads=heads)
