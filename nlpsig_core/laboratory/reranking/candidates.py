"""Candidates: what estimators see of n-best lists, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.metrics.base import Metric


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidates:
    """The candidates of all sentences, one below the other, in the order of the base parser.

    Those of sentence s are the rows from ``first[s]`` up to, but not including, ``first[s + 1]``; ``first`` is
    (sentences + 1,). ``matrix`` (candidates, features) is sparse by rows, and a candidate's score is its row times the
    weights. ``statistics`` (candidates, k) are the sufficient statistics of the metric.
    """

    first: np.ndarray
    matrix: Any
    statistics: np.ndarray
    metric: Metric

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.first) - 1

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.matrix.shape[1])

    @cached_property
    def sentence(self) -> np.ndarray:
        """The sentence of each candidate, (candidates,)."""
        return np.repeat(np.arange(self.n_sentences), np.diff(self.first))

    @cached_property
    def rank(self) -> np.ndarray:
        """The place of each candidate in its list, from 0, (candidates,)."""
        return np.asarray(np.arange(self.first[-1]) - self.first[self.sentence])

    @cached_property
    def quality(self) -> np.ndarray:
        """The metric of each candidate alone, higher for the better, (candidates,)."""
        return self.metric.sign * np.asarray((self.metric.unit_score or self.metric.score)(self.statistics))

    @cached_property
    def closest(self) -> np.ndarray:
        """Whether a candidate has the best quality of its list, (candidates,); several may have it."""
        return np.asarray(self.quality == self.most(self.quality)[self.sentence])

    def most(self, values: np.ndarray) -> np.ndarray:
        """Return the greatest of the values (candidates,) of each sentence, (sentences,)."""
        return np.asarray(np.maximum.reduceat(values, self.first[:-1]))

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of the values (candidates, ...) of each sentence, (sentences, ...)."""
        return np.asarray(np.add.reduceat(values, self.first[:-1], axis=0))

    def best(self, values: np.ndarray) -> np.ndarray:
        """Return the row of the candidate with the greatest value of each sentence, the first of equals."""
        rows = np.flatnonzero(values == self.most(values)[self.sentence])
        return rows[np.unique(self.sentence[rows], return_index=True)[1]]

    def chosen(self, weights: np.ndarray) -> np.ndarray:
        """Return the row of the candidate of each sentence that weights (features,) score best, the first of equals."""
        return self.best(self.matrix @ weights)

    def score(self, chosen: np.ndarray) -> float:
        """Return the metric of the corpus that consists of the chosen rows."""
        return float(self.metric.score(self.statistics[chosen].sum(axis=0)))

    def oracle(self, size: int) -> np.ndarray:
        """Return the row of the best candidate among the first ``size`` of each sentence, (sentences,)."""
        return self.best(np.where(self.rank < size, self.quality, -np.inf))

    def take(self, sentences: np.ndarray) -> Candidates:
        """Return the candidates of some sentences (indices), in that order."""
        sizes = np.diff(self.first)[sentences]
        first = np.concatenate([[0], np.cumsum(sizes)])
        rows = np.arange(first[-1]) + np.repeat(self.first[:-1][sentences] - first[:-1], sizes)
        return Candidates(first=first, matrix=self.matrix[rows], statistics=self.statistics[rows], metric=self.metric)

    def with_columns(self, columns: np.ndarray) -> Candidates:
        """Return the same with some of the features (indices, each once), in that order."""
        return replace(self, matrix=self.matrix[:, columns])

    def variation(self) -> tuple[np.ndarray, np.ndarray]:
        """Return an entry for each sentence and feature that varies in it: the feature and whether correct, (entries,).

        It is correct if a closest parse has more of it than another candidate.
        """
        by_column = self.matrix.tocsc()
        rows, values = by_column.indices, by_column.data
        feature, sentence = np.repeat(np.arange(self.n_features), np.diff(by_column.indptr)), self.sentence[rows]
        new = np.ones(len(rows), dtype=bool)
        new[1:] = (sentence[1:] != sentence[:-1]) | (feature[1:] != feature[:-1])
        starts = np.flatnonzero(new)
        if not len(starts):
            return starts, new
        feature, sentence, near = feature[starts], sentence[starts], self.closest[rows]
        # Candidates without an entry have 0.
        all_have = np.diff(np.append(starts, len(rows))) == np.diff(self.first)[sentence]
        all_near = np.add.reduceat(near, starts, dtype=np.int64) == self.sums(self.closest.astype(np.int64))[sentence]
        least, most = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
        of_closest = np.maximum.reduceat(np.where(near, values, -np.inf), starts)
        least = np.where(all_have, least, np.minimum(least, 0))
        most = np.where(all_have, most, np.maximum(most, 0))
        of_closest = np.where(all_near, of_closest, np.maximum(of_closest, 0))
        varies = most > least
        return feature[varies], (of_closest > least)[varies]
