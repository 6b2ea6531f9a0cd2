"""Every pair of systems, twice: by a metric and by people."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import TaskError
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER, signed
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.pair.units import unit_gains
from nlpsig_core.studies.people.rated import Rated, rated_of
from nlpsig_core.studies.people.shared import SharedResults, groups_of_pairs

CONFIRMED, METRIC_ONLY, PEOPLE_ONLY, CONTRADICTED, NEITHER = CASES = (
    "confirmed",
    "only the metric",
    "only people",
    "contradicted",
    "neither",
)
OF_PAIR = ["gain", "gain_low", "gain_high", "p", "p_bound", "p_corrected", "p_corrected_bound", "verdict"]


class Twice(NamedTuple):
    """The results of the same systems by a metric and by people, of each pair on the units that both have scored."""

    metric: SharedResults
    people: SharedResults

    def signed(self, **more: object) -> str:
        """Return the signature of both; ``more`` as in ``Selection.signature``."""
        return self.metric.signed(people=self.people.data, **more)


def twice(rated: Rated, recipe: Resampling, progress: Progress | None = None, known: Bootstrap | None = None) -> Twice:
    """Return the results of rated systems by a metric and by people, as ``results_of`` each."""
    metric = results_of(rated.metric, rated, recipe, nth_of(progress, 0, 2), known)
    return Twice(metric, results_of(rated.people, rated, recipe, nth_of(progress, 1, 2)))


def results_of(
    selection: Selection,
    rated: Rated,
    recipe: Resampling,
    progress: Progress | None = None,
    known: Bootstrap | None = None,
) -> SharedResults:
    """Return the results of rated systems by one of their two selections; TaskError if no two share two units.

    Pairs that share the same units are tested together. ``known`` is the bootstrap of the whole selection, which serves
    if people have judged all its units.
    """
    groups = groups_of_pairs(rated.known, rated.systems)
    each = []
    for index, group in enumerate(groups):
        part = rated.on(selection, group.systems, group.within)
        own = Results(part, known) if known is not None and part is selection else None
        each.append(own or part.bootstrap(recipe, nth_of(progress, index, len(groups))))
    first, *others = each
    apart = math.comb(len(rated.systems), 2) - sum(len(group.pairs) for group in groups)
    return SharedResults(first.selection, first.bootstrap, groups=tuple(groups), of_others=tuple(others), apart=apart)


def for_people(notion: Notion) -> Notion:
    """Return the notion for people's scores, in which a metric's bound of equivalence means nothing."""
    return replace(notion, within=None)


def pairs_by_both(results: Twice, notion: Notion = Notion()) -> pd.DataFrame:
    """Return a row for each pair, the metric's winner first, with what both say of it.

    Columns system_a, system_b and OF_PAIR by the metric; the same by people, called gain_people and so on, below 0 if
    people prefer system_b; case, one of CASES; and segments, the number of those that both have scored for both
    systems.
    """
    ours, theirs = results.metric.pairs(notion), results.people.pairs(for_people(notion))
    turned = signed(theirs, pd.Series(True, index=theirs.index))
    keys = ["system_a", "system_b"]
    of_people = pd.concat([theirs, turned.rename(columns=dict(zip(keys, keys[::-1], strict=True)))])[[*keys, *OF_PAIR]]
    table = ours[[*keys, *OF_PAIR]].merge(of_people, on=keys, suffixes=("", "_people"))
    cases = list(map(case_of, table["verdict"], table["verdict_people"]))
    return table.assign(case=np.array(cases, dtype=object), segments=ours["segments"])


def case_of(by_metric: str, by_people: str) -> str:
    """Return the case of a pair by its two verdicts, both seen from the metric's winner, if only of it on its own."""
    against = by_people in SEEN_FROM_THE_LOSER.values()
    if by_metric in SEEN_FROM_THE_LOSER:
        return CONFIRMED if by_people in SEEN_FROM_THE_LOSER else CONTRADICTED if against else METRIC_ONLY
    return PEOPLE_ONLY if against or by_people in SEEN_FROM_THE_LOSER else NEITHER


def on_each(
    selection: Selection, recipe: Resampling, notion: Notion = Notion(), progress: Progress | None = None
) -> pd.DataFrame:
    """Return how many pairs of each test set with people's scores have each case, by the metric of a selection.

    Columns test_set, systems (that people have rated), pairs, and CASES. Test sets on which no two systems share two
    units are left out.
    """
    judged = {name: of for name, of in selection.each.items() if of.first.test_set.is_judged}
    rows = []
    for number, (name, of) in enumerate(judged.items()):
        try:
            rated = rated_of(of)
            table = pairs_by_both(twice(rated, recipe, nth_of(progress, number, len(judged))), notion)
        except TaskError:
            continue
        cases = table["case"].value_counts().reindex(list(CASES), fill_value=0)
        rows.append({"test_set": name, "systems": len(rated.systems), "pairs": len(table), **cases.to_dict()})
    return pd.DataFrame(rows, columns=["test_set", "systems", "pairs", *CASES])


def confirmed(table: pd.DataFrame, metric: str) -> str:
    """Return how many significant gains of a metric people confirm and contradict, in a sentence."""
    cases = table["case"].value_counts()
    number = {case: int(cases.get(case, 0)) for case in CASES}
    found = number[CONFIRMED] + number[CONTRADICTED] + number[METRIC_ONLY]
    if not found:
        return f"No pair has a significant gain in {metric}."
    pairs = "the one pair" if found == 1 else f"the {count(found, 'pair')}"
    answer = f"people confirm {number[CONFIRMED]} and contradict {number[CONTRADICTED]}"
    return f"Of {pairs} with a significant gain in {metric}, {answer}."


def units_apart(rated: Rated, a: str, b: str) -> pd.DataFrame:
    """Return the units of two rated systems, those first on which the metric and people differ most.

    Columns segment (its name, or its number), document, gain and gain_people (of ``a`` over ``b``), apart. The last is
    the difference of the two gains, each divided by its standard deviation over units: above 0 if the metric favours
    ``a`` more.
    """
    within = rated.shared(a, b)
    own = [rated.on(of.changed(unit=of.first.test_set.reader.unit), (a, b), within).first for of in rated[:2]]
    gains = [unit_gains(of.stats.named((a, b)))["gain"] for of in own]
    places, documents = np.flatnonzero(own[0].complete), own[0].test_set.documents
    table = pd.DataFrame(
        {
            "segment": [rated.units[place] if rated.units else str(place + 1) for place in places],
            "document": documents[places] if len(documents) else "",
            "gain": gains[0],
            "gain_people": gains[1],
        }
    )
    spread = table[["gain", "gain_people"]].std(ddof=0).replace(0, np.nan)
    standard = (table[["gain", "gain_people"]] / spread).fillna(0)
    table["apart"] = standard["gain"] - standard["gain_people"]
    return table.sort_values("apart", key=np.abs, ascending=False, kind="stable").reset_index(drop=True)


def opinion(case: str) -> str:
    """Return what people say of a metric's gain, in a sentence."""
    return {
        CONFIRMED: "People confirm the gain.",
        METRIC_ONLY: "The gain is significant, but people's scores show no significant difference.",
        PEOPLE_ONLY: "People see a significant difference, which the metric does not.",
        CONTRADICTED: "People contradict the gain: they significantly prefer the other system.",
        NEITHER: "Neither the metric nor people see a significant difference.",
    }[case]
