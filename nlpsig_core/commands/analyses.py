"""The commands of the analyses of test-set size."""

from __future__ import annotations

import argparse

from nlpsig_core.commands.output import note, progress, write
from nlpsig_core.commands.task import bootstrap_of, recipe_of, rule_of, rule_options, selection_of, task_options
from nlpsig_core.power import Aim, needed_units
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
    write(table, options)
