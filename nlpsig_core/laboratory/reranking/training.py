"""Variants of a reranker, and their training: sentences to learn from, to tune on and to rerank.

A variant is some classes of features with an estimator; each becomes a system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.laboratory.reranking.candidates import Candidates, Part
from nlpsig_core.laboratory.reranking.estimators import ESTIMATORS, estimator_named
from nlpsig_core.laboratory.reranking.features import Features
from nlpsig_core.laboratory.reranking.lists import Lists
from nlpsig_core.laboratory.reranking.tuning import Tuned, tuned
from nlpsig_core.significance.resampling.streams import Purpose, generator

FIRST, ORACLE = "1-best", "oracle"
# The kinds of variants: all classes, also with a setting for each, with one setting that dev did not choose, with the
# training sentences in another order, and with features of correct parses only; one class beside the first; all
# classes but one.
WHOLE, BY_CLASS, SETTING, ORDER, CORRECT = "all classes", "setting by class", "one setting", "order", "correct parses"
ALONE, WITHOUT = "alone", "without"
# A feature has to vary among the candidates of this many sentences of the training set (Johnson 2005, slide 36).
LEAST = 5
MOST_ORDERS = 99


class Variant(NamedTuple):
    """A reranker by an ``estimator`` with features of some ``classes``, compared with the variant ``against``.

    ``kind`` says what is tried. With ``correct_only``, features that occur in none of the closest parses of the
    training set are left out (Johnson 2005, slide 59). With ``by_class``, each class has a setting of its own. A ``c``
    is the setting, which is otherwise chosen on dev; an ``order`` from 1 on is a random one, by the ``seed``, of the
    training sentences.
    """

    name: str
    kind: str = ""
    estimator: str = ""
    classes: tuple[str, ...] = ()
    against: str = FIRST
    correct_only: bool = False
    by_class: bool = False
    c: float | None = None
    order: int = 0
    seed: int = 0


def with_all(estimators: Sequence[str], classes: Sequence[str], by_class: bool = False) -> list[Variant]:
    """Return each estimator with all classes: the first against the first parse, the others against this one.

    ``by_class`` adds variants in which each class has a setting of its own (slide 45), against one setting for all.
    ChoiceError for an unknown estimator.
    """
    names, every = [estimator_named(name).name for name in estimators], tuple(classes)
    variants = [
        Variant(name=name, kind=WHOLE, estimator=name, classes=every, against=FIRST if name == names[0] else names[0])
        for name in names
    ]
    own = [
        Variant(name=f"{name}-by-class", kind=BY_CLASS, estimator=name, classes=every, against=name, by_class=True)
        for name in names
    ]
    return variants + own if by_class else variants


def check_orders(names: Sequence[str], orders: int) -> None:
    """Raise ChoiceError unless some orders of the training sentences can be tried with one of these estimators."""
    able = [entry.name for entry in ESTIMATORS.values() if entry.by_sentence]
    if not 0 <= orders <= MOST_ORDERS:
        raise ChoiceError(f"{orders} orders; give 0 to {MOST_ORDERS}")
    if orders and not set(able) & set(names):
        raise ChoiceError(f"The order of sentences matters to no estimator named; add one of: {', '.join(able)}")


def each_setting(
    names: Sequence[str], classes: Sequence[str], *, settings: bool, orders: int, seed: int = 0
) -> list[Variant]:
    """Return a variant for each value of c of each estimator with ``settings``, and for some ``orders`` of sentences.

    Orders are tried where they matter; all are compared with the estimator as it is (Johnson 2005, slide 44).
    """
    variants, every = [], tuple(classes)
    for estimator in map(estimator_named, names):
        make = partial(Variant, estimator=estimator.name, classes=every, against=estimator.name)
        if settings:
            variants += [make(name=f"{estimator.name}-c-{c:g}", kind=SETTING, c=c) for c in estimator.grid]
        numbers = range(1, orders + 1) if estimator.by_sentence else ()
        variants += [make(name=f"{estimator.name}-order-{i:02}", kind=ORDER, order=i, seed=seed) for i in numbers]
    return variants


def one_by_one(estimator: str, classes: Sequence[str]) -> list[Variant]:
    """Return each class alone with the first; all without each; and features of correct parses only."""
    base, *others = classes
    rest = {name: tuple(each for each in classes if each != name) for name in others}
    make = partial(Variant, estimator=estimator)
    return [
        *(make(name=f"{estimator}-alone-{name}", kind=ALONE, classes=(base, name)) for name in others),
        *(
            make(name=f"{estimator}-without-{name}", kind=WITHOUT, classes=rest[name], against=estimator)
            for name in others
        ),
        make(name=f"{estimator}-correct", kind=CORRECT, classes=tuple(classes), against=estimator, correct_only=True),
    ]


def in_order(kind: str, estimator: str, order: Sequence[str]) -> list[Variant]:
    """Return the first class of an order, then one more at a time, each against the variant before it.

    The first class is the log probability alone, which chooses the first parse; its variant is FIRST itself.
    """
    ladder: list[Variant] = []
    for number, name in enumerate(order[1:], start=1):
        before = ladder[-1].name if ladder else FIRST
        label = f"{estimator}-{kind}-{number:02}-{name}"
        ladder.append(
            Variant(name=label, kind=kind, estimator=estimator, classes=tuple(order[: number + 1]), against=before)
        )
    return ladder


class Split(NamedTuple):
    """The folds to learn from, to tune on and to rerank."""

    train: tuple[int, ...]
    dev: tuple[int, ...]
    test: tuple[int, ...]


def tenfold(folds: int) -> tuple[Split, ...]:
    """Return a split for each fold, which is reranked: the next fold is tuned on, and the others are learned from."""
    if folds < 3:
        raise ChoiceError(f"{folds} folds; 3 or more are needed to learn, to tune and to rerank")
    pairs = [(test, (test + 1) % folds) for test in range(folds)]
    return tuple(Split(tuple(i for i in range(folds) if i not in pair), pair[1:], pair[:1]) for pair in pairs)


def folds_of(sizes: Sequence[int], folds: int) -> np.ndarray:
    """Return the fold of each sentence of files with these numbers of sentences, (sentences,).

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

    @classmethod
    def from_lists(cls, lists: Lists, features: Features, fold_of: np.ndarray) -> Material:
        """Return the material of lists with their features; the first class of these is the log probability."""
        candidates = Candidates(
            first=lists.first, matrix=features.matrix, statistics=lists.statistics, metric=lists.metric
        )
        return cls(candidates=candidates, class_of=features.class_of, classes=features.classes, fold_of=fold_of)

    @cached_property
    def varying(self) -> np.ndarray:
        """Return in how many sentences each feature varies, and has a closest parse more of it than another.

        The result is (2, folds, features).
        """
        folds = range(self.fold_of.max() + 1)
        return np.stack([Part(self.candidates, self.sentences((fold,))).variation() for fold in folds], axis=1)

    def sentences(self, folds: tuple[int, ...]) -> np.ndarray:
        """Return the sentences of some folds."""
        return np.flatnonzero(np.isin(self.fold_of, folds))


