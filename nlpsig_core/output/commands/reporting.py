"""The command ``report``, which writes one page with all results of a shared task."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.words import printable
from nlpsig_core.data.task import sample_path
from nlpsig_core.data.task.folders import resolved
from nlpsig_core.output.commands.options import baseline_option, notion_of, rule_of, rule_options, task_options
from nlpsig_core.output.commands.output import note
from nlpsig_core.output.commands.task import baseline_of, bootstrap_of, comparison_of, sign_with
from nlpsig_core.significance.resampling.bootstrap import INTERVALS
from nlpsig_core.significance.stats.packing import pack

STANDARD_OUTPUT = "-"


def report_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``report``."""
    task_options(parser)
    rule_options(parser)
    baseline_option(parser)
    intervals = list(INTERVALS)
    parser.add_argument("--interval", choices=intervals, default=intervals[0], help="kind of the 95%% intervals")
    parser.add_argument("--title", type=printable, default="", help="heading of the page (default: the task's name)")
    beside = "write the task's statistics without text to this file, too, and link to it"
    parser.add_argument("--pack", default="", metavar="FILE", help=beside)
    where = f"file to write (report.html); {STANDARD_OUTPUT} for standard output"
    parser.add_argument("-o", "--output", default="report.html", metavar="FILE", help=where)


def report(options: argparse.Namespace) -> None:
    """Write one self-contained HTML page: ranking, all pairs, thresholds, problems, settings."""
    check(options.output)
    if options.pack:
        check(options.pack, "task.nlpsig")
    rule, notion = rule_of(options), notion_of(options)
    comparison = comparison_of(options)
    results = bootstrap_of(comparison, options, systems=1)
    sign_with(comparison, options)
    # Plotting is slow to import, and the other commands do not need it.
    from nlpsig_core.output.report.page import report_html

    page = report_html(
        comparison, results, notion=notion, interval=options.interval, rule=rule, title=options.title,
        baseline=baseline_of(comparison, options), files=words_of_files(options),
        pack=printable(Path(options.pack).name),
    )  # fmt: skip
    if options.pack:
        metrics = {one.metric.name for one in comparison.test_sets.values()}
        write_page(pack(comparison.task, sorted(metrics) if len(metrics) == 1 else ()), options.pack)
    write_page(page.encode(), options.output)


def words_of_files(options: argparse.Namespace) -> list[str]:
    """Return the arguments that name the task and the roles of its files, without folders."""
    words = [options.task if sample_path(options.task) else resolved(options.task).name]
    words += ["--gold", resolved(options.gold).name] if options.gold else []
    words += ["--kind", options.kind] if options.kind else []
    words += ["--test-sets", *options.test_sets] if options.test_sets else []
    words += [word for role in options.role for word in ("--role", role)]
    return list(map(printable, words))


def check(output: str, example: str = "report.html") -> None:
    """Raise FileError before any work is done if a file cannot be written there."""
    path = Path(output)
    if output == STANDARD_OUTPUT:
        return
    if path.is_dir():
        raise FileError(output, None, f"is a folder; name a file, such as {example} in it")
    if not path.parent.is_dir():
        raise FileError(output, None, f"the folder {path.parent} does not exist; create it or choose another")


def write_page(page: bytes, output: str) -> None:
    """Write the page completely or not at all, and note its path and size."""
    if output == STANDARD_OUTPUT:
        sys.stdout.buffer.write(page)
        sys.stdout.flush()
        return
    path = Path(output)
    try:
        write_whole(path, page)
    except OSError as error:
        raise FileError(output, None, f"cannot be written: {error.strerror}") from None
    note(f"{path}: {len(page) / 1e6:.1f} MB")
