"""Events of head-driven derivations: what a treebank's trees do at each step, counted in a hash table.

Collins (1997), section 2 (model 1): a phrase generates its head child, then its modifiers on the right and on the left,
from the head outwards, until STOP. A modifier's label and tag come first, then its word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.grammars.heads import SEMANTIC, SYNTACTIC, VERBS, head_place
from nlpsig_core.laboratory.grammars.lexicon import PUNCTUATION
from nlpsig_core.laboratory.grammars.trees import Tree
from nlpsig_core.laboratory.parsers.weights import mix

# Hashes of contexts and outcomes.
Keys = NDArray[np.uint64]
# A noun phrase that dominates no other one; its modifiers depend on the one before (Collins 1999, section 7.3.2).
BASE = "NPB"
NOUN_PHRASE = "NP"
NOMINAL = frozenset(("NP", "NX", "NAC", "QP", "WHNP", "PRN"))
STOP, LEFT, RIGHT = 0, 0, 1
# How many events a distinct outcome of a context outweighs.
DISTINCT = 5.0
SALT = 0xABCDEF0123456789
# Kinds of events.
HEAD, MODIFIER, WORD, PRIOR = range(4)
# What a step does not have.
NONE = 0
# What came before a modifier on its side, by the label: nothing, punctuation, a conjunction, or something else.
NOTHING, MARK, CONJUNCTION, OTHER = range(4)


def with_base_phrases(tree: Tree, above: str = "") -> Tree:
    """Return the tree with base noun phrases, each below a noun phrase."""
    if not tree.children:
        return tree
    children = tuple([with_base_phrases(child, tree.label) for child in tree.children])
    if tree.label != NOUN_PHRASE or any(child.label in (NOUN_PHRASE, BASE) for child in children):
        return Tree(tree.label, children, tree.start)
    base = Tree(BASE, children, tree.start)
    return base if above == NOUN_PHRASE else Tree(NOUN_PHRASE, (base,), tree.start)


def without_base_phrases(tree: Tree) -> Tree:
    """Return the tree that ``with_base_phrases`` was made of."""
    while tree.label == NOUN_PHRASE and tree.labels == (BASE,):
        tree = tree.children[0]
    label = NOUN_PHRASE if tree.label == BASE else tree.label
    return Tree(label, tuple(map(without_base_phrases, tree.children)), tree.start, tree.word)


def head_of(tree: Tree) -> int:
    """Return the index of the head child: semantic in nominal phrases, syntactic elsewhere."""
    label, *labels = (NOUN_PHRASE if name == BASE else name for name in (tree.label, *tree.labels))
    return head_place(label, tuple(labels), SEMANTIC if label in NOMINAL else SYNTACTIC)


def kind_of(label: str) -> int:
    """Return what a label is to the modifier after it."""
    if label in PUNCTUATION:
        return MARK
    return CONJUNCTION if label in ("CC", "CONJP") else OTHER


class Step(NamedTuple):
    """A step of a derivation: a head child, or a modifier, whose label is STOP at the end.

    ``governor``, ``tag`` and ``word`` are the label, tag and word of what a modifier depends on: the head child, or in
    a base phrase the modifier before it. ``distance`` is that of ``distance_of``.
    """

    kind: int
    side: int
    parent: int
    governor: int
    distance: int
    tag: int
    word: int
    label: int
    label_tag: int
    label_word: int


@compiled()
def distance_of(before: int, adjacent: bool, verb: bool) -> int:
    """Return a number for what is between a modifier and the head word: what came before, any word, any verb."""
    return before * 4 + adjacent * 2 + verb


def steps_of(tree: Tree, number: Callable[[str], int], words: Sequence[int], found: list[Step]) -> Tree:
    """Add the steps of a tree, return the tag that heads it; ``number`` gives that of a label."""
    if not tree.children:
        label = number(tree.label)
        found.append(Step(PRIOR, 0, 0, 0, 0, label, words[tree.start], label, 0, 0))
        return tree
    heads = [steps_of(child, number, words, found) for child in tree.children]
    place, parent = head_of(tree), number(tree.label)
    head, label = heads[place], number(tree.labels[place])
    tag, word = number(head.label), words[head.start]
    found.append(Step(HEAD, 0, parent, 0, 0, tag, word, label, 0, 0))
    found.append(Step(PRIOR, 0, 0, 0, 0, tag, word, parent, 0, 0))
    verbs = [node.label in VERBS for node in tree.tags]
    for side, modifiers in ((RIGHT, range(place + 1, len(heads))), (LEFT, range(place - 1, -1, -1))):
        before, governor, top = NOTHING, label, head
        for i in (*modifiers, -1):
            edge = tree.end if side == RIGHT else tree.start
            if i >= 0:
                edge = tree.children[i].start if side == RIGHT else tree.children[i].end
            low, high = (head.start + 1, edge) if side == RIGHT else (edge, head.start)
            verb = any(verbs[low - tree.start : high - tree.start])
            distance = distance_of(before, low == high, verb)
            row = (parent, governor, distance, number(top.label), words[top.start])
            if i < 0:
                found.append(Step(MODIFIER, side, *row, STOP, 0, 0))
                break
            modifier, below = number(tree.labels[i]), heads[i]
            found.append(Step(MODIFIER, side, *row, modifier, number(below.label), 0))
            found.append(Step(WORD, side, *row, modifier, number(below.label), words[below.start]))
            before = kind_of(tree.labels[i])
            if tree.label == BASE:
                governor, top = modifier, below
    return head


class Table(NamedTuple):
    """A hash table of events: ``keys`` of contexts and of outcomes in them, their ``counts``, and distinct outcomes."""

    keys: Keys
    counts: Floats
    distinct: Ints


@compiled()
def slot_of(keys: Keys, key: np.uint64) -> np.int64:
    """Return the place of a key, or the empty one where it belongs."""
    place = np.int64(key & np.uint64(keys.shape[0] - 1))
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & (keys.shape[0] - 1)
    return place


@compiled()
def contexts_of(
    kind: int, side: int, parent: int, governor: int, distance: int, tag: int, word: int, label: int, label_tag: int
) -> Keys:
    """Return the keys of the contexts of a step, from the least to the most specific one."""
    keys = np.empty(4, np.uint64)
    # Small numbers would collide: they are combined by exclusive or.
    start = mix(np.uint64(SALT), np.uint64(kind * 2 + side))
    if kind == WORD:
        start = mix(mix(start, np.uint64(label)), np.uint64(label_tag))
    keys[0] = keys[1] = mix(start, np.uint64(parent))
    if kind in (MODIFIER, WORD):
        keys[1] = mix(mix(keys[0], np.uint64(governor)), np.uint64(distance))
    keys[2] = mix(keys[1], np.uint64(tag + 1))
    keys[3] = mix(keys[2], np.uint64(word + 2))
    return keys


@compiled()
def outcome_of(context: np.uint64, kind: int, label: int, label_tag: int, label_word: int) -> np.uint64:
    """Return the key of an outcome in a context."""
    outcome = label_word if kind == WORD else label * 1024 + label_tag
    return mix(mix(context, np.uint64(SALT)), np.uint64(outcome + 2))


@compiled()
def count(steps: Ints, size: int) -> Table:
    """Return the table of all steps (steps, 10), with ``size`` places, a power of two."""
    table = Table(np.zeros(size, np.uint64), np.zeros(size, np.float32), np.zeros(size, np.int32))
    for row in range(steps.shape[0]):
        kind, side, parent, governor, distance, tag, word, label, label_tag, label_word = steps[row]
        keys = contexts_of(kind, side, parent, governor, distance, tag, word, label, label_tag)
        for level in range(4):
            if level and keys[level] == keys[level - 1]:
                continue
            context = slot_of(table.keys, keys[level])
            table.keys[context] = keys[level]
            key = outcome_of(keys[level], kind, label, label_tag, label_word)
            place = slot_of(table.keys, key)
            table.distinct[context] += table.keys[place] == 0
            table.keys[place] = key
            table.counts[place] += 1
            table.counts[context] += 1
    return table


@compiled()
def interpolated(
    table: Table, keys: Keys, kind: int, label: int, label_tag: int, label_word: int, base: float
) -> float:
    """Return the probability of an outcome: relative frequencies of all contexts, the less specific ones filling in.

    Each has the weight c / (c + DISTINCT u) for c events with u distinct outcomes; ``base`` is the probability without
    any context (Collins 1999, section 7.4.1).
    """
    result = base
    for level in range(4):
        if level and keys[level] == keys[level - 1]:
            continue
        context = slot_of(table.keys, keys[level])
        if table.keys[context] == 0:
            break
        seen, kinds = table.counts[context], table.distinct[context]
        place = slot_of(table.keys, outcome_of(keys[level], kind, label, label_tag, label_word))
        share = table.counts[place] / seen if table.keys[place] != 0 else 0.0
        trust = seen / (seen + DISTINCT * kinds)
        result = trust * share + (1 - trust) * result
    return result
