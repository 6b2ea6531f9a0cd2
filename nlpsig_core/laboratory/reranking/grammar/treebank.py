"""Trees of a treebank as a grammar and Charniak's lists have them: without traces and functions, with one root."""

from __future__ import annotations

from bisect import bisect_left

from nlpsig_core.data.readers.brackets import BracketedTree
from nlpsig_core.data.readers.evalb_rules import FUNCTION_TAG
from nlpsig_core.laboratory.reranking.trees import Sharing, Tree

ROOT = "S1"
# Other names of the root, and none.
ROOTS = frozenset((ROOT, "TOP", "ROOT", ""))
TRACE = "-NONE-"


def plain_tree(tree: BracketedTree) -> Tree | None:
    """A tree with the root S1, without traces, brackets that hold nothing else, and functions of labels (NP-SBJ).

    None for a tree without words.
    """
    sharing, before = Sharing(), [0]
    forest: list[Tree] = []
    for word, tag in zip(tree.words, tree.tags, strict=True):
        if tag != TRACE:
            forest.append(sharing.tag(tag, word, len(forest)))
        before.append(len(forest))
    if not forest:
        return None
    # Of nested brackets, the inner one opens later.
    for label, start, end in zip(reversed(tree.labels), reversed(tree.starts), reversed(tree.ends), strict=True):
        first, last = (bisect_left(forest, before[edge], key=lambda node: node.start) for edge in (start, end))
        if first < last and label not in ROOTS:
            plain = FUNCTION_TAG.split(label, maxsplit=1)[0] or label
            forest[first:last] = [sharing.node(plain, tuple(forest[first:last]))]
    return sharing.node(ROOT, tuple(forest))
