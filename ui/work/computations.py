"""What the pages compute: each computation with its key, its work and its label; ``watching.watch`` runs them.

Keys are digests of statistics, recipes and choices, never names or paths alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import TaskError
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import capital
from nlpsig_core.data.metrics import Family
from nlpsig_core.data.task.limits import why
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import evidence as arguments_of_results
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.paired_tests import TESTS, PValues, run_test
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.shipped import known_or_bootstrap
from nlpsig_core.significance.stats.array import Sample, Stats
from nlpsig_core.significance.stats.counting import count_test_set
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.studies.lessons.film import Film
from nlpsig_core.studies.lessons.film import film as film_of
from nlpsig_core.studies.pair import resampled as one_pair
from nlpsig_core.studies.pair.without import Without, what_if_without
from nlpsig_core.studies.pair.without import carried_by as search
from ui.work.jobs import Tell

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Computation(Generic[Result]):
    """A result to be computed in a job: the job's ``key``, its ``work``, and its ``label`` on screen.

    A session waits for one computation of each ``name``; a new one replaces the last. Names must be unique per page,
    or starting one computation cancels another.
    """

    key: Hashable
    work: Callable[[Tell], Result]
    label: str
    name: str


# Gives the result of a computation.
Wait = Callable[[Computation[Any]], Any]


def steps(tell: Tell) -> Progress:
    """Return a function that reports progress in steps as a share and a note."""
    return lambda done, of: tell(done / of, f"{done:,} of {of:,}")


def count(key: Hashable, task: SharedTask, test_set: TestSet, family: Family) -> Computation[Counts]:
    """Return the statistics of a test set's outputs."""
    systems = task.files_on(test_set)

    def work(tell: Tell) -> Counts:
        try:
            return count_test_set(test_set, systems, family, tell)
        except MemoryError as error:  # the task cannot be shown, unlike for want of memory later
            raise TaskError(why(error)) from None

    return Computation(
        key=("count", __version__, key, test_set.name, family.name, tuple(systems)),
        work=work,
        label=f"Reading and scoring{_which(task, test_set)}: {family.name}",
        name=f"count_{test_set.name}_{family.name}",
    )


def _which(task: SharedTask, test_set: TestSet) -> str:
    """Return the name of the test set and its place among several; else ""."""
    names = list(task.test_sets)
    return f" {test_set.name}, {names.index(test_set.name) + 1} of {len(names)}" if len(names) > 1 else ""


def bootstrap(selection: Selection, recipe: Resampling, name: str = "bootstrap") -> Computation[Bootstrap]:
    """Return the bootstrap of all pairs."""
    stats = selection.stats

    def work(tell: Tell) -> Bootstrap:
        return known_or_bootstrap(stats, recipe, steps(tell))

    size = f"{recipe.n_resamples:,} resamples of {stats.n_units:,} {stats.unit}s for {stats.n_pairs:,} pairs"
    key = ("bootstrap", __version__, stats.digest, recipe)
    return Computation(key=key, work=work, label=f"Testing every pair: {size}", name=name)


def analysis(
    selection: Selection,
    recipe: Resampling,
    what: tuple[Any, ...],
    work: Callable[[Progress], Result],
    label: str,
    name: str = "",
) -> Computation[Result]:
    """Return an analysis of a selection with its names, groups and kinds.

    ``what`` identifies the analysis and its settings; its first item is the name unless one is given.
    """
    key = (what, __version__, selection.stats.digest, selection.systems.to_csv(), recipe)
    return Computation(key=key, work=lambda tell: work(steps(tell)), label=label, name=name or what[0])


def max_t(selection: Selection, recipe: Resampling, result: Bootstrap, name: str) -> Computation[np.ndarray]:
    """Return the p-value of every pair, adjusted by max-t."""
    work = Results(selection, result).max_t
    return analysis(selection, recipe, ("max_t",), work, "Max-t over every pair", name)


def p_values(test: str, selection: Selection, recipe: Resampling, name: str = "tested") -> Computation[PValues]:
    """Return the p-values of all pairs by a test other than the bootstrap."""
    work = partial(run_test, test, selection.stats, recipe)
    return analysis(selection, recipe, ("tested", test), work, f"{capital(TESTS[test].label)} of every pair", name)


def evidence(
    selection: Selection, recipe: Resampling, notion: Notion, wait: Wait, name: str = "bootstrap"
) -> tuple[Any, ...]:
    """Return the arguments of ``Results``, with the p that a notion needs beside the bootstrap's.

    ``wait`` gives the result of a computation; ``name`` sets the jobs apart from others of the page.
    """
    return arguments_of_results(
        selection,
        notion,
        lambda: wait(bootstrap(selection, recipe, name)),
        lambda test: wait(p_values(test, selection, recipe, f"{name}_tested")),
        lambda result: wait(max_t(selection, recipe, result, f"{name}_max_t")),
    )


def bootstrap_of_pair(stats: Sample, recipe: Resampling) -> Computation[Bootstrap]:
    """Return the bootstrap of two systems alone, with their scores in all resamples."""
    return _of_pair(stats, recipe, ("bootstrap_of_pair",), partial(one_pair.drawn, stats, recipe), "Testing this pair")


def tests_of_pair(stats: Stats, result: Bootstrap) -> Computation[pd.DataFrame]:
    """Return every test of one pair, winner first."""
    work = partial(one_pair.all_tests, stats, result)
    return _of_pair(stats, result.recipe, ("tests_of_pair",), work, "All tests of this pair")


def carried_by(stats: Stats, recipe: Resampling, notion: Notion) -> Computation[Without | None]:
    """Return the fewest units without which one pair's gain is not significant."""
    work = partial(search, stats, recipe, notion)
    return _of_pair(stats, recipe, ("carried_by", notion), work, "Searching for the units that carry the result")


def without(stats: Stats, recipe: Resampling, k: int, notion: Notion) -> Computation[Without]:
    """Return one pair without the k units of the largest pull."""
    work = partial(what_if_without, stats, k, recipe, notion)
    return _of_pair(stats, recipe, ("without", k, notion), work, "Resampling the remaining units")


def film(stats: Stats | None = None, seed: int = 0) -> Computation[Film]:
    """Return the numbers of the film on the Learn page, of one pair or of the made-up taggers."""
    return Computation(
        key=("film", __version__, stats.digest if stats else "", seed),
        work=lambda tell: film_of(stats, seed, steps(tell)),
        label="Resampling for the film",
        name="film",
    )


def _of_pair(
    stats: Sample, recipe: Resampling, what: tuple[Any, ...], work: Callable[..., Result], label: str
) -> Computation[Result]:
    """Return a computation on one pair's statistics; ``work`` takes ``progress``."""
    key = (what, __version__, stats.digest, recipe)
    return Computation(key=key, work=lambda tell: work(progress=steps(tell)), label=label, name=what[0])


def output(key: Hashable, test_set: TestSet, file: str) -> Computation[Any]:
    """Return one system's output as its reader represents it."""
    source = test_set.outputs[file]
    return Computation(
        key=("output", __version__, key, test_set.name, file),
        work=lambda tell: test_set.read(source.path, source.load()),
        label=f"Reading {file}",
        name=f"output_{file}",
    )
