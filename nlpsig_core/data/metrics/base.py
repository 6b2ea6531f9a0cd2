"""Metrics: the sufficient statistics of one unit, and the score of their sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Protocol

import numpy as np

Score = Callable[[np.ndarray], np.ndarray]
# From values of units, (outputs, units, k), to statistics, (outputs, units, m).
Expand = Callable[[np.ndarray], np.ndarray]
# Where words are compared each with each (ROUGE-L, stretches of multiword tokens), this many pairs of words take two
# seconds and 150 MB.
MOST_PAIRS = 4_000_000


class WeightedScore(Protocol):
    """The score of each output in a sample, by how often each unit was drawn."""

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        """Return the score of each output in each sample, (outputs, rows), for weights (rows, units)."""

    def gradient(self) -> np.ndarray:
        """Return the slope of each output's score in each unit's weight, (outputs, units), where all weights are 1."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """Metrics of one format whose statistics are counted together.

    ``count(gold, output)`` returns (units, columns): integers if ``whole``, else reals, with NaN for a unit that
    has no score. ``count_missing(gold)`` returns the statistics of an invalid or missing output, which must score
    as if nothing had been predicted; None means that no such statistics exist. ``remarks(gold, output)`` returns
    notes about an output for the user. If ``match`` is given, both take what ``match(gold, output)`` returns in place
    of the output. ``by_class`` columns exist once for each class of the gold, and once for all other labels. Increase
    ``version`` whenever a count or a remark may change, and include the versions of libraries that do the counting:
    cached counts of other versions are ignored. ``costly`` counts run in separate processes. ``answers`` means that
    several runs are repeated answers to the same questions, which vary independently from one unit to the next.
    ``sparse`` counts usually lack units, which are left out for all systems unless another treatment is chosen.
    """

    name: str
    version: int | str
    reader: str
    columns: tuple[str, ...]
    count: Callable[[Any, Any], np.ndarray]
    count_missing: Callable[[Any], np.ndarray] | None = None
    remarks: Callable[[Any, Any], list[str]] | None = None
    whole: bool = True
    costly: bool = False
    answers: bool = False
    sparse: bool = False
    by_class: bool = False
    match: Callable[[Any, Any], Any] | None = None

    def columns_for(self, classes: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of counts on a gold with these classes: "gold[a]", "gold[b]", "gold[]"."""
        if not self.by_class:
            return self.columns
        return tuple(f"{column}[{name}]" for column in self.columns for name in (*classes, ""))


# What registries hold has names, since lambdas cannot be pickled.
def own_notes(gold: Any, output: Any) -> list[str]:
    """Return the remarks on an output whose reader made all of them."""
    return list(output.notes)


def no_caution(statistics: np.ndarray, systems: Sequence[str]) -> str:
    """Return no warning, of any statistics."""
    return ""


def _fits_all(classes: tuple[str, ...]) -> bool:
    return True


