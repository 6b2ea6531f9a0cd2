"""Planning: power at the minimal detectable gain, and bounds on p without a hit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.validation import worlds as makers
from benchmarks.validation.rows import Cell, Effort, Row, stream
from benchmarks.validation.type_one import LEVEL, SMALL, p_values
from nlpsig_core.significance.comparison.detectable import detectable_gain
from nlpsig_core.significance.paired_tests.bootstrap import run
from nlpsig_core.significance.stats.array import Stats

POWER, MONTE_CARLO = "power", "Monte Carlo"
CHANCE = 0.8
# Units of worlds with a known p, and the rule of three: without a hit, p is below 3 / b with 95 % confidence.
UNITS, THREE = 100, 3.0


def power(effort: Effort) -> Iterator[Row]:
    """Yield how often a true gain equal to the minimal detectable gain is significant."""
    deviations = {"mean, normal": (makers.normal, np.sqrt(2)), "mean, skewed gains": (makers.skewed, 1.0)}
    for name, (make, deviation) in deviations.items():
        for n in effort.sizes(20, 50, 100, 500):
            cell = Cell(POWER, name, n)
            gain = float(detectable_gain(deviation / np.sqrt(n), LEVEL, power=CHANCE, freedom=n - 1))
            found = []
            for chunk, many in enumerate(effort.chunks()):
                stats = make(stream(cell, chunk), many, n, gain)
                better = stats.scores[::2] > stats.scores[1::2]
                found.append(better & (p_values(stats, ("bootstrap",), effort.recipe(cell, chunk))[SMALL] < LEVEL))
            yield cell.row("significant at the minimal detectable gain", CHANCE, np.concatenate(found), at_most=False)


def monte_carlo(effort: Effort) -> Iterator[Row]:
    """Yield how often the true p, known by enumeration, is within the stated Monte-Carlo error."""
    cell, b, found = Cell(MONTE_CARLO, "right or wrong", UNITS), effort.resamples, []
    for chunk, many in enumerate(effort.chunks()):
        stats, truth = known_p_worlds(stream(cell, chunk), many)
        first = 2 * np.arange(many)
        p = run(stats, np.stack([first, first + 1], axis=1), effort.recipe(cell, chunk))
        found.append([truth, p.one_sided, p.error])
    truth, p_value, error = np.hstack(found)
    none = p_value == 0
    yield cell.row("true p below 3/b where no resample was a hit", 0.95, truth[none] < THREE / b, at_most=False)
    close = (truth >= THREE / b) & (truth < 2 * THREE / b)
    yield cell.row("no hit where the true p is 3/b to 6/b", 0.05, none[close])
    within = np.abs(truth - p_value) <= np.where(none, 1, 2) * error
    yield cell.row("true p within two errors of p", 0.95, within, at_most=False)


def known_p_worlds(rng: np.random.Generator, worlds: int) -> tuple[Stats, np.ndarray]:
    """Return worlds of right and wrong units, in each of which the first system wins, and the paper's p of each."""
    lost = rng.integers(0, 20, worlds)
    won = lost + rng.integers(1, 30, worlds)
    order = np.argsort(rng.random((worlds, UNITS)), axis=1)
    right = np.stack([order < won[:, None], order >= UNITS - lost[:, None]], axis=1)
    return makers.means(right.astype(np.int32)), true_p(won, lost, UNITS)


def true_p(won: np.ndarray, lost: np.ndarray, n: int) -> np.ndarray:
    """Return the limit of the paper's p for many resamples, (pairs,), P(won* - lost* > 2 (won - lost)).

    Sums over won*, which is binomial in n draws; lost* is binomial in the n - won* draws that remain.
    """
    from scipy.stats import binom

    drawn = np.arange(n + 1)[:, None]
    of_won = binom.pmf(drawn, n, won / n)
    fewer = drawn - 2 * (won - lost) - 1
    return (of_won * binom.cdf(fewer, n - drawn, lost / (n - won))).sum(axis=0)
