"""The command ``site``: results of several tasks as static pages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nlpsig_core.base.errors import ChoiceError, NlpsigError, TaskError, like
from nlpsig_core.base.runtime import over_progress
from nlpsig_core.base.words import about, count, first_few, printable, size
from nlpsig_core.data.task.files import PACK_ENDING
from nlpsig_core.data.task.folders import resolved
from nlpsig_core.data.task.loading import task_name
from nlpsig_core.data.task.samples import sample_path
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output.commands.options import Choices, common_options
from nlpsig_core.output.commands.output import note, worded
from nlpsig_core.output.commands.reporting import pack_of, reading_of
from nlpsig_core.output.commands.task import baseline_of, campaign_of, comparison_of, results_of
from nlpsig_core.significance.comparison.scores import NO_BASELINE
from nlpsig_core.significance.comparison.selection import Selection

if TYPE_CHECKING:
    from nlpsig_core.output.site.writing import Site


def site_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``site``."""
    common_options(parser, "tasks without table", "rule", "baseline", "interval", "workers")
    add = parser.add_argument
    add("--title", type=printable, default="Results", help="heading of the front page (Results)")
    add("-o", "--output", default="public", metavar="FOLDER", help="folder of the site (public)")


def site(options: argparse.Namespace) -> None:
    """Write static pages of several tasks: a front page, every task, every pair, the film and the glossary."""
    # Plotting is slow to import, and the other commands do not need it.
    from nlpsig_core.output.site.writing import FRONT, Site

    made = Site(Path(options.output), options.title)
    made.check()
    first, *others = options.tasks
    choices = Choices.from_options(argparse.Namespace(**vars(options), task=first))
    read = [(of_task, _read(made, of_task)) for of_task in (choices, *map(choices.of_task, others))]
    known = {name for _, selection in read if selection for name in selection.stats.names}
    if not made.failed and options.baseline not in (None, "", NO_BASELINE, *known):
        near = f"; {near}" if (near := like(options.baseline, known)) else ""
        raise ChoiceError(f"No task has a system called {options.baseline!r}{near}")
    for of_task, selection in read:
        if selection is None:
            # Its address stays its own: no other task of that name takes the place of an earlier page.
            made.stem(task_name(of_task.task))
            continue
        with _going_on(made, of_task.task):
            _add(made, selection, of_task)
    made.finish()
    note(f"{made.folder}: {count(made.pages, 'page')}, {size(made.size)}; open {made.folder / FRONT}")
    if made.failed:
        kept = f"nothing of an earlier site was removed from {made.folder}"
        raise TaskError(f"No page of {first_few(made.failed)}; {kept}")


@contextmanager
def _going_on(made: Site, what: str) -> Iterator[None]:
    """Name on standard error what notes are about, and what cannot be read or tested, and go on."""
    try:
        with worded(partial(about, what)):
            yield
    except NlpsigError as error:
        made.failed.append(what)
        print(f"{over_progress()}nlpsig: {error}", file=sys.stderr)


def _read(made: Site, choices: Choices) -> Selection | None:
    """Return the selection of a task, of the chosen test set or of all; None if it cannot be read."""
    with _going_on(made, choices.task):
        return (comparison_of if choices.test_set else campaign_of)(choices)
    return None


def _add(made: Site, selection: Selection, choices: Choices) -> None:
    """Add the pages of a task: of the chosen test set, or of the mean over all and of each."""
    parts = selection.each if selection.several and choices.test_set != MACRO else {}
    name = selection.task.name
    entry = made.add(name, selection.first.test_set.about.get("campaign", ""))
    pack = made.add_pack(entry, _pack(selection, choices))
    try:
        baseline = baseline_of(selection, choices)
    except ChoiceError as error:
        baseline = ""
        note(f"no baseline: {error}")
    for part, chosen in ({"": selection} | parts).items():
        with _going_on(made, f"{name}, {part}" if part else name):
            chosen.check(systems=1)
            results = results_of(chosen, choices, " ".join(filter(None, (name, part))))
            title, own = f"{name}: {part}" if part else "", baseline if baseline in chosen.stats.names else ""
            made.add_page(entry, results, reading_of(choices, title, own, pack), part)


def _pack(selection: Selection, choices: Choices) -> bytes:
    """Return the task's pack: the one that was given, or a new one of the metric that is shown."""
    path = sample_path(choices.task) or resolved(choices.task)
    if path.suffix == PACK_ENDING:
        return path.read_bytes()
    return pack_of(selection, choices)
