"""One pair: its resampled gains are those of the bootstrap of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.bootstrap import bootstrap
from nlpsig_core.one_pair import histogram, resampled_gains
from nlpsig_core.resampling import Resampling
from tests.builders import ERROR_RATE, random_stats, shares


def test_gain_of_every_resample_of_two_units():
    """A is right in both of two units, B in one: a resample's gain is 0, 50 or 100 as B's unit is drawn 2, 1, 0 times.

    Chance of the three: 1/4, 1/2, 1/4; with 10,000 resamples their shares lie within 5 standard errors of 0.005
    but in one run of a million.
    """
    gains = resampled_gains(shares([[1, 1], [1, 0]]), Resampling(10_000, seed=1))
    values, counts = np.unique(gains, return_counts=True)
    assert values.tolist() == [0.0, 50.0, 100.0]
    np.testing.assert_allclose(counts / 10_000, [0.25, 0.5, 0.25], atol=0.025)


def test_counting_them_gives_the_p_of_the_table():
    stats, recipe = random_stats(3, 6, 40), Resampling(5_000, seed=2)
    result = bootstrap(stats, recipe)
    for k, pair in enumerate(result.pairs):
        gains = resampled_gains(stats.of(pair), recipe)
        assert (gains > 2 * result.gain[k] + result.tie[k]).sum() == result.hits_above[k]
        assert (gains < -result.tie[k]).sum() == result.hits_below[k]


def test_where_lower_is_better_the_gain_is_the_reduction():
    gains = resampled_gains(shares([[0, 0, 1], [1, 1, 1]], ERROR_RATE), Resampling(500))
    assert gains.min() >= 0
    assert gains.mean() > 50


def test_a_pair_is_two_systems():
    with pytest.raises(ValueError, match="statistics of 3 systems; a pair is two"):
        resampled_gains(random_stats(0, 3, 5), Resampling(10))


def test_histogram_counts_every_resample_once_and_has_edges_at_0_and_at_2_delta():
    gains = np.random.default_rng(0).normal(0.4, 1, 3_000)
    bins = histogram(gains, 0.4, 40)
    edges = bins["gain"] - bins["width"] / 2
    assert np.abs(edges - 0.8).min() < 1e-9
    assert bins["resamples"].sum() == 3_000
    assert np.abs(edges).min() < 1e-9
    below = bins.loc[bins["gain"] < 0, "resamples"].sum()
    assert below == (gains < 0).sum()


def test_histogram_of_gains_that_never_vary():
    assert histogram(np.zeros(7), 0.0)["resamples"].sum() == 7
