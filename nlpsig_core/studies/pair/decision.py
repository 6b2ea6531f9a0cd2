"""Decisions on a candidate and a baseline: worse, not worse or undecided, each with a known chance of a false alarm.

*Worse*: the baseline is significantly better, by the p and the test of the pair. *Not worse*: the candidate is
significantly better; or, with a margin x, its gain is above -x by the interval that decides equivalence (a one-sided
test of gain <= -x at the level); or the two have the same statistics in every unit. A loss that is significant and
surely below the margin is not worse: nobody would mind it. Else it is *undecided*.

Equal systems are called worse with a probability of half the level at most (p is two-sided), and a candidate at the
margin not worse with the level at most. Several decisions are corrected by Holm: p, and the levels of the intervals
alike. All of them together are worse if one is, and not worse if all are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.detectable import SMALLEST_GAIN, Aim
from nlpsig_core.significance.comparison.notion import ALONE, Notion, holm
from nlpsig_core.significance.comparison.pair_table import POWER, corrected_bound
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER, UNDECIDED, WORSE
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample
from nlpsig_core.studies.pair.resampled import pair_alone

NOT_WORSE = "not worse"
# In the order in which one of several decides them all.
OUTCOMES = (WORSE, UNDECIDED, NOT_WORSE)


@dataclass(frozen=True, eq=False, kw_only=True)
class Compared:
    """A candidate and a baseline, tested as a pair: ``row`` is that of the pair table of these two alone.

    The scope of the ``notion`` is "alone": the pair was chosen before looking, so the other pairs do not matter.
    """

    candidate: str
    notion: Notion
    result: Bootstrap
    row: pd.Series

    @property
    def ahead(self) -> bool:
        """Whether the candidate has the better score."""
        return bool(self.row["system_a"] == self.candidate)

    @property
    def gain(self) -> float:
        """The candidate's gain over the baseline, below 0 where it is behind."""
        gain = float(self.row["gain"])
        return gain if self.ahead or not gain else -gain

    @property
    def significant(self) -> bool:
        """Whether one of the two is significantly better, without a correction."""
        return self.row["verdict"] in SEEN_FROM_THE_LOSER

    @property
    def identical(self) -> bool:
        """Whether the two have the same statistics in every unit."""
        return bool(self.row["differing"] == 0)

    def signed(self, low: float, high: float) -> tuple[float, float]:
        """Return the ends of an interval of the winner's gain as those of the candidate's."""
        ends = (low, high) if self.ahead else (0.0 - high, 0.0 - low)
        return float(ends[0]), float(ends[1])

    def bounds(self, level: float) -> tuple[float, float]:
        """Return what the candidate's gain is above and below, each at a one-sided level; NaN for too few units."""
        effective = np.array([self.row["effective"]])
        return self.signed(*self.result.equivalence_intervals(1 - 2 * level, effective)[0])

    def above_the_margin(self, level: float) -> bool:
        """Whether the gain is above minus the margin, if there is one, at a one-sided level."""
        return self.notion.within is not None and self.bounds(level)[0] > -self.notion.within


class Decision(NamedTuple):
    """An outcome, and whether it rests ``by_margin`` alone.

    ``p`` is that after Holm's correction, and ``p_bound`` what it is below (NaN: it is known); ``level`` is the one at
    which the gain was compared with the margin.
    """

    outcome: str
    by_margin: bool
    p: float
    p_bound: float
    level: float


def compared(
    stats: Sample,
    baseline: str,
    candidate: str,
    recipe: Resampling,
    notion: Notion = Notion(scope=ALONE),
    progress: Progress | None = None,
) -> Compared:
    """Return the test of two systems, with the numbers that they have in the table of all pairs."""
    result, pairs = pair_alone(stats, (baseline, candidate), recipe, notion, progress)
    return Compared(candidate=candidate, notion=notion, result=result, row=pairs.iloc[0])


def decide(family: Sequence[Compared]) -> list[Decision]:
    """Return the decisions on several tests, corrected by Holm; a single one needs no correction."""
    alone, known = np.array([(one.row["p"], one.row["p_bound"]) for one in family], dtype=float).T
    corrected, bounds = holm(alone), corrected_bound(holm, alone, known)
    levels, above = _above_the_margins(family)
    decisions = []
    for one, p, bound, level, is_above in zip(family, corrected, bounds, levels, above, strict=True):
        significant = one.significant and p < one.notion.level
        passed = one.identical or (significant and one.ahead)
        outcome = NOT_WORSE if passed or is_above else WORSE if significant else UNDECIDED
        decisions.append(Decision(outcome, bool(is_above and not passed), float(p), float(bound), float(level)))
    return decisions


def _above_the_margins(family: Sequence[Compared]) -> tuple[np.ndarray, np.ndarray]:
    """Return the level at which each gain was compared with its margin, and whether it is above: Holm's steps."""
    above, levels = np.zeros(len(family), dtype=bool), np.empty(len(family))
    while not above.all():
        left = np.flatnonzero(~above).tolist()
        levels[left] = family[0].notion.level / len(left)
        more = [place for place in left if family[place].above_the_margin(levels[place])]
        if not more:
            break
        above[more] = True
    return levels, above


def combined(outcomes: Iterable[str]) -> str:
    """Return the outcome of several decisions: worse if one is, not worse if all are."""
    found = set(outcomes)
    return next(outcome for outcome in OUTCOMES if outcome in found)


def units_to_decide(one: Compared, n_units: int, of: int = 1) -> float:
    """Return the number of units that would decide the pair with a power of POWER; NaN if no number can be named.

    It is that for the observed gain to be significant: without a margin, ``needed`` of the pair table. With one, it is
    that for a loss to be significant or for the gain to be above minus the margin, whichever are fewer, if the true
    gain is the observed one, but not above 0. ``of`` decisions are corrected for. NaN, too, if no resample changes the
    gain, or no more than ``n_units`` would do: where systems differ in few units, standard errors are too small.
    """
    gain, error, notion = one.gain, np.array(float(one.row["standard_error"])), one.notion
    sought = [(abs(gain), notion.sides)]
    if notion.within is not None:
        sought = [(-gain, notion.sides), (notion.within + min(gain, 0.0), "one")]
    needed = min(
        (
            float(Aim(found, level=notion.level / of, power=POWER, sides=sides).needed(n_units, error))
            for found, sides in sought
            if found >= SMALLEST_GAIN and error > 0
        ),
        default=np.nan,
    )
    return needed if needed > n_units else np.nan
