"""Every pair of systems, twice: by a metric and by people."""

from __future__ import annotations

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
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.recipe import Resampling

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
    """The results of the same systems by a metric and by people, on the segments that both have scored."""

    metric: Results
    people: Results


def twice(
    test_set: TestSet, metric: str, recipe: Resampling, progress: Progress | None = None, *, domain: str = "",
    unit: str = "",
) -> Twice:  # fmt: skip
    """Return the bootstrap of the rated systems by a metric's scores and by those of people.

    ``metric`` is the name of an output of a test set of segment scores; ``domain`` and ``unit`` are as for ``select``,
    and by default documents are resampled where they make a difference. ChoiceError if there is no such output.
    """
    unit = ROW if unit == test_set.reader.unit else unit and DOCUMENT
    each = zip(on_both(test_set, metric), (metric, POINTS), strict=True)
    selections = [_selection(of, test_set.name, label, domain, unit) for of, label in each]
    parts = [nth_of(progress, index, 2) for index in range(2)]
    return Twice(*(of.bootstrap(recipe, part) for of, part in zip(selections, parts, strict=True)))


def on_both(test_set: TestSet, metric: str) -> tuple[SegmentScores, SegmentScores]:
    """Return the scores by a metric and by people, where both have scored; ChoiceError if there is no such output."""
    if metric not in test_set.outputs:
        raise ChoiceError.unknown("metric", metric, test_set.outputs)
    people: SegmentScores = test_set.gold
    file = test_set.outputs[metric]
    scores = people.scores_of(test_set.read(file.path, file.load()))
    both = ~np.isnan(scores.values) & ~np.isnan(people.values)
    return scores.only(both), people.only(both)


def _selection(scores: SegmentScores, name: str, label: str, domain: str, unit: str) -> Selection:
    """Return the selection of systems by their mean score, called ``label``."""
    task = Task(**vars(task_of_scores(scores, name)))
    selection = task.select(edition="higher", invalid="drop units", domain=domain, unit=unit)
    return selection.changed(metric=replace(selection.metric, label=label))


def pairs_by_both(results: Twice, notion: Notion = Notion()) -> pd.DataFrame:
    """Return a row for each pair, the metric's winner first, with what both say of it.

    Columns system_a, system_b and OF_PAIR by the metric; the same by people, called gain_people and so on, below 0 if
    people prefer system_b; and case, one of CASES.
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
    return table.assign(case=_cases(table))


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
