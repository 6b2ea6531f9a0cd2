"""The contract of aligners, and what a kind of aligner declares about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from nlpsig_core.base.compiled import Floats
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.aligners.bitext import Bitext
from nlpsig_core.laboratory.aligners.symmetrisation import SYMMETRISATIONS, Link, links_of


class Posteriors(NamedTuple):
    """Matrices (source words, target words) of a sentence pair.

    ``forward`` has the probability of each target word's source, and ``backward`` of each source word's target. What is
    left to 1 in a column or row is that of no word.
    """

    forward: Floats
    backward: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Aligner(ABC):
    """A trained aligner, with its usual symmetrisation and threshold."""

    symmetrisation: str
    threshold: float

    @abstractmethod
    def posteriors(self, bitext: Bitext) -> list[Posteriors]:
        """Return the posteriors of each sentence pair, whose words may be unknown to the aligner."""

    def align(
        self, bitext: Bitext, symmetrisation: str | None = None, threshold: float | None = None
    ) -> list[list[Link]]:
        """Return the links of each sentence pair, sorted; ChoiceError for an unknown symmetrisation.

        What is not given is the aligner's own; thresholds matter to the symmetrisations "product" and "mean".
        """
        name = self.symmetrisation if symmetrisation is None else symmetrisation
        if name not in SYMMETRISATIONS:
            raise ChoiceError.unknown("symmetrisation", name, SYMMETRISATIONS)
        limit = self.threshold if threshold is None else threshold
        chosen = SYMMETRISATIONS[name]
        return [links_of(chosen(forward, backward, limit)) for forward, backward in self.posteriors(bitext)]


@dataclass(frozen=True, kw_only=True)
class AlignerKind:
    """A kind of aligner, an entry of ``ALIGNERS``: ``what`` it does, its source and its training.

    ``train(bitext, seed, **options)`` returns an ``Aligner``, the same bytes for the same arguments. Kinds that are
    ``supervised`` learn from pairs with links made by hand, and from an aligner ``base`` that was trained without.
    """

    name: str
    what: str
    source: str
    train: Callable[..., Aligner]
    supervised: bool = False
