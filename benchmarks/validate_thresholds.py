"""``python -m benchmarks.validate_thresholds [STATISTICS]``: accuracy and coverage of thresholds, as TSV.

Compares the model of needed gains with a simpler estimate: a percentile of the gains that close pairs need, with an
interval from resampled systems. Simulated tasks have a known threshold; real tasks, read from a folder of statistics by
test set (``.npz``), are split into two halves of their groups.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.classes import DIFFERENT, SAME
from nlpsig_core.significance.comparison.needed_gain import FEWEST_FOR_INTERVAL, FEWEST_PAIRS, REACH, needed_gain
from nlpsig_core.significance.comparison.thresholds import Rule, what_if
from nlpsig_core.significance.paired_tests.bootstrap_t import influences
from nlpsig_core.significance.stats.array import Stats

Z, PERCENTILE = Rule().z, 95.0
COLUMNS = ("study", "case", "class", "method", "figure", "value", "cases")
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
SIMULATED, SPLITS, FEWEST_OTHERS = 200, 20, 5
# (test set, metric) by folder of the statistics.
TASKS = (
    ("alignment/enfr", "AER"), ("conll2017/en_lines", "LAS"), ("conll2017/en_partut", "LAS"), ("conll2017/zh", "LAS"),
    ("conll2017/zh", "UPOS"), ("conll2018/en_ewt", "LAS"), ("conll2018/en_gum", "LAS"), ("conll2018/fi_pud", "LAS"),
    ("conll2018/de_gsd", "MLAS"), ("conll2018/hy_armtdp", "LAS"), ("conll2018/ja_gsd", "LAS"),
    ("conll2018/br_keb", "LAS"), ("conll2018/ga_idt", "UPOS"), ("conll2018/et_edt", "BLEX"),
    ("conll2018/zh_gsd", "LAS"), ("summarization/realsumm", "ROUGE-1"), ("summarization/realsumm", "ROUGE-L"),
    ("tagging/wnut17", "F1-entities"), ("wmt21/de-en", "BLEU"), ("wmt21/en-de", "BLEU"), ("wmt21/en-zh.chrF", "chrF"),
    ("wmt21/ja-en", "BLEU"), ("wmt23/en-de", "BLEU"), ("wmt23/en-zh.chrF", "chrF"), ("wmt24/cs-uk", "BLEU"),
    ("wmt24/en-cs.chrF", "chrF"), ("wmt24/en-de", "BLEU"), ("wmt24/en-de.chrF", "chrF"), ("wmt24/en-ja.chrF", "chrF"),
    ("wmt24/en-zh.chrF", "chrF"),
)  # fmt: skip


class Estimate(NamedTuple):
    """A threshold with its interval, NaN if there is none."""

    threshold: float
    low: float
    high: float


def by_model(pairs: pd.DataFrame) -> Estimate:
    """Return the estimate of ``nlpsig_core.significance.comparison.needed_gain``."""
    needed = needed_gain(pairs, Z, PERCENTILE)
    return Estimate(needed.threshold, needed.low, needed.high)


def by_percentile(pairs: pd.DataFrame, draws: int = 500) -> Estimate:
    """Return the percentile of the gains that pairs need, among pairs that are at most twice that far apart.

    The interval comes from resampling systems.
    """
    needed = Z * pairs["standard_error"].to_numpy()
    near = pairs["gain"].to_numpy() <= 2 * needed
    if near.sum() < FEWEST_PAIRS:
        return Estimate(np.nan, np.nan, np.nan)
    needed, pairs = needed[near], pairs[near]
    systems, indices = np.unique(pairs[["system_a", "system_b"]].to_numpy(dtype=str), return_inverse=True)
    first, second = indices.reshape(-1, 2).T
    drawn = np.random.default_rng(0).multinomial(len(systems), np.full(len(systems), 1 / len(systems)), size=draws)
    order = np.argsort(needed)
    weight = np.cumsum((drawn[:, first] * drawn[:, second])[:, order], axis=1)
    weight = weight[weight[:, -1] > 0]
    reached = needed[order][np.argmax(weight >= PERCENTILE / 100 * weight[:, -1:], axis=1)]
    return Estimate(float(np.percentile(needed, PERCENTILE)), *np.percentile(reached, [2.5, 97.5]).tolist())


METHODS = {"model": by_model, "percentile": by_percentile}


def simulated_pairs(sizes: list[int], spread: tuple[float, float, float], shape: str, rng: np.random.Generator):
    """Simulate the pairs of different groups of one task, with gains of a few standard errors."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    effect = spread[0] * SHAPES[shape](rng, len(sizes))[group] + spread[1] * SHAPES[shape](rng, len(group))
    first, second = np.triu_indices(len(group), 1)
    first, second = (side[group[first] != group[second]] for side in (first, second))
    root = np.maximum(1 + effect[first] + effect[second] + spread[2] * SHAPES[shape](rng, len(first)), 0.05)
    quality = 2.5 * rng.standard_normal(len(group))
    error, gain = root**2, np.abs(quality[first] - quality[second]) + 1e-9
    return _frame(first, second, group, gain, error)


