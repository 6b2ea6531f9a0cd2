"""The Reranking page: is a class of features worth it? Each step with its interval, its tests and its verdict."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import capital, count, plural
from nlpsig_core.data.metrics import Metric
from nlpsig_core.laboratory.reranking.estimators import ESTIMATORS
from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.laboratory.reranking.summary import p_of, p_texts, p_words, verdicts_of
from nlpsig_core.laboratory.reranking.training import ALONE, WHOLE, WITHOUT
from nlpsig_core.output import plots
from nlpsig_core.output.report.export import THOUSANDS
from nlpsig_core.significance.comparison.verdict import BETTER, UNDECIDED, WORSE
from ui.app import choice, components
from ui.laboratory.reranking.shown import KINDS, OF_ESTIMATORS, Shown, label_of

GREEDY = (
    " The order was chosen on the development set of the first split, which is reranked in another split: its steps "
    "look better than they are."
)
COLUMNS = [
    "name", "verdict", "gain", "gain_low", "gain_high", "p", "p_permutation", "p_sign", "better", "worse", "tied",
    "f1_test", "f1_dev", "features", "what",
]  # fmt: skip


def steps(shown: Shown) -> None:
    """Draw the steps of a kind as a figure and a table."""
    if not shown.kinds:
        st.info("No classes were tried: write the folder again with `rerank LISTS --trial`.", icon=":material/info:")
        return
    kind = choice.segments("Steps", shown.kinds, "rerank_steps", format_func=KINDS.__getitem__)
    rows = shown.steps(kind)
    names, whats = zip(*map(_named, rows.itertuples()), strict=True)
    by_notion = {"verdict": verdicts_of, "p": p_of, "p_shown": p_texts}
    rows = rows.assign(**{of: made(rows, shown.notion) for of, made in by_notion.items()}, name=names, what=whats)
    st.markdown(_answer(shown, kind, rows))
    zero = {ALONE: "first parse", WITHOUT: "all classes", WHOLE: shown.estimator}.get(kind, "step before")
    signature = f"{shown.summary.signature}|steps:{kind}|level:{shown.notion.level:g}|sides:{shown.notion.sides}"
    chart = plots.ladder_figure(rows, metric=shown.metric, zero=zero, signature=signature)
    components.figure(chart, "ladder", numbers="rerank_steps_table")
    _table(rows.drop(columns="p_shown"), signature, shown.metric)
    level = shown.notion.level
    alarms = len(rows) * level * (1 if shown.notion.two_sided else 2)
    st.caption(
        f"A step is significant if its {shown.notion.p} < {level:g} by the permutation test. Intervals of 95% are "
        "percentiles of the bootstrap over sentences; they cover one gain each, not all of them together, and say "
        f"nothing about other training data. p is not corrected: of {count(len(rows), 'step')} without any effect, "
        f"{alarms:.1f} would be significant by chance, on average." + GREEDY * (kind == "greedy")
    )


def _answer(shown: Shown, kind: str, rows: pd.DataFrame) -> str:
    """Return how many steps are significant, and what all classes together are worth."""
    number = {verdict: int((rows["verdict"] == verdict).sum()) for verdict in (BETTER, WORSE, UNDECIDED)}
    what = {
        ALONE: "Each class alone beside the log probability",
        WITHOUT: "Leaving out one class",
        WHOLE: f"Other estimators in place of {shown.estimator}",
    }.get(kind, "Adding one class after another")
    step, others = shown.step, len(rows)
    return (
        f"{what}: of {count(others, 'step')}, **{number[BETTER]}** "
        f"{plural(number[BETTER], 'is', 'are')} significantly better, "
        f"**{number[WORSE]}** significantly worse, and **{number[UNDECIDED]}** undecided. All classes together are "
        f"worth **{step['gain']:+.2f}** over the first parse ({p_words(step, shown.notion)})."
    )


def _named(row: Any) -> tuple[str, str]:
    """Return the name of a step, and what it is: of its class, or of its estimator."""
    if row.tried:
        return label_of(row.tried), CLASSES[row.tried].what if row.tried in CLASSES else ""
    estimator = ESTIMATORS[row.estimator]
    return capital(estimator.label) + OF_ESTIMATORS[row.kind], estimator.what


def _table(rows: pd.DataFrame, signature: str, metric: Metric) -> None:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    score = "%.2f"
    config = {
        "name": text("step", pinned=True),
        "gain": number(f"gain ({metric.label})", format="%+.2f"),
        "gain_low": number("from", format="%+.2f", help="Lower end of the 95% interval of the gain."),
        "gain_high": number("to", format="%+.2f", help="Upper end of the 95% interval of the gain."),
        "p": number(format="%.4f", help="Of the permutation test, with the sides chosen in the sidebar."),
        "p_permutation": number("two-sided p", format="%.4f", help="Of the permutation test."),
        "p_sign": number("sign p", format="%.4f", help="Two-sided, of sentences better and worse."),
        "better": number("sentences better", format=THOUSANDS),
        "worse": number("worse", format=THOUSANDS),
        "tied": number("equal", format=THOUSANDS),
        "f1_test": number(f"{metric.label} on test", format=score),
        "f1_dev": number(f"{metric.label} on dev", format=score),
        "features": number(format=THOUSANDS, help="Weights other than 0."),
        "what": text("what it is"),
    }
    st.dataframe(
        rows[COLUMNS], key="rerank_steps_table", hide_index=True, height="content", alt="Steps with their tests",
        placeholder="–", column_config=config,
    )  # fmt: skip
    components.downloads(rows, "rerank_steps_table", signature, config)
