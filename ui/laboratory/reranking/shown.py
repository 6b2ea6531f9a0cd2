"""What the Reranking page shows: an open task that ``rerank`` wrote, or a reranker that is trained here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import count
from nlpsig_core.data.metrics import METRICS, Metric
from nlpsig_core.laboratory.reranking.estimators import ESTIMATORS
from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.laboratory.reranking.folder import has_summary
from nlpsig_core.laboratory.reranking.small import ADDED, SMALL_CLASSES
from nlpsig_core.laboratory.reranking.summary import Summary, read_summary
from nlpsig_core.laboratory.reranking.training import ALONE, BY_CLASS, CORRECT, FIRST, WHOLE, WITHOUT, with_all
from nlpsig_core.significance.comparison.notion import Notion
from ui.app import choice
from ui.frame.view import View
from ui.laboratory.reranking import computations as own
from ui.work import computations
from ui.work.watching import watch

# More change nothing that can be seen here.
MOST_RESAMPLES = 10_000
# Names of the kinds of steps, in the order in which they are offered.
KINDS = {
    ADDED: "Added one by one",
    "greedy": "Added, the best on dev first",
    "random": "Added in random order",
    ALONE: "Each class alone",
    WITHOUT: "All but one",
    WHOLE: "Estimators",
}
# What variants of all classes are compared as estimators, each with what its name adds to that of its estimator.
OF_ESTIMATORS = {WHOLE: "", BY_CLASS: ", a setting for each class", CORRECT: ", features of correct parses"}


@dataclass(frozen=True, eq=False, kw_only=True)
class Shown:
    """A summary with the parses that it is about in the format of a ``reader``: gold, first and reranked.

    ``steps`` returns the rows of a kind of steps; ``kinds`` are those that there are. ``notion`` says what counts as
    significant.
    """

    summary: Summary
    reader: str
    gold: Any
    first: Any
    reranked: Any
    kinds: list[str]
    steps: Callable[[str], pd.DataFrame]
    notion: Notion

    @property
    def metric(self) -> Metric:
        """The metric of all scores."""
        return METRICS[self.summary.metric]

    @property
    def step(self) -> pd.Series:
        """The row of the reranker that is explained."""
        return self.summary.step(self.summary.explained)

    @property
    def estimator(self) -> str:
        """The label of its estimator."""
        return ESTIMATORS[self.step["estimator"]].label


def label_of(name: str) -> str:
    """Return the label of a class; its name where another version had that class."""
    return (CLASSES[name].label or name) if name in CLASSES else name


def shown(view: View) -> Shown | None:
    """Return the open task if ``rerank`` wrote it, else a reranker of a made-up language; None if no class is left."""
    folder = Path(view.key.name)
    if has_summary(folder):
        return _of_task(view, read_summary(folder))
    return _of_made_up_language(view)


def _of_task(view: View, summary: Summary) -> Shown:
    """Return a summary with the outputs of the open task."""
    test_set, steps = view.first.test_set, summary.steps
    st.caption(
        f"The open task has the rerankers of {count(len(summary.sentences), 'n-best list')}.",
        help="Every variant is a system of the task, so the other pages compare them as well.",
    )
    first, reranked = (watch(computations.output(view.key, test_set, name)) for name in (FIRST, summary.explained))
    by_kind = {kind: _steps_of(summary, steps, kind) for kind in KINDS}
    return Shown(
        summary=summary,
        reader=test_set.reader.name,
        gold=test_set.gold,
        first=first,
        reranked=reranked,
        notion=view.notion,
        kinds=[kind for kind, rows in by_kind.items() if len(rows)],
        steps=by_kind.__getitem__,
    )


def _steps_of(summary: Summary, steps: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the rows of a kind: other estimators beside the one that is explained, or classes that this one tries."""
    explained = summary.step(summary.explained)
    if kind == WHOLE:
        rows = steps[steps["kind"].isin(OF_ESTIMATORS) & (steps["variant"] != summary.explained)]
    else:
        rows = steps[(steps["estimator"] == explained["estimator"]) & (steps["kind"] == kind)]
    return rows.reset_index(drop=True)


def _of_made_up_language(view: View) -> Shown | None:
    """Return a reranker of a made-up language, with its choices."""
    st.caption(
        "The open task has no rerankers, so this one chooses among 20 parses of each sentence of a made-up language.",
        help="For lists of your own, open the folder that `nlpsig rerank LISTS -o FOLDER` writes.",
    )
    plan = watch(own.small_lists())
    left, right = st.columns((1, 2))
    labels: Mapping[str, str] = {name: entry.label for name, entry in ESTIMATORS.items()}
    with left:
        estimator = choice.select("Estimator", list(labels), "rerank_by", format_func=labels.__getitem__)
    with right:
        base, *others = SMALL_CLASSES
        left_out = choice.several(
            st.multiselect,
            "Leave out classes",
            others,
            "rerank_without",
            format_func=label_of,
            placeholder="none: all classes are used",
            help=f"{base}, the log probability by the base parser, is always used.",
        )
    classes = [name for name in others if name not in left_out]
    if not classes:
        st.info("Without any class, the reranker chooses the first parse of every list.", icon=":material/info:")
        return None
    recipe = view.at_most(MOST_RESAMPLES)
    (whole,) = with_all([estimator], [base, *classes])
    found = watch(own.reranker(plan, whole, recipe))

    def steps(kind: str) -> pd.DataFrame:
        return _steps_of(found.summary, watch(own.steps(plan, kind, whole, recipe)), kind)

    return Shown(
        summary=found.summary,
        reader="Bracketed trees",
        gold=found.gold,
        first=found.first,
        reranked=found.reranked,
        notion=view.notion,
        kinds=[ADDED, ALONE, WITHOUT, WHOLE] if len(classes) > 1 else [ALONE, WHOLE],
        steps=steps,
    )
