"""The setting of an estimator that is best on a development set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.reranking.candidates import Part
from nlpsig_core.laboratory.reranking.estimators import Estimator

# What the c of one class is multiplied with when each class has its own.
FACTORS = (0.25, 4.0)


class Tuned(NamedTuple):
    """The weights of some features (columns,) with the setting ``c`` that is best on dev, and their score there.

    ``chosen`` are the rows that they choose on dev.
    """

    weights: np.ndarray
    c: list[float]
    score: float
    chosen: np.ndarray


def tuned(estimator: Estimator, train: Part, dev: Part, columns: np.ndarray, class_of: np.ndarray) -> Tuned:
    """Return the weights of some features with the setting that is best on dev, the first of equals.

    ``columns`` are the features (ascending), of the classes ``class_of``, (columns,) each; there is a setting for each
    class. One value of the grid serves all classes first. Then the value of one class after another is multiplied with
    each of FACTORS, and kept where that is better on dev.
    """
    path = estimator.path(train, columns, estimator.grid, None)
    rows = dev.chosen_by_each(columns, np.stack(path, axis=1))
    scores = [dev.score(chosen) for chosen in rows]
    first = int(np.argmax(scores))
    most, best, chosen, classes = scores[first], path[first], rows[first], np.unique(class_of)
    c, place = np.full(len(classes), estimator.grid[first]), np.searchsorted(classes, class_of)
    if len(classes) < 2:
        return Tuned(best, c.tolist(), most, chosen)
    for changed in range(len(classes)):
        for factor in FACTORS:
            tried = np.where(np.arange(len(classes)) == changed, factor * c, c)
            (weights,) = estimator.path(train, columns, [tried[place]], best)
            rows = dev.chosen_by_each(columns, weights[:, None])
            if (score := dev.score(rows[0])) > most:
                most, best, chosen, c = score, weights, rows[0], tried
    return Tuned(best, c.tolist(), most, chosen)
