"""The test behind the p-values, all tests of one pair, and two tests against each other."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.comparison.notion import MAX_T
from nlpsig_core.comparison.pair_table import speaks_against
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.paired_tests import TESTS, PValues, Test, of_result
from nlpsig_core.resampling.bootstrap import Bootstrap
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import Stats
from nlpsig_core.words import capital
from ui.app import choice, components, computations
from ui.app.memory import remember
from ui.app.terms import explained
from ui.app.text import plain
from ui.app.watching import known, watch
from ui.frame.view import View

# Draws of all pairs from which a test takes some seconds.
MANY_DRAWS = 100_000_000


def usable(view: View) -> list[str]:
    """The tests that apply to the selection; max-t is available for the paired bootstrap only."""
    if view.notion.adjust == MAX_T:
        return ["bootstrap"]
    return [name for name, test in TESTS.items() if not test.applies(view.selection.stats)]


def label(name: str) -> str:
    """The name of a test within a sentence."""
    return TESTS[name].label


def choose_test(view: View) -> str:
    """The test whose p-values the page shows."""
    names = usable(view)
    usual = view.selection.usual_test if view.selection.usual_test in names else names[0]
    choice.only_for("test", usual)
    test = choice.select(
        "Test", names, "test", usual=usual, format_func=label, width=320,
        help=explained(
            "The source of the p-values. Randomization is the default where few documents are resampled, since the "
            "bootstrap's p is then too small.", "paired bootstrap", "approximate randomization",
        ),
    )  # fmt: skip
    of = TESTS[test]
    if test != names[0]:
        st.caption(f"Uses the {of.statistic}. {plain(of.null)} {plain(of.assumes)} {plain(of.source)}.")
    return test


def p_values(test: str, selection: Selection, recipe: Resampling, result: Bootstrap, name: str = "tested") -> PValues:
    """The p-values of all pairs by a test; the bootstrap's are in its result."""
    if test == "bootstrap":
        return remember(of_result, result)
    return watch(computations.p_values(test, selection, recipe, name))


def p_of(view: View, test: str, name: str = "tested") -> PValues:
    """The p-values of the view's pairs by a test."""
    return p_values(test, view.selection, view.recipe, view.result, name)


def n_resamples(view: View, test: str) -> int:
    """The number of resamples behind a test's p-values; 0 for a formula."""
    return view.recipe.n_resamples if TESTS[test].resamples else 0


def pairs_by(view: View, test: str) -> pd.DataFrame:
    """The table of all pairs with the p-values of a test."""
    return view.pairs_by(p_of(view, test))


def against_the_winner(row: pd.Series, test: str) -> str:
    """A warning if a test's own statistic favours the system with the lower corpus score; else ""."""
    if not speaks_against(row["p_value"], row["p_two_sided"]):
        return ""
    return (
        f" **By the {TESTS[test].statistic}, {plain(row['system_b'])} is ahead**: the two-sided p is not in favour of "
        f"{plain(row['system_a'])}."
    )


def _is_slow(view: View, test: str) -> bool:
    """Whether a test of all pairs would take long and was not begun."""
    draws = view.recipe.n_resamples * view.selection.stats.n_pairs
    if test == "bootstrap" or not TESTS[test].resamples or draws < MANY_DRAWS:
        return False
    return not known(computations.p_values(test, view.selection, view.recipe, "against"))


def two_tests(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """The p-values of the chosen test against those of another one."""
    test = filtered["test"]
    others = [name for name in usable(view) if name != test]
    if not others:
        st.info(f"The {label(test)} is the only test that applies here.", icon=":material/info:")
        return
    other = choice.select("Against", others, "against", usual=others[0], format_func=label, width=320)
    if _is_slow(view, other) and not st.button(f"Run the {label(other)} of every pair", type="primary"):
        st.caption(f"It draws {view.recipe.n_resamples:,} {TESTS[other].draws} and may take a while.")
        return
    by_other = remember(view.results.pairs, interval=view.interval, p=p_of(view, other, "against"))
    table = remember(_beside, pairs, by_other)
    signature = view.signed(against=other, **view.notion.signed, **view.classes, **filtered)
    chart = remember(
        plots.two_tests_figure, table, metric=view.metric, decimals=view.decimals, name_x=label(test),
        name_y=label(other),
        n_resamples=(n_resamples(view, test), n_resamples(view, other)), alpha=view.alpha,
        signature=signature,
    )  # fmt: skip
    alt = plots.two_tests_alt(table, name_x=label(test), name_y=label(other), alpha=view.alpha)
    heads = {"p_x": f"p ({label(test)})", "p_y": f"p ({label(other)})", "opposed": "different winners"}
    components.figure(chart, "two_tests", alt, table, heads=heads, metric=view.metric, decimals=view.decimals)
    st.caption(
        f"Two-sided p-values of every pair. The further a dot is from the diagonal, the more the tests disagree. "
        f"{_statistics(TESTS[test], TESTS[other])}"
        + (" Open markers: the tests favour different systems." if table["opposed"].any() else "")
    )


def _beside(pairs: pd.DataFrame, by_other: pd.DataFrame) -> pd.DataFrame:
    """The p-values of some pairs by one test and by another."""
    return pairs[["system_a", "system_b", "gain", "comparison"]].assign(
        p_x=pairs["p_two_sided"],
        p_y=by_other["p_two_sided"],
        opposed=speaks_against(pairs["p_value"], pairs["p_two_sided"])
        != speaks_against(by_other["p_value"], by_other["p_two_sided"]).reindex(pairs.index),
    )


def _statistics(one: Test, other: Test) -> str:
    """A sentence on the statistics of two tests."""
    if one.statistic == other.statistic:
        return f"Both use the {one.statistic}."
    return f"The {one.label} uses the {one.statistic}, the {other.label} the {other.statistic}."


def _disagreeing(view: View, table: pd.DataFrame, unit: str) -> None:
    """For each test that decides otherwise than the bootstrap, one line that says in what it differs."""
    p = table.set_index("test")["p_two_sided" if view.notion.two_sided else "p_value"].dropna()
    usual = p.pop(TESTS["bootstrap"].label) < view.alpha
    for of in TESTS.values():
        if of.label in p and (p[of.label] < view.alpha) != usual:
            answer = "not significant" if usual else "significant"
            st.caption(f"**{capital(of.label)}: {answer}.** {of.contrast.format(unit=unit)}")


def all_tests(view: View, stats: Stats, signature: str) -> None:
    """Every test of one pair, with the assumptions of each."""
    table = watch(computations.tests_of_pair(stats, view.bootstrap_of(stats)))
    table = table[["test", "p_value", "p_two_sided", "statistic", "p_error", "note"]]
    components.table(table, "tests", signature, "All tests of this pair", decimals=view.decimals)
    _disagreeing(view, table, stats.unit)
    with st.expander("What each test assumes", icon=":material/lightbulb:"):
        for test in TESTS.values():
            st.markdown(
                f"**{capital(test.label)}** ({plain(test.statistic)}). Null hypothesis: {plain(test.null)} "
                f"Assumes: {plain(test.assumes)} :gray[{plain(test.source)}]"
            )
