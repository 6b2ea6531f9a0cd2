"""From a selection to the rows of an atlas, one for each pair, and from rows to thresholds, one for each class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.version import __version__
from nlpsig_core.data.drawings import lengths_on
from nlpsig_core.data.metrics import METRICS, Metric
from nlpsig_core.data.readers import READERS
from nlpsig_core.significance.comparison.classes import COMPARISONS, INVALID, comparisons, groups_of
from nlpsig_core.significance.comparison.needed_gain import FEWEST_PAIRS, needed_gain, within_reach
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample

# What is the same for all pairs of a test set by a metric, and what differs between pairs. Systems, groups and
# comparisons are numbers: systems and groups in the order of the task's systems, comparisons that of COMPARISONS.
ABOUT = ("task", "test_set", "language", "year", "metric", "name", "unit", "n", "systems", "length")
REALS = ("gain", "standard_error", "p_value", "p_two_sided", "p_small_two_sided", "correlation", "level")
WHOLE = ("comparison", "system_a", "system_b", "group_a", "group_b", "differing")
# Increase this whenever a column is added or changes its meaning.
VERSION = 1
# Thresholds are those of two-sided p < 0.05; they are proportional to z, so others follow.
Z = Notion().z()
PERCENTILE = 95.0
# Standard errors of pairs grow with their gains: about as this power of the gain, from 0.37 to 1.2 thresholds.
GROWTH = 0.2
CLOSE = (-1.0, 0.2)
# Pairs of a rough threshold: nearly those of four systems. The standard errors of pairs out of reach hardly grow: of
# thresholds that are known, those from such pairs alone were 0.97 at the median.
FEWEST_ROUGH, FAR_GROWTH = 5, 0.05
# Metrics that an atlas pools, such as shares of units that are right, and those of one name that it must not pool.
POOLED = {
    "accuracy": "accuracy of tags",
    "accuracy-labels": "accuracy",
    "AP-rankings": "AP-rankings",
    **{f"normalised-{name}": name for name in ("WER", "CER", "MER", "SER")},
}
# The metric of logs that is the share of questions answered right, in percent.
SOLVED = "solved"
# The quantiles of the curve of significant pairs.
SHARES = np.linspace(0, 1, 21)
CURVE = [f"curve_{round(100 * share):03d}" for share in SHARES]
COLUMNS = ("part", "comparison", "pairs", "near", "threshold", "level", "correlation", "error", "rough", *CURVE)


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """One test set by one metric: all that the bootstrap of its pairs needs, and no text.

    ``about`` are the fields ABOUT; ``length`` is the mean length of a unit, 0 if it is not known.
    """

    about: Mapping[str, str | float]
    stats: Sample
    systems: pd.DataFrame
    invalid_files: frozenset[str]

    @classmethod
    def from_selection(cls, selection: Selection) -> Part:
        """Return the part of a selection of one test set; TaskError if it has no pair."""
        selection.check()
        test_set, metric = selection.first.test_set, selection.metric
        lengths = lengths_on(test_set)
        about: dict[str, str | float] = {
            "task": selection.task.name,
            "test_set": name_of(selection),
            "language": test_set.about.get("language", ""),
            "year": test_set.about.get("year", ""),
            "metric": title(metric),
            "name": metric.name,
            "unit": selection.stats.unit,
            "n": selection.first.stats.n_units,
            "systems": selection.stats.n_systems,
            "length": float(lengths.mean()) if len(lengths) else 0.0,
        }
        columns = [c for c in ("file", "system", "group", "kind", "base_model") if c in selection.systems]
        systems, invalid = selection.systems[columns], selection.invalid_files
        return cls(about=about, stats=selection.stats, systems=systems, invalid_files=invalid)

    @property
    def order(self) -> tuple[str, ...]:
        """The key by which the parts of an atlas are sorted, so that their order on input does not matter."""
        return (*(str(self.about[name]) for name in ("task", "test_set", "metric", "name")), self.stats.digest)

    def key(self, recipe: Resampling) -> str:
        """Return a name for everything that its rows depend on."""
        systems = self.systems.to_csv(index=False)
        settings = (recipe.n_resamples, recipe.seed, VERSION, __version__)
        return digest_of("part of an atlas", self.stats.digest, systems, settings)


def name_of(selection: Selection) -> str:
    """Return the name of a selection's test set in an atlas: its task's where it has none."""
    test_set = selection.first.test_set
    return test_set.name or test_set.about.get("test_set") or selection.task.name


def short_digest(stats: Sample) -> str:
    """Return the beginning of the digest of statistics, by which an atlas recognises a test set and metric."""
    return stats.digest[:16]


def title(metric: Metric) -> str:
    """Return the name under which an atlas pools a metric: its label, or its full name where formats share the label.

    "BLEU" for every tokeniser, "LAS" for every edition, "accuracy" for right labels and for solved questions, but
    "F1-entities" and "F1-brackets". What logs call accuracy or BLEU has another scale, or is a mean over questions.
    """
    if READERS[metric.family.reader].logs:
        return _title_of_logged(metric)
    if metric.name in POOLED:
        return POOLED[metric.name]
    readers = {other.family.reader for other in METRICS.values() if other.label == metric.label}
    pooled = metric.label in METRICS and bool(metric.editions)
    return metric.label if len(readers | {metric.family.reader}) == 1 or pooled else metric.name


def _title_of_logged(metric: Metric) -> str:
    if metric.name == SOLVED and metric.scale == "%":
        return "accuracy"
    counted = [other for other in METRICS.values() if other.family.reader != metric.family.reader]
    taken = any(metric.name in (other.name, other.label) for other in counted)
    return f"{metric.name} of logs" if taken else metric.label


def pair_rows(part: Part, recipe: Resampling) -> pd.DataFrame:
    """Return the pairs of a part by the paired bootstrap, a row each: WHOLE and REALS.

    ``level`` is the mean of both scores, ``p_value`` the paper's one-sided p. One thread computes it: parts run side
    by side.
    """
    result, group_of = bootstrap(part.stats, recipe, threads=1), groups_of(part.systems)
    pairs = pair_table(result, part.stats, comparisons(part.systems, result.pairs, part.invalid_files), group_of)
    systems, groups = _numbered(part.stats.names), _numbered(group_of)
    rows = pairs.assign(
        comparison=pairs["comparison"].map(_numbered(COMPARISONS)),
        level=(pairs["score_a"] + pairs["score_b"]) / 2,
        **{f"system_{side}": pairs[f"system_{side}"].map(systems) for side in "ab"},
        **{f"group_{side}": pairs[f"group_{side}"].map(groups) for side in "ab"},
    )
    return rows[[*WHOLE, *REALS]].astype(dict.fromkeys(WHOLE, np.int32) | dict.fromkeys(REALS, np.float64))


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def thresholds_of(parts: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each part and class with enough pairs: COLUMNS.

    ``threshold`` is that of ``needed_gain`` at Z and PERCENTILE, from the ``near`` of the ``pairs`` with a gain that
    are within reach; ``level``, ``correlation`` and ``error`` (standard error x sqrt(n)) are medians of those. If a
    metric has too few close pairs on all test sets, its thresholds are ``rough``: those of all pairs, as if they were
    ``close``.
    """
    valid = _doubles(rows[(rows["gain"] > 0) & (rows["comparison"] != COMPARISONS.index(INVALID))])
    classes = list(valid.groupby(["part", "comparison"]))
    table = _numbers(parts, classes)
    known = {parts["metric"].iloc[row["part"]] for row in table}
    rest = [(key, pairs) for key, pairs in classes if parts["metric"].iloc[key[0]] not in known]
    table = sorted(table + _numbers(parts, rest, rough=True), key=itemgetter("part"))
    return pd.DataFrame(table, columns=list(COLUMNS))