def true_threshold(spread: tuple[float, float, float], shape: str, n: int = 400_000) -> float:
    """Return the gain that 95 % of all pairs of different groups need."""
    rng = np.random.default_rng(1)
    shapes = [SHAPES[shape](rng, n) for _ in range(5)]
    scales = (spread[0], spread[0], spread[1], spread[1], spread[2])
    root = 1 + sum(scale * values for scale, values in zip(scales, shapes, strict=True))
    return Z * float(np.percentile(np.maximum(root, 0.05) ** 2, PERCENTILE))


def _frame(first, second, group, gain, error) -> pd.DataFrame:
    names, groups = np.arange(len(group)).astype(str), np.asarray(group).astype(str)
    same = groups[first] == groups[second]
    return pd.DataFrame(
        {
            "system_a": names[first],
            "system_b": names[second],
            "group_a": groups[first],
            "group_b": groups[second],
            "comparison": np.where(same, SAME, DIFFERENT),
            "gain": gain,
            "standard_error": error,
            "significant": gain > Z * error,
        }
    )


def simulations(
    tasks_a_case: int = SIMULATED,
    shapes: Sequence[str] = tuple(SHAPES),
    of_sizes: Sequence[str] = tuple(SIZES),
    methods: Mapping[str, Callable[[pd.DataFrame], Estimate]] = METHODS,
) -> Iterator[tuple]:
    """Yield coverage, relative root mean square error and width of each method on simulated tasks."""
    for shape in shapes:
        for spread_name, spread in SPREADS.items():
            truth = true_threshold(spread, shape)
            for size_name in of_sizes:
                rng = np.random.default_rng(7)
                tasks = [simulated_pairs(SIZES[size_name], spread, shape, rng) for _ in range(tasks_a_case)]
                for method, estimate in methods.items():
                    found = np.array([estimate(pairs) for pairs in tasks])
                    case = f"{shape}; {spread_name}; {size_name}"
                    yield from _figures("simulated", case, DIFFERENT, method, found, truth)


def _figures(study: str, case: str, of_class: str, method: str, found: np.ndarray, truth) -> Iterator[tuple]:
    known = np.isfinite(found).all(axis=1)
    threshold, low, high = found[known].T
    truth = np.broadcast_to(truth, len(found))[known]
    values = {
        "interval holds it": np.mean((low <= truth) & (truth <= high)),
        "relative rmse": np.sqrt(np.mean(np.log(threshold / truth) ** 2)),
        "width of interval": np.median(high / low - 1),
    }
    yield from ((study, case, of_class, method, name, float(value), len(threshold)) for name, value in values.items())


def real_pairs(folder: Path, name: str, metric_name: str) -> pd.DataFrame:
    """Return all pairs of a real task, with standard errors by the infinitesimal jackknife."""
    stored, metric = np.load(folder / f"{name}.npz"), METRICS[metric_name]
    values = stored["values"][:, :, [stored["columns"].tolist().index(column) for column in metric.columns]]
    if values.dtype.kind == "f":
        values = values[:, np.isfinite(values).all(axis=(0, 2))]
    stats = Stats(tuple(stored["systems"].tolist()), np.ascontiguousarray(values), metric)
    pull = influences(stats)
    first, second = np.triu_indices(stats.n_systems, 1)
    squares = pull @ pull.T / stats.n_units
    own = np.diag(squares)
    error = np.sqrt(np.maximum(own[first] + own[second] - 2 * squares[first, second], 0) / stats.n_units)
    pairs = _frame(first, second, stored["groups"], np.abs(stats.scores[first] - stats.scores[second]), error)
    return pairs[(pairs["gain"] > 0) & (pairs["standard_error"] > 0)]


