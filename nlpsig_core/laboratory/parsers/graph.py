"""A graph parser of the first order: the tree whose arcs have the highest sum of scores (McDonald et al. 2005)."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Floats, Ints
from nlpsig_core.laboratory.parsers.decoding import Decoder, fill_tree
from nlpsig_core.laboratory.parsers.features import ROWS, Parts, parts_of
from nlpsig_core.laboratory.parsers.mira import learn_heads
from nlpsig_core.laboratory.parsers.orders import rounds_of
from nlpsig_core.laboratory.parsers.packing import pack, unpack
from nlpsig_core.laboratory.parsers.relations import Relations, learn_relations
from nlpsig_core.laboratory.parsers.scoring import fill_scores, of_sentence
from nlpsig_core.laboratory.parsers.treebank import Treebank, encode
from nlpsig_core.laboratory.parsers.trees import Parse, ParsedSentence

# The largest multiple of a feature difference that one step adds to the weights. Without a limit, UAS on dev was 0.0 to
# 0.6 points lower in Bulgarian, German and Chinese.
LIMIT = 0.003


@dataclass(frozen=True, eq=False, kw_only=True)
class GraphParser:
    """Averaged ``weights`` (ROWS,) float32 of arcs' features, a classifier of relations, and the trees to search."""

    weights: np.ndarray
    decoder: Decoder
    relations: Relations

    def parse(self, treebank: Treebank, threads: int = 1) -> list[Parse]:
        """A tree for each sentence, from its words alone, the same for any number of threads."""
        heads = self.heads(treebank, threads)
        return treebank.parses(heads, self.relations.of(treebank, heads))

    def heads(self, treebank: Treebank, threads: int = 1) -> np.ndarray:
        """The head of each node (nodes,) within its sentence; -1 for roots."""
        parts, heads = parts_of(treebank), np.empty(len(treebank.heads), np.int64)
        cuts = np.linspace(0, treebank.n_sentences, threads + 1).astype(np.int64)

        def fill(begin: int, end: int) -> None:
            _parse(parts, self.weights, treebank.first[begin : end + 1], self.decoder, heads)

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(fill, cuts[:-1], cuts[1:]))
        return heads

    def scores(self, sentence: ParsedSentence) -> np.ndarray:
        """The scores (n + 1, n + 1) float32 of all arcs of a sentence, by head and dependent; node 0 is the root."""
        scores = np.zeros((len(sentence.forms) + 1,) * 2, np.float32)
        fill_scores(parts_of(encode([sentence])), self.weights, scores)
        return scores

    def arrays(self) -> dict[str, np.ndarray]:
        """The parser as arrays, for a file."""
        return pack("heads", self.weights) | {"flags": np.array(self.decoder)} | self.relations.arrays()

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The parser of such arrays."""
        single, projective = arrays["flags"].tolist()
        return cls(
            weights=unpack("heads", arrays, (ROWS,)),
            decoder=Decoder(single, projective),
            relations=Relations.of_arrays(arrays),
        )


def train_graph(
    treebank: Treebank, dev: Treebank | None = None, seed: int = 0, *, rounds: int = 10, k: int = 1,
    augmented: bool = True, limit: float = LIMIT, projective: bool | None = None,
) -> GraphParser:  # fmt: skip
    """A graph parser trained by MIRA, on the trees as they are; see ``mira.learn_heads`` for ``k`` and ``limit``.

    It gives each sentence a single root if all training trees have one. ``projective`` searches trees without crossing
    arcs, in training and after it; if it is None, both are trained and the higher UAS on ``dev`` decides, or, without
    ``dev``, only the one with crossing arcs is trained.
    """
    if projective is None and dev is not None:
        pair = [
            train_graph(treebank, None, seed, rounds=rounds, k=k, augmented=augmented, limit=limit, projective=choice)
            for choice in (False, True)
        ]
        # The first of equals: with crossing arcs.
        return max(pair, key=lambda parser: np.count_nonzero(parser.heads(dev) == dev.heads))
    decoder = Decoder(treebank.single_root, bool(projective))
    order, weights = rounds_of(treebank, rounds, seed), np.zeros(ROWS, np.float32)
    learn_heads(
        parts_of(treebank), treebank.heads, treebank.first, order, decoder, augmented, limit, k, weights,
        np.zeros(ROWS, np.float32), np.zeros(ROWS, np.int16),
    )  # fmt: skip
    return GraphParser(weights=weights, decoder=decoder, relations=learn_relations(treebank, order))


@compiled()
def _parse(parts: Parts, weights: Floats, first: Ints, decoder: Decoder, heads: Ints) -> None:
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.empty((end - begin, end - begin), np.float32)
        fill_scores(of_sentence(parts, begin, end), weights, scores)
        fill_tree(scores, decoder, heads[begin:end])
