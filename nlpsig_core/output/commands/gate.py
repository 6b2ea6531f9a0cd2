"""The command ``gate``: worse, not worse or undecided, for pipelines."""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.words import count, printable
from nlpsig_core.data.task.folders import resolved
from nlpsig_core.data.task.loading import outputs_at, task_of
from nlpsig_core.data.task.shared_task import MACRO, SharedTask
from nlpsig_core.output.commands.options import Choices, level_options, task_options, test_option
from nlpsig_core.output.commands.output import note, progress, sign, worded, write, write_object
from nlpsig_core.output.commands.reporting import STANDARD_OUTPUT, check, check_apart, write_file
from nlpsig_core.output.commands.task import average_of, load, say_what_p_is
from nlpsig_core.output.report.gate import junit, junit_of_error, markdown, name_of
from nlpsig_core.significance.comparison.advice import size_note
from nlpsig_core.significance.comparison.notion import ALONE, Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.verdict import UNDECIDED, WORSE
from nlpsig_core.significance.stats.weights import EQUAL
from nlpsig_core.studies.analyses.gate import Gate
from nlpsig_core.studies.analyses.gate import gate as decided
from nlpsig_core.studies.pair.decision import NOT_WORSE

# 1 and 2 are for failures and for what cannot be used.
EXIT_CODES = {NOT_WORSE: 0, WORSE: 3, UNDECIDED: 4}
BASELINE, CANDIDATE = "baseline", "candidate"
# Two files inside the task that they become.
INSIDE = re.compile(rf"(?<![\w/])systems/({BASELINE}|{CANDIDATE})(?:\.[\w-]+)*")
COLUMNS = """test_set metric outcome counts score_baseline score_candidate gain gain_low gain_high above p p_corrected
needed lost won differing units""".split()
MAY_BE_EMPTY = ("above", "p_corrected", "needed", "lost", "won")


