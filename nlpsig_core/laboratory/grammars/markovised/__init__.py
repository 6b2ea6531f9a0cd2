"""A markovised grammar estimated from a treebank, and the most probable trees of a sentence under it."""

from __future__ import annotations

from nlpsig_core.laboratory.grammars.markovised.estimation import Grammar, learn_grammar
from nlpsig_core.laboratory.grammars.markovised.k_best import k_best

__all__ = ["Grammar", "k_best", "learn_grammar"]
