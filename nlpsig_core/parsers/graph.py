"""A graph parser of the first order: the tree whose arcs have the highest sum of scores (McDonald et al. 2005)."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numba import njit

from nlpsig_core.parsers.arrays import Floats, Ints
from nlpsig_core.parsers.decoding import fill_best_tree
from nlpsig_core.parsers.eisner import fill_projective_tree
from nlpsig_core.parsers.features import ROWS, Parts, parts_of
from nlpsig_core.parsers.mira import learn_heads
from nlpsig_core.parsers.orders import rounds_of
from nlpsig_core.parsers.packing import pack, unpack
from nlpsig_core.parsers.relations import Relations, learn_relations
from nlpsig_core.parsers.scoring import fill_scores, of_sentence
from nlpsig_core.parsers.treebank import Treebank, encode
from nlpsig_core.parsers.trees import Parse, ParsedSentence


@dataclass(frozen=True, eq=False, kw_only=True)
class GraphParser:
    """Averaged ``weights`` (ROWS,) float32 of arcs' features, and a classifier of relations.

    Trees have one dependent of the root if ``single``, and no crossing arcs if ``projective``.
    """

    weights: np.ndarray
    single: bool
    projective: bool
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
            _parse(parts, self.weights, treebank.first[begin : end + 1], self.single, self.projective, heads)

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
        flags = np.array([self.single, self.projective])
        return pack("heads", self.weights) | {"flags": flags} | self.relations.arrays()

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The parser of such arrays."""
        single, projective = arrays["flags"].tolist()
        return cls(
            weights=unpack("heads", arrays), single=single, projective=projective, relations=Relations.of_arrays(arrays)
        )


def train_graph(
    treebank: Treebank, dev: Treebank | None = None, seed: int = 0, *, rounds: int = 10, k: int = 1,
    augmented: bool = True, limit: float = np.inf, projective: bool | None = None,
) -> GraphParser:  # fmt: skip
    """A graph parser trained by MIRA, on the trees as they are; see ``mira.learn_heads`` for ``k`` and ``limit``.

    It gives each sentence a single root if all training trees have one. Trees have crossing arcs where that has the
    higher UAS on ``dev`` (and without ``dev``), unless ``projective`` decides.
    """
    order, weights = rounds_of(treebank, rounds, seed), np.zeros(ROWS, np.float32)
    learn_heads(
        parts_of(treebank), treebank.heads, treebank.first, order, treebank.single_root, False, augmented, limit, k,
        weights, np.zeros(ROWS, np.float32), np.zeros(ROWS, np.int16),
    )  # fmt: skip
    parser = GraphParser(
        weights=weights,
        single=treebank.single_root,
        projective=bool(projective),
        relations=learn_relations(treebank, order),
    )
    return _better_on(dev, parser) if dev is not None and projective is None else parser


def _better_on(dev: Treebank, parser: GraphParser) -> GraphParser:
    """The parser with or without crossing arcs; with them where both have as many right heads."""
    other = replace(parser, projective=True)
    right = [np.count_nonzero(p.heads(dev) == dev.heads) for p in (parser, other)]
    return other if right[1] > right[0] else parser


@njit(nogil=True, cache=True)
def _parse(parts: Parts, weights: Floats, first: Ints, single: bool, projective: bool, heads: Ints) -> None:
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.empty((end - begin, end - begin), np.float32)
        fill_scores(of_sentence(parts, begin, end), weights, scores)
        if projective:
            fill_projective_tree(scores, single, heads[begin:end])
        else:
            fill_best_tree(scores, single, heads[begin:end])
