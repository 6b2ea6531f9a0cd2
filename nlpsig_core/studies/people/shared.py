"""Pairs of systems of which each is compared on the segments that both have: groups of pairs, and their results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import bounds, corrections, decide, needed
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.verdict import Verdict
from nlpsig_core.significance.paired_tests.base import PValues
from nlpsig_core.significance.resampling.runs import draws_runs

Names = frozenset[str]
# p corrected for few units, and the one that takes its place for tests that need no correction.
P_OF_SIDES = (("one_sided", "p_value"), ("two_sided", "p_two_sided"))


class Group(NamedTuple):
    """Pairs of systems, by name, that are compared on the same segments, by mask (segments,)."""

    pairs: frozenset[Names]
    within: np.ndarray

    @property
    def systems(self) -> Names:
        """The names of the systems."""
        return frozenset().union(*self.pairs)

    @property
    def n_segments(self) -> int:
        """The number of segments that both systems of each pair have."""
        return int(self.within.sum())


def groups_of_pairs(known: np.ndarray, systems: tuple[str, ...]) -> list[Group]:
    """Return the pairs grouped by the segments that both systems have, by mask (segments, systems).

    Pairs with fewer than two segments are left out; TaskError if all are.
    """
    members: dict[bytes, list[tuple[int, int]]] = {}
    for a, b in combinations(range(len(systems)), 2):
        members.setdefault((known[:, a] & known[:, b]).tobytes(), []).append((a, b))
    groups = []
    for pairs in members.values():
        a, b = pairs[0]
        named = frozenset(frozenset((systems[a], systems[b])) for a, b in pairs)
        group = Group(named, known[:, a] & known[:, b])
        groups += [group] if group.n_segments > 1 else []
    if not groups:
        raise TaskError("No two systems have scores of the same segments, by people and by the metric")
    return groups


@dataclass(frozen=True, eq=False, repr=False)
class SharedResults(Results):
    """Results of pairs of systems, each on the segments that both have; ``selection`` is that of the first group.

    ``groups`` are those of the pairs, and ``of_others`` the results of all but the first; ``apart`` is the number of
    pairs that have too few segments in common.
    """

    groups: tuple[Group, ...] = ()
    of_others: tuple[Results, ...] = ()
    apart: int = 0

    def pairs(self, notion: Notion = Notion(), *, interval: str = "percentile") -> pd.DataFrame:
        """Return the table of all pairs, with the column segments: the number of those that both systems have."""
        if self.of_others and notion.by_max_t:
            raise ChoiceError("max-t needs pairs that are compared on the same segments; choose Holm")
        tables = [super().pairs(notion, interval=interval)]
        tables += [of.pairs(notion, interval=interval) for of in self.of_others]
        table = pd.concat([_rows_of(*part) for part in zip(tables, self.groups, strict=True)], ignore_index=True)
        if not self.of_others:
            return table
        table = decided_together(table, notion)
        return table if draws_runs(self.selection.stats) else table.assign(needed=needed(table, notion))

    def selection_of(self, pair: Names) -> Selection:
        """Return the selection on which a pair was compared."""
        each = zip((self, *self.of_others), self.groups, strict=True)
        return next(of.selection for of, group in each if pair in group.pairs)

    def verdict(self, row: pd.Series, notion: Notion, carried: int | None = None) -> Verdict:
        """Return the verdict on a ``row`` of the table of all pairs, from the segments of its pair."""
        selection = self.selection_of(frozenset((row["system_a"], row["system_b"])))
        verdict = selection.verdict(row, notion, carried)
        return replace(verdict, n_pairs=sum(len(group.pairs) for group in self.groups)) if self.of_others else verdict

    @property
    def data(self) -> str:
        """What a signature says of the statistics of all groups."""
        return digest_of(*(of.selection.stats.digest for of in (self, *self.of_others)))[:8]

    def signed(self, **more: object) -> str:
        """Return the signature of all groups; ``more`` as in ``Selection.signature``."""
        if self.of_others:
            n = [of.selection.stats.n_units for of in (self, *self.of_others)]
            more |= {"n": f"{min(n)} to {max(n)}", "data": self.data}
        return self.selection.signature(self.recipe, **more)


def _rows_of(table: pd.DataFrame, group: Group) -> pd.DataFrame:
    """Return the rows of a group's pairs, with their number of segments."""
    own = [frozenset(names) in group.pairs for names in zip(table["system_a"], table["system_b"], strict=True)]
    return table[own].assign(segments=group.n_segments)


def decided_together(table: pd.DataFrame, notion: Notion) -> pd.DataFrame:
    """Return the table with answers and corrected p that follow from all its pairs, not from a part of them."""
    hits, resamples = table["hits_two_sided" if notion.two_sided else "hits"], int(table["resamples"].iloc[0])
    p = PValues(
        one_sided=table["p_value"].to_numpy(),
        two_sided=table["p_two_sided"].to_numpy(),
        n_resamples=resamples,
        counts_observed=False,
    )
    one, two = (table[f"p_small_{sides}"].fillna(table[of]) for sides, of in P_OF_SIDES)
    small = replace(p, one_sided=one.to_numpy(), two_sided=two.to_numpy())
    within = np.inf if notion.within is None else notion.within
    same = (table["inside_low"] > -within) & (table["inside_high"] < within)
    decision, differing = decide(p, small, notion, same=same.to_numpy()), table["differing"].to_numpy()
    return table.assign(
        verdict=decision.answer,
        significant=decision.significant,
        p=decision.p,
        p_corrected=np.nan if decision.corrected is None else decision.corrected,
        **bounds(decision, notion, differing, hits.to_numpy(), resamples),
        **corrections(small.two_sided, differing, table["hits_two_sided"].to_numpy(), resamples),
    )
