"""Tags at the end of the line of heads of a node, and how nodes join their children."""

from __future__ import annotations

from functools import lru_cache

from nlpsig_core.laboratory.grammars.heads import KEPT, head_child
from nlpsig_core.laboratory.grammars.lexicon import PUNCTUATION
from nlpsig_core.laboratory.grammars.trees import Tree

ROOTS = frozenset(("S1", "ROOT", "TOP"))
CONJUNCTIONS = frozenset(("CC", "CONJP"))
# Closed classes of words, which features may show where they do not show other words.
FUNCTION_TAGS = frozenset(("CC DT EX IN MD PDT POS PRP PRP$ RP TO WDT WP WP$ WRB").split())


@lru_cache(KEPT)
def head_tag(node: Tree, semantic: bool) -> Tree:
    """Return the tag of the word that heads a node; a tag heads itself."""
    return head_tag(node.children[head_child(node, semantic)], semantic) if node.children else node


@lru_cache(KEPT)
def how_joined(labels: tuple[str, ...], label: str) -> str:
    """Return how a node joins its children: CONJ by a conjunction between them, ADJ side by side, or "".

    Side by side are two or more children that all have its label.
    """
    words = [child for child in labels if child not in PUNCTUATION]
    if not CONJUNCTIONS.isdisjoint(words[1:-1]):
        return "CONJ"
    return "ADJ" if len(words) > 1 and set(words) == {label} else ""


def is_coordination(node: Tree) -> bool:
    """Return whether a conjunction joins the children of a node."""
    return how_joined(node.labels, node.label) == "CONJ" if node.children else False