def _numbers(
    parts: pd.DataFrame, classes: Iterable[tuple[tuple[int, int], pd.DataFrame]], rough: bool = False
) -> list[dict[str, Any]]:
    of_class = rough_numbers if rough else numbers_of_class
    return [
        {"part": part, "comparison": COMPARISONS[int(comparison)], "rough": rough} | row
        for (part, comparison), pairs in classes
        if (row := of_class(pairs, int(parts["n"].iloc[part])))["threshold"] > 0
    ]


def out_of_reach(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs that a threshold is not estimated from, since their gains are too large."""
    rows = rows[(rows["gain"] > 0) & (rows["standard_error"] > 0)]
    return _doubles(rows.drop(within_reach(rows, Z).index))


def _doubles(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with real numbers in double precision, in which thresholds are computed."""
    return rows.astype({name: float for name in rows if name in REALS})


def rough_numbers(pairs: pd.DataFrame, n: int) -> dict[str, float]:
    """Return the numbers of a class whose pairs are nearly all out of reach, as if they were ``close``."""
    return numbers_of_class(close(pairs), n, FEWEST_ROUGH)


def close(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs with the standard errors that they would have at the gain that each needs.

    Errors grow as g**FAR_GROWTH, so a pair with the error s at the gain g needs x with x = Z s (x / g)**FAR_GROWTH.
    """
    gain, error = pairs["gain"], pairs["standard_error"]
    needed = (Z * error / gain**FAR_GROWTH) ** (1 / (1 - FAR_GROWTH))
    return pairs.assign(gain=needed, standard_error=needed / Z)


def numbers_of_class(pairs: pd.DataFrame, n: int, fewest: int = FEWEST_PAIRS) -> dict[str, float]:
    """Return the numbers of COLUMNS for the pairs of one class with a gain on ``n`` units; NaN for too few pairs."""
    threshold = needed_gain(pairs, Z, PERCENTILE, fewest=fewest).threshold
    near = within_reach(pairs, Z)
    medians = {name: near[name].median() for name in ("level", "correlation", "standard_error")}
    numbers = {"pairs": len(pairs), "near": len(near), "threshold": threshold, "level": medians["level"]}
    numbers |= {"correlation": medians["correlation"], "error": medians["standard_error"] * n**0.5}
    return numbers | dict(zip(CURVE, curve_of(pairs, threshold), strict=True))


def curve_of(pairs: pd.DataFrame, threshold: float) -> np.ndarray:
    """Return log(gain / threshold) at which each of SHARES of the pairs is significant; NaN for too few pairs.

    A pair with a gain g needs Z standard errors. Since errors grow as g**GROWTH, a pair with the error s at the gain g
    would need x with x - GROWTH (x - log g) = log(Z s), all in thresholds. SHARES are quantiles of x over close pairs.
    """
    error = pairs["standard_error"].to_numpy(dtype=float)
    with np.errstate(divide="ignore"):
        gain, needed = np.log(pairs["gain"].to_numpy(dtype=float) / threshold), np.log(Z * error / threshold)
    close = (gain > CLOSE[0]) & (gain < CLOSE[1]) & (error > 0)
    if close.sum() < FEWEST_PAIRS:
        return np.full(len(SHARES), np.nan)
    crossing = (needed[close] - GROWTH * gain[close]) / (1 - GROWTH)
    return np.asarray(np.quantile(crossing, SHARES))
