"""Asking the atlas: how large must a gain be, and what is a gain worth?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from nlpsig_core.atlas.model import FEW, LEVEL, SHARED, Model, Prediction, model_of
from nlpsig_core.atlas.shares import TAILS, Foretold, calibrated, curves_for, foretold
from nlpsig_core.atlas.store import Atlas
from nlpsig_core.atlas.thresholds import SHARES
from nlpsig_core.comparison.classes import COMPARISONS, DIFFERENT, INVALID
from nlpsig_core.comparison.detectable import Aim, detectable_gain
from nlpsig_core.comparison.notion import NONE, SIDES, Notion
from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics import METRICS
from nlpsig_core.words import count, plural, share

# About n units: at most this many times as many or as few. About a gain: within this share of it.
ABOUT_N, ABOUT_GAIN = 1.5, 0.2
# A share of observed pairs rests on at least so many of at least so many test sets; the model answers otherwise.
FEWEST_PAIRS, FEWEST_SETS = 20, 3
POWER = 0.8
COMPARED = tuple(name for name in COMPARISONS if name != INVALID)


@dataclass(frozen=True)
class Question:
    """How large must a gain in a ``metric`` be on a test set of ``n`` units, and what is this ``gain`` worth?

    ``comparison`` is the class of the pair, ``level`` and ``sides`` say what counts as significant (unadjusted), and
    ``score`` is about what both systems score, from 0 to 100.
    """

    metric: str
    n: int
    gain: float | None = None
    comparison: str = DIFFERENT
    level: float = 0.05
    sides: str = SIDES[0]
    score: float | None = None

    def __post_init__(self) -> None:
        if self.n < 2:
            raise ChoiceError(f"A test set of {count(self.n, 'unit')} cannot be resampled; give 2 or more")
        if self.gain is not None and not 0 < self.gain < math.inf:
            raise ChoiceError(f"The gain {self.gain:g} is not above 0; give the difference of the two scores")
        if self.score is not None and not 0 <= self.score <= 100:
            raise ChoiceError(f"The score {self.score:g} is not between 0 and 100")
        if self.comparison not in COMPARED:
            raise ChoiceError.unknown("comparison", self.comparison, COMPARED)
        self.notion.z()

    @property
    def notion(self) -> Notion:
        """What counts as significant."""
        return Notion(level=self.level, sides=self.sides, adjust=NONE)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the atlas knows of a question.

    ``share`` is that of pairs with about the gain that are significant, of observed ``pairs`` on ``test_sets``, or
    by the model if ``pairs`` is 0; ``low`` and ``high`` are its 90% interval on a new test set. All are NaN without a
    gain. ``threshold`` is the gain above which pairs are usually significant, with the same interval.
    ``detectable_gain`` is the true gain found with 80% power, ``units`` the number that gives the user's gain this
    power (0 without a gain). ``notes`` are what to beware of.
    """

    metric: str
    n: int
    gain: float
    comparison: str
    share: float
    low: float
    high: float
    pairs: int
    test_sets: int
    threshold: float
    threshold_low: float
    threshold_high: float
    detectable_gain: float
    units: int
    sentence: str
    notes: tuple[str, ...]


