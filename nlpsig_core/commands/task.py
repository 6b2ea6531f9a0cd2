"""What commands have in common that work on a shared task: its options, and the selection that they make."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from nlpsig_core.analysis import Selection
from nlpsig_core.bootstrap import Bootstrap
from nlpsig_core.commands.output import note, progress, sign
from nlpsig_core.counting import INVALID, Counts, count_test_set
from nlpsig_core.domains import by_domain
from nlpsig_core.errors import ChoiceError, TaskError
from nlpsig_core.layout import ROLES
from nlpsig_core.macro import MACRO, MacroAverage, selections
from nlpsig_core.metrics import METRICS, metric_named, usual_edition
from nlpsig_core.metrics.base import Family, Metric
from nlpsig_core.readers import READERS
from nlpsig_core.resampling import Resampling
from nlpsig_core.task import Correction, SharedTask, load_task, sample_names
from nlpsig_core.test_set import TestSet
from nlpsig_core.thresholds import Rule


def task_options(parser: argparse.ArgumentParser) -> None:
    """The task, what it is taken for, what is analysed of it, and how often it is resampled."""
    samples = ", ".join(sample_names()) or "none"
    parser.add_argument("task", metavar="TASK", help=f"a folder, a zip, or a sample's name ({samples})")
    parser.add_argument("--gold", type=Path, help="the gold file or folder, where it lies apart from the outputs")
    parser.add_argument("--metric", help=f"one that fits the outputs (default: the first) of {', '.join(METRICS)}")
    parser.add_argument("--edition", help="edition of the metrics: CoNLL edition, tokeniser, stemming, direction, ...")
    parser.add_argument("--test-set", help=f"where there are several (default: the first), or {MACRO}")
    parser.add_argument("--domain", default="", help='the units of one domain only, or of "all but NAME"')
    rule = "regular expression that finds a unit's domain in its sent_id or document, where there is no table"
    parser.add_argument("--domain-rule", default="", metavar="REGEX", help=rule)
    parser.add_argument("--unit", default="", help="what is resampled: document, where documents are known")
    parser.add_argument("--invalid", default="", help=f"treatment of invalid outputs: {', '.join(INVALID)}")
    parser.add_argument("--kind", help=f"format, where it is not recognised: {', '.join(READERS)}")
    for option, meaning in (("--role", f"what a file is: {', '.join(ROLES)}"), ("--read-as", "another way to read it")):
        parser.add_argument(option, action="append", default=[], metavar="FILE=WHAT", help=meaning)
    parser.add_argument("--resamples", type=int, default=1_000_000, metavar="B", help="(1000000)")
    parser.add_argument("--seed", type=int, default=0, help="(0)")
    parser.add_argument("--format", choices=("tsv", "json"), default="tsv")


def rule_options(parser: argparse.ArgumentParser) -> None:
    """How thresholds are read off."""
    parser.add_argument("--level", type=float, default=0.05, help="significance level (0.05)")
    parser.add_argument("--window", type=float, nargs=2, default=(0.04, 0.06), metavar=("LOW", "HIGH"))
    parser.add_argument("--percentile", type=float, default=95.0, help="percentile of the gains (95)")
    parser.add_argument("--fewest", type=int, default=5, help="fewest pairs that a threshold may rest on (5)")


def rule_of(options: argparse.Namespace) -> Rule:
    """The rule that the options ask for."""
    return Rule(options.level, tuple(options.window), options.percentile, options.fewest)


def recipe_of(options: argparse.Namespace) -> Resampling:
    """The recipe that the options ask for."""
    return Resampling(options.resamples, options.seed)


def load(options: argparse.Namespace) -> SharedTask:
    """The task, with notes on what could not be used."""
    roles, read_as = _by_file(options.role), _by_file(options.read_as)
    task = load_task(options.task, options.gold, Correction(options.kind, roles, read_as, options.domain_rule))
    for problem in task.problems:
        note(problem)
    return task


def selection_of(options: argparse.Namespace) -> Selection:
    """What is analysed of one test set, the first where none is named."""
    task = load(options)
    test_set = task.test_set(options.test_set)
    if len(task.test_sets) > 1 and not options.test_set:
        note(f"test set {test_set.name}, the first of {', '.join(task.test_sets)}")
    return _selection(task, test_set, options)


def comparison_of(options: argparse.Namespace) -> Selection | MacroAverage:
    """What is analysed: one test set, or the macro-average over all."""
    return MacroAverage(selections_of(options)) if options.test_set == MACRO else selection_of(options)


def selections_of(options: argparse.Namespace) -> dict[str, Selection]:
    """The same of every test set, by its name."""
    task = load(options)
    for test_set in task.test_sets.values():
        _say_notes(test_set)
    found = selections(
        task, partial(metric_of, options), lambda test_set, metric: count(task, test_set, metric.family),
        options.domain, options.invalid, options.unit,
    )  # fmt: skip
    for name, selection in found.items():
        _say_problems(selection, f"{name}: " if len(found) > 1 else "")
    return found


def parts_options(parser: argparse.ArgumentParser) -> None:
    """What is set side by side."""
    task_options(parser)
    parser.add_argument(
        "--with", dest="others", action="append", default=[], metavar="TASK", help="another task of the same systems"
    )


def parts_of(options: argparse.Namespace) -> dict[str, Selection]:
    """Test sets of the same systems by name: several of a task, or of several tasks; else the domains of the one."""
    parts = selections_of(options)
    if not options.others:
        if len(parts) > 1:
            return parts
        of_domains, notes = by_domain(next(iter(parts.values())))
        for said in notes:
            note(said)
        if len(of_domains) < 2:
            raise TaskError("Neither several test sets nor domains are known; name another task with --with")
        return of_domains
    named = {_name(selection): selection for selection in parts.values()}
    for other in options.others:
        more = selections_of(argparse.Namespace(**(vars(options) | {"task": other, "gold": None})))
        named |= {_name(selection): selection for selection in more.values()}
    return named


def _name(selection: Selection) -> str:
    return selection.test_set.name or selection.task.name


def _selection(task: SharedTask, test_set: TestSet, options: argparse.Namespace) -> Selection:
    metric = metric_of(options, test_set)
    _say_notes(test_set)
    counts = count(task, test_set, metric.family)
    selection = Selection(task, test_set, counts, metric, options.domain, options.invalid, options.unit)
    _say_problems(selection, "")
    return selection


def _say_notes(test_set: TestSet) -> None:
    for said in test_set.notes:
        note(said)


def _say_problems(selection: Selection, where: str) -> None:
    counts = selection.counts
    for output, remarks in counts.remarks.items():
        note(f"{where}{output}: {'; '.join(remarks)}")
    for output, problem in counts.problems.items():
        note(f"{where}{output}: {problem} ({selection.invalid or counts.treatments[0]})")


def metric_of(options: argparse.Namespace, test_set: TestSet) -> Metric:
    """The metric that the options name, of the edition that they name or that is usual."""
    named = options.edition is not None
    return metric_named(options.metric, test_set.reader.name, edition_of(options, test_set), only=named)


def edition_of(options: argparse.Namespace, test_set: TestSet) -> str | None:
    """The edition that the options name, the only one that the metric has, or the usual one."""
    named = METRICS.get(options.metric or "")
    if options.edition is None and named and named.family.reader == test_set.reader.name and len(named.editions) == 1:
        return named.editions[0]
    return options.edition or usual_edition(test_set.reader.name, test_set.gold)


def count(task: SharedTask, test_set: TestSet, family: Family) -> Counts:
    """The statistics of all systems."""
    return count_test_set(test_set, task.systems["file"].tolist(), family, progress("reading"))


def bootstrap_of(
    selection: Selection | MacroAverage, options: argparse.Namespace, systems: int = 2, test: str = "bootstrap"
) -> Bootstrap:
    """The bootstrap of all pairs, signed with the test of its p-values; a warning where there is little to resample."""
    selection.check(systems)
    result = selection.bootstrap(recipe_of(options), progress())
    say_what_p_is(selection)
    firsts = list(selection.selections.values()) if isinstance(selection, MacroAverage) else [selection]
    gold = ", ".join(file.path for part in firsts for file in part.test_set.gold_files)
    note(f"read as {selection.task.reader.name}: {selection.stats.n_systems} systems against {gold}")
    sign(selection.signature(recipe_of(options), test=test))
    return result


def say_what_p_is(selection: Selection | MacroAverage) -> None:
    """Note what p rests on: few units, units of several test sets, one training run or several."""
    for said in (selection.few_units, selection.shared_note, selection.runs_note):
        if said:
            note(said)


def _by_file(options: list[str]) -> dict[str, str]:
    """What is said of files, by path."""
    for option in options:
        if "=" not in option:
            raise ChoiceError(f"{option!r} is not FILE=WHAT")
    return dict(option.split("=", 1) for option in options)
