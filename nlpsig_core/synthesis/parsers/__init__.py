"""Training of three simple dependency parsers, which learn from a treebank within seconds.

Not to be confused with ``readers``: these parsers predict trees and are trained; readers only read files.
"""

from nlpsig_core.synthesis.parsers.coding import EncodedTreebank, encode
from nlpsig_core.synthesis.parsers.training import PARSERS, Parser, ParserKind, train
from nlpsig_core.synthesis.parsers.trees import Parse, ParsedSentence, filled, is_word, projective, read_trees

__all__ = [
    "PARSERS",
    "EncodedTreebank",
    "Parse",
    "ParsedSentence",
    "Parser",
    "ParserKind",
    "encode",
    "filled",
    "is_word",
    "projective",
    "read_trees",
    "train",
]  # fmt: skip
