"""Confidences that a graph parser gives its own edges: Mejer and Crammer (2012), section 2, and arc marginals.

Each function takes a ``ParserPrediction`` and returns (words,); words are in the order of the treebank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.laboratory.parsers.decoding.best_trees import (
    Decoder,
    fill_constrained_tree,
    fill_k_best,
    fill_tree,
    score_of,
)
from nlpsig_core.laboratory.parsers.decoding.marginals import fill_marginals
from nlpsig_core.laboratory.parsers.features import Parts, fill_scores, parts_of, sentence_parts
from nlpsig_core.laboratory.parsers.graph import GraphParser
from nlpsig_core.laboratory.parsers.perturbed import perturbed_heads
from nlpsig_core.laboratory.parsers.treebank import Treebank
from nlpsig_core.significance.resampling.streams import Purpose, generator

# The number of weight vectors that KD-Fix draws, as in the paper.
DRAWS = 50
# The paper's weight of KD-Fix beside Delta, "a about 1": Delta only orders edges with equal shares of 50 draws.
TIE_BREAKING = 0.999


@dataclass(frozen=True, eq=False, kw_only=True)
class ParserPrediction:
    """The trees that a graph parser predicts for a treebank, whose edges are to be given confidences.

    ``seed`` is that of the draws of KD-Fix. Margins and shares of votes are kept, because several methods need them.
    """

    parser: GraphParser
    treebank: Treebank
    seed: int = 0
    _shares: dict[float, np.ndarray] = field(default_factory=dict, init=False)

    @cached_property
    def heads(self) -> np.ndarray:
        """The predicted heads (nodes,), as ``GraphParser.heads`` returns them."""
        return self.parser.heads(self.treebank)

    @property
    def head(self) -> np.ndarray:
        """The head of each word within its sentence, (words,)."""
        return self.at_words(self.heads)

    @cached_property
    def wrong(self) -> np.ndarray:
        """Whether the head of each word is wrong, (words,)."""
        return self.at_words(self.heads != self.treebank.heads)

    @cached_property
    def sentence(self) -> np.ndarray:
        """The sentence of each word, (words,)."""
        return np.repeat(np.arange(self.treebank.n_sentences), np.diff(self.treebank.first) - 1)

    @cached_property
    def scored(self) -> tuple[Parts, np.ndarray, np.ndarray, np.ndarray, Decoder]:
        """What the kernels need: parts of features, weights, first nodes, heads, decoder."""
        return parts_of(self.treebank), self.parser.weights, self.treebank.first, self.heads, self.parser.decoder

    @cached_property
    def margins(self) -> np.ndarray:
        """Delta of each word, (words,)."""
        return self.at_words(_margins(*self.scored))

    def shares(self, scales: Sequence[float]) -> np.ndarray:
        """Return the share of DRAWS trees that have the edge, (scales, words); known ones are kept."""
        missing = [scale for scale in scales if scale not in self._shares]
        if missing:
            self._shares.update(zip(missing, votes(self, missing, DRAWS).mean(axis=1), strict=True))
        return np.array([self._shares[scale] for scale in scales])

    def at_words(self, values: np.ndarray) -> np.ndarray:
        """Return the values of words, (..., words), among those of nodes, (..., nodes)."""
        return np.ascontiguousarray(values[..., self.treebank.is_word])


def delta(prediction: ParserPrediction) -> np.ndarray:
    """Return the score of the best tree minus that of the best without the edge; infinite if there is none."""
    return prediction.margins


def weighted_k_best(prediction: ParserPrediction, k: float) -> np.ndarray:
    """Return the share of the k best trees with the edge, weighted by their scores; trees with scores above 0 only."""
    shares: np.ndarray = k_best_shares(prediction, int(k))[-1]
    return shares


def k_best_shares(prediction: ParserPrediction, most: int) -> np.ndarray:
    """Return ``weighted_k_best`` for each k from 1 to ``most``, (most, words)."""
    return prediction.at_words(_k_best_shares(*prediction.scored, most))


def marginal(prediction: ParserPrediction, temperature: float) -> np.ndarray:
    """Return the probability of the edge by the matrix-tree theorem, at a temperature (Koo et al. 2007, section 3)."""
    probabilities = prediction.at_words(_marginals(*prediction.scored, float(temperature)))
    return probabilities.clip(0, 1)


def kd_fix(prediction: ParserPrediction, s: float) -> np.ndarray:
    """Return the share of DRAWS trees with the edge, each the best one under weights with noise of deviation ``s``.

    The weight vectors are drawn once and shared by all sentences.
    """
    share: np.ndarray = prediction.shares([s])[0]
    return share


def drawn_heads(prediction: ParserPrediction, scales: Sequence[float], draws: int) -> np.ndarray:
    """Return the heads of each draw's trees, (scales, draws, nodes)."""
    rng = generator(prediction.seed, Purpose.PERTURBED_WEIGHTS)
    return perturbed_heads(prediction.parser, prediction.treebank, draws, scales, rng)


