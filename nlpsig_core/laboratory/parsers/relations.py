"""Relations of given arcs: an averaged perceptron with one column of weights for each relation (Collins 2002).

With what the classifier has seen: the forms and tags of its training set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.parsers.treebank import COLUMNS, Treebank
from nlpsig_core.laboratory.parsers.weights import Codes, add_up, average, correct, hashed, pack, unpack

ROWS = 1 << 16
# Of the dependent d, its head h, the head's head g; of the words beside them; of d's outermost dependents; of the
# sisters beside d on the same head. The place is direction and distance, the side direction alone.
TEMPLATES = """
h.coarse d.coarse place; h.fine d.fine side; h.fine d.fine place;
h.form d.coarse side; h.coarse d.form side; h.lemma d.lemma; h.lemma d.coarse side; h.lemma d.feats side;
h.coarse d.lemma side; h.coarse d.lemma d.feats; h.coarse h.feats d.coarse d.feats side;
h.coarse d.coarse d.feats side; h.coarse d.coarse d.feats place;
d.form d.coarse; d.lemma side; d.fine side; d.feats side;
d.coarse-1 d.coarse side; d.coarse d.coarse+1 side; d.lemma-1 d.coarse h.coarse; d.coarse d.lemma+1 h.coarse;
d.coarse-1 d.coarse d.coarse+1;
h.coarse-1 h.coarse d.coarse side; h.coarse h.coarse+1 d.coarse side; g.coarse h.coarse d.coarse side;
g.lemma h.coarse d.coarse;
h.coarse d.coarse d.left.coarse; h.coarse d.coarse d.right.coarse; h.coarse d.coarse d.left.lemma;
h.coarse d.coarse d.right.lemma; d.coarse d.left.lemma side;
h.coarse d.coarse d.before.coarse side; h.coarse d.coarse d.after.coarse side;
h.coarse d.coarse d.feats d.before.feats; h.lemma d.coarse d.before.coarse; h.lemma d.coarse d.after.coarse
"""


# What each column is called, and the largest share of its values that may be new in a text of the same language. On 14
# treebanks, 12% to 37% of the forms of a test set were new and at most 1% of its tags; of another language's, 50% to
# 91% of the forms, or nearly all fine tags.
MOST_NEW = {"form": ("forms", 0.4), "fine": ("fine tags", 0.1), "coarse": ("tags", 0.1)}


@dataclass(frozen=True, eq=False, kw_only=True)
class Relations:
    """A trained classifier: averaged weights (ROWS, labels) float32, names of its ``labels``, and what it has seen.

    ``vocabulary`` has the codes of the training set's forms and tags: by column in MOST_NEW, each sorted and once.
    """

    weights: np.ndarray
    labels: tuple[str, ...]
    vocabulary: Mapping[str, np.ndarray]

    def classify(self, treebank: Treebank, heads: np.ndarray) -> list[str]:
        """Return the relation of each node (nodes,) to its head; that of a root means nothing."""
        chosen = _classify(rows_of(treebank, heads), self.weights)
        return [self.labels[i] for i in chosen.tolist()]

    def new(self, treebank: Treebank) -> dict[str, float]:
        """Return the share of the words of a treebank whose form or tag is not in the vocabulary, by column."""
        return {
            column: float(np.isin(_codes(treebank, column), known, invert=True).mean())
            for column, known in self.vocabulary.items()
        }

    def warning(self, treebank: Treebank) -> str:
        """Return a sentence if more is new in a treebank than is usual in the same language; else ""."""
        new = self.new(treebank)
        if all(new[column] <= most for column, (_, most) in MOST_NEW.items()):
            return ""
        shares = [f"{new[column]:.0%} of its {name}" for column, (name, _) in MOST_NEW.items()]
        where = "are not in the parser's training set, which may be of another language or have other tags"
        return f"{', '.join(shares[:-1])} and {shares[-1]} {where}"

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the classifier as arrays, for a file; labels are bytes of UTF-8, each ended by 0."""
        labels = np.frombuffer("".join(f"{label}\0" for label in self.labels).encode(), np.uint8)
        codes = {f"vocabulary.{column}": codes for column, codes in self.vocabulary.items()}
        return pack("relations", self.weights) | {"labels": labels} | codes

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """Return the classifier of such arrays."""
        labels = tuple(arrays["labels"].tobytes().decode().split("\0")[:-1])
        return cls(
            weights=unpack("relations", arrays, (ROWS, len(labels))),
            labels=labels,
            vocabulary={column: arrays[f"vocabulary.{column}"] for column in MOST_NEW},
        )


def _codes(treebank: Treebank, column: str) -> np.ndarray:
    return np.asarray(treebank.codes[treebank.is_word, COLUMNS.index(column)])


def learn_relations(treebank: Treebank, order: np.ndarray) -> Relations:
    """Learn to classify the relations of gold arcs, from the sentences of the order."""
    labels = treebank.labels
    rows = rows_of(treebank, treebank.heads)
    weights = np.zeros((ROWS, len(labels)), np.float32)
    _learn(rows, treebank.relations(labels), treebank.first, order, weights, np.zeros_like(weights))
    vocabulary = {column: np.unique(_codes(treebank, column)) for column in MOST_NEW}
    return Relations(weights=weights, labels=labels, vocabulary=vocabulary)


def rows_of(treebank: Treebank, heads: np.ndarray) -> Codes:
    """Return the rows (nodes, templates) of each node's arc to its head."""
    templates, atoms = TEMPLATES.split(";"), _Atoms(treebank, heads)
    rows = np.empty((len(heads), len(templates)), np.uint32)
    for t, template in enumerate(templates):
        rows[:, t] = hashed([atoms[name] for name in template.split()], str(t), ROWS)
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
    """Return the outermost dependents of each node and its sisters beside it, -1 for none."""
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
def _learn(rows: Codes, gold: Ints, first: Ints, order: Ints, weights: Floats, totals: Floats) -> None:
    """Change ``weights`` (ROWS, labels) from zeros to averages over the steps, one for each sentence of the order."""
    scores = np.empty(weights.shape[1], np.float32)
    for step in range(order.shape[0]):
        for node in range(first[order[step]] + 1, first[order[step] + 1]):
            add_up(weights, rows[node], scores)
            best = int(np.argmax(scores))
            if best != gold[node]:
                correct(weights, totals, rows[node], gold[node], best, step)
    average(weights, totals, order.shape[0])


@compiled()
def _classify(rows: Codes, weights: Floats) -> Ints:
    chosen, scores = np.empty(rows.shape[0], np.int64), np.empty(weights.shape[1], np.float32)
    for node in range(rows.shape[0]):
        add_up(weights, rows[node], scores)
        chosen[node] = np.argmax(scores)
    return chosen
