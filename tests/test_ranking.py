"""The ranking: rank ranges and tied groups."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.bootstrap import bootstrap
from nlpsig_core.errors import ChoiceError
from nlpsig_core.ranking import ADJUSTMENTS, ranking
from nlpsig_core.resampling import Resampling
from tests.builders import ACCURACY, ERROR_RATE, random_stats, shares


def systems(n: int) -> pd.DataFrame:
    names = [f"s{i}" for i in range(n)]
    return pd.DataFrame({"file": names, "system": [n.upper() for n in names], "group": "g", "kind": "system"})


def result_with(scores, two_sided: dict[tuple[int, int], float], metric=ACCURACY, b=1_000):
    """What ``ranking`` reads of a bootstrap, with the two-sided p that are wanted for (winner, loser)."""
    pairs = np.array(list(two_sided))
    hits = np.array([round(p * b) for p in two_sided.values()])
    scores = np.array(scores, dtype=float)
    return SimpleNamespace(
        scores=scores, pairs=pairs, gain=np.ones(len(pairs)), tie=np.zeros(len(pairs)), hits_above=hits // 5,
        hits_below=hits - hits // 5, metric=metric, recipe=Resampling(b),
        score_intervals=lambda level=0.95: np.stack([scores - 1, scores + 1], axis=1),
    )  # fmt: skip


def test_rank_ranges_and_tied_groups_by_pencil():
    """Best to worst s2, s0, s1. s2 beats s1, nothing else is significant.

    s2 and s0 may each be 1st; s1 has one better system, so it is 2nd or 3rd; s0 can be 1st to 3rd.
    The leader s2 beats s1, so s1 opens the second group.
    """
    p = {(2, 0): 0.2, (2, 1): 0.01, (0, 1): 0.3}
    table = ranking(result_with([60, 50, 70], p), systems(3), {}, adjustment="none")
    assert table["system"].tolist() == ["S2", "S0", "S1"]
    assert table["score"].tolist() == [70, 60, 50]
    assert table["rank_low"].tolist() == [1, 1, 2]
    assert table["rank_high"].tolist() == [2, 3, 3]
    assert table["tied_group"].tolist() == [1, 1, 2]


def test_all_differ_and_none_differ():
    scores = [30, 20, 10]
    all_differ = ranking(result_with(scores, {(0, 1): 0.0, (0, 2): 0.0, (1, 2): 0.0}), systems(3), {})
    assert all_differ["rank_low"].tolist() == all_differ["rank_high"].tolist() == [1, 2, 3]
    assert all_differ["tied_group"].tolist() == [1, 2, 3]
    none_differ = ranking(result_with(scores, {(0, 1): 0.5, (0, 2): 0.5, (1, 2): 0.5}), systems(3), {})
    assert none_differ["rank_low"].tolist() == [1, 1, 1]
    assert none_differ["rank_high"].tolist() == [3, 3, 3]
    assert none_differ["tied_group"].tolist() == [1, 1, 1]


def test_the_leader_of_a_group_decides():
    """s0 = s1 > s2 by s0 alone; s2 leads the next group and does not beat s3."""
    p = {(0, 1): 0.5, (0, 2): 0.01, (0, 3): 0.01, (1, 2): 0.5, (1, 3): 0.01, (2, 3): 0.5}
    table = ranking(result_with([40, 30, 20, 10], p), systems(4), {}, adjustment="none")
    assert table["tied_group"].tolist() == [1, 1, 2, 2]


def test_adjustments():
    """Two-sided p 0.02, 0.03, 0.04: all below 0.05; Holm makes the least 0.06; BH makes all 0.04."""
    p = {(0, 1): 0.03, (0, 2): 0.02, (1, 2): 0.04}
    found = {
        a: ranking(result_with([3, 2, 1], p), systems(3), {}, adjustment=a)["tied_group"].max() for a in ADJUSTMENTS
    }
    assert found == {"Holm": 1, "Benjamini-Hochberg": 3, "none": 3}
    with pytest.raises(ChoiceError, match=r"No adjustment called 'Sidak'. Available: Benjamini-Hochberg, Holm, none"):
        ranking(result_with([3, 2, 1], p), systems(3), {}, adjustment="Sidak")


def test_significant_means_below_alpha():
    p = {(0, 1): 0.05}
    assert ranking(result_with([2, 1], p), systems(2), {}, 0.05, "none")["tied_group"].tolist() == [1, 1]
    assert ranking(result_with([2, 1], p), systems(2), {}, 0.051, "none")["tied_group"].tolist() == [1, 2]


def test_lower_is_better_ranks_the_lowest_first():
    result = bootstrap(shares([[1] * 50 + [0] * 50, [0] * 100], ERROR_RATE), Resampling(1_000))
    table = ranking(result, systems(2), {})
    assert table["system"].tolist() == ["S1", "S0"]
    assert table["score"].tolist() == [0, 50]
    assert table["rank_low"].tolist() == [1, 2]


def test_equal_scores_keep_the_order_of_the_systems():
    result = bootstrap(shares([[0, 1], [1, 0], [1, 1]]), Resampling(100))
    assert ranking(result, systems(3), {})["system"].tolist() == ["S2", "S0", "S1"]


def test_status_says_the_notes_by_file():
    result = bootstrap(shares([[0, 1], [1, 1]]), Resampling(100))
    table = ranking(result, systems(2), {"s0": "no output"})
    assert dict(zip(table["system"], table["status"], strict=True)) == {"S0": "no output", "S1": ""}


def test_ranks_agree_with_the_scores():
    """On random systems: the range holds the rank by score, both ends fall, groups count up without gaps."""
    table = ranking(bootstrap(random_stats(3, 12, 60), Resampling(2_000)), systems(12), {})
    assert (table["score"].diff().dropna() <= 0).all()
    place = np.arange(1, 13)
    assert ((table["rank_low"] <= place) & (place <= table["rank_high"])).all()
    assert set(table["tied_group"].diff().dropna()) <= {0, 1}
    assert 1 < table["tied_group"].max() < 12
    assert ((table["low"] < table["score"]) & (table["score"] < table["high"])).all()
