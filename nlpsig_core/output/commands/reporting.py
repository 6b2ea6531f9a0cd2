"""The commands that write one file: ``report``, a page with all results, and ``pack``, statistics without text."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.words import count, printable, size
from nlpsig_core.data.task.files import PACK_ENDING
from nlpsig_core.data.task.folders import resolved
from nlpsig_core.data.task.samples import sample_path
from nlpsig_core.output.commands.options import Choices, common_options, task_options
from nlpsig_core.output.commands.output import note, progress
from nlpsig_core.output.commands.task import baseline_of, bootstrap_of, comparison_of, demand_average, load, sign_with
from nlpsig_core.output.report.about import Reading, words_that_open
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.stats import packing

STANDARD_OUTPUT = "-"
# Options that select some units or outputs, of which a pack has all.
SELECTING = ("domain", "unit", "invalid")
# What a pack can state about its test sets.
ABOUT = ("source", "language", "year", "campaign", "test_set")


def report_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``report``."""
    common_options(parser, "task without table", "rule", "baseline", "interval")
    add = parser.add_argument
    add("--title", type=printable, default="", help="heading of the page (default: the task's name)")
    beside = "write the task's statistics without text to this file, too, and link to it"
    add("--pack", default="", metavar="FILE", help=beside)
    where = f"file to write (report.html); {STANDARD_OUTPUT} for standard output"
    add("-o", "--output", default="report.html", metavar="FILE", help=where)


def report(options: argparse.Namespace) -> None:
    """Write one self-contained HTML page: ranking, all pairs, thresholds, problems, settings."""
    choices = Choices.from_options(options)
    check(options.output)
    if options.pack:
        check(options.pack, "task.nlpsig")
        check_apart(options.output, options.pack)
    comparison = comparison_of(choices)
    baseline = baseline_of(comparison, choices)
    results = bootstrap_of(comparison, choices, systems=1)
    sign_with(comparison, choices)
    # Plotting is slow to import, and the other commands do not need it.
    from nlpsig_core.output.report.page import report_html

    page = report_html(results, reading_of(choices, options.title, baseline, printable(Path(options.pack).name)))
    if options.pack:
        write_file(pack_of(comparison, choices), options.pack)
    write_file(page.encode(), options.output)


def pack_of(selection: Selection, choices: Choices) -> bytes:
    """Return the pack of a task with the metric that is selected, or with all if its test sets have different ones."""
    metrics = {selected.metric.name for selected in selection.test_sets.values()}
    return packing.pack(selection.task, tuple(metrics) if len(metrics) == 1 else (), edition=choices.edition)


def reading_of(choices: Choices, title: str, baseline: str, pack: str) -> Reading:
    """Return how a page reads results by these choices; it names files without the folders that these are in."""
    task, gold = resolved(choices.task), resolved(choices.gold) if choices.gold else Path()
    name = choices.task if sample_path(choices.task) else task.name
    of_gold = str(gold.relative_to(task.parent)) if gold.is_relative_to(task) else gold.name
    files = list(map(printable, words_that_open(name, of_gold, choices.correction, choices.test_sets)))
    return Reading(
        notion=choices.notion,
        interval=choices.interval,
        rule=choices.rule,
        title=title,
        baseline=baseline,
        files=files,
        pack=pack,
    )


def check(output: str, example: str = "report.html") -> None:
    """Raise FileError before any work is done if a file cannot be written there."""
    path = Path(output)
    if output == STANDARD_OUTPUT:
        return
    if path.is_dir():
        raise FileError(output, None, f"is a folder; name a file, such as {example} in it")
    if not path.parent.is_dir():
        raise FileError(output, None, f"the folder {path.parent} does not exist; create it or choose another")


def check_apart(output: str, other: str) -> None:
    """Raise ChoiceError before any work is done if two files to write are the same."""
    if resolved(output) == resolved(other):
        raise ChoiceError(f"{output} and {other} are the same file; choose another for one of them")


def write_file(content: bytes, output: str) -> None:
    """Write a file completely or not at all, and note its path and size."""
    if output == STANDARD_OUTPUT:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return
    path = Path(output)
    try:
        write_whole(path, content)
    except OSError as error:
        raise FileError(output, None, f"cannot be written: {error.strerror}") from None
    note(f"{path}: {size(len(content))}")


def pack_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``pack``."""
    # Nothing is resampled; the numbers of resamples that all commands take are accepted.
    task_options(parser, table=False, refused=(*SELECTING, "test_set", "weights", "resamples", "seed"))
    add = parser.add_argument
    add("-o", "--output", metavar="FILE", help=f"file to write (TASK{PACK_ENDING})")
    several = "metrics whose statistics are packed (default: all of the usual edition)"
    add("--metrics", nargs="+", default=[], metavar="METRIC", help=several)
    about = f"a fact about the test sets: {', '.join(ABOUT)}"
    add("--about", action="append", default=[], metavar="KEY=TEXT", help=about)
    add("--check", metavar="PACK", help="write nothing; say whether PACK is this task's")


def pack(options: argparse.Namespace) -> None:
    """Write a pack: statistics by system and unit, systems, groups and domains, but no text."""
    choices = Choices.from_options(options)
    if options.check:
        if options.output or options.metrics or options.about:
            raise ChoiceError("--check writes nothing; leave out -o, --metrics and --about")
        _demand_all(choices)
        _check_pack(options.check, choices)
        return
    if choices.task.endswith(PACK_ENDING) and not options.output:
        raise ChoiceError(f"{choices.task} is a pack; name another file with -o")
    path = sample_path(choices.task) or resolved(choices.task)
    output = options.output or f"{path.name if path.is_dir() else path.stem}{PACK_ENDING}"
    _demand_all(choices)
    check(output, f"task{PACK_ENDING}")
    about = dict(map(_about, options.about))
    task = load(choices)
    metrics = options.metrics or ([choices.metric] if choices.metric else [])
    write_file(packing.pack(task, metrics, about, progress("reading"), choices.edition), output)


def _demand_all(choices: Choices) -> None:
    """Raise ChoiceError for options that select some units or outputs."""
    if choices.test_set:
        raise ChoiceError("--test-set is not for packs; name test sets by --test-sets")
    demand_average(choices)
    if given := [f"--{name}" for name in SELECTING if getattr(choices, name)]:
        raise ChoiceError(f"A pack has all units and outputs: leave out {' and '.join(given)}")


def _about(option: str) -> tuple[str, str]:
    key, mark, text = option.partition("=")
    if not mark or key not in ABOUT:
        raise ChoiceError(f"{option!r} is not KEY=TEXT with one of the keys {', '.join(ABOUT)}")
    return key, text


def _check_pack(path: str, choices: Choices) -> None:
    """Note that a pack is the task's; TaskError lists how it differs."""
    task, packed = load(choices), load_task(path)
    if next(iter(packed.test_sets.values())).packed is None:
        raise TaskError(f"{path} is not a pack")
    if differences := packing.differences(task, packed):
        raise TaskError(f"{path} is not the pack of {choices.task}: {'; '.join(differences)}")
    sets = count(len(packed.test_sets), "test set")
    note(f"{path} is the pack of {choices.task}: {count(len(packed.systems), 'output')}, {sets}, all equal")
