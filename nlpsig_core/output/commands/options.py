"""Options that several commands share, and the choices that they stand for."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from nlpsig_core.base.engine import Workers, started
from nlpsig_core.base.errors import ChoiceError, whole
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task.bundles import LAST, SUBMISSIONS
from nlpsig_core.data.task.naming import ROLES
from nlpsig_core.data.task.samples import real_names, sample_names
from nlpsig_core.data.task.shared_task import MACRO, Correction
from nlpsig_core.output.commands.gold import Gold
from nlpsig_core.significance.comparison.notion import CORRECTIONS, SCOPES, SIDES, Notion
from nlpsig_core.significance.comparison.scores import NO_BASELINE
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import INTERVALS
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.counts import TREATMENTS
from nlpsig_core.significance.stats.weights import EQUAL, WEIGHTS

RESAMPLES = 1_000_000
FORMATS = ("tsv", "json")
NOTION = ("level", "sides", "scope", "adjust", "test", "within")
RULE = ("window", "percentile", "fewest")
COPIED = "task gold metric edition test_set test_sets weights domain unit invalid verify".split()


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the options of a command choose that reads a task; an option that a command lacks has its usual value."""

    task: str
    gold: Path | None
    correction: Correction
    metric: str | None
    edition: str | None
    test_set: str | None
    test_sets: Sequence[str]
    weights: str
    domain: str
    unit: str
    invalid: str
    recipe: Resampling
    usual_recipe: bool
    notion: Notion
    rule: Rule
    baseline: str
    interval: str
    workers: Workers
    verify: bool
    format: str

    @classmethod
    def from_options(cls, options: argparse.Namespace) -> Choices:
        """Return the choices of a parsed command line; ChoiceError if one is out of range."""
        given = vars(options)
        rule = {name: given[name] for name in RULE if name in given}
        window = rule.get("window")
        correction = Correction(
            format=options.kind,
            roles=_by_file(options.role, options.gold),
            read_as=_by_file(options.read_as, options.gold),
            domain_rule=options.domain_rule,
            submissions=options.submissions,
        )
        return cls(
            **{name: given[name] for name in COPIED},
            correction=correction,
            recipe=Resampling(RESAMPLES if options.resamples is None else options.resamples, options.seed),
            usual_recipe=options.resamples is None,
            notion=Notion(**{name: given[name] for name in NOTION if name in given}),
            rule=Rule(**rule | {"window": tuple(window) if window else None}),
            baseline=given.get("baseline") or "",
            interval=given.get("interval", INTERVALS[0]),
            workers=workers_of(options),
            format=given.get("format", FORMATS[0]),
        )

    def recipe_of(self, usual: int) -> Resampling:
        """Return the recipe of what takes the ``usual`` number of resamples, unless another is asked for."""
        return replace(self.recipe, n_resamples=usual) if self.usual_recipe else self.recipe

    def of_task(self, task: str) -> Choices:
        """Return the same choices for another task, whose gold is not supplied separately."""
        return replace(self, task=task, gold=None)


def _by_file(options: list[str], gold: Path | None) -> dict[str, str]:
    for option in options:
        if "=" not in option:
            raise ChoiceError(f"{option!r} is not FILE=WHAT; name a file of the task and what it is")
    given = dict(printable(option).split("=", 1) for option in options)
    return {Gold(gold).inside(path): what for path, what in given.items()} if gold else given


def task_options(
    parser: argparse.ArgumentParser, resamples: int = RESAMPLES, several: bool = False, metrics: bool = False,
    table: bool = True, refused: Sequence[str] = (),
) -> None:  # fmt: skip
    """Add the options for a task or ``several``, how they are read, what is selected from them, and the resampling.

    ``metrics`` says whether --metric takes several, a list of that name; ``table``, whether the command prints one.
    The help does not show options that the command ``refused``; they are parsed, so that it can say why.
    """
    add = parser.add_argument
    real, samples = (", ".join(names) or "none" for names in (real_names(), sample_names()))
    task = f"a folder, a zip, a pack, a score table, or the name of a real task ({real}) or of a sample ({samples})"
    if several:
        add("tasks", nargs="+", metavar="TASK", help=task)
    else:
        add("task", metavar="TASK", help=task)
    add("--gold", type=Path, help="gold file or folder, if supplied separately")
    more: dict[str, Any] = {"nargs": "+", "dest": "metrics", "default": []} if metrics else {}
    add("--metric", help="metric of the outputs' format (default: the first); a wrong name lists them", **more)
    parser.set_defaults(metric=None)
    add("--edition", help="edition of the metrics: CoNLL year, tokeniser, stemming, direction, ...")
    add("--test-set", help=f"one of several test sets (default: the first), or {MACRO} where averages are tested")
    averaged = "" if "weights" in refused else f"; without --test-set several of them are averaged ({MACRO})"
    add("--test-sets", nargs="+", default=[], metavar="NAME", help=f"only these test sets{averaged}")
    ways = "; ".join(f"{way}: {what}" for way, what in WEIGHTS.items())
    add("--weights", choices=list(WEIGHTS), default=EQUAL, help=f"weights of the {MACRO} ({ways})")
    add("--domain", default="", help='only the units of this domain, or of "all but NAME"')
    expression = (
        "regular expression (RE2, without lookaround) that finds a unit's domain in its sent_id or document name"
    )
    add("--domain-rule", default="", metavar="REGEX", help=f"{expression}, if domains.tsv is missing")
    add("--unit", default="", help="unit to resample: document, if documents are known")
    add("--invalid", default="", help=f"treatment of invalid outputs: {', '.join(TREATMENTS)}")
    add("--kind", help=f"format of the files, if not recognised: {', '.join(READERS)}")
    by_file: dict[str, Any] = {"action": "append", "default": [], "metavar": "FILE=WHAT"}
    add("--role", help=f"role of a file: {', '.join(ROLES)}", **by_file)
    add("--read-as", help="another way to read a file", **by_file)
    which = "; ".join(f"{choice}: {what}" for choice, what in SUBMISSIONS.items())
    add("--submissions", choices=list(SUBMISSIONS), default="", help=f"which submissions are systems ({which}; {LAST})")
    verify = "read all files, also those that have not changed since the cache knows their contents"
    add("--verify", action="store_true", help=verify)
    resampling_options(parser, resamples)
    if table:
        format_option(parser)
    for action in parser._actions:
        if action.dest in refused:
            action.help = argparse.SUPPRESS


