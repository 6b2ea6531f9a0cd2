"""Random streams: every purpose that draws random numbers, with the key of its streams."""

from __future__ import annotations

from enum import Enum

import numpy as np

# Stands for a number in a key: a block, a test set, a draw.
N = None


class Purpose(Enum):
    """What random numbers are for. The value is the key of its streams, with N for each number.

    No two purposes share a key, or the same random numbers would serve both.
    """

    UNITS = (N,)  # block
    UNITS_OF_TEST_SET = (N, N)  # block, test set
    UNITS_OF_STRATUM = (N, N, 2, N)  # block, test set, stratum
    RUNS = (N, 0, 3, N)  # block, the system's content
    SWAPS = (N, N, 1)  # block, test set
    SWAPS_OF_STRATUM = (N, N, 1, N)  # block, test set, stratum
    NEEDED_GAIN = ()
    WHAT_IF = (0, 0, 0, 5)
    SUBSET = (N, N, 41)  # size, draw
    DOMAIN_UNITS = (0, 0, 0, 6)
    DOMAIN_RANKING = (N, 0, 0)  # domain
    SYSTEMS_AGAIN = (0, 0, 0, 7)
    TEST_SETS_AGAIN = (0, 0, 0, 8)
    RATED_SYSTEMS_AGAIN = (0, 0, 0, 10)
    POPULATION_UNITS = (N, 0, 4, 0)  # draw
    POPULATION_RESAMPLES = (N, 0, 4, 1)  # draw
    LESSON_ORDER = (0, 0, 0, 1, N)  # resample
    LESSON_SWAPS = (0, 0, 0, 2, N, N)  # shuffle, chunk of worlds
    LESSON_MIX = (0, 0, 0, 3, N)  # draw
    LESSON_HALVES = (0, 0, 0, 4, N)  # block
    LESSON_FILM = (0, 0, 0, 9, 0)
    RANDOM_CONFIDENCE = (N, 0, 51)  # the output's content
    PERTURBED_WEIGHTS = (0, 0, 52)
    CLASS_ORDER = (0, 0, 53)
    CELL_SWAPS = (N, 0, 54)  # block
    RATED_SYSTEMS = (0, 0, 55)
    SENTENCE_ORDER = (N, 0, 56)  # number of the order


def stream(seed: int, purpose: Purpose, *numbers: int) -> np.random.SeedSequence:
    """Return the seed of one stream of a purpose; ``numbers`` replace N in its key."""
    given = iter(numbers)
    key = tuple(next(given) if part is N else part for part in purpose.value)
    if leftover := list(given):
        raise ValueError(f"{purpose.name} takes {len(numbers) - len(leftover)} numbers, not {len(numbers)}")
    return np.random.SeedSequence(seed, spawn_key=key)


def generator(seed: int, purpose: Purpose, *numbers: int) -> np.random.Generator:
    """Return the random generator of one stream of a purpose."""
    return np.random.default_rng(stream(seed, purpose, *numbers))
