"""Heads of constituents: the child from which a node projects, and the tag at the end of this line.

Two notions (Johnson 2005, slide 24): *syntactic* heads are determiners, auxiliaries and the like; *semantic* heads are
the nouns and verbs that carry the meaning. The rules were found by comparison with the features of Charniak and
Johnson's reranker; rules for categories that do not occur there follow their nearest relatives.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nlpsig_core.laboratory.reranking.trees import Tree

SYNTACTIC, SEMANTIC = False, True
PUNCTUATION = frozenset((",", ":", "``", "''", "."))
ROOTS = frozenset(("S1", "ROOT", "TOP"))
CONJUNCTIONS = frozenset(("CC", "CONJP"))
# Closed classes of words, which features may show where they do not show other words.
FUNCTION_TAGS = frozenset(("CC DT EX IN MD PDT POS PRP PRP$ RP TO WDT WP WP$ WRB").split())
# Nodes that the caches of this package hold: many times those of one list, so that none is computed twice.
KEPT = 1 << 16


class Choice(NamedTuple):
    """The first (from the left) or the last child with one of these labels."""

    last: bool
    labels: frozenset[str]


def _first(labels: str) -> Choice:
    return Choice(False, frozenset(labels.split()))


def _last(labels: str) -> Choice:
    return Choice(True, frozenset(labels.split()))


_VERBS = "VB VBD VBG VBN VBP VBZ MD AUX AUXG"
_PROPER = "NNP NNPS"
_CLAUSES = "S SINV SQ SBARQ SBAR"
_PHRASE = (_last("VP"), _first("S SINV SQ SBARQ"), _first(_VERBS))
_WH = (_first("WP$ WDT WP WRB"), _last("NN NNS"), _last(_PROPER))
_SHARED = {
    "ADJP": (_last("JJ NN"), _first("ADJP"), _first("VBN JJR JJS")),
    "ADVP": (_first("PP RB JJ RBR RBS"),),
    "PP": (_first("IN TO"), _first("PP"), _first("RB VBG"), _first("NNP")),
    "S": _PHRASE, "SINV": _PHRASE, "SQ": (_last("VP"), _first(_VERBS), *_PHRASE[1:]),
    "SBAR": (_first(_CLAUSES),), "SBARQ": (_first(_CLAUSES),),
    "WHADJP": (_last("JJ"),), "WHADVP": (_first("WRB"),), "WHPP": (_first("IN TO"),),
}  # fmt: skip
# The choices of each label, in order; where none has a child, the last child that is no punctuation is the head.
RULES: dict[bool, dict[str, tuple[Choice, ...]]] = {
    SYNTACTIC: _SHARED | {
        "NP": (
            _last("POS"), _first("DT WDT"), _last("NN NNS"), _first("PRP"), _last(_PROPER), _first("NP $"),
            _first("QP CD ADJP JJ"),
        ),
        "NX": (_last("NN NNS"), _last(_PROPER)), "NAC": (_last("NN NNS"), _last(_PROPER)),
        "VP": (_first(_VERBS), _first("VP"), _first("S"), _first("NN")),
        "QP": (_first("$"), _first("DT RB CD")),
        "PRN": (_first("PP S"),),
        "WHNP": _WH,
    },
    SEMANTIC: _SHARED | {
        "NP": (
            _last("NN NNS"), _last(f"{_PROPER} PRP"), _last("NP"), _last("$"), _last("QP CD JJ JJR JJS"), _first("DT"),
        ),
        "NX": (_last("NN NNS"), _last(_PROPER)), "NAC": (_last("NN NNS"), _last(_PROPER)),
        "VP": (_first("VP"), _first(_VERBS), _first("S"), _first("NN")),
        "QP": (_last("$"), _last("CD")),
        "PRN": (_last("PP S"),),
        "WHNP": (*_WH[1:], _WH[0]),
    },
}  # fmt: skip


@lru_cache(KEPT)
def _choose(label: str, labels: tuple[str, ...], semantic: bool) -> int:
    for choice in RULES[semantic].get(label, ()):
        found = [i for i, child in enumerate(labels) if child in choice.labels]
        if found:
            return found[-1 if choice.last else 0]
    return last_word(labels)


@lru_cache(KEPT)
def last_word(labels: tuple[str, ...]) -> int:
    """The index of the last of these labels that is no punctuation; if there is none, of the last."""
    return max((i for i, label in enumerate(labels) if label not in PUNCTUATION), default=len(labels) - 1)


def head_child(node: Tree, semantic: bool) -> int:
    """The index of the child that is the head of a node."""
    return _choose(node.label, node.labels, semantic)


@lru_cache(KEPT)
def head_tag(node: Tree, semantic: bool) -> Tree:
    """The tag of the word that heads a node; a tag heads itself."""
    return head_tag(node.children[head_child(node, semantic)], semantic) if node.children else node


@lru_cache(KEPT)
def how_joined(labels: tuple[str, ...], label: str) -> str:
    """How a node with this label joins its children: CONJ by a conjunction between them, ADJ side by side, or "".

    Side by side are two or more children that all have the label of the node.
    """
    words = [child for child in labels if child not in PUNCTUATION]
    if not CONJUNCTIONS.isdisjoint(words[1:-1]):
        return "CONJ"
    return "ADJ" if len(words) > 1 and set(words) == {label} else ""


def is_coordination(node: Tree) -> bool:
    """Whether a conjunction joins the children of a node."""
    return how_joined(node.labels, node.label) == "CONJ" if node.children else False
