"""How large a test set must be: the power to find a gain, and the number of units needed for it.

Plan with a true gain: pairs attract attention because their observed gain is large, so it is too large on average (the
winner's curse); see ``cautious_gain``. Standard errors rest on few units or pairs, and so do the sizes planned with
them: numbers have ranges (``Errors``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_columns
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.classes import COMPARISONS, INVALID
from nlpsig_core.significance.comparison.detectable import FEWEST_UNITS, Aim, detectable_of_pairs
from nlpsig_core.significance.comparison.pair_table import POWER
from nlpsig_core.significance.comparison.verdict import (
    ON_ITS_OWN,
    SEEN_FROM_THE_LOSER,
    UNDECIDED,
    Verdict,
    would_settle,
)
from nlpsig_core.significance.resampling.runs import run_variance
from nlpsig_core.significance.stats.array import Stats

# Pairs of similar score have a gain of at most this many times the gain at which p = level.
REACH = 2.0
# Fewest pairs for the numbers of a comparison class.
FEWEST = 5
# What is known of a comparison class: the units that its median pair needs, their range, the share with enough.
NEEDED = ("units", "units_low", "units_high", "share_enough")
# How a sentence about more units begins, by the answer to the pair.
SETTLED = {UNDECIDED: "", ON_ITS_OWN: "Settled on its own. "}
# Default number of sizes of a curve.
N_SIZES = 80
# Nominal coverage of a range: four of five true standard errors.
RANGE = 0.8


def cautious_gain(pair: pd.Series) -> float:
    """Return the gain to plan with for an observed pair (a row of the pair table): the lower end of its 95% interval.

    ChoiceError if that is not above 0: then the data do not exclude that there is no gain at all. It is cautious: if
    true gains are normal with a standard deviation of 2 standard errors, the median size planned with it is 5 times the
    size needed, and 92% of the significant pairs reach 80% power; planned with the observed gain, 24% do.
    """
    if pair["gain_low"] > 0:
        return float(pair["gain_low"])
    raise ChoiceError(
        f"The data do not exclude that {pair['system_a']} has no gain over {pair['system_b']} at all: the 95% "
        f"interval of the gain begins at {pair['gain_low']:.3g}; choose the gain to find"
    )


def gain_to_plan_with(pair: pd.Series, within: float | None = None) -> float:
    """Return the gain to plan a test of an observed pair with, 0 if there is none.

    It is the one ``within`` which systems would be equivalent, if that is named; else the ``cautious_gain`` of a pair
    whose verdict is better, and of one without it the observed gain.
    """
    if within is not None:
        return within
    better = pair["verdict"] in SEEN_FROM_THE_LOSER and pair["gain_low"] > 0
    return cautious_gain(pair) if better else float(pair["gain"])


def settles(verdict: Verdict, aim: Aim, needed: float) -> str:
    """Return what would settle a pair, as a sentence; of a settled one, how small a gain could be found."""
    row, within = verdict.row, verdict.notion.within
    if verdict.needs and (aim.gain, aim.power) == (float(row["gain"]) if within is None else within, POWER):
        return verdict.needs
    power = "" if aim.power == POWER else f" with {aim.power:.0%} power"
    lower = ", the lower end of its interval" if aim.gain == row["gain_low"] else ""
    text = would_settle(
        needed, verdict.stats, f"a true {verdict.stats.metric.gain_word} of {verdict.gain_text(aim.gain)}{lower}{power}"
    )
    settled = SETTLED.get(verdict.answer.name, "Settled. ")
    if settled and needed > verdict.stats.n_units:
        text = f"In a new test, {text[0].lower()}{text[1:]}"
    return settled + text


def needed_by_pair(n_units: int, errors: Errors, aim: Aim) -> Errors:
    """Return the number of units that one pair needs to reach the aim, with its range (``errors_of_pair``)."""
    _check(n_units)
    return Errors(*(float(units) for units in aim.needed(n_units, np.array(errors))))


def needed_units(pairs: pd.DataFrame, n_units: int, aim: Aim) -> pd.DataFrame:
    """Return the number of units needed to reach the aim: a row a comparison class.

    ``pairs`` are those of ``with_freedom``. Columns comparison, pairs, units, units_low, units_high, share_enough,
    extrapolated, reason: the units that the pair with the median standard error needs, with the range from
    ``errors_of_class``; the share of the pairs for which ``n_units`` are enough; and whether ``units`` exceeds them.

    Uses pairs of similar score only, whose gain is at most REACH times the gain at which p = level: the pairs of one
    very bad system have larger standard errors than a close pair. With fewer than FEWEST of them there is a reason
    instead of numbers.
    """
    _check(n_units)
    rows = []
    for comparison, near in _near_by_class(pairs, aim).items():
        row: dict[str, object] = {"comparison": comparison, "pairs": len(near)}
        row |= dict.fromkeys(NEEDED, np.nan)
        if len(near) < FEWEST:
            reason = f"{count(len(near), 'pair')} of similar score; {FEWEST} are needed"
            rows.append(row | {"extrapolated": False, "reason": reason})
            continue
        low, units, high = aim.needed(n_units, np.array(errors_of_class(near)))
        enough = float((aim.needed(n_units, near["standard_error"].to_numpy(dtype=float)) <= n_units).mean())
        row |= dict(zip(NEEDED, (units, low, high, enough), strict=True))
        rows.append(row | {"extrapolated": bool(units > n_units), "reason": ""})
    columns = ["comparison", "pairs", *NEEDED, "extrapolated", "reason"]
    return pd.DataFrame(rows, columns=columns)


def power_curve(n_units: int, errors: Errors, aim: Aim, sizes: Sequence[float] | None = None) -> pd.DataFrame:
    """Return the power, the chance of p < level, by the size of the test set, for a standard error on ``n_units``.

    Columns units, power, extrapolated (more units than there are), enough (power is as intended), low and high: the
    power with the standard errors at the ends of the range. Without ``sizes`` there is a row at ``n_units``, one at the
    first size that is enough, and others around them.
    """
    _check(n_units)
    needed = float(aim.needed(n_units, np.array(errors.middle)))
    units = np.unique(np.array(_usual_sizes(n_units, needed) if sizes is None else sizes, dtype=float))
    if not len(units) or units[0] < FEWEST_UNITS:
        raise ChoiceError(f"A test set has {FEWEST_UNITS} units at least; choose sizes from {FEWEST_UNITS} on")
    return pd.DataFrame(
        {
            "units": units,
            "power": aim.chance(n_units, errors.middle, units),
            "extrapolated": units > n_units,
            "enough": units >= needed,
            "low": aim.chance(n_units, errors.high, units),
            "high": aim.chance(n_units, errors.low, units),
        }
    )


def power_by_class(pairs: pd.DataFrame, n_units: int, aim: Aim, sizes: Sequence[float] | None = None) -> pd.DataFrame:
    """Return the ``power_curve`` of the median pair of each comparison class, on the pairs of ``needed_units``.

    Columns comparison, then those of ``power_curve``. Classes with fewer than FEWEST pairs are left out.
    """
    _check(n_units)
    curves = [pd.DataFrame(columns=["comparison", "units", "power", "extrapolated", "enough", "low", "high"])]
    for comparison, near in _near_by_class(pairs, aim).items():
        if len(near) >= FEWEST:
            curve = power_curve(n_units, errors_of_class(near), aim, sizes)
            curve.insert(0, "comparison", comparison)
            curves.append(curve)
    return pd.concat(curves[1:], ignore_index=True) if len(curves) > 1 else curves[0]


def detectable_gains(pairs: pd.DataFrame, level: float, sides: str, power: float = 0.8) -> pd.DataFrame:
    """Return the minimal detectable gain of every pair, the smallest first.

    Columns system_a, system_b, comparison, gain, detectable (``detectable_of_pairs``), above: whether the observed gain
    is above the detectable one. Excludes pairs with an invalid output, pairs that differ in one unit or none, and those
    for which no gain can be detected.
    """
    usable = pairs[(pairs["standard_error"] > 0) & (pairs["comparison"] != INVALID) & (pairs["effective"] >= 2)]
    columns = ("standard_error", "effective", "units")
    error, effective, units = (usable[column].to_numpy(dtype=float) for column in columns)
    detectable = detectable_of_pairs(error, effective, units, level, sides, power)
    usable, detectable = usable[np.isfinite(detectable)], detectable[np.isfinite(detectable)]
    table = usable[["system_a", "system_b", "comparison", "gain"]].assign(detectable=detectable)
    return table.assign(above=table["gain"] > table["detectable"]).sort_values("detectable", kind="stable")


def detectable_by_class(pairs: pd.DataFrame, level: float, sides: str, power: float = 0.8) -> pd.DataFrame:
    """Return the minimal detectable gain of each comparison class: comparison, pairs, above, median.

    ``pairs`` and ``above`` count all pairs of ``detectable_gains``; the ``median`` is that of the pairs of similar
    score, as in ``needed_units``, and NaN with fewer than FEWEST of them.
    """
    aim = Aim(1.0, level=level, power=power, sides=sides)
    table, near = detectable_gains(pairs, level, sides, power), _near_by_class(pairs, aim)
    rows = []
    for comparison in (c for c in COMPARISONS if (table["comparison"] == c).any()):
        of_class = table[table["comparison"] == comparison]
        alike = of_class[of_class.index.isin(near[comparison].index)] if comparison in near else of_class.head(0)
        median = np.nan if len(alike) < FEWEST else float(alike["detectable"].median())
        rows.append((comparison, len(of_class), int(of_class["above"].sum()), median))
    return pd.DataFrame(rows, columns=["comparison", "pairs", "above", "median"])


def _usual_sizes(n_units: int, needed: float) -> np.ndarray:
    least, most = min(n_units, needed), max(n_units, needed)
    between = np.geomspace(max(FEWEST_UNITS, least / 10), 3 * most, N_SIZES).round()
    return np.concatenate([between, [n_units, needed]])


def _near_by_class(pairs: pd.DataFrame, aim: Aim) -> dict[str, pd.DataFrame]:
    """Return the pairs of similar score of each class that has pairs with a gain."""
    check_columns("The table of pairs", pairs, ("gain", "comparison", "standard_error"))
    usable = pairs[(pairs["gain"] > 0) & (pairs["standard_error"] > 0) & (pairs["comparison"] != INVALID)]
    near = usable["gain"] <= REACH * aim.z * usable["standard_error"]
    return {
        comparison: usable[near & of_class]
        for comparison in COMPARISONS
        if (of_class := usable["comparison"] == comparison).any()
    }


def _check(n_units: int) -> None:
    if n_units < FEWEST_UNITS:
        raise ChoiceError(f"Standard errors on {n_units} units; {FEWEST_UNITS} are needed at least")


class Errors(NamedTuple):
    """A standard error and the ends of its range."""

    low: float
    middle: float
    high: float


def with_freedom(pairs: pd.DataFrame, stats: Stats) -> pd.DataFrame:
    """Return the pairs with a column ``freedom``, and without the variance of runs in their standard errors.

    More units do not reduce this variance: what is planned with these errors would do if runs did not vary. ``freedom``
    has degrees of freedom. A standard error s is estimated from n units: s^2 is about the true value times a
    chi-squared variable with ``freedom`` degrees of freedom, divided by these. They are n - 1 for normal units, but

        2 n / (kurtosis - (n - 3) / (n - 1))

    for others (O'Neill 2014), with the kurtosis of the units' ``influences`` on the gain. They are far fewer if systems
    differ in few units: about 145 with 65 of 650.
    """
    influence = stats.influences()
    index = {name: i for i, name in enumerate(stats.names)}
    first, second = (pairs[column].map(index).to_numpy(dtype=int) for column in ("system_a", "system_b"))
    freedom = [_freedom(influence[a] - influence[b]) for a, b in zip(first, second, strict=True)]
    runs = run_variance(stats).variance
    of_units = np.maximum(pairs["standard_error"].to_numpy(dtype=float) ** 2 - runs[first] - runs[second], 0.0)
    return pairs.assign(freedom=np.array(freedom, dtype=float), standard_error=np.sqrt(of_units))


def _freedom(influence: np.ndarray) -> float:
    n, centred = len(influence), influence - influence.mean()
    variance = float(np.mean(centred**2))
    if not variance > 0:
        return np.inf
    kurtosis = float(np.mean(centred**4)) / variance**2
    return 2 * n / (kurtosis - (n - 3) / (n - 1))


def errors_of_pair(standard_error: float, freedom: float) -> Errors:
    """Return a pair's standard error and the range of the true one, by its degrees of freedom."""
    from scipy.special import chdtri

    if np.isinf(freedom):
        return Errors(standard_error, standard_error, standard_error)
    # chdtri is the inverse of the upper tail.
    low, high = (standard_error * np.sqrt(freedom / chdtri(freedom, (1 + side * RANGE) / 2)) for side in (-1, 1))
    return Errors(float(low), standard_error, float(high))


def errors_of_class(pairs: pd.DataFrame) -> Errors:
    """Return the median standard error of pairs, and the range of the standard error of another pair of their kind.

    Standard errors of pairs are about lognormal. The range, by Student's t around the mean of their logarithms,
    combines the variance between pairs with the noise that pairs on the same units share, 1 / (2 freedom); S systems
    count as S / 2 independent pairs. The range always includes the median.
    """
    from scipy.special import stdtrit

    check_columns("The table of pairs", pairs, ["freedom"])
    errors = pairs["standard_error"].to_numpy(dtype=float)
    logs, middle = np.log(errors), float(np.median(errors))
    independent = pd.unique(pairs[["system_a", "system_b"]].to_numpy().ravel()).size / 2
    spread = logs.var(ddof=1) * (1 + 1 / independent) + 1 / (2 * float(pairs["freedom"].median()))
    reach = stdtrit(independent, (1 + RANGE) / 2) * np.sqrt(spread)
    low, high = np.exp(logs.mean() + reach * np.array([-1, 1]))
    return Errors(min(float(low), middle), middle, max(float(high), middle))
