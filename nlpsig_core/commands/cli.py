"""The command line: ``nlpsig COMMAND``, data on standard output, notes and progress on standard error."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from typing import NoReturn

from nlpsig_core.commands import COMMANDS, command_named
from nlpsig_core.errors import NlpsigError
from nlpsig_core.version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, or 2 for invalid input or options."""
    words = sys.argv[1:] if arguments is None else arguments
    options = _parser(words).parse_args(words)
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
    """The console script; characters that the locale's encoding lacks are escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main())


class _Parser(argparse.ArgumentParser):
    """Reports invalid arguments in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"nlpsig: {message}; see {self.prog} --help\n")


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of these words: of the command that they name, or, if they name none, of all commands."""
    parser = _Parser(prog="nlpsig", description="Paired significance tests for all pairs of systems of a shared task.")
    parser.add_argument("--version", action="version", version=f"nlpsig {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    first = next((word for word in words if not word.startswith("-")), "")
    for name in [first] if first in COMMANDS else COMMANDS:
        command, options = command_named(name)
        summary = (command.__doc__ or "").strip()
        subparser = commands.add_parser(name, help=summary, description=summary)
        options(subparser)
        subparser.set_defaults(command=command)
    return parser
