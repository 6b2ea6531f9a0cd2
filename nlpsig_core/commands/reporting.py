"""The command that writes a report, one page with all results of a shared task."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from nlpsig_core.commands.output import note
from nlpsig_core.commands.task import (
    bootstrap_of,
    by_max_t,
    comparison_of,
    notion_of,
    rule_of,
    rule_options,
    sign_with,
    task_options,
)
from nlpsig_core.errors import FileError
from nlpsig_core.resampling.intervals import INTERVALS
from nlpsig_core.task.loading import sample_path

STANDARD_OUTPUT = "-"


def report_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``report``."""
    task_options(parser)
    rule_options(parser)
    intervals = list(INTERVALS)
    parser.add_argument("--interval", choices=intervals, default=intervals[0], help="kind of the 95 %% intervals")
    parser.add_argument("--title", default="", help="heading of the page (default: the name of the task)")
    where = f"the page's file (report.html); {STANDARD_OUTPUT} for standard output"
    parser.add_argument("-o", "--output", default="report.html", metavar="FILE", help=where)


def report(options: argparse.Namespace) -> None:
    """One self-contained HTML page: ranking, all pairs, thresholds, problems, settings."""
    check(options.output)
    rule, notion = rule_of(options), notion_of(options)
    comparison = comparison_of(options)
    results = bootstrap_of(comparison, options, systems=1)
    sign_with(comparison, options)
    # Drawing is slow to import, and the other commands do without.
    from nlpsig_core.report.page import report_html

    page = report_html(
        comparison, results, notion=notion, by_max_t=by_max_t(results, notion), interval=options.interval,
        rule=rule, title=options.title, files=words_of_files(options),
    )  # fmt: skip
    write_page(page.encode(), options.output)


def words_of_files(options: argparse.Namespace) -> list[str]:
    """The words of the command line that name the task and say what its files are, without their folders."""
    task = options.task if sample_path(options.task) else Path(options.task).resolve().name
    words = [task]
    words += ["--gold", options.gold.resolve().name] if options.gold else []
    words += ["--kind", options.kind] if options.kind else []
    return words + [word for role in options.role for word in ("--role", role)]


def check(output: str) -> None:
    """Raise FileError where the page cannot be written, before any work is done."""
    path = Path(output)
    if output == STANDARD_OUTPUT:
        return
    if path.is_dir():
        raise FileError(output, None, "it is a folder; name a file, such as report.html in it")
    if not path.parent.is_dir():
        raise FileError(output, None, f"there is no folder {path.parent}; make it, or write to another one")


def write_page(page: bytes, output: str) -> None:
    """Write the page whole or not at all, and say where it is and how large."""
    if output == STANDARD_OUTPUT:
        sys.stdout.buffer.write(page)
        sys.stdout.flush()
        return
    path = Path(output)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(page)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise FileError(output, None, f"it cannot be written: {error.strerror}") from None
    note(f"{path}: {len(page) / 1e6:.1f} MB")
