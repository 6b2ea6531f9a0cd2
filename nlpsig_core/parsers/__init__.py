"""Dependency parsers that learn from a treebank.

Not to be confused with ``readers``: these parsers predict trees and are trained; readers only read files. The room
imports only ``errors`` and ``runtime``, so that data made with it share no mistakes with the code tested on them.
"""

from nlpsig_core.parsers.trees import Parse, ParsedSentence, filled, is_word, projective, read_trees

__all__ = ["Parse", "ParsedSentence", "filled", "is_word", "projective", "read_trees"]
