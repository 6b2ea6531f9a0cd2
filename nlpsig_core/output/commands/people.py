"""The command ``people``: a metric beside people's scores, and metrics on trial."""

from __future__ import annotations

import argparse
from dataclasses import replace

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.metrics.people import MEASURES
from nlpsig_core.output.commands.options import Choices, common_options
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.output.commands.task import selection_of
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.studies.people.measures import by_measure, measures
from nlpsig_core.studies.people.metrics import best_of_many, pairs_of_metrics
from nlpsig_core.studies.people.new_systems import DRAWS, with_intervals
from nlpsig_core.studies.people.pairs import confirmed, pairs_by_both, twice
from nlpsig_core.studies.people.perm_both import PERMUTATIONS
from nlpsig_core.studies.people.rated import are_of_metrics, rated_of
from nlpsig_core.studies.people.trial import trial_of


def people_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``people``."""
    common_options(parser, "task without average", "notion")
    scores = "metric on trial whose pairs are printed, if the outputs are metrics (that of the best SPA)"
    parser.add_argument("--scores", metavar="NAME", help=scores)
    instead = f"print every measure of every metric instead ({DRAWS:,} draws)"
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--measures", action="store_true", help=instead)
    more = "print every pair of metrics by one measure (--metric) instead, by the bootstrap and by PERM-BOTH"
    either.add_argument("--metrics", action="store_true", help=more)
    parser.set_defaults(resamples=None)


def people(options: argparse.Namespace) -> None:
    """Print every pair of systems by a metric and by people, or how well metrics agree with people."""
    choices = Choices.from_options(options)
    if (options.measures or options.metrics) and (choices.unit or choices.invalid or options.scores):
        raise ChoiceError("--measures and --metrics are about all segments: leave out --unit, --invalid and --scores")
    if options.measures and choices.metric:
        raise ChoiceError("--measures prints all measures; --metric is for --metrics")
    if options.measures or options.metrics:
        _trial(choices, intervals=options.measures)
        return
    selection = selection_of(choices)
    on_trial = are_of_metrics(selection.first.test_set)
    if options.scores and not on_trial:
        raise ChoiceError("--scores names a metric on trial; these outputs are scored by --metric")
    if choices.metric and on_trial:
        raise ChoiceError("These outputs are metrics on trial: name one by --scores; --metric is for --metrics")
    if choices.invalid and on_trial:
        raise ChoiceError("Segments that a metric on trial has no score of are left out; leave out --invalid")
    if selection.metric is HUMAN_SCORE:
        raise ChoiceError(f"{HUMAN_SCORE.label} is people's own verdict: name a metric by --metric")
    file, metric = _metric(selection, options.scores)
    results = twice(rated_of(selection, file), choices.recipe, progress())
    pairs = pairs_by_both(results, choices.notion)
    note(confirmed(pairs, metric))
    if results.people.apart:
        note(f"{count(results.people.apart, 'pair')} of systems left out: fewer than two segments have scores of both")
    chosen = {"unit": choices.unit, "domain": choices.domain}
    named = {"metric": metric} if file else {}
    used = choices.notion.signed_on(results.metric.selection.stats)
    sign(results.signed(**used, **named, **{name: choice for name, choice in chosen.items() if choice}))
    write(pairs, choices.format)


def _metric(selection: Selection, name: str | None) -> tuple[str, str]:
    """Return the file of a metric on trial and its name, by default that of the best SPA; else no file."""
    if not are_of_metrics(selection.first.test_set):
        return "", selection.metric.label
    files = {system: file for file, system in selection.task.names.items()}
    name = name or str(by_measure(measures(selection.task, selection.first.test_set))["system"].iloc[0])
    return files.get(name, name), name


def _trial(choices: Choices, intervals: bool) -> None:
    """Print every measure of every metric with ``intervals``, or every pair of metrics by one measure."""
    selection = selection_of(replace(choices, metric=None))
    task = trial_of(selection, progress=progress("scoring units"))
    note(best_of_many(len(task.systems)))
    own = task is selection.task
    test_set, domain = task.test_set(choices.test_set if own else None), choices.domain if own else ""
    if intervals:
        table = measures(task, test_set, domain=domain)
        chosen = select(task, MEASURES[0], test_set.name, domain=domain)
        measured = ",".join(dict.fromkeys(table["measure"]))
        recipe = choices.recipe_of(DRAWS)
        drawn = {"test": "none", "unit": "system", "n": len(test_set.classes)}
        sign(chosen.signature(recipe, metrics=measured, **drawn))
        write(with_intervals(table, task, test_set, recipe.seed, domain, recipe.n_resamples), choices.format)
        return
    _metrics(select(task, Offer(test_set).metric(choices.metric), test_set.name, domain=domain), choices)


def _metrics(chosen: Selection, choices: Choices) -> None:
    """Print every pair of metrics by a measure."""
    results = chosen.bootstrap(choices.recipe, progress())
    pairs = pairs_of_metrics(results, choices.notion, progress("swapping"))
    signed = choices.notion.signed_on(chosen.stats)
    sign(chosen.signature(choices.recipe, permutations=PERMUTATIONS, **signed))
    write(pairs, choices.format)