def gate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``gate``."""
    add = parser.add_argument
    task_options(parser, metrics=True)
    alone = "in place of a task: TASK is the file of the baseline's output, and this that of the candidate's"
    add("output", nargs="?", type=Path, metavar="OUTPUT", help=alone)
    add("--baseline", metavar="SYSTEM", help="system that the candidate must not be worse than")
    add("--candidate", metavar="SYSTEM", help="system that is decided on")
    within = "margin: a loss that nobody would mind; one for all metrics, or one for each (none)"
    add("--within", nargs="+", type=float, default=[], dest="margins", metavar="X", help=within)
    pooled = f"decide on the {MACRO} over several test sets, not on each of them"
    add("--pooled", action="store_true", help=pooled)
    strict = f"undecided is a failure: its exit code is that of worse, {EXIT_CODES[WORSE]}"
    add("--strict", action="store_true", help=strict)
    level_options(parser)
    test_option(parser)
    summary = "add a summary in Markdown to this file, such as $GITHUB_STEP_SUMMARY"
    add("--markdown", default="", metavar="FILE", help=summary)
    add("--junit", default="", metavar="FILE", help="write JUnit XML to this file")


def gate(options: argparse.Namespace) -> int:
    """Decide whether a candidate is worse than a baseline (exit code 3), not worse (0), or undecided (4)."""
    _check_junit(options)
    try:
        if options.markdown:
            check(options.markdown, "gate.md")
        choices = Choices.from_options(options)
        with worded(_by_own_paths(options)):
            result = _decided(options, choices)
        if options.markdown:
            _append(markdown(result), options.markdown)
        if options.junit:
            write_file(junit(result), options.junit)
    except BaseException as error:
        # The file of an earlier run would tell of a decision.
        if options.junit:
            against = f"{options.candidate or CANDIDATE} against {options.baseline or BASELINE}"
            with suppress(BrokenPipeError):
                write_file(junit_of_error(against, str(error) or "interrupted"), options.junit)
        if isinstance(error, BrokenPipeError):
            # Nobody who reads the notes may leave before the decision and so pass.
            return 1
        raise
    with suppress(BrokenPipeError):
        _write(result, choices.format)
        sys.stdout.flush()
    return EXIT_CODES[WORSE if result.failed else result.outcome]


def _check_junit(options: argparse.Namespace) -> None:
    """Raise an error unless JUnit XML, if it is wanted, has a file of its own that can be written."""
    if STANDARD_OUTPUT in (options.markdown, options.junit):
        raise ChoiceError(f"--markdown and --junit write files; name one in place of {STANDARD_OUTPUT}")
    if options.junit:
        check(options.junit, "gate.xml")
        if options.markdown:
            check_apart(options.markdown, options.junit)


def _decided(options: argparse.Namespace, choices: Choices) -> Gate:
    """Return the outcome that the options ask for; note what it rests on."""
    baseline, candidate, task = _task(options, choices)
    metrics = list(dict.fromkeys(options.metrics)) or [None]
    notions = _notions(options, metrics)
    selections = [_selection(task, replace(choices, metric=name), say=not k) for k, name in enumerate(metrics)]
    result = decided(
        selections,
        baseline,
        candidate,
        choices.recipe,
        notions,
        pooled=options.pooled or choices.test_set == MACRO,
        strict=options.strict,
        progress=progress(),
    )
    say_what_p_is(choices.notion, *selections)
    if result.outcome == UNDECIDED:
        note(size_note(selections[0].stats))
    for one in result.checks if len(result.checks) > 1 else ():
        beside = "" if one.counts else " (does not count)"
        note(f"{name_of(result, one)}, {one.metric}{beside}: {one.line}")
    note(result.line)
    for one in result.counting:
        sign(one.signature)
    return result


def _task(options: argparse.Namespace, choices: Choices) -> tuple[str, str, SharedTask]:
    """Return the names of both systems and the task; ChoiceError unless both are named."""
    baseline, candidate = options.baseline, options.candidate
    if options.output is None:
        if not (baseline and candidate):
            raise ChoiceError("Two systems are compared; name them with --baseline and --candidate")
        return baseline, candidate, load(choices)
    if resolved(options.task) == resolved(options.output):
        raise ChoiceError(f"{options.output} against itself; name the files of two outputs")
    files = outputs_at({BASELINE: Path(options.task), CANDIDATE: options.output}, choices.gold)
    inside, given = {_by_own_paths(options)(path): path for path in files}, choices.correction
    roles, read_as = ({inside.get(path, path): of[path] for path in of} for of in (given.roles, given.read_as))
    task = task_of(files, options.output.stem, replace(given, roles=roles, read_as=read_as))
    note(*task.problems)
    named = {baseline or BASELINE, candidate or CANDIDATE} <= set(task.names.values())
    if not named and not (baseline or candidate):
        known = ", ".join(dict.fromkeys(task.names.values()))
        raise ChoiceError(f"These files name their systems themselves ({known}); add --baseline and --candidate")
    return baseline or BASELINE, candidate or CANDIDATE, task


def _by_own_paths(options: argparse.Namespace) -> Callable[[str], str]:
    """Return a function that puts the user's paths of two files into a text in place of those inside their task."""
    own = {BASELINE: printable(options.task), CANDIDATE: printable(str(options.output))}
    return str if options.output is None else partial(INSIDE.sub, lambda found: own[found[1]])


def _notions(options: argparse.Namespace, metrics: Sequence[str | None]) -> list[Notion]:
    """Return the notion of each metric, with its margin; ChoiceError for another number of margins."""
    margins, number = options.margins or [None], len(metrics)
    if len(margins) not in (1, number):
        found = f"{count(len(margins), 'margin')} for {count(number, 'metric')}"
        raise ChoiceError(f"{found}; give --within one, or one for each metric")
    for margin in margins:
        if margin is not None and not 0 < margin < math.inf:
            raise ChoiceError(f"A margin of {margin:g} is not above 0; leave out --within for none")
    usual = Notion(level=options.level, sides=options.sides, test=options.test, scope=ALONE)
    return [replace(usual, within=margin) for margin in (margins * number if len(margins) == 1 else margins)]


def _selection(task: SharedTask, choices: Choices, say: bool) -> Selection:
    """Return the selection of all test sets, or of the one that is named; ``say`` as in ``average_of``."""
    name = choices.test_set
    selection = average_of(task.on([name]) if name and name != MACRO else task, choices, say)
    if not selection.several and choices.weights != EQUAL:
        raise ChoiceError(f"--weights are those of a {MACRO}; there is one test set")
    return selection


def _append(text: str, output: str) -> None:
    """Add a text to the end of a file, which is created if it does not exist."""
    try:
        with open(output, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise FileError(output, None, f"cannot be written: {error.strerror}") from None


def _write(result: Gate, form: str) -> None:
    """Print the checks as a table, or all of the result as JSON."""
    if form == "json":
        write_object(result)
        return
    rows = [vars(one) | {"lost": one.flips.lost, "won": one.flips.won} for one in result.checks]
    table = pd.DataFrame(rows)[COLUMNS].astype(dict.fromkeys(MAY_BE_EMPTY, float))
    write(table, form)
