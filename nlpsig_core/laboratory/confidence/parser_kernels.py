"""Compiled loops over sentences: margins, k best trees and marginals of the edges of given trees."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Floats, Ints
from nlpsig_core.laboratory.parsers.decoding import FREE, Decoder, fill_constrained_tree, fill_tree, score_of
from nlpsig_core.laboratory.parsers.features import Parts
from nlpsig_core.laboratory.parsers.k_best import fill_k_best
from nlpsig_core.laboratory.parsers.marginals import fill_marginals
from nlpsig_core.laboratory.parsers.scoring import fill_scores, of_sentence


@compiled()
def _scores(parts: Parts, weights: Floats, begin: int, end: int) -> Floats:
    """The scores of all arcs of a sentence, (head, dependent)."""
    scores = np.zeros((end - begin, end - begin), np.float32)
    fill_scores(of_sentence(parts, begin, end), weights, scores)
    return scores.astype(np.float64)


@compiled()
def margins(parts: Parts, weights: Floats, first: Ints, heads: Ints, decoder: Decoder) -> Floats:
    """The best tree's score minus that of the best tree without the node's edge, (nodes,); infinite if there is none.

    Not below 0, where the given tree is not the best one.
    """
    result = np.zeros(heads.shape[0])
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        size = end - begin
        scores, other = _scores(parts, weights, begin, end), np.empty(size, np.int64)
        fill_tree(scores, decoder, other)
        best = score_of(scores, other)
        free, allowed = np.full(size, FREE), np.ones((size, size), np.bool_)
        for node in range(1, size):
            head = heads[begin + node]
            allowed[head, node] = False
            possible = fill_constrained_tree(scores, decoder, free, allowed, other)
            result[begin + node] = best - score_of(scores, other) if possible else np.inf
            allowed[head, node] = True
    return np.maximum(result, 0)


@compiled()
def k_best_shares(parts: Parts, weights: Floats, first: Ints, heads: Ints, decoder: Decoder, most: int) -> Floats:
    """The share of the best 1 to ``most`` trees with each node's edge, weighted by score, (most, nodes).

    Trees with a score of 0 or less are left out; if the best one is, it stands alone.
    """
    result = np.zeros((most, heads.shape[0]))
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores, trees = _scores(parts, weights, begin, end), np.empty((most, end - begin), np.int64)
        n, total, shares = fill_k_best(scores, decoder, trees), 0.0, np.zeros(end - begin)
        for k in range(most):
            weight = score_of(scores, trees[k]) if k < n else 0.0
            if k == 0 and weight <= 0:
                weight = 1.0
            if weight > 0:
                total += weight
                shares += weight * (trees[k] == heads[begin:end])
            result[k, begin:end] = shares / total
    return result


@compiled()
def marginals_of_heads(
    parts: Parts, weights: Floats, first: Ints, heads: Ints, decoder: Decoder, temperature: float
) -> Floats:
    """The probability of each node's edge, (nodes,)."""
    result = np.zeros(heads.shape[0])
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = _scores(parts, weights, begin, end)
        probabilities = np.zeros(scores.shape)
        fill_marginals(scores, decoder, temperature, probabilities)
        for node in range(begin + 1, end):
            result[node] = probabilities[heads[node], node - begin]
    return result
