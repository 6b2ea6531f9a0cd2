"""An ensemble: the votes of several parsers for arcs, reparsed (Sagae and Lavie 2006; Surdeanu and Manning 2010)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.parsers.decoding.best_trees import fill_best_tree
from nlpsig_core.laboratory.parsers.graph import GraphParser, train_graph
from nlpsig_core.laboratory.parsers.parser import Parser
from nlpsig_core.laboratory.parsers.relations import Relations, learn_relations
from nlpsig_core.laboratory.parsers.transition import TransitionParser, train_transition
from nlpsig_core.laboratory.parsers.treebank import Treebank
from nlpsig_core.laboratory.parsers.weights import training_order

CLASSES: tuple[type[Parser], ...] = (GraphParser, TransitionParser)


@dataclass(frozen=True, eq=False, kw_only=True)
class Ensemble(Parser):
    """Parsers whose votes count as much as their ``weights`` (members,)."""

    members: tuple[Parser, ...]
    weights: np.ndarray
    single: bool

    def heads(self, treebank: Treebank) -> np.ndarray:
        """Return the head of each node (nodes,) within its sentence; -1 for roots."""
        votes = np.stack([member.heads(treebank) for member in self.members])
        return reparsed(votes, self.weights, treebank.first, self.single)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the ensemble as arrays, for a file; names of a member's arrays begin with its number."""
        kinds = np.array([CLASSES.index(type(member)) for member in self.members])
        arrays = {"kinds": kinds, "weights": self.weights, "flags": np.array([self.single])} | self.relations.arrays()
        for i, member in enumerate(self.members):
            arrays |= {f"{i}/{name}": array for name, array in member.arrays().items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """Return the ensemble of such arrays."""
        members = []
        for i, kind in enumerate(arrays["kinds"].tolist()):
            own = {name.removeprefix(f"{i}/"): array for name, array in arrays.items() if name.startswith(f"{i}/")}
            members.append(CLASSES[kind].from_arrays(own))
        return cls(
            members=tuple(members),
            weights=arrays["weights"],
            single=bool(arrays["flags"][0]),
            relations=Relations.from_arrays(arrays),
        )


def train_ensemble(treebank: Treebank, dev: Treebank | None = None, seed: int = 0, *, rounds: int = 10) -> Ensemble:
    """Train graph parsers with and without crossing arcs, and transition parsers from either end on two orders.

    A member's vote weighs its log odds of a right head on ``dev``; without ``dev`` all weigh the same. Weights searched
    on dev instead were no better on test.
    """
    graphs = [train_graph(treebank, seed=seed, rounds=rounds, projective=choice) for choice in (False, True)]
    transitions = [
        train_transition(treebank, seed=seed + order, rounds=rounds, backwards=backwards)
        for order in (0, 1)
        for backwards in (False, True)
    ]
    members: tuple[Parser, ...] = (*graphs, *transitions)
    return Ensemble(
        members=members,
        weights=np.array([1.0 if dev is None else log_odds(dev, member.heads(dev)) for member in members]),
        single=treebank.single_root,
        relations=learn_relations(treebank, training_order(treebank, rounds, seed)),
    )


def log_odds(dev: Treebank, heads: np.ndarray) -> float:
    """Return the log of the odds that one of the ``heads`` (nodes,) is right; at least a little above 0."""
    right = np.count_nonzero((heads == dev.heads) & dev.is_word)
    wrong = np.count_nonzero(dev.is_word) - right
    return float(max(np.log((right + 1) / (wrong + 1)), 0.01))


@compiled()
def reparsed(votes: Ints, weights: Floats, first: Ints, single: bool) -> Ints:
    """Return the heads (nodes,) of the trees with the highest sums of votes.

    ``votes`` (members, nodes) are heads within the sentence, ``weights`` (members,) what each vote counts, and
    ``first`` (sentences + 1,) has the root of each sentence, then the number of nodes.
    """
    heads = np.empty(votes.shape[1], np.int64)
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.zeros((end - begin, end - begin))
        for member in range(votes.shape[0]):
            for node in range(1, end - begin):
                scores[votes[member, begin + node], node] += weights[member]
        fill_best_tree(scores, single, heads[begin:end])
    return heads
