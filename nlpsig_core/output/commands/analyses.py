"""The commands for test-set size, power, domains and calibration."""

from __future__ import annotations

import argparse

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_named, check_two
from nlpsig_core.output.commands.options import Choices, common_options
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.output.commands.task import bootstrap_of, selection_of, side_by_side, side_by_side_options, sign_with
from nlpsig_core.significance.comparison.advice import size_note
from nlpsig_core.significance.comparison.classes import classes_digest
from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.significance.comparison.notion import CORRECTED, Notion, cutoff
from nlpsig_core.significance.comparison.pair_table import POWER
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.studies.analyses import calibration, population
from nlpsig_core.studies.analyses.answers import USUAL_ANSWERS, answers_table, nothing_between
from nlpsig_core.studies.analyses.answers import signature as signature_of_answers
from nlpsig_core.studies.analyses.domain_pair import ahead_in, few_note, pair_by_domain
from nlpsig_core.studies.analyses.domains import (
    OF_RANKINGS,
    agreement,
    classes_of,
    common_systems,
    of_size,
    pairs_by_domain,
    signature,
    thresholds_by_domain,
    usual_size,
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
USUAL_DRAWS = 20


def sizes_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``sizes``."""
    common_options(parser, "task without average", "rule")
    add = parser.add_argument
    add("--sizes", type=int, nargs="+", metavar="N", help="sizes in units (100 200 400 ... all)")
    add("--parts", choices=WAYS, default=WAYS[0], help="use the first units, or random subsets")
    add("--draws", type=int, default=1, help="number of random subsets of each size (1)")
    add("--fit", action="store_true", help="fit c / sqrt(n) and print how well it describes the thresholds")


def sizes(options: argparse.Namespace) -> None:
    """Print thresholds by size of the test set, on its first units or on random subsets."""
    choices = Choices.from_options(options)
    way, notion, selection = "random" if options.draws > 1 else options.parts, choices.notion, selection_of(choices)
    pairs = pairs_by_size(selection, choices.recipe, options.sizes, way, options.draws, progress(), notion)
    thresholds = thresholds_by_size(pairs, choices.rule, notion)
    used: dict[str, object] = {"sizes": "-".join(map(str, pairs["size"].unique())), "parts": way}
    used |= ({"draws": options.draws} if way == "random" else {}) | choices.rule.signed
    sign_with(selection, choices, **used, groups=classes_digest(selection.systems))
    write(fit_by_size(thresholds) if options.fit else thresholds[SIZE_COLUMNS + MODEL_COLUMNS], choices.format)


def power_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``power``."""
    add = parser.add_argument
    common_options(parser, "task without average", "interval", "notion")
    add("--gain", type=float, help="true gain to find (of a pair: the one to plan it with)")
    add("--power", type=float, default=POWER, help=f"probability of p < level ({POWER:g})")
    add("--pair", nargs=2, metavar=("A", "B"), help="what would settle these two systems")


def power(options: argparse.Namespace) -> None:
    """Print the number of units needed to find a gain significant, by comparison class or for one pair."""
    choices = Choices.from_options(options)
    selection, notion = selection_of(choices), choices.notion
    if options.gain is None and not options.pair:
        raise ChoiceError("No gain to find; give --gain, or --pair with two systems")
    # Refuses a gain or a power that is out of range before anything is tested.
    Aim(1.0 if options.gain is None else options.gain, level=notion.level, power=options.power)
    if options.pair:
        check_two(options.pair, selection.stats.names)
    results, unit = bootstrap_of(selection, choices), selection.stats.unit
    pairs = with_freedom(results.pairs(notion, interval=choices.interval), selection.first.stats)
    asked = {"gain": options.gain, "power": options.power if options.power != POWER else None}
    signed = {name: value for name, value in asked.items() if value is not None}
    if options.pair:
        table = _units_of_pair(results, pairs, notion, options.pair, options.gain, options.power)
        sign_with(selection, choices, pair=" over ".join(table.loc[0, ["system_a", "system_b"]]), **signed)
        write(table, choices.format)
        return
    sign_with(selection, choices, **signed, groups=classes_digest(selection.systems), interval=None)
    aim = Aim(gain=options.gain, level=cutoff(pairs, notion), power=options.power, sides=notion.sides)
    if notion.scope == CORRECTED:
        note(f"p < {aim.level:.2g} of a pair on its own is {notion.words(len(pairs))}")
    table = needed_units(pairs, selection.stats.n_units, aim)
    note(f"the test set has {selection.stats.n_units} {unit}s", size_note(selection.stats))
    write(table, choices.format)


def _units_of_pair(
    results: Results, pairs: pd.DataFrame, notion: Notion, pair: list[str], gain: float | None, chance: float
) -> pd.DataFrame:
    """Return the units that a pair needs, with their range; note its verdict and what would settle it."""
    stats = results.selection.stats
    row = pairs[pairs["system_a"].isin(pair) & pairs["system_b"].isin(pair)].iloc[0]
    to_find = gain_to_plan_with(row, notion.within) if gain is None else gain
    aim = Aim(gain=to_find, level=cutoff(pairs, notion), power=chance, sides=notion.sides)
    needed = needed_by_pair(stats.n_units, errors_of_pair(row["standard_error"], row["freedom"]), aim)
    verdict = results.verdict(row, notion)
    note(f"{verdict.word}: {verdict.reason}", settles(verdict, aim, needed.middle), size_note(stats))
    names = {"system_a": row["system_a"], "system_b": row["system_b"], "gain": to_find}
    return pd.DataFrame([names | {"units": needed.middle, "units_low": needed.low, "units_high": needed.high}])


def answers_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``answers``."""
    common_options(parser, "task without average or resamples", "level")
    numbers = f"numbers of answers to a question ({' '.join(map(str, USUAL_ANSWERS))})"
    parser.add_argument("--answers", type=int, nargs="+", default=list(USUAL_ANSWERS), metavar="K", help=numbers)
    chance = f"chance that the detectable gain is found ({POWER:g})"
    parser.add_argument("--power", type=float, default=POWER, help=chance)


def answers(options: argparse.Namespace) -> None:
    """Print standard errors and detectable gains of all pairs by the number of answers to each question."""
    choices = Choices.from_options(options)
    selection = selection_of(choices)
    asked = (options.answers, choices.notion, options.power)
    table = answers_table(selection, *asked)
    note(nothing_between(table))
    sign(signature_of_answers(selection, *asked))
    write(table, choices.format)


def domains_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``domains``."""
    side_by_side_options(parser)
    common_options(parser, "rule")
    add = parser.add_argument
    add("--size", type=int, metavar="N", help="units of each domain or test set (default: as many as the smallest has)")
    often = f"{OF_RANKINGS.n_resamples:,}"
    either = parser.add_mutually_exclusive_group().add_argument
    tau = f"print Kendall's tau between rankings instead ({often} resamples)"
    either("--agreement", action="store_true", help=tau)
    parser.set_defaults(resamples=None)
    either("--pair", nargs=2, metavar=("A", "B"), help="print these two systems in each instead")


def domains(options: argparse.Namespace) -> None:
    """Print thresholds by domain or test set at one size, or the agreement of their rankings."""
    choices = Choices.from_options(options)
    if options.size is not None and (options.agreement or options.pair):
        raise ChoiceError("--size is for thresholds; leave it out with --agreement and --pair")
    notion, recipe, selections = choices.notion, choices.recipe, side_by_side(choices, options.others)
    how = notion.signed_on(next(iter(selections.values())).stats)
    if options.agreement:
        recipe = choices.recipe_of(OF_RANKINGS.n_resamples)
        table, how = agreement(selections, recipe, progress()), {}
    elif options.pair:
        a, b = options.pair
        table = pair_by_domain(selections, a, b, recipe, progress(), notion)
        note(ahead_in(table, a, b, notion), few_note(selections, notion))
        how = {"pair": f"{a} over {b}"} | how
    else:
        note(*of_size(selections, options.size)[1], *common_systems(selections)[1])
        pairs = pairs_by_domain(selections, recipe, options.size, progress=progress(), notion=notion)
        columns = ["domain", *SIZE_COLUMNS[2:], *MODEL_COLUMNS]
        table = thresholds_by_domain(pairs, choices.rule, notion)[columns]
        size = {"size": options.size or usual_size(selections), "units": "first"}
        how = size | how | choices.rule.signed | classes_of(selections)
    sign(signature(selections, recipe, **how))
    write(table, choices.format)


def calibrate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``calibrate``."""
    side_by_side_options(parser)
    common_options(parser, "workers")
    add = parser.add_argument
    add("--from", dest="first", metavar="X", help="domain or test set whose winners are checked on the others")
    add("--bins", type=float, nargs="+", metavar="P", help="edges of the bins of p (default: the paper's)")
    drawn = "check winners in the population instead: test sets drawn from all units"
    add("--population", action="store_true", help=drawn)
    add("--size", type=int, metavar="N", help="units in each drawn test set (default and maximum: a tenth)")
    add("--draws", type=int, metavar="N", help=f"number of drawn test sets ({USUAL_DRAWS})")


def calibrate(options: argparse.Namespace) -> None:
    """Print how often the winner of a test also wins elsewhere, or in the population, by its p."""
    choices = Choices.from_options(options)
    if options.population and (options.first or options.others):
        raise ChoiceError("--population draws test sets from all units; leave out --from and --with")
    if not options.population and (options.size is not None or options.draws is not None):
        raise ChoiceError("--size and --draws are those of --population")
    bins = calibration.bins_between(options.bins) if options.bins else calibration.TABLE_1
    signed_bins = {"bins": "-".join(f"{edge:g}" for edge in options.bins)} if options.bins else {}
    if options.population:
        selection = selection_of(choices)
        size = population.largest_size(selection) if options.size is None else options.size
        draws = USUAL_DRAWS if options.draws is None else options.draws
        tests = population.population_tests(selection, size, draws, choices.recipe, progress(), choices.workers)
        shares = calibration.within_population(tests, bins)
        sign(selection.signature(choices.recipe, size=size, draws=draws, **signed_bins))
    else:
        tests = _tests_elsewhere(side_by_side(choices, options.others), options.first, choices, signed_bins)
        shares = calibration.across_domains(tests, bins)
    note(calibration.staying_ahead(tests))
    write(shares, choices.format)


def _tests_elsewhere(
    selections: dict[str, Selection], first: str | None, choices: Choices, signed: dict[str, str]
) -> pd.DataFrame:
    """Return whether the winners on the first domain or test set win on the others; ``signed`` is for the signature."""
    first = first or next(iter(selections))
    check_named("domain or test set", first, selections)
    note(*common_systems(selections)[1], f"winners on {first}")
    pairs = bootstrap_of(selections[first], choices).pairs()
    by = {"test": Notion().test_on(selections[first].stats), "from": first}
    sign(signature(selections, choices.recipe, **by, **signed))
    return calibration.elsewhere(pairs, {name: selection for name, selection in selections.items() if name != first})
