"""The command ``people``: metrics on trial against people's scores."""

from __future__ import annotations

import argparse

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.metrics.people import FAMILY
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.output.commands.options import Choices, common_options
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.output.commands.task import load
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.studies.people.measures import by_measure, measures
from nlpsig_core.studies.people.metrics import best_of_many, pairs_of_metrics
from nlpsig_core.studies.people.new_systems import with_intervals
from nlpsig_core.studies.people.pairs import confirmed, pairs_by_both, twice
from nlpsig_core.studies.people.perm_both import PERMUTATIONS


def people_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``people``."""
    common_options(parser, "task", "notion")
    parser.add_argument("--scores", metavar="NAME", help="metric whose pairs are printed (that of the best SPA)")
    parser.add_argument("--measures", action="store_true", help="print every measure of every metric instead")
    more = "print every pair of metrics by one measure (--metric) instead, by the bootstrap and by PERM-BOTH"
    parser.add_argument("--metrics", action="store_true", help=more)


def people(options: argparse.Namespace) -> None:
    """Print every pair of systems by a metric and by people, or how well metrics agree with people."""
    choices = Choices.from_options(options)
    task = load(choices)
    test_set = task.test_set(choices.test_set)
    if test_set.reader.name != FAMILY.reader:
        needed = "people's scores of segments as gold, and those of each metric as outputs"
        raise ChoiceError(f"{task.name} is read as {test_set.reader.name}; people needs {needed}")
    if options.measures:
        _caution(task)
        table = measures(task, test_set, domain=choices.domain)
        write(with_intervals(table, task, test_set, choices.recipe.seed), choices.format)
        return
    if options.metrics:
        _metrics(task, test_set, choices)
        return
    metric = options.scores or str(by_measure(measures(task, test_set))["system"].iloc[0])
    results = twice(test_set, metric, choices.recipe, progress(), unit=choices.unit, domain=choices.domain)
    pairs = pairs_by_both(results, choices.notion)
    note(confirmed(pairs, metric))
    if results.people.apart:
        note(f"{count(results.people.apart, 'pair')} of systems left out: fewer than two segments have scores of both")
    chosen = {"unit": choices.unit, "domain": choices.domain}
    sign(results.metric.signed(metric=metric, **{name: choice for name, choice in chosen.items() if choice}))
    write(pairs, choices.format)


def _metrics(task: SharedTask, test_set: TestSet, choices: Choices) -> None:
    """Print every pair of metrics by the chosen measure."""
    selection = select(task, Offer(test_set).metric(choices.metric), test_set.name)
    results = selection.bootstrap(choices.recipe, progress())
    pairs = pairs_of_metrics(results, choices.notion, progress("swapping"))
    _caution(task)
    sign(selection.signature(choices.recipe, permutations=PERMUTATIONS))
    write(pairs, choices.format)


def _caution(task: SharedTask) -> None:
    if caution := best_of_many(len(task.systems)):
        note(caution)
