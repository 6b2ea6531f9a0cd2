"""From options to a selection: shared by all commands that read a task."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.base.words import plural, printable
from nlpsig_core.data.metrics import formats_with, only_edition, usual_edition
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.readers import READERS, Reader
from nlpsig_core.data.task import HEAD
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.shared_task import MACRO, Correction, SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.output.commands.options import NO_BASELINE, notion_of, recipe_of, task_options, workers_of
from nlpsig_core.output.commands.output import note, progress, sign
from nlpsig_core.significance.comparison.advice import (
    document_note,
    few_units,
    notes_on_outputs,
    runs_note,
    shared_note,
)
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, CORRECTIONS, fewest_resamples
from nlpsig_core.significance.comparison.scores import guessed_baseline
from nlpsig_core.significance.comparison.select import count_outputs, load_task, named_apart, select
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.paired_tests import TESTS, run_test
from nlpsig_core.significance.paired_tests.small_sample import FEW, TOO_FEW
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.weights import EQUAL
from nlpsig_core.studies.analyses.domains import by_domain


def pairs_of(selection: Selection, options: argparse.Namespace) -> pd.DataFrame:
    """Return the table of all pairs by the bootstrap and the notion that the options ask for."""
    return bootstrap_of(selection, options).pairs(notion_of(options))


def few_differing(pairs: pd.DataFrame, unit: str) -> None:
    """Note how many pairs differ in few units."""
    with_gain = pairs[pairs["gain"] > 0]
    few = "p accounts for it, p_value and p_two_sided are too small"
    for fewest, column, what in (
        (TOO_FEW, "differing", "no exact two-sided test can reach 0.05"),
        (FEW, "differing", few),
        (FEW, "fewest_differing", f"counted at equal size, in the test set with the fewest: {few}"),
    ):
        if number := int((with_gain[column] < fewest).sum()):
            some = f"{number:,} pair{'s differ' if number > 1 else ' differs'}"
            note(f"{some} in fewer than {fewest} {unit}s: {what}")
            return


def too_few_resamples(n_pairs: int, options: argparse.Namespace) -> None:
    """Note if there are too few resamples for the correction to find anything."""
    notion = notion_of(options)
    if options.resamples < (needed := fewest_resamples(notion, n_pairs)):
        corrected = f"{CORRECTIONS[notion.adjust]} over {n_pairs:,} pairs"
        note(f"{corrected} cannot go below {notion.level:g} with so few resamples; use {needed:,} or more")


def baseline_of(selection: Selection, options: argparse.Namespace) -> str:
    """Return the baseline that the options name, or the system that is called so; "" for none."""
    if options.baseline:
        return "" if options.baseline == NO_BASELINE else str(options.baseline)
    if guessed := guessed_baseline(selection.systems):
        note(f"baseline: {guessed}, by its name; --baseline {NO_BASELINE} for none")
    return guessed


def load(options: argparse.Namespace) -> SharedTask:
    """Return the task; notes what could not be used.

    Raises ChoiceError before reading the files if the options must state which direction is better and do not.
    """
    roles, read_as = _by_file(options.role), _by_file(options.read_as)
    correction = Correction(format=options.kind, roles=roles, read_as=read_as, domain_rule=options.domain_rule)
    task = load_task(options.task, options.gold, correction, partial(_demand_edition, options))
    for problem in task.problems:
        note(problem)
    return task.on(options.test_sets) if options.test_sets else task


def selection_of(options: argparse.Namespace) -> Selection:
    """Return the selection of one test set, by default the first."""
    _demand_average(options)
    task = load(options)
    test_set = task.test_set(options.test_set)
    if len(task.test_sets) > 1 and not options.test_set:
        note(f"test set {test_set.name}, the first of {', '.join(task.test_sets)}")
    _say_notes(test_set)
    selection = select(
        task, partial(_metric, options), test_set.name, domain=options.domain, unit=options.unit,
        invalid=options.invalid, count=partial(count, options),
    )  # fmt: skip
    _say_problems(selection)
    return selection


def comparison_of(options: argparse.Namespace) -> Selection:
    """Return the selection of one test set, or of the macro-average over all, or over those that are named."""
    averaged = options.test_set == MACRO or (len(options.test_sets) > 1 and not options.test_set)
    return campaign_of(options) if averaged else selection_of(options)


def _demand_average(options: argparse.Namespace) -> None:
    """Raise ChoiceError for weights where nothing is averaged."""
    if options.weights != EQUAL:
        raise ChoiceError(f"--weights are those of a {MACRO}, which is not computed here")


def campaign_of(options: argparse.Namespace) -> Selection:
    """Return the macro-average over all test sets."""
    task = load(options)
    for test_set in task.test_sets.values():
        _say_notes(test_set)
    selection = select(
        task, partial(_metric, options), MACRO, domain=options.domain, unit=options.unit, invalid=options.invalid,
        weights=options.weights, count=partial(count, options),
    )  # fmt: skip
    if lacking := [of.name for of in task.test_sets.values() if Offer(of).lacks(_metric(options, of))]:
        note(f"no {options.metric}, so left out: {', '.join(lacking)}")
    _say_problems(selection)
    return selection


def side_by_side_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for test sets or domains side by side."""
    task_options(parser)
    parser.add_argument(
        "--with", dest="others", action="append", default=[], metavar="TASK", help="another task of the same systems"
    )


