"""Stats: the array of statistics and what can be done with it."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.base import of_unit
from nlpsig_core.significance.stats.array import Stats
from tests.builders import ACCURACY, ERROR_RATE, random_stats, shares


def test_totals_and_scores_by_pencil():
    """System 0 has 1 + 0 + 1 of 3 right, system 1 has 1 + 1 + 1: 66.67 and 100."""
    stats = shares([[1, 0, 1], [1, 1, 1]])
    assert stats.totals.tolist() == [[2, 3], [3, 3]]
    assert stats.scores == pytest.approx([200 / 3, 100])
    assert (stats.n_systems, stats.n_units) == (2, 3)


def test_take_by_index_and_by_mask():
    stats = shares([[1, 0, 1], [1, 1, 0]])
    assert stats.take(np.array([0, 0, 2])).totals.tolist() == [[3, 3], [2, 3]]
    assert stats.take(np.array([True, False, True])).totals.tolist() == [[2, 2], [1, 2]]


def test_of_some_systems():
    stats = shares([[1, 0, 1], [1, 1, 0], [0, 0, 0]]).select([2, 0])
    assert stats.names == ("system2", "system0")
    assert stats.totals.tolist() == [[0, 3], [2, 3]]


def test_group_by_sums_inside_documents():
    """Documents y (units 0 and 2) and x (unit 1), in the order of first appearance; scores stay."""
    stats = shares([[1, 0, 1], [0, 1, 1]])
    grouped = stats.group_by(["y", "x", "y"], "document")
    assert grouped.values.tolist() == [[[2, 2], [0, 1]], [[1, 2], [1, 1]]]
    assert grouped.unit == "document"
    assert (grouped.scores == stats.scores).all()


def test_group_by_keeps_every_total():
    stats = random_stats(1, 4, 50)
    labels = np.random.default_rng(2).integers(0, 7, 50).astype(str)
    grouped = stats.group_by(labels, "document")
    assert (grouped.totals == stats.totals).all()
    assert grouped.n_units == len(set(labels))


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"statistics of shape \(2, 3, 2\) for 1 systems"):
        Stats(("a",), np.zeros((2, 3, 2), dtype=np.int32), ACCURACY)


def test_digest_is_of_numbers_and_metric_not_of_names():
    values = [[1, 0, 1], [1, 1, 0]]
    stats = shares(values)
    assert stats.digest == shares(values).digest
    assert stats.digest == Stats(("x", "y"), stats.values, stats.metric).digest
    assert stats.digest != shares(values, ERROR_RATE).digest
    assert stats.digest != shares([[1, 0, 1], [1, 1, 1]]).digest
    assert stats.digest != shares([[1, 0], [1, 1]]).digest


def test_digest_tells_documents_of_other_sizes_apart():
    """The third sentence has no words: documents of 1 + 2 or 2 + 1 sentences have the same sums."""
    stats = Stats(("a",), np.array([[[1, 2], [2, 2], [0, 0]]]), ACCURACY)
    one, other = (stats.group_by(list(labels), "document") for labels in ("xyx", "xyy"))
    assert one.values.tolist() == other.values.tolist()
    assert one.digest == stats.group_by(list("aba"), "document").digest
    assert one.digest != other.digest


def test_digest_tells_runs_apart():
    """Three outputs are those of three systems, or of two, of which either may have two runs."""
    values = shares([[1, 0], [1, 1], [0, 0]]).values
    digests = {
        Stats(names, values, ACCURACY, runs=runs).digest
        for names, runs in (("abc", ()), ("ab", (2, 1)), ("ab", (1, 2)))
    }
    assert len(digests) == 3


def test_totals_do_not_overflow():
    """Four times 2^30 passes the range of the int32 that the values are kept in."""
    assert shares([[2**30] * 4]).totals[0, 0] == 2**32


def test_unit_scores_by_pencil():
    """Of units of two words the first system has 2, 0 and 1 right: 100, 0, 50; raw where lower is better, too."""
    counts = [[2, 0, 1], [1, 1, 2]]
    assert shares(counts, of=2).unit_scores.tolist() == [[100, 0, 50], [50, 50, 100]]
    assert shares(counts, ERROR_RATE, of=2).unit_scores.tolist() == [[100, 0, 50], [50, 50, 100]]


def test_unit_scores_are_those_of_single_units():
    stats = random_stats(2, 4, 20)
    for unit in range(20):
        assert (stats.unit_scores[:, unit] == stats.take(np.array([unit])).scores).all()
    with pytest.raises(ValueError, match="read-only"):
        stats.unit_scores[0, 0] = 5
    assert stats.unit_scores is stats.unit_scores


def test_unit_scores_do_not_overflow():
    """A hundred times 2^25 passes the range of the int32 that the values are kept in."""
    assert shares([[2**25, 2**24]], of=2**25).unit_scores.tolist() == [[100, 50]]


@pytest.mark.parametrize(
    ("name", "nothing", "false_alarm", "right", "full"),
    [
        ("F1-entities", [0, 0, 0], [0, 1, 0], [1, 1, 1], 100),
        ("CLAS", [0, 0, 0], [0, 1, 0], [1, 1, 1], 100),
        ("F1-links", [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1], 100),
        ("AER", [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1], 0),
    ],
)
def test_who_predicts_where_there_is_nothing_loses_the_unit(name, nothing, false_alarm, right, full):
    """Nothing to find and nothing found is right: full marks; the score of the sums stays what it is."""
    values = np.array([[nothing, right], [false_alarm, right]])
    stats = Stats(("silent", "loud"), values, METRICS[name])
    assert stats.unit_scores[:, 1].tolist() == [full, full]
    assert stats.unit_scores[:, 0].tolist() == [full, 100 - full]
    assert stats.scores[0] == full
    assert stats.scores[0] != stats.scores[1]


def test_units_without_anything_are_full_for_all():
    assert of_unit(np.zeros((2, 3, 3))).tolist() == [[100] * 3] * 2
    assert of_unit(np.array([3, 4, 6])) == 60


@pytest.mark.parametrize("offset", [0, 3, 30])
def test_influences_of_centred_numbers_are_those_of_removal(offset):
    """Concordance with predictions far from the gold: its total is rounding, yet its slope is not 0."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=400)
    values = np.stack([np.broadcast_to(gold, (1, 400)), gold + rng.normal(size=(1, 400)) + offset], axis=-1)
    metric = METRICS["concordance"]
    stats = Stats(("A",), metric.expand(values), metric, unit="item")
    removed = np.array([metric.score(stats.totals - stats.values[:, unit])[0] for unit in range(400)])
    by_removal = 399 * (stats.scores[0] - removed)
    np.testing.assert_allclose(
        stats.influences()[0], by_removal - by_removal.mean(), rtol=0.05, atol=0.05 * by_removal.std()
    )
