"""Hashes of features."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from nlpsig_core.base.compiled import compiled

MULTIPLIER, LAST = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9


@compiled()
def mix(value: np.uint64, part: np.uint64) -> np.uint64:
    """Hash two codes into one."""
    value = (value ^ part) * np.uint64(MULTIPLIER)
    return value ^ (value >> np.uint64(29))


def hashed(atoms: Sequence[np.ndarray], salt: str, n_rows: int) -> np.ndarray:
    """Hashes of several arrays of codes, element by element, below ``n_rows``, a power of two; uint32.

    Different salts keep the same codes in different templates apart.
    """
    value = np.full(len(atoms[0]), zlib.crc32(salt.encode()), np.uint64)
    for atom in atoms:
        value = (value ^ atom.astype(np.uint64)) * np.uint64(MULTIPLIER)
        value ^= value >> np.uint64(29)
    return ((value * np.uint64(LAST)) >> np.uint64(65 - n_rows.bit_length())).astype(np.uint32)
