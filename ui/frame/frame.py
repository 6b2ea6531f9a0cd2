"""The frame of every page: menu, sidebar with the choices that hold everywhere, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.comparison.notion import MAX_T, Notion
from nlpsig_core.comparison.results import Results
from nlpsig_core.comparison.select import MACRO, select
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.errors import NlpsigError
from nlpsig_core.metrics import Metric
from nlpsig_core.metrics.editions import metric_for
from nlpsig_core.paired_tests import PValues
from nlpsig_core.paired_tests.max_t import why_not
from nlpsig_core.resampling.bootstrap import Bootstrap
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.selected import SelectedTestSet
from nlpsig_core.task.shared_task import SharedTask
from nlpsig_core.words import count
from ui.app import cache, choice, components
from ui.app.text import plain
from ui.frame import sidebar
from ui.open import opening, tasks

SCORES, PAIRS = "Scores", "Pairs"
PAIR = "pages/pair.py"
# Script, label, symbol; in the order of the menu.
PAGES = (
    ("app.py", "Shared task", ":material/folder_open:"),
    ("pages/scores.py", SCORES, ":material/leaderboard:"),
    ("pages/pairs.py", PAIRS, ":material/scatter_plot:"),
    (PAIR, "Pair", ":material/frame_inspect:"),
    ("pages/sizes.py", "Test size", ":material/straighten:"),
    ("pages/domains.py", "Domains", ":material/category:"),
    ("pages/calibration.py", "Calibration", ":material/balance:"),
    ("pages/learn.py", "Learn", ":material/school:"),
)
# Pages of what a macro-average has no meaning for.
ON_ONE_TEST_SET = ("Pair", "Test size", "Domains", "Calibration", "Learn")
# Streamlit leaves wide margins for text; figures need the room.
STYLE = """
[data-testid=stMainBlockContainer] { padding: 2.6rem clamp(1rem, 3vw, 3rem) 3rem; }
[data-testid=stSidebarHeader] { height: 2.4rem; }
[data-testid=stMetricValue] { font-size: 1.55rem; }
h1 { padding-top: 0 !important; }
@media (max-width: 800px) { [data-testid=stMainBlockContainer] { padding-top: 4rem; } }
"""


@dataclass(frozen=True)
class View:
    """What the sidebar has chosen; tables are made when a page asks for them."""

    key: cache.TaskKey
    task: SharedTask
    selection: Selection
    recipe: Resampling
    notion: Notion
    interval: str
    edition: str | None

    @property
    def first(self) -> SelectedTestSet:
        """The only or the first test set."""
        return self.selection.first

    @property
    def metric(self) -> Metric:
        """The metric that everything is by."""
        return self.selection.metric

    @property
    def decimals(self) -> int:
        """How many decimals of a score are shown."""
        return self.selection.decimals

    @property
    def signature(self) -> str:
        """How every number of the page was made."""
        return self.signed()

    def signed(self, **more: object) -> str:
        """The signature of something that depends on more than the resamples."""
        return self.selection.signature(self.recipe, **more)

    @property
    def classes(self) -> dict[str, object]:
        """What the comparison classes depend on: the systems' groups, kinds and base models."""
        return {"groups": self.selection.classes_digest}

    @property
    def reading(self) -> dict[str, object]:
        """What the ranking depends on beside the resamples."""
        return self.notion.signed | {"interval": self.interval}

    @property
    def alpha(self) -> float:
        """The significance level."""
        return self.notion.level

    @property
    def words(self) -> str:
        """When a pair is significant, in words."""
        return self.notion.words(self.selection.stats.n_pairs)

    @property
    def words_of_ranking(self) -> str:
        """When a pair is significant for rank ranges and tied groups, in words."""
        return self.notion.words(self.selection.stats.n_pairs, ranking=True)

    @cached_property
    def by_max_t(self) -> np.ndarray | None:
        """p of every pair adjusted by max-t, where the notion asks for it; shows how far it is."""
        return cache.by_max_t(self.selection, self.recipe, self.result, self.notion)

    @cached_property
    def result(self) -> Bootstrap:
        """The bootstrap of all pairs; shows how far it is."""
        return cache.bootstrap(self.selection, self.recipe)

    @property
    def results(self) -> Results:
        """The same as tables."""
        return Results(self.selection, self.result)

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """The ranking with intervals and ties."""
        return self.results.ranking(self.notion, interval=self.interval, by_max_t=self.by_max_t)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The table of all pairs, by the scores of winner and loser; p is the bootstrap's."""
        return self.pairs_by(None)

    def pairs_by(self, p: PValues | None) -> pd.DataFrame:
        """The same with the p-values of another test."""
        better_first = not self.selection.metric.higher_is_better
        by_max_t = self.by_max_t if p is None or not p.counts_observed else None
        pairs = self.results.pairs(self.notion, interval=self.interval, p=p, by_max_t=by_max_t)
        return pairs.sort_values(["score_a", "score_b"], ascending=better_first, kind="stable")


