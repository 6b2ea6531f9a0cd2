"""Dependency parsers that learn from a treebank: ``train(kind, treebank)`` returns one, its ``parse(treebank)`` trees.

Each kind is an entry of ``PARSERS``. Not to be confused with ``readers``, which only read files. The room imports only
``errors``, ``runtime``, ``compiled`` and ``kinds``, so that data made with it share no mistakes with the code tested on
them.
"""

from nlpsig_core.laboratory.parsers.kinds import PARSERS, load, save, train
from nlpsig_core.laboratory.parsers.parser import Parser
from nlpsig_core.laboratory.parsers.treebank import Parse, Treebank, encode, read_treebank, read_trees

__all__ = [
    "PARSERS",
    "Parse",
    "Parser",
    "Treebank",
    "encode",
    "load",
    "read_treebank",
    "read_trees",
    "save",
    "train",
]
