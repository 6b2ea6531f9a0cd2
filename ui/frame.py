"""The frame of every page: menu, sidebar with the choices that hold everywhere, and what follows from them."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd
import streamlit as st

from nlpsig_core.analysis import Selection
from nlpsig_core.bootstrap import Bootstrap
from nlpsig_core.choices import domain_choices, metric_for, units_to_resample
from nlpsig_core.counting import Counts
from nlpsig_core.errors import NlpsigError
from nlpsig_core.macro import MACRO, MacroAverage, selections
from nlpsig_core.metrics import EDITIONS, Metric, editions_for, metrics_for
from nlpsig_core.paired_tests import PValues
from nlpsig_core.ranking import ADJUSTMENTS
from nlpsig_core.resampling import Resampling
from nlpsig_core.significance import INTERVALS
from nlpsig_core.task import SharedTask
from nlpsig_core.test_set import TestSet
from ui import cache, choice, components, opening, tasks
from ui.text import count, plain

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
# Numbers of resamples by what the link calls them.
RESAMPLES = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000, "10M": 10_000_000}


class Unanswered(NlpsigError):
    """A question that only the user can answer is open."""


@dataclass(frozen=True)
class View:
    """What the sidebar has chosen; tables are made when a page asks for them."""

    key: Hashable
    task: SharedTask
    selection: Selection | MacroAverage
    recipe: Resampling
    alpha: float
    adjustment: str
    interval: str
    edition: str | None

    @property
    def parts(self) -> dict[str, Selection]:
        """The selection of each test set that takes part, by its name."""
        if isinstance(self.selection, MacroAverage):
            return dict(self.selection.selections)
        return {self.selection.test_set.name: self.selection}

    @property
    def first(self) -> Selection:
        """The selection of the (first) test set."""
        return next(iter(self.parts.values()))

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
        """The table of all pairs, by the scores of winner and loser; p is the bootstrap's."""
        return self.pairs_by(None)

    def pairs_by(self, p: PValues | None) -> pd.DataFrame:
        """The same with the p-values of another test."""
        better_first = not self.selection.metric.higher_is_better
        pairs = self.selection.pairs(self.result, self.interval, p)
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
        if title in ON_ONE_TEST_SET and isinstance(view.selection, MacroAverage):
            st.info(f"On the test set {view.first.test_set.name} alone.", icon=":material/info:")
            view = replace(view, selection=view.first)
        if not first_page:
            view.selection.check(systems=1 if title == SCORES else 2)
            _few_units(view)
    except NlpsigError as error:
        if isinstance(error, Unanswered):
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
        name = _test_set(task)
        test_set = task.test_set(None if name == MACRO else name)
        metric, edition = _metric((key, test_set.name), test_set)
    chosen = task.test_sets if name == MACRO else {test_set.name: test_set}
    metrics = {n: metric_for(of, metric, edition, test_set) for n, of in chosen.items()}
    counts = {n: cache.count(key, task, of, metrics[n].family) for n, of in chosen.items()}
    with st.sidebar:
        domain = _domain(chosen.values())
        unit = _unit(chosen.values())
        resampled = st.empty()
        invalid = _invalid(counts.values())
        recipe = _recipe()
        alpha, adjustment, interval = _reading()
    selection: Selection | MacroAverage
    if name == MACRO:
        several = selections(task, lambda t: metrics[t.name], lambda t, m: counts[t.name], domain, invalid, unit)
        selection = MacroAverage(several)
    else:
        selection = Selection(task, test_set, counts[test_set.name], metric, domain, invalid, unit)
    resampled.caption(f"{count(selection.stats.n_units, selection.stats.unit)} to resample")
    return View(key, task, selection, recipe, alpha, adjustment, interval, edition)


def _test_set(task: SharedTask) -> str:
    names = list(task.test_sets)
    return choice.select("Test set", [*names, MACRO], "test_set") if len(names) > 1 else names[0]


def _metric(place: Hashable, test_set: TestSet) -> tuple[Metric, str | None]:
    """The metric and the edition it is of; another test set has its own usual edition."""
    reader = test_set.reader.name
    if st.session_state.setdefault("edition_of", place) != place:
        st.session_state["edition_of"] = place
        st.session_state["edition"] = None
    edition = _edition(reader, test_set) if reader in EDITIONS else None
    metrics = metrics_for(reader, edition)
    label = choice.select("Metric", list(metrics), "metric")
    st.caption(metrics[label].what)
    return metrics[label], edition


def _edition(reader: str, test_set: TestSet) -> str:
    editions, names = EDITIONS[reader], editions_for(reader)
    if editions.usual is not None:
        draw = choice.segments if len(names) < 4 else choice.select
        return draw(editions.title, names, "edition", usual=editions.usual(test_set.gold), help=editions.help)
    chosen = choice.asked(editions.title, names, "edition", help=editions.help)
    if chosen is None:
        raise Unanswered(f"{editions.help} Choose in the sidebar.")
    return chosen


def _domain(test_sets: Collection[TestSet]) -> str:
    choices = list(dict.fromkeys(c for test_set in test_sets for c in domain_choices(test_set)))
    return choice.select("Domain", ["", *choices], "domain", format_func=lambda d: d or "all") if choices else ""


def _unit(test_sets: Collection[TestSet]) -> str:
    first, *others = (units_to_resample(test_set) for test_set in test_sets)
    units = [unit for unit in first if all(unit in of for of in others)]
    if len(units) < 2:
        return ""
    return choice.segments(
        "Resample", units, "unit", format_func="{}s".format,
        help="Sentences of one document are alike: resampling whole documents does not take them for independent.",
    )  # fmt: skip


def _invalid(counts: Collection[Counts]) -> str:
    if not any(of.problems for of in counts):
        return ""
    return choice.segments(
        "Invalid outputs", next(iter(counts)).treatments, "invalid",
        help="No credit: as the shared tasks rule, nothing is right. It can be left out instead, or the units that it "
        "lacks can be left out for all.",
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
