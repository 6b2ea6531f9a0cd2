"""Asking the atlas: how large must a gain be, and what is a gain worth?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_named
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import count, plural
from nlpsig_core.significance.comparison.classes import COMPARISONS, DIFFERENT, INVALID
from nlpsig_core.significance.comparison.detectable import Aim, detectable_gain
from nlpsig_core.significance.comparison.notion import ALONE, SIDES, Notion
from nlpsig_core.significance.comparison.pair_table import POWER
from nlpsig_core.studies.atlas import words
from nlpsig_core.studies.atlas.model import TAILS, Model, Prediction, log_odds, model_of
from nlpsig_core.studies.atlas.names import check_gain, lower_is_better, metric_in
from nlpsig_core.studies.atlas.record import Record, record_of
from nlpsig_core.studies.atlas.rows import SHARES
from nlpsig_core.studies.atlas.shares import Shares, Worth, calibrated, curves_for, predicted_shares
from nlpsig_core.studies.atlas.store import Atlas, n_test_sets, unit_of

# About n units: at most this many times as many or as few. About a gain: within this share of it. About a score: its
# log odds within this, 66 to 84 for 76 and 97 to 99 for 98.
ABOUT_N, ABOUT_GAIN, ABOUT_SCORE = 1.5, 0.2, 0.5
# A share of observed pairs needs at least this number of pairs and test sets; otherwise the model answers.
FEWEST_PAIRS, FEWEST_SETS = 20, 3
# What can be asked: no test set is as large, and no score is printed with as many digits.
MOST_UNITS, SMALLEST_GAIN = 10**9, 1e-6
COMPARED = tuple(name for name in COMPARISONS if name != INVALID)


@dataclass(frozen=True, kw_only=True)
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
        if self.n > MOST_UNITS:
            raise ChoiceError(f"No test set has that many units; give at most {MOST_UNITS:,}")
        if self.gain is not None and not 0 < self.gain < math.inf:
            raise ChoiceError(f"The gain {self.gain:g} is not above 0; give the difference of the two scores")
        if self.gain is not None and self.gain < SMALLEST_GAIN:
            raise ChoiceError(f"The gain {self.gain:g} is too small to be measured; give at least {SMALLEST_GAIN:g}")
        if self.score is not None and not 0 <= self.score <= 100:
            raise ChoiceError(f"The score {self.score:g} is not between 0 and 100")
        check_named("comparison", self.comparison, COMPARED)
        self.notion.z()

    @property
    def notion(self) -> Notion:
        """Return what counts as significant."""
        return Notion(level=self.level, sides=self.sides, scope=ALONE)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the atlas knows of a question.

    ``share`` is that of pairs with about the gain that are significant, of observed ``pairs`` on ``test_sets``, or
    by the model if ``pairs`` is 0; ``low`` and ``high`` are its 90% interval on a new test set. All are NaN without a
    gain. ``threshold`` is the gain above which pairs are usually significant, with the same interval. Intervals are
    NaN if those of the metric did not hold on test sets left out. ``detectable_gain`` is the true gain found with 80%
    power, ``units`` the number that gives the user's gain this power (0 without a gain). ``notes`` are what to beware
    of.
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
    """Answer a question; ChoiceError lists the metrics of the atlas if it does not have this one."""
    asked = Asked(atlas, question)
    worth = asked.worth
    threshold_low, threshold, threshold_high = asked.thresholds(question.n)
    return Answer(
        metric=asked.metric,
        n=question.n,
        gain=math.nan if question.gain is None else question.gain,
        comparison=question.comparison,
        share=worth.share,
        low=worth.low,
        high=worth.high,
        pairs=len(worth.observed),
        test_sets=worth.test_sets,
        threshold=threshold,
        threshold_low=threshold_low,
        threshold_high=threshold_high,
        detectable_gain=float(detectable_gain(asked.error, question.level, question.sides, POWER)),
        units=asked.units,
        sentence=". ".join(filter(None, [asked.threshold_sentence, asked.gain_sentence])),
        notes=asked.notes,
    )


@dataclass(frozen=True, eq=False)
class Asked:
    """A question to an atlas, with what its answer rests on."""

    atlas: Atlas
    question: Question

    @cached_property
    def metric(self) -> str:
        """Return the name under which the atlas has the metric; ChoiceError without it, or for too large a gain."""
        metric = metric_in(self.atlas, self.question.metric)
        check_gain(metric, self.question.gain)
        return metric

    @property
    def signature(self) -> str:
        """Return one line that states the atlas and the question."""
        asked = vars(self.question) | {"metric": self.metric}
        given = {name: value for name, value in asked.items() if value is not None}
        texts = (f"{name}:{f'{value:g}' if isinstance(value, float) else value}" for name, value in given.items())
        return "|".join([self.atlas.recipe, *texts])

    @cached_property
    def model(self) -> Model:
        """Return the model that answers: the one that knows scores if the question has one."""
        return model_of(self.atlas, by_score=self.question.score is not None)

    @cached_property
    def prediction(self) -> Prediction:
        """Return the threshold of a new test set."""
        return self.model.predict(self.metric, self.question.comparison, self.question.score)

    @property
    def z(self) -> float:
        """Return the number of standard errors that counts as significant."""
        return self.question.notion.z()

    def thresholds(self, n: float) -> tuple[float, float, float]:
        """Return low end, centre and high end of the threshold on ``n`` units; ends are NaN where intervals fail."""
        low, centre, high = self.prediction.thresholds(np.array([TAILS[0], 0.5, TAILS[1]]), n, self.z).tolist()
        return (low, centre, high) if self.record.trusted else (math.nan, centre, math.nan)

    @cached_property
    def record(self) -> Record:
        """Return how many intervals of the metric held on test sets that were left out."""
        return record_of(self.atlas, self.metric, self.model.by_score)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Return all pairs by the metric and of the class, with a gain."""
        rows, question = self.atlas.rows, self.question
        wanted = (rows["metric"] == self.metric) & (rows["comparison"] == question.comparison) & (rows["gain"] > 0)
        p = "p_small_two_sided" if question.notion.two_sided else "p_value"
        return rows[wanted].assign(significant=rows.loc[wanted, p] < question.level)

    @property
    def score(self) -> float | None:
        """Return the score of the question, where it changes the answer."""
        return self.question.score if self.model.depends_on_score(self.metric) else None

    def near(self, gain: float) -> pd.DataFrame:
        """Return the pairs on about as many units with about the gain and score; none if they are too few to go by."""
        n, rows = self.question.n, self.rows
        about = rows["n"].between(n / ABOUT_N, n * ABOUT_N) & ((rows["gain"] / gain - 1).abs() <= ABOUT_GAIN)
        if self.score is not None:
            about &= np.abs(log_odds(rows["level"]) - log_odds(self.score)) <= ABOUT_SCORE
        near = rows[about]
        return near if len(near) >= FEWEST_PAIRS and n_test_sets(near) >= FEWEST_SETS else near.iloc[:0]

    @cached_property
    def curves(self) -> np.ndarray:
        """Return the curves of significant pairs that the answer rests on."""
        return curves_for(self.atlas.thresholds, self.metric, self.question.comparison)

    def worth_of(self, gain: float) -> Worth:
        """Return what a gain is worth; NaN without a curve of significant pairs."""
        predicted = predicted_shares(self.prediction, self.curves, np.array([gain]), self.question.n, self.z)
        expected = Shares(*(calibrated(part, self.atlas.tables["calibration"]) for part in predicted))
        observed = self.near(gain)
        share, low, high = (float(part[0]) for part in expected)
        if len(observed):
            share = float(observed["significant"].mean())
        if not self.record.trusted:
            low = high = math.nan
        else:
            low, high = min(low, share), max(high, share)
        return Worth(share=share, low=low, high=high, observed=observed, expected=expected)

    @cached_property
    def worth(self) -> Worth:
        """Return what the gain of the question is worth; NaN without a gain."""
        if self.question.gain is not None:
            return self.worth_of(self.question.gain)
        nothing = Shares(*np.full((3, 1), math.nan))
        return Worth(share=math.nan, low=math.nan, high=math.nan, observed=self.rows.iloc[:0], expected=nothing)

    @property
    def error(self) -> float:
        """Return the standard error to be expected of a pair whose gain is near the threshold."""
        threshold = self.thresholds(self.question.n)[1]
        half = np.median(self.curves[:, len(SHARES) // 2]) if len(self.curves) else 0.0
        return threshold / self.z * float(np.exp(half))

    @property
    def confidence(self) -> float:
        """Return 1 - p to be expected of a pair with the gain; NaN without a gain."""
        from scipy.special import ndtr

        return math.nan if self.question.gain is None else float(ndtr(self.question.gain / self.error))

    @property
    def units(self) -> int:
        """Return the number of units that find the gain, if it is true, with the POWER; 0 without a gain."""
        question = self.question
        if question.gain is None:
            return 0
        aim = Aim(gain=question.gain, level=question.level, power=POWER, sides=question.sides)
        return int(aim.needed(question.n, np.array([self.error]))[0])

    @property
    def unit(self) -> str:
        """Return the name of a unit."""
        return unit_of(self.atlas, self.metric)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what to beware of, the gravest first."""
        atlas, metric, question = self.atlas, self.metric, self.question
        notes = (
            words.taken_as(question.metric, metric),
            words.not_trusted(self.record, metric, record_of(atlas, metric, by_score=True)),
            words.by_speaker(metric, self.thresholds(question.n)[1]),
            words.rough(self.model, metric),
            words.few_test_sets(atlas, self.model, metric),
            words.disagreement(self.worth.expected) if self.worth.disagrees else "",
            words.other_size(atlas, metric, question.n, ABOUT_N),
            words.other_class(atlas, metric, question.comparison),
            words.unused_score(metric) if question.score != self.score else "",
        )
        return tuple(filter(None, notes))

    @property
    def threshold_sentence(self) -> str:
        """Return the threshold and its interval."""
        n = self.question.n
        where = [f"{n:,} {plural(n, self.unit)}", self._scores, self.question.comparison]
        return words.threshold_sentence(self.metric, ", ".join(filter(None, where)), self.thresholds(n))

    @property
    def gain_sentence(self) -> str:
        """Return how often the gain is significant; "" without a gain."""
        if self.question.gain is None:
            return ""
        gains = "reductions" if lower_is_better(self.metric) else "gains"
        near = f"{gains} near {words.in_points(self.metric, f'{self.question.gain:g}')}"
        return words.gain_sentence(" with ".join(filter(None, [near, self._scores])), self.worth)

    @property
    def _scores(self) -> str:
        return "" if self.score is None else f"scores near {self.score:g}"
