"""What a metric is: sufficient statistics of a unit, and the score of their sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Score = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Family:
    """Metrics whose statistics are counted together.

    ``count(gold, output)`` gives (units, columns): whole numbers, or real ones (NaN where a unit has none)
    where not ``whole``. ``count_missing(gold)`` gives those of a system without valid output, for no credit
    at all; it is None where there is no such thing. ``remarks(gold, output)`` says what else is to be known
    of an output. ``version`` changes whenever a count or a remark may change, also with the libraries that
    count. ``costly`` counts are made in processes of their own.
    """

    name: str
    version: int | str
    reader: str
    columns: tuple[str, ...]
    count: Callable[[Any, Any], np.ndarray]
    count_missing: Callable[[Any], np.ndarray] | None
    remarks: Callable[[Any, Any], list[str]] | None = None
    whole: bool = True
    costly: bool = False


@dataclass(frozen=True)
class Metric:
    """A metric: which columns of its family it needs, and ``score(totals (..., k)) -> (...)``.

    ``label`` is its name within an edition of the evaluation; ``editions`` is empty where there is but one
    definition. ``parts`` are further scores of the same totals, such as precision and recall. ``scale`` is
    what scores are measured in; ``details`` are what a signature says of the definition. ``unit_score`` is the
    score of one unit alone where that is another than ``score``.
    """

    name: str
    label: str
    what: str
    family: Family
    columns: tuple[str, ...]
    score: Score
    parts: Mapping[str, Score] = field(default_factory=dict)
    editions: tuple[str, ...] = ()
    higher_is_better: bool = True
    scale: str = "%"
    details: Mapping[str, object] = field(default_factory=dict)
    unit_score: Score | None = None

    @property
    def sign(self) -> float:
        """1 where a higher score is better, else -1: times it, a gain is always a difference to the better."""
        return 1.0 if self.higher_is_better else -1.0

    @property
    def axis(self) -> str:
        """The metric as the title of an axis: what it is measured in, and its good direction where that is down."""
        more = [self.scale] if self.scale else []
        more += [] if self.higher_is_better else ["lower is better"]
        return f"{self.label} ({', '.join(more)})" if more else self.label

    @property
    def gain(self) -> str:
        """What a gain is: more of the metric, or less of it."""
        return f"gain in {self.label}" + ("" if self.higher_is_better else ", a reduction")

    @property
    def gain_axis(self) -> str:
        """The gain as the title of an axis; gains of percentages are points."""
        scale = "points" if self.scale == "%" else self.scale
        return f"{self.gain} ({scale})" if scale else self.gain


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


def share(totals: np.ndarray) -> np.ndarray:
    """The first as a share of the second, in percent, of totals (..., 2); 0 where there is nothing."""
    return 100 * totals[..., 0] / np.maximum(totals[..., 1], 1)


def mean(totals: np.ndarray) -> np.ndarray:
    """The mean of totals (..., 2): sum and number; 0 where there is nothing."""
    return totals[..., 0] / np.maximum(totals[..., 1], 1)


def of_unit(totals: np.ndarray, score: Score = f1, full: float = 100.0) -> np.ndarray:
    """The score of a unit alone, with ``full`` marks where nothing is to be found and nothing was predicted.

    So who predicts something there loses the unit to who does not. ``totals`` are as for the score.
    """
    return np.where(totals.any(axis=-1), score(totals), full)
