"""The 92% experiment: small test sets drawn from a large one, which serves as the population.

Berg-Kirkpatrick et al. (2012), section 4.2; ``calibration.within_population`` bins the tests by p.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.engine import Workers
from nlpsig_core.base.errors import ChoiceError, check_types, whole
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.classes import comparisons
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.paired_tests.bootstrap import run
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import all_pairs, observed_gains
from nlpsig_core.significance.resampling.parts import on_workers
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.analyses.domains import common_stats, rows_of

# A population has at least this many times the units of a test set drawn from it.
TIMES = 10
# On fewer units no exact two-sided test reaches 0.05, since 2 / 2^5 is larger.
FEWEST_DRAWN = 6
# Each test set is a bootstrap of all pairs.
MOST_DRAWN = 1_000


class Cost(NamedTuple):
    """The cost of an experiment: tests of pairs, and resamples over all its test sets."""

    tests: int
    resamples: int


def cost(selection: Selection, size: int, draws: int, recipe: Resampling) -> Cost:
    """Return the cost of ``population_tests`` with these choices; ChoiceError if they are out of range."""
    check_types(selection=(selection, Selection), recipe=(recipe, Resampling))
    size, draws = whole("size", size), whole("draws", draws)
    most, stats = largest_size(selection), _valid(selection)
    if size < FEWEST_DRAWN:
        raise ChoiceError(f"Test sets of {count(size, stats.unit)}; choose {FEWEST_DRAWN} or more")
    if size > most:
        wrong = f"Test sets of {size:,} {stats.unit}s are no small samples of {stats.n_units:,}"
        raise ChoiceError(f"{wrong}; choose {most:,} or fewer, a tenth of the population")
    if draws < 1:
        raise ChoiceError(f"{draws} test sets; choose 1 or more")
    if draws > MOST_DRAWN:
        raise ChoiceError(f"{draws:,} test sets; choose {MOST_DRAWN:,} or fewer")
    return Cost(draws * stats.n_pairs, draws * recipe.n_resamples)


def largest_size(selection: Selection) -> int:
    """Return the largest size of test sets drawn from the selection, a tenth of it; ChoiceError if that is too few."""
    stats = _valid(selection)
    if stats.n_units < TIMES * FEWEST_DRAWN:
        few = f"{count(stats.n_units, stats.unit)} are too few for a population"
        needed = (
            f"test sets have {FEWEST_DRAWN} at least and a tenth of them at most, so {TIMES * FEWEST_DRAWN} are needed"
        )
        raise ChoiceError(f"{few}: {needed}")
    return stats.n_units // TIMES


def _valid(selection: Selection) -> Stats:
    (stats,) = common_stats({selection.first.test_set.name or selection.task.name: selection}).values()
    return stats


def population_tests(
    selection: Selection,
    size: int,
    draws: int,
    recipe: Resampling,
    progress: Progress | None = None,
    workers: Workers = Workers(),
) -> pd.DataFrame:
    """Return all pairs tested on ``draws`` test sets of ``size`` units, drawn with replacement: a row a test.

    The selection's own units are the population, and ``size`` is at most a tenth of them (``largest_size``). Even so,
    more winners win in the population than are better on new texts, because the population is itself a sample, in
    which equal systems differ (see "Calibration on a tenth of the population" in the decisions).

    Columns draw (from 1), system_a (the winner on the drawn test set), system_b, comparison, gain, p_value,
    population_gain (of system_a, negative if it is the worse system), agree. Excludes pairs that tie in the population
    or on the drawn test set, and systems without a valid output. Test set r and its resamples depend only on the seed
    and on r; Dask's ``workers`` test one each. ``progress(done, of)`` counts the resamples of all test sets together
    and may raise to cancel.
    """
    # Refuses choices that are out of range.
    cost(selection, size, draws, recipe)
    stats = _valid(selection)
    order = np.stack(np.triu_indices(stats.n_systems, 1), axis=1)
    classes = comparisons(rows_of(selection, stats.names), order)
    drawn, tested = _Draws(stats, size, recipe), []
    for draw, p in enumerate(_p_values(drawn, draws, progress, workers)):
        test_set, pairs, _ = drawn.drawn(draw)
        (gain, tie), (true_gain, true_tie) = observed_gains(test_set, pairs), observed_gains(stats, pairs)
        keep = (gain > tie) & (np.abs(true_gain) > true_tie)
        tested.append((np.full(keep.sum(), draw + 1), pairs[keep], classes[keep], gain[keep], p[keep], true_gain[keep]))
    number, pairs, of_class, gain, p, true_gain = (np.concatenate(column) for column in zip(*tested, strict=True))
    names = list(stats.names)
    return pd.DataFrame(
        {
            "draw": number,
            "system_a": pd.Categorical.from_codes(pairs[:, 0], names),
            "system_b": pd.Categorical.from_codes(pairs[:, 1], names),
            "comparison": pd.Categorical(of_class),
            "gain": gain,
            "p_value": p,
            "population_gain": true_gain,
            "agree": true_gain > 0,
        }
    )


class _Draws(NamedTuple):
    """Test sets of some size, drawn from the units of these statistics."""

    stats: Stats
    size: int
    recipe: Resampling

    def drawn(self, draw: int) -> tuple[Stats, np.ndarray, Resampling]:
        """Return a test set (from 0), its pairs with the winner first, and the recipe of its resamples."""
        units, own = drawn_units(self.recipe, draw, self.size, self.stats.n_units)
        test_set = self.stats.take(units)
        return test_set, all_pairs(test_set.metric.sign * test_set.scores), own

    def none(self, draw: int) -> dict[str, np.ndarray]:
        """Return arrays such as those of ``_tested``."""
        return {"p": np.zeros(self.stats.n_pairs)}


def _p_values(draws: _Draws, number: int, progress: Progress | None, workers: Workers) -> Iterator[np.ndarray]:
    """Yield p of the pairs of each test set."""
    if not workers.use_dask:
        for draw in range(number):
            yield _tested(draws, draw, nth_of(progress, draw, number), threads=None)["p"]
        return
    key = ("population", draws.stats.digest, draws.size, draws.recipe.seed, draws.recipe.n_resamples)
    names = {draw: (*key, draw) for draw in range(number)}
    for done, arrays in enumerate(on_workers(_tested, draws, names, draws.none, workers), start=1):
        yield arrays["p"]
        if progress:
            progress(done, number)


def _tested(
    draws: _Draws, draw: int, progress: Progress | None = None, threads: int | None = 1
) -> dict[str, np.ndarray]:
    """Return p of the pairs of one test set; on one thread by default, as test sets are tested side by side."""
    return {"p": run(*draws.drawn(draw), progress, threads).one_sided}


def drawn_units(recipe: Resampling, draw: int, size: int, n_units: int) -> tuple[np.ndarray, Resampling]:
    """Return the units of a test set (``draw`` from 0), drawn with replacement, and the recipe of its resamples."""
    units = generator(recipe.seed, Purpose.POPULATION_UNITS, draw).integers(0, n_units, size)
    return units, recipe.reseeded(Purpose.POPULATION_RESAMPLES, draw)
