"""The contract of parsers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.laboratory.parsers.relations import Relations
from nlpsig_core.laboratory.parsers.treebank import Parse, Treebank


@dataclass(frozen=True, eq=False, kw_only=True)
class Parser(ABC):
    """A trained parser: it finds heads, and ``relations`` classifies the arcs and knows the training vocabulary."""

    relations: Relations

    @abstractmethod
    def heads(self, treebank: Treebank) -> np.ndarray:
        """Return the head of each node (nodes,) within its sentence, from the words alone; -1 for roots."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """Return the parser as arrays, for a file."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """Return the parser of such arrays; KeyError or ValueError if they are not those of a parser."""

    def parse(self, treebank: Treebank) -> list[Parse]:
        """Return a tree for each sentence, from its words alone."""
        heads = self.heads(treebank)
        return treebank.parses(heads, self.relations.classify(treebank, heads))
