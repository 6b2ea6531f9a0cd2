"""From choices to a task, its selections and results: shared by all commands that read a task."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.base.words import first_few, plural
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.offer import Offer, formats_with
from nlpsig_core.data.readers import READERS, Reader
from nlpsig_core.data.task.files import HEAD, File
from nlpsig_core.data.task.shared_task import MACRO, SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.output.commands.options import Choices, common_options
from nlpsig_core.output.commands.output import note, progress, sign
from nlpsig_core.significance.comparison.advice import (
    cautions,
    document_note,
    notes_on_outputs,
    runs_note,
    shared_note,
)
from nlpsig_core.significance.comparison.notion import CORRECTIONS, Notion, fewest_resamples
from nlpsig_core.significance.comparison.scores import NO_BASELINE, guessed_baseline
from nlpsig_core.significance.comparison.select import count_outputs, evidence, load_task, named_apart, select
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.paired_tests import TESTS, PValues, run_test
from nlpsig_core.significance.paired_tests.small_sample import FEW, TOO_FEW
from nlpsig_core.significance.resampling.bootstrap import INTERVALS, Bootstrap
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.weights import EQUAL
from nlpsig_core.studies.analyses.domains import by_domain


def few_differing(pairs: pd.DataFrame, unit: str) -> None:
    """Note how many pairs differ in few units."""
    with_gain = pairs[pairs["gain"] > 0]
    few = "p and intervals account for it; p_value and p_two_sided are too small"
    for fewest, column, what in (
        (TOO_FEW, "differing", "no exact two-sided test can reach 0.05"),
        (FEW, "differing", few),
        (FEW, "fewest_differing", f"counted at equal size, in the test set with the fewest: {few}"),
    ):
        if number := int((with_gain[column] < fewest).sum()):
            some = f"{number:,} pair{'s differ' if number > 1 else ' differs'}"
            note(f"{some} in fewer than {fewest} {unit}s: {what}")
            return


def too_few_resamples(n_pairs: int, choices: Choices) -> None:
    """Note if there are too few resamples for the correction to find anything."""
    notion = choices.notion
    if choices.recipe.n_resamples < (needed := fewest_resamples(notion, n_pairs)):
        corrected = f"{CORRECTIONS[notion.adjust]} over {n_pairs:,} pairs"
        note(f"{corrected} cannot go below {notion.level:g} with so few resamples; use {needed:,} or more")


def baseline_of(selection: Selection, choices: Choices) -> str:
    """Return the baseline that is chosen, or the system that is called so; "" for none.

    ChoiceError if no system has the name that is chosen.
    """
    names = selection.stats.names
    if choices.baseline not in ("", NO_BASELINE, *names):
        raise ChoiceError.unknown("system", choices.baseline, names)
    if choices.baseline:
        return "" if choices.baseline == NO_BASELINE else choices.baseline
    if guessed := guessed_baseline(selection.systems):
        note(f"baseline: {guessed}, by its name; --baseline {NO_BASELINE} for none")
    return guessed


def load(choices: Choices) -> SharedTask:
    """Return the task; note what could not be used.

    Raises ChoiceError before reading the files if it must be chosen which direction is better and is not.
    """
    task = load_task(choices.task, choices.gold, choices.correction, partial(_demand_edition, choices))
    if choices.verify:
        for test_set in task.test_sets.values():
            test_set.forget()
    note(*task.problems)
    return task.on(choices.test_sets) if choices.test_sets else task


def selection_of(choices: Choices) -> Selection:
    """Return the selection of one test set, by default the first."""
    demand_average(choices)
    task = load(choices)
    if choices.test_set == MACRO and MACRO not in task.test_sets:
        raise ChoiceError(f"This command is about one test set, not about the {MACRO}: {', '.join(task.test_sets)}")
    test_set = task.test_set(choices.test_set)
    say_test_set(task, test_set, choices)
    return _selected(task, test_set.name, choices)


def say_test_set(task: SharedTask, test_set: TestSet, choices: Choices) -> None:
    """Note which of several test sets is taken if none is chosen, and what is wrong with it."""
    if len(task.test_sets) > 1 and not choices.test_set:
        note(f"test set {test_set.name}, the first of {', '.join(task.test_sets)}")
    note(*test_set.notes)


def comparison_of(choices: Choices) -> Selection:
    """Return the selection of one test set, or of the macro-average over all, or over those that are named."""
    averaged = choices.test_set == MACRO or (len(choices.test_sets) > 1 and not choices.test_set)
    return campaign_of(choices) if averaged else selection_of(choices)


def demand_average(choices: Choices) -> None:
    """Raise ChoiceError for weights where nothing is averaged."""
    if choices.weights != EQUAL:
        raise ChoiceError(f"--weights are those of a {MACRO}, which is not computed here")


def campaign_of(choices: Choices) -> Selection:
    """Return the macro-average over all test sets."""
    return average_of(load(choices), choices)


def average_of(task: SharedTask, choices: Choices, say: bool = True) -> Selection:
    """Return the macro-average over all test sets of a task, or its only one; ``say`` notes what is wrong with them."""
    note(*(message for test_set in task.test_sets.values() for message in test_set.notes if say))
    selection = _selected(task, MACRO, choices, say)
    in_domain = [name for name, of in task.test_sets.items() if of.domain_here(choices.domain) is not None]
    if lacking := [name for name in in_domain if name not in selection.test_sets]:
        note(f"no {choices.metric}, so left out: {', '.join(lacking)}")
    return selection


def _selected(task: SharedTask, name: str, choices: Choices, say: bool = True) -> Selection:
    """Return the selection of a test set by name, or of the macro-average; note what is wrong with its outputs."""
    how = {"domain": choices.domain, "unit": choices.unit, "invalid": choices.invalid, "weights": choices.weights}
    selection = select(task, partial(_metric, choices), name, count=partial(count, choices), **how)
    if say:
        _say_problems(selection)
    return selection


def side_by_side_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for test sets or domains side by side."""
    common_options(parser, "task without average")
    another = "another task of the same systems"
    parser.add_argument("--with", dest="others", action="append", default=[], metavar="TASK", help=another)


