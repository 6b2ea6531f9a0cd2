"""Step-down max-t: against enumeration, a plain loop, and what it promises."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.paired_tests.max_t import max_t, why_not
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import random_stats, shares


def step_down(scores: np.ndarray, result, b_plus: int = 1) -> np.ndarray:
    """Adjusted p from scores (systems, resamples), by the definition: for each pair the largest deviation of all pairs
    with a gain / error that is no larger."""
    error = result.standard_error
    a, b = result.pairs.T
    deviation = np.abs(scores[a] - scores[b] - result.gain[:, None]) / error[:, None]
    t = result.gain / error
    raw = np.array([(deviation[t <= own + 1e-12].max(axis=0) >= own - 1e-9).sum() for own in t])
    p = (raw + b_plus) / (scores.shape[1] + b_plus)
    order = np.argsort(-t, kind="stable")
    p[order] = np.maximum.accumulate(p[order])
    return p


@pytest.fixture
def few_units(monkeypatch):
    """Allow any number of units."""
    monkeypatch.setattr("nlpsig_core.significance.paired_tests.max_t.FEWEST_UNITS", 0)


@pytest.mark.usefixtures("few_units")
def test_equal_to_the_definition_on_the_same_resamples():
    stats, recipe = random_stats(4, 6, 40), Resampling(3_000, seed=2)
    result = bootstrap(stats, recipe)
    assert max_t(stats, result).tolist() == step_down(resampled_scores(stats, recipe), result).tolist()


@pytest.mark.usefixtures("few_units")
def test_exact_on_all_resamples_there_are():
    """All 5^5 resamples of five units; 100,000 come within 5 standard errors (a false alarm in 10^6 of 3)."""
    stats, b = random_stats(2, 3, 5), 100_000
    result = bootstrap(stats, Resampling(b))
    draws = np.array(list(product(range(5), repeat=5)))
    scores = stats.metric.score(stats.values[:, draws].sum(axis=2))
    truth = step_down(scores, result, b_plus=0)
    found = max_t(stats, result)
    assert (np.abs(found - truth) <= 5 * np.sqrt(truth * (1 - truth) / b) + 2 / b).all()


@pytest.mark.usefixtures("few_units")
def test_threads_do_not_matter():
    stats = random_stats(4, 5, 30)
    result = bootstrap(stats, Resampling(5_000))
    assert max_t(stats, result, threads=1).tolist() == max_t(stats, result, threads=3).tolist()


@pytest.mark.usefixtures("few_units")
def test_without_gain_or_spread_p_is_1():
    stats = shares([[1, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])
    p = max_t(stats, bootstrap(stats, Resampling(200)))
    result = bootstrap(stats, Resampling(200))
    assert (p[result.gain <= result.tie] == 1).all()


@pytest.mark.usefixtures("few_units")
def test_one_system_has_no_pairs():
    stats = random_stats(4, 1, 30)
    assert max_t(stats, bootstrap(stats, Resampling(100))).tolist() == []


def test_it_is_refused_for_few_units():
    stats = random_stats(4, 3, 199)
    assert why_not(stats) == "max-t needs 200 sentences, and there are 199"
    assert why_not(random_stats(4, 3, 200)) == ""
    with pytest.raises(ChoiceError, match="max-t needs 200 sentences, and there are 199; choose Holm"):
        max_t(stats, bootstrap(stats, Resampling(100)))


def test_tables_find_max_t_themselves():
    stats = random_stats(1, 5, 250)
    result, notion = bootstrap(stats, Resampling(2_000)), Notion(adjust="max-t", scope="corrected")
    asked = (np.full(10, "different groups"), np.array(list("abcde")))
    given = pair_table(result, stats, *asked, notion=notion, by_max_t=max_t(stats, result))
    pd.testing.assert_frame_equal(pair_table(result, stats, *asked, notion=notion), given)
    assert (given["p"] > given["p_alone"]).any()


def test_the_chance_of_any_false_alarm_is_kept():
    """Eight equal systems, 28 pairs, 250 units: some p < 0.05 in about 5% of 200 worlds.

    0.11 is 3.9 standard errors above (a false alarm once in 10,000 seeds); unadjusted it would be half of them.
    """
    rng, alarms, single = np.random.default_rng(7), [], []
    for _ in range(200):
        stats = shares(rng.binomial(4, 0.7, (8, 250)), of=4)
        result = bootstrap(stats, Resampling(400))
        alarms.append(max_t(stats, result).min() < 0.05)
        p = (result.hits_above + result.hits_below + 1) / 401
        single.append(p.min() < 0.05)
    assert np.mean(alarms) < 0.11
    assert np.mean(single) > 0.3
