"""Treebanks of constituency trees: read without traces and functions, resampled, and written in brackets."""

from __future__ import annotations

import io
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.texts import text_file
from nlpsig_core.data.readers import brackets
from nlpsig_core.data.readers.brackets import BracketedTree, BracketedTrees
from nlpsig_core.data.readers.evalb_rules import FUNCTION_TAG
from nlpsig_core.laboratory.grammars.trees import Sharing, Tree, check_depth

ROOT = "S1"
# Other names of the root, and none.
ROOTS = frozenset((ROOT, "TOP", "ROOT", ""))
TRACE = "-NONE-"
# The root of a tree in a text: the rules of Collins (1997) leave it out.
OUTER = "TOP"


def plain_tree(tree: BracketedTree) -> Tree | None:
    """Return a tree with the root S1, without traces, brackets of nothing else, and functions of labels (NP-SBJ).

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


def plain_trees(treebank: BracketedTrees) -> list[Tree | None]:
    """Return each tree as ``plain_tree`` does; FileError for one that is deeper than any parse."""
    trees = list(map(plain_tree, treebank.trees))
    for number, tree in enumerate(trees, start=1):
        try:
            if tree:
                check_depth(tree)
        except ValueError as error:
            raise FileError(treebank.name, None, f"tree {number}: {error}") from None
    return trees


@dataclass(frozen=True, eq=False, kw_only=True)
class Treebank:
    """Plain trees, each with the root S1; ChoiceError if there are none."""

    trees: tuple[Tree, ...]

    def __post_init__(self) -> None:
        if not self.trees:
            raise ChoiceError("A treebank needs at least one tree; this one has none")

    def __len__(self) -> int:
        return len(self.trees)

    @cached_property
    def sentences(self) -> list[list[str]]:
        """The words of each tree."""
        return [tree.words for tree in self.trees]

    def take(self, indices: Iterable[int]) -> Treebank:
        """Return the treebank of the trees with these indices, in this order; an index may occur more than once."""
        return Treebank(trees=tuple(self.trees[index] for index in indices))


def read_trees(source: Path | str, name: str = "treebank") -> Treebank:
    """Read the trees of a file, plain or packed by gzip, or of a text (called ``name`` in errors).

    Each line is a tree, or a tree spans several lines. Sentences of nothing but traces are left out. FileError with
    file and line for trees that do not parse, and for a file that cannot be read or has no tree.
    """
    name, text = text_file(source) if isinstance(source, Path) else (name, source)
    trees = tuple(tree for tree in plain_trees(brackets.read_trees(io.StringIO(text), name)) if tree)
    if not trees:
        raise FileError(name, None, "no tree has a word; is this a treebank?")
    return Treebank(trees=trees)


def text_of(trees: Sequence[Tree]) -> str:
    """Return trees in brackets, one a line, with the root TOP, which EVALB does not count."""
    return "".join(f"({OUTER} {' '.join(map(str, tree.children))})\n" for tree in trees)
