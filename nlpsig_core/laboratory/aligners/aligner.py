"""The contract of aligners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from nlpsig_core.base.compiled import Floats
from nlpsig_core.base.errors import entry_named
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

    symmetrisation: ClassVar[str]
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
        symmetrised = entry_named("symmetrisation", name, SYMMETRISATIONS)
        limit = self.threshold if threshold is None else threshold
        return [links_of(symmetrised(*both, limit)) for both in self.posteriors(bitext)]
