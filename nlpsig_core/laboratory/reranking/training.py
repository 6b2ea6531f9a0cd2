"""Training a variant of a reranker: sentences to learn from, to tune on and to rerank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.laboratory.reranking.candidates import Candidates
from nlpsig_core.laboratory.reranking.estimators import Estimator, estimator_named
from nlpsig_core.laboratory.reranking.features import Features
from nlpsig_core.laboratory.reranking.lists import Lists
from nlpsig_core.laboratory.reranking.variants import Variant

# A feature has to vary among the candidates of this many sentences of the training set (Johnson 2005, slide 36).
LEAST = 5
# What the c of one class is multiplied with when each class has its own.
FACTORS = (0.25, 4.0)


class Split(NamedTuple):
    """The folds to learn from, to tune on and to rerank."""

    train: tuple[int, ...]
    dev: tuple[int, ...]
    test: tuple[int, ...]


def tenfold(folds: int) -> tuple[Split, ...]:
    """A split for each fold, which is reranked: the next fold is tuned on, and the others are learned from."""
    if folds < 3:
        raise ChoiceError(f"{folds} folds; 3 or more are needed to learn, to tune and to rerank")
    return tuple(
        Split(tuple(i for i in range(folds) if i not in (test, (test + 1) % folds)), ((test + 1) % folds,), (test,))
        for test in range(folds)
    )


def folds_of(sizes: Sequence[int], folds: int) -> np.ndarray:
    """The fold of each sentence of files with these numbers of sentences, (sentences,).

    Files are put together, never cut, if there are as many as folds or more; else sentences are, in equal parts.
    """
    n, files = sum(sizes), len(sizes)
    if folds <= files:
        return np.repeat(np.arange(files) * folds // files, sizes)
    if folds > n:
        raise ChoiceError(f"{folds} folds of {n} sentences; choose fewer")
    return np.arange(n) * folds // n


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    """Candidates with the class of each feature, ``class_of`` (features,), an index of ``classes``.

    The first class is the log probability of the base parser. ``fold_of`` (sentences,) is the fold of each sentence.
    """

    candidates: Candidates
    class_of: np.ndarray
    classes: tuple[str, ...]
    fold_of: np.ndarray

    @cached_property
    def varying(self) -> np.ndarray:
        """In how many sentences of each fold each feature varies, (folds, features)."""
        counts: np.ndarray = self._counted[0]
        return counts

    @cached_property
    def correct(self) -> np.ndarray:
        """In how many sentences of each fold a closest parse has more of a feature than another, (folds, features)."""
        counts: np.ndarray = self._counted[1]
        return counts

    @cached_property
    def _counted(self) -> np.ndarray:
        counted = []
        for fold in range(self.fold_of.max() + 1):
            features, correct = self.candidates.take(self.sentences((fold,))).variation()
            n = self.candidates.n_features
            counted.append([np.bincount(features, minlength=n), np.bincount(features[correct], minlength=n)])
        return np.swapaxes(counted, 0, 1)

    @classmethod
    def of(cls, lists: Lists, features: Features, fold_of: np.ndarray) -> Material:
        """The material of lists with their features; the first class of features is the log probability."""
        candidates = Candidates(
            first=lists.first, matrix=features.matrix, statistics=lists.statistics, metric=lists.metric
        )
        return cls(candidates=candidates, class_of=features.class_of, classes=features.classes, fold_of=fold_of)

    def sentences(self, folds: tuple[int, ...]) -> np.ndarray:
        """The sentences of some folds."""
        return np.flatnonzero(np.isin(self.fold_of, folds))


class Choices(NamedTuple):
    """What a variant chooses of a split: ranks (sentences,) from 0 in the lists of the folds dev and test.

    ``features`` is the number of weights other than 0, and ``c`` the setting that is best on dev; with a setting for
    each class, their values in the order of the variant's classes.
    """

    dev: list[int]
    test: list[int]
    features: int
    c: list[float]


@dataclass(frozen=True, eq=False)
class Trainer:
    """Trains variants on one split of the material."""

    material: Material
    split: Split

    @cached_property
    def _train(self) -> Candidates:
        return self.material.candidates.take(self.material.sentences(self.split.train))

    @cached_property
    def _dev(self) -> Candidates:
        return self.material.candidates.take(self.material.sentences(self.split.dev))

    @cached_property
    def _test(self) -> Candidates:
        return self.material.candidates.take(self.material.sentences(self.split.test))

    def columns(self, variant: Variant) -> np.ndarray:
        """The features of a variant: those of its classes that vary in enough sentences of the training set."""
        numbers = [self.material.classes.index(name) for name in variant.classes]
        folds = list(self.split.train)
        mask = (self.material.varying[folds].sum(axis=0) >= LEAST) & np.isin(self.material.class_of, numbers)
        if variant.correct_only:
            mask &= self.material.correct[folds].sum(axis=0) > 0
        return np.flatnonzero(mask)

    def weights(self, variant: Variant) -> tuple[np.ndarray, list[float]]:
        """The weights of all features (features,), 0 for those that a variant leaves out, and the setting best on dev.

        With a setting for each class, their values are in the order of the variant's classes.
        """
        columns = self.columns(variant)
        train, dev = (one.with_columns(columns) for one in (self._train, self._dev))
        class_of = self.material.class_of[columns] if variant.by_class else np.zeros(len(columns), dtype=int)
        found, c = tuned(estimator_named(variant.estimator), train, dev, class_of)
        weights = np.zeros(self.material.candidates.n_features)
        weights[columns] = found
        return weights, c

    def choices(self, variant: Variant) -> Choices:
        """The choices of a variant with the setting that is best on dev."""
        return self.choices_by(*self.weights(variant))

    def choices_by(self, weights: np.ndarray, c: list[float]) -> Choices:
        """The choices by weights (features,), which were learned with the setting ``c``."""
        dev_ranks, test_ranks = (one.rank[one.chosen(weights)].tolist() for one in (self._dev, self._test))
        return Choices(dev_ranks, test_ranks, int(np.count_nonzero(weights)), c)

    def score_on_dev(self, variant: Variant) -> float:
        """The score of a variant on dev, higher for the better."""
        chosen = np.array(self.choices(variant).dev) + self._dev.first[:-1]
        return self._dev.metric.sign * self._dev.score(chosen)


def tuned(
    estimator: Estimator, train: Candidates, dev: Candidates, class_of: np.ndarray
) -> tuple[np.ndarray, list[float]]:
    """The weights with the setting that is best on dev, the first of equals, and the setting of each class.

    One value of the grid serves all classes first. Then the value of one class after another is multiplied with each
    of FACTORS, and kept where that is better on dev.
    """
    path = estimator.path(train, estimator.grid)
    scores = [_score(dev, weights) for weights in path]
    first = int(np.argmax(scores))
    most, best, classes = scores[first], path[first], np.unique(class_of)
    c, place = np.full(len(classes), estimator.grid[first]), np.searchsorted(classes, class_of)
    for changed in range(len(classes) if len(classes) > 1 else 0):
        for factor in FACTORS:
            tried = np.where(np.arange(len(classes)) == changed, factor * c, c)
            weights = estimator.fit(train, tried[place], best)
            if (score := _score(dev, weights)) > most:
                most, best, c = score, weights, tried
    return best, c.tolist()


def _score(dev: Candidates, weights: np.ndarray) -> float:
    return dev.metric.sign * dev.score(dev.chosen(weights))
