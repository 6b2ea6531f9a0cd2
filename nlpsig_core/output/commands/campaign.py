"""The command ``campaign``: all test sets of a task together."""

from __future__ import annotations

import argparse

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_two
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output.commands.options import Choices, common_options
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.output.commands.task import baseline_of, bootstrap_of, campaign_of, results_of, sign_with
from nlpsig_core.significance.comparison.scores import NO_BASELINE, against
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.signature import NOTHING_RESAMPLED
from nlpsig_core.significance.comparison.verdict import finding
from nlpsig_core.studies.analyses.campaign import (
    agreement,
    beside_chance,
    cells,
    counted,
    heterogeneity,
    on_each,
    one_pair,
    outcomes,
)
from nlpsig_core.studies.pair.writing import baseline_sentence
from nlpsig_core.studies.people.pairs import on_each as people_on_each
from nlpsig_core.studies.people.rated import NEEDED

UNTESTED = SCORES, RANKS, AGREEMENT = "scores", "ranks", "agreement"
SYSTEMS, PAIRS, PEOPLE = "systems", "pairs", "people"
TABLES = {
    SCORES: "of every system on every test set",
    RANKS: "the same by rank",
    AGREEMENT: "Kendall's tau between the rankings of each two test sets",
    SYSTEMS: "significant wins and losses of each system over all test sets",
    PAIRS: "on how many test sets each pair is significant, beside what chance alone gives",
    PEOPLE: "how many pairs people confirm and contradict on each test set that they have judged",
}


def campaign_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``campaign``."""
    common_options(parser, "task", "notion", "workers", "baseline", "interval")
    what = "; ".join(f"{name}: {of}" for name, of in TABLES.items())
    either = parser.add_mutually_exclusive_group().add_argument
    either("--table", choices=list(TABLES), default=SCORES, help=f"what to print ({what})")
    pair = "print the gain of the first over the second on every test set, and by the macro-average, instead"
    either("--pair", nargs=2, metavar="SYSTEM", help=pair)


def campaign(options: argparse.Namespace) -> None:
    """Print a table of all test sets together: scores, ranks, agreement, wins and losses, or pairs."""
    choices = Choices.from_options(options)
    if choices.test_set not in (None, MACRO):
        raise ChoiceError(f"campaign is over all test sets; leave out --test-set {choices.test_set}")
    if choices.baseline not in ("", NO_BASELINE) and options.table not in (SYSTEMS, PAIRS):
        raise ChoiceError(f"--baseline is for --table {SYSTEMS} and --table {PAIRS}")
    selection = campaign_of(choices)
    if not selection.several:
        raise ChoiceError("campaign needs several test sets; this task has one")
    if options.pair:
        table = _one_pair(selection, options.pair, choices)
        sign_with(selection, choices, pair=" over ".join(options.pair))
    elif options.table in UNTESTED:
        table = _untested(cells(selection), options.table)
        sign(selection.signature(choices.recipe, **NOTHING_RESAMPLED))
    elif options.table == SYSTEMS:
        table = _tested(selection, SYSTEMS, choices)
        sign_with(selection, choices)
    else:
        table = _judged(selection, choices) if options.table == PEOPLE else _tested(selection, PAIRS, choices)
        sign_with(selection, choices, interval=None)
    write(table, choices.format)


def _untested(table: pd.DataFrame, shown: str) -> pd.DataFrame:
    """Return the agreement of test sets, or a row for each system, best first, with marks for missing scores."""
    if shown == AGREEMENT:
        return agreement(table).rename(columns={"domain_a": "test_set_a", "domain_b": "test_set_b"})
    shown = shown.removesuffix("s")
    numbers = table[shown].astype("Int64" if shown == "rank" else float)
    text = table.assign(cell=numbers.astype(object).where(table["mark"] == "", table["mark"]))
    wide = text.pivot(index="system", columns="test_set", values="cell")
    systems, sets = (list(dict.fromkeys(table[column])) for column in ("system", "test_set"))
    return wide.loc[systems, sets].rename_axis(None, axis=1).reset_index()


def _tested(selection: Selection, shown: str, choices: Choices) -> pd.DataFrame:
    """Return wins and losses by system, or the number of test sets by pair."""
    notion, interval, baseline = choices.notion, choices.interval, baseline_of(selection, choices)
    by_average = bootstrap_of(selection, choices)
    pairs = _on_each(selection, choices)
    average = by_average.pairs(notion, interval=interval)
    note(f"{MACRO}: {finding(average, notion, selection.metric, selection.decimals)}")
    note(f"on the test sets: {beside_chance(pairs, notion)}")
    if baseline:
        table = against(average, baseline, selection.stats.names)
        note(baseline_sentence(table, selection.metric, notion, selection.decimals))
    if shown == PAIRS:
        return counted(pairs, average, notion)
    sums = outcomes(pairs).groupby("system")[["wins", "losses", "undecided"]].sum()
    columns = ["system", "score", "low", "high", "rank_low", "rank_high", "tied_group"]
    return by_average.ranking(notion, interval=interval)[columns].merge(sums.reset_index(), on="system")


def _judged(selection: Selection, choices: Choices) -> pd.DataFrame:
    """Return the cases of pairs on each test set; ChoiceError without scores by people."""
    table = people_on_each(selection, choices.recipe, choices.notion, progress())
    if table.empty:
        raise ChoiceError(f"No test set has scores by people. Needed are {NEEDED}")
    return table


def _one_pair(selection: Selection, systems: list[str], choices: Choices) -> pd.DataFrame:
    """Return one pair on every test set; note whether its gains differ."""
    check_two(systems, selection.stats.names)
    of_average = bootstrap_of(selection, choices).pairs(choices.notion, interval=choices.interval)
    table = one_pair(_on_each(selection, choices), of_average, *systems)
    if differ := heterogeneity(table.iloc[:-1]):
        note(f"differences between test sets: {differ}")
    return table.rename(columns={"domain": "test_set"})


def _on_each(selection: Selection, choices: Choices) -> pd.DataFrame:
    return on_each(selection, lambda name, alone: results_of(alone, choices, name), choices.notion, choices.interval)