def side_by_side(choices: Choices, others: Sequence[str]) -> dict[str, Selection]:
    """Return selections by name: the test sets of one or several tasks, else the domains of the only test set."""
    demand_average(choices)
    of = campaign_of if choices.test_set in (None, MACRO) else selection_of
    selection, elsewhere = of(choices), replace(choices, test_set=None)
    if not others:
        if selection.several:
            return selection.each
        of_domains, notes = by_domain(selection)
        note(*notes)
        if len(of_domains) < 2:
            raise TaskError("There is one test set and its domains are not known; name another task with --with")
        return of_domains
    every = [selection, *(campaign_of(elsewhere.of_task(other)) for other in others)]
    return named_apart((name or one.task.name, alone) for one in every for name, alone in one.each.items())


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


def _metric(choices: Choices, test_set: TestSet) -> Metric:
    """Return the metric that the options name, in the edition that is named or usual."""
    _demand_metric(choices, test_set.reader, test_set)
    offer = Offer(test_set, choices.edition)
    metric = offer.metric(choices.metric)
    # Menus list both, the rule of the edition first.
    if choices.edition and (own := f"{choices.edition}-{metric.name}") in offer.metrics:
        raise ChoiceError(f"{metric.name} is {metric.editions[0]}; choose --metric {own}, or leave out --edition")
    return metric


def _demand_metric(choices: Choices, reader: Reader, test_set: TestSet | None = None) -> None:
    """Raise ChoiceError for a metric of other formats; it names them, and the option to read the files as one of them.

    Without a ``test_set``, as for score tables, no option is named.
    """
    formats = formats_with(choices.metric or "")
    if not formats or reader.name in formats or (test_set and Offer(test_set).own_named(choices.metric)):
        return
    fitting = [name for name in formats if test_set and _looks_like(READERS[name], test_set.gold_files[0])]
    *first, last = (name if name.startswith("CoNLL") else f"{name.lower().rstrip('s')}s" for name in formats)
    of = f"{', '.join(first)} and {last}" if first else last
    kinds = " or ".join(f"--kind {shlex.quote(name)}" for name in fitting)
    raise ChoiceError(f"{choices.metric} is a metric of {of}" + (f": {kinds}" if kinds else ""))


def _looks_like(reader: Reader, gold: File) -> bool:
    return Path(gold.path).suffix.lower() in reader.endings and reader.looks_like(gold.text()[:HEAD])


def _demand_edition(choices: Choices, reader: Reader) -> None:
    """Raise ChoiceError if the user must choose the edition and names neither it nor a metric that has only one."""
    if reader.editions is not None and reader.editions.usual is None:
        _demand_metric(choices, reader)
        Offer(reader, choices.edition).edition_of(choices.metric)


def count(choices: Choices, task: SharedTask, test_set: TestSet, metric: Metric) -> Counts:
    """Return the statistics of all systems."""
    return count_outputs(task, test_set, metric, progress("reading"), choices.workers)


def bootstrap_of(selection: Selection, choices: Choices, systems: int = 2) -> Results:
    """Return the bootstrap of all pairs, with what the notion needs beside it; note what p rests on."""
    selection.check(systems)
    results = results_of(selection, choices)
    say_what_p_is(choices.notion, selection)
    gold = first_few(dict.fromkeys(f.path for one in selection.test_sets.values() for f in one.test_set.gold_files))
    n, reader = selection.stats.n_systems, selection.task.reader
    note(f"read as {reader.name}: {n:,} {plural(n, 'system')}{'' if reader.logs else f' against {gold}'}")
    return results


def results_of(selection: Selection, choices: Choices, name: str = "") -> Results:
    """Return the results with all that the notion needs and that takes long; ``name`` stands before their progress."""
    stats, recipe = selection.stats, choices.recipe

    def shown(what: str) -> Callable[[float, object], None] | None:
        return progress(f"{name}, {what}" if name else what)

    def bootstrap() -> Bootstrap:
        return selection.bootstrap(recipe, shown("resampling"), workers=choices.workers).bootstrap

    def tested(test: str) -> PValues:
        return run_test(test, stats, recipe, shown(TESTS[test].label))

    def by_max_t(result: Bootstrap) -> np.ndarray:
        return Results(selection, result).max_t(shown("max-t"), choices.workers)

    return Results(*evidence(selection, choices.notion, bootstrap, tested, by_max_t))


def sign_with(selection: Selection, choices: Choices, **more: object) -> None:
    """Print the signature with the notion of significance, and the kind of the intervals unless it is the usual one."""
    interval = {"interval": choices.interval} if choices.interval != INTERVALS[0] else {}
    sign(selection.signature(choices.recipe, **choices.notion.signed_on(selection.stats) | interval | more))


def say_what_p_is(notion: Notion, *selections: Selection) -> None:
    """Note what p rests on: few units, documents, shared units, training runs; each once."""
    messages = []
    for selection in selections:
        stats = selection.stats
        messages += [*cautions(stats, notion), document_note(selection.test_sets), shared_note(stats), runs_note(stats)]
    note(*dict.fromkeys(messages))
