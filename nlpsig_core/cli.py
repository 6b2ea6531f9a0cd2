"""The command line: ``nlpsig score|pairs|threshold|synthesize``, data on standard output."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import pandas as pd

from nlpsig_core import __version__
from nlpsig_core.analysis import Selection
from nlpsig_core.bootstrap import Bootstrap
from nlpsig_core.counting import INVALID, Counts, count_test_set
from nlpsig_core.errors import ChoiceError, NlpsigError
from nlpsig_core.layout import ROLES
from nlpsig_core.metrics import METRICS, metric_named, metrics_for, usual_edition
from nlpsig_core.metrics.base import Family
from nlpsig_core.readers import READERS
from nlpsig_core.resampling import Resampling
from nlpsig_core.significance import INTERVALS, PAIR_COLUMNS
from nlpsig_core.synthesis import KINDS, synthesize
from nlpsig_core.task import Correction, SharedTask, load_task, sample_names
from nlpsig_core.test_set import TestSet
from nlpsig_core.thresholds import Rule, threshold_table

SCORE_COLUMNS = ["system", "group", "score", "low", "high", "rank_low", "rank_high", "tied_group", "status"]
EXACT = ("p_value", "p_two_sided", "p_holm", "p_bh", "p_error")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, or 2 where the input or the request is wrong."""
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
    except NlpsigError as error:
        print(f"nlpsig: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return 0


def run() -> None:
    """The console script."""
    sys.exit(main())


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"nlpsig: {message}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="nlpsig", description="Paired bootstrap for all pairs of systems of a shared task.")
    parser.add_argument("--version", action="version", version=f"nlpsig {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (command, options) in COMMANDS.items():
        what = (command.__doc__ or "").strip()
        subparser = commands.add_parser(name, help=what, description=what)
        options(subparser)
        subparser.set_defaults(command=command)
    return parser


def _task_options(parser: argparse.ArgumentParser) -> None:
    samples = ", ".join(sample_names()) or "none"
    parser.add_argument("task", metavar="TASK", help=f"a folder, a zip, or a sample's name ({samples})")
    parser.add_argument("--gold", type=Path, help="the gold file or folder, where it lies apart from the outputs")
    parser.add_argument("--metric", help=f"one that fits the outputs (default: the first) of {', '.join(METRICS)}")
    parser.add_argument("--edition", help="edition of the metrics: CoNLL edition, tokeniser, stemming, direction, ...")
    parser.add_argument("--test-set", help="where there are several (default: the first)")
    parser.add_argument("--domain", default="", help='the units of one domain only, or of "all but NAME"')
    parser.add_argument("--unit", default="", help="what is resampled: document, where documents are known")
    parser.add_argument("--invalid", default="", help=f"treatment of invalid outputs: {', '.join(INVALID)}")
    parser.add_argument("--kind", help=f"format, where it is not recognised: {', '.join(READERS)}")
    for option, meaning in (("--role", f"what a file is: {', '.join(ROLES)}"), ("--read-as", "another way to read it")):
        parser.add_argument(option, action="append", default=[], metavar="FILE=WHAT", help=meaning)
    parser.add_argument("--resamples", type=int, default=1_000_000, metavar="B", help="(1000000)")
    parser.add_argument("--seed", type=int, default=0, help="(0)")
    parser.add_argument("--format", choices=("tsv", "json"), default="tsv")


def _score_options(parser: argparse.ArgumentParser) -> None:
    _task_options(parser)
    _interval_option(parser)
    parser.add_argument("--all-metrics", action="store_true", help="precision, recall and F1 of every metric")


def _pairs_options(parser: argparse.ArgumentParser) -> None:
    _task_options(parser)
    _interval_option(parser)


def _interval_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--interval", choices=INTERVALS, default=INTERVALS[0], help="kind of the 95 %% intervals")


def _threshold_options(parser: argparse.ArgumentParser) -> None:
    _task_options(parser)
    parser.add_argument("--level", type=float, default=0.05, help="significance level (0.05)")
    parser.add_argument("--window", type=float, nargs=2, default=(0.04, 0.06), metavar=("LOW", "HIGH"))
    parser.add_argument("--percentile", type=float, default=95.0, help="percentile of the gains (95)")
    parser.add_argument("--fewest", type=int, default=5, help="fewest pairs that a threshold may rest on (5)")


def _synthesize_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="an empty or new folder")
    parser.add_argument("--kind", default="parsing", help=f"one of {', '.join(KINDS)} (parsing)")
    for name, value in {"seed": 0, "sentences": 600, "groups": 9, "systems": 24}.items():
        parser.add_argument(f"--{name}", type=int, default=value, help=f"({value})")
    parser.add_argument("--combinations", type=int, help="of parsers (4)")
    parser.add_argument("--test-sets", nargs="+", default=[], metavar="NAME", help="several test sets of these names")


def score_command(options: argparse.Namespace) -> None:
    """Scores with intervals, rank ranges and tied groups, or precision, recall and F1 of all metrics."""
    selection = _selection(options)
    if options.all_metrics:
        metrics = metrics_for(selection.task.reader.name, _edition(options, selection.test_set))
        _write(
            selection.all_metrics(metrics, lambda family: _count(selection.task, selection.test_set, family)), options
        )
        return
    result = _bootstrap(selection, options)
    _write(selection.ranking(result, interval=options.interval)[SCORE_COLUMNS], options)


def pairs_command(options: argparse.Namespace) -> None:
    """Gain, interval and p-values of every pair of systems, the observed winner first."""
    selection = _selection(options)
    result = _bootstrap(selection, options)
    table = selection.pairs(result, options.interval)
    _write(table[list(PAIR_COLUMNS[:-1])], options)


def threshold_command(options: argparse.Namespace) -> None:
    """The gain that usually means p < level, by comparison class and two estimates."""
    rule = Rule(options.level, tuple(options.window), options.percentile, options.fewest)
    selection = _selection(options)
    pairs = selection.pairs(_bootstrap(selection, options))
    _write(threshold_table(pairs, rule), options)


def synthesize_command(options: argparse.Namespace) -> None:
    """Write a synthetic shared task: a made-up language, systems whose true qualities are known."""
    try:
        folder = synthesize(
            options.folder,
            options.kind,
            seed=options.seed,
            sentences=options.sentences,
            groups=options.groups,
            systems=options.systems,
            combinations=options.combinations,
            test_sets=tuple(options.test_sets),
        )
    except ValueError as error:
        raise ChoiceError(str(error)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ChoiceError(f"{options.folder}: {reason}; name a new or empty folder that can be written") from None
    print(folder)


COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], None], Callable[[argparse.ArgumentParser], None]]] = {
    "score": (score_command, _score_options),
    "pairs": (pairs_command, _pairs_options),
    "threshold": (threshold_command, _threshold_options),
    "synthesize": (synthesize_command, _synthesize_options),
}


