"""Dependency parsers that learn from a treebank.

Not to be confused with ``readers``: these parsers predict trees and are trained; readers only read files. The room
imports only ``errors`` and ``runtime``, so that data made with it share no mistakes with the code tested on them.
"""

from nlpsig_core.laboratory.parsers.decoding import Decoder, best_tree
from nlpsig_core.laboratory.parsers.files import load, save
from nlpsig_core.laboratory.parsers.graph import GraphParser
from nlpsig_core.laboratory.parsers.k_best import k_best_trees
from nlpsig_core.laboratory.parsers.kinds import PARSERS, Parser, ParserKind, train
from nlpsig_core.laboratory.parsers.marginals import marginals
from nlpsig_core.laboratory.parsers.perturbed import perturbed_heads, perturbed_scores
from nlpsig_core.laboratory.parsers.treebank import Treebank, encode
from nlpsig_core.laboratory.parsers.trees import (
    Parse,
    ParsedSentence,
    filled,
    is_word,
    projective,
    read_treebank,
    read_trees,
    treebank_text,
    with_columns_of_all,
)

__all__ = [
    "PARSERS", "Decoder", "GraphParser", "Parse", "ParsedSentence", "Parser", "ParserKind", "Treebank", "best_tree",
    "encode", "filled", "is_word", "k_best_trees", "load", "marginals", "perturbed_heads", "perturbed_scores",
    "projective", "read_treebank", "read_trees", "save", "train", "treebank_text", "with_columns_of_all",
]  # fmt: skip
