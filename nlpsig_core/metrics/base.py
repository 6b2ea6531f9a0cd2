"""What a metric is: sufficient statistics of a unit, and the score of their sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Score = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Family:
    """Metrics whose statistics are counted together.

    ``count(gold, output)`` gives whole numbers, (units, columns); ``count_missing(gold)`` gives those of a
    system without valid output. ``version`` changes whenever a count may change.
    """

    name: str
    version: int
    reader: str
    columns: tuple[str, ...]
    count: Callable[[Any, Any], np.ndarray]
    count_missing: Callable[[Any], np.ndarray]


@dataclass(frozen=True)
class Metric:
    """A metric: which columns of its family it needs, and ``score(totals (..., k)) -> (...)`` in percent.

    ``label`` is its name within an edition of the evaluation; ``editions`` is empty where there is but one
    definition. ``parts`` are further scores of the same totals, such as precision and recall.
    """

    name: str
    label: str
    what: str
    family: Family
    columns: tuple[str, ...]
    score: Score
    parts: Mapping[str, Score]
    editions: tuple[str, ...] = ()
    higher_is_better: bool = True


def f1(totals: np.ndarray) -> np.ndarray:
    """F1 in percent of totals (..., 3): correct, predicted, gold; 0 where there is nothing at all."""
    correct, predicted, gold = np.moveaxis(totals, -1, 0)
    return 100 * 2 * correct / np.maximum(predicted + gold, 1)


def precision(totals: np.ndarray) -> np.ndarray:
    """Share of the predicted that is correct, in percent; totals as for ``f1``."""
    return 100 * totals[..., 0] / np.maximum(totals[..., 1], 1)


def recall(totals: np.ndarray) -> np.ndarray:
    """Share of the gold that is found, in percent; totals as for ``f1``."""
    return 100 * totals[..., 0] / np.maximum(totals[..., 2], 1)
