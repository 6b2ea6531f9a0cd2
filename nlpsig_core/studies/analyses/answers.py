"""More answers to each question: how much of a gain's variance is that of the answers, and what more of them bring."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.detectable import detectable_of_pairs
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.signature import NOTHING_RESAMPLED
from nlpsig_core.significance.paired_tests.small_sample import differences
from nlpsig_core.significance.resampling.bootstrap import NO_SPREAD, all_pairs, observed_gains
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.influence import gain_variance

USUAL_ANSWERS = (1, 2, 4, 8)


def answers_table(
    selection: Selection, answers: Iterable[int] = USUAL_ANSWERS, notion: Notion = Notion(), power: float = 0.8
) -> pd.DataFrame:
    """Return standard error and minimal detectable gain of each pair by the number of answers to a question.

    Columns system_a (the observed winner), system_b, gain, answers (those that there are), share_of_answers (of the
    gain's variance), standard_error, and for each number K of ``answers`` error_K and detectable_K, then error_any and
    detectable_any for any number of answers. Miller (2024), section 3.1: the variance of a mean gain of K
    answers to n questions is (B + W / K) / n, where W is the variance of the two systems' answers to a question and B
    that of the gain between questions, which is estimated from the observed variance V as V - W / K, at least 0.
    ChoiceError if a system has one answer to a question, or the answers are training runs.
    """
    stats = selection.first.stats
    if selection.several or not several_answers(stats):
        raise ChoiceError(
            "Each system needs several answers to each question of one test set, such as the epochs of Inspect's logs, "
            "and a metric that is their mean"
        )
    pairs = all_pairs(stats.metric.sign * stats.scores)
    n, (a, b) = stats.n_units, pairs.T
    within, runs = _within(stats), np.array(stats.runs)
    observed = gain_variance(stats, pairs) * n * n / max(n - 1, 1)
    noise = within[a] / runs[a] + within[b] / runs[b]
    between = np.where(observed - noise > NO_SPREAD * observed, observed - noise, 0.0)
    names, effective = np.array(stats.names), differences(stats, pairs).effective
    counted = [f"{x}" if x == y else f"{x} and {y}" for x, y in zip(runs[a], runs[b], strict=True)]
    table = {"system_a": names[a], "system_b": names[b], "gain": observed_gains(stats, pairs)[0], "answers": counted}
    table["share_of_answers"] = np.divide(noise, observed, out=np.zeros_like(noise), where=observed > 0).clip(0, 1)
    table["standard_error"] = np.sqrt(observed / n)
    for number in (*_checked(answers), np.inf):
        error = np.sqrt((between + (within[a] + within[b]) / number) / n)
        name = "any" if np.isinf(number) else f"{number}"
        table |= {f"error_{name}": error}
        table |= {f"detectable_{name}": detectable_of_pairs(error, effective, n, notion.level, notion.sides, power)}
    return pd.DataFrame(table).sort_values("gain", ascending=False, kind="stable", ignore_index=True)


def signature(selection: Selection, answers: Iterable[int], notion: Notion, power: float) -> str:
    """Return the signature of ``answers_table``."""
    level: dict[str, object] = {"level": f"{notion.level:g}", "sides": notion.sides}
    asked = {"answers": "-".join(map(str, answers)), "power": power}
    return selection.signature(Resampling(), **NOTHING_RESAMPLED | level | asked)


def nothing_between(table: pd.DataFrame) -> str:
    """Return for how many pairs of ``answers_table`` no variance is left between questions, as a sentence; or ""."""
    errors = table.filter(like="error_")
    alone = int(((table["error_any"] == 0) & (errors > 0).any(axis=1)).sum())
    if not alone:
        return ""
    return (
        f"For {alone:,} of {count(len(table), 'pair')}, answers to the same question vary so much that the variance "
        "between questions is estimated as 0"
    )


def several_answers(stats: Stats) -> bool:
    """Return whether each system gave several answers to each question, and scores are means over them.

    All answers have the same score where it is another function of them.
    """
    if not stats.metric.family.answers or min(stats.runs) < 2:
        return False
    firsts = np.repeat([stats.rows(system).start for system in range(stats.n_systems)], stats.runs)
    return not np.array_equal(stats.values, stats.values[firsts])


def _checked(answers: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of answers, rising; ChoiceError for one below 1."""
    chosen = tuple(sorted(set(answers)))
    if not chosen or chosen[0] < 1:
        raise ChoiceError(f"{chosen[0] if chosen else 'No number'} answers to a question; choose 1 or more")
    return chosen


def _within(stats: Stats) -> np.ndarray:
    """Return the variance of one answer of each system to a unit, (systems,), on the scale of influences."""
    outputs = range(len(stats.values))
    alone = Stats(tuple(map(str, outputs)), stats.values, stats.metric, unit=stats.unit, unit_sizes=stats.unit_sizes)
    influence = alone.influences()
    each = (influence[stats.rows(system)] for system in range(stats.n_systems))
    # Influences are centred, which takes away the n-th part of the variance.
    return np.array([answers.var(axis=0, ddof=1).sum() for answers in each]) / max(stats.n_units - 1, 1)
