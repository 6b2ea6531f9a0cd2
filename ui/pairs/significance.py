"""Which test drives the p-values, what it says, all tests of one pair, and two tests against each other."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.comparison.notion import MAX_T
from nlpsig_core.comparison.pair_table import speaks_against
from nlpsig_core.paired_tests import TESTS, PValues
from nlpsig_core.stats.array import Stats
from ui.app import cache, choice, components
from ui.app.text import plain
from ui.frame.frame import View


def usable(view: View) -> list[str]:
    """The tests that can be used on what is chosen; max-t is of the paired bootstrap alone."""
    if view.notion.adjust == MAX_T:
        return ["bootstrap"]
    return [name for name, test in TESTS.items() if not test.applies(view.selection.stats)]


def label(name: str) -> str:
    """What a test is called in a sentence."""
    return TESTS[name].label


def choose_test(view: View) -> str:
    """The test whose p-values the page shows."""
    names = usable(view)
    usual = view.selection.usual_test if view.selection.usual_test in names else names[0]
    choice.only_for("test", usual)
    test = choice.select(
        "Test", names, "test", usual=usual, format_func=label, width=320,
        help="Whose p-values they are. Where few documents are resampled randomization is usual: the bootstrap's p "
        "comes out too small.",
    )  # fmt: skip
    said = TESTS[test]
    if test != names[0]:
        st.caption(f"Uses the {said.statistic}. {plain(said.null)} {plain(said.assumes)} {plain(said.source)}.")
    return test


def p_of(view: View, test: str, name: str = "tested") -> PValues:
    """p of all pairs by a test; shows how far it is."""
    return cache.p_by(test, view.selection, view.recipe, view.result, name)


def n_resamples(view: View, test: str) -> int:
    """How many resamples a test's p-values rest on; 0 where they come by a formula."""
    return view.recipe.n_resamples if TESTS[test].resamples else 0


def pairs_by_test(view: View) -> tuple[str, pd.DataFrame]:
    """The test that is chosen, and the table of all pairs with its p-values."""
    test = choose_test(view)
    return test, view.pairs_by(p_of(view, test))


def against_the_winner(row: pd.Series, test: str) -> str:
    """What is to be said where a test's own statistic is in favour of the system with the lower corpus score."""
    if not speaks_against(row["p_value"], row["p_two_sided"]):
        return ""
    return (
        f" **By the {TESTS[test].statistic}, {plain(row['system_b'])} is ahead**: the two-sided p does not speak for "
        f"{plain(row['system_a'])}."
    )


def two_tests(view: View, pairs: pd.DataFrame, filtered: dict[str, str]) -> None:
    """p of the chosen test against p of another one, for every pair."""
    test = filtered["test"]
    others = [name for name in usable(view) if name != test]
    if not others:
        st.info(f"The {label(test)} is the only test that can be used here.", icon=":material/info:")
        return
    other = choice.select("Against", others, "against", usual=others[0], format_func=label, width=320)
    by_other = view.results.pairs(interval=view.interval, p=p_of(view, other, "against"))
    table = pairs[["system_a", "system_b", "gain", "comparison"]].assign(
        p_x=pairs["p_two_sided"],
        p_y=by_other["p_two_sided"],
        opposed=speaks_against(pairs["p_value"], pairs["p_two_sided"])
        != speaks_against(by_other["p_value"], by_other["p_two_sided"]).reindex(pairs.index),
    )
    signature = view.signed(against=other, **view.notion.signed, **view.classes, **filtered)
    chart = plots.two_tests_figure(
        table, metric=view.metric, decimals=view.decimals, name_x=label(test), name_y=label(other),
        n_resamples=(n_resamples(view, test), n_resamples(view, other)), alpha=view.alpha,
        signature=signature,
    )  # fmt: skip
    alt = f"p of {label(other)} against p of {label(test)} for all pairs"
    components.figure(chart, "two_tests", alt, on_select=components.pick("two_tests"), selection_mode="points")
    st.caption(
        f"Two-sided p-values of every pair. Dots far from the diagonal are pairs on which the tests part: "
        f"the {label(test)} uses the {TESTS[test].statistic}, the {label(other)} the {TESTS[other].statistic}."
        + (" Open markers: they favour different systems." if table["opposed"].any() else "")
    )


def all_tests(view: View, stats: Stats, said: str) -> None:
    """Every test of one pair, with what each assumes."""
    table = cache.tests_of_pair(stats, view.recipe)[["test", "p_value", "p_two_sided", "statistic", "p_error", "note"]]
    components.table(
        table, "tests", said, "All tests of this pair",
        decimals=view.decimals,
    )  # fmt: skip
    with st.expander("What each test assumes", icon=":material/lightbulb:"):
        for test in TESTS.values():
            st.markdown(
                f"**{test.label.capitalize()}** ({plain(test.statistic)}). Null hypothesis: {plain(test.null)} "
                f"Assumes: {plain(test.assumes)} :gray[{plain(test.source)}]"
            )
