"""A parser whose weights are perturbed again and again: its best trees vote on edges.

This is KD-Fix of Mejer and Crammer (2012), section 2, with all edges that get votes, not only those of the parser's
own tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.laboratory.confidence.evaluation import average_precision
from nlpsig_core.laboratory.confidence.parser_methods import DRAWS, ParserPrediction, drawn_heads
from nlpsig_core.laboratory.confidence.tuning import noise_unit
from nlpsig_core.laboratory.parsers.graph import train_graph
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence, encode

EDGE_COLUMNS = ["word", "head", "votes", "predicted", "right"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Votes:
    """The ``heads`` (DRAWS, nodes) of the trees that vote, and the parser's own trees in ``prediction``."""

    prediction: ParserPrediction
    heads: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """The share of the trees that have the predicted edge of each word, (words,): KD-Fix."""
        return self.prediction.at_words((self.heads == self.prediction.heads).mean(axis=0))

    @property
    def average_precision(self) -> float:
        """How well the shares rank the wrong edges of all sentences, the least sure first."""
        return average_precision(self.shares, self.prediction.wrong)

    @property
    def average_precision_by_chance(self) -> float:
        """The average precision of a random order."""
        return average_precision(np.zeros(len(self.prediction.wrong)), self.prediction.wrong)

    def edges(self, sentence: int) -> pd.DataFrame:
        """Return a row for each edge of a sentence that has votes or is in the parser's own tree, by word and head.

        Columns EDGE_COLUMNS: the word, from 1, its head, 0 for the root, the number of trees that have the edge, and
        whether it is in the parser's own tree and in the gold.
        """
        begin, end = self.prediction.treebank.first[sentence : sentence + 2].tolist()
        rows = []
        for node in range(begin + 1, end):
            own, gold = int(self.prediction.heads[node]), int(self.prediction.treebank.heads[node])
            votes = np.bincount(self.heads[:, node], minlength=end - begin).tolist()
            rows += [
                (node - begin, head, number, head == own, head == gold)
                for head, number in enumerate(votes)
                if number or head == own
            ]
        return pd.DataFrame(rows, columns=EDGE_COLUMNS)


def predicted(train: Sequence[ParsedSentence], test: Sequence[ParsedSentence], seed: int = 0) -> ParserPrediction:
    """Predict trees for some sentences by a graph parser trained on others; ``seed`` is that of the noise."""
    return ParserPrediction(parser=train_graph(encode(train)), treebank=encode(test), seed=seed)


def vote(prediction: ParserPrediction, deviation: float) -> Votes:
    """Return the best trees under DRAWS vectors of weights, each the parser's own plus normal noise.

    ``deviation`` is the standard deviation of the noise in root mean squares of the trained weights. The noise of all
    deviations is the same but for its scale.
    """
    (heads,) = drawn_heads(prediction, [deviation * noise_unit(prediction.parser)], DRAWS)
    return Votes(prediction=prediction, heads=heads)


def sentences_with_errors(prediction: ParserPrediction, shortest: int, longest: int, number: int) -> list[int]:
    """Return indices of the first ``number`` sentences with so many words in which an edge is wrong."""
    lengths = np.diff(prediction.treebank.first) - 1
    errors = np.bincount(prediction.sentence, weights=prediction.wrong, minlength=len(lengths))
    chosen: list[int] = np.flatnonzero((lengths >= shortest) & (lengths <= longest) & (errors > 0))[:number].tolist()
    return chosen
