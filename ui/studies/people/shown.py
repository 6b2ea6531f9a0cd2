"""What the People page shows: a metric of the open task, its pairs by both, and what a gain in it is worth."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, cast

import pandas as pd
import streamlit as st

from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.data.task.samples import sample_names
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.studies.people.measures import by_measure, measures
from nlpsig_core.studies.people.pairs import Twice, pairs_by_both, results_of
from nlpsig_core.studies.people.rated import NEEDED, Rated, are_of_metrics, has_people, rated_of
from nlpsig_core.studies.people.shared import SharedResults
from nlpsig_core.studies.people.trial import trial_of
from nlpsig_core.studies.people.worth import Worth, worth
from ui.app import choice
from ui.app.text import plain
from ui.frame.view import View
from ui.open import outcome
from ui.work import computations
from ui.work.memory import remember, remember_as
from ui.work.watching import watch

SAMPLES = {"ondvar-judgements": "translations that people rated", "halvet-metrics": "metrics on trial"}


class Tables(NamedTuple):
    """Every pair by both, thresholds of the metric, and what a gain in it is worth."""

    pairs: pd.DataFrame
    thresholds: pd.DataFrame
    worth: Worth


@dataclass(frozen=True, eq=False, kw_only=True)
class Shown:
    """A ``metric`` beside people: what is ``rated``, its ``results`` and their ``tables``."""

    view: View
    metric: str
    rated: Rated
    results: Twice
    tables: Tables

    @property
    def of_metrics(self) -> bool:
        """Whether the outputs are metrics on trial."""
        return are_of_metrics(self.view.first.test_set)

    @property
    def decimals(self) -> tuple[int, int]:
        """The decimals of gains in the metric and by people."""
        metric, people = (of.selection.decimals for of in self.results)
        return metric, people

    @property
    def signature(self) -> str:
        """The signature of the page's numbers."""
        selection, notion = self.results.metric.selection, self.view.notion
        named = {"metric": self.metric} if self.of_metrics else {}
        return self.results.signed(**named, **notion.signed_on(selection.stats))

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
    if not has_people(view.first.test_set):
        _say_what_is_needed()
        return None
    if view.metric is HUMAN_SCORE:
        st.info("Choose a metric in the sidebar: this page compares it with people's scores.", icon=":material/info:")
        return None
    metric, file = view.metric.label, ""
    if are_of_metrics(view.first.test_set):
        metric = choice.select("Metric on trial", list(by_measures(view)["system"]), "people_metric", width=420)
        systems = view.selection.systems
        file = dict(zip(systems["system"], systems["file"], strict=True))[metric]
    else:
        choice.useless("people_metric")
    rated = rated_in(view, file)
    results = Twice(watch(_by_metric(view, rated)), watch(people_of(view, rated)))
    tables = watch(_tables(view, rated, results))
    return Shown(view=view, metric=metric, rated=rated, results=results, tables=tables)


def _say_what_is_needed() -> None:
    st.info(f"This page needs {NEEDED}.", icon=":material/info:")
    for name in filter(sample_names().__contains__, SAMPLES):
        label = f"Open an example: {SAMPLES[name]}"
        st.button(label, key=f"open_{name}", icon=":material/folder_open:", on_click=outcome.arrive, args=(name,))


def rated_in(view: View, file: str = "") -> Rated:
    """Return what people have rated in the open task: the outputs by the chosen metric, or one metric on trial."""
    test_set, counts = view.first.test_set, None
    if test_set.is_judged:
        counts = view.counts(HUMAN_SCORE)
    key = ("rated", view.selection, file, counts)
    return remember_as(key, lambda: rated_of(view.selection, file, lambda *_: cast(Counts, counts)))


def by_measures(view: View) -> pd.DataFrame:
    """Return all metrics by all measures, the best first; TaskError if no metric scores single units."""

    def work(progress: Progress) -> pd.DataFrame:
        selection = view.selection.only_first
        task = trial_of(selection, progress=progress)
        own = task is selection.task
        test_set, domain = (view.first.test_set, view.first.domain) if own else (task.test_set(), "")
        return by_measure(measures(task, test_set, progress=progress, domain=domain))

    what = ("people_measures", view.key, view.first.domain)
    label = "Measuring every metric"
    return watch(computations.analysis(view.selection, view.recipe, what, work, label))


def _key(view: View, rated: Rated) -> tuple[Any, ...]:
    """Return what distinguishes computations on people's scores, beside the statistics of the selection."""
    return view.key, rated.metric.metric.label, view.first.domain, view.first.unit


def _by_metric(view: View, rated: Rated) -> computations.Computation[SharedResults]:
    known = None if are_of_metrics(view.first.test_set) else view.result
    return _half(view, rated, rated.metric, "people_by_metric", rated.metric.metric.label, known)


def people_of(view: View, rated: Rated) -> computations.Computation[SharedResults]:
    """Return the results of rated systems by people, which the Pair page and the film show, too."""
    return _half(view, rated, rated.people, "people_by_people", "people")


def _half(
    view: View, rated: Rated, selection: Selection, name: str, whose: str, known: Bootstrap | None = None
) -> computations.Computation[SharedResults]:
    label = f"Testing every pair by {plain(whose)}: {view.recipe.n_resamples:,} resamples"
    work = partial(results_of, selection, rated, view.recipe, known=known)
    return computations.analysis(view.selection, view.recipe, (name, *_key(view, rated)), work, label)


def _tables(view: View, rated: Rated, results: Twice) -> computations.Computation[Tables]:
    def work(progress: Progress) -> Tables:
        pairs = pairs_by_both(results, view.notion)
        of_metric = results.metric.thresholds(notion=view.notion)
        decimals = results.metric.selection.decimals
        return Tables(pairs, of_metric, worth(pairs, seed=view.recipe.seed, decimals=decimals))

    what = ("people_tables", *_key(view, rated), view.notion)
    return computations.analysis(view.selection, view.recipe, what, work, "Comparing people and metric")


def row_of(results: Any, notion: Notion, names: Collection[str]) -> pd.Series:
    """Return the row of two systems in the table of all pairs by the metric or by people."""
    pairs = remember(results.pairs, notion)
    return pairs[pairs["system_a"].isin(names) & pairs["system_b"].isin(names)].iloc[0]
