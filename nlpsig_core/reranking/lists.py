"""Lists of the best parses of sentences."""

from __future__ import annotations

from typing import Any, NamedTuple


class Candidate(NamedTuple):
    """A parse with its log probability, higher is better."""

    score: float
    parse: Any


class NBestList(NamedTuple):
    """The candidates of a sentence, the base parser's best first, and its gold parse."""

    name: str
    candidates: tuple[Candidate, ...]
    gold: Any
