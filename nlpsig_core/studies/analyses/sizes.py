"""Significance as a function of test set size: all pairs on subsets of the test set, and their thresholds.

Berg-Kirkpatrick et al. (2012), section 4.1, figures 9 and 10.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_named, check_numbers, check_types, whole
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.studies.analyses.domains import thresholds_of_parts

# "initial": the first units, as in the paper; "random": units drawn without replacement.
WAYS = ("initial", "random")
# Sizes double from the first one on, or from the second if the first gives fewer than FEWEST_SIZES.
FIRST_SIZES = (100, 25)
# A line through two points always fits.
FEWEST_SIZES = 3
# A link can ask for any number of sizes, each of which is a bootstrap of all pairs.
MOST_SIZES = 100
# Of each size, as many random subsets; each of them is a bootstrap, too.
MOST_DRAWS = 1_000
# The two estimates of ``threshold_table`` and the prefixes of their columns.
ESTIMATES = {"window": "", "model": "model_"}


def usual_sizes(n_units: int) -> tuple[int, ...]:
    """Return the default sizes: 100, 200, 400, ... as far as there are units, and all units last.

    If this gives fewer than three sizes, they double from 25 on.
    """
    n_units = whole("n_units", n_units)
    for first in FIRST_SIZES:
        sizes = (*(first * 2**power for power in range(30) if first * 2**power < n_units), n_units)
        if len(sizes) >= FEWEST_SIZES:
            break
    return sizes


def check_sizes(sizes: Iterable[float], n_units: int, unit: str = "unit") -> tuple[int, ...]:
    """Return the distinct sizes, rising; ChoiceError for too many, or for one that is not whole or out of range."""
    chosen = list(sizes) if isinstance(sizes, Iterable) else [sizes]
    if not chosen:
        raise ChoiceError(f"No size is chosen; choose whole numbers from 2 to {n_units:,}")
    if len(chosen) > MOST_SIZES:
        raise ChoiceError(f"{len(chosen):,} sizes are chosen; choose at most {MOST_SIZES}")
    for size in chosen:
        check_numbers(size=size)
        if not float(size).is_integer() or not 2 <= size <= n_units:
            number = f"{int(size):,}" if float(size).is_integer() and abs(size) < 1e15 else f"{size:g}"
            raise ChoiceError(
                f"A size of {number} {unit}s: there are {n_units:,}; choose whole numbers from 2 to {n_units:,}"
            )
    return tuple(sorted({int(size) for size in chosen}))


def subsets(
    n_units: int, sizes: Iterable[float], how: str = "initial", draws: int = 1, seed: int = 0, unit: str = "unit"
) -> list[tuple[int, int, np.ndarray]]:
    """Return (size, draw from 1, indices of its units, rising) of each subset of the test set, sizes rising.

    There is one subset of the first units of each size, or ``draws`` random subsets, but only one of all units.
    A random subset depends only on seed, size and draw, not on the other sizes.
    """
    check_named("way to take units", how, WAYS)
    if whole("draws", draws) < 1:
        raise ChoiceError(f"{draws} draws of each size; choose 1 or more")
    if draws > MOST_DRAWS:
        raise ChoiceError(f"{draws:,} draws of each size; choose {MOST_DRAWS:,} or fewer")
    chosen = []
    for size in check_sizes(sizes, n_units, unit):
        if how == "initial" or size == n_units:
            chosen.append((size, 1, np.arange(size)))
        else:
            for draw in range(1, int(draws) + 1):
                rng = generator(seed, Purpose.SUBSET, size, draw)
                chosen.append((size, draw, np.sort(rng.choice(n_units, size, replace=False))))
    return chosen


def pairs_by_size(
    selection: Selection,
    recipe: Resampling,
    sizes: Iterable[float] | None = None,
    how: str = "initial",
    draws: int = 1,
    progress: Progress | None = None,
    notion: Notion = Notion(),
    whole: Bootstrap | None = None,
) -> pd.DataFrame:
    """Return all pairs of systems on each subset of the test set: size, draw, then the columns of ``pair_table``.

    ``sizes`` defaults to ``usual_sizes``; ``how`` and ``draws`` as in ``subsets``, with the seed of the recipe.
    p is that of the usual test of all units, corrected for the pairs of one subset. ``progress(done, of)`` counts the
    resamples of all subsets together and may raise to cancel. ``whole`` is the bootstrap of all units by the same
    recipe, where it is known.
    """
    check_types(selection=(selection, Selection), recipe=(recipe, Resampling), notion=(notion, Notion))
    selection.check()
    stats, notion = selection.stats, replace(notion, test=notion.test_on(selection.stats))
    chosen = usual_sizes(stats.n_units) if sizes is None else sizes
    of_sizes = subsets(stats.n_units, chosen, how=how, draws=draws, seed=recipe.seed, unit=stats.unit)
    tables = []
    for number, (size, draw, units) in enumerate(of_sizes):
        if whole is not None and size == stats.n_units:
            results = Results(selection, whole)
        else:
            results = selection.on(units).bootstrap(recipe, nth_of(progress, number, len(of_sizes)))
        pairs = results.pairs(notion)
        pairs.insert(0, "size", size)
        pairs.insert(1, "draw", draw)
        tables.append(pairs)
    return pd.concat(tables, ignore_index=True)


def thresholds_by_size(pairs: pd.DataFrame, rule: Rule = Rule(), notion: Notion = Notion()) -> pd.DataFrame:
    """Return a row a size, draw and comparison class: size, draw, then the columns of ``threshold_table``.

    ``pairs`` is the result of ``pairs_by_size``. If single draws have too few pairs in the window of p,
    ``pairs.assign(draw=1)`` pools the pairs of all draws of a size for one threshold.
    """
    check_types(pairs=(pairs, pd.DataFrame), rule=(rule, Rule), notion=(notion, Notion))
    return thresholds_of_parts(pairs.assign(units=pairs["size"]), ["size", "draw"], rule, notion)


def spread_by_size(thresholds: pd.DataFrame) -> pd.DataFrame:
    """Return the thresholds of all draws of a size together: a row a size, comparison class and estimate.

    Columns size, comparison, estimate ("window" or "model"), draws, found (draws with a threshold), then median, low
    and high: the median, the smallest and the largest threshold, NaN if there is none.
    """
    rows = []
    for estimate, prefix in ESTIMATES.items():
        for (size, comparison), of_draws in thresholds.groupby(["size", "comparison"], sort=True):
            known = of_draws[f"{prefix}threshold"].dropna()
            numbers = (known.median(), known.min(), known.max())
            rows.append((size, comparison, estimate, len(of_draws), len(known), *numbers))
    columns = ["size", "comparison", "estimate", "draws", "found", "median", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def fit_by_size(thresholds: pd.DataFrame) -> pd.DataFrame:
    """Return how well thresholds follow c / sqrt(size): a row a comparison class and estimate.

    Columns comparison, estimate ("window" or "model"), then

    - ``c``: by least squares on the logarithms, the geometric mean of threshold times sqrt(size);
    - ``exponent``, ``exponent_se``, ``exponent_low``, ``exponent_high``: threshold = a * size^exponent with both
      free. -0.5 is expected, and a little less if standard errors of few units are noisy, which raises their upper
      percentiles. The 95% interval is Student's, as if the points were independent: it is rather too narrow, since
      initial segments contain one another and random subsets overlap;
    - ``worst_ratio``, ``worst_size``: the ratio of threshold to curve that is furthest from 1, and its size;
    - ``sizes``, ``points``: the number of sizes and thresholds; ``reason``: why there are no numbers, if thresholds are
      known at fewer than three sizes.
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
