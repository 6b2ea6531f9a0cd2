"""The command that makes shared tasks: synthesize."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpsig_core.commands.output import progress
from nlpsig_core.errors import ChoiceError
from nlpsig_core.synthesis import KINDS, resample, synthesize, synthesize_resampled
from nlpsig_core.synthesis.parsers import PARSERS


def make_options(parser: argparse.ArgumentParser) -> None:
    """Options of ``synthesize``."""
    parser.add_argument("folder", type=Path, help="an empty or new folder, or one where resampling was stopped")
    parser.add_argument("--kind", default="parsing", help=f"one of {', '.join(KINDS)} (parsing)")
    for name, value in {"seed": 0, "sentences": 600, "groups": 9, "systems": 24}.items():
        parser.add_argument(f"--{name}", type=int, default=value, help=f"({value})")
    parser.add_argument("--combinations", type=int, help="of parsers (4)")
    parser.add_argument("--test-sets", nargs="+", default=[], metavar="NAME", help="several test sets of these names")
    parser.add_argument("--resample", action="store_true", help="parsers that learn from resampled training sets")
    parser.add_argument("--train", type=Path, metavar="FILE", help="a treebank of your own to resample (CoNLL-U or -X)")
    parser.add_argument("--test", type=Path, metavar="FILE", help="the test set that goes with it")
    parser.add_argument("--sizes", type=int, nargs="+", default=[250, 500, 1000], metavar="N", help="(250 500 1000)")
    parser.add_argument("--resamples", type=int, default=8, metavar="N", help="training sets of each size (8)")
    parser.add_argument("--models", nargs="+", default=list(PARSERS), metavar="NAME", help=f"({' '.join(PARSERS)})")


def make(options: argparse.Namespace) -> None:
    """Write a shared task: a made-up language and systems of known quality, or parsers on resampled training sets."""
    if bool(options.train) != bool(options.test):
        raise ChoiceError("--train and --test go together: give the treebank to learn from and the one to parse")
    try:
        folder = _resampled(options) if options.resample or options.train else _invented(options)
    except ValueError as error:
        raise ChoiceError(str(error)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ChoiceError(f"{options.folder}: {reason}; name a new or empty folder that can be written") from None
    print(folder)


def _invented(options: argparse.Namespace) -> Path:
    return synthesize(
        options.folder, options.kind, seed=options.seed, sentences=options.sentences, groups=options.groups,
        systems=options.systems, combinations=options.combinations, test_sets=tuple(options.test_sets),
    )  # fmt: skip


def _resampled(options: argparse.Namespace) -> Path:
    how = {"seed": options.seed, "sizes": options.sizes, "resamples": options.resamples, "models": options.models}
    how["progress"] = progress("training")
    if options.train:
        return resample(options.folder, options.train, options.test, **how)
    return synthesize_resampled(options.folder, sentences=options.sentences, **how)
