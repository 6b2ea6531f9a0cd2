"""The Calibration page: do winners win in the population that the test set represents, and on other domains?"""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from nlpsig_core.base.errors import ChoiceError, NlpsigError
from nlpsig_core.base.words import count, share
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses import calibration, domains
from nlpsig_core.studies.analyses import population as populations
from ui.app import choice, components
from ui.app.text import cut, plain
from ui.frame.view import View
from ui.studies.analyses.side_by_side import choose_selections
from ui.work import computations
from ui.work.memory import remember
from ui.work.watching import watch

Bins = tuple[tuple[float, float], ...]
# Numbers of resamples for each drawn test set, by their key in the link.
RESAMPLES = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000}
# An experiment with more resamples waits for a button.
AT_ONCE = 2_000_000
# The choices of the experiment.
KEYS = ("bins", "draw_size", "draw_sets", "draw_b")
READING = (
    "Shares of tests by the winner's one-sided p, about half of the two-sided one, with 95% intervals. Dashed: 1 − p, "
    "the probability that the winner is better if true gains of all sizes were equally likely."
)


def population(view: View) -> tuple[Bins, dict[str, str]]:
    """Run the 92% experiment, each pair on test sets drawn from all units; return the bins of p, and what was drawn."""
    answer = st.container()
    with st.expander("Settings", choice.made(*KEYS), key="redraw_open"):
        bins = _choose_bins()
        drawn = _choose_draws(view, answer)
    if drawn is not None:
        with answer:
            _redrawn(view, bins, *drawn)
    size, draws, recipe = drawn or (0, 0, view.recipe)
    signed = {"population": f"{draws} x {size}", "b": str(recipe.n_resamples)} if drawn else {}
    return bins, signed


def _choose_bins() -> Bins:
    """Choose the bins of p, from a field with their edges; the usual ones where these cannot be used."""
    usual = " ".join(f"{edge:g}" for edge in (calibration.TABLE_1[0][0], *(high for _, high in calibration.TABLE_1)))
    text = choice.text("Edges of the bins of p", "bins", usual=usual)
    try:
        return calibration.bins_between([float(edge) for edge in text.replace(",", " ").split()])
    except ValueError as error:
        reason = f"{cut(text)!r} is not a list of numbers. Enter numbers such as 0.01 0.02 0.04"
        st.error(plain(f"{error if isinstance(error, ChoiceError) else reason}. The usual bins are shown."))
        return calibration.TABLE_1


def _choose_draws(view: View, answer: st.delta_generator.DeltaGenerator) -> tuple[int, int, Resampling] | None:
    """Choose size and number of the test sets to draw, and their resamples; None where there are too few units."""
    unit = view.selection.stats.unit
    try:
        most = populations.largest_size(view.selection)
    except NlpsigError as error:
        answer.info(plain(f"{error}."), icon=":material/info:")
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = int(
            choice.number(f"{unit.capitalize()}s per test set", populations.FEWEST_DRAWN, most, "draw_size", usual=most)
        )
        draws = int(choice.number("Test sets", 2, 1_000, "draw_sets"))
        resamples = choice.select("Resamples per test set", list(RESAMPLES), "draw_b")
    return size, draws, Resampling(RESAMPLES[resamples], view.recipe.seed)


def _redrawn(view: View, bins: Bins, size: int, draws: int, recipe: Resampling) -> None:
    """Say how often winners on drawn test sets are the better systems."""
    selection, settings = view.selection, ("population", size, draws, recipe)
    if not _wanted(selection, size, draws, recipe, settings):
        return
    work = partial(populations.population_tests, selection, size, draws, recipe)
    tests = watch(computations.analysis(selection, recipe, settings, work, "Drawing and testing test sets"))
    st.markdown(f"**{plain(calibration.staying_ahead(tests, view.notion))}.**")
    st.caption("We redraw small test sets from yours and see how often the winner stays ahead.")
    shares = remember(calibration.within_population, tests, bins)
    signature = selection.signature(recipe, population=f"{draws} x {size}")
    if _any(shares["tests"]):
        chart = remember(plots.population_figure, shares, signature=signature)
        components.figure(chart, "population_figure", shares, about=READING)
    with st.expander("What this shows"):
        st.markdown(plain(remember(_meaning, selection, tests, size, draws)))


def _wanted(selection: Selection, size: int, draws: int, recipe: Resampling, settings: tuple[object, ...]) -> bool:
    """Return whether to draw: at once if that is quick, else after a click."""
    cost = populations.cost(selection, size, draws, recipe)
    if cost.resamples <= AT_ONCE or st.session_state.get("population") == settings:
        return True
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Run", key="run_population", type="primary", **choice.by_click(population=settings))
        st.caption(f"{count(cost.tests, 'test')}, {count(cost.resamples, 'resample')}.", width="content")
    return False


def _meaning(selection: Selection, tests: pd.DataFrame, size: int, draws: int) -> str:
    """Return how the experiment works, what the paper found, and why it flatters winners."""
    n, unit = selection.stats.n_units, selection.stats.unit
    around = calibration.within_population(tests, calibration.AROUND_LEVEL).iloc[0]
    here = f"Here: {share(around['share'])} of {count(int(around['tests']), 'test')}. " if around["tests"] else ""
    return (
        f"{count(draws, 'test set')} of {count(size, unit)} are drawn with replacement from your {n:,}; every pair is "
        f"tested on each, and its winner compared with the better system on all {n:,}. In the paper 92% of winners "
        f"with one-sided p between 0.04 and 0.06 were better on the Brown corpus (869 of 942). {here}Your {n:,} are "
        "themselves a sample, which flatters winners: in simulations with p around 0.05, 69% of the winners among "
        "equal systems stayed ahead, where the truth is 50%; with true gains as widely spread as the noise, 88%, and "
        "86% were better."
    )


def across(view: View, bins: Bins) -> None:
    """Draw table 1: whether the winners on one domain or test set win on the others."""
    answer = st.container()
    selections, _ = choose_selections(view, answer)
    with answer:
        _elsewhere(view, bins, selections)


def _elsewhere(view: View, bins: Bins, selections: dict[str, Selection]) -> None:
    first = choice.select("Winners on", list(selections), "calibrate_from")
    others = {name: selection for name, selection in selections.items() if name != first}
    pairs = view.results_of(selections[first], "calibration").pairs(view.notion)
    try:
        tests = calibration.elsewhere(pairs, others)
    except NlpsigError as error:
        components.refusal("There is nothing to compare.", str(error))
        return
    st.markdown(f"{plain(calibration.staying_ahead(tests, view.notion))}.")
    shares = calibration.across_domains(tests, bins)
    signature = domains.signature(selections, view.recipe, winners_on=first)
    if _any(shares["pairs"]):
        chart = plots.calibration_figure(shares, first=first, signature=signature)
        components.figure(chart, "calibration", shares, about=READING)


def _any(tested: pd.Series) -> bool:
    """Return whether any bin has tests; say so where none has."""
    if not tested.any():
        st.info("No p is in these bins, so there are no shares to draw; other edges are under Settings.")
    return bool(tested.any())
