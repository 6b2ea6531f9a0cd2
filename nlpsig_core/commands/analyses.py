"""The commands for test-set size, power, domains and calibration."""

from __future__ import annotations

import argparse

from nlpsig_core.analyses import calibration, population
from nlpsig_core.analyses.answers import USUAL_ANSWERS, answers_table
from nlpsig_core.analyses.domains import agreement, common_systems, of_size, pairs_by_domain, thresholds_by_domain
from nlpsig_core.analyses.power import needed_units
from nlpsig_core.analyses.sizes import WAYS, fit_by_size, pairs_by_size, thresholds_by_size
from nlpsig_core.analyses.standard_errors import with_freedom
from nlpsig_core.commands.options import (
    notion_of,
    notion_options,
    recipe_of,
    rule_of,
    rule_options,
    task_options,
    workers_of,
    workers_options,
)
from nlpsig_core.commands.output import note, progress, write
from nlpsig_core.commands.task import bootstrap_of, selection_of, side_by_side, side_by_side_options, sign_with
from nlpsig_core.comparison.detectable import Aim
from nlpsig_core.comparison.notion import CORRECTED, SIDES, Notion
from nlpsig_core.comparison.pair_table import cutoff
from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.runs import size_note

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
    parser.add_argument("--gain", type=float, required=True, help="true gain to find")
    parser.add_argument("--power", type=float, default=0.8, help="probability of p < level (0.8)")


def power(options: argparse.Namespace) -> None:
    """Print the number of units needed to find a gain significant, by comparison class."""
    selection, notion = selection_of(options), notion_of(options)
    pairs = with_freedom(bootstrap_of(selection, options).pairs(notion), selection.first.stats)
    aim = Aim(gain=options.gain, level=cutoff(pairs, notion), power=options.power, sides=notion.sides)
    if notion.scope == CORRECTED:
        note(f"p < {aim.level:.2g} of a pair on its own is {notion.words(len(pairs))}")
    sign_with(selection, options)
    table = needed_units(pairs, selection.stats.n_units, aim)
    note(f"the test set has {selection.stats.n_units} {selection.stats.unit}s")
    if message := size_note(selection.stats):
        note(message)
    write(table, options)


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


def domains(options: argparse.Namespace) -> None:
    """Print thresholds by domain or test set at one size, or the agreement of their rankings."""
    rule, recipe = rule_of(options), recipe_of(options)
    selections = side_by_side(options)
    if options.agreement:
        write(agreement(selections, progress=progress()), options)
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
    write(calibration.across_domains(tests, bins), options)
