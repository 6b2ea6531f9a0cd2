"""The sidebar's choices, which apply to every page: one function each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast

import pandas as pd
import streamlit as st

from nlpsig_core.base.errors import ChoiceError, NlpsigError
from nlpsig_core.base.words import capital, count
from nlpsig_core.data.metrics import Metric
from nlpsig_core.data.metrics.offer import WITH_NOTATION, Offer
from nlpsig_core.data.task.shared_task import MACRO, SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.notion import (
    AS_IN_THE_PAPER,
    BOOTSTRAP,
    CORRECTIONS,
    MAX_T,
    SCOPES,
    SIDES,
    Notion,
)
from nlpsig_core.significance.comparison.scores import guessed_baseline
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.max_t import why_not
from nlpsig_core.significance.resampling.bootstrap import INTERVALS
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.counts import DROP_UNITS
from nlpsig_core.significance.stats.weights import EQUAL, WEIGHTS
from ui.app import choice
from ui.app.terms import explained
from ui.app.text import cut, plain

# Numbers of resamples, by their key in the link.
RESAMPLES = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000, "10M": 10_000_000}
# Help of the menu of metrics where others can be typed.
TYPED = (
    "Choose one, or type any [measure of ir_measures](https://ir-measur.es/en/latest/measures.html) in its notation: "
    "`nDCG@20`, `P(rel=2)@5`, `Rprec`."
)


class Unanswered(NlpsigError):
    """Raised as long as the user has to answer a question before anything can be shown; ``ask`` draws its answers."""

    def __init__(self, message: str, ask: Callable[[], object] = lambda: None) -> None:
        super().__init__(message)
        self.ask = ask


def choose_test_sets(task: SharedTask) -> SharedTask:
    """Choose the test sets that take part, by default all, and return the task on them."""
    names = list(task.test_sets)
    if len(names) < 3:
        choice.useless("test_sets")
        return task
    with st.expander(f"Test sets: {len(choice.current('test_sets') or names)} of {len(names)}"):
        chosen = choice.several(st.multiselect, "Only these", names, "test_sets", placeholder="all")
    return task.on(chosen) if chosen else task


def choose_test_set(task: SharedTask) -> str:
    """Choose the name of a test set, or MACRO for the average of all."""
    names = list(task.test_sets)
    if len(names) > 1:
        return choice.select("Test set", [*names, MACRO], "test_set")
    choice.useless("test_set")
    return names[0]


def choose_weights(task: SharedTask, name: str) -> str:
    """Choose how the macro-average weighs the test sets; nothing to choose for the name of one."""
    if name == MACRO:
        return choice.select("Weights of the test sets", list(WEIGHTS), "weights")
    # Those of a link can wait for the macro-average.
    if len(task.test_sets) == 1 or choice.current("weights") not in WEIGHTS:
        choice.useless("weights")
    return EQUAL


def choose_metric(context: Hashable, test_set: TestSet) -> tuple[Metric, str | None]:
    """Choose the metric and its edition; ``context`` identifies the test set, whose change resets the edition."""
    choice.only_for("edition", context)
    if not test_set.reader.editions:
        choice.useless("edition")
    edition = choose_edition(test_set) if test_set.reader.editions else None
    offer = Offer(test_set, edition)
    metrics = _with_asked(offer, choice.current("metric"))
    typed: dict[str, Any] = {}
    if test_set.reader.name in WITH_NOTATION:
        typed = {"accept_new_options": True, "on_change": partial(_say_if_unknown, offer), "help": TYPED}
    label = choice.select("Metric", list(metrics), "metric", **typed)
    st.caption(metrics[label].what)
    return metrics[label], edition


def _with_asked(offer: Offer, name: str | None) -> dict[str, Metric]:
    """Return the metrics of menus, and the one that a link names though no menu has it."""
    metrics = offer.metrics
    with suppress(ChoiceError):
        if name not in metrics and (own := offer.own_named(name)):
            return metrics | {str(name): own}
    return metrics


def _say_if_unknown(offer: Offer) -> None:
    """Say why what was typed is no metric."""
    name = str(st.session_state["metric"])
    try:
        if name not in offer.metrics and not offer.own_named(name):
            raise ChoiceError(f"{cut(name)} is no measure of ir_measures")
    except ChoiceError as error:
        st.toast(plain(str(error)))


def choose_edition(test_set: TestSet) -> str:
    """Choose the edition of the metrics; raise Unanswered until the user chooses one that has no default."""
    editions, names = test_set.reader.editions, Offer(test_set).editions
    assert editions is not None
    if editions.usual is not None or test_set.packed is not None:
        draw = choice.segments if len(names) < 4 else choice.select
        return draw(editions.title, names, "edition", usual=Offer(test_set).usual, help=editions.help)
    ask = partial(choice.asked, editions.title, names, "edition")
    if st.session_state.get("edition") not in names:
        raise Unanswered(editions.help, ask)
    return cast(str, ask(help=editions.help))


def choose_domain(domains: Sequence[str]) -> str:
    """Choose one of the ``domains``, all but one, or "" for all units."""
    if domains:
        return choice.select("Domain", domains, "domain", format_func=lambda d: d or "all")
    choice.useless("domain")
    return ""


def choose_unit(units: Sequence[str]) -> str:
    """Choose the unit of resampling, "" for the usual one, if there is a choice; else ""."""
    if not units:
        choice.useless("unit")
        return ""
    return choice.segments("Resample", units, "unit", format_func=lambda unit: f"{unit}s" if unit else "usual")


def choose_invalid(treatments: Sequence[str]) -> str:
    """Choose the treatment of invalid outputs, if there are any; else ""."""
    if not treatments:
        choice.useless("invalid")
        return ""
    return choice.segments("Invalid outputs", treatments, "invalid")


def say_incomplete(selection: Selection) -> None:
    """Say how many systems lack some scores and are left out, and offer to keep them."""
    if number := len(_incomplete(selection)):
        lack = "system lacks some scores and is" if number == 1 else "systems lack some scores and are"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(f"{number:,} {lack} left out.", icon=":material/warning:", width="stretch")
            offer_common_units(selection)


def offer_common_units(selection: Selection) -> None:
    """Draw a button that keeps outputs that lack some scores, on the units that all have; nothing if there are none."""
    if _incomplete(selection) and (common := selection.changed(invalid=DROP_UNITS).stats).n_units:
        st.button(
            f"Keep all systems, on the {count(common.n_units, common.unit)} that all have",
            key="common_units",
            **choice.by_click(invalid=DROP_UNITS),
        )


def _incomplete(selection: Selection) -> set[str]:
    """Return the systems that are left out since they lack some scores."""
    parts = [part for part in selection.test_sets.values() if part.treatment != DROP_UNITS]
    return {selection.task.names[file] for part in parts for file in part.counts.incomplete}


def choose_baseline(task: SharedTask, systems: pd.DataFrame) -> str:
    """Choose the system with which all others are compared, by default the one that is called so; "" for none.

    Another task has another one, and so have other names.
    """
    guessed = guessed_baseline(systems)
    choice.only_for("baseline", task.name)
    choice.forget_default("baseline")
    return choice.select(
        "Baseline",
        ["", *map(str, systems["system"])],
        "baseline",
        usual=guessed,
        format_func=lambda name: f"{name or 'none'}{' (by its name)' * (name == guessed != '')}",
    )


def choose_recipe() -> tuple[Resampling, str]:
    """Choose the number of resamples and the seed, and the kind of interval."""
    with st.expander("Resampling"):
        b = choice.select("Resamples", list(RESAMPLES), "b")
        seed = choice.number("Seed", 0, 2**31, "seed")
        interval = choice.segments("95% intervals", INTERVALS, "interval")
    return Resampling(RESAMPLES[b], int(seed)), interval


def choose_notion(selection: Selection) -> Notion:
    """Choose what counts as significant; a button switches to the paper's notion and back."""
    scope = choice.segments("Significant", list(SCOPES), "scope")
    with st.expander("More on significance"):
        level = choice.number("Level", 0.001, 0.4, "alpha", step=0.01, format="%.3f")
        sides = choice.segments("Sides", SIDES, "sides")
        usual = TESTS[Notion().test_on(selection.stats)].label
        usable = [name for name, test in TESTS.items() if not test.applies(selection.stats)]
        test = choice.select(
            "Test", ["", *usable], "test", format_func=lambda name: TESTS[name].label if name else f"usual ({usual})"
        )
        no_max_t = _no_max_t(selection, sides, test)
        about = (
            "Holm and max-t keep the chance of any false alarm at the level, the others the expected share of false "
            f"alarms among significant pairs.{no_max_t}"
        )
        corrections = [name for name in CORRECTIONS if name != MAX_T or not no_max_t]
        label, about = "Correction for many pairs", explained(about, "Holm", "max-t", "BH", "BY")
        adjust = choice.select(label, corrections, "adjust", format_func=CORRECTIONS.__getitem__, help=about)
        within = _choose_within(selection)
        notion = Notion(level=float(level), sides=sides, scope=scope, adjust=adjust, test=test, within=within)
        other, label = (Notion(), "Default") if notion == AS_IN_THE_PAPER else (AS_IN_THE_PAPER, "As in the paper")
        names = ("sides", "scope", "adjust", "test", "within")
        take = choice.by_click(alpha=other.level, **{name: getattr(other, name) for name in names})
        st.button(label, key="other_notion", icon=":material/swap_horiz:", **take)
    return notion


def _no_max_t(selection: Selection, sides: str, test: str) -> str:
    """Return why max-t is not offered, as a sentence after a space; "" if it is."""
    if reason := why_not(selection.stats):
        return f" {capital(reason)}."
    return "" if sides == "two" and test in ("", BOOTSTRAP) else " Max-t needs two sides and the paired bootstrap."


def _choose_within(selection: Selection) -> float | None:
    """Choose a gain that nobody would mind; None until the user names one, for this metric."""
    choice.only_for("within", selection.metric.name)
    least, most = 10.0**-selection.decimals, 100.0 if selection.metric.scale == "%" else 1e6
    gain = choice.number(
        f"Ignore {selection.metric.gain_word}s below ({plain(selection.metric.label)})",
        least,
        most,
        "within",
        step=10 * least,
        value=None,
        placeholder="none",
        format=f"%.{selection.decimals}f",
    )
    return None if gain is None else float(gain)
