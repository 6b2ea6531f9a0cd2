"""The recipe of a resampling: how many resamples, from which seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.streams import Purpose, stream

BLOCK = 1_000
# Work is handed to threads in runs of blocks; how many depends on the recipe alone, so that sums of floats
# are added in one order whatever the number of threads.
RUNS = 64


@dataclass(frozen=True)
class Resampling:
    """The recipe of a bootstrap: how many resamples, from which seed, of which unit.

    Resamples are made in blocks of ``BLOCK``; block i has its own stream of random numbers,
    ``SeedSequence(seed, spawn_key=(i,))``. All systems share every resample. Of a system with several runs, these are
    drawn as well, from a stream of its own (``RunDraws``).
    """

    n_resamples: int = 1_000_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.n_resamples <= 10**9:
            raise ChoiceError(f"{self.n_resamples:,} resamples; choose between 1 and 1,000,000,000")
        if self.seed < 0:
            raise ChoiceError(f"The seed {self.seed} is negative; choose 0 or more")

    def runs(self) -> Iterator[range]:
        """The numbers of all blocks, in runs of neighbouring ones."""
        n_blocks = -(-self.n_resamples // BLOCK)
        length = -(-n_blocks // RUNS)
        for start in range(0, n_blocks, length):
            yield range(start, min(start + length, n_blocks))

    def rows(self, block: int) -> int:
        """How many resamples a block holds: BLOCK, the last one what is left."""
        return min(BLOCK, self.n_resamples - block * BLOCK)

    def stream(self, block: int, part: int = 0, stratum: int = 0) -> np.ndarray:
        """The state (4,) of the random numbers of a block; each part (test set) but the first has its own.

        So has each stratum of units whose first test set it is, but the first one.
        """
        if stratum:
            return self._state(Purpose.UNITS_OF_STRATUM, block, part, stratum)
        return self._state(Purpose.UNITS_OF_TEST_SET, block, part) if part else self._state(Purpose.UNITS, block)

    def run_stream(self, block: int, system: int) -> np.ndarray:
        """The state (4,) of the random numbers that draw the runs of a system (``RunDraws.keys``) in a block."""
        return self._state(Purpose.RUNS, block, system)

    def _state(self, purpose: Purpose, *numbers: int) -> np.ndarray:
        return stream(self.seed, purpose, *numbers).generate_state(4, np.uint64)
