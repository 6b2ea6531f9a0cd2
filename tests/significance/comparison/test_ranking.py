"""The ranking: rank ranges and tied groups."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd

from nlpsig_core.significance.comparison.ranking import best_two, ranking
from nlpsig_core.significance.paired_tests import p_of_result
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import ACCURACY, ERROR_RATE, random_stats, shares


def systems(n: int) -> pd.DataFrame:
    names = [f"s{i}" for i in range(n)]
    return pd.DataFrame({"file": names, "system": [n.upper() for n in names], "group": "g", "kind": "system"})


def result_with(scores, pairs, metric=ACCURACY):
    """What ``ranking`` reads of a bootstrap with these pairs (winner, loser)."""
    scores = np.array(scores, dtype=float)
    ends = np.stack([scores - 1, scores + 1], axis=1)
    pairs = np.array(list(pairs))
    return SimpleNamespace(scores=scores, pairs=pairs, metric=metric, score_intervals=lambda interval: ends)


def ranked(scores, significant: dict[tuple[int, int], bool]) -> pd.DataFrame:
    """The ranking of systems of which some (winner, loser) differ significantly."""
    return ranking(result_with(scores, significant), systems(len(scores)), {}, np.array(list(significant.values())))


def ranked_by_p(result, n: int, **notes: str) -> pd.DataFrame:
    """The ranking by the two-sided p of a bootstrap, unadjusted; ``notes`` by file."""
    return ranking(result, systems(n), notes, p_of_result(result).two_sided < 0.05)


def test_rank_ranges_and_tied_groups_by_pencil():
    """Best to worst s2, s0, s1. s2 beats s1, nothing else is significant.

    s2 and s0 may each be 1st; s1 has one better system, so it is 2nd or 3rd; s0 can be 1st to 3rd.
    The leader s2 beats s1, so s1 opens the second group.
    """
    table = ranked([60, 50, 70], {(2, 0): False, (2, 1): True, (0, 1): False})
    assert table["system"].tolist() == ["S2", "S0", "S1"]
    assert table["score"].tolist() == [70, 60, 50]
    assert table["rank_low"].tolist() == [1, 1, 2]
    assert table["rank_high"].tolist() == [2, 3, 3]
    assert table["tied_group"].tolist() == [1, 1, 2]


def test_the_best_two_have_valid_outputs():
    """An invalid output that scores 0 is beaten by all: that says nothing of systems."""
    pairs = pd.DataFrame({"system_a": ["B", "B", "C"], "system_b": ["C", "A", "A"]})
    order = pd.DataFrame({"system": ["B", "A", "C"], "valid": [True, False, True]})
    assert best_two(order, pairs)[["system_a", "system_b"]].tolist() == ["B", "C"]
    assert best_two(order.assign(valid=[True, False, False]), pairs) is None
    assert best_two(order.assign(valid=True), pairs)[["system_a", "system_b"]].tolist() == ["B", "A"]


def test_all_differ_and_none_differ():
    pairs = [(0, 1), (0, 2), (1, 2)]
    all_differ = ranked([30, 20, 10], dict.fromkeys(pairs, True))
    assert all_differ["rank_low"].tolist() == all_differ["rank_high"].tolist() == [1, 2, 3]
    assert all_differ["tied_group"].tolist() == [1, 2, 3]
    none_differ = ranked([30, 20, 10], dict.fromkeys(pairs, False))
    assert none_differ["rank_low"].tolist() == [1, 1, 1]
    assert none_differ["rank_high"].tolist() == [3, 3, 3]
    assert none_differ["tied_group"].tolist() == [1, 1, 1]


def test_the_leader_of_a_group_decides():
    """s0 = s1 > s2 by s0 alone; s2 leads the next group and does not beat s3."""
    significant = {(0, 1): False, (0, 2): True, (0, 3): True, (1, 2): False, (1, 3): True, (2, 3): False}
    assert ranked([40, 30, 20, 10], significant)["tied_group"].tolist() == [1, 1, 2, 2]


def test_lower_is_better_ranks_the_lowest_first():
    result = bootstrap(shares([[1] * 50 + [0] * 50, [0] * 100], ERROR_RATE), Resampling(1_000))
    table = ranked_by_p(result, 2)
    assert table["system"].tolist() == ["S1", "S0"]
    assert table["score"].tolist() == [0, 50]
    assert table["rank_low"].tolist() == [1, 2]


def test_equal_scores_keep_the_order_of_the_systems():
    result = bootstrap(shares([[0, 1], [1, 0], [1, 1]]), Resampling(100))
    assert ranked_by_p(result, 3)["system"].tolist() == ["S2", "S0", "S1"]


def test_status_says_the_notes_by_file():
    result = bootstrap(shares([[0, 1], [1, 1]]), Resampling(100))
    table = ranked_by_p(result, 2, s0="no output")
    assert dict(zip(table["system"], table["status"], strict=True)) == {"S0": "no output", "S1": ""}


def test_ranks_agree_with_the_scores():
    """On random systems: the range holds the rank by score, both ends fall, groups count up without gaps."""
    table = ranked_by_p(bootstrap(random_stats(3, 12, 60), Resampling(2_000)), 12)
    assert (table["score"].diff().dropna() <= 0).all()
    place = np.arange(1, 13)
    assert ((table["rank_low"] <= place) & (place <= table["rank_high"])).all()
    assert set(table["tied_group"].diff().dropna()) <= {0, 1}
    assert 1 < table["tied_group"].max() < 12
    assert ((table["low"] < table["score"]) & (table["score"] < table["high"])).all()
