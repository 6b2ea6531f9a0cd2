"""The verdict on a pair in one line: better, equivalent or undecided, by a notion of significance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from nlpsig_core.comparison.notion import ADJUSTMENTS, HOLM, NONE, USUAL, Notion
from nlpsig_core.comparison.pair_table import speaks_against
from nlpsig_core.comparison.results import Results
from nlpsig_core.paired_tests.equivalence import equivalent
from nlpsig_core.resampling.bootstrap import Bootstrap
from nlpsig_core.stats.sample import Sample
from nlpsig_core.words import count, p_text

BETTER, WORSE, EQUIVALENT, UNDECIDED = "better", "worse", "equivalent", "undecided"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer to the question whether a gain is significant.

    ``word`` begins its line, ``symbol`` stands for it in tables, ``colour`` is the name of a colour of the app.
    """

    name: str
    word: str
    symbol: str
    colour: str


ANSWERS: dict[str, Answer] = {
    BETTER: Answer(name=BETTER, word="Yes", symbol="▲", colour="green"),
    # Better, seen from the loser: against a baseline.
    WORSE: Answer(name=WORSE, word="Yes", symbol="▼", colour="red"),
    EQUIVALENT: Answer(name=EQUIVALENT, word="Equivalent", symbol="=", colour="blue"),
    UNDECIDED: Answer(name=UNDECIDED, word="Undecided", symbol="?", colour="orange"),
}


def verdicts(pairs: pd.DataFrame, same: np.ndarray) -> np.ndarray:
    """The verdict on each pair, (m,): better, equivalent or undecided.

    Better if significant in favour of the winner, else equivalent if ``same``, else undecided.
    """
    better = pairs["significant"] & ~speaks_against(pairs["p_value"], pairs["p_two_sided"])
    return np.select([better.to_numpy(dtype=bool), same], [BETTER, EQUIVALENT], UNDECIDED)


def with_symbols(names: Iterable[str]) -> list[str]:
    """Verdicts by name with their symbols, such as "▲ better"; other texts, such as "baseline", as they are."""
    return [f"{ANSWERS[name].symbol} {name}" if name in ANSWERS else name for name in names]


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The gain ``within`` which two systems count as equivalent, and the ``low`` and ``high`` end of the interval.

    The interval of the gain is that of level 1 - 2 times the notion's level (``level``); equivalent systems have it
    inside these bounds.
    """

    within: float
    low: float
    high: float
    level: float

    @classmethod
    def of(cls, result: Bootstrap, pair: int, within: float, level: float) -> Bounds:
        """The bounds for a pair of a bootstrap, by index, at a notion's level; ChoiceError as in ``equivalent``."""
        equivalent(result, within, level)
        low, high = result.gain_intervals(1 - 2 * level)[pair]
        return cls(within=within, low=float(low), high=float(high), level=1 - 2 * level)

    @property
    def inside(self) -> bool:
        """Whether the interval is inside the bounds."""
        return -self.within < self.low and self.high < self.within


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """The verdict on a pair, from its ``row`` of the pair table, which follows the ``notion``.

    ``n_pairs`` is the number of pairs behind ``p_holm`` of the row (1: not shown). ``n_resamples`` is that behind p (0:
    a formula). ``bounds`` is None if equivalence was not asked for. ``carried`` is the number of units without which
    the gain is not significant (None: unknown).
    """

    row: pd.Series
    notion: Notion
    stats: Sample
    n_pairs: int = 1
    n_resamples: int = 0
    decimals: int = 2
    bounds: Bounds | None = None
    carried: int | None = None

    @property
    def answer(self) -> Answer:
        """The entry of ANSWERS."""
        same = np.array([self.bounds is not None and self.bounds.inside])
        return ANSWERS[str(verdicts(self.row.to_frame().T.infer_objects(), same)[0])]

    @property
    def word(self) -> str:
        """The answer: "Yes", "Equivalent within 0.50 LAS", "Undecided"."""
        of = self.answer
        if self.bounds is None or of.name != EQUIVALENT:
            return of.word
        return f"{of.word} within {self._gain(self.bounds.within)}"

    @property
    def reason(self) -> str:
        """The reason as a sentence: gain, p, level, adjustment, and what the answer rests on."""
        parts = [self._of_gain(), self._of_p(), self._of_bounds()]
        if self.carried and self.answer.name == BETTER:
            parts.append(f"rests on {self.carried:,} of {count(self.stats.n_units, self.stats.unit)}")
        return "; ".join(filter(None, parts)) + "."

    @property
    def line(self) -> str:
        """The verdict in one line."""
        return f"{self.word}: {self.reason}"

    def _gain(self, gain: float) -> str:
        return f"{gain:.{self.decimals}f} {self.stats.metric.label}"

    def _of_gain(self) -> str:
        a, b, gain = self.row["system_a"], self.row["system_b"], self.row["gain"]
        if gain <= 0:
            return f"{a} and {b} have the same score"
        return f"{a} {'beats' if self.answer.name == BETTER else 'is ahead of'} {b} by {self._gain(gain)}"

    def _of_p(self) -> str:
        """The p that decides beside the level, and p after Holm where rankings alone are adjusted by it."""
        notion, row, level = self.notion, self.row, f"{self.notion.level:g}"
        # "p < 0.0001, below 0.05" where p is a bound.
        below = f", below {level}" if p_text(row["p_decided"], self.n_resamples).startswith("<") else f" < {level}"
        reached = below if row["significant"] else f", not below {level}"
        if row["significant"] and speaks_against(row["p_value"], row["p_two_sided"]):
            reached += f" in favour of {row['system_b']} by the test's own statistic"
        unadjusted = f"{notion.p} {self._p(row['p_unadjusted'])}"
        if notion.for_pairs != NONE:
            adjusted = f"after {ADJUSTMENTS[notion.for_pairs]} over {count(self.n_pairs, 'pair')}"
            return f"{unadjusted}, {adjusted} p {self._p(row['p_decided'])}{reached}"
        if notion.adjust != USUAL or not notion.two_sided or self.n_pairs < 2:
            return f"{unadjusted}{reached}"
        adjusted = f"after {ADJUSTMENTS[HOLM]} over {count(self.n_pairs, 'pair')}"
        return f"{unadjusted}{reached}, {adjusted} p {self._p(row['p_holm'])}"

    def _p(self, p: float) -> str:
        text = p_text(p, self.n_resamples)
        return text if text.startswith("<") else f"= {text}"

    def _of_bounds(self) -> str:
        if self.bounds is None:
            return ""
        of, digits = self.bounds, self.decimals
        interval = f"the {100 * of.level:.3g}% interval of the gain, {of.low:.{digits}f} to {of.high:.{digits}f}"
        if self.answer.name == BETTER:
            return f"yet equivalent within {self._gain(of.within)}: {interval}, is inside" if of.inside else ""
        return f"{interval}, {'is inside' if of.inside else 'extends beyond'} ±{self._gain(of.within)}"


def on_best_two(results: Results, ranking: pd.DataFrame, notion: Notion, decimals: int = 2) -> Verdict:
    """The verdict on the first two systems of a ranking, with p adjusted as the notion adjusts rankings."""
    of_rankings = replace(notion, adjust=notion.for_ranking)
    pairs, names, stats = results.pairs(of_rankings), list(ranking["system"].head(2)), results.selection.stats
    return Verdict(
        row=pairs[pairs["system_a"].isin(names) & pairs["system_b"].isin(names)].iloc[0], notion=of_rankings,
        stats=stats, n_pairs=stats.n_pairs, n_resamples=results.recipe.n_resamples, decimals=decimals,
    )  # fmt: skip
