"""What the candidates of one n-best list differ in: their features as a small matrix."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import count, pairwise

import numpy as np
from scipy.sparse import csr_matrix

from nlpsig_core.laboratory.reranking.features.base import Feature, FeatureClass
from nlpsig_core.laboratory.reranking.features.places import Place, Places
from nlpsig_core.laboratory.reranking.lists import NBestList

_OfPlace = tuple[defaultdict[Feature, int], Callable[[Place], Iterable[Feature]]]


class Extractor:
    """Extracts features from list after list; ``columns`` numbers the features met so far, for each class."""

    def __init__(self, classes: Sequence[FeatureClass]) -> None:
        fresh = count().__next__
        self.columns = [defaultdict[Feature, int](fresh) for _ in classes]
        both = list(zip(self.columns, classes, strict=True))
        self.of_candidate = [(own, one.of_candidate) for own, one in both if one.of_candidate]
        # Classes that see the same are extracted together.
        self.of_place: dict[Callable[[Place], Hashable], list[_OfPlace]] = {}
        for own, one in both:
            if one.of_place:
                self.of_place.setdefault(one.sees, []).append((own, one.of_place))
        self.local = np.zeros(0, dtype=np.int64)

    def features(self, columns: np.ndarray) -> list[tuple[int, Feature]]:
        """The features (number of the class, feature) in these columns."""
        wanted = set(columns.tolist())
        found = [
            (column, number, feature)
            for number, own in enumerate(self.columns)
            for feature, column in own.items()
            if column in wanted
        ]
        return [(number, feature) for _, number, feature in sorted(found)]

    def varying(self, nbest: NBestList) -> tuple[np.ndarray, np.ndarray]:
        """The columns of the features that vary in a list, and their values, (columns, candidates).

        The most frequent value of each feature is subtracted (of equals, the least).
        """
        found = [self._of_candidates(nbest)] if self.of_candidate else []
        found += [self._of_places(nbest)] if self.of_place else []
        columns, values = zip(*[_varying(*part) for part in found], strict=True)
        return np.concatenate(columns), np.concatenate(values)

    def _of_candidates(self, nbest: NBestList) -> tuple[np.ndarray, np.ndarray]:
        """Columns of the features of whole candidates, and their values, (columns, candidates)."""
        counts = [
            {own[feature]: value for own, extract in self.of_candidate for feature, value in extract(one).items()}
            for one in nbest.candidates
        ]
        columns = sorted(set().union(*counts))
        values = np.array([[c.get(i, 0.0) for c in counts] for i in columns])
        return np.array(columns, dtype=np.int64), values.reshape(len(columns), len(counts))

    def _of_places(self, nbest: NBestList) -> tuple[np.ndarray, np.ndarray]:
        """Columns of the features of places, and their values, less those of the places that most candidates have.

        The features of places, times the places in which each candidate differs from most.
        """
        places = Places()
        roots = [places.root(candidate.parse) for candidate in nbest.candidates]
        has = np.zeros((len(places.all), len(roots)), dtype=np.float32)
        for column, root in enumerate(roots):
            has[root.below, column] = 1
        has -= has.mean(axis=1, keepdims=True) > 0.5
        differing = np.flatnonzero(has.any(axis=1))
        looks, columns, ends = self._seen([places.all[number] for number in differing.tolist()])
        distinct, local = self._compact(columns)
        ones = np.ones(len(local), dtype=np.float32)
        features = csr_matrix((ones, local, ends), shape=(len(ends) - 1, len(distinct)))
        of_looks = csr_matrix(looks.T @ has[differing])
        return distinct, (features.T.tocsr() @ of_looks).toarray().astype(np.int16)

    def _seen(self, places: Sequence[Place]) -> tuple[csr_matrix, np.ndarray, list[int]]:
        """What classes see at each place, (places, looks), and the columns of each look and where they end.

        Places that look the same to some classes share a look; its features are computed once.
        """
        seen, columns, ends = list[int](), list[int](), [0]
        for sees, alike in self.of_place.items():
            known: dict[Hashable, int] = {}
            for place in places:
                key = sees(place)
                look = known.get(key)
                if look is None:
                    look = known[key] = len(ends) - 1
                    for own, of_place in alike:
                        columns += [own[feature] for feature in of_place(place)]
                    ends.append(len(columns))
                seen.append(look)
        where = np.tile(np.arange(len(places)), len(self.of_place))
        ones = np.ones(len(seen), dtype=np.float32)
        looks = csr_matrix((ones, (where, seen)), shape=(len(places), len(ends) - 1))
        return looks, np.array(columns, dtype=np.int64), ends

    def _compact(self, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The distinct columns in no order, and which of them each column is; faster than sorting them."""
        if len(columns) and columns.max() >= len(self.local):
            self.local = np.zeros(2 * columns.max() + 1, dtype=np.int64)
        here = np.arange(len(columns))
        self.local[columns] = here
        distinct = columns[self.local[columns] == here]
        self.local[distinct] = np.arange(len(distinct))
        return distinct, self.local[columns]


def _varying(columns: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The columns that vary, and their values less the most frequent ones."""
    rest = centred(values)
    kept = rest.any(axis=1)
    return columns[kept], rest[kept]


def centred(values: np.ndarray) -> np.ndarray:
    """The values (features, candidates) less the most frequent value of each feature (of equals, the least)."""
    often = ((values != 0).sum(axis=1) * 2 >= values.shape[1]).nonzero()[0]
    ordered = np.sort(values[often], axis=1).T
    best, longest = ordered[:1].ravel().copy(), np.ones(len(often), dtype=np.int32)
    run = longest.copy()
    for before, row in pairwise(ordered):
        run = np.where(row == before, run + 1, 1)
        longer = run > longest
        best[longer], longest[longer] = row[longer], run[longer]
    result = values.copy()
    result[often] -= best[:, None]
    return result
