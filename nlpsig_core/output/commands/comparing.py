"""The commands of the main job: score, pairs, compare, threshold."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_two
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.output.commands.options import Choices, common_options
from nlpsig_core.output.commands.output import note, progress, sign, write, write_object
from nlpsig_core.output.commands.task import (
    baseline_of,
    bootstrap_of,
    comparison_of,
    count,
    few_differing,
    say_what_p_is,
    selection_of,
    sign_with,
    too_few_resamples,
)
from nlpsig_core.significance.comparison.classes import classes_digest
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, Notion, cutoff_for
from nlpsig_core.significance.comparison.pair_table import SHOWN_COLUMNS
from nlpsig_core.significance.comparison.ranking import best_two
from nlpsig_core.significance.comparison.scores import NO_BASELINE, against, against_by_metrics, all_metrics
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.signature import NOTHING_RESAMPLED
from nlpsig_core.significance.comparison.thresholds import threshold_table
from nlpsig_core.significance.comparison.verdict import finding
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample
from nlpsig_core.studies.pair.text_report import report, report_text
from nlpsig_core.studies.pair.without import carried_by
from nlpsig_core.studies.pair.writing import baseline_sentence, interval_note

SCORE_COLUMNS = ["system", "group", "score", "low", "high", "rank_low", "rank_high", "tied_group", "status"]
AGAINST_COLUMNS = ["gain", "verdict", "p", "p_corrected"]


def score_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``score``."""
    common_options(parser, "task", "workers", "interval", "notion", "baseline")
    parser.add_argument("--all-metrics", action="store_true", help="all metrics, with precision and recall")
    several = "with a baseline: gain, p and verdict by each of these metrics, a row for each metric and system"
    parser.add_argument("--metrics", nargs="+", default=[], metavar="METRIC", help=several)


def score(options: argparse.Namespace) -> None:
    """Print scores with intervals, rank ranges and tied groups, or the scores by all metrics."""
    choices = Choices.from_options(options)
    if options.all_metrics and (options.metrics or choices.baseline not in ("", NO_BASELINE)):
        raise ChoiceError("--all-metrics prints only scores; leave out --metrics and --baseline")
    if options.metrics:
        _by_metrics(options.metrics, choices)
    elif options.all_metrics:
        _all_metrics(selection_of(choices), choices)
    else:
        _ranking(choices)


def _ranking(choices: Choices) -> None:
    notion, selection = choices.notion, comparison_of(choices)
    baseline = baseline_of(selection, choices)
    results = bootstrap_of(selection, choices, systems=1)
    ranking, columns, signed = results.ranking(notion, interval=choices.interval), list(SCORE_COLUMNS), {}
    if selection.stats.n_pairs:
        pairs = results.pairs(notion, interval=choices.interval)
        if (best := best_two(ranking, pairs)) is not None:
            note(results.verdict(best, notion).line)
        note(finding(pairs, notion, selection.metric, selection.decimals))
        note(f"ranks and ties: {notion.words(len(pairs), ranking=True)}")
        too_few_resamples(len(pairs), choices)
        if baseline:
            table = against(pairs, baseline, selection.stats.names)
            note(baseline_sentence(table, selection.metric, notion, selection.decimals))
            ranking = ranking.merge(table[["system", *AGAINST_COLUMNS]], on="system")
            columns[5:5], signed = AGAINST_COLUMNS, {"baseline": baseline}
    sign_with(selection, choices, **signed)
    write(ranking[columns], choices.format)


def _by_metrics(names: Sequence[str], choices: Choices) -> None:
    selection, notion = comparison_of(choices), choices.notion
    baseline = baseline_of(selection, choices)
    if not baseline or notion.within is not None:
        raise ChoiceError("--metrics needs --baseline, and has no --within: a gain that nobody minds is one metric's")
    offer = _offer(selection, choices)
    metrics = {name: offer.metric(name, any_edition=True) for name in dict.fromkeys(names)}
    selection.check(1)
    say_what_p_is(notion, selection)

    def bootstrap(by_metric: Selection) -> Results:
        return by_metric.bootstrap(choices.recipe, progress=progress(), workers=choices.workers)

    counted = partial(count, choices, selection.task, selection.first.test_set)
    table = against_by_metrics(
        selection, metrics, baseline, bootstrap, notion, interval=choices.interval, count=counted
    )
    sign_with(selection, choices, metrics=",".join(metrics), baseline=baseline)
    write(table, choices.format)


