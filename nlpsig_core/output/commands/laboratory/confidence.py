"""The command for the confidence of the edges of dependency parses, of tags, and of scored units."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.confidence import METHODS, PARSER, methods_of
from nlpsig_core.laboratory.confidence.alignment import HEADS, OF_SCORES, OF_TREES
from nlpsig_core.laboratory.confidence.evaluation import MEASURES
from nlpsig_core.laboratory.confidence.laboratory import settings_text, tried
from nlpsig_core.laboratory.confidence.outputs import format_of, outputs_of
from nlpsig_core.laboratory.confidence.parser_methods import ParserPrediction
from nlpsig_core.laboratory.confidence.resampled import USUAL_RESAMPLES, resample
from nlpsig_core.laboratory.confidence.table import edges_of, measure_table, resampled_units, signed
from nlpsig_core.laboratory.parsers import encode, read_treebank
from nlpsig_core.laboratory.parsers import load as load_parser
from nlpsig_core.laboratory.parsers.graph import GraphParser
from nlpsig_core.output.commands.options import Choices, task_options
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.output.commands.task import load, say_test_set
from nlpsig_core.significance.comparison.signature import signature_line
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.weights import EQUAL

# Options of all commands that choose a metric or treat invalid outputs, which have no edges. The edition of a score
# table says which scores are right.
WITHOUT_MEANING = ("metric", "invalid", "weights")
# Options that choose among the files, units and edges of a task; a parser predicts the heads of one file.
OF_TASKS = (
    *("edition", "gold", "kind", "role", "read_as", "submissions", "test_set", "test_sets", "domain", "domain_rule"),
    *("unit", "against"),
)
OF_PARSERS = ("dev",)
# Values of options that are not given, unless empty.
USUAL = {"weights": EQUAL}


def confidence_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``confidence``."""
    add = parser.add_argument
    task_options(parser, USUAL_RESAMPLES, refused=WITHOUT_MEANING)
    what = "a treebank to parse, if TASK is a graph parser that train wrote; its edges are then given confidences"
    add("file", metavar="FILE", nargs="?", type=Path, help=what)
    tuned = "treebank on which the methods of a parser are tuned"
    add("--dev", metavar="FILE", type=Path, help=tuned)
    usual = "committee, given for score tables; for a parser all that can be used"
    methods = "; ".join(f"{name}: {method.what}" for name, method in METHODS.items())
    add("--methods", nargs="+", choices=list(METHODS), metavar="METHOD", help=f"methods ({usual}). {methods}")
    against = "what makes an edge right, and the edges of two systems the same: the head, or head and relation (heads)"
    add("--against", choices=OF_TREES, default="", help=against)
    pairs = "print pairs of systems, or of methods on one system, by a measure instead (paired bootstrap)"
    add("--pairs", choices=list(MEASURES), metavar="MEASURE", help=f"{pairs}: {', '.join(MEASURES)}")


def confidence(options: argparse.Namespace) -> None:
    """Print how well confidences find the wrong edges of each system, and how good they are as probabilities."""
    _refuse(options, WITHOUT_MEANING, "confidences")
    if options.file:
        _refuse(options, OF_TASKS, "the trees of a parser")
        _parser_confidence(options)
    else:
        _refuse(options, OF_PARSERS, "the outputs of a task")
        _of_task(options)


def _refuse(options: argparse.Namespace, names: Sequence[str], where: str) -> None:
    """Raise ChoiceError if an option is given that has no meaning."""
    for name in names:
        if getattr(options, name) and getattr(options, name) != USUAL.get(name):
            raise ChoiceError(f"--{name.replace('_', '-')} has no meaning for {where}; leave it out")


def _of_task(options: argparse.Namespace) -> None:
    """Print how well confidences find the wrong edges of the systems of a task."""
    if Path(options.task).suffix == ".npz":
        raise ChoiceError(f"{options.task} is a parser; name the treebank to parse after it")
    choices = Choices.from_options(options)
    task = load(choices)
    test_set = task.test_set(options.test_set)
    of_format = format_of(test_set)
    if of_format.against != OF_SCORES:
        _refuse(options, ("edition",), "confidences")
    against = options.against or options.edition or of_format.against[0]
    say_test_set(task, test_set, choices)
    outputs = outputs_of(task, test_set, progress("reading"))
    for file, problem in outputs.problems.items():
        note(f"{file}: {problem} (left out)")
    units = resampled_units(test_set, options.domain, options.unit)
    methods = options.methods or ["committee" if of_format.votes else "given"]
    edges, notes = edges_of(outputs, methods, units, against, options.seed)
    if not edges:
        raise ChoiceError("; ".join(notes) or "No output is valid")
    note(*notes)
    measured = resample(edges, choices.recipe, progress())
    more = {"domain": options.domain} if options.domain else {}
    sign(signature_line(signed(measured, task.name, against, options.unit or test_set.reader.unit) | more))
    write(measured.pairs(options.pairs) if options.pairs else measure_table(measured), options.format)


def _parser_confidence(options: argparse.Namespace) -> None:
    """Print how well a graph parser's confidences find the wrong edges of its own trees."""
    parser, recipe = load_parser(options.task), Resampling(options.resamples, options.seed)
    if not isinstance(parser, GraphParser):
        raise ChoiceError(f"{options.task} is no graph parser; train one with --kind graph")
    treebank = encode(read_treebank(options.file))
    if warning := parser.relations.warning(treebank):
        note(f"{options.file.name}: {warning}")
    test = ParserPrediction(parser=parser, treebank=treebank, seed=recipe.seed)
    dev = replace(test, treebank=encode(read_treebank(options.dev))) if options.dev else None
    usable = [name for name, method in methods_of(PARSER).items() if dev or not method.tune]
    edges, chosen = tried(test, dev, options.methods or usable, options.file.name)
    for one, settings in zip(edges, chosen, strict=True):
        if settings:
            note(f"{one.method}: {settings_text(settings)}, tuned on {options.dev.name}")
    measured = resample(edges, recipe, progress())
    sign(signature_line(signed(measured, options.file.name, HEADS, "sentence")))
    write(measured.pairs(options.pairs) if options.pairs else measure_table(measured), options.format)
