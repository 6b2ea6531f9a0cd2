"""The commands for test-set size, power, domains and calibration."""

from __future__ import annotations

import argparse

import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.output.commands.options import (
    notion_of,
    notion_options,
    recipe_of,
    rule_of,
    rule_options,
    task_options,
    workers_of,
    workers_options,
)
from nlpsig_core.output.commands.output import note, progress, write
from nlpsig_core.output.commands.task import bootstrap_of, selection_of, side_by_side, side_by_side_options, sign_with
from nlpsig_core.significance.comparison.advice import size_note
from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.significance.comparison.notion import CORRECTED, SIDES, Notion
from nlpsig_core.significance.comparison.pair_table import POWER, cutoff
from nlpsig_core.significance.comparison.selection import Results
from nlpsig_core.studies.analyses import calibration, population
from nlpsig_core.studies.analyses.answers import USUAL_ANSWERS, answers_table
from nlpsig_core.studies.analyses.domain_pair import ahead_in, pair_by_domain
from nlpsig_core.studies.analyses.domains import (
    agreement,
    common_systems,
    of_size,
    pairs_by_domain,
    thresholds_by_domain,
)
from nlpsig_core.studies.analyses.power import (
    errors_of_pair,
    gain_to_plan_with,
    needed_by_pair,
    needed_units,
    settles,
    with_freedom,
)
from nlpsig_core.studies.analyses.sizes import WAYS, fit_by_size, pairs_by_size, thresholds_by_size

SIZE_COLUMNS = ["size", "draw", "comparison", "threshold", "pairs_in_window", "pairs"]
MODEL_COLUMNS = ["model_threshold", "model_low", "model_high", "model_pairs"]


def sizes_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``sizes``."""
    task_options(parser)
    rule_options(parser)
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="sizes in units (100 200 400 ... all)")
    parser.add_argument("--parts", choices=WAYS, default=WAYS[0], help="use the first units, or random subsets")
    parser.add_argument("--draws", type=int, default=1, help="number of random subsets of each size (1)")
    parser.add_argument(
        "--fit", action="store_true", help="fit c / sqrt(n) and print how well it describes the thresholds"
    )


def sizes(options: argparse.Namespace) -> None:
    """Print thresholds by size of the test set, on its first units or on random subsets."""
    rule = rule_of(options)
    how = "random" if options.draws > 1 else options.parts
    notion = notion_of(options)
    pairs = pairs_by_size(
        selection_of(options), recipe_of(options), options.sizes, how, options.draws, progress(), notion
    )
    thresholds = thresholds_by_size(pairs, rule, notion)
    write(fit_by_size(thresholds) if options.fit else thresholds[SIZE_COLUMNS + MODEL_COLUMNS], options)


def power_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``power``."""
    task_options(parser)
    notion_options(parser)
    parser.add_argument("--gain", type=float, help="true gain to find (of a pair: the one to plan it with)")
    parser.add_argument("--power", type=float, default=POWER, help=f"probability of p < level ({POWER:g})")
    parser.add_argument("--pair", nargs=2, metavar=("A", "B"), help="what would settle these two systems")


def power(options: argparse.Namespace) -> None:
    """Print the number of units needed to find a gain significant, by comparison class or for one pair."""
    selection, notion = selection_of(options), notion_of(options)
    results = bootstrap_of(selection, options)
    pairs = with_freedom(results.pairs(notion), selection.first.stats)
    sign_with(selection, options)
    if options.pair:
        write(_of_pair(results, pairs, notion, options), options)
        return
    if options.gain is None:
        raise ChoiceError("No gain to find; give --gain, or --pair with two systems")
    aim = Aim(gain=options.gain, level=cutoff(pairs, notion), power=options.power, sides=notion.sides)
    if notion.scope == CORRECTED:
        note(f"p < {aim.level:.2g} of a pair on its own is {notion.words(len(pairs))}")
    table = needed_units(pairs, selection.stats.n_units, aim)
    note(f"the test set has {selection.stats.n_units} {selection.stats.unit}s")
    if message := size_note(selection.stats):
        note(message)
    write(table, options)


