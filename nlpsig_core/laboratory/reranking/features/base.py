"""Feature classes: what a class counts, and how its features are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from nlpsig_core.laboratory.reranking.features.places import Place, Places
from nlpsig_core.laboratory.reranking.lists import Candidate

# A variant of the class ("" if there is only one), and what was seen.
Feature = tuple[str, ...]


def everything(place: Place) -> Hashable:
    """A class may see the whole place."""
    return place


@dataclass(frozen=True, kw_only=True)
class FeatureClass:
    """A class of features: either those ``of_place``, summed over the places of a tree, or those ``of_candidate``.

    ``what`` says in a few words what is counted, ``source`` who says so, and ``of`` for which parses: constituency,
    dependency or generic. Places of which ``sees`` is equal have the same features: what a class does not see must
    not decide its features.
    """

    name: str
    label: str = ""
    what: str
    source: str
    of: str = "constituency"
    of_place: Callable[[Place], Iterable[Feature]] | None = None
    sees: Callable[[Place], Hashable] = everything
    of_candidate: Callable[[Candidate], Mapping[Feature, float]] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name)

    def extract(self, candidate: Candidate) -> Counter[Feature]:
        """The features of a candidate and how often each occurs."""
        if self.of_candidate:
            return Counter(dict(self.of_candidate(candidate)))
        places = Places()
        numbers = places.root(candidate.parse).below
        assert self.of_place
        return Counter(feature for number in numbers for feature in self.of_place(places.all[number]))

    def show(self, feature: Feature) -> str:
        """The name of a feature, such as ``Word:2 (plan NN NP)``."""
        variant, *parts = feature
        seen = " ".join(parts)
        shown = f" {seen}" if seen.startswith("(") else f" ({seen})" if seen else ""
        return f"{self.name}{variant and ':'}{variant}{shown}"


def class_in(name: str) -> str:
    """The class of a feature by its name (``FeatureClass.show``), which begins with it."""
    return name.partition(" ")[0].partition(":")[0]