def number_of(text: str) -> int:
    """Return a whole number that is written as 1000000, 1,000,000 or 1e6."""
    try:
        return whole("", float(re.sub(r",(?=\d{3}\b)", "", text)))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, such as 1000000 or 1e6") from None


def resampling_options(
    parser: argparse.ArgumentParser, resamples: int, seed: str = "seed of the random numbers"
) -> None:
    """Add the options for the number of resamples and the seed."""
    number = f"number of resamples ({resamples})"
    parser.add_argument("--resamples", type=number_of, default=resamples, metavar="B", help=number)
    parser.add_argument("--seed", type=int, default=0, help=f"{seed} (0)")


def format_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the format of tables."""
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help=f"format of the output ({FORMATS[0]})")


def interval_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the kind of intervals."""
    kinds = list(INTERVALS)
    parser.add_argument("--interval", choices=kinds, default=kinds[0], help="kind of the 95%% intervals")


def level_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the level and the sides of a test."""
    usual = Notion()
    parser.add_argument("--level", type=float, default=usual.level, help=f"significance level ({usual.level:g})")
    sides = "two-sided p, or the winner's one-sided p as in the paper (two)"
    parser.add_argument("--sides", choices=SIDES, default=usual.sides, help=sides)


def notion_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for what counts as significant."""
    level_options(parser)
    usual, add = Notion(), parser.add_argument
    scopes = "; ".join(f"{scope}: {what}" for scope, what in SCOPES.items())
    add("--scope", choices=list(SCOPES), default=usual.scope, help=f"what is significant ({scopes}; {usual.scope})")
    adjust = f"correction of p for many pairs: {', '.join(CORRECTIONS.values())} ({usual.adjust})"
    add("--adjust", choices=list(CORRECTIONS), default=usual.adjust, help=adjust)
    test_option(parser)
    within = "a gain that nobody would mind: systems within it are equivalent (none)"
    add("--within", type=float, metavar="X", help=within)


def test_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the test."""
    tests = "test that gives p (bootstrap; randomization for few documents)"
    parser.add_argument("--test", choices=list(TESTS), default=Notion().test, help=tests)


def rule_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for estimating thresholds."""
    notion_options(parser)
    usual, add = Rule(), parser.add_argument
    window = "window of the unadjusted p (0.8 to 1.2 times the level)"
    add("--window", type=float, nargs=2, metavar=("LOW", "HIGH"), help=window)
    percentile = f"percentile of the gains ({usual.percentile:g})"
    add("--percentile", type=float, default=usual.percentile, help=percentile)
    add("--fewest", type=int, default=usual.fewest, help=f"least number of pairs in the window ({usual.fewest})")


def baseline_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for a baseline."""
    baseline = f"system with which the others are compared (the one that is called so); {NO_BASELINE} for none"
    parser.add_argument("--baseline", metavar="SYSTEM", help=baseline)


def workers_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where tasks run."""
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="run on N Dask workers of this machine")
    trust = "run on the Dask cluster at this address, which has to be trusted: Dask unpickles what it is sent"
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=trust)


def running_workers(options: argparse.Namespace) -> AbstractContextManager[Workers]:
    """Return the workers that the options ask for; Dask's of this machine start and end once for a whole command."""
    if options.workers < 0:
        raise ChoiceError(f"--workers is {options.workers}; give 1 or more, or leave it out for processes")
    return started(Workers(scheduler=options.scheduler, number=options.workers))


def workers_of(options: argparse.Namespace) -> Workers:
    """Return where tasks run: as the options say, and on this machine for commands without such options."""
    return getattr(options, "running", None) or Workers()


# Options by the name under which ``common_options`` adds them.
GROUPS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "task": task_options,
    "task without average": partial(task_options, refused=["weights"]),
    "task without average or resamples": partial(task_options, refused=["weights", "resamples", "seed"]),
    "task without table": partial(task_options, table=False),
    "tasks without table": partial(task_options, several=True, table=False),
    "level": level_options,
    "notion": notion_options,
    "rule": rule_options,
    "baseline": baseline_option,
    "interval": interval_option,
    "workers": workers_options,
    "format": format_option,
}


def common_options(parser: argparse.ArgumentParser, *groups: str) -> None:
    """Add options that several commands share, by the names of their GROUPS."""
    for group in groups:
        GROUPS[group](parser)
