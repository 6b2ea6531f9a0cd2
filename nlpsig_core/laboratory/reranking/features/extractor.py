"""What the candidates of one n-best list differ in: their features as a small matrix."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import count, pairwise

import numpy as np
from scipy.sparse import csr_matrix

from nlpsig_core.laboratory.reranking.features.classes import FeatureClass
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

    def features(self, columns: np.ndarray) -> list[tuple[int, Feature]]:
        """Return the features (number of the class, feature) in these columns."""
        wanted = set(columns.tolist())
        by_column = {
            column: (number, feature)
            for number, own in enumerate(self.columns)
            for feature, column in own.items()
            if column in wanted
        }
        return [by_column[column] for column in columns.tolist()]

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

        The features of places, times the places in which each candidate differs from most.
        """
        places = Places()
        roots = [places.place(candidate.parse) for candidate in nbest.candidates]
        has = np.zeros((len(places.all), len(roots)), dtype=np.float32)
        for column, root in enumerate(roots):
            has[root.below, column] = 1
        has -= has.mean(axis=1, keepdims=True) > 0.5
        differing = np.flatnonzero(has.any(axis=1))
        looks, columns, ends = self._seen([places.all[number] for number in differing.tolist()])
        distinct, local = np.unique(columns, return_inverse=True)
        ones = np.ones(len(local), dtype=np.float32)
        features = csr_matrix((ones, local, ends), shape=(len(ends) - 1, len(distinct)))
        looks_of_candidates = csr_matrix(looks.T @ has[differing])
        return distinct, (features.T.tocsr() @ looks_of_candidates).toarray().astype(np.int16)

    def _seen(self, places: Sequence[Place]) -> tuple[csr_matrix, np.ndarray, list[int]]:
        """Return what classes see at each place, (places, looks), the columns of each look and where they end.

        Places that look the same to some classes share a look; its features are computed once.
        """
        seen, columns, ends = list[int](), list[int](), [0]
        for sees, alike in self.of_place.items():
            known: dict[Hashable, int] = {}
            for place in places:
                key = sees(place)
                if key not in known:
                    known[key] = len(ends) - 1
                    for own, of_place in alike:
                        columns.extend(map(own.__getitem__, of_place(place)))
                    ends.append(len(columns))
                seen.append(known[key])
        where = np.tile(np.arange(len(places)), len(self.of_place))
        ones = np.ones(len(seen), dtype=np.float32)
        looks = csr_matrix((ones, (where, seen)), shape=(len(places), len(ends) - 1))
        return looks, np.array(columns, dtype=np.int64), ends


def centred(values: np.ndarray) -> np.ndarray:
    """Return the values (features, candidates) less the most frequent value of each feature (of equals, the least)."""
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
