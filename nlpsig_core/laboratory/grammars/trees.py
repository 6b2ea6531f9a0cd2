"""Constituency trees of n-best lists: the text of a tree -> Tree; the parses of a list share their common subtrees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from nlpsig_core.base.words import count

# A word in brackets with its tag; an opening bracket with its label; a closing bracket; anything else.
_TOKEN = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|\(\s*([^\s()]*)|(\))|([^\s()]+)")

# What is computed of a tree calls itself for its parts, and Python bounds how often.
DEEPEST = 150


class Tree:
    """A node and what it dominates: the words from ``start`` up to, but not including, ``end``.

    A *tag* is a node with a ``word`` and no children; other nodes have children, with ``labels``, and the word "".
    ``lower`` is the word in lower case, as features show it; ``height`` is 0 for a tag. Trees are compared by identity:
    within a list, equal subtrees over the same words are one object, so what is computed for one parse serves all. Do
    not change them.
    """

    __slots__ = ("children", "end", "height", "label", "labels", "lower", "start", "word")

    def __init__(self, label: str, children: tuple[Tree, ...], start: int, word: str = "") -> None:
        self.label, self.children, self.start, self.word = label, children, start, word
        self.labels = tuple([child.label for child in children])
        self.end: int = children[-1].end if children else start + 1
        self.height: int = 1 + max([child.height for child in children]) if children else 0
        self.lower = word.lower()

    @property
    def tags(self) -> list[Tree]:
        """The tags of all words, from left to right."""
        return [node for node in self.nodes() if not node.children]

    @property
    def words(self) -> list[str]:
        """The words, from left to right."""
        return [tag.word for tag in self.tags]

    def nodes(self) -> Iterator[Tree]:
        """Yield all nodes, each before those that it dominates, from left to right."""
        open_nodes = [self]
        while open_nodes:
            node = open_nodes.pop()
            yield node
            open_nodes.extend(reversed(node.children))

    def __reduce__(self) -> tuple[type[Tree], tuple[object, ...]]:
        return Tree, (self.label, self.children, self.start, self.word)

    def __str__(self) -> str:
        inner = " ".join(map(str, self.children)) if self.children else self.word
        return f"({self.label} {inner})"


def check_depth(tree: Tree) -> None:
    """Raise ValueError if a tree is deeper than any parse."""
    if tree.height > DEEPEST:
        raise ValueError(f"{tree.height} brackets inside each other; a parse has at most {DEEPEST}")


class Sharing:
    """Makes the trees of one list: equal subtrees over the same words become one object.

    All trees must have the same ``words``; if none are given, those of the first tree.
    """

    def __init__(self, words: list[str] | None = None) -> None:
        self.words = words
        self.known: dict[tuple[object, ...], Tree] = {}

    def node(self, label: str, children: tuple[Tree, ...]) -> Tree:
        """Return the node with this label over these children."""
        key = (label, *children)
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = Tree(label, children, children[0].start)
        return known

    def tag(self, label: str, word: str, position: int) -> Tree:
        """Return the tag of the word at this position; ValueError if it is not the word of the sentence there."""
        key = (label, word, position)
        known = self.known.get(key)
        if known is None:
            if self.words is not None and self.words[position : position + 1] != [word]:
                expected = repr(self.words[position]) if position < len(self.words) else "no more words"
                raise ValueError(f"word {position + 1} is {word!r} where the sentence has {expected}")
            known = self.known[key] = Tree(label=label, children=(), start=position, word=word)
        return known

    def read(self, text: str) -> Tree:
        """Return the tree in brackets, such as ``(S1 (S (NP (NN rice)) (VP (VBZ grows))))``; ValueError if wrong."""
        tree = self._read_plain(text) or self._read_any(text)
        check_depth(tree)
        if self.words is None:
            self.words = tree.words
        if tree.end != len(self.words):
            raise ValueError(f"{count(tree.end, 'word')} where the sentence has {len(self.words)}")
        return tree

    def _read_plain(self, text: str) -> Tree | None:
        """Return a tree as parsers write it, with white space before a bracket that opens or a word, and nowhere else.

        None for any other text, be it a tree or none. It takes a third of the time.
        """
        labels, inner, position, closed = list[str](), [list[Tree]()], 0, 0
        pieces = text.split()
        for piece in pieces:
            if piece[0] == "(":
                labels.append(piece[1:])
                inner.append([])
                continue
            word = piece.rstrip(")")
            n = len(piece) - len(word)
            # A word is alone with its tag.
            if not word or not 0 < n <= len(labels) or inner.pop():
                return None
            node = self.tag(labels.pop(), word, position)
            for _ in range(n - 1):
                inner[-1].append(node)
                node = self.node(labels.pop(), tuple(inner.pop()))
            inner[-1].append(node)
            position, closed = position + 1, closed + n
        whole = not labels and len(inner[0]) == 1 and "(" not in pieces
        # Brackets inside labels or words.
        others = text.count("(") != len(pieces) - position or text.count(")") != closed
        return inner[0][0] if whole and not others else None

    def _read_any(self, text: str) -> Tree:
        """Return the tree in any text in brackets; ValueError with the reason if it is not one."""
        labels, children, position = [""], [list[Tree]()], 0
        for tag, word, label, closed, other in _TOKEN.findall(text):
            if word:
                children[-1].append(self.tag(tag, word, position))
                position += 1
            elif label:
                labels.append(label)
                children.append([])
            elif not closed:
                reason = f"{other[:40]!r} has no tag; a word is written in brackets with its tag, (NN word)"
                raise ValueError(reason if other else "a bracket without a label")
            elif len(labels) == 1:
                raise ValueError("unbalanced brackets: one closes that never opened")
            elif not children[-1]:
                raise ValueError(f"the bracket {labels[-1]} holds no words")
            else:
                inner = tuple(children.pop())
                children[-1].append(self.node(labels.pop(), inner))
        if len(labels) > 1:
            raise ValueError(f"unbalanced brackets: {len(labels) - 1} of those that open never close")
        if len(children[0]) != 1:
            raise ValueError(f"{len(children[0])} trees where one is expected")
        return children[0][0]


def relabelled(tree: Tree, rename: Callable[[str], str]) -> Tree:
    """Return a tree with other labels."""
    children = tuple([relabelled(child, rename) for child in tree.children])
    return Tree(rename(tree.label), children, tree.start, tree.word)
