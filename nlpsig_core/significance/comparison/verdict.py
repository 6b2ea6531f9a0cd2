"""ANSWERS, every answer to whether a pair differs, and the verdict on a pair in one sentence, alike everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import check_columns
from nlpsig_core.base.words import LEVEL, capital, count, p_text, rounded_up
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.significance.comparison.classes import INVALID
from nlpsig_core.significance.comparison.notion import ALONE, BOOTSTRAP, CORRECTED, Notion
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.runs import draws_runs
from nlpsig_core.significance.stats.array import Sample

BETTER, ON_ITS_OWN, EQUIVALENT, UNDECIDED = "better", "better on its own", "equivalent", "undecided"
# Better, seen from the loser: against a baseline.
WORSE, WORSE_ON_ITS_OWN = "worse", "worse on its own"
# Up to so many times the units of the test set, the number of units that would decide a pair is said.
MOST_TIMES = 1_000
# Up to this share of the units, it is said that the verdict rests on so few.
FEW = 0.05
# Gains below it are written with all of their digits.
ALL_DIGITS = 1e15
# The columns of a pair that its verdict depends on.
READ = """system_a system_b gain gain_low gain_high verdict p p_bound p_corrected p_value p_two_sided needed""".split()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer to the question whether a gain is significant.

    ``word`` begins its sentence, ``symbol`` stands for it in tables, ``colour`` is the name of its colour.
    """

    name: str
    word: str
    symbol: str
    colour: str


ANSWERS: dict[str, Answer] = {
    BETTER: Answer(name=BETTER, word="Yes", symbol="▲", colour="green"),
    ON_ITS_OWN: Answer(name=ON_ITS_OWN, word="Yes on its own", symbol="△", colour="blue"),
    WORSE: Answer(name=WORSE, word="Yes", symbol="▼", colour="green"),
    WORSE_ON_ITS_OWN: Answer(name=WORSE_ON_ITS_OWN, word="Yes on its own", symbol="▽", colour="blue"),
    EQUIVALENT: Answer(name=EQUIVALENT, word="Equivalent", symbol="=", colour="violet"),
    UNDECIDED: Answer(name=UNDECIDED, word="Undecided", symbol="?", colour="orange"),
}
SEEN_FROM_THE_LOSER = {BETTER: WORSE, ON_ITS_OWN: WORSE_ON_ITS_OWN}


def complete(row: pd.Series) -> pd.Series:
    """Return a row of a pair table; ChoiceError if it lacks a column that the verdict depends on."""
    check_columns("The row of the pair", row, READ)
    return row


def signed(pairs: pd.DataFrame, behind: pd.Series) -> pd.DataFrame:
    """Return rows of a pair table, those ``behind`` as seen from the loser: gain, its interval and the verdict."""
    low, high = pairs["gain_low"], pairs["gain_high"]
    return pairs.assign(
        gain=pairs["gain"].where(~behind, -pairs["gain"]),
        gain_low=low.where(~behind, -high),
        gain_high=high.where(~behind, -low),
        verdict=pairs["verdict"].where(~behind, pairs["verdict"].replace(SEEN_FROM_THE_LOSER)),
    )


def answers(
    alone: np.ndarray, corrected: np.ndarray | None, against: np.ndarray, same: np.ndarray | bool = False
) -> np.ndarray:
    """Return the name of the answer for each pair, (m,), from masks (m,).

    ``alone`` and ``corrected`` say whether the gain is significant before and after the correction for many pairs (None
    where only one of the two is asked). A pair is undecided if the test speaks ``against`` the observed winner, and
    equivalent if it is not better and its two systems are the ``same`` within the chosen gain.
    """
    better = alone & ~against
    among_all = better if corrected is None else better & corrected
    return np.select([among_all, better, same], [BETTER, ON_ITS_OWN, EQUIVALENT], UNDECIDED).astype(object)


def speaks_against(p_value: Any, p_two_sided: Any) -> Any:
    """Return whether a test favours the system with the lower corpus score, by its two p (arrays, too)."""
    return (p_value > 0.5) & (p_two_sided < 0.5)


def with_symbols(names: Iterable[str]) -> list[str]:
    """Return answers by name with their symbols, such as "▲ better"; other texts, such as "baseline", as they are."""
    return [f"{ANSWERS[name].symbol} {name}" if name in ANSWERS else name for name in names]


@dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """The verdict on a pair, from its ``row`` of the pair table, which follows the ``notion``.

    ``n_pairs`` is the number of all pairs, for which p is corrected. ``carried`` is the number of units without which
    the gain is not significant (None: unknown). ``test`` gave p.
    """

    row: pd.Series
    notion: Notion
    stats: Sample
    n_pairs: int
    decimals: int = 2
    carried: int | None = None
    test: str = BOOTSTRAP

    @property
    def answer(self) -> Answer:
        """The entry of ANSWERS."""
        return ANSWERS[str(self.row["verdict"])]

    @property
    def is_better(self) -> bool:
        """Whether the winner is significantly better, if only on its own."""
        return self.answer.name in SEEN_FROM_THE_LOSER

    @property
    def is_of_invalid(self) -> bool:
        """Whether one of the two outputs is invalid."""
        return bool(self.row.get("comparison") == INVALID)

    @property
    def word(self) -> str:
        """The answer: "Yes", "Yes on its own, not among all 2,080 pairs", "Equivalent within 0.50 LAS", "Undecided"."""
        of = self.answer
        more = {
            ON_ITS_OWN: f", not among all {count(self.n_pairs, 'pair')}",
            EQUIVALENT: f" within {self.gain_text(self.notion.within or 0)}",
        }
        return of.word + more.get(of.name, "")

    @property
    def reason(self) -> str:
        """The gain, p, and what would decide or overturn the verdict, as a sentence."""
        few = self.is_better and 0 < (self.carried or 0) <= FEW * self.stats.n_units
        against = speaks_against(self.row["p_value"], self.row["p_two_sided"])
        parts = [
            f"{self.lead}{self._interval_part()}",
            self.p,
            f"by the {TESTS[self.test].statistic}, {self.row['system_b']} is ahead" if against else "",
            f"without {self._few()} it would not be significant" if few else "",
            "one of the two outputs is invalid, so this says nothing of its system" if self.is_of_invalid else "",
        ]
        return "; ".join(filter(None, parts)) + "."

    def _few(self) -> str:
        """Return the units that carry the gain, of how many, with their share."""
        carried, n = self.carried or 0, self.stats.n_units
        return f"{carried:,} of {count(n, self.stats.unit)} ({100 * carried / n:.2g}%)"

    @property
    def needs(self) -> str:
        """How many units would settle a gain of this size, or the smallest one that matters; "" where nothing would."""
        needed, within = self.row["needed"], self.notion.within
        size = "this size" if within is None else self.gain_text(within)
        what = f"a {self.stats.metric.gain_word} of {size}"
        return "" if np.isnan(needed) else would_settle(needed, self.stats, what)

    @property
    def line(self) -> str:
        """The verdict in one line."""
        return " ".join(filter(None, [f"{self.word}: {self.reason}", self.needs]))

    @property
    def p(self) -> str:
        """The p that decides, and beside it the corrected one where the two disagree: "p = 0.012; corrected 1.0"."""
        by = "" if self.test == BOOTSTRAP else f" by {'the ' * TESTS[self.test].takes_article}{TESTS[self.test].label}"
        name = "p" if self.notion.two_sided else "one-sided p"
        p = f"{name} {equals(shown_p(self.row, self.notion.level))}{by}"
        if self.notion.scope == CORRECTED and self.n_pairs > 1:
            return f"{p}, corrected for {count(self.n_pairs, 'pair')}"
        if self.answer.name != ON_ITS_OWN:
            return p
        return f"{p}; corrected {shown_corrected_p(self.row, self.notion.level)}"

    def gain_text(self, gain: float) -> str:
        """Return the gain with its metric, and with as many decimals as it takes not to be 0."""
        decimals = next((d for d in range(self.decimals, 9) if round(gain, d)), self.decimals)
        text = f"{gain:.{decimals}f}" if gain < ALL_DIGITS else f"{gain:g}"
        return f"{text} {self.stats.metric.gain_unit}"

    @property
    def lead(self) -> str:
        """Who is ahead of whom by how much: "A beats B by 0.95 LAS", "A is ahead of B by 0.12 LAS"."""
        a, b, gain = self.row["system_a"], self.row["system_b"], self.row["gain"]
        if gain <= 0:
            return f"{a} and {b} have the same score"
        return f"{a} {'beats' if self.is_better else 'is ahead of'} {b} by {self.gain_text(gain)}"

    def _interval_part(self) -> str:
        """Return what an undecided or equivalent gain could be; "" where this is clear or follows from p alone."""
        name, row = self.answer.name, self.row
        over = "" if row["gain"] > 0 else f" of {row['system_a']} over {row['system_b']}"
        gain = f"the {self.stats.metric.gain_word}{over}"
        if name == EQUIVALENT:
            share = 100 * (1 - 2 * self.notion.level)
            return f", and {gain} is {self._from(row['inside_low'], row['inside_high'])} ({share:.3g}% interval)"
        if name != UNDECIDED or not row["gain_low"] <= 0 <= row["gain_high"] or row["gain_low"] == row["gain_high"]:
            return ""
        return f", but {gain} could be {self._from(row['gain_low'], row['gain_high'])}"

    def _from(self, low: float, high: float) -> str:
        return f"{low:z.{self.decimals}f} to {high:+z.{self.decimals}f}"


