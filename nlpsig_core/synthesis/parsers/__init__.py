"""Three simple dependency parsers that learn from a treebank within seconds."""

from nlpsig_core.synthesis.parsers.coding import Treebank, encode
from nlpsig_core.synthesis.parsers.training import PARSERS, Kind, Parser, train
from nlpsig_core.synthesis.parsers.trees import Parse, Tree, filled, is_word, projective, read_trees

__all__ = [
    "PARSERS", "Kind", "Parse", "Parser", "Tree", "Treebank", "encode", "filled", "is_word", "projective",
    "read_trees", "train",
]  # fmt: skip
