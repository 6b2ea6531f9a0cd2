"""The command ``people``: metrics on trial against people's scores."""

from __future__ import annotations

import argparse

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics.people import FAMILY
from nlpsig_core.output.commands.options import Choices, common_options
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.output.commands.task import load
from nlpsig_core.studies.people.measures import by_measure, measures
from nlpsig_core.studies.people.pairs import confirmed, pairs_by_both, twice


def people_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``people``."""
    common_options(parser, "task", "notion")
    parser.add_argument("--scores", metavar="NAME", help="metric whose pairs are printed (that of the best SPA)")
    parser.add_argument("--measures", action="store_true", help="print every measure of every metric instead")


def people(options: argparse.Namespace) -> None:
    """Print every pair of systems by a metric and by people, or how well each metric agrees with people."""
    choices = Choices.from_options(options)
    task = load(choices)
    test_set = task.test_set(choices.test_set)
    if test_set.reader.name != FAMILY.reader:
        needed = "people's scores of segments as gold, and those of each metric as outputs"
        raise ChoiceError(f"{task.name} is read as {test_set.reader.name}; people needs {needed}")
    if options.measures:
        write(measures(task, test_set), choices.format)
        return
    metric = options.scores or str(by_measure(measures(task, test_set))["system"].iloc[0])
    results = twice(test_set, metric, choices.recipe, progress())
    pairs = pairs_by_both(results, choices.notion)
    note(confirmed(pairs, metric))
    sign(results.metric.selection.signature(choices.recipe, metric=metric))
    write(pairs, choices.format)
