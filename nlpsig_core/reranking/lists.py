"""Lists of the best parses of sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.metrics.base import Metric


class Candidate(NamedTuple):
    """A parse with its log probability, higher is better."""

    score: float
    parse: Any


class NBestList(NamedTuple):
    """The candidates of a sentence, the base parser's best first, and its gold parse."""

    name: str
    candidates: tuple[Candidate, ...]
    gold: Any


@dataclass(frozen=True, eq=False)
class Lists:
    """The lists of a corpus, with the sufficient ``statistics`` (candidates, k) of all candidates in their order."""

    name: str
    lists: tuple[NBestList, ...]
    statistics: np.ndarray
    metric: Metric

    @property
    def first(self) -> np.ndarray:
        """The number of candidates before each sentence, (sentences + 1,)."""
        return np.cumsum([0, *(len(one.candidates) for one in self.lists)])