def side_by_side(options: argparse.Namespace) -> dict[str, Selection]:
    """Selections side by side, by name: the test sets of one or several tasks, else the domains of the only one."""
    _demand_average(options)
    selection = campaign_of(options)
    if not options.others:
        if selection.several:
            return selection.each
        of_domains, notes = by_domain(selection)
        for message in notes:
            note(message)
        if len(of_domains) < 2:
            raise TaskError("There is one test set and its domains are not known; name another task with --with")
        return of_domains
    others = (argparse.Namespace(**(vars(options) | {"task": other, "gold": None})) for other in options.others)
    every = [selection, *map(campaign_of, others)]
    return named_apart((name or one.task.name, alone) for one in every for name, alone in one.each.items())


def _say_notes(test_set: TestSet) -> None:
    for message in test_set.notes:
        note(message)


def _say_problems(selection: Selection) -> None:
    """Note what is wrong with outputs: what is alike on many test sets is counted."""
    each = list(selection.test_sets.values())
    invalid = {file: one.treatment for one in each for file in one.problems}
    if selection.several:
        notes = list(notes_on_outputs(selection.test_sets).items())
    else:
        counts = selection.first.counts
        remarks = [(output, "; ".join(of_output)) for output, of_output in counts.remarks.items()]
        notes = [*remarks, *selection.first.problems.items()]
    for output, text in notes:
        note(f"{output}: {text}{f' ({invalid[output]})' if output in invalid else ''}")
    if incomplete := [one.counts for one in each if one.counts.incomplete]:
        note(f"invalid outputs: --invalid with {' or '.join(map(repr, incomplete[0].treatments))}")


def _metric(options: argparse.Namespace, test_set: TestSet) -> Metric:
    """Return the metric that the options name, in the edition that is named or usual."""
    _demand_metric(options, test_set.reader, test_set)
    return Offer(test_set, options.edition).metric(options.metric)


def _demand_metric(options: argparse.Namespace, reader: Reader, test_set: TestSet | None = None) -> None:
    """Raise ChoiceError for a metric of other formats; it names them, and the option to read the files as one of them.

    Without a ``test_set``, as for score tables, no option is named.
    """
    formats = formats_with(options.metric or "")
    if not formats or reader.name in formats or (test_set and options.metric in Offer(test_set).of_logs):
        return
    fitting = [name for name in formats if test_set and _looks_like(READERS[name], test_set.gold_files[0])]
    *first, last = (name if name.startswith("CoNLL") else f"{name.lower().rstrip('s')}s" for name in formats)
    of = f"{', '.join(first)} and {last}" if first else last
    kinds = " or ".join(f"--kind {shlex.quote(name)}" for name in fitting)
    raise ChoiceError(f"{options.metric} is a metric of {of}" + (f": {kinds}" if kinds else ""))


def _looks_like(reader: Reader, gold: File) -> bool:
    return Path(gold.path).suffix.lower() in reader.endings and reader.looks_like(gold.text()[:HEAD])


def _demand_edition(options: argparse.Namespace, reader: Reader) -> None:
    """Raise ChoiceError if the user must choose the edition and names neither it nor a metric that has only one."""
    if reader.editions is not None and reader.editions.usual is None:
        _demand_metric(options, reader)
        if not (options.edition or only_edition(options.metric, reader.name)):
            usual_edition(reader.name, None)


def count(options: argparse.Namespace, task: SharedTask, test_set: TestSet, metric: Metric) -> Counts:
    """Return the statistics of all systems."""
    return count_outputs(task, test_set, metric, progress("reading"), workers_of(options))


def bootstrap_of(selection: Selection, options: argparse.Namespace, systems: int = 2) -> Results:
    """Return the bootstrap of all pairs, with max-t if the options ask for it; notes what p rests on."""
    selection.check(systems)
    results = results_of(selection, options)
    say_what_p_is(selection)
    gold = ", ".join(dict.fromkeys(f.path for one in selection.test_sets.values() for f in one.test_set.gold_files))
    n = selection.stats.n_systems
    note(f"read as {selection.task.reader.name}: {n:,} {plural(n, 'system')} against {gold}")
    return results


def results_of(selection: Selection, options: argparse.Namespace, name: str = "") -> Results:
    """Return the results that the options ask for, of all that takes long; ``name`` stands before their progress."""

    def shown(what: str) -> Callable[[float, object], None] | None:
        return progress(f"{name}, {what}" if name else what)

    workers, recipe, notion = workers_of(options), recipe_of(options), notion_of(options)
    results = selection.bootstrap(recipe, progress=shown("resampling"), workers=workers)
    test = notion.test_on(selection.stats)
    if test != BOOTSTRAP:
        by_test = run_test(test, selection.stats, recipe, shown(TESTS[test].label))
        results = replace(results, by_tests=((test, by_test),))
    if notion.by_max_t:
        results = replace(results, by_max_t=results.max_t(shown("max-t"), workers))
    return results


def sign_with(selection: Selection, options: argparse.Namespace, **more: object) -> None:
    """Print the signature, with the notion of significance if the command has one."""
    notion = notion_of(options).signed_on(selection.stats) if "scope" in options else {}
    sign(selection.signature(recipe_of(options), **notion | more))


def say_what_p_is(selection: Selection) -> None:
    """Note what p rests on: few units, documents, shared units, training runs."""
    stats = selection.stats
    for message in (few_units(stats), document_note(selection.test_sets), shared_note(stats), runs_note(stats)):
        if message:
            note(message)


def _by_file(options: list[str]) -> dict[str, str]:
    """FILE=WHAT options as a mapping."""
    for option in options:
        if "=" not in option:
            raise ChoiceError(f"{option!r} is not FILE=WHAT")
    return dict(printable(option).split("=", 1) for option in options)
