"""Relations of given arcs: an averaged perceptron with one column of weights for each relation (Collins 2002)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Codes, Ints
from nlpsig_core.laboratory.parsers.hashing import hashed
from nlpsig_core.laboratory.parsers.packing import names, pack, texts, unpack
from nlpsig_core.laboratory.parsers.treebank import COLUMNS, Treebank
from nlpsig_core.laboratory.parsers.vocabulary import Vocabulary

ROWS = 1 << 16
# Of the dependent d, its head h, the head's head g; of the words beside them; of d's outermost dependents; of the
# sisters beside d on the same head. The place is direction and distance, the side direction alone.
TEMPLATES = """
h.coarse d.coarse place
h.fine d.fine side
h.fine d.fine place
h.form d.coarse side
h.coarse d.form side
h.lemma d.lemma
h.lemma d.coarse side
h.lemma d.feats side
h.coarse d.lemma side
h.coarse d.lemma d.feats
h.coarse h.feats d.coarse d.feats side
h.coarse d.coarse d.feats side
h.coarse d.coarse d.feats place
d.form d.coarse
d.lemma side
d.fine side
d.feats side
d.coarse-1 d.coarse side
d.coarse d.coarse+1 side
d.lemma-1 d.coarse h.coarse
d.coarse d.lemma+1 h.coarse
d.coarse-1 d.coarse d.coarse+1
h.coarse-1 h.coarse d.coarse side
h.coarse h.coarse+1 d.coarse side
g.coarse h.coarse d.coarse side
g.lemma h.coarse d.coarse
h.coarse d.coarse d.left.coarse
h.coarse d.coarse d.right.coarse
h.coarse d.coarse d.left.lemma
h.coarse d.coarse d.right.lemma
d.coarse d.left.lemma side
h.coarse d.coarse d.before.coarse side
h.coarse d.coarse d.after.coarse side
h.coarse d.coarse d.feats d.before.feats
h.lemma d.coarse d.before.coarse
h.lemma d.coarse d.after.coarse
"""


@dataclass(frozen=True, eq=False, kw_only=True)
class Relations:
    """A trained classifier: averaged weights (ROWS, labels) float32, names of its ``labels``, and what it has seen."""

    weights: np.ndarray
    labels: tuple[str, ...]
    vocabulary: Vocabulary

    def of(self, treebank: Treebank, heads: np.ndarray) -> list[str]:
        """The relation of each node (nodes,) to its head; that of a root means nothing."""
        chosen = _classify(rows_of(treebank, heads), self.weights)
        return [self.labels[i] for i in chosen.tolist()]

    def arrays(self) -> dict[str, np.ndarray]:
        """The classifier as arrays, for a file."""
        return pack("relations", self.weights) | {"labels": texts(self.labels)} | self.vocabulary.arrays()

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The classifier of such arrays."""
        labels = names(arrays["labels"])
        weights = unpack("relations", arrays, (ROWS, len(labels)))
        return cls(weights=weights, labels=labels, vocabulary=Vocabulary.of_arrays(arrays))


def learn_relations(treebank: Treebank, order: np.ndarray) -> Relations:
    """A classifier of the gold arcs' relations, after the sentences of the order."""
    labels = treebank.labels
    rows = rows_of(treebank, treebank.heads)
    weights = np.zeros((ROWS, len(labels)), np.float32)
    _learn(rows, treebank.relations(labels), treebank.first, order, weights, np.zeros_like(weights))
    return Relations(weights=weights, labels=labels, vocabulary=Vocabulary.of(treebank))


def rows_of(treebank: Treebank, heads: np.ndarray) -> Codes:
    """The rows (nodes, templates) of each node's arc to its head."""
    lines = TEMPLATES.strip().splitlines()
    atoms = _Atoms(treebank, heads)
    rows = np.empty((len(heads), len(lines)), np.uint32)
    for t, line in enumerate(lines):
        rows[:, t] = hashed([atoms[name] for name in line.split()], str(t), ROWS)
    return rows


class _Atoms(dict[str, np.ndarray]):
    """The arrays (nodes,) that templates name, each made on first use."""

    def __init__(self, treebank: Treebank, heads: np.ndarray) -> None:
        self.codes = treebank.codes
        sizes = np.diff(treebank.first)
        start, end = np.repeat(treebank.first[:-1], sizes), np.repeat(treebank.first[1:], sizes)
        own = np.arange(len(heads))
        head = np.where(heads < 0, own, start + heads)
        self.start, self.end = start, end
        self.nodes = {"d": own, "h": head, "g": head[head]} | _around(own, head)
        distance = np.abs(head - own)
        step = np.minimum(distance, 5) + (distance > 5) + (distance > 10)
        super().__init__(side=(head < own).astype(np.uint64), place=np.where(head < own, step, 8 + step))

    def __missing__(self, name: str) -> np.ndarray:
        who, _, column = name.rpartition(".")
        offset = {"-1": -1, "+1": 1}.get(column[-2:], 0)
        nodes = self.nodes[who]
        at = nodes + offset
        inside = (nodes >= 0) & (at >= self.start) & (at < self.end)
        values = self.codes[np.where(inside, at, 0), COLUMNS.index(column.rstrip("-+1"))]
        self[name] = np.where(inside, values, 0).astype(np.uint64)
        return self[name]


def _around(own: np.ndarray, head: np.ndarray) -> dict[str, np.ndarray]:
    """The outermost dependents of each node and its sisters beside it, -1 for none."""
    around = {name: np.full(len(own), -1) for name in ("d.left", "d.right", "d.before", "d.after")}
    words = own[head != own]
    order = words[np.argsort(head[words], kind="stable")]
    sisters = head[order[1:]] == head[order[:-1]]
    around["d.before"][order[1:][sisters]] = order[:-1][sisters]
    around["d.after"][order[:-1][sisters]] = order[1:][sisters]
    left, right = words[words < head[words]], words[words > head[words]]
    # Of several dependents the last to be written stays: the outermost.
    around["d.left"][head[left[::-1]]] = left[::-1]
    around["d.right"][head[right]] = right
    return around


@compiled()
def _best(rows: Codes, weights: np.ndarray, scores: np.ndarray) -> int:
    scores[:] = 0
    for row in rows:
        for label in range(scores.shape[0]):
            scores[label] += weights[row, label]
    return int(np.argmax(scores))


@compiled()
def _learn(rows: Codes, gold: Ints, first: Ints, order: Ints, weights: np.ndarray, totals: np.ndarray) -> None:
    """Change ``weights`` (ROWS, labels) from zeros to averages over the steps, one for each sentence of the order."""
    scores = np.empty(weights.shape[1], np.float32)
    for step in range(order.shape[0]):
        for node in range(first[order[step]] + 1, first[order[step] + 1]):
            best = _best(rows[node], weights, scores)
            if best != gold[node]:
                for row in rows[node]:
                    weights[row, gold[node]] += np.float32(1)
                    weights[row, best] -= np.float32(1)
                    totals[row, gold[node]] += np.float32(step)
                    totals[row, best] -= np.float32(step)
    for row in range(weights.shape[0]):
        for label in range(weights.shape[1]):
            weights[row, label] -= totals[row, label] / np.float32(order.shape[0])


@compiled()
def _classify(rows: Codes, weights: np.ndarray) -> Ints:
    chosen, scores = np.empty(rows.shape[0], np.int64), np.empty(weights.shape[1], np.float32)
    for node in range(rows.shape[0]):
        chosen[node] = _best(rows[node], weights, scores)
    return chosen
