"""How the size of the test set bears on significance: all pairs on parts of the test set, and their thresholds.

Berg-Kirkpatrick et al. (2012), section 4.1, figures 9 and 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from nlpsig_core.comparison.classes import COMPARISONS
from nlpsig_core.comparison.notion import Notion
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.comparison.thresholds import Rule, threshold_table
from nlpsig_core.errors import ChoiceError
from nlpsig_core.resampling.blocks import Progress, nth_of
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.streams import Purpose, generator
from nlpsig_core.words import count

# "initial": the first units, as the paper does; "random": units drawn without replacement.
WAYS = ("initial", "random")
# Sizes double from here on; from the second one where the first leaves fewer than FEWEST_SIZES.
FIRST_SIZES = (100, 25)
# A line through two points fits whatever they are.
FEWEST_SIZES = 3
# The two estimates of ``threshold_table`` and what the names of their columns begin with.
ESTIMATES = {"window": "", "model": "model_"}


def usual_sizes(n_units: int) -> tuple[int, ...]:
    """The sizes to look at: 100, 200, 400, ... as far as there are units, and all units as the last.

    Where this gives fewer than three sizes, they double from 25 on.
    """
    found: tuple[int, ...] = ()
    for first in FIRST_SIZES:
        found = (*_doubled(first, n_units), n_units)
        if len(found) >= FEWEST_SIZES:
            break
    return found


def _doubled(size: int, below: int) -> Iterator[int]:
    while size < below:
        yield size
        size *= 2


def check_sizes(sizes: Iterable[float], n_units: int, unit: str = "unit") -> tuple[int, ...]:
    """The sizes, rising and each once; ChoiceError where one is no whole number from 2 to all units."""
    chosen = list(sizes)
    if not chosen:
        raise ChoiceError(f"No size is chosen; choose whole numbers from 2 to {n_units:,}")
    for size in chosen:
        if not float(size).is_integer() or not 2 <= size <= n_units:
            number = f"{int(size):,}" if float(size).is_integer() else f"{size:g}"
            raise ChoiceError(
                f"A size of {number} {unit}s: there are {n_units:,}; choose whole numbers from 2 to {n_units:,}"
            )
    return tuple(sorted({int(size) for size in chosen}))


def parts(
    n_units: int, sizes: Iterable[float], how: str = "initial", draws: int = 1, seed: int = 0, unit: str = "unit"
) -> list[tuple[int, int, np.ndarray]]:
    """(size, draw from 1, indices of its units, rising) of each part of the test set, sizes rising.

    The first units of each size are one draw; random subsets are ``draws``, but all units are always one.
    A subset depends on seed, size and draw alone, not on what other sizes there are.
    """
    if how not in WAYS:
        raise ChoiceError.unknown("way to take units", how, WAYS)
    if draws < 1:
        raise ChoiceError(f"{draws} draws of each size; choose 1 or more")
    found = []
    for size in check_sizes(sizes, n_units, unit):
        if how == "initial" or size == n_units:
            found.append((size, 1, np.arange(size)))
        else:
            found += [(size, draw, _subset(n_units, size, draw, seed)) for draw in range(1, draws + 1)]
    return found


def _subset(n_units: int, size: int, draw: int, seed: int) -> np.ndarray:
    rng = generator(seed, Purpose.SUBSET, size, draw)
    return np.sort(rng.choice(n_units, size, replace=False))


def pairs_by_size(
    selection: Selection,
    recipe: Resampling,
    sizes: Iterable[float] | None = None,
    how: str = "initial",
    draws: int = 1,
    progress: Progress | None = None,
    notion: Notion = Notion(),
) -> pd.DataFrame:
    """All pairs of systems on each part of the test set: size, draw, then the columns of ``pair_table``.

    ``sizes`` are the usual ones where none are given; ``how`` and ``draws`` as in ``parts``, with the seed of
    the recipe. Adjusted p-values are over the pairs of one part. ``progress(done, of)`` is told resamples
    of all parts together and may raise to end the work.
    """
    selection.check()
    stats = selection.stats
    chosen = usual_sizes(stats.n_units) if sizes is None else sizes
    of_sizes = parts(stats.n_units, chosen, how, draws, recipe.seed, stats.unit)
    found = []
    for number, (size, draw, units) in enumerate(of_sizes):
        part = selection.on(units)
        pairs = part.bootstrap(recipe, nth_of(progress, number, len(of_sizes))).pairs(notion)
        pairs.insert(0, "size", size)
        pairs.insert(1, "draw", draw)
        found.append(pairs)
    return pd.concat(found, ignore_index=True)


def thresholds_by_size(pairs: pd.DataFrame, rule: Rule = Rule(), notion: Notion = Notion()) -> pd.DataFrame:
    """A row a size, draw and comparison class: size, draw, then the columns of ``threshold_table``.

    ``pairs`` as ``pairs_by_size`` gives them. Where one draw has too few pairs in the window of p,
    ``pairs.assign(draw=1)`` reads one threshold off the pairs of all draws of a size together.
    """
    parts = pairs.groupby(["size", "draw"], sort=True)
    tables = {part: threshold_table(rows, rule.following(notion, rows)) for part, rows in parts}
    # Empty ones would make columns of numbers columns of objects.
    filled = {part: table for part, table in tables.items() if len(table)} or {(0, 0): threshold_table(pairs, rule)}
    return pd.concat(filled, names=["size", "draw", None]).reset_index(["size", "draw"]).reset_index(drop=True)


def spread_by_size(thresholds: pd.DataFrame) -> pd.DataFrame:
    """What the draws of a size say together: a row a size, comparison class and estimate.

    Columns size, comparison, estimate ("window" or "model"), draws, found (draws with a threshold), then
    median, low and high: the median, the smallest and the largest threshold, NaN where none is found.
    """
    rows = []
    for estimate, prefix in ESTIMATES.items():
        for (size, comparison), of_draws in thresholds.groupby(["size", "comparison"], sort=True):
            found = of_draws[f"{prefix}threshold"].dropna()
            numbers = (found.median(), found.min(), found.max())
            rows.append((size, comparison, estimate, len(of_draws), len(found), *numbers))
    columns = ["size", "comparison", "estimate", "draws", "found", "median", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def fit_by_size(thresholds: pd.DataFrame) -> pd.DataFrame:
    """How well thresholds follow c / sqrt(size): a row a comparison class and estimate.

    Columns comparison, estimate ("window" or "model"), then

    - ``c``: by least squares on the logarithms, the geometric mean of threshold times sqrt(size);
    - ``exponent``, ``exponent_se``, ``exponent_low``, ``exponent_high``: threshold = a * size^exponent with both
      free. -0.5 is expected, and a little less where standard errors of few units are noisy, since their upper
      percentiles then lie higher. The 95 % interval is Student's, as if the points were independent: initial
      segments hold one another and random subsets overlap, so it is rather too narrow;
    - ``worst_ratio``, ``worst_size``: threshold over curve where it is furthest from 1;
    - ``sizes``, ``points``: on how many sizes and thresholds this rests; ``reason``: why there are no numbers,
      where thresholds are known at fewer than three sizes.
    """
    rows = [
        {"comparison": comparison, "estimate": estimate}
        | _fit(of_class["size"].to_numpy(dtype=float), of_class[f"{prefix}threshold"].to_numpy(dtype=float))
        for comparison in COMPARISONS
        for estimate, prefix in ESTIMATES.items()
        if len(of_class := thresholds[thresholds["comparison"] == comparison])
    ]
    return pd.DataFrame(rows, columns=["comparison", "estimate", *_fit(np.empty(0), np.empty(0))])


def _fit(sizes: np.ndarray, thresholds: np.ndarray) -> dict[str, object]:
    from scipy.special import stdtrit

    known = np.isfinite(thresholds)
    sizes, thresholds = sizes[known], thresholds[known]
    n_sizes = len(np.unique(sizes))
    numbers = ("c", "exponent", "exponent_se", "exponent_low", "exponent_high", "worst_ratio", "worst_size")
    row: dict[str, object] = dict.fromkeys(numbers, np.nan) | {"sizes": n_sizes, "points": len(sizes), "reason": ""}
    if n_sizes < FEWEST_SIZES:
        return row | {"reason": f"thresholds at {count(n_sizes, 'size')}; {FEWEST_SIZES} are needed"}
    x, y = np.log(sizes), np.log(thresholds)
    c = float(np.exp((y + x / 2).mean()))
    away = x - x.mean()
    exponent = float(away @ y / (away @ away))
    residuals = y - y.mean() - exponent * away
    freedom = len(x) - 2
    error = float(np.sqrt(residuals @ residuals / freedom / (away @ away)))
    reach = float(stdtrit(freedom, 0.975)) * error
    ratios = thresholds * np.sqrt(sizes) / c
    worst = int(np.abs(np.log(ratios)).argmax())
    return row | {
        "c": c,
        "exponent": exponent,
        "exponent_se": error,
        "exponent_low": exponent - reach,
        "exponent_high": exponent + reach,
        "worst_ratio": float(ratios[worst]),
        "worst_size": float(sizes[worst]),
    }
