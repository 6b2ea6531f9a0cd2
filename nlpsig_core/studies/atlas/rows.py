"""From a selection to rows of the atlas: one a pair of systems, with what tells its test set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.version import __version__
from nlpsig_core.data.drawings import lengths_on
from nlpsig_core.data.metrics import METRICS, Metric
from nlpsig_core.significance.comparison.classes import COMPARISONS, comparisons, groups_of
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """One test set by one metric: all that the bootstrap of its pairs needs, and no text.

    ``about`` are the fields ABOUT; ``length`` is the mean length of a unit, 0 if it is not known.
    """

    about: Mapping[str, str | float]
    stats: Sample
    systems: pd.DataFrame
    invalid_files: set[str]

    @classmethod
    def of(cls, selection: Selection) -> Part:
        """The part that a selection of one test set is; TaskError if it has no pair."""
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
        return cls(
            about=about, stats=selection.stats, systems=selection.systems[columns],
            invalid_files=selection.invalid_files,
        )  # fmt: skip

    @property
    def order(self) -> tuple[str, ...]:
        """Where it comes among the parts of an atlas, whatever the order in which they were given."""
        return (*(str(self.about[name]) for name in ("task", "test_set", "metric", "name")), self.stats.digest)

    def key(self, recipe: Resampling) -> str:
        """A name for everything that its rows depend on."""
        systems = self.systems.to_csv(index=False)
        settings = (recipe.n_resamples, recipe.seed, VERSION, __version__)
        return digest_of("part of an atlas", self.stats.digest, systems, settings)


def name_of(selection: Selection) -> str:
    """The name of a selection's test set in an atlas: its task's where it has none."""
    test_set = selection.first.test_set
    return test_set.name or test_set.about.get("test_set") or selection.task.name


def short_digest(stats: Sample) -> str:
    """The beginning of the digest of statistics, by which an atlas knows a test set by a metric again."""
    return stats.digest[:16]


def title(metric: Metric) -> str:
    """The name under which an atlas pools a metric: its label, or its full name where formats share the label.

    "BLEU" for every tokeniser, "LAS" for every edition, but "F1-entities" and "F1-brackets".
    """
    readers = {one.family.reader for one in METRICS.values() if one.label == metric.label}
    return metric.label if len(readers) == 1 or metric.label in METRICS else metric.name


def pair_rows(part: Part, recipe: Resampling) -> pd.DataFrame:
    """The pairs of a part by the paired bootstrap, a row each: WHOLE and REALS.

    ``level`` is the mean of both scores, ``p_value`` the paper's one-sided p. One thread computes it: parts run side
    by side.
    """
    result, of_systems = bootstrap(part.stats, recipe, threads=1), groups_of(part.systems)
    pairs = pair_table(result, part.stats, comparisons(part.systems, result.pairs, part.invalid_files), of_systems)
    systems, groups = _numbered(part.stats.names), _numbered(of_systems)
    rows = pairs.assign(
        comparison=pairs["comparison"].map(_numbered(COMPARISONS)),
        level=(pairs["score_a"] + pairs["score_b"]) / 2,
        **{f"system_{side}": pairs[f"system_{side}"].map(systems) for side in "ab"},
        **{f"group_{side}": pairs[f"group_{side}"].map(groups) for side in "ab"},
    )
    return rows[[*WHOLE, *REALS]].astype(dict.fromkeys(WHOLE, np.int32) | dict.fromkeys(REALS, np.float64))


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}