def _of_pair(results: Results, pairs: pd.DataFrame, notion: Notion, options: argparse.Namespace) -> pd.DataFrame:
    """Return the units that a pair needs, with their range; its verdict and what would settle it are notes."""
    for name in options.pair:
        if name not in results.selection.stats.names:
            raise ChoiceError.unknown("system", name, results.selection.stats.names)
    of_pair = pairs[pairs["system_a"].isin(options.pair) & pairs["system_b"].isin(options.pair)]
    if of_pair.empty:
        raise ChoiceError(f"A pair is two systems; {options.pair[0]!r} is given twice")
    row, stats = of_pair.iloc[0], results.selection.stats
    gain = gain_to_plan_with(row, notion.within) if options.gain is None else options.gain
    aim = Aim(gain=gain, level=cutoff(pairs, notion), power=options.power, sides=notion.sides)
    needed = needed_by_pair(stats.n_units, errors_of_pair(row["standard_error"], row["freedom"]), aim)
    verdict = results.verdict(row, notion)
    note(f"{verdict.word}: {verdict.reason}")
    note(settles(verdict, aim, needed.middle))
    names = {"system_a": row["system_a"], "system_b": row["system_b"], "gain": gain}
    return pd.DataFrame([names | {"units": needed.middle, "low": needed.low, "high": needed.high}])


def answers_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``answers``."""
    task_options(parser)
    parser.add_argument(
        "--answers", type=int, nargs="+", default=list(USUAL_ANSWERS), metavar="K",
        help=f"numbers of answers to a question ({' '.join(map(str, USUAL_ANSWERS))})",
    )  # fmt: skip
    parser.add_argument("--level", type=float, default=0.05, help="significance level (0.05)")
    parser.add_argument("--sides", choices=SIDES, default="two", help="two-sided p, or the winner's one-sided p (two)")
    parser.add_argument("--power", type=float, default=0.8, help="chance that the detectable gain is found (0.8)")


def answers(options: argparse.Namespace) -> None:
    """Print standard errors and detectable gains of all pairs by the number of answers to each question."""
    notion = Notion(level=options.level, sides=options.sides)
    write(answers_table(selection_of(options), options.answers, notion, options.power), options)


def domains_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``domains``."""
    side_by_side_options(parser)
    rule_options(parser)
    parser.add_argument(
        "--size", type=int, metavar="N", help="units of each domain or test set (default: as many as the smallest has)"
    )
    parser.add_argument("--agreement", action="store_true", help="print Kendall's tau between rankings instead")
    parser.add_argument("--pair", nargs=2, metavar=("A", "B"), help="print these two systems in each instead")


def domains(options: argparse.Namespace) -> None:
    """Print thresholds by domain or test set at one size, or the agreement of their rankings."""
    rule, recipe = rule_of(options), recipe_of(options)
    selections = side_by_side(options)
    if options.agreement:
        write(agreement(selections, progress=progress()), options)
        return
    if options.pair:
        (a, b), notion = options.pair, notion_of(options)
        table = pair_by_domain(selections, a, b, recipe, progress(), notion)
        note(ahead_in(table, a, b, notion))
        write(table, options)
        return
    for message in [*of_size(selections, options.size)[1], *common_systems(selections)[1]]:
        note(message)
    notion = notion_of(options)
    pairs = pairs_by_domain(selections, recipe, options.size, progress=progress(), notion=notion)
    columns = ["domain", *SIZE_COLUMNS[2:], *MODEL_COLUMNS]
    write(thresholds_by_domain(pairs, rule, notion)[columns], options)


def calibrate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``calibrate``."""
    side_by_side_options(parser)
    parser.add_argument(
        "--from", dest="first", metavar="X", help="domain or test set whose winners are checked on the others"
    )
    parser.add_argument(
        "--bins", type=float, nargs="+", metavar="P", help="edges of the bins of p (default: the paper's)"
    )
    parser.add_argument(
        "--population",
        action="store_true",
        help="check winners in the population instead: test sets drawn from all units",
    )
    parser.add_argument(
        "--size", type=int, metavar="N", help="units in each drawn test set (default and maximum: a tenth)"
    )
    parser.add_argument("--draws", type=int, default=20, help="number of drawn test sets (20)")
    workers_options(parser)


def calibrate(options: argparse.Namespace) -> None:
    """Print how often the winner of a test also wins elsewhere, or in the population, by its p."""
    bins = calibration.bins_between(options.bins) if options.bins else calibration.TABLE_1
    recipe = recipe_of(options)
    if options.population:
        selection = selection_of(options)
        size = population.largest_size(selection) if options.size is None else options.size
        tests = population.population_tests(selection, size, options.draws, recipe, progress(), workers_of(options))
        note(calibration.staying_ahead(tests))
        write(calibration.within_population(tests, bins), options)
        return
    selections = side_by_side(options)
    first = options.first or next(iter(selections))
    if first not in selections:
        raise ChoiceError.unknown("domain or test set", first, selections)
    for message in common_systems(selections)[1]:
        note(message)
    note(f"winners on {first}")
    pairs = bootstrap_of(selections[first], options).pairs()
    sign_with(selections[first], options)
    tests = calibration.elsewhere(pairs, {name: one for name, one in selections.items() if name != first})
    note(calibration.staying_ahead(tests))
    write(calibration.across_domains(tests, bins), options)
