"""What the candidates of one n-best list differ in: their features as a small matrix."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import count

import numpy as np

from nlpsig_core.laboratory.reranking.features.classes import FeatureClass
from nlpsig_core.laboratory.reranking.features.kernels import centred, summed
from nlpsig_core.laboratory.reranking.features.places import Feature, Place, Places
from nlpsig_core.laboratory.reranking.lists import NBestList

_OfPlace = tuple[defaultdict[Feature, int], Callable[[Place], Iterable[Feature]]]


class Extractor:
    """Extracts features from list after list; ``columns`` numbers the features met so far, for each class."""

    def __init__(self, classes: Sequence[FeatureClass]) -> None:
        fresh = count().__next__
        self.columns = [defaultdict[Feature, int](fresh) for _ in classes]
        both = list(zip(self.columns, classes, strict=True))
        self.of_candidate = [(own, entry) for own, entry in both if entry.of_candidate]
        # Classes that see the same are extracted together.
        self.of_place: dict[Callable[[Place], Hashable], list[_OfPlace]] = {}
        for own, entry in both:
            if entry.of_place:
                self.of_place.setdefault(entry.sees, []).append((own, entry.of_place))
        # The columns of what was seen, in this list or in those before it.
        self.known: dict[Callable[[Place], Hashable], dict[Hashable, list[int]]] = {sees: {} for sees in self.of_place}

    def features(self, columns: np.ndarray) -> list[tuple[int, Feature]]:
        """Return the features (number of the class, feature) in these columns."""
        met: list[tuple[int, Feature]] = [(0, ())] * sum(map(len, self.columns))
        for number, own in enumerate(self.columns):
            for feature, column in own.items():
                met[column] = number, feature
        return [met[column] for column in columns.tolist()]

    def varying(self, nbest: NBestList) -> tuple[np.ndarray, np.ndarray]:
        """Return the columns of the features that vary in a list, and their values, (columns, candidates).

        The most frequent value of each feature is subtracted (of equals, the least).
        """
        parts = [self._whole_candidates(nbest)] if self.of_candidate else []
        parts += [self._places(nbest)] if self.of_place else []
        varying = []
        for columns, values in parts:
            rest = centred(values)
            kept = rest.any(axis=1)
            varying.append((columns[kept], rest[kept]))
        all_columns, all_values = zip(*varying, strict=True)
        return np.concatenate(all_columns), np.concatenate(all_values)

    def _whole_candidates(self, nbest: NBestList) -> tuple[np.ndarray, np.ndarray]:
        """Return columns of the features of whole candidates, and their values, (columns, candidates)."""
        counts = [
            Counter({own[feature]: n for own, entry in self.of_candidate for feature, n in entry.extract(each).items()})
            for each in nbest.candidates
        ]
        columns = sorted(set().union(*counts))
        values = np.array([[each[column] for each in counts] for column in columns], dtype=np.float64)
        return np.array(columns, dtype=np.int64), values.reshape(len(columns), len(counts))

    def _places(self, nbest: NBestList) -> tuple[np.ndarray, np.ndarray]:
        """Return columns of the features of places, and their values, less those of the places that most have.

        The values sum the features of the places in which each candidate differs from most.
        """
        places = Places()
        roots = [places.place(candidate.parse) for candidate in nbest.candidates]
        has = np.zeros((len(places.all), len(roots)), dtype=np.int8)
        for column, root in enumerate(roots):
            has[root.below, column] = 1
        has -= 2 * has.sum(axis=1, keepdims=True, dtype=np.int64) > len(roots)
        differing = np.flatnonzero(has.any(axis=1))
        where, seen, columns, ends = self._seen([places.all[number] for number in differing.tolist()])
        distinct, local = np.unique(columns, return_inverse=True)
        return distinct, summed(has[differing], where, seen, local, ends, len(distinct))

    def _seen(self, places: Sequence[Place]) -> tuple[np.ndarray, ...]:
        """Return what classes see: numbers of places and of their looks, the columns of looks, and where these end.

        Places that look the same to some classes share a look; its features are computed once.
        """
        where, seen, columns, ends = list[int](), list[int](), list[int](), [0]
        for sees, alike in self.of_place.items():
            known, looks = self.known[sees], dict[Hashable, int]()
            for number, place in enumerate(places):
                key = sees(place)
                if key is None:
                    continue
                look = looks.get(key)
                if look is None:
                    own_columns = known.get(key)
                    if own_columns is None:
                        own_columns = known[key] = []
                        for own, of_place in alike:
                            own_columns.extend(map(own.__getitem__, of_place(place)))
                    look = looks[key] = len(ends) - 1
                    columns += own_columns
                    ends.append(len(columns))
                where.append(number)
                seen.append(look)
        return tuple(np.array(each, dtype=np.int64) for each in (where, seen, columns, ends))
