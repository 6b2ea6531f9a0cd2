"""Trees with errors on given words: plausible heads and labels, always one root and no cycle."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.difficulty import RatedTreebank
from nlpsig_core.laboratory.synthesis.language.relations import RELATIONS
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, universal

WINDOW = 5  # words to either side among which wrong heads are looked for first
FUNCTION_WORDS = ("ADP", "AUX", "CCONJ", "DET", "INTJ", "PART", "PUNCT", "SCONJ")
BOTH = 0.25  # share of errors in the head that also have a wrong label


class Parse(NamedTuple):
    """Heads (from 1, 0 for the root) and labels of a sentence."""

    heads: list[int]
    labels: list[str]


def gold_parse(sentence: Sentence) -> Parse:
    """The gold tree of a sentence."""
    return Parse([word.head for word in sentence.words], [word.relation for word in sentence.words])


def rivals(sentence: Sentence, number: int, jitter: Sequence[float]) -> list[int]:
    """Wrong heads for a word, the likeliest first: nearby content words, and the head of its head."""
    head = sentence.words[number - 1].head
    above = sentence.words[head - 1].head if head else 0
    last = min(len(sentence.words), number + WINDOW)
    costs = []
    for other, luck in zip(range(max(1, number - WINDOW), last + 1), jitter, strict=False):
        if other not in (number, head):
            cost = abs(other - number) * (1 + 2 * (sentence.words[other - 1].upos in FUNCTION_WORDS))
            costs.append((cost + 3 * luck - 3 * (other == above), other))
    return [other for _, other in sorted(costs)]


def is_above(heads: Sequence[int], number: int, other: int) -> bool:
    """Whether ``number`` is ``other`` or an ancestor of it."""
    while other and other != number:
        other = heads[other - 1]
    return other == number


def reattach(heads: list[int], number: int, options: Sequence[int]) -> bool:
    """Attach a word to the first option that keeps the tree a tree; returns whether there was one."""
    gold = heads[number - 1]
    for other in [*options, *range(1, len(heads) + 1)]:
        if other != gold and not is_above(heads, number, other):
            heads[number - 1] = other
            return True
    return False


def move_root(heads: list[int], root: int, wrong: Sequence[int]) -> int:
    """Make the first of the wrong words the root and attach the old root to it; returns the new root or 0."""
    new = next((number for number in wrong if number != root), 0)
    if new:
        heads[new - 1], heads[root - 1] = 0, new
    return new


def kind_of_error(relation: str, draw: float) -> str:
    """The kind of error: "label", "head" or "both"."""
    share = RELATIONS[universal(relation)].label_share
    if draw < share:
        return "label"
    return "both" if draw < share + BOTH * (share > 0) else "head"


def confused(relation: str, draw: float) -> str:
    """A wrong label."""
    options = RELATIONS[universal(relation)].confusions
    return options[int(draw * draw * len(options))]


def wrong_parse(gold: Parse, wrong: dict[int, list[float]], options: dict[int, list[int]]) -> Parse:
    """A tree in which the arc or the label of exactly the ``wrong`` words is wrong.

    ``wrong`` has three draws for each such word, ``options`` its rivals. If the root is the only wrong word, it stays
    right because no other word can replace it.
    """
    heads, labels = list(gold.heads), list(gold.labels)
    root = heads.index(0) + 1
    moved = move_root(heads, root, sorted(wrong, key=lambda n: wrong[n][1])) if root in wrong else 0
    if moved:
        labels[moved - 1], labels[root - 1] = "root", confused("root", wrong[root][2])
    for number, (kind_draw, head_draw, label_draw) in wrong.items():
        if number in (root, moved):
            continue
        kind = kind_of_error(labels[number - 1], kind_draw)
        first = int(3 * head_draw * head_draw * head_draw)
        ordered = options[number][first:] + options[number][:first]
        if kind != "label" and not reattach(heads, number, ordered):
            kind = "both"
        if kind != "head":
            labels[number - 1] = confused(labels[number - 1], label_draw)
    return Parse(heads, labels)


def parses(bank: RatedTreebank, right: np.ndarray, choices: np.ndarray, jitter: np.ndarray) -> Iterator[list[Parse]]:
    """The trees of each system, one list per system: wrong where ``right`` (systems, words) is false.

    ``choices`` is (3, systems, words), ``jitter`` (words, 2 WINDOW + 1).
    """
    known: dict[int, list[int]] = {}
    golds = [gold_parse(sentence) for sentence in bank.sentences]
    for single in range(len(right)):
        trees = list(golds)
        for i, wrong in wrong_words(bank, right[single], choices[:, single]).items():
            before = int(bank.starts[i]) - 1
            for n in wrong:
                if before + n not in known:
                    known[before + n] = rivals(bank.sentences[i], n, jitter[before + n].tolist())
            trees[i] = wrong_parse(golds[i], wrong, {n: known[before + n] for n in wrong})
        yield trees


def wrong_words(bank: RatedTreebank, right: np.ndarray, choices: np.ndarray) -> dict[int, dict[int, list[float]]]:
    """The three draws of each wrong word, by index of the sentence and number of the word."""
    places = np.flatnonzero(~right)
    homes = bank.sentence_of[places]
    numbers = places - bank.starts[homes] + 1
    wrong: dict[int, dict[int, list[float]]] = {}
    draws = choices[:, places].T.tolist()
    for home, number, three in zip(homes.tolist(), numbers.tolist(), draws, strict=True):
        wrong.setdefault(home, {})[number] = three
    return wrong
