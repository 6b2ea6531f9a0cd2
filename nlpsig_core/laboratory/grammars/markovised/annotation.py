"""Annotated treebank labels (Klein and Manning 2003, sections 2 to 6), and a parser that takes them off again."""

from __future__ import annotations

from collections.abc import Sequence

from nlpsig_core.laboratory.grammars.heads import VERBS
from nlpsig_core.laboratory.grammars.lexicon import MARK, bare
from nlpsig_core.laboratory.grammars.markovised.estimation import Grammar, learn_grammar
from nlpsig_core.laboratory.grammars.markovised.k_best import k_best
from nlpsig_core.laboratory.grammars.parser import Parser
from nlpsig_core.laboratory.grammars.treebank import Treebank
from nlpsig_core.laboratory.grammars.trees import Tree, relabelled

# The form of a verb phrase by the tag of its verb.
FORMS = {tag: tag for tag in (*VERBS, "TO")} | dict.fromkeys(("VBD", "VBP", "VBZ", "MD"), "finite")


class MarkovisedParser(Parser):
    """Takes the most probable tree of an annotated grammar; of a plain one where the annotated one has none."""

    def __init__(self, grammars: Sequence[Grammar]) -> None:
        self.grammars, self.lexicon = grammars, grammars[0].lexicon

    def best(self, words: Sequence[str]) -> Tree | None:
        """Return the most probable tree of the first grammar that has one."""
        found = (trees[0].tree for grammar in self.grammars if (trees := k_best(grammar, words, 1)))
        return next((relabelled(tree, bare) for tree in found), None)


def train_markovised(treebank: Treebank, seed: int = 0, vertical: int = 2) -> MarkovisedParser:
    """Return the parser of a treebank, whose labels remember ``vertical`` - 1 labels above; nothing is drawn."""
    annotated = [annotate(tree) for tree in treebank.trees]
    return MarkovisedParser([learn_grammar(annotated, vertical), learn_grammar(treebank.trees)])


def annotate(tree: Tree, above: str = "") -> Tree:
    """Return the tree with labels that say more, by the paper's names.

    A tag adds the label above it (TAG-PA); a VP its verb's form, where finite ones are the same (SPLIT-VP); NP, PP and
    ADJP add whether they dominate a verb (DOMINATES-V).
    """
    added = above
    if tree.label == "VP":
        added = next((FORMS[label] for label in tree.labels if label in FORMS), "")
    elif tree.children:
        dominates = tree.label in ("NP", "PP", "ADJP") and any(tag.label in VERBS for tag in tree.tags)
        added = "V" if dominates else ""
    children = tuple([annotate(child, tree.label) for child in tree.children])
    return Tree(f"{tree.label}{MARK}{added}" if added else tree.label, children, tree.start, tree.word)
