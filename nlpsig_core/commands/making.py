"""The command that makes shared tasks: synthesize."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpsig_core.errors import ChoiceError
from nlpsig_core.synthesis import KINDS, synthesize


def make_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``synthesize``."""
    parser.add_argument("folder", type=Path, help="an empty or new folder")
    parser.add_argument("--kind", default="parsing", help=f"one of {', '.join(KINDS)} (parsing)")
    for name, value in {"seed": 0, "sentences": 600, "groups": 9, "systems": 24}.items():
        parser.add_argument(f"--{name}", type=int, default=value, help=f"({value})")
    parser.add_argument("--combinations", type=int, help="of parsers (4)")
    parser.add_argument("--test-sets", nargs="+", default=[], metavar="NAME", help="several test sets of these names")


def make(options: argparse.Namespace) -> None:
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
