"""Three simple dependency parsers that learn from a treebank within seconds."""

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
