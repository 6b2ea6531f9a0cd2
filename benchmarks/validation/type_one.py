"""False alarms: how often two equal systems have a two-sided p below 0.05."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from benchmarks.validation import worlds as makers
from benchmarks.validation.rows import Cell, Effort, Row, stream
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.small_sample import differences, small_sample_p
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.lessons.null_world import winners_first

SECTION, LEVEL = "false alarms", 0.05
# What nobody promises: units that belong together are resampled one by one.
APART = "units apart"
SMALL, WINNERS = "small-sample p", "paired bootstrap, winner's one-sided p"
# Tests of the hypothesis that the population's gain is 0, skewed or not.
OF_POPULATION = ("bootstrap", "bootstrap-t", "t")
OF_CORPUS = ("bootstrap", "randomization", "bootstrap-t", "robust-t")
OF_UNITS = (*OF_CORPUS, "sign", "t", "Wilcoxon")
# The fewest and the most differing units of sparse pairs, of 500.
FEW = ((2, 4), (5, 9), (10, 19), (20, 49), (100, 200))


def p_values(stats: Stats, tests: tuple[str, ...], recipe: Resampling) -> dict[str, np.ndarray]:
    """Return the two-sided p of each world by test; for the bootstrap also the small-sample and the one-sided p."""
    pairs, found = winners_first(stats), {}
    for name in tests:
        p = TESTS[name].run(stats, pairs, recipe)
        found[TESTS[name].label] = p.two_sided
        if name == "bootstrap":
            found[WINNERS] = p.one_sided
            one_side = p.never_zero[1] / 2
            found[SMALL] = np.minimum(2 * small_sample_p(one_side, differences(stats, pairs)), 1.0)
    return found


def rows_of(cell: Cell, make: makers.Maker, tests: tuple[str, ...], effort: Effort) -> Iterator[Row]:
    """Yield a row per test: the share of worlds with p below the level."""
    parts = []
    for chunk, many in enumerate(effort.chunks()):
        stats = make(stream(cell, chunk), many, int(cell.n))
        parts.append(p_values(stats, tests, effort.recipe(cell, chunk)))
    yield from shares_below(cell, parts)


def shares_below(cell: Cell, parts: Sequence[Mapping[str, np.ndarray]]) -> Iterator[Row]:
    """Yield a row per test of p-values by test, a part for each chunk of worlds."""
    for test in parts[0]:
        # Either system can be the winner, which is chosen after looking.
        promised = 2 * LEVEL if test == WINNERS else LEVEL
        yield cell.row(test, promised, np.concatenate([part[test] for part in parts]) < LEVEL)


def rows(effort: Effort) -> Iterator[Row]:
    """Yield all rows, by kind of statistic and number of units."""
    kinds: tuple[tuple[str, makers.Maker, tuple[str, ...]], ...] = (
        ("right or wrong", makers.right_or_wrong, (*OF_UNITS, "McNemar")),
        ("LAS-like", makers.words, OF_UNITS),
        ("F1 of entities", makers.entities, OF_UNITS),
        ("mean, skewed gains", makers.skewed, OF_POPULATION),
    )
    for name, make, tests in kinds:
        for n in effort.sizes(10, 20, 50, 100, 200, 500):
            yield from rows_of(Cell(SECTION, name, n), make, tests, effort)
    for least, most in FEW[: 1 if effort.quick else None]:
        cell = Cell(SECTION, "right or wrong, few differ", 500, f"{least}-{most}")
        yield from rows_of(cell, makers.few_right(least, most), (*OF_UNITS, "McNemar"), effort)
        cell = Cell(SECTION, "LAS-like, few differ", 500, f"{least}-{most}")
        yield from rows_of(cell, makers.few_words(least, most), OF_UNITS, effort)
    for n in effort.sizes(10, 30, 50, 100, 250):
        yield from rows_of(Cell(SECTION, "nDCG@10", n), makers.rankings, OF_UNITS, effort)
    for n in effort.sizes(10, 20, 50):
        yield from rows_of(Cell(SECTION, "LAS-like, documents", n), makers.documents, OF_CORPUS, effort)
        yield from rows_of(Cell(SECTION, "WER, speakers", n), makers.utterances(of_speakers=True), OF_CORPUS, effort)
        own = Cell(APART, "WER, their utterances", 10 * n)
        yield from rows_of(own, makers.utterances(of_speakers=False), OF_CORPUS, effort)
    translations = makers.translations()
    if translations is None:
        yield Cell(SECTION, "BLEU, swapped (skipped: NLPSIG_REAL_DATA is not set)").row("all", LEVEL, np.empty(0))
        return
    for n in effort.sizes(20, 100, 500, 998):
        yield from rows_of(Cell(SECTION, "BLEU, swapped", n), translations, OF_UNITS, effort)
