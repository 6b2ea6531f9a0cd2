"""Label sets: any number of labels an item. The statistics of a unit are both sets, by class."""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.metrics.base import Family, Metric, Ratio, own_notes
from nlpsig_core.data.metrics.items import by_class
from nlpsig_core.data.readers.items.items import Answers, Items

COLUMNS = ("gold", "predicted")


def count_sets(gold: Items, output: Answers) -> np.ndarray:
    """Return 1 for each class in the gold's set, then in the predicted one, (units, 2 * (K + 1)).

    Each half ends with the number of labels that the gold's K classes lack.
    """
    return np.concatenate([gold.answers, output.values], axis=1)


def count_missing(gold: Items) -> np.ndarray:
    """Return the statistics of an output without any answer: one label that the gold lacks in place of each."""
    missing = np.zeros_like(gold.answers)
    missing[:, -1] = 1
    return np.concatenate([gold.answers, missing], axis=1)


FAMILY = Family(
    name="label sets",
    version=1,
    reader="Label sets",
    columns=COLUMNS,
    by_class=True,
    match=Items.answers_of,
    count=count_sets,
    count_missing=count_missing,
    remarks=own_notes,
)


def _sets(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the gold's and the predicted sets, (outputs, units, K), and how many labels the gold lacks."""
    gold, predicted = np.split(values, 2, axis=-1)
    return gold[..., :-1] > 0, predicted[..., :-1] > 0, predicted[..., -1]


def of_classes(values: np.ndarray, classes: tuple[int, ...] = ()) -> np.ndarray:
    """Return the statistics of some classes (all by default), as ``by_class.table``."""
    gold, predicted, _ = _sets(values)
    chosen = list(classes or range(gold.shape[-1]))
    by_class.check_room(values, len(chosen))
    gold, predicted = gold[..., chosen], predicted[..., chosen]
    return by_class.table(gold & predicted, predicted, gold)


def sizes(values: np.ndarray) -> np.ndarray:
    """Return the number of labels of each unit that are correct, predicted, and in the gold, (outputs, units, 3).

    Labels that the gold lacks are predicted, and wrong.
    """
    gold, predicted, others = _sets(values)
    counts = (gold & predicted).sum(axis=-1), predicted.sum(axis=-1) + others, gold.sum(axis=-1)
    return np.stack(counts, axis=-1).astype(np.int32)


def equal(values: np.ndarray) -> np.ndarray:
    """Return whether both sets are equal, and 1."""
    correct, predicted, gold = np.moveaxis(sizes(values), -1, 0)
    is_right = (correct == predicted) & (correct == gold)
    return np.stack([is_right, np.ones_like(is_right)], axis=-1).view(np.uint8)


def shares(values: np.ndarray) -> np.ndarray:
    """Return F1, precision and recall of each unit, 0 where nothing is there to find, and 1."""
    correct, predicted, gold = np.moveaxis(sizes(values), -1, 0)
    parts = by_class.ratio(2 * correct, predicted + gold), by_class.ratio(correct, predicted)
    return np.stack([*parts, by_class.ratio(correct, gold), np.ones(correct.shape)], axis=-1)


def overlaps(values: np.ndarray) -> np.ndarray:
    """Return the share of the labels of either set that are in both, 0 for two empty sets, and 1."""
    correct, predicted, gold = np.moveaxis(sizes(values), -1, 0)
    return np.stack([by_class.ratio(correct, predicted + gold - correct), np.ones(correct.shape)], axis=-1)


def wrong(values: np.ndarray) -> np.ndarray:
    """Return the number of labels of each unit that only one set has, and the number of classes."""
    correct, predicted, gold = np.moveaxis(sizes(values), -1, 0)
    classes = values.shape[-1] // 2 - 1
    return np.stack([predicted + gold - 2 * correct, np.full(correct.shape, classes, dtype=np.int32)], axis=-1)


# Means of ``shares`` in percent, by name.
MEAN_SHARES = {
    "F1": Ratio((1, 0, 0, 0), (0, 0, 0, 1)),
    "precision": Ratio((0, 1, 0, 0), (0, 0, 0, 1)),
    "recall": Ratio((0, 0, 1, 0), (0, 0, 0, 1)),
}
COMPONENTS = {name: score for name, score in MEAN_SHARES.items() if name != "F1"}


def own_metric(name: str, classes: tuple[str, ...]) -> Metric | None:
    """Return the metric of these classes with this name, such as F1[a] or precision[a+b]; None if there is none."""
    return by_class.own_metric(name, classes, FAMILY, of_classes)
