"""Atoms of arcs, from which their features are built."""

from __future__ import annotations

import numpy as np
from numba import njit

from nlpsig_core.parsers.small.arrays import Codes, Ints
from nlpsig_core.parsers.small.coding import ENDING, FORM, OUTSIDE, TAG
from nlpsig_core.parsers.small.perceptron import find_rows

# Of head h and dependent d: form, ending, tag, and the tags before and after; the side of the head on which the
# dependent is, and side and distance together.
ATOMS = "h.form h.ending h.tag h.before h.after d.form d.ending d.tag d.before d.after side place".split()


@njit(nogil=True, cache=True)
def code_at(codes: Codes, node: int, column: int) -> np.uint64:
    """A code of a node of a sentence (nodes, 3), or OUTSIDE beyond its ends."""
    return codes[node, column] if 0 <= node < codes.shape[0] else np.uint64(OUTSIDE)


@njit(nogil=True, cache=True)
def place_of(head: int, dependent: int) -> np.uint64:
    """A number for side and distance (1, 2, 3, 4, 5 to 7, 8 to 11, more) of the dependent."""
    distance = abs(head - dependent)
    step = distance if distance < 5 else 5 if distance < 8 else 6 if distance < 12 else 7
    return np.uint64(8 + step if head < dependent else 8 - step)


@njit(nogil=True, cache=True)
def arc_rows(codes: Codes, head: int, dependent: int, templates: Ints, atoms: Codes, rows: Ints, n_rows: int) -> None:
    """Fill ``rows`` with the rows of an arc's features, using ``atoms`` as scratch space."""
    for node, start in ((head, 0), (dependent, 5)):
        atoms[start] = codes[node, FORM]
        atoms[start + 1] = codes[node, ENDING]
        atoms[start + 2] = codes[node, TAG]
        atoms[start + 3] = code_at(codes, node - 1, TAG)
        atoms[start + 4] = code_at(codes, node + 1, TAG)
    atoms[10] = np.uint64(head < dependent)
    atoms[11] = place_of(head, dependent)
    find_rows(atoms, templates, n_rows, rows)


@njit(nogil=True, cache=True)
def room(templates: Ints) -> tuple[Codes, Ints]:
    """Reusable arrays for atoms and rows."""
    return np.empty(12, np.uint64), np.empty(templates.shape[0], np.int64)