def halves(pairs: pd.DataFrame, rng: np.random.Generator) -> Iterator[tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]]:
    """Yield the pairs within a random half of the groups, within the other half, and between the two."""
    groups = np.unique(pairs[["group_a", "group_b"]])
    for _ in range(SPLITS):
        half = rng.permutation(groups)[: len(groups) // 2]
        a, b = pairs["group_a"].isin(half), pairs["group_b"].isin(half)
        yield pairs[a & b], pairs[~a & ~b], pairs[a ^ b]


def left_out(pairs: pd.DataFrame, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield the performance of each method on held-out close pairs, (methods, 5), for each split with all estimates.

    The columns are the share of pairs of the other half that need less than the threshold, the same share of the pairs
    between, the pinball loss on the other half in medians, whether the intervals of both halves agree, and the width of
    the interval; NaN without an interval.
    """
    for fitted, other, between in halves(pairs, rng):
        found = {method: (estimate(fitted), estimate(other)) for method, estimate in METHODS.items()}
        needed = _needed_by_close(other)
        if len(needed) < FEWEST_OTHERS or any(np.isnan(one.threshold) for one, _ in found.values()):
            continue
        sure = min(map(_close, (fitted, other))) >= FEWEST_FOR_INTERVAL
        yield np.array([(*_on_others(one.threshold, needed, _needed_by_close(between)),
                         _agree(one, two) if sure else np.nan, one.high / one.low - 1)
                        for one, two in found.values()])  # fmt: skip


def _on_others(threshold: float, needed: np.ndarray, between: np.ndarray) -> tuple[float, float, float]:
    loss = np.maximum(0.95 * (needed - threshold), 0.05 * (threshold - needed)).mean() / np.median(needed)
    return float((needed <= threshold).mean()), float((between <= threshold).mean()), float(loss)


def _close(pairs: pd.DataFrame) -> int:
    return int((pairs["gain"] <= REACH * Z * pairs["standard_error"]).sum())


def _needed_by_close(pairs: pd.DataFrame) -> np.ndarray:
    """Return the gains that pairs need, among pairs that are at most twice that far apart."""
    needed = Z * pairs["standard_error"].to_numpy()
    return needed[pairs["gain"].to_numpy() <= 2 * needed]


def _agree(one: Estimate, two: Estimate) -> float:
    """Return whether two independent thresholds agree within their combined intervals; NaN without intervals."""
    if not np.isfinite([*one, *two]).all():
        return np.nan
    lower, upper = sorted((one, two))
    reach = np.hypot(np.log(lower.high / lower.threshold), np.log(upper.threshold / upper.low))
    return float(np.log(upper.threshold / lower.threshold) <= reach)


def real(folder: Path) -> Iterator[tuple]:
    """Yield the results of ``left_out`` over all tasks, by class and method."""
    names = ("left-out pairs below", "pairs between below", "pinball loss", "two halves agree", "width of interval")
    tasks = {f"{name} {metric}": real_pairs(folder, name, metric) for name, metric in TASKS}
    for of_class in (DIFFERENT, SAME):
        found = {
            task: list(left_out(pairs[pairs["comparison"] == of_class], np.random.default_rng(11)))
            for task, pairs in tasks.items()
        }
        splits = np.array([split for of_task in found.values() for split in of_task])
        case = f"{sum(map(bool, found.values()))} of {len(tasks)} tasks"
        for method, values_by_name in zip(METHODS, np.moveaxis(splits, 1, 0), strict=True):
            for name, values in zip(names, values_by_name.T, strict=True):
                known = values[np.isfinite(values)]
                if not len(known):
                    continue
                value = np.median(known) if name.startswith("width") else np.mean(known)
                yield ("real, halves of the groups", case, of_class, method, name, float(value), len(known))


def what_ifs(tasks_a_case: int = 2 * SIMULATED, of_sizes: Sequence[str] = tuple(SIZES)) -> Iterator[tuple]:
    """Yield how often the interval of ``what_if`` contains the true share of significant pairs near a gain."""
    for spread_name, spread in SPREADS.items():
        for size_name in of_sizes:
            rng = np.random.default_rng(3)
            tasks = [simulated_pairs(SIZES[size_name], spread, "normal", rng) for _ in range(tasks_a_case)]
            for gain in (1.6, 2.0, 2.4):
                near = [what_if(pairs, gain, draws=500).iloc[0] for pairs in tasks]
                truth = sum(row["significant"] for row in near) / sum(row["pairs"] for row in near)
                known = [row for row in near if np.isfinite(row["low"])]
                if known:
                    held = float(np.mean([row["low"] <= truth <= row["high"] for row in known]))
                    case = f"{spread_name}; {size_name}; gain {gain:g}, share {truth:.2f}"
                    yield ("what if", case, DIFFERENT, "groups drawn again", "interval holds it", held, len(known))


def rows(folder: Path | None = None) -> list[tuple]:
    """Return all figures as rows of COLUMNS; those of real tasks only with a folder of statistics."""
    return [*simulations(), *what_ifs(), *(real(folder) if folder else ())]


def main() -> None:
    """Print all rows."""
    print("\t".join(COLUMNS))
    for row in rows(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        print("\t".join(f"{value:.4f}" if isinstance(value, float) else str(value) for value in row), flush=True)


if __name__ == "__main__":
    main()
