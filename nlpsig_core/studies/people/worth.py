"""What a gain in a metric is worth: the share of pairs with about this gain in which people prefer the same system."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.words import count, plural, share
from nlpsig_core.significance.comparison.thresholds import FEWEST_GROUPS, FEWEST_NEAR
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER
from nlpsig_core.significance.resampling.streams import Purpose, generator

# The shares of pairs in which people agree, from which gains are tabulated (Kocmi et al. 2024).
AGREED = (0.8, 0.95)
# Intervals of larger shares hold too rarely in simulated worlds.
MOST_WITH_INTERVAL = 0.8
# What people say of the metric's winner, by the column of its share.
PREFER, SURELY = ANSWERS_OF_PEOPLE = ("prefer", "prefer_significantly")
INTERVAL = (2.5, 97.5)
# Shares are means of whole numbers: rounding is below this.
ROUNDING = 1e-9


class Worth(NamedTuple):
    """The ``curve`` (a row for each gain) and the ``thresholds`` (a row for each share in AGREED) of ``worth``."""

    curve: pd.DataFrame
    thresholds: pd.DataFrame


def worth(pairs: pd.DataFrame, draws: int = 1_000, seed: int = 0, decimals: int = 2) -> Worth:
    """Return what a gain is worth to people, from the pairs of ``pairs_by_both``; pairs with equal scores are left out.

    The share of pairs in which people prefer the metric's winner is fitted by the isotonic regression of 0 (no), 1
    (yes) and 1/2 (equal) on the gain: of all curves that never fall, the one with the smallest squared error. So is
    the share in which they prefer it significantly. A threshold is the smallest gain at which the first curve reaches
    a share of AGREED, if enough pairs have this gain or a larger one (``fewest_pairs``).

    The 95% intervals draw the rated systems ``draws`` times with replacement: they are for other systems of the same
    kind on the same segments. They are NaN for fewer than FEWEST_GROUPS systems and for shares above
    MOST_WITH_INTERVAL, and too narrow where all pairs agree. Reasons name gains with so many ``decimals``.

    Columns of the curve: gain, pairs (with at least this gain), prefer, prefer_low, prefer_high, and the same of
    prefer_significantly. Columns of the thresholds: share, gain (NaN with a reason), low, high, pairs, reason.
    """
    used = pairs[pairs["gain"] > 0]
    gains, place = np.unique(used["gain"].to_numpy(dtype=float), return_inverse=True)
    answers = _answers(used)
    curves = np.stack([_fitted(place, answer, np.ones(len(used)), len(gains)) for answer in answers])
    drawn = _drawn_again(used, place, answers, len(gains), draws, seed)
    above = len(used) - np.searchsorted(np.sort(used["gain"]), gains)
    columns: dict[str, np.ndarray] = {"gain": gains, "pairs": above}
    for name, curve, (low, high) in zip(ANSWERS_OF_PEOPLE, curves, _ends(drawn), strict=True):
        columns |= {name: curve, f"{name}_low": low, f"{name}_high": high}
    n = len({*used["system_a"], *used["system_b"]})
    rows = [_threshold(of, gains, curves[0], drawn[:, 0], above, fewest_pairs(of, n), decimals) for of in AGREED]
    return Worth(pd.DataFrame(columns), pd.DataFrame(rows))


def fewest_pairs(agreed: float, systems: int) -> int:
    """Return how many pairs must have a gain for which people are said to agree in a share of them.

    If all of them agree, the share must remain when one more independent pair agrees by half. Pairs share systems: as
    n (n - 1) / 2 pairs of n systems contain n / 2 without a common system, n - 1 count as one.
    """
    return max(FEWEST_NEAR, math.ceil((systems - 1) * (agreed - 0.5) / (1 - agreed) - ROUNDING))


def _answers(pairs: pd.DataFrame) -> np.ndarray:
    """Return whether people prefer each pair's winner, and whether significantly, (2, pairs); 1/2 if it is equal."""
    prefer = (np.sign(pairs["gain_people"].to_numpy(dtype=float)) + 1) / 2
    return np.stack([prefer, pairs["verdict_people"].isin(SEEN_FROM_THE_LOSER).to_numpy(dtype=float)])


