"""The command ``pack``, which writes a task's statistics without its text."""

from __future__ import annotations

import argparse

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.base.words import count
from nlpsig_core.data.task import sample_path
from nlpsig_core.data.task.files import PACK_ENDING
from nlpsig_core.data.task.folders import resolved
from nlpsig_core.output.commands.options import task_options
from nlpsig_core.output.commands.output import note, progress
from nlpsig_core.output.commands.reporting import check, write_page
from nlpsig_core.output.commands.task import load
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats import packing

# What a pack can state about its test sets.
ABOUT = ("source", "language", "year", "campaign", "test_set")


def pack_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``pack``."""
    task_options(parser)
    where = f"file to write (TASK{PACK_ENDING})"
    parser.add_argument("-o", "--output", metavar="FILE", help=where)
    several = "metrics whose statistics are packed (default: all of the usual edition)"
    parser.add_argument("--metrics", nargs="+", default=[], metavar="METRIC", help=several)
    about = f"a fact about the test sets: {', '.join(ABOUT)}"
    parser.add_argument("--about", action="append", default=[], metavar="KEY=TEXT", help=about)
    parser.add_argument("--check", metavar="PACK", help="write nothing; say whether PACK is this task's")


def pack(options: argparse.Namespace) -> None:
    """Write a pack: statistics by system and unit, systems, groups and domains, but no text."""
    if options.check:
        if options.output or options.metrics or options.about:
            raise ChoiceError("--check writes nothing; leave out -o, --metrics and --about")
        _check(options)
        return
    if options.task.endswith(PACK_ENDING) and not options.output:
        raise ChoiceError(f"{options.task} is a pack; name another file with -o")
    path = sample_path(options.task) or resolved(options.task)
    output = options.output or f"{path.name if path.is_dir() else path.stem}{PACK_ENDING}"
    check(output, f"task{PACK_ENDING}")
    about = dict(map(_about, options.about))
    task = load(options)
    metrics = options.metrics or ([options.metric] if options.metric else [])
    write_page(packing.pack(task, metrics, about, progress("reading"), options.edition), output)


def _about(option: str) -> tuple[str, str]:
    key, mark, text = option.partition("=")
    if not mark or key not in ABOUT:
        raise ChoiceError(f"{option!r} is not KEY=TEXT with one of the keys {', '.join(ABOUT)}")
    return key, text


def _check(options: argparse.Namespace) -> None:
    """Note that a pack is the task's; TaskError lists how it differs."""
    task, packed = load(options), load_task(options.check)
    if next(iter(packed.test_sets.values())).packed is None:
        raise TaskError(f"{options.check} is not a pack")
    if found := packing.differences(task, packed):
        raise TaskError(f"{options.check} is not the pack of {options.task}: {'; '.join(found)}")
    sets = count(len(packed.test_sets), "test set")
    note(f"{options.check} is the pack of {options.task}: {count(len(packed.systems), 'output')}, {sets}, all equal")