def frame(title: str) -> View:
    """Draw what all pages share and return what was chosen; an input that cannot be used ends the page here."""
    st.set_page_config(page_title=f"{title} · nlpsig", page_icon="⚖️", layout="wide")
    choice.read_link()
    st.html(f"<style>{STYLE}</style>")
    first_page = title == PAGES[0][1]
    with st.sidebar:
        st.markdown("### nlpsig")
        for script, label, symbol in PAGES:
            st.page_link(script, label=label, icon=symbol)
    st.title(title)
    refusal = st.container()
    try:
        view = _choose()
        with refusal:
            tasks.show_refusal()
            if missing := choice.not_here():
                st.warning(f"The link names what is not here; the usual is shown instead: {plain(missing)}.")
        if title in ON_ONE_TEST_SET and view.selection.several:
            st.info(f"On the test set {view.first.test_set.name} alone.", icon=":material/info:")
            view = replace(view, selection=view.selection.only_first)
        if not first_page:
            view.selection.check(systems=1 if title == SCORES else 2)
            _few_units(view)
    except NlpsigError as error:
        if isinstance(error, sidebar.Unanswered):
            st.info(str(error), icon=":material/help:")
        else:
            components.refusal("This cannot be used.", str(error))
        if first_page:
            opening.opening()
            tasks.show_recognised()
        else:
            st.page_link(PAGES[0][0], label="Choose another task", icon=PAGES[0][2])
        st.stop()
    return view


def foot(view: View, **more: object) -> None:
    """The foot of a page: its signature, and the link made to say what the page shows now."""
    components.signature(view.signed(**more))
    choice.write_link()


def _few_units(view: View) -> None:
    """Warn where there is little to resample."""
    if view.selection.few_units:
        st.warning(f"{view.selection.few_units}.", icon=":material/warning:")


def _choose() -> View:
    with st.sidebar:
        key, task = tasks.chosen()
        name = sidebar.choose_test_set(task)
        test_set = task.test_set(None if name == MACRO else name)
        metric, edition = sidebar.choose_metric((key, test_set.name), test_set)
    chosen = task.test_sets if name == MACRO else {test_set.name: test_set}
    metrics = {n: metric_for(of, metric, edition, test_set) for n, of in chosen.items()}
    counts = {n: cache.count(key, task, of, metrics[n].family) for n, of in chosen.items()}
    with st.sidebar:
        domain = sidebar.choose_domain(chosen.values())
        unit = sidebar.choose_unit(chosen.values())
        resampled = st.empty()
        invalid = sidebar.choose_invalid(counts.values())
        recipe = sidebar.choose_recipe()
        notion, interval = sidebar.choose_notion(), sidebar.choose_interval()
    selection = select(
        task, lambda of: metrics[of.name], name, domain=domain, unit=unit, invalid=invalid,
        count=lambda _, of, metric: counts[of.name],
    )  # fmt: skip
    resampled.caption(f"{count(selection.stats.n_units, selection.stats.unit)} to resample")
    if notion.adjust == MAX_T and (why := why_not(selection.stats)):
        raise sidebar.Unanswered(f"{why}. Choose another adjustment in the sidebar.")
    return View(key, task, selection, recipe, notion, interval, edition)
