"""Every pair of systems, twice: by a metric and by people."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.base import DOCUMENT
from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.data.task.scored import task_of_scores
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import Task
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.people.shared import Group, SharedResults, groups_of_pairs

CONFIRMED, METRIC_ONLY, PEOPLE_ONLY, CONTRADICTED, NEITHER = CASES = (
    "confirmed",
    "only the metric",
    "only people",
    "contradicted",
    "neither",
)
# What the rows of a table of scores are.
ROW = READERS["Score table"].unit
# What people's scores are counted in.
POINTS = "points"
OF_PAIR = ["gain", "gain_low", "gain_high", "p", "p_bound", "p_corrected", "verdict"]


class Twice(NamedTuple):
    """The results of the same systems by a metric and by people, of each pair on the segments that both have scored."""

    metric: SharedResults
    people: SharedResults


def twice(
    test_set: TestSet,
    metric: str,
    recipe: Resampling,
    progress: Progress | None = None,
    *,
    unit: str = "",
    domain: str = "",
) -> Twice:
    """Return the bootstrap of the rated systems by a metric's scores and by those of people.

    ``metric`` is the name of an output of a test set of segment scores; ``unit`` and ``domain`` are as in
    ``SelectedTestSet``. ChoiceError if it has no such output; TaskError if no two systems share segments.
    """
    scores, people = on_both(test_set, metric)
    known, inside = ~np.isnan(people.values), test_set.units_in(domain)
    groups = groups_of_pairs(known if inside is None else known & inside[:, None], people.systems)
    unit = {test_set.cluster: DOCUMENT, test_set.reader.unit: ROW}.get(unit, unit)
    parts = [nth_of(progress, index, 2) for index in range(2)]
    each = zip((scores, people), (metric, POINTS), parts, strict=True)
    return Twice(*(_bootstrap(of, groups, test_set.name, label, unit, recipe, part) for of, label, part in each))


def on_both(test_set: TestSet, metric: str) -> tuple[SegmentScores, SegmentScores]:
    """Return the scores by a metric and by people, where both have scored; ChoiceError if there is no such output."""
    if metric not in test_set.outputs:
        raise ChoiceError.unknown("metric", metric, test_set.outputs)
    gold: SegmentScores = test_set.gold
    documents, domains = (tuple(of.tolist()) for of in (test_set.documents, test_set.domains))
    people = replace(gold, documents=documents, domains=domains)
    file = test_set.outputs[metric]
    scores = people.scores_of(test_set.read(file.path, file.load()))
    both = ~np.isnan(scores.values) & ~np.isnan(people.values)
    return scores.only(both), people.only(both)


def _bootstrap(
    scores: SegmentScores,
    groups: list[Group],
    name: str,
    label: str,
    unit: str,
    recipe: Resampling,
    progress: Progress | None,
) -> SharedResults:
    """Return the results of each group of pairs by the mean score of systems, called ``label``."""
    each = []
    for index, group in enumerate(groups):
        task = Task(**vars(task_of_scores(scores.only(group.known), name)))
        selection = task.select(edition="higher", invalid="drop units", unit=unit)
        selection = selection.changed(metric=replace(selection.metric, label=label))
        each.append(selection.bootstrap(recipe, nth_of(progress, index, len(groups))))
    first, *others = each
    apart = math.comb(len(scores.systems), 2) - sum(len(group.pairs) for group in groups)
    return SharedResults(first.selection, first.bootstrap, groups=tuple(groups), of_others=tuple(others), apart=apart)


def pairs_by_both(results: Twice, notion: Notion = Notion()) -> pd.DataFrame:
    """Return a row for each pair, the metric's winner first, with what both say of it.

    Columns system_a, system_b and OF_PAIR by the metric; the same by people, called gain_people and so on, below 0 if
    people prefer system_b; case, one of CASES; and segments, the number of those that both have scored for both
    systems.
    """
    by_metric, by_people = (one.pairs(notion) for one in results)
    turned = by_people.rename(columns={"system_a": "system_b", "system_b": "system_a"})
    low, high = -by_people["gain_high"], -by_people["gain_low"]
    turned = turned.assign(
        gain=-by_people["gain"],
        gain_low=low,
        gain_high=high,
        verdict=by_people["verdict"].replace(SEEN_FROM_THE_LOSER),
    )
    keys = ["system_a", "system_b"]
    of_people = pd.concat([by_people, turned])[[*keys, *OF_PAIR]]
    table = by_metric[[*keys, *OF_PAIR]].merge(of_people, on=keys, suffixes=("", "_people"))
    return table.assign(case=_cases(table), segments=by_metric["segments"])


def _cases(table: pd.DataFrame) -> np.ndarray:
    """Return the case of each pair, by whether a verdict finds a difference, if only of the pair on its own."""
    metric, people = (table[name].isin(SEEN_FROM_THE_LOSER) for name in ("verdict", "verdict_people"))
    against = table["verdict_people"].isin(SEEN_FROM_THE_LOSER.values())
    masks = [metric & people, metric & against, metric, people | against]
    return np.select(masks, [CONFIRMED, CONTRADICTED, METRIC_ONLY, PEOPLE_ONLY], NEITHER).astype(object)


def confirmed(table: pd.DataFrame, metric: str) -> str:
    """Return how many significant gains of a metric people confirm and contradict, in a sentence."""
    cases = table["case"].value_counts()
    number = {case: int(cases.get(case, 0)) for case in CASES}
    found = number[CONFIRMED] + number[CONTRADICTED] + number[METRIC_ONLY]
    if not found:
        return f"No pair has a significant gain in {metric}."
    pairs = "the one pair" if found == 1 else f"the {count(found, 'pair')}"
    answer = f"people confirm {number[CONFIRMED]}, contradict {number[CONTRADICTED]}"
    return f"Of {pairs} with a significant gain in {metric}, {answer}."


def segments_apart(test_set: TestSet, metric: str, a: str, b: str) -> pd.DataFrame:
    """Return the segments of two systems, those first on which the metric and people differ most.

    Columns segment (its name), document, gain and gain_people (of ``a`` over ``b``), apart. The last is the difference
    of the two gains, each divided by its standard deviation over segments: above 0 if the metric favours ``a`` more.
    """
    scores, people = on_both(test_set, metric)
    at = [people.systems.index(name) for name in (a, b)]
    gain, gain_people = (of.values[:, at[0]] - of.values[:, at[1]] for of in (scores, people))
    documents = people.documents or ("",) * people.n_units
    table = pd.DataFrame(
        {"segment": people.segments, "document": documents, "gain": gain, "gain_people": gain_people}
    ).dropna()
    spread = table[["gain", "gain_people"]].std(ddof=0).replace(0, np.nan)
    standard = (table[["gain", "gain_people"]] / spread).fillna(0)
    table["apart"] = standard["gain"] - standard["gain_people"]
    return table.sort_values("apart", key=np.abs, ascending=False, kind="stable").reset_index(drop=True)
