"""A graph parser of the first order: the tree whose arcs have the highest sum of scores, learned by MIRA.

McDonald, Crammer and Pereira (2005); McDonald, Pereira, Ribarov and Hajič (2005).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.parsers.decoding.best_trees import Decoder, fill_tree
from nlpsig_core.laboratory.parsers.features import (
    ROWS,
    Parts,
    arc_rows,
    fill_scores,
    most_rows,
    parts_of,
    sentence_parts,
)
from nlpsig_core.laboratory.parsers.parser import Parser
from nlpsig_core.laboratory.parsers.relations import Relations, learn_relations
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence, Treebank, encode
from nlpsig_core.laboratory.parsers.weights import Codes, pack, training_order, unpack

# The largest multiple of a feature difference that one step adds to the weights. Without a limit, UAS on dev was 0.0 to
# 0.6 points lower in Bulgarian, German and Chinese.
LIMIT = 0.003


@dataclass(frozen=True, eq=False, kw_only=True)
class GraphParser(Parser):
    """Averaged ``weights`` (ROWS,) float32 of arcs' features, and the trees to search."""

    weights: np.ndarray
    decoder: Decoder

    def heads(self, treebank: Treebank) -> np.ndarray:
        """Return the head of each node (nodes,) within its sentence; -1 for roots."""
        heads = np.empty(len(treebank.heads), np.int64)
        _parse(parts_of(treebank), self.weights, treebank.first, self.decoder, heads)
        return heads

    def scores(self, sentence: ParsedSentence) -> np.ndarray:
        """Return the scores (n + 1, n + 1) float32 of a sentence's arcs, by head and dependent; node 0 is the root."""
        scores = np.zeros((len(sentence.forms) + 1,) * 2, np.float32)
        fill_scores(parts_of(encode([sentence])), self.weights, scores)
        return scores

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the parser as arrays, for a file."""
        return pack("heads", self.weights) | {"flags": np.array(self.decoder)} | self.relations.arrays()

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """Return the parser of such arrays."""
        single, projective = arrays["flags"].tolist()
        return cls(
            weights=unpack("heads", arrays, (ROWS,)),
            decoder=Decoder(single, projective),
            relations=Relations.from_arrays(arrays),
        )


def train_graph(
    treebank: Treebank,
    dev: Treebank | None = None,
    seed: int = 0,
    *,
    rounds: int = 10,
    projective: bool | None = None,
) -> GraphParser:
    """Train a graph parser on the trees as they are.

    It gives each sentence a single root if all training trees have one. ``projective`` searches trees without crossing
    arcs, in training and after it; if it is None, both are trained and the higher UAS on ``dev`` decides, or, without
    ``dev``, only the one with crossing arcs is trained.
    """
    if projective is None and dev is not None:
        pair = [train_graph(treebank, seed=seed, rounds=rounds, projective=choice) for choice in (False, True)]
        # The first of equals: with crossing arcs.
        return max(pair, key=lambda parser: np.count_nonzero(parser.heads(dev) == dev.heads))
    decoder = Decoder(treebank.single_root, bool(projective))
    order, weights = training_order(treebank, rounds, seed), np.zeros(ROWS, np.float32)
    learn_heads(parts_of(treebank), treebank.heads, treebank.first, order, decoder, weights, np.zeros_like(weights))
    return GraphParser(weights=weights, decoder=decoder, relations=learn_relations(treebank, order))


@compiled()
def _parse(parts: Parts, weights: Floats, first: Ints, decoder: Decoder, heads: Ints) -> None:
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.empty((end - begin, end - begin), np.float32)
        fill_scores(sentence_parts(parts, begin, end), weights, scores)
        fill_tree(scores, decoder, heads[begin:end])


@compiled()
def difference(parts: Parts, gold: Ints, heads: Ints, signed: Ints, rows: Codes, values: Floats) -> int:
    """Fill in the rows in which the features of the gold tree and another differ, and by how much.

    ``signed`` (ROWS,) is scratch space of zeros, and is left so. Return the number of rows.
    """
    size, n = gold.shape[0], 0
    for dependent in range(1, size):
        if heads[dependent] == gold[dependent]:
            continue
        for head, sign in ((gold[dependent], 1), (heads[dependent], -1)):
            end = n + arc_rows(parts, head, dependent, rows[n:])
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
def _add_costs(scores: Floats, gold: Ints) -> None:
    """Add 1 to the scores of arcs that are not gold."""
    for dependent in range(1, gold.shape[0]):
        for head in range(gold.shape[0]):
            if head != gold[dependent]:
                scores[head, dependent] += np.float32(1)


@compiled()
def _missing(scores: Floats, gold: Ints, heads: Ints) -> float:
    """Return what the gold tree lacks to beat another by its number of wrong heads; ``scores`` include the costs."""
    total = 0.0
    for dependent in range(1, gold.shape[0]):
        total += scores[heads[dependent], dependent] - scores[gold[dependent], dependent]
    return total


@compiled()
def learn_heads(
    parts: Parts, gold: Ints, first: Ints, order: Ints, decoder: Decoder, weights: Floats, totals: Floats
) -> None:
    """Change ``weights`` (ROWS,) from zeros to averages over the steps, one for each sentence of the order.

    A step changes the weights as little as makes the gold tree better than its rival by the number of wrong heads, but
    by at most LIMIT times the difference of their features. The rival is the best tree when each wrong head counts 1
    more. ``totals`` (ROWS,) are zeros, for the average.
    """
    longest = np.max(first[1:] - first[:-1])
    room = 2 * longest * most_rows(parts, longest)
    rows, values, signed = np.empty(room, np.uint32), np.empty(room, np.float32), np.zeros(ROWS, np.int16)
    for step in range(order.shape[0]):
        begin, end = first[order[step]], first[order[step] + 1]
        here, right = sentence_parts(parts, begin, end), gold[begin:end]
        scores, rival = np.empty((end - begin, end - begin), np.float32), np.empty(end - begin, np.int64)
        fill_scores(here, weights, scores)
        _add_costs(scores, right)
        fill_tree(scores, decoder, rival)
        n = difference(here, right, rival, signed, rows, values)
        length = np.sum(values[:n] ** 2)
        if length > 0:
            multiple = min(LIMIT, max(0.0, _missing(scores, right, rival) / length))
            for i in range(n):
                change = np.float32(multiple * values[i])
                weights[rows[i]] += change
                totals[rows[i]] += change * np.float32(step)
    for row in range(weights.shape[0]):
        weights[row] -= totals[row] / np.float32(order.shape[0])
