"""What the People page shows: a metric of the open task, its pairs by both, and what a gain in it is worth."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from nlpsig_core.data.metrics.people import FAMILY
from nlpsig_core.data.task.loading import sample_names
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.studies.people.measures import by_measure, measures
from nlpsig_core.studies.people.pairs import Twice, pairs_by_both, twice
from nlpsig_core.studies.people.worth import Worth, worth
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.open import outcome
from ui.work import computations
from ui.work.memory import remember
from ui.work.watching import watch

SAMPLE = "halvet-metrics"


class Tables(NamedTuple):
    """Every pair by both, thresholds of the metric, and what a gain in it is worth."""

    pairs: pd.DataFrame
    thresholds: pd.DataFrame
    worth: Worth


@dataclass(frozen=True, eq=False, kw_only=True)
class Shown:
    """A ``metric`` on trial with its ``results``, their ``tables``, and all metrics by all measures."""

    view: View
    metric: str
    file: str
    results: Twice
    tables: Tables
    measures: pd.DataFrame

    @property
    def decimals(self) -> tuple[int, int]:
        """The decimals of gains in the metric and by people."""
        metric, people = (of.selection.decimals for of in self.results)
        return metric, people

    @property
    def signature(self) -> str:
        """The signature of the page's numbers."""
        selection, notion = self.results.metric.selection, self.view.notion
        return selection.signature(self.view.recipe, metric=self.metric, **notion.signed_on(selection.stats))

    @property
    def heads(self) -> dict[str, str]:
        """The heads of columns that name the metric."""
        return {
            "gain": f"gain in {self.metric}",
            "p": f"p by {self.metric}",
            "verdict": f"by {self.metric}",
            "verdict_people": "by people",
        }


def shown(view: View) -> Shown | None:
    """Return what the page shows of the open task; None, with what is needed, if it has no scores by people."""
    test_set = view.first.test_set
    if test_set.reader.name != FAMILY.reader or test_set.packed is not None:
        _say_what_is_needed()
        return None
    table = by_measure(watch(_measures(view)))
    names = list(table["system"])
    metric = choice.select("Metric on trial", names, "people_metric", width=420)
    systems = view.selection.systems
    file = dict(zip(systems["system"], systems["file"], strict=True))[metric]
    results = watch(_twice(view, file))
    tables = watch(_tables(view, file, results))
    return Shown(view=view, metric=metric, file=file, results=results, tables=tables, measures=table)


def _say_what_is_needed() -> None:
    st.info(
        "This page needs scores of segments by people as the gold, and by metrics as the outputs: a folder of WMT's "
        "metrics task, or `gold.csv` and `systems/METRIC.csv` with the columns segment, system and score.",
        icon=":material/info:",
    )
    if SAMPLE in sample_names():
        st.button(
            "Open an example", key="open_people", icon=":material/folder_open:", on_click=outcome.arrive, args=(SAMPLE,)
        )


def _measures(view: View) -> computations.Computation[pd.DataFrame]:
    counts, test_set = view.first.counts, view.first.test_set
    work = partial(measures, view.task, test_set, lambda *_: counts, domain=view.first.domain)
    label = "Measuring every metric"
    return computations.analysis(view.selection, view.recipe, ("people_measures",), lambda p: work(progress=p), label)


def _twice(view: View, file: str) -> computations.Computation[Twice]:
    how = {"domain": view.first.domain, "unit": view.first.unit}

    def work(progress: Progress) -> Twice:
        return twice(view.first.test_set, file, view.recipe, progress, **how)

    label = f"Testing every pair by {plain(file)} and by people: {view.recipe.n_resamples:,} resamples"
    what = ("people_twice", file, *how.values())
    return computations.analysis(view.selection, view.recipe, what, work, label)


def _tables(view: View, file: str, results: Twice) -> computations.Computation[Tables]:
    def work(progress: Progress) -> Tables:
        pairs = pairs_by_both(results, view.notion)
        return Tables(pairs, results.metric.thresholds(notion=view.notion), worth(pairs, seed=view.recipe.seed))

    what = ("people_tables", file, view.first.domain, view.first.unit, view.notion)
    return computations.analysis(view.selection, view.recipe, what, work, "Comparing people and metric")


def row_of(results: Any, notion: Notion, names: Collection[str]) -> pd.Series:
    """Return the row of two systems in the table of all pairs by the metric or by people."""
    pairs = remember(results.pairs, notion)
    return pairs[pairs["system_a"].isin(names) & pairs["system_b"].isin(names)].iloc[0]


def foot(found: Shown) -> None:
    """Draw the signature, and update the link."""
    components.signature(found.signature)
    choice.write_link()
