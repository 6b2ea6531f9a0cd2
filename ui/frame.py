"""The frame of every page: menu, sidebar with the choices that hold everywhere, and what follows from them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.analysis import Selection
from nlpsig_core.bootstrap import Bootstrap
from nlpsig_core.counting import INVALID
from nlpsig_core.errors import NlpsigError
from nlpsig_core.metrics import Metric, editions_for, metrics_for
from nlpsig_core.ranking import ADJUSTMENTS
from nlpsig_core.resampling import Resampling
from nlpsig_core.significance import INTERVALS
from nlpsig_core.task import SharedTask
from ui import cache, choice, components, opening, tasks

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
# Numbers of resamples by what the link calls them.
RESAMPLES = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000, "10M": 10_000_000}


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
    edition: str | None

    @property
    def metric(self) -> str:
        """The metric's name on screen."""
        return self.selection.metric.label

    @property
    def signature(self) -> str:
        """How every number of the page was made."""
        return self.signed()

    def signed(self, **more: object) -> str:
        """The signature of something that depends on more than the resamples."""
        return self.selection.signature(self.recipe, **more)

    @property
    def reading(self) -> dict[str, object]:
        """What the ranking depends on beside the resamples."""
        return {"alpha": f"{self.alpha:g}", "adjustment": self.adjustment, "interval": self.interval}

    @cached_property
    def result(self) -> Bootstrap:
        """The bootstrap of all pairs; shows how far it is."""
        return cache.bootstrap(self.selection, self.recipe)

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """The ranking with intervals and ties."""
        return self.selection.ranking(self.result, self.alpha, self.adjustment, self.interval)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The table of all pairs, by the scores of winner and loser."""
        better_first = not self.selection.metric.higher_is_better
        pairs = self.selection.pairs(self.result, self.interval)
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
        if not first_page:
            view.selection.check()
    except NlpsigError as error:
        components.refusal("This cannot be used.", str(error))
        if first_page:
            opening.opening()
        else:
            st.page_link(PAGES[0][0], label="Choose another task", icon=PAGES[0][2])
        st.stop()
    return view


def foot(view: View) -> None:
    """The foot of a page: its signature, and the link made to say what the page shows now."""
    components.signature(view.signature)
    choice.write_link()


def _choose() -> View:
    with st.sidebar:
        key, task = tasks.chosen()
        test_set = task.test_set(_test_set(task))
        metric, edition = _metric(task)
    counts = cache.count(key, task, test_set)
    with st.sidebar:
        domain = _domain(test_set.domains)
        invalid = _invalid() if counts.problems else INVALID[0]
        recipe = _recipe()
        alpha, adjustment, interval = _reading()
    selection = Selection(task, test_set, counts, metric, domain, invalid)
    return View(key, task, selection, recipe, alpha, adjustment, interval, edition)


def _test_set(task: SharedTask) -> str:
    names = list(task.test_sets)
    return choice.select("Test set", names, "test_set") if len(names) > 1 else names[0]


def _metric(task: SharedTask) -> tuple[Metric, str | None]:
    reader = task.reader.name
    editions = editions_for(reader)
    edition = None
    if len(editions) > 1:
        edition = choice.segments(
            "Evaluation", editions, "edition", format_func="CoNLL {}".format,
            help="AllTags, Lemmas and CLAS differ between the two editions.",
        )  # fmt: skip
    metrics = metrics_for(reader, edition)
    label = choice.select("Metric", list(metrics), "metric")
    st.caption(metrics[label].what)
    return metrics[label], edition


def _domain(domains: np.ndarray) -> str:
    if not len(domains):
        return ""
    names = ["", *sorted(set(domains.tolist()))]
    return choice.select("Domain", names, "domain", format_func=lambda d: d or "all")


def _invalid() -> str:
    return choice.segments(
        "Invalid outputs", INVALID, "invalid",
        help="The shared tasks score an invalid file 0; it can be left out instead.",
    )  # fmt: skip


def _recipe() -> Resampling:
    with st.expander("Resampling"):
        b = choice.select("Resamples", list(RESAMPLES), "b", help="The paper uses a million.")
        seed = choice.number("Seed", 0, 2**31, "seed")
    return Resampling(RESAMPLES[b], int(seed))


def _reading() -> tuple[float, str, str]:
    """How results are read, which resamples nothing: level, adjustment of ranks, kind of interval."""
    with st.expander("Reading of results"):
        alpha = choice.number("Significance level", 0.001, 0.5, "alpha", step=0.01, format="%.3f")
        adjustment = choice.select(
            "Ranks and ties adjust p by", list(ADJUSTMENTS), "adjust",
            help="Ranks rest on two-sided p-values of all pairs. With Holm all rank ranges hold at once.",
        )  # fmt: skip
        interval = choice.segments(
            "95 % intervals", INTERVALS, "interval",
            help="Percentiles of the resampled values, or 1.96 bootstrap standard errors to either side.",
        )  # fmt: skip
    return float(alpha), adjustment, interval
