"""N-best lists: for each sentence the parses of a base parser, the best first, with their log probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.metrics.base import Metric

# The folder of outputs in that of a shared task.
SYSTEMS = "systems"


class Candidate(NamedTuple):
    """A parse and its log probability (0.0 if the file has none)."""

    score: float
    parse: Any


class NBestList(NamedTuple):
    """The candidates of a sentence, in the order of the file, and its gold parse, if there is one."""

    name: str
    candidates: tuple[Candidate, ...]
    gold: Any


@dataclass(frozen=True, eq=False, kw_only=True)
class Lists:
    """The n-best lists of a set of sentences.

    ``statistics`` are the sufficient statistics of ``metric``, (candidates, k) for the candidates of all sentences one
    after another. ``digest`` identifies the content; what is computed of lists without one is not cached. ``form``
    names the form of the lists, and with it their feature classes.
    """

    name: str
    lists: tuple[NBestList, ...]
    statistics: np.ndarray
    metric: Metric
    form: str
    digest: str = ""

    def __post_init__(self) -> None:
        self.statistics.setflags(write=False)

    @cached_property
    def first(self) -> np.ndarray:
        """The number of candidates before each sentence, and of all, (sentences + 1,)."""
        return np.cumsum([0, *(len(nbest.candidates) for nbest in self.lists)])


def joined(name: str, parts: Sequence[Lists]) -> Lists:
    """Put the sentences of several lists, such as folds, one after another; the metric is that of the first."""
    return Lists(
        name=name,
        lists=tuple(nbest for part in parts for nbest in part.lists),
        statistics=np.concatenate([part.statistics for part in parts]),
        metric=parts[0].metric,
        form=parts[0].form,
        digest=digest_of("joined", [part.digest for part in parts]) if all(part.digest for part in parts) else "",
    )


def without_repeats(parts: Sequence[Lists]) -> tuple[tuple[Lists, ...], list[str]]:
    """Return the parts without those of which all lists are in others too, and the names of these.

    A list that is learned from and reranked as well would flatter the reranker.
    """
    keys = [{(str(nbest.gold), *(c.score for c in nbest.candidates)) for nbest in part.lists} for part in parts]
    repeats: set[int] = set()
    for place in sorted(range(len(parts)), key=lambda i: (len(keys[i]), -i)):
        others = [keys[i] for i in range(len(parts)) if i != place and i not in repeats]
        if keys[place] <= set().union(*others):
            repeats.add(place)
    kept = tuple(part for place, part in enumerate(parts) if place not in repeats)
    return kept, [parts[place].name for place in sorted(repeats)]


def in_lines(rows: Iterable[object]) -> str:
    """Return a text with each row in a line."""
    return "".join(f"{row}\n" for row in rows)
