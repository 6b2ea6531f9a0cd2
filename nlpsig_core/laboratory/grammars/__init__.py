"""Constituency parsers that learn from a treebank: ``train(kind, treebank)`` returns one, its ``parse`` trees.

Each kind is an entry of ``GRAMMARS``. Of the wing ``data``, the room imports only the reader of treebanks.
"""

from nlpsig_core.laboratory.grammars.kinds import GRAMMARS, train
from nlpsig_core.laboratory.grammars.parser import Parser
from nlpsig_core.laboratory.grammars.treebank import Treebank, read_trees, text_of

__all__ = ["GRAMMARS", "Parser", "Treebank", "read_trees", "text_of", "train"]
