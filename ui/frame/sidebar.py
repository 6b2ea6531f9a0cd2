"""The sidebar's choices that hold on every page, one function each."""

from __future__ import annotations

from collections.abc import Collection, Hashable

import streamlit as st

from nlpsig_core.comparison.notion import ADJUSTMENTS, AS_IN_THE_PAPER, MAX_T, SIDES, Notion
from nlpsig_core.comparison.select import MACRO
from nlpsig_core.errors import NlpsigError
from nlpsig_core.metrics import Metric, editions_for, metrics_for
from nlpsig_core.resampling.intervals import INTERVALS
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.counts import Counts
from nlpsig_core.task.domains import domain_choices, units_to_resample
from nlpsig_core.task.shared_task import SharedTask
from nlpsig_core.task.test_set import TestSet
from ui.app import choice
from ui.app.text import capital

# Numbers of resamples by what the link calls them.
RESAMPLES = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000, "10M": 10_000_000}


class Unanswered(NlpsigError):
    """A question that only the user can answer is open."""


def choose_test_set(task: SharedTask) -> str:
    """The name of a test set, or of their average."""
    names = list(task.test_sets)
    return choice.select("Test set", [*names, MACRO], "test_set") if len(names) > 1 else names[0]


def choose_metric(place: Hashable, test_set: TestSet) -> tuple[Metric, str | None]:
    """The metric and the edition it is of; another test set has its own usual edition."""
    reader = test_set.reader.name
    if st.session_state.setdefault("edition_of", place) != place:
        st.session_state["edition_of"] = place
        st.session_state["edition"] = None
    edition = choose_edition(test_set) if test_set.reader.editions else None
    metrics = metrics_for(reader, edition)
    label = choice.select("Metric", list(metrics), "metric")
    st.caption(metrics[label].what)
    return metrics[label], edition


def choose_edition(test_set: TestSet) -> str:
    """The edition of the metrics; Unanswered where the user has yet to choose."""
    editions, names = test_set.reader.editions, editions_for(test_set.reader.name)
    assert editions is not None
    if editions.usual is not None:
        draw = choice.segments if len(names) < 4 else choice.select
        return draw(editions.title, names, "edition", usual=editions.usual(test_set.gold), help=editions.help)
    chosen = choice.asked(editions.title, names, "edition", help=editions.help)
    if chosen is None:
        raise Unanswered(f"{editions.help} Choose in the sidebar.")
    return chosen


def choose_domain(test_sets: Collection[TestSet]) -> str:
    """A domain, all but one, or "" for all units."""
    choices = list(dict.fromkeys(c for test_set in test_sets for c in domain_choices(test_set)))
    return choice.select("Domain", ["", *choices], "domain", format_func=lambda d: d or "all") if choices else ""


def choose_unit(test_sets: Collection[TestSet]) -> str:
    """What is resampled, where there is a choice."""
    first, *others = (units_to_resample(test_set) for test_set in test_sets)
    units = [unit for unit in first if all(unit in of for of in others)]
    if len(units) < 2:
        return ""
    return choice.segments(
        "Resample", units, "unit", format_func="{}s".format,
        help="Sentences of one document are alike: resampling whole documents does not take them for independent.",
    )  # fmt: skip


def choose_invalid(counts: Collection[Counts]) -> str:
    """What becomes of invalid outputs, where there are any."""
    if not any(of.problems for of in counts):
        return ""
    return choice.segments(
        "Invalid outputs", next(iter(counts)).treatments, "invalid",
        help="Score as 0: as the shared tasks rule, nothing counts as right. The alternatives leave out the system, or "
        "leave out the units that it lacks for all systems.",
    )  # fmt: skip


def choose_recipe() -> Resampling:
    """How many resamples, from which seed."""
    with st.expander("Resampling"):
        b = choice.select("Resamples", list(RESAMPLES), "b", help="The paper uses a million.")
        seed = choice.number("Seed", 0, 2**31, "seed")
    return Resampling(RESAMPLES[b], int(seed))


def choose_notion() -> Notion:
    """When a pair counts as significant; the paper's notion is one click away, and so is the way back."""
    with st.expander("Significant means", expanded=True):
        level = choice.number("Level", 0.001, 0.4, "alpha", step=0.01, format="%.3f")
        sides = choice.segments(
            "Sides", SIDES, "sides",
            help="Two-sided: either system may be better. One: the winner's p, as in the paper; of equal systems it "
            "finds twice as many as the level says, since the winner is chosen after looking.",
        )  # fmt: skip
        offered = [name for name in ADJUSTMENTS if sides == "two" or name != MAX_T]
        adjust = choice.select(
            "For many pairs", offered, "adjust", format_func=lambda name: capital(ADJUSTMENTS[name]),
            help="Holm and max-t keep the chance of any false alarm at the level, Benjamini-Hochberg and "
            "Benjamini-Yekutieli the expected share of false alarms among what is found. Max-t is two-sided.",
        )  # fmt: skip
        notion = Notion(level=float(level), sides=sides, adjust=adjust)
        other, label = (Notion(), "Usual") if notion == AS_IN_THE_PAPER else (AS_IN_THE_PAPER, "As in the paper")
        st.button(label, key="other_notion", on_click=_take_notion, args=(other,), icon=":material/swap_horiz:")
    return notion


def _take_notion(notion: Notion) -> None:
    st.session_state["alpha"], st.session_state["sides"] = notion.level, notion.sides
    st.session_state["adjust"] = notion.adjust


def choose_interval() -> str:
    """The kind of interval."""
    return choice.segments(
        "95 % intervals", INTERVALS, "interval",
        help="Percentiles of the resampled values, or bootstrap standard errors to either side; both are widened for "
        "few units. Where gains are skewed and units fewer than 100 they still hold less than 95 %.",
    )  # fmt: skip
