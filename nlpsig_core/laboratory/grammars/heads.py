"""Heads of constituents: the child from which a node projects.

Two notions (Johnson 2005, slide 24): *syntactic* heads are determiners, auxiliaries and the like; *semantic* heads are
the nouns and verbs that carry the meaning. The rules were found by comparison with the features of Charniak and
Johnson's reranker; rules for categories that do not occur there follow their nearest relatives.
"""

from __future__ import annotations

from functools import lru_cache

from nlpsig_core.laboratory.grammars.lexicon import PUNCTUATION
from nlpsig_core.laboratory.grammars.trees import Tree

SYNTACTIC, SEMANTIC = False, True
VERBS = frozenset("VB VBD VBG VBN VBP VBZ MD".split())
# Nodes that a cache holds: many times those of one n-best list, so that none is computed twice.
KEPT = 1 << 16

# The choices of the child that is the head, in order: the first or the last child with one of these labels. Where none
# has a child, the last child that is no punctuation is the head.
_VERBS = "VB VBD VBG VBN VBP VBZ MD AUX AUXG"
_NOUNS = ("last NN NNS", "last NNP NNPS")
_CLAUSE = ("last VP", "first S SINV SQ SBARQ", f"first {_VERBS}")
_SHARED = {
    "ADJP": ("last JJ NN", "first ADJP", "first VBN JJR JJS"),
    "ADVP": ("first PP RB JJ RBR RBS",),
    "PP": ("first IN TO", "first PP", "first RB VBG", "first NNP"),
    "S": _CLAUSE,
    "SINV": _CLAUSE,
    "SQ": ("last VP", f"first {_VERBS}", *_CLAUSE[1:]),
    "SBAR": ("first S SINV SQ SBARQ SBAR",),
    "SBARQ": ("first S SINV SQ SBARQ SBAR",),
    "WHADJP": ("last JJ",),
    "WHADVP": ("first WRB",),
    "WHPP": ("first IN TO",),
    "NX": _NOUNS,
    "NAC": _NOUNS,
}
RULES: dict[bool, dict[str, tuple[str, ...]]] = {
    SYNTACTIC: _SHARED
    | {
        "NP": (
            "last POS",
            "first DT WDT",
            _NOUNS[0],
            "first PRP",
            _NOUNS[1],
            "first NP $",
            "first QP CD ADJP JJ",
        ),
        "VP": (f"first {_VERBS}", "first VP", "first S", "first NN"),
        "QP": ("first $", "first DT RB CD"),
        "PRN": ("first PP S",),
        "WHNP": ("first WP$ WDT WP WRB", *_NOUNS),
    },
    SEMANTIC: _SHARED
    | {
        "NP": ("last NN NNS", "last NNP NNPS PRP", "last NP", "last $", "last QP CD JJ JJR JJS", "first DT"),
        "VP": ("first VP", f"first {_VERBS}", "first S", "first NN"),
        "QP": ("last $", "last CD"),
        "PRN": ("last PP S",),
        "WHNP": (*_NOUNS, "first WP$ WDT WP WRB"),
    },
}


@lru_cache(KEPT)
def head_place(label: str, labels: tuple[str, ...], semantic: bool) -> int:
    """Return the index of the child that is the head of a node, by its label and theirs."""
    for side, *wanted in map(str.split, RULES[semantic].get(label, ())):
        places = [i for i, child in enumerate(labels) if child in wanted]
        if places:
            return places[0 if side == "first" else -1]
    return last_word(labels)


@lru_cache(KEPT)
def last_word(labels: tuple[str, ...]) -> int:
    """Return the index of the last of these labels that is no punctuation; if there is none, of the last."""
    return max((i for i, label in enumerate(labels) if label not in PUNCTUATION), default=len(labels) - 1)


def head_child(node: Tree, semantic: bool) -> int:
    """Return the index of the child that is the head of a node."""
    return head_place(node.label, node.labels, semantic)
