"""Options that several commands share, and the choices they stand for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nlpsig_core.base.engine import Workers, started
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task import real_names, sample_names
from nlpsig_core.data.task.naming import ROLES
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.notion import CORRECTIONS, SCOPES, SIDES, Notion
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.counts import TREATMENTS
from nlpsig_core.significance.stats.weights import EQUAL, WEIGHTS

# What --baseline takes for none.
NO_BASELINE = "none"


def task_options(parser: argparse.ArgumentParser, resamples: int = 1_000_000) -> None:
    """Add the options for a task, how it is read, what is selected from it, and the resampling."""
    real, samples = (", ".join(names) or "none" for names in (real_names(), sample_names()))
    parser.add_argument(
        "task",
        metavar="TASK",
        help=f"a folder, a zip, a pack, a score table, or the name of a real task ({real}) or of a sample ({samples})",
    )
    parser.add_argument("--gold", type=Path, help="gold file or folder, if supplied separately")
    metrics = ", ".join(dict.fromkeys(name for m in METRICS.values() for name in (m.label, m.name)))
    parser.add_argument("--metric", help=f"metric of the outputs' format (default: the first): {metrics}")
    parser.add_argument("--edition", help="edition of the metrics: CoNLL year, tokeniser, stemming, direction, ...")
    parser.add_argument("--test-set", help=f"one of several test sets (default: the first), or {MACRO}")
    several = f"only these test sets; without --test-set several of them are averaged ({MACRO})"
    parser.add_argument("--test-sets", nargs="+", default=[], metavar="NAME", help=several)
    ways = "; ".join(f"{way}: {what}" for way, what in WEIGHTS.items())
    parser.add_argument("--weights", choices=list(WEIGHTS), default=EQUAL, help=f"weights of the {MACRO} ({ways})")
    parser.add_argument("--domain", default="", help='only the units of this domain, or of "all but NAME"')
    rule = (
        "regular expression (RE2, without lookaround) that finds a unit's domain in its sent_id or document name, if "
        "domains.tsv is missing"
    )
    parser.add_argument("--domain-rule", default="", metavar="REGEX", help=rule)
    parser.add_argument("--unit", default="", help="unit to resample: document, if documents are known")
    parser.add_argument("--invalid", default="", help=f"treatment of invalid outputs: {', '.join(TREATMENTS)}")
    parser.add_argument("--kind", help=f"format of the files, if not recognised: {', '.join(READERS)}")
    for option, meaning in (
        ("--role", f"role of a file: {', '.join(ROLES)}"),
        ("--read-as", "another way to read a file"),
    ):
        parser.add_argument(option, action="append", default=[], metavar="FILE=WHAT", help=meaning)
    number = f"number of resamples ({resamples})"
    parser.add_argument("--resamples", type=int, default=resamples, metavar="B", help=number)
    parser.add_argument("--seed", type=int, default=0, help="seed of the random numbers (0)")
    parser.add_argument("--format", choices=("tsv", "json"), default="tsv", help="format of the output (tsv)")


def notion_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for what counts as significant."""
    usual = Notion()
    parser.add_argument("--level", type=float, default=usual.level, help=f"significance level ({usual.level:g})")
    parser.add_argument(
        "--sides",
        choices=SIDES,
        default=usual.sides,
        help="two-sided p, or the winner's one-sided p as in the paper (two)",
    )
    scopes = "; ".join(f"{scope}: {what}" for scope, what in SCOPES.items())
    parser.add_argument(
        "--scope", choices=list(SCOPES), default=usual.scope, help=f"what is significant ({scopes}; {usual.scope})"
    )
    corrections = ", ".join(CORRECTIONS.values())
    adjust = f"correction of p for many pairs: {corrections} ({usual.adjust})"
    parser.add_argument("--adjust", choices=list(CORRECTIONS), default=usual.adjust, help=adjust)
    tests = "test that gives p (bootstrap; randomization for few documents)"
    parser.add_argument("--test", choices=list(TESTS), default=usual.test, help=tests)
    within = "a gain that nobody would mind: systems within it are equivalent (none)"
    parser.add_argument("--within", type=float, metavar="X", help=within)


def notion_of(options: argparse.Namespace) -> Notion:
    """Return the notion of significance that the options ask for; the usual one of a command without them."""
    if "scope" not in options:
        return Notion()
    return Notion(
        level=options.level,
        sides=options.sides,
        scope=options.scope,
        adjust=options.adjust,
        test=options.test,
        within=options.within,
    )


def baseline_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for a baseline."""
    baseline = f"system with which the others are compared (the one that is called so); {NO_BASELINE} for none"
    parser.add_argument("--baseline", metavar="SYSTEM", help=baseline)


def rule_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for estimating thresholds."""
    notion_options(parser)
    window = "window of the unadjusted p (0.8 to 1.2 times the level)"
    parser.add_argument("--window", type=float, nargs=2, metavar=("LOW", "HIGH"), help=window)
    parser.add_argument("--percentile", type=float, default=95.0, help="percentile of the gains (95)")
    parser.add_argument("--fewest", type=int, default=20, help="least number of pairs in the window (20)")


def rule_of(options: argparse.Namespace) -> Rule:
    """Return the rule for thresholds, before it follows a notion of significance (``Rule.following``)."""
    window = tuple(options.window) if options.window else None
    return Rule(window=window, percentile=options.percentile, fewest=options.fewest)


def recipe_of(options: argparse.Namespace) -> Resampling:
    """Return the recipe that the options ask for."""
    return Resampling(options.resamples, options.seed)


def workers_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where tasks run."""
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="run on N Dask workers of this machine")
    trust = "run on the Dask cluster at this address, which has to be trusted: Dask unpickles what it is sent"
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=trust)


@contextmanager
def running_workers(options: argparse.Namespace) -> Iterator[None]:
    """The workers that the options ask for; Dask's of this machine start and end once for all that a command does."""
    if options.workers < 0:
        raise ChoiceError(f"--workers is {options.workers}; give 1 or more, or leave it out for processes")
    with started(Workers(scheduler=options.scheduler, number=options.workers)) as options.running:
        yield


def workers_of(options: argparse.Namespace) -> Workers:
    """Return where tasks run: as the options say, and on this machine for commands without such options."""
    return getattr(options, "running", Workers())
