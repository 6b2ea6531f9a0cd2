"""The command ``synthesize``, which writes shared tasks."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.synthesis import EXPERIMENTS, KINDS, PARTS, resample, synthesize, synthesize_resampled
from nlpsig_core.output.commands.options import common_options, workers_of
from nlpsig_core.output.commands.output import progress

SENTENCES = 600
# The options of systems of known quality alone, and of systems on resampled training sets alone.
INVENTED = ("groups", "systems", "combinations", "test_sets")
RESAMPLED = ("sizes", "resamples", "models")


def make_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``synthesize``."""
    add = parser.add_argument
    add("folder", type=Path, help="a new or empty folder, or one with an interrupted run, which resumes")
    add("--kind", default="parsing", help=f"kind of task: {', '.join(KINDS)} (parsing)")
    add("--seed", type=int, default=0, help="seed of the random numbers (0)")
    for name, value in {"sentences": SENTENCES, "groups": 9, "systems": 24}.items():
        add(f"--{name}", type=int, help=f"number of {name} ({value})")
    add("--combinations", type=int, help="number of system combinations, for parsing (4)")
    add("--test-sets", nargs="+", metavar="NAME", help="write several test sets with these names")
    kinds = "; ".join(f"{name}: {', '.join(experiment.models)}" for name, experiment in EXPERIMENTS.items())
    add("--resample", action="store_true", help="train parsers on resampled training sets of a made-up treebank")
    own = "your own corpus to resample, for a --kind of"
    add("--train", type=Path, nargs="+", default=[], metavar="FILE", help=f"{own} {', '.join(EXPERIMENTS)}")
    add("--test", type=Path, nargs="+", default=[], metavar="FILE", help="test set for --train, with its gold")
    add("--dev", type=Path, nargs="+", default=[], metavar="FILE", help="corpus that decides what training leaves open")
    sizes = f"sizes of training sets, in units or as a part of the corpus ({' '.join(PARTS)})"
    add("--sizes", type=_size, nargs="+", metavar="N", help=sizes)
    number = "number of training sets, of all sizes or of each (10, of the full corpus 5)"
    add("--resamples", type=int, nargs="+", metavar="N", help=number)
    add("--models", nargs="+", metavar="NAME", help=f"models to train, by default all of the kind ({kinds})")
    common_options(parser, "workers")


def _size(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def make(options: argparse.Namespace) -> None:
    """Write a shared task: a made-up language and systems of known quality, or systems on resampled training sets."""
    if bool(options.train) != bool(options.test):
        raise ChoiceError("--train and --test go together: name the corpus to train on and the test set")
    if options.dev and not options.train:
        raise ChoiceError("--dev goes with --train; name the corpus to train on")
    if options.resample and not options.train and options.kind != "parsing":
        raise ChoiceError(
            f"--resample without --train makes up a treebank; for {options.kind}, give --train and --test"
        )
    _refuse_others(options)
    try:
        if options.resample or options.train:
            folder = _resampled(options)
        else:
            sizes = _given(options, (*INVENTED, "sentences"))
            folder = synthesize(options.folder, options.kind, seed=options.seed, **sizes)
    except ValueError as error:
        raise ChoiceError(str(error)) from None
    except OSError as error:
        reason, advice = error.strerror, "name a new or empty folder that is writable"
        raise ChoiceError(f"{options.folder}: {reason}; {advice}" if reason else str(error)) from None
    print(folder)


def _refuse_others(options: argparse.Namespace) -> None:
    """Raise ChoiceError for options that this way of making a task ignores."""
    ignored: Sequence[str] = RESAMPLED
    way = "Without --resample or --train"
    if options.train:
        way, ignored = "With --train", (*INVENTED, "sentences")
    elif options.resample:
        way, ignored = "With --resample", INVENTED
    if given := _given(options, ignored):
        names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise ChoiceError(f"{way}, these options have no meaning: {names}; leave them out")


def _given(options: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Return the options of these names that are given."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _resampled(options: argparse.Namespace) -> Path:
    how = {"seed": options.seed, "workers": workers_of(options), "progress": progress("training")}
    how |= _given(options, RESAMPLED)
    if options.train:
        return resample(options.folder, options.train, options.test, kind=options.kind, dev=options.dev, **how)
    sentences = SENTENCES if options.sentences is None else options.sentences
    return synthesize_resampled(options.folder, sentences=sentences, **how)