def _selection(options: argparse.Namespace) -> Selection:
    correction = Correction(options.kind, _by_file(options.role), _by_file(options.read_as))
    task = load_task(options.task, options.gold, correction)
    test_set = task.test_set(options.test_set)
    metric = metric_named(
        options.metric, task.reader.name, _edition(options, test_set), only=options.edition is not None
    )
    for problem in task.problems:
        print(f"note: {problem}", file=sys.stderr)
    if len(task.test_sets) > 1 and not options.test_set:
        print(f"note: test set {test_set.name}, the first of {', '.join(task.test_sets)}", file=sys.stderr)
    for note in test_set.notes:
        print(f"note: {note}", file=sys.stderr)
    counts = _count(task, test_set, metric.family)
    for system, remarks in counts.remarks.items():
        print(f"note: {system}: {'; '.join(remarks)}", file=sys.stderr)
    for system, problem in counts.problems.items():
        print(f"note: {system}: {problem} ({options.invalid or counts.treatments[0]})", file=sys.stderr)
    return Selection(task, test_set, counts, metric, options.domain, options.invalid, options.unit)


def _edition(options: argparse.Namespace, test_set: TestSet) -> str | None:
    return options.edition or usual_edition(test_set.reader.name, test_set.gold)


def _bootstrap(selection: Selection, options: argparse.Namespace) -> Bootstrap:
    result = selection.bootstrap(Resampling(options.resamples, options.seed), _progress())
    if selection.few_units:
        print(f"note: {selection.few_units}", file=sys.stderr)
    return result


def _count(task: SharedTask, test_set: TestSet, family: Family) -> Counts:
    return count_test_set(test_set, task.systems["file"].tolist(), family, _progress("reading"))


def _by_file(options: list[str]) -> dict[str, str]:
    """What is said of files, by path."""
    for option in options:
        if "=" not in option:
            raise ChoiceError(f"{option!r} is not FILE=WHAT")
    return dict(option.split("=", 1) for option in options)


def _progress(what: str = "resampling"):
    """A line on standard error that is drawn over itself, where a person watches."""
    if not sys.stderr.isatty():
        return None

    def show(done: float, of: object) -> None:
        share = done / of if isinstance(of, int) else done
        print(f"\r{what} {share:4.0%}\033[K", end="\r" if share >= 1 else "", file=sys.stderr, flush=True)

    return show


def _write(table: pd.DataFrame, options: argparse.Namespace) -> None:
    if options.format == "json":
        print(table.to_json(orient="records", double_precision=15, indent=1))
        return
    print("\t".join(table.columns))
    exact = [column in EXACT for column in table.columns]
    for row in table.itertuples(index=False):
        print("\t".join(_cell(value, full) for value, full in zip(row, exact, strict=True)))


def _cell(value: object, full: bool) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(float(value)) if full else f"{value:.6f}"
    return (
        json.dumps(value, ensure_ascii=False) if isinstance(value, str) and set("\t\n\r") & set(value) else str(value)
    )
