"""Features of dependency trees: tags of arcs, distance, surroundings, right branch, coordination, tags of fragments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from nlpsig_core.data.metrics.structures.conllx import is_punctuation
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence
from nlpsig_core.laboratory.reranking.features.places import Feature
from nlpsig_core.laboratory.reranking.lists import Candidate

# Upper ends of the classes of lengths and distances; longer ones are one class.
BINS = (1, 2, 3, 4, 7, 12)
DEEPEST, LONGEST = 3, 5
ROOT, OUTSIDE = "root", "_"
# Relations of words that a coordination adds to the first conjunct.
COORDINATING = frozenset(("cc", "conj", "punct"))


class Dependents:
    """The tree of a parse by node, 0 for the root: ``tags``, and the dependents of each node on both sides.

    ``left`` and ``right`` have the nearest dependent first. The last tag is that of the place after the words.
    """

    def __init__(self, parse: ParsedSentence) -> None:
        self.parse, self.tags = parse, (ROOT, *parse.tags, OUTSIDE)
        self.left: list[list[int]] = [[] for _ in self.tags]
        self.right: list[list[int]] = [[] for _ in self.tags]
        for word, head in self.arcs():
            if word > head:
                self.right[head].append(word)
            else:
                self.left[head].insert(0, word)

    def arcs(self) -> Iterator[tuple[int, int]]:
        """Yield each word, from 1, with its head."""
        return enumerate(self.parse.heads, start=1)

    def relation(self, word: int) -> str:
        """Return the relation of a word without its subtype."""
        return self.parse.relations[word - 1].partition(":")[0]

    def below(self, word: int) -> list[int]:
        """Return the word and all words below it, in no order."""
        words = [word]
        for node in words:
            words += self.left[node] + self.right[node]
        return words

    def conjuncts(self) -> Iterator[tuple[int, int]]:
        """Yield adjacent conjuncts: a word and its dependents with the relation conj, from left to right."""
        for word in range(1, len(self.tags) - 1):
            if conjoined := [other for other in self.right[word] if self.relation(other) == "conj"]:
                yield from pairwise([word, *conjoined])

    def own(self, dependents: list[int]) -> list[int]:
        """Return those of a word's dependents that its coordination did not add."""
        return [word for word in dependents if self.relation(word) not in COORDINATING]


def tags(candidate: Candidate) -> Iterator[Feature]:
    """Yield the tags of a word and its head and the word's side; the same with the relation."""
    tree = Dependents(candidate.parse)
    for word, head in tree.arcs():
        arc = tree.tags[head], tree.tags[word], _side(word, head)
        yield "", *arc
        yield "relation", *arc, candidate.parse.relations[word - 1]


def distance(candidate: Candidate) -> Iterator[Feature]:
    """Yield the tags of a word and its head, its side and how far it is; and the relation with side and distance."""
    tree = Dependents(candidate.parse)
    for word, head in tree.arcs():
        if head:
            far = _side(word, head), _bin(abs(word - head))
            yield "", tree.tags[head], tree.tags[word], *far
            yield "relation", candidate.parse.relations[word - 1], *far


def neighbours(candidate: Candidate) -> Iterator[Feature]:
    """Yield the tag of a word with others below it, how many words these span, and the tags before and after."""
    tree = Dependents(candidate.parse)
    for word in range(1, len(tree.tags) - 1):
        if tree.left[word] or tree.right[word]:
            span = tree.below(word)
            first, last = min(span), max(span)
            before = tree.tags[first - 1] if first > 1 else OUTSIDE
            yield "", tree.tags[word], _bin(last - first + 1), before, tree.tags[last + 1]


def right_branch(candidate: Candidate) -> dict[Feature, float]:
    """Return the number of words on the path from the root to the last word (no punctuation) (1), and of others (0)."""
    parse = candidate.parse
    words = [word for word, form in enumerate(parse.forms, start=1) if not is_punctuation(form)]
    path, word = 0, words[-1] if words else 0
    while word:
        path, word = path + 1, parse.heads[word - 1]
    return {("", "1"): path, ("", "0"): len(parse.heads) - path}


def parallel(candidate: Candidate) -> Iterator[Feature]:
    """Yield whether (1) the tags of adjacent conjuncts, and those below, are equal to each depth from 1 to 3."""
    tree = Dependents(candidate.parse)
    for first, second in tree.conjuncts():
        for depth in range(1, DEEPEST + 1):
            yield "", str(depth), str(int(_equal(tree, first, second, depth)))


def parallel_length(candidate: Candidate) -> Iterator[Feature]:
    """Yield how many words more the second of adjacent conjuncts has with those below it (-5 to 5)."""
    tree = Dependents(candidate.parse)
    for pair in tree.conjuncts():
        first, second = (sum(len(tree.below(w)) for w in tree.own(tree.left[c] + tree.right[c])) for c in pair)
        yield "", str(max(-LONGEST, min(second - first, LONGEST)))


def fragments(candidate: Candidate) -> Iterator[Feature]:
    """Yield tags of a word, its head and the head's head; of a word and each two adjacent dependents on a side."""
    tree, heads = Dependents(candidate.parse), (0, *candidate.parse.heads)
    for word, head in tree.arcs():
        if head:
            chain = tree.tags[heads[head]], tree.tags[head], tree.tags[word]
            yield "down", *chain, _side(head, heads[head]), _side(word, head)
    for head, tag in enumerate(tree.tags):
        for side, dependents in (("left", tree.left[head]), ("right", tree.right[head])):
            names = [OUTSIDE, *(tree.tags[word] for word in dependents), OUTSIDE]
            if dependents:
                yield from (("beside", tag, side, *pair) for pair in pairwise(names))


def _side(word: int, head: int) -> str:
    return "left" if word < head else "right"


def _bin(length: int) -> str:
    return next((str(end) for end in BINS if length <= end), "more")


def _equal(tree: Dependents, first: int, second: int, depth: int) -> bool:
    """Return whether two words have the same tags down to this depth; 1 is the words alone."""
    if tree.tags[first] != tree.tags[second] or depth == 1:
        return tree.tags[first] == tree.tags[second]
    pairs = [(tree.own(side[first]), tree.own(side[second])) for side in (tree.left, tree.right)]
    return all(
        len(ours) == len(theirs) and all(_equal(tree, a, b, depth - 1) for a, b in zip(ours, theirs, strict=True))
        for ours, theirs in pairs
    )
