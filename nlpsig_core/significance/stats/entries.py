"""Entries: what a unit consists of where nothing is summed, such as the items of a document."""

from __future__ import annotations

import numpy as np


class Entries:
    """The entries of units, those of each unit side by side; ``sizes`` (units,) are their numbers; None: one each."""

    def __init__(self, sizes: np.ndarray | None) -> None:
        self.sizes = sizes

    @property
    def starts(self) -> np.ndarray:
        """The first entry of each unit, (units,), if they have several."""
        assert self.sizes is not None
        return np.asarray(np.cumsum(self.sizes) - self.sizes)

    def of(self, units: np.ndarray) -> np.ndarray:
        """Return the entries of units (indices or a mask), those of each unit side by side."""
        if self.sizes is None:
            return units
        sizes = self.sizes[units]
        return np.repeat(self.starts[units] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())

    def spread(self, of_units: np.ndarray) -> np.ndarray:
        """Return what belongs to each unit, (..., units), for each of its entries, (..., entries)."""
        return of_units if self.sizes is None else np.repeat(of_units, self.sizes, axis=-1)

    def sums(self, of_entries: np.ndarray) -> np.ndarray:
        """Return the sums over each unit's entries, (..., units), of (..., entries); of a mask, whether any is True."""
        return of_entries if self.sizes is None else np.add.reduceat(of_entries, self.starts, axis=-1)
