"""A markovised grammar estimated from a treebank, and the most probable trees of a sentence under it."""

from __future__ import annotations

from nlpsig_core.laboratory.reranking.grammar.estimation import Grammar, learn_grammar, plain_tree
from nlpsig_core.laboratory.reranking.grammar.k_best import k_best

__all__ = ["Grammar", "k_best", "learn_grammar", "plain_tree"]
