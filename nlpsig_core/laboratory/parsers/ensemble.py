"""An ensemble: the votes of several parsers for arcs, reparsed (Sagae and Lavie 2006; Surdeanu and Manning 2010)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.base.compiled import compiled
from nlpsig_core.laboratory.parsers.arrays import Floats, Ints
from nlpsig_core.laboratory.parsers.decoding import fill_best_tree
from nlpsig_core.laboratory.parsers.graph import GraphParser, train_graph
from nlpsig_core.laboratory.parsers.orders import rounds_of
from nlpsig_core.laboratory.parsers.relations import Relations, learn_relations
from nlpsig_core.laboratory.parsers.transition import TransitionParser, train_transition
from nlpsig_core.laboratory.parsers.treebank import Treebank
from nlpsig_core.laboratory.parsers.trees import Parse

Member = GraphParser | TransitionParser
CLASSES: tuple[type[GraphParser], type[TransitionParser]] = (GraphParser, TransitionParser)


@dataclass(frozen=True, eq=False, kw_only=True)
class Ensemble:
    """Parsers whose votes count as much as their ``weights`` (members,)."""

    members: tuple[Member, ...]
    weights: np.ndarray
    single: bool
    relations: Relations

    def parse(self, treebank: Treebank) -> list[Parse]:
        """A tree for each sentence, from its words alone."""
        heads = self.heads(treebank)
        return treebank.parses(heads, self.relations.of(treebank, heads))

    def heads(self, treebank: Treebank) -> np.ndarray:
        """The head of each node (nodes,) within its sentence; -1 for roots."""
        votes = np.stack([member.heads(treebank) for member in self.members])
        return reparsed(votes, self.weights, treebank.first, self.single)

    def arrays(self) -> dict[str, np.ndarray]:
        """The ensemble as arrays, for a file; names of a member's arrays begin with its number."""
        kinds = np.array([CLASSES.index(type(member)) for member in self.members])
        arrays = {"kinds": kinds, "weights": self.weights, "flags": np.array([self.single])} | self.relations.arrays()
        for i, member in enumerate(self.members):
            arrays |= {f"{i}/{name}": array for name, array in member.arrays().items()}
        return arrays

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The ensemble of such arrays."""
        members = []
        for i, kind in enumerate(arrays["kinds"].tolist()):
            own = {name.removeprefix(f"{i}/"): array for name, array in arrays.items() if name.startswith(f"{i}/")}
            members.append(CLASSES[kind].of(own))
        return cls(
            members=tuple(members),
            weights=arrays["weights"],
            single=bool(arrays["flags"][0]),
            relations=Relations.of_arrays(arrays),
        )


def train_ensemble(treebank: Treebank, dev: Treebank | None = None, seed: int = 0, *, rounds: int = 10) -> Ensemble:
    """Graph parsers with and without crossing arcs; two transition parsers from either end, on two orders of sentences.

    A member's vote weighs its log odds of a right head on ``dev``; without ``dev`` all weigh the same. Weights searched
    on dev instead were no better on test.
    """
    members: tuple[Member, ...] = (
        *(train_graph(treebank, None, seed, rounds=rounds, projective=choice) for choice in (False, True)),
        *(
            train_transition(treebank, None, seed + order, rounds=rounds, backwards=backwards)
            for order in (0, 1)
            for backwards in (False, True)
        ),
    )
    return Ensemble(
        members=members,
        weights=np.array([1.0 if dev is None else log_odds(dev, member.heads(dev)) for member in members]),
        single=treebank.single_root,
        relations=learn_relations(treebank, rounds_of(treebank, rounds, seed)),
    )


def log_odds(dev: Treebank, heads: np.ndarray) -> float:
    """The logarithm of how many of the ``heads`` (nodes,) are right to a wrong one; at least a little above 0."""
    right = np.count_nonzero((heads == dev.heads) & dev.is_word)
    wrong = np.count_nonzero(dev.is_word) - right
    return float(max(np.log((right + 1) / (wrong + 1)), 0.01))


def reparsed(votes: np.ndarray, weights: np.ndarray, first: np.ndarray, single: bool) -> np.ndarray:
    """The heads (nodes,) of the trees with the highest sums of votes.

    ``votes`` (members, nodes) are heads within the sentence, ``weights`` (members,) what each vote counts, and
    ``first`` (sentences + 1,) has the root of each sentence, then the number of nodes.
    """
    heads = np.empty(votes.shape[1], np.int64)
    _reparse(votes, weights, first, single, heads)
    return heads


@compiled()
def _reparse(votes: Ints, weights: Floats, first: Ints, single: bool, heads: Ints) -> None:
    for sentence in range(first.shape[0] - 1):
        begin, end = first[sentence], first[sentence + 1]
        scores = np.zeros((end - begin, end - begin))
        for member in range(votes.shape[0]):
            for node in range(1, end - begin):
                scores[votes[member, begin + node], node] += weights[member]
        fill_best_tree(scores, single, heads[begin:end])