def _offer(selection: Selection, choices: Choices) -> Offer:
    """Return what the first test set offers in the edition of the selection's metric."""
    offer = Offer(selection.first.test_set, choices.edition)
    return replace(offer, edition=offer.edition_of(choices.metric))


def _all_metrics(selection: Selection, choices: Choices) -> None:
    metrics = _offer(selection, choices).metrics
    table = all_metrics(selection, metrics, partial(count, choices, selection.task, selection.first.test_set))
    table.insert(2, "name", table["metric"].map({label: metric.name for label, metric in metrics.items()}))
    sign(selection.signature(choices.recipe, **NOTHING_RESAMPLED, metrics=",".join(metrics)))
    write(table, choices.format)


def pairs_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``pairs``."""
    common_options(parser, "task", "workers", "interval", "notion")


def pairs(options: argparse.Namespace) -> None:
    """Print the gain, interval, verdict and p-values of every pair of systems, the observed winner first."""
    choices = Choices.from_options(options)
    notion, selection = choices.notion, comparison_of(choices)
    table = bootstrap_of(selection, choices).pairs(notion, interval=choices.interval)
    if notion.test_on(selection.stats) == BOOTSTRAP:
        few_differing(table, selection.stats.unit)
    too_few_resamples(len(table), choices)
    note(f"{finding(table, notion, selection.metric, selection.decimals)} ({notion.words(len(table))})")
    sign_with(selection, choices)
    write(table[list(SHOWN_COLUMNS)], choices.format)


def compare_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``compare``."""
    common_options(parser, "task", "interval", "notion")
    parser.add_argument("systems", nargs=2, metavar="SYSTEM", help="the names of two systems")


def compare(options: argparse.Namespace) -> None:
    """Compare two systems in plain text: scores with intervals, units won, and tests of the difference."""
    choices, chosen = Choices.from_options(options), options.systems
    selection, notion = comparison_of(choices), choices.notion
    check_two(chosen, selection.stats.names)
    results = bootstrap_of(selection, choices)
    table = results.pairs(notion, interval=choices.interval)
    row = table[table["system_a"].isin(chosen) & table["system_b"].isin(chosen)].iloc[0]
    pair = selection.stats.named(chosen)
    decides = replace(notion, test=notion.test_on(selection.stats), level=cutoff_for(row, table, notion))
    verdict = results.verdict(row, notion, carried=_carried(pair, row, decides, choices.recipe))
    note(interval_note(row, decides.test, notion.level))
    result = report(pair, verdict, choices.recipe, progress(), choices.interval)
    sign_with(selection, choices, systems=",".join(chosen))
    if choices.format == "json":
        write_object(result)
    else:
        sys.stdout.write(f"{verdict.line}\n\n{report_text(result, verdict)}")


def _carried(pair: Sample, row: pd.Series, notion: Notion, recipe: Resampling) -> int | None:
    """Return the number of units without which the gain of a pair is not significant; None where that is unknown."""
    if len(pair.test_sets) > 1 or not row["gain"] > 0:
        return None
    winner_first = [pair.names.index(row[column]) for column in ("system_a", "system_b")]
    carried = carried_by(pair.test_sets[0].select(winner_first), recipe, notion)
    return carried.k if carried else None


def threshold_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``threshold``."""
    common_options(parser, "task", "rule")


def threshold(options: argparse.Namespace) -> None:
    """Print the gain above which pairs are usually significant, by comparison class: by the window of p and a model."""
    choices = Choices.from_options(options)
    selection = comparison_of(choices)
    pairs = bootstrap_of(selection, choices).pairs(choices.notion)
    rule = choices.rule.following(choices.notion, pairs)
    sign_with(selection, choices, **rule.signed, groups=classes_digest(selection.systems))
    write(threshold_table(pairs, rule), choices.format)
