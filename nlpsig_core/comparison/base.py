"""Systems with statistics, and what can be asked of them: tests, pairs, a ranking."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
import pandas as pd

from nlpsig_core.comparison.classes import comparisons, groups_of
from nlpsig_core.comparison.notion import MAX_T, Notion
from nlpsig_core.comparison.pair_table import decide, pair_table, small_sample
from nlpsig_core.comparison.ranking import ranking
from nlpsig_core.digests import digest
from nlpsig_core.errors import ChoiceError, TaskError
from nlpsig_core.metrics.base import Metric
from nlpsig_core.paired_tests import TESTS, PValues, of_result
from nlpsig_core.paired_tests.max_t import max_t
from nlpsig_core.paired_tests.small_sample import FEW, MATTERS, effective_units
from nlpsig_core.resampling.blocks import Progress
from nlpsig_core.resampling.bootstrap import Bootstrap, all_pairs, bootstrap
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.runs import notes_by_system, runs_note
from nlpsig_core.stats.array import MacroStats, Stats
from nlpsig_core.task.shared_task import SharedTask


class Comparison:
    """Systems with statistics and what can be asked of them: pairs, a ranking."""

    task: SharedTask
    metric: Metric
    stats: Stats | MacroStats

    @property
    def invalid_files(self) -> set[str]:
        """The outputs that are not to be compared with others in earnest."""
        raise NotImplementedError

    @property
    def output_notes(self) -> dict[str, str]:
        """What is to be said of an output, by file."""
        raise NotImplementedError

    @property
    def notes(self) -> dict[str, str]:
        """What is to be said of an output, by file; of a system's several runs all by the first file in ``stats``."""
        first = dict(zip(self.systems["system"], self.systems["file"], strict=True))
        return notes_by_system(self.output_notes, self.task.names, self.task.labels, first)

    def check(self, systems: int = 2) -> None:
        """Raise TaskError where fewer than two systems (or another number), or two units to resample, are left."""
        fewest_units = min(part.n_units for part in self.stats.parts)
        for number, fewest, what in ((self.stats.n_systems, systems, "system"), (fewest_units, 2, self.stats.unit)):
            if number < fewest:
                first = next(
                    (f" ({file}: {note})" for file, note in self.notes.items() if file in self.invalid_files), ""
                )
                raise TaskError(
                    f"A comparison needs {fewest} {what}{'s' * (fewest > 1)} at least; here is {number}{first}"
                )

    @property
    def decimals(self) -> int:
        """How many decimals tell scores apart: two of a percentage or of points, else what their spread asks for."""
        scores = self.stats.scores
        if self.metric.scale or not len(scores):
            return 2
        spread = float(np.ptp(scores)) or float(np.abs(scores).max()) or 1.0
        return min(max(3 - math.floor(math.log10(spread)), 0), 8)

    @property
    def few_units(self) -> str:
        """What is to be said where there are too few units to resample (in a test set); "" where there are enough."""
        n, unit = self.stats.n_together, self.stats.unit
        if n < min(part.n_units for part in self.stats.parts):
            few = f"{n} {unit}s of the same test sets"
        else:
            part = min(self.stats.parts, key=effective_units)
            worth = effective_units(part)
            few = f"{part.n_units} {unit}s" + (f", worth {worth:.3g} of equal size," if worth < n - 0.5 else "")
            n = math.floor(worth)
        return f"{few} are few to resample: the bootstrap's p comes out too small" if n < FEW else ""

    @property
    def document_ratio(self) -> float:
        """The standard error of a close pair by documents as a multiple of that by units; 0 where it is not known."""
        raise NotImplementedError

    @property
    def document_note(self) -> str:
        """What is to be said where units of one document are so alike that p by units is too small; "" elsewhere."""
        ratio, unit = self.document_ratio, self.stats.unit
        if not ratio > MATTERS:
            return ""
        return (
            f"{unit[:1].upper()}{unit[1:]}s of one document are alike: by documents the standard error of a close pair "
            f"is {ratio:.2f} times that by {unit}s (median), so these p-values are too small"
        )

    @property
    def usual_test(self) -> str:
        """The test that is usual: the paired bootstrap, or randomization where few documents are resampled."""
        few = any(part.unit_sizes is not None and effective_units(part) < FEW for part in self.stats.parts)
        return "randomization" if few and not TESTS["randomization"].applies(self.stats) else "bootstrap"

    @property
    def classes_digest(self) -> str:
        """A name for what makes the comparison classes: the systems' groups, kinds and base models."""
        columns = [c for c in ("system", "group", "kind", "base_model") if c in self.systems]
        return digest(self.systems[columns].to_csv(index=False).encode())[:6]

    @property
    def outputs(self) -> tuple[str, ...]:
        """The files of the outputs in ``stats``, in that order."""
        raise NotImplementedError

    @property
    def systems(self) -> pd.DataFrame:
        """The rows of the systems in ``stats``, in that order; of several runs that of the first."""
        table = self.task.systems.set_index("file", drop=False).loc[list(self.outputs)]
        return table.drop_duplicates("system").reset_index(drop=True)

    @property
    def runs_note(self) -> str:
        """Whether p covers that another training run would have scored otherwise, in a sentence."""
        return runs_note(self.stats)

    @property
    def shared_note(self) -> str:
        """How many units several test sets have, and what is made of it; "" where there are none."""
        n = self.stats.n_shared if isinstance(self.stats, MacroStats) else 0
        stand = f"{n:,} {self.stats.unit}{' stands' if n == 1 else 's stand'}"
        share = "shares its draws" if n == 1 else "share their draws"
        return f"{stand} in several test sets and {share} in all of them" if n else ""

    def with_leads(self, files: Collection[str]) -> set[str]:
        """These files, and the first file of each system that has one of them among its runs in ``stats``."""
        names, first = self.task.names, dict(zip(self.systems["system"], self.systems["file"], strict=True))
        return set(files) | {first[names[file]] for file in self.outputs if file in files}

    def bootstrap(self, recipe: Resampling, progress: Progress | None = None) -> Bootstrap:
        """The paired bootstrap of every pair of systems."""
        self.check(systems=1)
        return bootstrap(self.stats, recipe, progress)

    def tested(self, test: str, recipe: Resampling, progress: Progress | None = None) -> PValues:
        """p of every pair by a test of ``TESTS``, in the order of the bootstrap's pairs.

        ChoiceError where there is no such test, or it cannot be used on these statistics.
        """
        self.check(systems=1)
        if test not in TESTS:
            raise ChoiceError.unknown("test", test, TESTS)
        if why := TESTS[test].applies(self.stats):
            usable = [name for name, other in TESTS.items() if not other.applies(self.stats)]
            raise ChoiceError(f"{test} cannot be used here: {why}. Tests that can: {', '.join(usable)}")
        return TESTS[test].run(self.stats, all_pairs(self.metric.sign * self.stats.scores), recipe, progress)

    def max_t(self, result: Bootstrap, progress: Progress | None = None) -> np.ndarray:
        """p of every pair adjusted by max-t, in one more pass over the result's resamples."""
        return max_t(self.stats, result, progress)

    def pairs(
        self,
        result: Bootstrap,
        interval: str = "percentile",
        p: PValues | None = None,
        notion: Notion = Notion(),
        by_max_t: np.ndarray | None = None,
    ) -> pd.DataFrame:
        """The table of all pairs (``significance.pair_table``), with p by the bootstrap or by another test."""
        classes = comparisons(self.systems, result.pairs, self.invalid_files)
        return pair_table(
            result, self.stats, classes, groups_of(self.systems), interval=interval, p=p, notion=notion,
            by_max_t=by_max_t,
        )  # fmt: skip

    def ranking(
        self, result: Bootstrap, notion: Notion = Notion(), interval: str = "percentile",
        by_max_t: np.ndarray | None = None,
    ) -> pd.DataFrame:  # fmt: skip
        """The ranking of the systems (``ranking.ranking``), by the pairs that are ``significant_for_ranking``."""
        significant = self.significant_for_ranking(result, notion, by_max_t)
        return ranking(result, self.systems, self.notes, significant, interval, self.invalid_files)

    def significant_for_ranking(
        self, result: Bootstrap, notion: Notion = Notion(), by_max_t: np.ndarray | None = None
    ) -> np.ndarray:
        """Which pairs are significant by the notion's adjustment for rankings, (m,)."""
        small = small_sample(self.stats, result)
        if notion.for_ranking == MAX_T and by_max_t is None:
            by_max_t = self.max_t(result)
        return decide(of_result(result), small, notion, notion.for_ranking, by_max_t).significant
