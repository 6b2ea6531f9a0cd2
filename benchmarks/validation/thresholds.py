"""Thresholds: how often the intervals of the model and of what-ifs hold the truth, in simulated tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from benchmarks.validation.rows import Cell, Effort, Row
from nlpsig_core.significance.comparison.classes import DIFFERENT
from nlpsig_core.significance.comparison.needed_gain import AGREED, needed_gain
from nlpsig_core.significance.comparison.thresholds import WHAT_IF_HELD, Rule, what_if

SECTION, Z, PERCENTILE = "thresholds", Rule().z, 95.0
# The number of simulated tasks per case, as a share of the worlds.
TASKS = 0.01
# Gains of what-ifs, in standard errors of about 1.
GAINS = (1.6, 2.0, 2.4)
# Group sizes of real tasks (CoNLL 2018, WMT 2021, REALSumm, CoNLL 2017) and of smaller ones.
SIZES = {
    "25 systems, 25 groups": [1] * 25,
    "20 systems, 16 groups": [5] + [1] * 15,
    "35 systems, 15 groups": [10, 5, 3, 3, 2, 2] + [1] * 9 + [1],
    "56 systems, 24 groups": [7, 7, 6, 4, 3, 3] + [2] * 8 + [1] * 10,
    "12 systems, 12 groups": [1] * 12,
    "8 systems, 8 groups": [1] * 8,
}
# Standard deviations of group, system and residual effects on the square root of a standard error of about 1.
SPREADS = {"groups alike": (0.0, 0.07, 0.06), "groups differ": (0.06, 0.03, 0.06)}
SHAPES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "heavy tails (t, 4 df)": lambda rng, n: rng.standard_t(4, n) / np.sqrt(2),
    "skewed (gamma, 2)": lambda rng, n: (rng.gamma(2, 1, n) - 2) / np.sqrt(2),
}


def rows(effort: Effort) -> Iterator[Row]:
    """Yield all rows, by the shape and spread of effects, and by spread and group sizes."""
    tasks = effort.part(TASKS)
    sizes = ("12 systems, 12 groups",) if effort.quick else tuple(SIZES)
    for shape in ("normal",) if effort.quick else SHAPES:
        for spread in SPREADS:
            truth = true_threshold(SPREADS[spread], shape)
            held = [_holds(pairs, truth) for size in sizes for pairs in simulated_tasks(7, tasks, size, spread, shape)]
            cell = Cell(SECTION, f"{shape}; {spread}")
            yield cell.row("interval of a threshold", AGREED, np.array(held), at_most=False)
    for spread in SPREADS:
        for size in sizes:
            simulated = simulated_tasks(3, tasks, size, spread, "normal")
            held = [_what_ifs_hold(simulated, gain) for gain in GAINS]
            cell = Cell(SECTION, f"{spread}; {size}")
            yield cell.row("interval of a what-if share", WHAT_IF_HELD, np.concatenate(held), at_most=False)


def _holds(pairs: pd.DataFrame, truth: float) -> float:
    """Return whether the interval of the needed gain contains the truth; NaN without an interval."""
    needed = needed_gain(pairs, Z, PERCENTILE)
    return float(needed.low <= truth <= needed.high) if np.isfinite(needed.low) else np.nan


def _what_ifs_hold(tasks: list[pd.DataFrame], gain: float) -> np.ndarray:
    """Return whether each task's interval contains the share of significant pairs near a gain; NaN without one."""
    near = pd.concat([what_if(pairs, gain, draws=500).iloc[:1] for pairs in tasks])
    truth = near["significant"].sum() / near["pairs"].sum()
    return np.where(near["low"].notna(), (near["low"] <= truth) & (truth <= near["high"]), np.nan)


def simulated_tasks(seed: int, tasks: int, size: str, spread: str, shape: str) -> list[pd.DataFrame]:
    """Simulate the pairs of different groups of some tasks, with gains of a few standard errors."""
    rng = np.random.default_rng(seed)
    return [_simulated(SIZES[size], SPREADS[spread], SHAPES[shape], rng) for _ in range(tasks)]


def _simulated(
    sizes: list[int],
    spread: tuple[float, float, float],
    draw: Callable[[np.random.Generator, int], np.ndarray],
    rng: np.random.Generator,
) -> pd.DataFrame:
    group = np.repeat(np.arange(len(sizes)), sizes)
    effect = spread[0] * draw(rng, len(sizes))[group] + spread[1] * draw(rng, len(group))
    first, second = np.triu_indices(len(group), 1)
    first, second = (side[group[first] != group[second]] for side in (first, second))
    root = np.maximum(1 + effect[first] + effect[second] + spread[2] * draw(rng, len(first)), 0.05)
    quality = 2.5 * rng.standard_normal(len(group))
    error, gain = root**2, np.abs(quality[first] - quality[second]) + 1e-9
    systems, groups = np.arange(len(group)).astype(str), group.astype(str)
    columns = {"system_a": systems[first], "system_b": systems[second], "comparison": DIFFERENT}
    columns |= {"group_a": groups[first], "group_b": groups[second]}
    return pd.DataFrame(columns | {"gain": gain, "standard_error": error, "significant": gain > Z * error})


def true_threshold(spread: tuple[float, float, float], shape: str, n: int = 400_000) -> float:
    """Return the gain that 95 % of all pairs of different groups need."""
    rng = np.random.default_rng(1)
    shapes = [SHAPES[shape](rng, n) for _ in range(5)]
    scales = (spread[0], spread[0], spread[1], spread[1], spread[2])
    root = 1 + sum(scale * values for scale, values in zip(scales, shapes, strict=True))
    return Z * float(np.percentile(np.maximum(root, 0.05) ** 2, PERCENTILE))
