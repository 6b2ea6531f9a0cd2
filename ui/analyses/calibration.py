"""The Calibration page: do winners win on other domains, and in the population that the test set represents?"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.analyses import calibration, domains
from nlpsig_core.analyses import population as populations
from nlpsig_core.comparison.results import Results
from nlpsig_core.errors import ChoiceError, NlpsigError
from nlpsig_core.words import count, share
from ui.analyses.side_by_side import choose_selections
from ui.app import choice, components, computations
from ui.app.computations import Progress
from ui.app.terms import explained
from ui.app.text import cut, plain
from ui.app.watching import watch
from ui.frame.view import View

Bins = tuple[tuple[float, float], ...]
# Numbers of resamples for each drawn test set, by their key in the link.
RESAMPLES = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000}


def choose_bins() -> Bins:
    """The bins of p, from a field with their edges."""
    usual = " ".join(f"{edge:g}" for edge in (calibration.TABLE_1[0][0], *(high for _, high in calibration.TABLE_1)))
    text = choice.text(
        "Edges of the bins of p",
        "bins",
        usual=usual,
        help=explained("By default those of table 1 of the paper.", "calibration", "one-sided p"),
    )
    try:
        return calibration.bins_between([float(edge) for edge in text.replace(",", " ").split()])
    except ValueError as error:
        reason = f"{cut(text)!r} is not a list of numbers. Enter numbers such as 0.01 0.02 0.04."
        st.error(plain(str(error) if isinstance(error, ChoiceError) else reason))
        st.stop()


def across(view: View, bins: Bins) -> None:
    """Table 1: whether the winners on one domain or test set win on the others."""
    st.header("Does the winner win on other domains?")
    selections = choose_selections(view, st.container())
    first = choice.select("Winners on", list(selections), "calibrate_from")
    others = {name: selection for name, selection in selections.items() if name != first}
    result = watch(computations.bootstrap(selections[first], view.recipe, "calibration"))
    pairs = Results(selections[first], result).pairs()
    try:
        tests = calibration.elsewhere(pairs, others)
    except NlpsigError as error:
        components.refusal("There is nothing to compare.", str(error))
        return
    shares = calibration.across_domains(tests, bins)
    signature = domains.signature(selections, view.recipe, winners_on=first)
    chart = plots.calibration_figure(shares, first=first, signature=signature)
    components.figure(chart, "calibration", plots.calibration_alt(shares, first=first), numbers="calibration_table")
    st.caption(
        "Bars are 95% intervals: the wider of two, one from resampling the systems that pairs share, one as if pairs "
        "were independent. In simulations with 8 to 40 systems they covered the expected share in 96 to 100% of "
        "cases. The line is 1 − p: the meaning of the winner's one-sided p for texts like those of the test set, if "
        "true gains of all sizes were equally likely."
    )
    components.table(shares, "calibration_table", signature, "Share of winners that win on other domains, by p")


def population(view: View, bins: Bins) -> None:
    """The 92% experiment: test sets drawn from all units, each pair tested on each."""
    st.header("Does the winner win in the population?")
    selection = view.selection
    n, unit = selection.stats.n_units, selection.stats.unit
    st.caption(
        f"Test sets are drawn with replacement from these {count(n, unit)}. Every pair is tested on each test set, and "
        f"its winner is compared with the better system on all {n:,}, which serve as the population, as the Brown "
        "corpus does in the paper. They are themselves a sample, in which systems differ that are equal on new texts, "
        "so more winners win in this population than are truly better. In simulations with test sets of a tenth of the "
        "units and p around 0.05, 69% of the winners among equal systems won in the population, where the truth is "
        "50%; with true gains as widely spread as the noise of a test set, 89% won and 86% were better."
    )
    try:
        most = populations.largest_size(selection)
    except NlpsigError as error:
        components.refusal("There are too few units to draw from.", str(error))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = int(choice.number(f"{unit.capitalize()}s per test set", 2, most, "draw_size", usual=most))
        draws = int(choice.number("Test sets", 2, 1_000, "draw_sets"))
        resamples = choice.select("Resamples per test set", list(RESAMPLES), "draw_b")
        recipe = type(view.recipe)(RESAMPLES[resamples], view.recipe.seed)
        cost = populations.cost(selection, size, draws, recipe)
        settings = ("population", size, draws, recipe)
        st.button("Run", key="run_population", type="primary", on_click=_request, args=(settings,))
    st.caption(f"{count(cost.tests, 'test')}, {count(cost.resamples, 'resample')}.")
    if st.session_state.get("population") != settings:
        return

    def work(progress: Progress) -> pd.DataFrame:
        return populations.population_tests(selection, size, draws, recipe, progress)

    tests = watch(computations.analysis(selection, recipe, settings, work, "Drawing and testing test sets"))
    shares = calibration.within_population(tests, bins)
    signature = selection.signature(recipe, population=f"{draws} x {size}")
    chart = plots.population_figure(shares, signature=signature)
    components.figure(chart, "population_figure", plots.population_alt(shares), numbers="population_table")
    around = calibration.within_population(tests, calibration.AROUND_LEVEL).iloc[0]
    if around["tests"]:
        st.markdown(
            f"In **{share(around['share'])}** of {count(int(around['tests']), 'test')} with p between 0.04 and 0.06, "
            f"the winner is the better system on all {count(n, unit)}. On the Brown corpus the paper reports 92% (869 "
            "of 942)."
        )
    components.table(shares, "population_table", signature, "Share of tests whose winner wins in the population, by p")


def _request(settings: tuple[object, ...]) -> None:
    st.session_state["population"] = settings
