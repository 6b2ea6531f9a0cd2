"""The Campaign page: all test sets of a task together."""

from __future__ import annotations

from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.base.version import __version__
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.advice import shared_note
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.verdict import with_symbols
from nlpsig_core.significance.stats.counts import TREATED
from nlpsig_core.significance.stats.weights import BY_FAMILY, WEIGHTS, families_of
from nlpsig_core.studies.analyses import campaign
from nlpsig_core.studies.people.pairs import on_each
from ui.app import choice, components, verdicts
from ui.app.pages import BY_TITLE
from ui.app.text import plain
from ui.frame.selecting import over_all_test_sets
from ui.frame.view import View
from ui.significance import baseline
from ui.significance.scores import with_ranks
from ui.studies.analyses.domains import agreement_in_words, few_numbers_on_a_phone
from ui.studies.analyses.side_by_side import choose_two
from ui.work import computations
from ui.work.computations import Computation
from ui.work.each import of_each
from ui.work.jobs import Tell
from ui.work.memory import remember
from ui.work.watching import watch

# What the heat map shows, by its key in the link.
SHOWN = {"score": "scores", "rank": "ranks"}
# On a phone, the numbers in the cells of more systems would be dots.
MOST_WITH_NUMBERS = 10
# The names of more systems do not fit a figure.
MOST_IN_MATRIX = 70
ON_PHONES = "@media (max-width: 800px) { .heatmap-label { display: none; } }"


def open_clicked() -> None:
    """Open the scores of the test set whose cell was clicked, if one was."""
    if st.session_state.pop("cell_clicked", False):
        scores = BY_TITLE["Scores"]
        st.switch_page(scores.script, query_params=choice.link_of(scores))


def overview(view: View) -> None:
    """Draw the scores of every system on every test set on the first page, as soon as all are counted."""
    st.markdown("### Every system on every test set")
    try:
        every = over_all_test_sets(view)
    except NlpsigError as error:
        components.refusal("The test sets cannot be shown together.", str(error))
        return
    components.page_link("Campaign", "All test sets together")
    _show_cells(every, "score")


def check(view: View) -> None:
    """End the page, with advice, where the task has only one test set."""
    if not view.selection.several:
        st.info(
            "This page shows several test sets together, and here is only one. Its ranking is on the page Scores.",
            icon=":material/info:",
        )
        components.page_link("Scores")
        st.stop()


def _families(selection: Selection) -> str:
    """Return the language families with their numbers of test sets, where they are the weights."""
    if selection.weights != BY_FAMILY:
        return ""
    families = families_of(selection.test_sets)
    sizes = pd.Series(list(families.values())).value_counts()
    alone = [name for name, family in families.items() if name == family]
    known = ", ".join(f"{plain(family)} {n}" for family, n in sizes.items() if family not in alone)
    own = f"; of an unknown language, each a family of its own: {plain(', '.join(alone))}" if alone else ""
    return f" ({known or 'no language is known'}{own})"


def cells(view: View) -> None:
    """Draw scores or ranks of every system on every test set; a click opens the test set."""
    _show_cells(view, choice.segments("Show", list(SHOWN), "cells", format_func=SHOWN.__getitem__))


def _show_cells(view: View, shown: str) -> None:
    if view.selection.stats.n_systems > MOST_WITH_NUMBERS:
        st.html(f"<style>{ON_PHONES}</style>")
    table = remember(campaign.cells, view.selection)
    chart = remember(plots.cells_figure, table, show=shown, signature=view.signed_scores(), **view.scored)
    components.figure(
        chart,
        "cells_figure",
        table,
        **view.scored,
        on_select=partial(_open, [MACRO, *view.selection.test_sets]),
        selection_mode="points",
        about=f"Symbols stand for missing and invalid outputs; in the average: {TREATED[view.first.treatment]}. Click "
        "a cell to open its test set.",
    )


