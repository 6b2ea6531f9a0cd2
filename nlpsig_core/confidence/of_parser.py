"""Confidences that a graph parser gives its own edges: Mejer and Crammer (2012), section 2, and arc marginals.

Each function takes a ``ParserPrediction`` and returns (words,); words are in the order of the treebank.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from nlpsig_core.resampling.streams import Purpose, generator

if TYPE_CHECKING:
    from nlpsig_core.parsers import GraphParser, Treebank
    from nlpsig_core.parsers.features import Parts

# The number of weight vectors that KD-Fix draws, as in the paper.
DRAWS = 50


@dataclass(frozen=True, eq=False, kw_only=True)
class ParserPrediction:
    """The trees that a graph parser predicts for a treebank, whose edges are to be given confidences.

    ``heads`` (nodes,) are as ``GraphParser.heads`` returns them. ``settings`` are those that ``Method.tune`` returns.
    """

    parser: GraphParser
    treebank: Treebank
    heads: np.ndarray
    settings: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0

    @classmethod
    def of(cls, parser: GraphParser, treebank: Treebank, seed: int = 0) -> ParserPrediction:
        """The parser's own trees of a treebank."""
        return cls(parser=parser, treebank=treebank, heads=parser.heads(treebank), seed=seed)

    def with_settings(self, settings: Mapping[str, float]) -> ParserPrediction:
        """The same trees with other settings of the method."""
        return replace(self, settings=settings)

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


def delta(prediction: ParserPrediction) -> np.ndarray:
    """The score of the best tree minus that of the best tree without the edge; infinite if there is no such tree."""
    from nlpsig_core.confidence.parser_kernels import margins

    return _of_words(prediction, margins(*_scored(prediction)))


def weighted_k_best(prediction: ParserPrediction) -> np.ndarray:
    """The share of the k best trees that have the edge, weighted by their scores; trees with scores above 0 only."""
    shares: np.ndarray = k_best_shares(prediction, int(prediction.settings["k"]))[-1]
    return shares


def k_best_shares(prediction: ParserPrediction, most: int) -> np.ndarray:
    """``weighted_k_best`` for each k from 1 to ``most``, (most, words)."""
    from nlpsig_core.confidence.parser_kernels import k_best_shares

    return _of_words(prediction, k_best_shares(*_scored(prediction), most))


def marginal(prediction: ParserPrediction) -> np.ndarray:
    """The probability of the edge by the matrix-tree theorem, at a temperature (Koo et al. 2007, section 3)."""
    from nlpsig_core.confidence.parser_kernels import marginals_of_heads

    temperature = float(prediction.settings["temperature"])
    probabilities = _of_words(prediction, marginals_of_heads(*_scored(prediction), temperature))
    return np.asarray(np.clip(probabilities, 0, 1))


def kd_fix(prediction: ParserPrediction) -> np.ndarray:
    """The share of DRAWS trees that have the edge, each the best one under weights with noise of deviation ``s``.

    The weight vectors are drawn once and shared by all sentences.
    """
    return kd_shares(prediction, DRAWS)


def kd_shares(prediction: ParserPrediction, draws: int) -> np.ndarray:
    """``kd_fix`` with another number of draws."""
    from nlpsig_core.parsers.perturbed import perturbed_heads

    rng = generator(prediction.seed, Purpose.PERTURBED_WEIGHTS)
    scale = prediction.settings["s"]
    heads = perturbed_heads(prediction.parser, prediction.treebank, draws, scale, rng)
    return _of_words(prediction, (heads == prediction.heads).mean(axis=0))


def kd_fix_delta(prediction: ParserPrediction) -> np.ndarray:
    """KD-Fix with the weight ``a``, and Delta with 1 - ``a``; with ``a`` near 1, Delta decides among ties of KD-Fix."""
    return mixed(kd_fix(prediction), delta(prediction), prediction.settings["a"])


def mixed(shares: np.ndarray, margins: np.ndarray, a: float) -> np.ndarray:
    """``kd_fix_delta`` of known confidences; Delta is brought below 1 by its median: d / (d + median)."""
    middle = float(np.median(margins[np.isfinite(margins)])) or 1.0
    with np.errstate(invalid="ignore"):
        bounded = np.where(np.isinf(margins), 1.0, margins / (margins + middle))
    return a * shares + (1 - a) * bounded


def _scored(prediction: ParserPrediction) -> tuple[Parts, np.ndarray, np.ndarray, np.ndarray, bool]:
    """What the kernels need: parts of features, weights, first nodes, heads, and whether trees have a single root."""
    from nlpsig_core.parsers.features import parts_of

    parser, treebank = prediction.parser, prediction.treebank
    return parts_of(treebank), parser.weights, treebank.first, prediction.heads, parser.single


def _of_words(prediction: ParserPrediction, of_nodes: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(of_nodes[..., prediction.treebank.is_word])