def _no_score(totals: np.ndarray) -> np.ndarray:
    raise TypeError("a score of the weighted sample is no function of totals")


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric: the columns of its family that it needs, and ``score(totals (..., k)) -> (...)``.

    ``what`` describes the metric in a few words. ``label`` is its name within an edition of the evaluation (default:
    ``name``); ``editions`` is empty if there is only one definition. ``components`` are further scores of the same
    totals, such as precision and recall. ``scale`` is the unit of measurement of scores; ``details`` are the fields
    that signatures add for this metric. ``unit_score`` scores a single unit if ``score`` does not fit one; a metric
    that is not ``by_unit`` has no score of a single unit. A score that is a ``Ratio`` is resampled by faster loops.

    If units have values in place of statistics, such as two labels, ``expand(values (outputs, units, k))`` returns the
    statistics (outputs, units, m) whose totals are scored. A score that depends on the order of values is no function
    of totals: ``sample(values)`` returns it as a function of how often each unit was drawn, and ``score`` is not used.
    ``caution(statistics (outputs, units, m), systems (outputs))`` warns of statistics for which p or intervals were
    measured to be wrong, or by which a system wins that is not better.
    ``fits(classes)`` tells whether a gold with these classes offers the metric.
    """

    name: str
    label: str = ""
    what: str
    family: Family
    columns: tuple[str, ...]
    score: Score = _no_score
    components: Mapping[str, Score] = field(default_factory=dict, hash=False)
    editions: tuple[str, ...] = ()
    higher_is_better: bool = True
    scale: str = "%"
    details: Mapping[str, object] = field(default_factory=dict, hash=False)
    unit_score: Score | None = None
    by_unit: bool = True
    expand: Expand | None = None
    sample: Callable[[np.ndarray], WeightedScore] | None = None
    caution: Callable[[np.ndarray, Sequence[str]], str] = no_caution
    fits: Callable[[tuple[str, ...]], bool] = _fits_all

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name)
        object.__setattr__(self, "by_unit", self.by_unit and self.sample is None)

    def places(self, columns: Sequence[str]) -> list[int]:
        """Return where the metric's columns are among those of counts (``Family.columns_for``)."""
        names = [column.partition("[")[0] for column in columns]
        return [place for own in self.columns for place, name in enumerate(names) if name == own]

    @property
    def sign(self) -> float:
        """1 if a higher score is better, else -1; multiplied by it, score differences are positive for the better."""
        return 1.0 if self.higher_is_better else -1.0

    @property
    def axis(self) -> str:
        """The title of an axis of scores: label, scale, and the good direction if lower is better."""
        more = [self.scale] if self.scale else []
        more += [] if self.higher_is_better else ["lower is better"]
        return f"{self.label} ({', '.join(more)})" if more else self.label

    @property
    def gain_word(self) -> str:
        """What a gain is called: a reduction if lower is better."""
        return "gain" if self.higher_is_better else "reduction"

    @property
    def gain(self) -> str:
        """The name of a gain: "gain in LAS" or "reduction in AER"."""
        return f"{self.gain_word} in {self.label}"

    @property
    def gain_unit(self) -> str:
        """What follows the number of a gain: "points" of percentages in plain words, else the label ("0.50 LAS").

        A label of several words has "in" before it ("0.057 in main score").
        """
        if self.scale == "%" and self.label.islower():
            return "points"
        return f"in {self.label}" if " " in self.label else self.label

    @property
    def gain_axis(self) -> str:
        """The title of an axis of gains; gains in percentages are points."""
        scale = "points" if self.scale == "%" else self.scale
        return f"{self.gain} ({scale})" if scale else self.gain


@dataclass(frozen=True)
class Ratio:
    """A score that is a ratio of two sums of totals (..., k): ``offset + scale * part / whole``.

    ``part`` and ``whole`` are the weight of each of the k totals. A whole below 1 counts as 1, so that the ratio of
    0 to 0 is 0.
    """

    part: tuple[int, ...]
    whole: tuple[int, ...]
    scale: float = 100
    offset: float = 0

    def __call__(self, totals: np.ndarray) -> np.ndarray:
        """Return the score, (...), of totals (..., k)."""
        part, whole = self.sums(totals)
        score: np.ndarray = self.offset + self.scale * part / np.maximum(whole, 1)
        return score

    def sums(self, totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the part and the whole, (...) each, of totals (..., k)."""
        return _weighted(self.part, totals), _weighted(self.whole, totals)


def _weighted(weights: tuple[int, ...], totals: np.ndarray) -> np.ndarray:
    columns = zip(weights, np.moveaxis(totals, -1, 0), strict=True)
    return reduce(np.add, (column if weight == 1 else weight * column for weight, column in columns if weight))


def only(counts: np.ndarray, columns: Sequence[bool]) -> np.ndarray:
    """Return counts (units, columns) with all but the marked columns set to 0."""
    result: np.ndarray = counts * np.array(columns)
    return result


# In percent, of totals (..., 3): correct, predicted, gold.
precision = Ratio((1, 0, 0), (0, 1, 0))
recall = Ratio((1, 0, 0), (0, 0, 1))
f1 = Ratio((2, 0, 0), (0, 1, 1))
F1_COMPONENTS = {"precision": precision, "recall": recall, "f1": f1}
# Of totals (..., 2), such as the sum and the number of values: the share in percent, and the mean.
share = Ratio((1, 0), (0, 1))
mean = Ratio((1, 0), (0, 1), scale=1)


def of_unit(totals: np.ndarray, score: Score = f1, full: float = 100.0) -> np.ndarray:
    """Return the score of single units; ``full`` for a unit with nothing to predict and nothing predicted.

    A system that predicts something in such a unit therefore loses it to a system that does not. ``totals`` are as
    for ``score``.
    """
    return np.where(totals.any(axis=-1), score(totals), full)
