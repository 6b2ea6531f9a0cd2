"""Confidences that a graph parser gives its own edges: Mejer and Crammer (2012), section 2, and arc marginals.

Each function takes a ``ParserPrediction`` and returns (words,); words are in the order of the treebank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.laboratory.confidence import parser_kernels
from nlpsig_core.significance.resampling.streams import Purpose, generator

if TYPE_CHECKING:
    from nlpsig_core.laboratory.parsers import Decoder, GraphParser, Treebank
    from nlpsig_core.laboratory.parsers.features import Parts

# The number of weight vectors that KD-Fix draws, as in the paper.
DRAWS = 50
# The paper's weight of KD-Fix beside Delta, "a about 1": Delta only orders edges with equal shares of 50 draws.
TIE_BREAKING = 0.999


@dataclass(frozen=True, eq=False, kw_only=True)
class ParserPrediction:
    """The trees that a graph parser predicts for a treebank, whose edges are to be given confidences.

    ``heads`` (nodes,) are as ``GraphParser.heads`` returns them. ``seed`` is that of the draws of KD-Fix. Margins and
    shares of votes are kept, because several methods need them.
    """

    parser: GraphParser
    treebank: Treebank
    heads: np.ndarray
    seed: int = 0
    _shares: dict[float, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, parser: GraphParser, treebank: Treebank, seed: int = 0) -> ParserPrediction:
        """The parser's own trees of a treebank."""
        return cls(parser=parser, treebank=treebank, heads=parser.heads(treebank), seed=seed)

    @property
    def head(self) -> np.ndarray:
        """The head of each word within its sentence, (words,)."""
        head: np.ndarray = self.heads[self.treebank.is_word]
        return head

    @cached_property
    def wrong(self) -> np.ndarray:
        """Whether the head of each word is wrong, (words,)."""
        return np.asarray((self.heads != self.treebank.heads)[self.treebank.is_word])

    @cached_property
    def sentence(self) -> np.ndarray:
        """The sentence of each word, (words,)."""
        return np.repeat(np.arange(self.treebank.n_sentences), np.diff(self.treebank.first) - 1)

    @cached_property
    def scored(self) -> tuple[Parts, np.ndarray, np.ndarray, np.ndarray, Decoder]:
        """What the kernels need: parts of features, weights, first nodes, heads, decoder."""
        from nlpsig_core.laboratory.parsers.features import parts_of

        return parts_of(self.treebank), self.parser.weights, self.treebank.first, self.heads, self.parser.decoder

    @cached_property
    def margins(self) -> np.ndarray:
        """Delta of each word, (words,)."""
        return self.of_words(parser_kernels.margins(*self.scored))

    def shares(self, scales: Sequence[float]) -> np.ndarray:
        """The share of DRAWS trees that have the edge, (scales, words); scales that were asked for before are kept."""
        missing = [scale for scale in scales if scale not in self._shares]
        if missing:
            self._shares.update(zip(missing, votes(self, missing, DRAWS).mean(axis=1), strict=True))
        return np.array([self._shares[scale] for scale in scales])

    def of_words(self, of_nodes: np.ndarray) -> np.ndarray:
        """The values of words, (..., words), among those of nodes, (..., nodes)."""
        return np.ascontiguousarray(of_nodes[..., self.treebank.is_word])


def delta(prediction: ParserPrediction) -> np.ndarray:
    """The score of the best tree minus that of the best tree without the edge; infinite if there is no such tree."""
    return prediction.margins


def weighted_k_best(prediction: ParserPrediction, k: float) -> np.ndarray:
    """The share of the k best trees that have the edge, weighted by their scores; trees with scores above 0 only."""
    shares: np.ndarray = k_best_shares(prediction, int(k))[-1]
    return shares


def k_best_shares(prediction: ParserPrediction, most: int) -> np.ndarray:
    """``weighted_k_best`` for each k from 1 to ``most``, (most, words)."""
    return prediction.of_words(parser_kernels.k_best_shares(*prediction.scored, most))


def marginal(prediction: ParserPrediction, temperature: float) -> np.ndarray:
    """The probability of the edge by the matrix-tree theorem, at a temperature (Koo et al. 2007, section 3)."""
    probabilities = prediction.of_words(parser_kernels.marginals_of_heads(*prediction.scored, float(temperature)))
    return probabilities.clip(0, 1)


def kd_fix(prediction: ParserPrediction, s: float) -> np.ndarray:
    """The share of DRAWS trees that have the edge, each the best one under weights with noise of deviation ``s``.

    The weight vectors are drawn once and shared by all sentences.
    """
    share: np.ndarray = prediction.shares([s])[0]
    return share


def drawn_heads(prediction: ParserPrediction, scales: Sequence[float], draws: int) -> np.ndarray:
    """The heads of each draw's trees, (scales, draws, nodes)."""
    from nlpsig_core.laboratory.parsers.perturbed import perturbed_heads

    rng = generator(prediction.seed, Purpose.PERTURBED_WEIGHTS)
    return perturbed_heads(prediction.parser, prediction.treebank, draws, scales, rng)


def votes(prediction: ParserPrediction, scales: Sequence[float], draws: int) -> np.ndarray:
    """Whether each draw's tree has the edge, (scales, draws, words)."""
    return prediction.of_words(np.equal(drawn_heads(prediction, scales, draws), prediction.heads))


def kd_fix_delta(prediction: ParserPrediction, s: float, a: float = TIE_BREAKING) -> np.ndarray:
    """KD-Fix with the weight ``a``, and Delta with 1 - ``a``."""
    return mixed(kd_fix(prediction, s), prediction.margins, a)


def mixed(shares: np.ndarray, margins: np.ndarray, a: float) -> np.ndarray:
    """``kd_fix_delta`` of known confidences; Delta is brought below 1 by its median: d / (d + median)."""
    middle = float(np.median(margins[np.isfinite(margins)])) or 1.0
    with np.errstate(invalid="ignore"):
        bounded = np.where(np.isinf(margins), 1.0, margins / (margins + middle))
    return a * shares + (1 - a) * bounded