def ask(atlas: Atlas, question: Question) -> Answer:
    """The answer to a question; ChoiceError lists the metrics of the atlas if it does not have this one."""
    asked = Asked(atlas, question)
    seen, (low, high) = asked.near, asked.interval
    value = asked.share
    threshold_low, threshold, threshold_high = asked.thresholds(question.n)
    return Answer(
        metric=asked.metric, n=question.n, gain=math.nan if question.gain is None else question.gain,
        comparison=question.comparison, share=value, low=low, high=high,
        pairs=len(seen), test_sets=_sets(seen), threshold=threshold, threshold_low=threshold_low,
        threshold_high=threshold_high,
        detectable_gain=float(detectable_gain(asked.error, question.level, question.sides, POWER)),
        units=asked.units, sentence=asked.sentence, notes=asked.notes,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Asked:
    """A question to an atlas, with what its answer rests on."""

    atlas: Atlas
    question: Question

    @cached_property
    def metric(self) -> str:
        """The name under which the atlas has the metric; ChoiceError if it does not."""
        return metric_in(self.atlas, self.question.metric)

    @cached_property
    def model(self) -> Model:
        """The model that answers: with the level of scores if the question has a score."""
        return model_of(self.atlas, by_level=self.question.score is not None)

    @cached_property
    def prediction(self) -> Prediction:
        """The threshold of a new test set."""
        return self.model.predict(self.metric, self.question.comparison, self.question.score)

    @property
    def z(self) -> float:
        """The number of standard errors that counts as significant."""
        return self.question.notion.z()

    def thresholds(self, n: float) -> tuple[float, float, float]:
        """Low end, centre and high end of the threshold on ``n`` units."""
        low, centre, high = self.prediction.thresholds(np.array([TAILS[0], 0.5, TAILS[1]]), n, self.z).tolist()
        return low, centre, high

    @cached_property
    def rows(self) -> pd.DataFrame:
        """All pairs by the metric and of the class, with a gain."""
        rows = self.atlas.rows
        wanted = (rows["metric"] == self.metric) & (rows["comparison"] == self.question.comparison) & (rows["gain"] > 0)
        return rows[wanted].assign(significant=lambda of: self._significant(of))

    def _significant(self, rows: pd.DataFrame) -> pd.Series:
        p = "p_small_two_sided" if self.question.notion.two_sided else "p_value"
        return rows[p] < self.question.level

    @cached_property
    def near(self) -> pd.DataFrame:
        """The pairs on about as many units with about the gain; none if they are too few to go by."""
        gain, n, rows = self.question.gain, self.question.n, self.rows
        if gain is None:
            return rows.iloc[:0]
        found = rows[rows["n"].between(n / ABOUT_N, n * ABOUT_N) & ((rows["gain"] / gain - 1).abs() <= ABOUT_GAIN)]
        return found if len(found) >= FEWEST_PAIRS and _sets(found) >= FEWEST_SETS else found.iloc[:0]

    @cached_property
    def curves(self) -> np.ndarray:
        """The curves of significant pairs that the answer rests on."""
        return curves_for(self.atlas.thresholds, self.metric, self.question.comparison)

    @cached_property
    def foretold(self) -> Foretold:
        """The share that is significant on a new test set, at the gain."""
        gains = np.array([self.question.gain or math.nan])
        return foretold(self.prediction, self.curves, gains, self.question.n, self.z)

    @property
    def share(self) -> float:
        """The share of pairs with the gain that are significant: of those observed, else the model's, calibrated."""
        if len(self.near):
            return float(self.near["significant"].mean())
        return float(calibrated(self.foretold.share, self.atlas.tables["calibration"])[0])

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the share on a new test set; it holds the share that was observed."""
        low, high = float(self.foretold.low[0]), float(self.foretold.high[0])
        return min(low, self.share), max(high, self.share)

    @property
    def error(self) -> float:
        """The standard error to be expected of a pair whose gain is near the threshold."""
        threshold = self.thresholds(self.question.n)[1]
        half = np.median(self.curves[:, len(SHARES) // 2]) if len(self.curves) else 0.0
        return threshold / self.z * float(np.exp(half))

    @property
    def units(self) -> int:
        """The number of units that find the gain, if it is true, with the POWER; 0 without a gain."""
        question = self.question
        if question.gain is None:
            return 0
        aim = Aim(gain=question.gain, level=question.level, power=POWER, sides=question.sides)
        return int(aim.needed(question.n, np.array([self.error]))[0])

    @property
    def unit(self) -> str:
        """The name of a unit."""
        units = self.atlas.parts["unit"][self.atlas.parts["metric"] == self.metric]
        return str(units.mode().iloc[0])

    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
        question, units = self.question, f"{self.question.n:,} {plural(self.question.n, self.unit)}"
        low, centre, high = (f"{value:.2f}" for value in self.thresholds(question.n))
        if question.gain is None:
            return (
                f"On {units}, a gain in {self.metric} of {centre} is usually significant ({question.comparison}; on a "
                f"new test set {low} to {high})"
            )
        expected = f"on a new test set {share(self.interval[0])} to {share(self.interval[1])}"
        if len(self.near):
            return (
                f"Of {count(len(self.near), 'pair')} of {self.metric} on about {units} with a gain near "
                f"{question.gain:g}, {share(self.share)} were significant "
                f"({count(_sets(self.near), 'test set')}; {expected})"
            )
        return (
            f"Of pairs of {self.metric} on {units} with a gain near {question.gain:g}, about {share(self.share)} "
            f"should be significant: too few test sets have such pairs, so the model answers ({expected})"
        )

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What to beware of."""
        return tuple(filter(None, (self._few_test_sets, self._other_size, self._other_class, self._no_level)))

    @property
    def _few_test_sets(self) -> str:
        sets = self.model.test_sets(self.metric)
        few = f"the atlas has {count(sets, 'test set')} with {self.metric}, too few to show how far they spread"
        return f"{few}; the spread of other metrics is used" if sets < FEW else ""

    @property
    def _other_size(self) -> str:
        n, sizes = self.question.n, self.atlas.parts["n"][self.atlas.parts["metric"] == self.metric]
        if sizes.min() / ABOUT_N <= n <= sizes.max() * ABOUT_N:
            return ""
        seen = f"the atlas's test sets have {sizes.min():,} to {sizes.max():,} {self.unit}s"
        return f"{seen}; for other sizes thresholds are assumed to fall with sqrt(n)"

    @property
    def _other_class(self) -> str:
        known = self.atlas.thresholds
        classes = set(known["comparison"][known["metric"] == self.metric])
        if self.question.comparison in classes:
            return ""
        unseen = f"the atlas has no threshold of {self.metric} for the class {self.question.comparison!r}"
        return f"{unseen}; the difference between classes is that of other metrics"

    @property
    def _no_level(self) -> str:
        slopes = self.model.effects["kind"].isin([LEVEL, SHARED])
        return "" if self.question.score is None or slopes.any() else "the atlas cannot tell what the score changes"


def metric_in(atlas: Atlas, name: str) -> str:
    """The atlas's name of a metric that is given by label or full name; ChoiceError lists those that it has."""
    known = list(dict.fromkeys(atlas.thresholds["metric"].astype(str)))
    if name in known:
        return name
    full = atlas.parts.groupby("name")["metric"].first()
    labelled = {str(full[one]) for one in full.index if name in (one, METRICS[one].label if one in METRICS else one)}
    if len(found := labelled & set(known)) == 1:
        return found.pop()
    raise ChoiceError.unknown("metric in the atlas", name, known)


def _sets(rows: pd.DataFrame) -> int:
    """The number of test sets among some rows."""
    return len(rows[["task", "test_set"]].drop_duplicates())
