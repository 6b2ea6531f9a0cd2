"""The Calibration page's parts: does the winner win elsewhere, and in the population that the test set stands for?"""

from __future__ import annotations

import streamlit as st

from nlpsig_core import plots
from nlpsig_core.analyses import calibration, domains
from nlpsig_core.analyses import population as populations
from nlpsig_core.comparison.results import Results
from nlpsig_core.errors import ChoiceError, NlpsigError
from nlpsig_core.words import count
from ui.app import cache, choice, components
from ui.frame.frame import View
from ui.frame.parts import parts

Bins = tuple[tuple[float, float], ...]


def bins() -> Bins:
    """The bins of p, from a field with their edges."""
    usual = " ".join(f"{edge:g}" for edge in (calibration.TABLE_1[0][0], *(high for _, high in calibration.TABLE_1)))
    text = choice.text("Edges of the bins of p", "bins", usual=usual, help="Those of the paper's table 1.")
    try:
        return calibration.bins_between([float(edge) for edge in text.replace(",", " ").split()])
    except ValueError as error:
        st.error(str(error) if isinstance(error, ChoiceError) else f"{text!r} are not numbers; write 0.01 0.02 0.04")
        st.stop()


def across(view: View, bins: Bins) -> None:
    """Table 1: whether the winners of one domain or test set win on the others."""
    st.subheader("Does the winner win elsewhere?")
    found = parts(view)
    first = choice.select("Winners on", list(found), "calibrate_from")
    others = {name: part for name, part in found.items() if name != first}
    pairs = Results(found[first], cache.bootstrap(found[first], view.recipe, "calibration")).pairs()
    try:
        tests = calibration.elsewhere(pairs, others)
    except NlpsigError as error:
        components.refusal("There is nothing to compare.", str(error))
        return
    shares = calibration.across_domains(tests, bins)
    said = domains.signature(found, view.recipe, winners_on=first)
    chart = plots.calibration_figure(shares, first=first, signature=said)
    components.figure(chart, "calibration", "Share of pairs whose winner also wins elsewhere, by p")
    st.caption(
        "Bars: 95 % intervals from drawing systems again, as pairs share them, or as if pairs were independent where "
        "that is wider; in simulations with 8 to 40 systems they held the expected share in 96 to 100 % of cases. The "
        "line is 1 − p: what a winner's one-sided p would mean for texts like those of the test set, if all sizes of "
        "true gains were equally likely."
    )
    components.table(shares, "calibration_table", said, "Share of winners that win elsewhere, by p")


def population(view: View, bins: Bins) -> None:
    """The 92 % experiment: test sets drawn from all units, each pair tested on each."""
    st.subheader("Does the winner win in the population?")
    selection = view.selection
    n, unit = selection.stats.n_units, selection.stats.unit
    st.caption(
        f"Test sets are drawn with replacement from these {count(n, unit)}, every pair is tested on each, and its "
        f"winner compared with the better one of these {n:,}, which are taken for the population as the paper takes "
        "the Brown corpus. But they are a sample themselves, in which systems differ that are equal on new texts: more "
        "winners win in it than are better. In simulations with test sets of a tenth and p around 0.05, 69 % of the "
        "winners among equal systems won in the population, where 50 % is true; with true gains that spread as widely "
        "as the noise of a test set 89 % won, and 86 % were better."
    )
    try:
        most = populations.largest_size(selection)
    except NlpsigError as error:
        components.refusal("There is nothing to draw from.", str(error))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = int(choice.number(f"{unit.capitalize()}s of a test set", 2, most, "draw_size", usual=most))
        draws = int(choice.number("Test sets", 2, 1_000, "draw_sets"))
        resamples = choice.select("Resamples of each", list(RESAMPLES), "draw_b")
        recipe = type(view.recipe)(RESAMPLES[resamples], view.recipe.seed)
        cost = populations.cost(selection, size, draws, recipe)
        wanted = ("population", size, draws, recipe)
        st.button("Run", key="run_population", type="primary", on_click=_want, args=(wanted,))
    st.caption(f"This makes {cost.tests:,} tests from {cost.resamples:,} resamples.")
    if st.session_state.get("population") != wanted:
        return

    def work(tell):
        return populations.population_tests(selection, size, draws, recipe, tell)

    tests = cache.analysis(selection, recipe, wanted, work, "Drawing and testing test sets")
    shares = calibration.within_population(tests, bins)
    said = selection.signature(recipe, population=f"{draws} x {size}")
    chart = plots.population_figure(shares, signature=said)
    components.figure(chart, "population_figure", "Share of tests whose winner wins in the population, by p")
    around = calibration.within_population(tests, calibration.AROUND_LEVEL).iloc[0]
    if around["tests"]:
        st.markdown(
            f"Of **{around['tests']:,.0f}** tests with p between 0.04 and 0.06, **{around['share']:.0%}** named the "
            f"better system of these {count(n, unit)}. The paper found 92 % (869 of 942) on the Brown corpus."
        )
    components.table(shares, "population_table", said, "Share of tests whose winner wins in the population, by p")


# Numbers of resamples for each drawn test set, by what the link calls them.
RESAMPLES = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000}


def _want(wanted: tuple) -> None:
    st.session_state["population"] = wanted
