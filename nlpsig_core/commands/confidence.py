"""The command for the confidence of the edges of dependency parses."""

from __future__ import annotations

import argparse

from nlpsig_core.commands.options import recipe_of, task_options
from nlpsig_core.commands.output import note, progress, sign, write
from nlpsig_core.commands.task import load
from nlpsig_core.comparison.signature import signature_line
from nlpsig_core.confidence import OUTPUTS, methods_of
from nlpsig_core.confidence.alignment import AGAINST
from nlpsig_core.confidence.evaluation import MEASURES
from nlpsig_core.confidence.outputs import check_format, outputs_of
from nlpsig_core.confidence.resampled import USUAL_RESAMPLES, resample
from nlpsig_core.confidence.table import edges_of, measure_table, resampled_units, signed
from nlpsig_core.errors import ChoiceError

# Options of all commands that choose a metric or treat invalid outputs, which have no edges.
WITHOUT_MEANING = ("metric", "edition", "invalid")


def confidence_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``confidence``."""
    task_options(parser, USUAL_RESAMPLES)
    methods = "; ".join(f"{name}: {method.what}" for name, method in methods_of(OUTPUTS).items())
    parser.add_argument(
        "--method",
        nargs="+",
        choices=list(methods_of(OUTPUTS)),
        default=["committee"],
        help=f"methods (committee). {methods}",
    )
    against = "what makes an edge right, and the edges of two systems the same: the head, or head and relation (heads)"
    parser.add_argument("--against", choices=AGAINST, default=AGAINST[0], help=against)
    pairs = "print pairs of systems, or of methods on one system, by a measure instead (paired bootstrap)"
    parser.add_argument("--pairs", choices=list(MEASURES), metavar="MEASURE", help=f"{pairs}: {', '.join(MEASURES)}")


def confidence(options: argparse.Namespace) -> None:
    """Print how well confidences find the wrong edges of each system, and how good they are as probabilities."""
    for name in WITHOUT_MEANING:
        if getattr(options, name):
            raise ChoiceError(f"--{name} has no meaning for confidences; leave it out")
    task, recipe = load(options), recipe_of(options)
    test_set = task.test_set(options.test_set)
    check_format(test_set)
    if len(task.test_sets) > 1 and not options.test_set:
        note(f"test set {test_set.name}, the first of {', '.join(task.test_sets)}")
    for message in test_set.notes:
        note(message)
    outputs = outputs_of(task, test_set, progress("reading"))
    for file, problem in outputs.problems.items():
        note(f"{file}: {problem} (left out)")
    units = resampled_units(test_set, options.domain, options.unit)
    edges, notes = edges_of(outputs, options.method, units, options.against, options.seed)
    if not edges:
        raise ChoiceError("; ".join(notes) or "No output is valid")
    for message in notes:
        note(message)
    measured = resample(edges, recipe, progress())
    more = {"domain": options.domain} if options.domain else {}
    sign(signature_line(signed(measured, task.name, options.against, options.unit or test_set.reader.unit) | more))
    write(measured.pairs(options.pairs) if options.pairs else measure_table(measured), options)