def _fitted(place: np.ndarray, answer: np.ndarray, weight: np.ndarray, n: int) -> np.ndarray:
    """Return the curve at each of n gains, from pairs at these places; NaN below the first gain that has weight."""
    from scipy.optimize import isotonic_regression

    total = np.bincount(place, weight, n)
    known = np.flatnonzero(total)
    curve = np.full(n + 1, np.nan)
    if len(known):
        means = np.bincount(place, weight * answer, n)[known] / total[known]
        curve[1:][known] = isotonic_regression(means, weights=total[known]).x
    last = np.maximum.accumulate(np.where(np.isnan(curve), 0, np.arange(n + 1)))
    return curve[last][1:]


def _drawn_again(
    pairs: pd.DataFrame, place: np.ndarray, answers: np.ndarray, n: int, draws: int, seed: int
) -> np.ndarray:
    """Return both curves, (draws, 2, gains), as the systems are drawn with replacement; none for few systems.

    A pair counts once for each time that both its systems are drawn together.
    """
    names, index = np.unique(pairs[["system_a", "system_b"]].to_numpy(dtype=str), return_inverse=True)
    if len(names) < FEWEST_GROUPS:
        return np.empty((0, len(answers), n))
    a, b = index.reshape(-1, 2).T
    rng = generator(seed, Purpose.RATED_SYSTEMS_AGAIN)
    times = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=draws)
    weights = (times[:, a] * times[:, b]).astype(float)
    return np.array([[_fitted(place, answer, weight, n) for answer in answers] for weight in weights])


def _ends(drawn: np.ndarray) -> np.ndarray:
    """Return the ends of the interval of each curve, (2, 2, gains); NaN without draws."""
    if not drawn.size:
        return np.full((drawn.shape[1], 2, drawn.shape[2]), np.nan)
    ends: np.ndarray = np.nanpercentile(drawn, INTERVAL, axis=0).swapaxes(0, 1)
    return ends


def _first(gains: np.ndarray, curve: np.ndarray, agreed: float) -> float:
    """Return the smallest gain at which the curve reaches a share; infinity if it never does."""
    reached = np.flatnonzero(curve >= agreed - ROUNDING)
    return float(gains[reached[0]]) if len(reached) else np.inf


def _threshold(
    agreed: float, gains: np.ndarray, curve: np.ndarray, drawn: np.ndarray, above: np.ndarray, fewest: int,
    decimals: int,
) -> dict[str, object]:  # fmt: skip
    """Return a row of the thresholds; an end of the interval at which the curve does not reach the share is NaN."""
    gain = _first(gains, curve, agreed)
    pairs = int(above[np.searchsorted(gains, gain)]) if np.isfinite(gain) else 0
    row: dict[str, object] = {"share": agreed, "gain": np.nan, "low": np.nan, "high": np.nan, "pairs": pairs}
    if not len(gains):
        return row | {"reason": "no pair has a gain"}
    if not pairs:
        return row | {"reason": f"at the largest gains the share is {share(curve[-1])}"}
    if pairs < fewest:
        few = f"{count(pairs, 'pair')} {plural(pairs, 'has', 'have')} a gain of {gain:.{decimals}f} or more"
        return row | {"reason": f"only {few}; {fewest} are needed, since pairs share systems"}
    if agreed > MOST_WITH_INTERVAL:
        return row | {"gain": gain, "reason": "no interval: in simulated worlds it held too rarely"}
    if not len(drawn):
        return row | {"gain": gain, "reason": f"no interval: it needs {FEWEST_GROUPS} rated systems"}
    firsts = np.sort([_first(gains, of, agreed) for of in drawn])
    low, high = (firsts[round(end / 100 * (len(firsts) - 1))] for end in INTERVAL)
    open_end = "" if np.isfinite(high) else "no upper end: in some draws of systems the share is never reached"
    return row | {"gain": gain, "low": low, "high": high if np.isfinite(high) else np.nan, "reason": open_end}