class Choices(NamedTuple):
    """What a variant chooses of a split: ranks (sentences,) from 0 in the lists of the folds dev and test.

    ``features`` is the number of weights other than 0, and ``c`` the setting that is best on dev; with a setting for
    each class, their values in the order of the variant's classes. With all classes, ``columns`` and ``weights`` are
    the features with a weight other than 0 and these weights.
    """

    dev: list[int]
    test: list[int]
    features: int = 0
    c: Sequence[float] = ()
    columns: Sequence[int] = ()
    weights: Sequence[float] = ()


@dataclass(frozen=True, eq=False)
class Trainer:
    """Trains variants on one split of the material."""

    material: Material
    split: Split

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The candidates to learn from, to tune on and to rerank."""
        return tuple(Part(self.material.candidates, self.material.sentences(folds)) for folds in self.split)

    def columns(self, variant: Variant) -> np.ndarray:
        """Return the features of a variant: those of its classes that vary in enough sentences of the training set."""
        numbers = [self.material.classes.index(name) for name in variant.classes]
        varying, correct = self.material.varying[:, list(self.split.train)].sum(axis=1)
        mask = (varying >= LEAST) & np.isin(self.material.class_of, numbers)
        return np.flatnonzero(mask & (correct > 0) if variant.correct_only else mask)

    def choices(self, variant: Variant) -> Choices:
        """Return the choices of a variant with the setting that is best on dev."""
        columns = self.columns(variant)
        weights, c, _, chosen_of_dev = self._tuned(variant, columns)
        chosen_of_test = self.parts[2].chosen_by_each(columns, weights[:, None])[0]
        dev, test = (self.material.candidates.rank[chosen].tolist() for chosen in (chosen_of_dev, chosen_of_test))
        nonzero = np.flatnonzero(weights)
        kept = nonzero if variant.kind == WHOLE else nonzero[:0]
        own, own_weights = columns[kept].tolist(), weights[kept].tolist()
        return Choices(dev=dev, test=test, features=len(nonzero), c=c, columns=own, weights=own_weights)

    def _tuned(self, variant: Variant, columns: np.ndarray) -> Tuned:
        """Return the result of tuning a variant with these columns."""
        (train, dev, _), estimator = self.parts, estimator_named(variant.estimator)
        if variant.c is not None:
            estimator = replace(estimator, grid=(variant.c,))
        if variant.order:
            train = Part(
                train.candidates,
                generator(variant.seed, Purpose.SENTENCE_ORDER, variant.order).permutation(train.sentences),
            )
        class_of = self.material.class_of[columns] if variant.by_class else np.zeros(len(columns), dtype=int)
        return tuned(estimator, train, dev, columns, class_of)

    def score_on_dev(self, variant: Variant) -> float:
        """Return the score of a variant on dev, higher for the better."""
        return self._tuned(variant, self.columns(variant)).score
