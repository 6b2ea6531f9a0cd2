"""What two systems solve, by pencil."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.stats.packing import pack
from nlpsig_core.studies.pair import outcomes
from tests.builders import task
from tests.data.task.test_outcomes import instances


def selected(opened, metric="solved", names=("a", "b")):
    """What is analysed, and the statistics of two systems."""
    selection = select(opened, lambda of: Offer(of).metric(metric))
    stats = selection.first.stats
    return selection.first, stats.select([stats.names.index(name) for name in names])


def files():
    """a solves 1 and 2, b 2 and 3; nobody solves 4, and b has no cost for 2."""
    b = instances([0, 1, 1, 0], cost=3).replace('"cost": 3', '"cost": null', 2).replace('"cost": null', '"cost": 3', 1)
    return {"a.json": instances([1, 1, 0, 0]), "b.json": b}


def test_four_counts_by_pencil():
    table = outcomes.outcomes(*selected(task(files())))
    assert table["kind"].tolist() == [outcomes.ONLY_A, outcomes.BOTH, outcomes.ONLY_B, outcomes.NEITHER]
    assert table["instance"].tolist() == ["sky__star-1", "sky__star-2", "sea__fish-1", "sea__fish-2"]
    assert table["domain"].tolist() == ["sky__star"] * 2 + ["sea__fish"] * 2
    assert table[["a", "b"]].to_numpy().tolist() == [[100, 0], [100, 100], [0, 100], [0, 0]]
    assert table["cost of a"].tolist() == [1, 1, 1, 1]
    assert np.array_equal(table["cost of b"], [3, np.nan, 3, 3], equal_nan=True)
    assert outcomes.counts(table)["instances"].tolist() == [1, 1, 1, 1]
    assert outcomes.counts(table)["share"].sum() == 1


def test_the_gain_is_the_difference_of_two_counts():
    """Of a sample with four attempts each: by a plain loop over rows, at least half of them solved."""
    opened = load_task("solem-repairs")
    one, stats = selected(opened, names=("Krestquell-large", "Zemnaro-base"))
    table = outcomes.outcomes(one, stats)
    a, b = stats.unit_scores / 100
    expected = [0, 0, 0, 0]
    for ours, theirs in zip(a, b, strict=True):
        expected[2 * (ours < 0.5) + (theirs < 0.5)] += 1
    assert outcomes.counts(table)["instances"].tolist() == expected
    assert table["a"].mean() - table["b"].mean() == pytest.approx(stats.scores[0] - stats.scores[1])
    assert table["cost of a"].mean() > table["cost of b"].mean() > 0


def test_a_pack_has_the_counts_and_the_cost(tmp_path):
    opened = task(files())
    path = tmp_path / "x.nlpsig"
    path.write_bytes(pack(opened, ["solved", "cost"]))
    packed = outcomes.outcomes(*selected(load_task(path)))
    whole = outcomes.outcomes(*selected(opened))
    assert packed["instance"].tolist() == ["instance 1", "instance 2", "instance 3", "instance 4"]
    columns = [column for column in whole if column != "instance"]
    assert packed[columns].equals(whole[columns])


def test_only_outcomes_have_four_counts():
    assert outcomes.are_outcomes(*selected(task(files())))
    assert not outcomes.are_outcomes(*selected(task(files()), "api_calls"))
