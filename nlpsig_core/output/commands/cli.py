"""The command line: ``nlpsig COMMAND``, data on standard output, notes and progress on standard error."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, NoReturn

from nlpsig_core.base.errors import ChoiceError, NlpsigError, NoGoldError, TaskError, like
from nlpsig_core.base.runtime import over_progress
from nlpsig_core.base.version import __version__
from nlpsig_core.output.commands import COMMANDS, command_named

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from nlpsig_core.base.engine import Workers

# The exit code of shells for what Ctrl-C ended.
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: its own, 0 unless it is a decision, or that of a failure.

    2 is for invalid input or options and for a file that cannot be written, which the error then names, 1 for other
    failures of the machine, such as want of memory, or a table or notes on a full disk, and 130 for Ctrl-C. It is no
    failure if the reader of the output wants no more of it.
    """
    words, code = sys.argv[1:] if arguments is None else arguments, 0
    try:
        try:
            code = _command(words)
        finally:
            sys.stdout.flush()
    except NlpsigError as error:
        return _failed(str(error), 2)
    except MemoryError as error:
        from nlpsig_core.data.task.limits import why

        return _failed(why(error), 1)
    except BrokenPipeError:
        return code
    except OSError as error:
        named = ": ".join(map(str, filter(None, (error.filename, error.strerror or error))))
        return _failed(named, 2 if error.filename else 1)
    except KeyboardInterrupt:
        return _failed("interrupted", INTERRUPTED)
    return code


def _command(words: Sequence[str]) -> int:
    """Run a command and return its exit code."""
    options = _parser(words).parse_args(words)
    try:
        with _workers(options) as options.running, _gold_by_own_path(options):
            return options.command(options) or 0
    except NoGoldError as error:
        advice = ". You can also name the gold with --gold" if "gold" in options else ""
        raise TaskError(f"{error}{advice}") from None


def _workers(options: argparse.Namespace) -> AbstractContextManager[Workers | None]:
    if "scheduler" not in options:
        return nullcontext()
    from nlpsig_core.output.commands.options import running_workers

    return running_workers(options)


def _gold_by_own_path(options: argparse.Namespace) -> AbstractContextManager[None]:
    if getattr(options, "gold", None) is None:
        return nullcontext()
    from nlpsig_core.output.commands.gold import Gold
    from nlpsig_core.output.commands.output import named

    return named(Gold(options.gold).by_own_paths)


def _failed(message: str, code: int) -> int:
    with suppress(OSError):
        print(f"{over_progress()}nlpsig: {message}", file=sys.stderr)
    return code


def run() -> None:
    """Return the console script; characters that the locale's encoding lacks are escaped."""
    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main())
    finally:
        _forget_unwritten()


def _open_closed_streams() -> None:
    """Replace standard streams that are closed, so that no file takes their numbers; writing to them is refused."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDONLY), "r" if name == "stdin" else "w"))


def _forget_unwritten() -> None:
    """Drop what could not be written: Python would try again at the end, and print a traceback."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _Parser(argparse.ArgumentParser):
    """A parser that reports invalid arguments in one line, and does not hide that help cannot be printed."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"nlpsig: {message}; see {self.prog} --help\n")

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Return the options; an error of the command itself if some are unknown."""
        known, rest = super().parse_known_args(args, namespace)
        if rest:
            near = f"; {near}" if (near := like(rest[0], self._option_string_actions)) else ""
            self.error(f"unrecognized arguments: {' '.join(rest)}{near}")
        return known, rest

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; OSError if the disk is full."""
        (file or sys.stdout).write(self.format_help())


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of these words: of the command that they name, or, if they name none, of all commands."""
    parser = _Parser(prog="nlpsig", description="Paired significance tests for all pairs of systems of a shared task.")
    parser.add_argument("--version", action="version", version=f"nlpsig {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    first = next((word for word in words if not word.startswith("-")), "")
    if first and first not in COMMANDS:
        raise ChoiceError.unknown("command", first, COMMANDS)
    for name in [first] if first in COMMANDS else COMMANDS:
        command, options = command_named(name)
        summary = (command.__doc__ or "").strip()
        subparser = commands.add_parser(name, help=summary, description=summary)
        options(subparser)
        subparser.set_defaults(command=command)
    return parser
