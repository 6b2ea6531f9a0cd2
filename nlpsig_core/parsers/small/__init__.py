"""Training of three simple dependency parsers, which learn from a treebank within seconds."""

from nlpsig_core.parsers.small.coding import EncodedTreebank, encode
from nlpsig_core.parsers.small.training import PARSERS, Parser, ParserKind, train

__all__ = ["PARSERS", "EncodedTreebank", "Parser", "ParserKind", "encode", "train"]
