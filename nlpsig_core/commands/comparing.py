"""The commands of the main job: score, pairs, threshold."""

from __future__ import annotations

import argparse

from nlpsig_core.analysis import Selection
from nlpsig_core.commands.output import write
from nlpsig_core.commands.task import (
    bootstrap_of,
    comparison_of,
    count,
    edition_of,
    rule_of,
    rule_options,
    selection_of,
    task_options,
)
from nlpsig_core.metrics import metrics_for
from nlpsig_core.significance import INTERVALS, PAIR_COLUMNS
from nlpsig_core.thresholds import threshold_table

SCORE_COLUMNS = ["system", "group", "score", "low", "high", "rank_low", "rank_high", "tied_group", "status"]


def score_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``score``."""
    pairs_options(parser)
    parser.add_argument("--all-metrics", action="store_true", help="every metric, with precision, recall and the like")


def score(options: argparse.Namespace) -> None:
    """Scores with intervals, rank ranges and tied groups, or the scores of all metrics."""
    if options.all_metrics:
        _all_metrics(selection_of(options), options)
        return
    selection = comparison_of(options)
    result = bootstrap_of(selection, options, systems=1)
    write(selection.ranking(result, interval=options.interval)[SCORE_COLUMNS], options)


def _all_metrics(selection: Selection, options: argparse.Namespace) -> None:
    task, test_set = selection.task, selection.test_set
    metrics = metrics_for(task.reader.name, edition_of(options, test_set))
    write(selection.all_metrics(metrics, lambda family: count(task, test_set, family)), options)


def pairs_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``pairs``."""
    task_options(parser)
    parser.add_argument("--interval", choices=INTERVALS, default=INTERVALS[0], help="kind of the 95 %% intervals")


def pairs(options: argparse.Namespace) -> None:
    """Gain, interval and p-values of every pair of systems, the observed winner first."""
    selection = comparison_of(options)
    table = selection.pairs(bootstrap_of(selection, options), options.interval)
    write(table[list(PAIR_COLUMNS[:-1])], options)


def threshold_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``threshold``."""
    task_options(parser)
    rule_options(parser)


def threshold(options: argparse.Namespace) -> None:
    """The gain that usually means p < level, by comparison class and two estimates."""
    rule = rule_of(options)
    selection = comparison_of(options)
    write(threshold_table(selection.pairs(bootstrap_of(selection, options)), rule), options)
