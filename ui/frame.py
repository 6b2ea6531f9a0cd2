"""The frame of every page: menu, sidebar with the choices that hold everywhere, and what follows from them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from nlpsig_core.analysis import Selection
from nlpsig_core.bootstrap import Bootstrap
from nlpsig_core.counting import INVALID
from nlpsig_core.errors import NlpsigError
from nlpsig_core.metrics import editions_for, metrics_for
from nlpsig_core.ranking import ADJUSTMENTS
from nlpsig_core.resampling import Resampling
from nlpsig_core.significance import INTERVALS
from nlpsig_core.task import SharedTask
from nlpsig_core.thresholds import Rule, threshold_table
from ui import cache, tasks

# Script, label, symbol; in the order of the menu.
PAGES = (
    ("app.py", "Shared task", ":material/folder_open:"),
    ("pages/scores.py", "Scores", ":material/leaderboard:"),
    ("pages/pairs.py", "Pairs", ":material/scatter_plot:"),
)
# Streamlit leaves wide margins for text; figures need the room.
STYLE = """
[data-testid=stMainBlockContainer] { padding: 2.6rem clamp(1rem, 3vw, 3rem) 3rem; }
[data-testid=stSidebarHeader] { height: 2.4rem; }
[data-testid=stMetricValue] { font-size: 1.55rem; }
h1 { padding-top: 0 !important; }
@media (max-width: 640px) { [data-testid=stMainBlockContainer] { padding-top: 4rem; } }
"""
RESAMPLES = (10_000, 100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True)
class View:
    """What the sidebar has chosen; tables are made when a page asks for them."""

    key: Hashable
    task: SharedTask
    selection: Selection
    recipe: Resampling
    alpha: float
    adjustment: str
    interval: str

    @property
    def metric(self) -> str:
        """The metric's name on screen."""
        return self.selection.metric.label

    @property
    def signature(self) -> str:
        """How every number of the page was made."""
        return self.selection.signature(self.recipe)

    @property
    def result(self) -> Bootstrap:
        """The bootstrap of all pairs; shows how far it is."""
        return cache.bootstrap(self.selection, self.recipe)

    @property
    def ranking(self) -> pd.DataFrame:
        """The ranking with intervals and ties."""
        return self.selection.ranking(self.result, self.alpha, self.adjustment, self.interval)

    @property
    def pairs(self) -> pd.DataFrame:
        """The table of all pairs."""
        return self.selection.pairs(self.result, self.interval)

    def thresholds(self, pairs: pd.DataFrame, rule: Rule) -> pd.DataFrame:
        """Thresholds by comparison class."""
        return threshold_table(pairs, rule)


def frame(title: str) -> View:
    """Draw what all pages share and return what was chosen; an input that cannot be used ends the page here."""
    st.set_page_config(page_title=f"{title} · nlpsig", page_icon="⚖️", layout="wide")
    st.html(f"<style>{STYLE}</style>")
    with st.sidebar:
        st.markdown("### nlpsig")
        for script, label, symbol in PAGES:
            st.page_link(script, label=label, icon=symbol)
    st.title(title)
    try:
        return _choose()
    except NlpsigError as error:
        st.error("This cannot be used.", icon=":material/error:")
        st.text(str(error))
        if title != PAGES[0][1]:
            st.page_link(PAGES[0][0], label="Choose another task", icon=PAGES[0][2])
        else:
            tasks.opening()
        st.stop()


def _choose() -> View:
    with st.sidebar:
        key, task = tasks.chosen()
        test_set = task.test_set(_test_set(task))
        metric = _metric(task)
    counts = cache.count(key, task, test_set)
    with st.sidebar:
        domain = _domain(test_set.domains)
        invalid = _invalid() if counts.problems else INVALID[0]
        recipe = _recipe()
        alpha, adjustment, interval = _reading()
    selection = Selection(task, test_set, counts, metric, domain, invalid)
    selection.stats  # noqa: B018  (raises here, inside the guard, where too little is left to compare)
    return View(key, task, selection, recipe, alpha, adjustment, interval)


def _test_set(task: SharedTask) -> str:
    names = list(task.test_sets)
    if len(names) == 1:
        return names[0]
    return st.selectbox("Test set", names, key="test_set", bind="query-params")


def _metric(task: SharedTask):
    reader = task.reader.name
    editions = editions_for(reader)
    edition = None
    if len(editions) > 1:
        edition = st.segmented_control(
            "Evaluation", editions, default=editions[0], required=True, key="edition", bind="query-params",
            format_func="CoNLL {}".format, help="AllTags, Lemmas and CLAS differ between the two editions.",
        )  # fmt: skip
    metrics = metrics_for(reader, edition)
    label = st.selectbox("Metric", list(metrics), key="metric", bind="query-params")
    st.caption(metrics[label].what)
    return metrics[label]


def _domain(domains) -> str:
    if not len(domains):
        return ""
    names = sorted(set(domains.tolist()))
    return st.selectbox("Domain", ["", *names], format_func=lambda d: d or "all", key="domain", bind="query-params")


def _invalid() -> str:
    return st.segmented_control(
        "Invalid outputs", INVALID, default=INVALID[0], required=True, key="invalid", bind="query-params",
        help="The shared tasks score an invalid file 0; it can be left out instead.",
    )  # fmt: skip


def _recipe() -> Resampling:
    with st.expander("Resampling"):
        b = st.selectbox(
            "Resamples", RESAMPLES, index=2, format_func="{:,}".format, key="b", bind="query-params",
            help="The paper uses a million.",
        )  # fmt: skip
        seed = st.number_input("Seed", 0, 2**31, 0, key="seed", bind="query-params")
    return Resampling(int(b), int(seed))


def _reading() -> tuple[float, str, str]:
    """How results are read, which resamples nothing: level, adjustment of ranks, kind of interval."""
    with st.expander("Reading of results"):
        alpha = st.number_input("Significance level", 0.001, 0.5, 0.05, 0.01, "%.3f", key="alpha", bind="query-params")
        adjustment = st.selectbox(
            "Ranks and ties adjust p by", list(ADJUSTMENTS), key="adjust", bind="query-params",
            help="Ranks rest on two-sided p-values of all pairs. With Holm all rank ranges hold at once.",
        )  # fmt: skip
        interval = st.segmented_control(
            "95 % intervals", INTERVALS, default=INTERVALS[0], required=True, key="interval", bind="query-params",
            help="Percentiles of the resampled values, or 1.96 bootstrap standard errors to either side.",
        )  # fmt: skip
    return float(alpha), adjustment, interval
