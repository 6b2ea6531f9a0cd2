"""Features of dependency trees: tags of arcs, distance, surroundings, right branch, coordination, tags of fragments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from nlpsig_core.data.metrics.conllx import is_punctuation
from nlpsig_core.laboratory.parsers import ParsedSentence
from nlpsig_core.laboratory.reranking.features.base import Feature
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
        """Each word, from 1, with its head."""
        return enumerate(self.parse.heads, start=1)

    def relation(self, word: int) -> str:
        """The relation of a word without its subtype."""
        return self.parse.relations[word - 1].partition(":")[0]

    def below(self, word: int) -> list[int]:
        """The word and all words below it, in no order."""
        found = [word]
        for node in found:
            found += self.left[node] + self.right[node]
        return found

    def conjuncts(self) -> Iterator[tuple[int, int]]:
        """Adjacent conjuncts: a word and its dependents with the relation conj, from left to right."""
        for word in range(1, len(self.tags) - 1):
            if conjoined := [other for other in self.right[word] if self.relation(other) == "conj"]:
                yield from pairwise([word, *conjoined])

    def own(self, dependents: list[int]) -> list[int]:
        """Those of a word's dependents that its coordination did not add."""
        return [word for word in dependents if self.relation(word) not in COORDINATING]


def tags(candidate: Candidate) -> Counter[Feature]:
    """The tags of a word and its head and the word's side; the same with the relation."""
    tree, found = Dependents(candidate.parse), Counter[Feature]()
    for word, head in tree.arcs():
        arc = tree.tags[head], tree.tags[word], _side(word, head)
        found["", *arc] += 1
        found["relation", *arc, candidate.parse.relations[word - 1]] += 1
    return found


def distance(candidate: Candidate) -> Counter[Feature]:
    """The tags of a word and its head, the word's side, and how far it is; and the distance alone with the relation."""
    tree, found = Dependents(candidate.parse), Counter[Feature]()
    for word, head in tree.arcs():
        if head:
            far = _side(word, head), _bin(abs(word - head))
            found["", tree.tags[head], tree.tags[word], *far] += 1
            found["relation", candidate.parse.relations[word - 1], *far] += 1
    return found


def neighbours(candidate: Candidate) -> Counter[Feature]:
    """A word with others below it: its tag, how many words these span, and the tags before and after the span."""
    tree, found = Dependents(candidate.parse), Counter[Feature]()
    for word in range(1, len(tree.tags) - 1):
        if tree.left[word] or tree.right[word]:
            span = tree.below(word)
            first, last = min(span), max(span)
            before = tree.tags[first - 1] if first > 1 else OUTSIDE
            found["", tree.tags[word], _bin(last - first + 1), before, tree.tags[last + 1]] += 1
    return found


def right_branch(candidate: Candidate) -> Counter[Feature]:
    """The number of words on the path from the root to the last word that is no punctuation (1), and of others (0)."""
    parse = candidate.parse
    words = [word for word, form in enumerate(parse.forms, start=1) if not is_punctuation(form)]
    path, word = 0, words[-1] if words else 0
    while word:
        path, word = path + 1, parse.heads[word - 1]
    return Counter({("", "1"): path, ("", "0"): len(parse.heads) - path})


def parallel(candidate: Candidate) -> Counter[Feature]:
    """For adjacent conjuncts and each depth from 1 to 3: whether (1) their tags, and those below, are equal so far."""
    tree, found = Dependents(candidate.parse), Counter[Feature]()
    for one, other in tree.conjuncts():
        for depth in range(1, DEEPEST + 1):
            found["", str(depth), str(int(_equal(tree, one, other, depth)))] += 1
    return found


def parallel_length(candidate: Candidate) -> Counter[Feature]:
    """For adjacent conjuncts, how many words more the second has with those below it (-5 to 5)."""
    tree, found = Dependents(candidate.parse), Counter[Feature]()
    for one, other in tree.conjuncts():
        sizes = [1 + sum(len(tree.below(w)) for w in tree.own(tree.left[c] + tree.right[c])) for c in (one, other)]
        found["", str(max(-LONGEST, min(sizes[1] - sizes[0], LONGEST)))] += 1
    return found


def fragments(candidate: Candidate) -> Counter[Feature]:
    """Tags of a word, its head and the head's head; of a word, its nearest dependent on a side, and each next pair."""
    tree, found = Dependents(candidate.parse), Counter[Feature]()
    for word, head in tree.arcs():
        if head:
            above = candidate.parse.heads[head - 1]
            found[
                "down", tree.tags[above], tree.tags[head], tree.tags[word], _side(head, above), _side(word, head)
            ] += 1
    for head, sides in enumerate(zip(tree.left, tree.right, strict=True)):
        for side, dependents in zip(("left", "right"), sides, strict=True):
            names = [OUTSIDE, *(tree.tags[word] for word in dependents), OUTSIDE]
            if dependents:
                found.update(("beside", tree.tags[head], side, one, other) for one, other in pairwise(names))
    return found


def _side(word: int, head: int) -> str:
    return "left" if word < head else "right"


def _bin(length: int) -> str:
    return next((str(end) for end in BINS if length <= end), "more")


def _equal(tree: Dependents, one: int, other: int, depth: int) -> bool:
    """Whether two words have the same tags down to this depth; 1 is the words alone."""
    if tree.tags[one] != tree.tags[other]:
        return False
    if depth == 1:
        return True
    pairs = [(tree.own(side[one]), tree.own(side[other])) for side in (tree.left, tree.right)]
    return all(
        len(ours) == len(theirs) and all(_equal(tree, a, b, depth - 1) for a, b in zip(ours, theirs, strict=True))
        for ours, theirs in pairs
    )
