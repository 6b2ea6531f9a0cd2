"""Random streams: each purpose has keys of its own."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from nlpsig_core.significance.resampling.columns import Strata
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import N, Purpose, generator, stream
from nlpsig_core.significance.stats.array import MacroStats
from nlpsig_core.significance.stats.strata import strata_of
from tests.builders import shares

# Changing a key changes every number that is drawn for its purpose.
KEYS = {
    "UNITS": (N,),
    "UNITS_OF_TEST_SET": (N, N),
    "UNITS_OF_STRATUM": (N, N, 2, N),
    "RUNS": (N, 0, 3, N),
    "SWAPS": (N, N, 1),
    "SWAPS_OF_STRATUM": (N, N, 1, N),
    "NEEDED_GAIN": (),
    "WHAT_IF": (0, 0, 0, 5),
    "SUBSET": (N, N, 41),
    "DOMAIN_UNITS": (0, 0, 0, 6),
    "DOMAIN_RANKING": (N, 0, 0),
    "SYSTEMS_AGAIN": (0, 0, 0, 7),
    "TEST_SETS_AGAIN": (0, 0, 0, 8),
    "RATED_SYSTEMS_AGAIN": (0, 0, 0, 10),
    "POPULATION_UNITS": (N, 0, 4, 0),
    "POPULATION_RESAMPLES": (N, 0, 4, 1),
    "LESSON_ORDER": (0, 0, 0, 1, N),
    "LESSON_SWAPS": (0, 0, 0, 2, N, N),
    "LESSON_MIX": (0, 0, 0, 3, N),
    "LESSON_HALVES": (0, 0, 0, 4, N),
    "LESSON_FILM": (0, 0, 0, 9, 0),
    "RANDOM_CONFIDENCE": (N, 0, 51),
    "PERTURBED_WEIGHTS": (0, 0, 52),
    "CLASS_ORDER": (0, 0, 53),
    "CELL_SWAPS": (N, 0, 54),
    "RATED_SYSTEMS": (0, 0, 55),
    "SENTENCE_ORDER": (N, 0, 56),
}


def test_the_key_of_every_purpose_is_fixed():
    assert {purpose.name: purpose.value for purpose in Purpose} == KEYS


@pytest.mark.parametrize(("one", "other"), list(combinations(Purpose, 2)), ids=lambda of: of.name)
def test_no_two_purposes_share_a_key(one, other):
    """Keys of one length are apart where a fixed number of the one differs from a fixed number of the other."""
    if len(one.value) == len(other.value):
        fixed = [(a, b) for a, b in zip(one.value, other.value, strict=True) if a is not N and b is not N]
        assert any(a != b for a, b in fixed)


def test_numbers_take_their_places_in_the_key():
    assert stream(3, Purpose.RUNS, 5, 8).spawn_key == (5, 0, 3, 8)
    assert (
        generator(3, Purpose.SUBSET, 5, 8).random()
        == np.random.default_rng(np.random.SeedSequence(3, spawn_key=(5, 8, 41))).random()
    )


def test_too_many_numbers_are_refused():
    with pytest.raises(ValueError, match="UNITS takes 1 numbers, not 2"):
        stream(0, Purpose.UNITS, 1, 2)


def test_every_block_test_set_and_stratum_has_a_stream_of_its_own():
    """States of 256 bits: two of the 27 streams of units and the 9 of runs never agree by chance."""
    recipe = Resampling(seed=7)
    of_units = [tuple(recipe.stream(*key)) for key in product(range(3), repeat=3)]
    of_runs = [tuple(recipe.run_stream(*key)) for key in product(range(3), repeat=2)]
    assert len(set(of_units + of_runs)) == 27 + 9


def test_the_stream_of_a_block_is_seeded_by_its_number_and_its_test_set():
    """Changing these keys changes every p-value: the first test set has the stream of a task with one test set."""
    keys = {(5,): (5,), (5, 0): (5,), (5, 2): (5, 2), (5, 2, 3): (5, 2, 2, 3)}
    for arguments, key in keys.items():
        expected = np.random.SeedSequence(7, spawn_key=key).generate_state(4, np.uint64)
        np.testing.assert_array_equal(Resampling(seed=7).stream(*arguments), expected)


def test_every_stratum_of_shared_units_has_a_stream_of_its_own():
    """Units a and b of the first test set are in no other, c is in the second, d in the third, and e in all three.

    So the first test set begins four strata, and the second and the third one each with the units of their own.
    """
    units = ["abcde", "cfe", "dge"]
    parts = tuple(shares(np.ones((2, len(of_set))), of=1) for of_set in units)
    streams = Strata(MacroStats(parts, strata_of(units))).streams
    assert sorted(streams) == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (2, 0)]