def _open(test_sets: list[str]) -> None:
    """Choose the test set of the cell that was clicked; the page then gives way to that of its scores."""
    points = st.session_state["cells_figure"]["selection"]["points"]
    if points:
        st.session_state["test_set"] = test_sets[int(points[0]["y"])]
        st.session_state["cell_clicked"] = True


def agreement(view: View) -> None:
    """Draw Kendall's tau between the rankings of every two test sets, those that agree side by side."""
    table = remember(campaign.agreement, remember(campaign.cells, view.selection))
    heads = {"domain_a": "test set", "domain_b": "other test set", "tau": "Kendall's tau"}
    about = (
        "Kendall's tau between the rankings on two test sets: 1 for the same order, −1 for the reverse. On small test "
        "sets, noise alone lowers tau; the page Domains has intervals."
    )
    if len(table) == 1 and table["tau"].notna().all():
        st.markdown(plain(agreement_in_words(table)), help=about)
        return
    chart = remember(plots.agreement_figure, table, signature=view.signed_scores(), thing="test set")
    few_numbers_on_a_phone("set_agreement", len(table))
    components.figure(chart, "set_agreement", table, about=about, heads=heads)


def headline(view: View) -> None:
    """Say whether the best system by the average is really best, who beats the baseline, and how far to trust it."""
    if (best := view.best_two) is not None:
        verdicts.draw(st.empty(), view.results.verdict(best, view.notion), "campaign")
    baseline.line(view)
    if view.cautions:
        st.caption(f"{view.cautions}.")


def average(view: View) -> None:
    """Draw the ranking by the macro-average, and against the baseline if there is one."""
    components.table(
        baseline.beside(with_ranks(view.ranking.drop(columns="valid").assign(status="")), view),
        "campaign_ranking",
        view.signed(**view.reading, **baseline.signed(view)),
        "Ranking by the macro-average",
        **view.scored,
    )
    weights = f"{WEIGHTS[view.selection.weights]}{_families(view.selection)}"
    st.caption(f"Ranks and ties: {view.words_of_ranking}. Macro-average: {weights}.")


def pairs_on_each(view: View) -> pd.DataFrame:
    """Return every pair on every test set, tested one after another; the pages of the test sets find these results."""
    each = view.selection.each

    def work(tell: Tell) -> pd.DataFrame:
        of_one = of_each(each, view.recipe, view.notion, tell)
        return campaign.on_each(view.selection, of_one, view.notion, view.interval)

    sets = view.selection.test_sets.items()
    data = tuple((name, one.stats.digest, tuple(sorted(one.invalid_files))) for name, one in sets)
    key = ("campaign", __version__, data, view.task.systems.to_csv(), view.recipe, view.notion, view.interval)
    label = f"Testing every pair on every test set: {view.recipe.n_resamples:,} resamples"
    return watch(Computation(key=key, work=work, label=label, name="campaign"))


def outcomes(view: View, pairs: pd.DataFrame) -> None:
    """Draw significant wins and losses of every system, and where one of them wins and loses."""
    table, order = remember(campaign.outcomes, pairs), tuple(view.ranking["system"])
    signature = view.signed(**view.reading)
    left, right = st.columns([4, 5], gap="large")
    with left:
        totals = remember(_totals, table, order)
        alt = "Significant wins and losses over all test sets"
        components.table(totals, "campaign_totals", signature, alt)
        st.caption(
            "Each system against every other one on every test set, without missing and invalid outputs. "
            f"Wins and losses: {view.notion.words()}."
        )
    with right:
        system = choice.select("System", list(totals["system"]), "campaign_system")
        rows, chart = remember(_where, table, system, signature)
        components.figure(chart, "outcomes", rows)


def _totals(outcomes: pd.DataFrame, order: tuple[str, ...]) -> pd.DataFrame:
    """Return the sums over all test sets, systems in order; those without a valid output have none."""
    sums = outcomes.groupby("system")[["wins", "losses", "undecided"]].sum()
    return sums.reindex([name for name in order if name in sums.index]).reset_index()


