"""Probabilities of arcs among all trees of a decoder.

With crossing arcs by the matrix-tree theorem (Koo, Globerson, Carreras and Collins 2007, section 3).
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import Floats, compiled
from nlpsig_core.laboratory.parsers.decoding.best_trees import Decoder
from nlpsig_core.laboratory.parsers.decoding.projective import fill_projective_marginals

# Scores further below the best head's, in temperatures, are raised to this: with odds of 0 the matrix may be singular.
LOWEST = -30.0


@compiled()
def fill_marginals(scores: Floats, decoder: Decoder, temperature: float, result: Floats) -> None:
    """Fill ``result`` (n + 1, n + 1), zeros, with the probability of each arc, by head and dependent.

    The probability of a tree is proportional to the exponential of the sum of its arcs' ``scores`` divided by the
    ``temperature``. Each column of a word sums to 1.
    """
    if decoder.projective:
        fill_projective_marginals(scores / temperature, decoder.single, result)
    else:
        _fill_by_determinants(scores, decoder.single, temperature, result)


@compiled()
def _fill_by_determinants(scores: Floats, single: bool, temperature: float, result: Floats) -> None:
    size = scores.shape[0]
    odds = np.zeros((size, size))
    for dependent in range(1, size):
        best = -np.inf
        for head in range(size):
            if head != dependent:
                best = max(best, scores[head, dependent])
        # A factor for all heads of a word changes no probability.
        for head in range(size):
            if head != dependent:
                odds[head, dependent] = np.exp(max((scores[head, dependent] - best) / temperature, LOWEST))
    inverse = _inverse(_laplacian(odds, single))
    # Equations 4 and 5 (several roots), 8 and 9 (one root, whose row is the first).
    for dependent in range(1, size):
        d = dependent - 1
        for head in range(1, size):
            share = 0.0 if single and d == 0 else inverse[d, d]
            share -= 0.0 if single and head == 1 else inverse[d, head - 1]
            result[head, dependent] = odds[head, dependent] * share
        result[0, dependent] = odds[0, dependent] * (inverse[d, 0] if single else inverse[d, d])


@compiled()
def _laplacian(odds: Floats, single: bool) -> Floats:
    """Return a matrix (n, n) whose determinant sums the odds of all trees; the root has the first row if ``single``."""
    n = odds.shape[0] - 1
    matrix = np.zeros((n, n))
    for d in range(n):
        total = 0.0 if single else odds[0, d + 1]
        for h in range(n):
            matrix[h, d] = -odds[h + 1, d + 1]
            total += odds[h + 1, d + 1]
        matrix[d, d] = total
        if single:
            matrix[0, d] = odds[0, d + 1]
    return matrix


@compiled()
def _inverse(matrix: Floats) -> Floats:
    """Invert by Gauss and Jordan with row pivots; own loops, so that it is the same on every machine."""
    n = matrix.shape[0]
    left, right = matrix.copy(), np.eye(n)
    for column in range(n):
        pivot = column
        for row in range(column + 1, n):
            if abs(left[row, column]) > abs(left[pivot, column]):
                pivot = row
        for other in range(n):
            left[column, other], left[pivot, other] = left[pivot, other], left[column, other]
            right[column, other], right[pivot, other] = right[pivot, other], right[column, other]
        factor = 1.0 / left[column, column]
        for other in range(n):
            left[column, other] *= factor
            right[column, other] *= factor
        for row in range(n):
            if row != column and left[row, column] != 0.0:
                factor = left[row, column]
                for other in range(n):
                    left[row, other] -= factor * left[column, other]
                    right[row, other] -= factor * right[column, other]
    return right
