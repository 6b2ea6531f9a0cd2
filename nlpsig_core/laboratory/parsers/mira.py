"""Learning the weights of arcs by MIRA (McDonald, Crammer and Pereira 2005; McDonald, Pereira, Ribarov, Hajič 2005)."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Codes, Floats, Ints
from nlpsig_core.laboratory.parsers.decoding import Decoder, fill_tree
from nlpsig_core.laboratory.parsers.features import Parts
from nlpsig_core.laboratory.parsers.k_best import fill_k_best
from nlpsig_core.laboratory.parsers.scoring import fill_scores, most_rows, of_sentence, rows_of_arc

# Passes of Hildreth's algorithm over the constraints of a sentence, and the violation that is small enough.
PASSES, ENOUGH = 100, 1e-6


@compiled()
def difference(parts: Parts, gold: Ints, heads: Ints, signed: Ints, rows: Codes, values: Floats) -> int:
    """Fill in the rows in which the features of the gold tree and another differ, and by how much.

    ``signed`` (ROWS,) is scratch space of zeros, and is left so. Returns the number of rows.
    """
    size, n = gold.shape[0], 0
    for dependent in range(1, size):
        if heads[dependent] == gold[dependent]:
            continue
        for head, sign in ((gold[dependent], 1), (heads[dependent], -1)):
            end = n + rows_of_arc(parts, head, dependent, rows[n:])
            for i in range(n, end):
                signed[rows[i]] += sign
            n = end
    kept = 0
    for i in range(n):
        row = rows[i]
        if signed[row] != 0:
            rows[kept], values[kept] = row, signed[row]
            signed[row] = 0
            kept += 1
    return kept


@compiled()
def hildreth(products: Floats, missing: Floats, limit: float) -> Floats:
    """The multiplier of each constraint, from 0 to ``limit``, of the smallest change that meets all of them.

    ``products`` (k, k) are inner products of the constraints' feature differences, ``missing`` (k,) what each lacks.
    """
    k = missing.shape[0]
    multipliers, lacking = np.zeros(k), missing.copy()
    for _ in range(PASSES):
        most = 0.0
        for i in range(k):
            if products[i, i] > 0:
                value = min(limit, max(0.0, multipliers[i] + lacking[i] / products[i, i]))
                change = value - multipliers[i]
                multipliers[i] = value
                most = max(most, abs(change))
                for j in range(k):
                    lacking[j] -= change * products[i, j]
        if most < ENOUGH:
            break
    return multipliers


@compiled()
def _rivals(scores: Floats, decoder: Decoder, trees: Ints) -> int:
    """Fill ``trees`` (k, n + 1) with the trees that the gold tree has to beat; returns their number."""
    if trees.shape[0] > 1:
        return int(fill_k_best(scores.astype(np.float64), decoder, trees))
    fill_tree(scores, decoder, trees[0])
    return 1


@compiled()
def _add_costs(scores: Floats, gold: Ints, cost: float) -> None:
    """Add to the scores of arcs that are not gold."""
    for dependent in range(1, gold.shape[0]):
        for head in range(gold.shape[0]):
            if head != gold[dependent]:
                scores[head, dependent] += np.float32(cost)


@compiled()
def _missing(scores: Floats, gold: Ints, heads: Ints) -> float:
    """What the gold tree lacks to beat another by its number of wrong heads; ``scores`` include the costs."""
    total = 0.0
    for dependent in range(1, gold.shape[0]):
        total += scores[heads[dependent], dependent] - scores[gold[dependent], dependent]
    return total


@compiled()
def _products(rows: Codes, values: Floats, numbers: Ints, dense: Ints) -> Floats:
    """Inner products of sparse vectors, the first ``numbers`` entries of each; ``dense`` (ROWS,) are zeros."""
    k = numbers.shape[0]
    products = np.zeros((k, k))
    for i in range(k):
        for n in range(numbers[i]):
            dense[rows[i, n]] = values[i, n]
        for j in range(i, k):
            for n in range(numbers[j]):
                products[i, j] += dense[rows[j, n]] * values[j, n]
            products[j, i] = products[i, j]
        for n in range(numbers[i]):
            dense[rows[i, n]] = 0
    return products


@compiled()
def learn_heads(
    parts: Parts, gold: Ints, first: Ints, order: Ints, decoder: Decoder, augmented: bool, limit: float, k: int,
    weights: Floats, totals: Floats, signed: Ints,
) -> None:  # fmt: skip
    """Change ``weights`` (ROWS,) from zeros to averages over the steps, one for each sentence of the order.

    A step changes the weights as little as makes the gold tree better than each of ``k`` rivals by the number of wrong
    heads, but by at most ``limit`` times the difference of their features. Rivals are the best trees; ``augmented``:
    the best when each wrong head counts 1 more. ``totals`` and ``signed`` (ROWS,) are scratch space of zeros.
    """
    longest = np.max(first[1:] - first[:-1])
    room = 2 * longest * most_rows(parts, longest)
    rows, values = np.empty((k, room), np.uint32), np.empty((k, room), np.float32)
    for step in range(order.shape[0]):
        begin, end = first[order[step]], first[order[step] + 1]
        here, right = of_sentence(parts, begin, end), gold[begin:end]
        scores, trees = np.empty((end - begin, end - begin), np.float32), np.empty((k, end - begin), np.int64)
        fill_scores(here, weights, scores)
        if augmented:
            _add_costs(scores, right, 1)
        found = _rivals(scores, decoder, trees)
        if not augmented:
            _add_costs(scores, right, 1)
        missing, numbers = np.empty(found), np.empty(found, np.int64)
        for i in range(found):
            missing[i] = _missing(scores, right, trees[i])
            numbers[i] = difference(here, right, trees[i], signed, rows[i], values[i])
        multipliers = hildreth(_products(rows, values, numbers, signed), missing, limit)
        for i in range(found):
            for n in range(numbers[i]):
                change = np.float32(multipliers[i] * values[i, n])
                weights[rows[i, n]] += change
                totals[rows[i, n]] += change * np.float32(step)
    for row in range(weights.shape[0]):
        weights[row] -= totals[row] / np.float32(order.shape[0])