def _where(outcomes: pd.DataFrame, system: str, signature: str) -> tuple[pd.DataFrame, go.Figure]:
    """Return the outcomes of one system, and their figure."""
    rows = outcomes[outcomes["system"] == system].drop(columns="system").reset_index(drop=True)
    return rows, plots.outcomes_figure(rows, system=system, signature=signature)


def all_pairs(view: View, pairs: pd.DataFrame) -> None:
    """Draw on how many test sets each pair is significant, beside what chance gives; a row chooses the pair."""
    table = remember(campaign.counted, pairs, view.pairs, view.notion)
    st.markdown(f"**{campaign.beside_chance(pairs, view.notion)}.**")
    signature = view.signed(**view.reading)
    order = tuple(view.ranking["system"])
    chart = remember(plots.won_figure, table, order[:MOST_IN_MATRIX], signature=signature)
    components.figure(chart, "won", numbers="campaign_pairs")
    best = f", of the best {MOST_IN_MATRIX}" if len(order) > MOST_IN_MATRIX else ""
    st.caption(f"Test sets on which the row's system is better than the column's{best}.")
    shown = table.sort_values("gain", kind="stable").assign(verdict=lambda of: with_symbols(of["verdict"]))
    chosen = shown[["system_a", "system_b"]].set_axis(["campaign_a", "campaign_b"], axis=1)
    components.table(
        shown,
        "campaign_pairs",
        signature,
        "On how many test sets each pair is significant",
        **view.scored,
        **choice.by_row("campaign_pairs", chosen),
    )
    st.caption(_about_counts(view))


def _about_counts(view: View) -> str:
    """Return what the numbers of false alarms and their chance rest on."""
    rate, both = campaign.rate(view.notion), "" if view.notion.two_sided else ", since the winner is chosen later"
    shared = shared_note(view.selection.stats)
    return (
        f"Closest pairs first; select a row to see the pair below. Expected: {rate:g} of the test sets{both}, if the "
        "two are equally good on each. Chance: that of at least this many significant test sets for such a pair, if "
        f"test sets are independent{f' ({shared})' if shared else ''}; not corrected for the number of pairs."
    )


def one_pair(view: View, pairs: pd.DataFrame) -> None:
    """Draw one pair on every test set, with its average and whether its gains differ."""
    names = list(view.ranking["system"])
    a, b = choose_two(names, names, view.baseline, ("campaign_a", "campaign_b"))
    signature = view.signed(pair=f"{a} over {b}", **view.reading)
    table = remember(campaign.one_pair, pairs, view.pairs, a, b)
    chart = remember(
        plots.pair_by_domain_figure,
        table,
        a=a,
        b=b,
        signature=signature,
        **view.scored,
        average=True,
        level=view.notion.level,
    )
    shown = table.assign(verdict=with_symbols(table["verdict"]))
    components.figure(
        chart,
        "forest",
        shown,
        **view.scored,
        heads={"domain": "test set", "score_a": a, "score_b": b},
        about="Full marks are significant on their own; the diamond is the macro-average.",
    )
    if differ := campaign.heterogeneity(table.iloc[:-1]):
        st.caption(f"Do the {view.metric.gain_word}s differ by more than noise? {differ}.")


def people(view: View) -> None:
    """Draw how many pairs people confirm and contradict on each test set, if they have judged any."""
    if view.metric is HUMAN_SCORE or not any(of.test_set.is_judged for of in view.selection.test_sets.values()):
        return
    st.header(f"Do people confirm the {view.metric.gain_word}s?")
    work = partial(on_each, view.selection, view.recipe, view.notion)
    what = ("campaign_people", view.key, view.notion)
    table = watch(computations.analysis(view.selection, view.recipe, what, work, "Testing pairs by people"))
    alt = "How many pairs people confirm and contradict on each test set"
    components.table(table, "campaign_people", view.signed(**view.reading), alt)
    st.caption("Pairs of systems that people have judged on the same units. The page People shows one test set.")
