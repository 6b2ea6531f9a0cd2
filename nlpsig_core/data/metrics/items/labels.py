"""Labels: one of several classes an item. The statistics of a unit are two codes; metrics count by class from them."""

from __future__ import annotations

from functools import partial

import numpy as np

from nlpsig_core.data.metrics.base import Family, Metric, mean, own_notes
from nlpsig_core.data.metrics.items import by_class
from nlpsig_core.data.readers.items.items import Answers, Items
from nlpsig_core.data.readers.tables.scores import is_number

COLUMNS = ("gold", "predicted")


def count_labels(gold: Items, output: Answers) -> np.ndarray:
    """Return the codes of the gold's and the predicted label of each unit, (units, 2).

    With K classes, their codes are 0 to K - 1, that of a missing answer is K, and those of labels that the gold lacks
    follow.
    """
    return _codes(gold, output.values)


def count_missing(gold: Items) -> np.ndarray:
    """Return the codes of an output without any answer."""
    return _codes(gold, np.full(gold.n_units, -1))


def _codes(gold: Items, values: np.ndarray) -> np.ndarray:
    known = len(gold.classes)
    predicted = np.where(values < 0, known, values + (values >= known))
    return np.stack([gold.answers, predicted], axis=1).astype(np.int32)


FAMILY = Family(
    name="labels",
    version=1,
    reader="Labels",
    columns=COLUMNS,
    match=Items.answers_of,
    count=count_labels,
    count_missing=count_missing,
    remarks=own_notes,
)


def _known(values: np.ndarray) -> int:
    """Return the number of classes: every one occurs in the gold."""
    return int(values[..., 0].max(initial=-1)) + 1


def counts_of(values: np.ndarray, classes: tuple[int, ...]) -> np.ndarray:
    """Return the statistics of some classes, as ``by_class.table``, of codes (outputs, units, 2)."""
    by_class.check_room(values, len(classes))
    gold, predicted = (values[..., [column]] == np.array(classes, dtype=values.dtype) for column in (0, 1))
    return by_class.table(gold & predicted, predicted, gold)


def of_classes(values: np.ndarray) -> np.ndarray:
    """Return the statistics of all classes of the gold."""
    return counts_of(values, tuple(range(_known(values))))


def of_all_labels(values: np.ndarray) -> np.ndarray:
    """Return the statistics of all labels: classes, a missing answer, labels that the gold lacks."""
    return counts_of(values, tuple(range(int(values.max(initial=-1)) + 1)))


def right(values: np.ndarray) -> np.ndarray:
    """Return whether each unit is right, and 1, of codes (outputs, units, 2)."""
    is_right = values[..., 0] == values[..., 1]
    return np.stack([is_right, np.ones_like(is_right)], axis=-1).view(np.uint8)


def right_among_classes(values: np.ndarray) -> np.ndarray:
    """Return whether each unit is right, whether a class of the gold is predicted, and 1."""
    is_right = values[..., 0] == values[..., 1]
    return np.stack([is_right, values[..., 1] < _known(values), np.ones_like(is_right)], axis=-1).view(np.uint8)


def distances(classes: int, power: int) -> np.ndarray:
    """Return how far off each answer is, (classes, classes + 1), by the order of classes.

    An answer that is no class of the gold, in the last column, is as far off as the two ends of the order.
    """
    places = np.arange(classes)
    off = np.abs(places[:, None] - places)
    return np.concatenate([off, np.full((classes, 1), classes - 1)], axis=1) ** power


def disagreements(values: np.ndarray, power: int) -> np.ndarray:
    """Return how far off each unit is, then whether it is predicted as each class or as none, and its gold class."""
    known = _known(values)
    by_class.check_room(values, known + 1)
    gold, predicted = values[..., 0], np.minimum(values[..., 1], known)
    off = distances(known, power)[gold, predicted][..., None]
    one_hot = [predicted[..., None] == np.arange(known + 1), gold[..., None] == np.arange(known)]
    return np.concatenate([off.astype(np.int32), *one_hot], axis=-1)


def weighted_kappa(totals: np.ndarray, power: int) -> np.ndarray:
    """Return Cohen's weighted kappa (1968) of the totals of ``disagreements``; 0 if no disagreement is expected."""
    known = totals.shape[-1] // 2 - 1
    off, predicted, gold = totals[..., 0], totals[..., 1 : known + 2], totals[..., known + 2 :]
    expected = np.einsum("...g,gp,...p->...", gold, distances(known, power).astype(totals.dtype), predicted)
    return by_class.ratio(expected - gold.sum(axis=-1) * off, expected)


def ordered(classes: tuple[str, ...]) -> bool:
    """Return whether the classes are numbers, and more than two."""
    return len(classes) > 2 and all(map(is_number, classes))


def _errors(values: np.ndarray, numbers: tuple[float, ...]) -> np.ndarray:
    """Return the absolute error of each unit, and 1; an answer that is no class is off by the range of the classes."""
    scale = np.array(numbers)
    off = np.concatenate([np.abs(scale[:, None] - scale), np.full((len(scale), 1), np.ptp(scale))], axis=1)
    errors = off[values[..., 0], np.minimum(values[..., 1], len(scale))]
    return np.stack([errors, np.ones_like(errors)], axis=-1)


def offered(classes: tuple[str, ...]) -> list[str]:
    """Return the names of the metrics of these classes that menus offer."""
    return (["MAE"] if ordered(classes) else []) + by_class.offered(classes)


def own_metric(name: str, classes: tuple[str, ...]) -> Metric | None:
    """Return the metric of these classes with this name, such as F1[a], precision[a+b], F1[all but a]; None if none."""
    if name in ("MAE", "MAE-labels") and ordered(classes):
        return Metric(
            name="MAE-labels",
            label="MAE",
            what="mean absolute error of ordered labels, by their values",
            family=FAMILY,
            columns=COLUMNS,
            expand=partial(_errors, numbers=tuple(map(float, classes))),
            score=mean,
            higher_is_better=False,
            scale="",
        )
    return by_class.own_metric(name, classes, FAMILY, counts_of)
