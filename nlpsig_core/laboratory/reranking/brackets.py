"""Brackets of constituency trees: the statistics of n-best lists by the rules of the reranking literature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers.evalb_rules import COLLINS
from nlpsig_core.laboratory.reranking.trees import Tree

Bracket = tuple[str, int, int]
METRIC = METRICS["F1-brackets"]
# As EVALB with the rules of Collins (1997), but for two things: the root of Charniak's parser is called S1, and a
# parse that takes other words for punctuation than the gold is counted, by its own numbering of the other words.
RULES = replace(COLLINS, deleted_labels=COLLINS.deleted_labels | {"S1"})
_EQUAL = {one: min(one, other) for one, other in RULES.equal_labels}


def statistics(candidates: Sequence[Tree], gold: Tree) -> np.ndarray:
    """Statistics of the candidates of a sentence, (candidates, columns of METRIC): matched, output, gold brackets."""
    known: dict[tuple[Tree, int], tuple[int, tuple[Bracket, ...]]] = {}
    of_gold = Counter(_brackets(gold, 0, known)[1])
    rows = []
    for tree in candidates:
        of_tree = Counter(_brackets(tree, 0, known)[1])
        rows.append(((of_gold & of_tree).total(), of_tree.total(), of_gold.total()))
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _brackets(
    node: Tree, start: int, known: dict[tuple[Tree, int], tuple[int, tuple[Bracket, ...]]]
) -> tuple[int, tuple[Bracket, ...]]:
    """Where a node ends if it begins at ``start``, punctuation not counted, and the brackets inside it and its own."""
    if not node.children:
        return start + (node.label not in RULES.deleted_labels), ()
    key = (node, start)
    if key not in known:
        end, found = start, list[Bracket]()
        for child in node.children:
            end, inner = _brackets(child, end, known)
            found += inner
        label = RULES.bracket_labels[node.label]
        if end > start and label is not None:
            found.append((_EQUAL.get(label, label), start, end))
        known[key] = end, tuple(found)
    return known[key]
