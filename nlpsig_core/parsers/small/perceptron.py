"""Averaged perceptrons with integer weights and hashed features: compiled functions that the parsers share.

Collins (2002). All weights are int64, so sums are exact and the same training set gives the same parser on every
machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from nlpsig_core.parsers.small.arrays import Codes, Ints

# numba's cache does not notice edits of functions called from other files: after an edit in this package delete its
# __pycache__.
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def templates(atoms: Sequence[str], lines: str) -> np.ndarray:
    """Indices of atoms, (templates, longest), padded with -1; a line names the atoms of a template."""
    rows = [[atoms.index(name) for name in line.split()] for line in lines.strip().splitlines()]
    longest = max(map(len, rows))
    return np.array([row + [-1] * (longest - len(row)) for row in rows])


@njit(nogil=True, cache=True)
def mix(value: np.uint64, part: np.uint64) -> np.uint64:
    """Hash two codes into one."""
    value = (value ^ part) * MULTIPLIER
    return value ^ (value >> np.uint64(32))


@njit(nogil=True, cache=True)
def find_rows(atoms: Codes, templates: Ints, n_rows: int, rows: Ints) -> None:
    """Fill ``rows`` with the row of each template's feature among ``n_rows``, a power of two."""
    for t in range(templates.shape[0]):
        value = np.uint64(t + 1)
        for place in templates[t]:
            if place < 0:
                break
            value = mix(value, atoms[place])
        rows[t] = np.int64(value & np.uint64(n_rows - 1))


@njit(nogil=True, cache=True)
def add_up(weights: Ints, rows: Ints, scores: Ints) -> None:
    """Fill ``scores`` (classes,) with the sums of the given rows of ``weights`` (rows, classes)."""
    scores[:] = 0
    for row in rows:
        for c in range(scores.shape[0]):
            scores[c] += weights[row, c]


@njit(nogil=True, cache=True)
def update(
    weights: Ints, totals: Ints, rows: Ints, of_class: int | np.signedinteger[Any], change: int, step: int
) -> None:
    """Add ``change`` to the weights of a class in step ``step`` (from 1); ``totals`` are needed by ``averaged``."""
    for row in rows:
        weights[row, of_class] += change
        totals[row, of_class] += change * step


@njit(nogil=True, cache=True)
def averaged(weights: Ints, totals: Ints, steps: int) -> Ints:
    """The sum of the weights over all steps: a change in step t is in steps - t + 1 of them."""
    return weights * (steps + 1) - totals