def would_settle(needed: float, stats: Sample, what: str) -> str:
    """Return how many units would settle something, beside those that there are; ``needed`` is their number.

    Where resamples draw runs, it is a number for runs that do not vary.
    """
    n, fixed = stats.n_units, "if runs did not vary, " * draws_runs(stats)
    in_words = needed_in_words(needed, n, stats.unit)
    would = f"about {in_words} would" if needed <= MOST_TIMES * n else f"{in_words} would be needed to"
    return capital(f"{fixed}{would} settle {what} (you have {n:,}).")


def needed_in_words(needed: float, n_units: int, unit: str) -> str:
    """Return a number of units with two digits, rounded up; after MOST_TIMES those that there are, no number."""
    if needed > MOST_TIMES * n_units:
        return f"more than {count(MOST_TIMES * n_units, unit)}"
    return count(rounded_up(needed), unit)


def shown_p(row: pd.Series, level: float = LEVEL) -> str:
    """Return the p that decides on a pair, as every page, command and report shows it."""
    return p_text(row["p"], bound=row["p_bound"], level=level)


def shown_corrected_p(row: pd.Series, level: float) -> str:
    """Return p of a pair corrected for all pairs, as every page, command and report shows it."""
    return p_text(row["p_corrected"], bound=row["p_corrected_bound"], level=level)


def equals(p: str) -> str:
    """Return a p-value in words with its symbol: "= 0.05", or "< 0.001" as it is."""
    return p if p.startswith("<") else f"= {p}"


def finding(pairs: pd.DataFrame, notion: Notion, metric: Metric, decimals: int = 2) -> str:
    """Return what a table of all pairs shows of valid outputs: how many differ, and the largest gain of the others."""
    valid = pairs[pairs["comparison"] != INVALID]
    rest = valid.loc[~valid["verdict"].isin([BETTER, ON_ITS_OWN]) & (valid["gain"] > 0), "gain"]
    of = f"its {metric.gain}" if len(valid) == 1 else f"the largest {metric.gain} of the others"
    most = f"; {of} is {rest.max():.{decimals}f}" if len(rest) else ""
    return f"{pairs_that_differ(pairs, notion)}{most}"


def pairs_that_differ(pairs: pd.DataFrame, notion: Notion) -> str:
    """Return how many pairs of a table of all pairs differ; pairs with an invalid output do not count."""
    valid = pairs.loc[pairs["comparison"] != INVALID, "verdict"]
    return how_many_differ(valid, notion, of="" if len(valid) == len(pairs) else " of valid outputs")


def how_many_differ(verdicts: pd.Series, notion: Notion, thing: str = "pair", of: str = "") -> str:
    """Return how many pairs differ: "1,794 of 2,080 pairs differ on their own (1,550 after correcting)"."""
    better = verdicts.value_counts()
    among_all, alone = int(better.get(BETTER, 0)), int(better.get(ON_ITS_OWN, 0))
    differ = f"{among_all + alone:,} of {count(len(verdicts), thing)}{of} differ{'s' * (len(verdicts) == 1)}"
    if len(verdicts) == 1:
        return differ
    if notion.scope == ALONE:
        return f"{differ} on their own"
    if notion.scope == CORRECTED:
        return f"{differ} after correcting"
    return f"{differ} on their own ({among_all:,} after correcting)"
