"""The test behind the p-values, all tests of one pair, and two tests against each other."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import capital
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.notion import ALONE, BOOTSTRAP
from nlpsig_core.significance.comparison.selection import Results
from nlpsig_core.significance.comparison.verdict import speaks_against
from nlpsig_core.significance.paired_tests import TESTS, PValues, Test
from nlpsig_core.significance.stats.array import Stats
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.work import computations
from ui.work.computations import Computation
from ui.work.memory import remember
from ui.work.watching import known, watch, watch_here

# Draws of all pairs from which a test takes some seconds.
MANY_DRAWS = 100_000_000


def label(name: str) -> str:
    """Return the name of a test within a sentence."""
    return TESTS[name].label


def _waits(view: View, computation: Computation[PValues], test: str) -> bool:
    """Return whether a test of all pairs that takes long still waits for a button, which this draws."""
    draws = view.recipe.n_resamples * view.selection.stats.n_pairs
    if not TESTS[test].resamples or draws < MANY_DRAWS or known(computation):
        return False
    if st.session_state.get("against_asked") == computation.key:
        return False
    choose = choice.by_click(against_asked=computation.key)
    st.button(f"Run the {label(test)} of every pair", type="primary", **choose)
    return True


def two_tests(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """Draw the p-values of the chosen test against those of another one."""
    test = view.tested.test
    others = [name for name, of in TESTS.items() if name != test and not of.applies(view.selection.stats)]
    if not others:
        st.info(f"The {label(test)} is the only test that applies here.", icon=":material/info:")
        return
    other = choice.select("Against", others, "against", usual=others[0], format_func=label, width=320)
    computation = computations.p_values(other, view.selection, view.recipe, "against")
    if _waits(view, computation, other) or (p := watch_here(computation)) is None:
        return
    results = remember(Results, view.selection, view.result, None, ((other, p),))
    by_other = remember(results.pairs, replace(view.notion, scope=ALONE, test=other), interval=view.interval)
    table = remember(_beside, pairs, by_other)
    signature = view.signed(against=other, **view.significance, **view.classes, **filtered)
    chart = remember(
        plots.two_tests_figure,
        table,
        **view.scored,
        name_x=label(test),
        name_y=label(other),
        sided=f"{view.notion.sides}-sided",
        n_resamples=(n_resamples(view, test), n_resamples(view, other)),
        alpha=view.notion.level,
        signature=signature,
    )
    heads = {"p_x": f"p ({label(test)})", "p_y": f"p ({label(other)})", "opposed": "different winners"}
    about = (
        f"p of each pair on its own. {_statistics(TESTS[test], TESTS[other])} Open markers: the tests favour different "
        "systems."
    )
    components.figure(chart, "two_tests", table, about=about, heads=heads, **view.scored)


def n_resamples(view: View, test: str) -> int:
    """Return the number of resamples behind a test's p-values; 0 for a formula."""
    return view.recipe.n_resamples if TESTS[test].resamples else 0


def _beside(pairs: pd.DataFrame, by_other: pd.DataFrame) -> pd.DataFrame:
    """Return p of some pairs on their own, by one test and by another."""
    return pairs[["system_a", "system_b", "gain", "comparison"]].assign(
        p_x=pairs["p_alone"],
        p_y=by_other["p_alone"],
        bound_x=pairs["p_alone_bound"],
        bound_y=by_other["p_alone_bound"],
        opposed=speaks_against(pairs["p_value"], pairs["p_two_sided"])
        != speaks_against(by_other["p_value"], by_other["p_two_sided"]).reindex(pairs.index),
    )


def _statistics(one: Test, other: Test) -> str:
    """Return a sentence on the statistics of two tests."""
    if one.statistic == other.statistic:
        return f"Both use the {one.statistic}."
    return f"The {one.label} uses the {one.statistic}, the {other.label} the {other.statistic}."


def _disagreeing(view: View, table: pd.DataFrame, unit: str) -> None:
    """Return a line for each test that decides otherwise than the bootstrap, with how it differs."""
    p = table.set_index("test")["p_two_sided" if view.notion.two_sided else "p_value"].dropna()
    usual = p.pop(TESTS[BOOTSTRAP].label) < view.notion.level
    for of in TESTS.values():
        if of.label in p and (p[of.label] < view.notion.level) != usual:
            answer = "not significant" if usual else "significant"
            st.caption(f"**{capital(of.label)}: {answer}.** {of.contrast.format(unit=unit)}")


def all_tests(view: View, stats: Stats, signature: str) -> None:
    """Draw every test of one pair, with the assumptions of each, in a fold; nothing is tested before it is opened."""
    components.fold("Other tests", _all_tests, view, stats, signature, icon=":material/science:", key="other_tests")


def _all_tests(view: View, stats: Stats, signature: str) -> None:
    table = watch(computations.tests_of_pair(stats, view.bootstrap_of(stats)))
    table = table[["test", "p_value", "p_two_sided", "statistic", "resamples", "p_error", "note"]]
    components.table(table, "tests", signature, "All tests of this pair", decimals=view.decimals)
    _disagreeing(view, table, stats.unit)
    for test in TESTS.values():
        st.caption(
            f"**{capital(test.label)}** ({plain(test.statistic)}). Null hypothesis: {plain(test.null)} "
            f"Assumes: {plain(test.assumes)} :gray[{plain(test.source)}]"
        )
