"""The commands of the analyses of test-set size, domains and calibration."""

from __future__ import annotations

import argparse

from nlpsig_core import calibration
from nlpsig_core.commands.output import note, progress, write
from nlpsig_core.commands.task import (
    bootstrap_of,
    parts_of,
    parts_options,
    recipe_of,
    rule_of,
    rule_options,
    selection_of,
    task_options,
)
from nlpsig_core.domains import agreement, common_systems, of_size, pairs_by_domain, thresholds_by_domain
from nlpsig_core.errors import ChoiceError
from nlpsig_core.power import Aim, needed_units
from nlpsig_core.runs import size_note
from nlpsig_core.sizes import WAYS, fit_by_size, pairs_by_size, thresholds_by_size

SIZE_COLUMNS = ["size", "draw", "comparison", "threshold", "low", "high", "pairs_in_window", "pairs"]
ERROR_COLUMNS = ["se_threshold", "se_low", "se_high", "se_pairs"]


def sizes_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``sizes``."""
    task_options(parser)
    rule_options(parser)
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="units (100 200 400 ... all)")
    parser.add_argument("--parts", choices=WAYS, default=WAYS[0], help="first units, or random subsets")
    parser.add_argument("--draws", type=int, default=1, help="random subsets of each size (1)")
    parser.add_argument("--fit", action="store_true", help="c / sqrt(n) and how far the thresholds bend from it")


def sizes(options: argparse.Namespace) -> None:
    """Thresholds by size of the test set, on its first units or on random subsets."""
    rule = rule_of(options)
    how = "random" if options.draws > 1 else options.parts
    found = pairs_by_size(selection_of(options), recipe_of(options), options.sizes, how, options.draws, progress())
    thresholds = thresholds_by_size(found, rule)
    write(fit_by_size(thresholds) if options.fit else thresholds[SIZE_COLUMNS + ERROR_COLUMNS], options)


def power_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``power``."""
    task_options(parser)
    rule_options(parser)
    parser.add_argument("--gain", type=float, required=True, help="the true gain to be found")
    parser.add_argument("--power", type=float, default=0.8, help="wanted chance of p < level (0.8)")
    parser.add_argument("--two-sided", action="store_true", help="by the two-sided p")


def power(options: argparse.Namespace) -> None:
    """The units that a test set needs for a gain to come out significant, by comparison class."""
    aim = Aim(options.gain, options.level, options.power, options.two_sided)
    selection = selection_of(options)
    pairs = selection.pairs(bootstrap_of(selection, options))
    table = needed_units(pairs, selection.stats.n_units, aim, rule_of(options))
    note(f"the test set has {selection.stats.n_units} {selection.stats.unit}s")
    if said := size_note(selection.stats):
        note(said)
    write(table, options)


def domains_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``domains``."""
    parts_options(parser)
    rule_options(parser)
    parser.add_argument("--size", type=int, metavar="N", help="units of each (those of the smallest)")
    parser.add_argument("--agreement", action="store_true", help="Kendall's tau between rankings instead")


def domains(options: argparse.Namespace) -> None:
    """Thresholds by domain or test set at one size, or how far their rankings agree."""
    rule, recipe = rule_of(options), recipe_of(options)
    parts = parts_of(options)
    if options.agreement:
        write(agreement(parts, progress=progress()), options)
        return
    for said in [*of_size(parts, options.size)[1], *common_systems(parts)[1]]:
        note(said)
    pairs = pairs_by_domain(parts, recipe, options.size, progress=progress())
    columns = ["domain", *SIZE_COLUMNS[2:], *ERROR_COLUMNS]
    write(thresholds_by_domain(pairs, rule)[columns], options)


def calibrate_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``calibrate``."""
    parts_options(parser)
    parser.add_argument("--from", dest="first", metavar="X", help="domain or test set whose winners are followed")
    parser.add_argument("--bins", type=float, nargs="+", metavar="P", help="edges of the bins of p (the paper's)")
    parser.add_argument("--population", action="store_true", help="test sets drawn from all units instead")
    parser.add_argument("--size", type=int, default=500, help="units of each test set drawn (500)")
    parser.add_argument("--draws", type=int, default=20, help="test sets drawn (20)")


def calibrate(options: argparse.Namespace) -> None:
    """How often the winner of a test wins elsewhere too, or in the population, by its p."""
    bins = calibration.bins_between(options.bins) if options.bins else calibration.TABLE_1
    recipe = recipe_of(options)
    if options.population:
        selection = selection_of(options)
        tests = calibration.population_tests(selection, options.size, options.draws, recipe, progress())
        write(calibration.within_population(tests, bins), options)
        return
    parts = parts_of(options)
    first = options.first or next(iter(parts))
    if first not in parts:
        raise ChoiceError.unknown("domain or test set", first, parts)
    for said in common_systems(parts)[1]:
        note(said)
    note(f"winners on {first}")
    pairs = parts[first].pairs(bootstrap_of(parts[first], options))
    tests = calibration.elsewhere(pairs, {name: part for name, part in parts.items() if name != first})
    write(calibration.across_domains(tests, bins), options)
