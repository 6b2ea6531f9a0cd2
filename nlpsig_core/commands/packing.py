"""The command ``pack``, which writes a task's statistics without its text."""

from __future__ import annotations

import argparse

from nlpsig_core.commands.options import task_options
from nlpsig_core.commands.output import note, progress
from nlpsig_core.commands.reporting import check, write_page
from nlpsig_core.commands.task import load
from nlpsig_core.errors import ChoiceError, TaskError
from nlpsig_core.task.files import PACK_ENDING
from nlpsig_core.words import count

# What can be told of a pack's test sets.
ABOUT = ("source", "language", "year", "campaign")


def pack_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``pack``."""
    task_options(parser)
    where = f"file to write (TASK{PACK_ENDING})"
    parser.add_argument("-o", "--output", metavar="FILE", help=where)
    several = "metrics whose statistics are packed (default: all of the usual edition)"
    parser.add_argument("--metrics", nargs="+", default=[], metavar="METRIC", help=several)
    about = f"what else is known of the test sets: {', '.join(ABOUT)}"
    parser.add_argument("--about", action="append", default=[], metavar="KEY=TEXT", help=about)
    parser.add_argument("--check", metavar="PACK", help="write nothing; say whether PACK is this task's")


def pack(options: argparse.Namespace) -> None:
    """Write a pack: statistics by system and unit, systems, groups and domains, but no text."""
    from nlpsig_core.stats.packing import pack as packed

    if options.check:
        _check(options)
        return
    output = options.output or f"{options.task.rstrip('/').rpartition('/')[2].removesuffix('.zip')}{PACK_ENDING}"
    check(output, f"task{PACK_ENDING}")
    about = dict(map(_about, options.about))
    task = load(options)
    metrics = options.metrics or ([options.metric] if options.metric else [])
    write_page(packed(task, metrics, about, progress("reading")), output)


def _about(option: str) -> tuple[str, str]:
    key, mark, text = option.partition("=")
    if not mark or key not in ABOUT:
        raise ChoiceError(f"{option!r} is not KEY=TEXT with one of the keys {', '.join(ABOUT)}")
    return key, text


def _check(options: argparse.Namespace) -> None:
    """Note that a pack is the task's; TaskError lists how it differs."""
    from nlpsig_core.stats.packing import differences
    from nlpsig_core.task.loading import load_task

    task, packed = load(options), load_task(options.check)
    if next(iter(packed.test_sets.values())).packed is None:
        raise TaskError(f"{options.check} is not a pack")
    if found := differences(task, packed):
        raise TaskError(f"{options.check} is not the pack of {options.task}: {'; '.join(found)}")
    sets = count(len(packed.test_sets), "test set")
    note(f"{options.check} is the pack of {options.task}: {count(len(packed.systems), 'output')}, {sets}, all equal")
