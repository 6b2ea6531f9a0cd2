"""The recipe of a resampling: how many resamples, from which seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nlpsig_core.base.errors import ChoiceError, whole
from nlpsig_core.significance.resampling.streams import Purpose, stream

BLOCK = 1_000
# Threads work on chunks of blocks. Their number depends on the recipe alone, so that floats are summed in the same
# order for any number of threads.
CHUNKS = 64


@dataclass(frozen=True)
class Resampling:
    """The recipe of a bootstrap: how many resamples, from which seed.

    Resamples are drawn in blocks of ``BLOCK``, each from its own stream (``streams.Purpose.UNITS``). All systems share
    every resample. The runs of a system are resampled as well, from a stream of their own (``runs.RunDraws``).

    Parameters
    ----------
    n_resamples
        How many, up to 10^9; ChoiceError for other numbers.
    seed
        Not negative. The same seed draws the same resamples on any machine.

    Examples
    --------
    >>> recipe = Resampling(2_500, seed=1)
    >>> [recipe.rows(block) for chunk in recipe.chunks() for block in chunk]
    [1000, 1000, 500]
    """

    n_resamples: int = 1_000_000
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("n_resamples", "seed"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        if not 1 <= self.n_resamples <= 10**9:
            raise ChoiceError(f"{self.n_resamples:,} resamples; choose between 1 and 1,000,000,000")
        if self.seed < 0:
            raise ChoiceError(f"The seed {self.seed} is negative; choose 0 or more")

    def chunks(self) -> Iterator[range]:
        """Yield the numbers of all blocks, in chunks of consecutive ones."""
        n_blocks = -(-self.n_resamples // BLOCK)
        length = -(-n_blocks // CHUNKS)
        for start in range(0, n_blocks, length):
            yield range(start, min(start + length, n_blocks))

    def parts(self) -> list[SomeBlocks]:
        """Return the recipe of each chunk alone, for workers that count one each."""
        return [SomeBlocks(self.n_resamples, self.seed, chunk) for chunk in self.chunks()]

    def rows(self, block: int) -> int:
        """Return the number of resamples in a block: BLOCK, fewer in the last."""
        return min(BLOCK, self.n_resamples - block * BLOCK)

    def stream(self, block: int, test_set: int = 0, stratum: int = 0) -> np.ndarray:
        """Return the generator's state (4,) that draws a block's units, by number of test set and stratum."""
        if stratum:
            return self._state(Purpose.UNITS_OF_STRATUM, block, test_set, stratum)
        if test_set:
            return self._state(Purpose.UNITS_OF_TEST_SET, block, test_set)
        return self._state(Purpose.UNITS, block)

    def run_stream(self, block: int, system: int) -> np.ndarray:
        """Return the generator's state (4,) that draws the runs of a system (``RunDraws.keys``) in a block."""
        return self._state(Purpose.RUNS, block, system)

    def reseeded(self, purpose: Purpose, *numbers: int) -> Resampling:
        """Return the recipe with a seed of its own, by purpose and numbers: its resamples have nothing in common."""
        return replace(self, seed=int(stream(self.seed, purpose, *numbers).generate_state(1, np.uint64)[0]))

    def _state(self, purpose: Purpose, *numbers: int) -> np.ndarray:
        return stream(self.seed, purpose, *numbers).generate_state(4, np.uint64)


@dataclass(frozen=True)
class SomeBlocks(Resampling):
    """One chunk of a recipe's blocks, by number."""

    blocks: range = range(0)

    def chunks(self) -> Iterator[range]:
        """Yield the only chunk."""
        yield self.blocks
