"""Every pair by a metric and by people, the segments that differ, and metrics by all measures, by pencil."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics.people import MEASURES
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.studies.people.measures import by_measure, measures
from nlpsig_core.studies.people.pairs import confirmed, pairs_by_both, units_apart
from nlpsig_core.studies.people.rated import rated_of
from tests.builders import task
from tests.studies.people import by_both


def table(**columns: list[float]) -> str:
    """A table of segments from 1, of systems and their scores."""
    rows = [f"{n},{name},{value}" for name, values in columns.items() for n, value in enumerate(values, 1)]
    return "segment,system,score\n" + "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def opened():
    """People prefer x on all 12 segments, and by far on the last one; the metric m prefers y everywhere."""
    people = table(x=[3] * 11 + [9], y=[2, 1] * 6)
    return task({"gold.csv": people, "systems/m.csv": table(x=[1] * 12, y=[2, 3] * 6), "systems/n.csv": people})


def test_people_contradict_a_metric(opened):
    """By the metric y gains 1 and 2 by turns, 1.5 in the mean; by people x gains (6 * 1 + 5 * 2 + 8) / 12 = 2."""
    (row,) = pairs_by_both(by_both(opened, "m")).itertuples()
    assert (row.system_a, row.system_b, row.gain, row.gain_people) == ("y", "x", 1.5, -2)
    assert (row.verdict, row.verdict_people, row.case) == ("better", "worse", "contradicted")


def test_the_sentence_counts_confirmed_and_contradicted(opened):
    for metric, numbers in {"m": "confirm 0 and contradict 1", "n": "confirm 1 and contradict 0"}.items():
        pairs = pairs_by_both(by_both(opened, metric))
        sentence = f"Of the one pair with a significant gain in {metric}, people {numbers}."
        assert confirmed(pairs, metric) == sentence


def test_the_segments_that_differ_most_come_first(opened):
    """By people x gains 8 on segment 12, over four standard deviations; by the metric it loses 2 there."""
    rated = rated_of(select(opened, MEASURES[0]), "m")
    rows = units_apart(rated, "x", "y")
    first = rows.iloc[0]
    assert (first["segment"], first["gain"], first["gain_people"]) == ("12", -2, 8)
    assert first["apart"] < 0
    assert rows["apart"].abs().is_monotonic_decreasing


def test_verdicts_name_the_metric_and_the_human_score(opened):
    by_metric, by_people = by_both(opened, "m")
    assert "y beats x by 1.5" in by_metric.verdict(by_metric.pairs().iloc[0], Notion()).line
    assert by_metric.selection.metric.gain_unit == "m"
    assert by_people.selection.metric.gain_unit == "in human score"


def test_an_unknown_metric_is_refused(opened):
    with pytest.raises(ChoiceError, match="No metric called 'o'"):
        by_both(opened, "o")


def test_documents_and_domains_can_be_chosen():
    """Two documents of 6 segments, one in each domain, of one system lack a judgement: its pairs have 108 of 120."""
    task = load_task("halvet-metrics")
    metric = next(iter(task.test_set().outputs))
    by_document = by_both(task, metric, unit="document").metric.selection
    of_domain = by_both(task, metric, unit="segment", domain="news").people.selection
    assert (by_document.stats.unit, by_document.stats.n_units) == ("document", 20)
    assert (of_domain.stats.unit, of_domain.stats.n_units) == ("segment", 60)
    segments = pairs_by_both(by_both(task, metric, unit="segment"))["segments"]
    assert segments.value_counts().to_dict() == {120: 21, 108: 7}


def test_the_best_metric_comes_first(opened):
    """The metric n has people's own scores; m orders the only pair the other way."""
    wide = by_measure(measures(opened, opened.test_set()))
    assert wide["system"].tolist() == ["n", "m"]
    assert wide["sys-accuracy"].tolist() == [1, 0]
