"""The command ``synthesize``, which writes shared tasks."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.parsers import PARSERS
from nlpsig_core.laboratory.synthesis import KINDS, PARTS, resample, synthesize, synthesize_resampled
from nlpsig_core.output.commands.options import common_options, workers_of
from nlpsig_core.output.commands.output import progress


def make_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``synthesize``."""
    add = parser.add_argument
    add("folder", type=Path, help="a new or empty folder, or one with an interrupted run, which resumes")
    add("--kind", default="parsing", help=f"kind of task: {', '.join(KINDS)} (parsing)")
    for name, value in {"seed": 0, "sentences": 600, "groups": 9, "systems": 24}.items():
        add(
            f"--{name}",
            type=int,
            default=value,
            help=f"number of {name} ({value})" if name != "seed" else "seed of the random numbers (0)",
        )
    add("--combinations", type=int, help="number of system combinations, for parsing (4)")
    add("--test-sets", nargs="+", default=[], metavar="NAME", help="write several test sets with these names")
    add("--resample", action="store_true", help="train parsers on resampled training sets")
    add("--train", type=Path, metavar="FILE", help="your own treebank to resample (CoNLL-U or CoNLL-X)")
    add("--test", type=Path, metavar="FILE", help="test set for --train")
    add("--dev", type=Path, metavar="FILE", help="treebank that decides what the parsers leave open")
    names = " ".join(PARTS)
    sizes = f"sizes of training sets, in sentences or as a part of the treebank ({names})"
    add("--sizes", type=_size, nargs="+", default=list(PARTS), metavar="N", help=sizes)
    number = "number of training sets, of all sizes or of each (10, of the full treebank 5)"
    add("--resamples", type=int, nargs="+", default=[], metavar="N", help=number)
    add("--models", nargs="+", default=list(PARSERS), metavar="NAME", help=f"parsers to train ({' '.join(PARSERS)})")
    common_options(parser, "workers")


def _size(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def make(options: argparse.Namespace) -> None:
    """Write a shared task: a made-up language and systems of known quality, or parsers on resampled training sets."""
    if bool(options.train) != bool(options.test):
        raise ChoiceError("--train and --test go together: name the treebank to train on and the one to parse")
    if options.dev and not options.train:
        raise ChoiceError("--dev goes with --train; name the treebank to train on")
    try:
        folder = _resampled(options) if options.resample or options.train else _invented(options)
    except ValueError as error:
        raise ChoiceError(str(error)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ChoiceError(f"{options.folder}: {reason}; name a new or empty folder that is writable") from None
    print(folder)


def _invented(options: argparse.Namespace) -> Path:
    sizes = {name: getattr(options, name) for name in ("seed", "sentences", "groups", "systems", "combinations")}
    return synthesize(options.folder, options.kind, test_sets=tuple(options.test_sets), **sizes)


def _resampled(options: argparse.Namespace) -> Path:
    how = {"seed": options.seed, "sizes": options.sizes, "resamples": options.resamples, "models": options.models}
    how |= {"workers": workers_of(options), "progress": progress("training")}
    if options.train:
        return resample(options.folder, options.train, options.test, dev=options.dev, **how)
    return synthesize_resampled(options.folder, sentences=options.sentences, **how)