def votes(prediction: ParserPrediction, scales: Sequence[float], draws: int) -> np.ndarray:
    """Tell whether each draw's tree has the edge, (scales, draws, words)."""
    return prediction.at_words(np.equal(drawn_heads(prediction, scales, draws), prediction.heads))


def kd_fix_delta(prediction: ParserPrediction, s: float, a: float = TIE_BREAKING) -> np.ndarray:
    """Return KD-Fix with the weight ``a``, and Delta with 1 - ``a``."""
    return mixed(kd_fix(prediction, s), prediction.margins, a)


def mixed(shares: np.ndarray, margins: np.ndarray, a: float) -> np.ndarray:
    """Return ``kd_fix_delta`` of known confidences; Delta is brought below 1 by its median: d / (d + median)."""
    middle = float(np.median(margins[np.isfinite(margins)])) or 1.0
    with np.errstate(invalid="ignore"):
        bounded = np.where(np.isinf(margins), 1.0, margins / (margins + middle))
    return a * shares + (1 - a) * bounded


@compiled()
def _scores(parts: Parts, weights: Floats, begin: int, end: int) -> Floats:
    """Return the scores of all arcs of a sentence, (head, dependent)."""
    scores = np.zeros((end - begin, end - begin), np.float32)
    fill_scores(sentence_parts(parts, begin, end), weights, scores)
    return scores.astype(np.float64)


@compiled()
def _margins(parts: Parts, weights: Floats, first: Ints, heads: Ints, decoder: Decoder) -> Floats:
    """Return the best tree's score minus that of the best without the node's edge, (nodes,), from 0 to infinity."""
    result = np.zeros(heads.shape[0])
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        size = end - begin
        scores, other = _scores(parts, weights, begin, end), np.empty(size, np.int64)
        fill_tree(scores, decoder, other)
        best = score_of(scores, other)
        allowed = np.ones((size, size), np.bool_)
        for node in range(1, size):
            head = heads[begin + node]
            allowed[head, node] = False
            possible = fill_constrained_tree(scores, decoder, allowed, other)
            result[begin + node] = best - score_of(scores, other) if possible else np.inf
            allowed[head, node] = True
    return np.maximum(result, 0)


@compiled()
def _k_best_shares(parts: Parts, weights: Floats, first: Ints, heads: Ints, decoder: Decoder, most: int) -> Floats:
    """Return the share of the best 1 to ``most`` trees with each node's edge, weighted by score, (most, nodes).

    Trees with a score of 0 or less are left out; if the best one is, it counts alone.
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
def _marginals(parts: Parts, weights: Floats, first: Ints, heads: Ints, decoder: Decoder, temperature: float) -> Floats:
    """Return the probability of each node's edge, (nodes,)."""
    result = np.zeros(heads.shape[0])
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = _scores(parts, weights, begin, end)
        probabilities = np.zeros(scores.shape)
        fill_marginals(scores, decoder, temperature, probabilities)
        for node in range(begin + 1, end):
            result[node] = probabilities[heads[node], node - begin]
    return result
