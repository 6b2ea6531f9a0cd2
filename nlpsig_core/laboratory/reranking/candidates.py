"""Candidates: what estimators see of n-best lists, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.laboratory.reranking import kernels


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

    @cached_property
    def fractions(self) -> tuple[np.ndarray, Candidates]:
        """The features that are no counts, such as log probabilities (indices), and the same with these alone."""
        columns = np.unique(self.matrix.indices[self.matrix.data != np.rint(self.matrix.data)])
        return columns, self.with_columns(columns)

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

    @cached_property
    def entries(self) -> kernels.Entries:
        """The matrix as compiled loops take it."""
        matrix = self.matrix
        return kernels.entries_of(self.first, matrix.indptr, matrix.indices, matrix.data, self.n_features)


@dataclass(frozen=True, eq=False)
class Part:
    """Some sentences (indices) of candidates, of which nothing is copied until somebody asks for the ``copy``."""

    candidates: Candidates
    sentences: np.ndarray

    @cached_property
    def copy(self) -> Candidates:
        """The candidates of these sentences alone."""
        return self.candidates.take(self.sentences)

    def chosen_by_each(self, columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the row (in all candidates) of each sentence that several weights of some features score best.

        ``columns`` are these features (indices, ascending), and ``weights`` (columns, k). The result is (k, sentences);
        of equals, it is the first.
        """
        own = np.zeros((self.candidates.n_features, weights.shape[1]))
        own[columns] = weights
        entries, runs = self.candidates.entries, kernels.runs_of(columns)
        best = [kernels.best_rows(entries, self.sentences, runs, lanes) for lanes in kernels.in_lanes(own)]
        return np.concatenate(best)[: weights.shape[1]]

    def score(self, chosen: np.ndarray) -> float:
        """Return the metric of the corpus that consists of the chosen rows, higher for the better."""
        return self.candidates.metric.sign * self.candidates.score(chosen)

    def variation(self) -> np.ndarray:
        """Count the sentences in which each feature varies, and those in which it does as a correct one, (2, features).

        It is correct if a closest parse has more of it than another candidate.
        """
        every = self.candidates
        return kernels.variation(every.entries, self.sentences, every.closest, every.n_features)


def whole(candidates: Candidates) -> Part:
    """Return all sentences of candidates as a part."""
    return Part(candidates, np.arange(candidates.n_sentences))
