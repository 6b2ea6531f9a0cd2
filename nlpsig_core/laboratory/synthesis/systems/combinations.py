"""System combination: a greedily built tree of the arcs with the most votes."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from nlpsig_core.laboratory.synthesis.systems.parses import Parse, is_above

Ballot = TypeVar("Ballot")


def most_votes(ballots: Sequence[Ballot]) -> Ballot:
    """The most frequent ballot; ties go to the earlier voter."""
    counts = Counter(ballots)
    return max(counts, key=lambda ballot: counts[ballot])


def voted_heads(ballots: Sequence[Sequence[int]]) -> list[int]:
    """The heads of a tree from several trees: arcs with the most votes first, skipping those that close a cycle."""
    size = len(ballots[0])
    root = most_votes([heads.index(0) for heads in ballots])
    result = [0] * size
    attached = {root}
    arcs = Counter((word, heads[word]) for heads in ballots for word in range(size))
    for (word, head), _ in arcs.most_common():
        if word not in attached and head and not is_above(result, word + 1, head):
            result[word] = head
            attached.add(word)
    return [head if head or word == root else root + 1 for word, head in enumerate(result)]


def vote(trees: Sequence[Parse]) -> Parse:
    """The voted tree; labels come from the voters with the same head, if any."""
    if all(tree == trees[0] for tree in trees):
        return trees[0]
    heads = voted_heads([tree.heads for tree in trees])
    labels = []
    for word, head in enumerate(heads):
        agreeing = [tree.labels[word] for tree in trees if tree.heads[word] == head and head]
        labels.append(most_votes(agreeing or [label_of(tree, word, head) for tree in trees]))
    return Parse(heads, labels)


def label_of(tree: Parse, word: int, head: int) -> str:
    """The label of a voter for a word under a head that the voter did not choose."""
    if head == 0:
        return "root"
    return tree.labels[word] if tree.labels[word] != "root" else "parataxis"
