"""Results that come with the package: what is stored of a bootstrap, and what its statistics tell."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from nlpsig_core.significance.resampling import shipped
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.shipped import (
    comes_with_package,
    known_or_bootstrap,
    name_of,
    packed,
    unpacked,
)
from tests.builders import ERROR_RATE, random_stats, shares


def test_a_packed_result_comes_back_whole():
    """Extremes of empty bins are infinite, those of a bin with one gain equal."""
    recipe = Resampling(300, seed=4)
    for stats in (random_stats(1, 4, 30), shares([[1, 0, 0, 1], [0, 0, 1, 0]], ERROR_RATE)):
        result = bootstrap(stats, recipe)
        again = unpacked(packed(result), stats, recipe)
        for name in (field.name for field in fields(result) if field.name not in ("metric", "recipe", "resampled")):
            np.testing.assert_array_equal(getattr(again, name), getattr(result, name), err_msg=name)


def test_a_result_is_named_after_all_that_it_depends_on():
    stats = random_stats(1, 3, 20)
    names = {
        name_of(one, Resampling(b, seed)) for one in (stats, stats.select([0, 1])) for b in (10, 20) for seed in (0, 1)
    }
    assert len(names) == 8
    assert not comes_with_package(stats, Resampling(10))


def test_a_result_that_comes_with_the_package_is_not_computed_again(tmp_path, monkeypatch):
    """The stored hits are other ones than the bootstrap's, so that it is seen where they come from."""
    stats, recipe = random_stats(1, 3, 20), Resampling(50)
    result = bootstrap(stats, recipe)
    monkeypatch.setattr("nlpsig_core.significance.resampling.shipped.FOLDER", tmp_path)
    assert known_or_bootstrap(stats, recipe).hits_above.tolist() == result.hits_above.tolist()
    (tmp_path / name_of(stats, recipe)).write_bytes(packed(replace(result, hits_above=result.hits_above + 1)))
    assert known_or_bootstrap(stats, recipe).hits_above.tolist() == (result.hits_above + 1).tolist()


def test_a_result_in_the_cache_is_not_computed_again(monkeypatch):
    """Not even with other systems' names; a metric of the same name that scores otherwise has results of its own."""
    stats, recipe = random_stats(1, 3, 20), Resampling(50)

    def added(result):
        return replace(result, hits_above=result.hits_above + 1)

    with monkeypatch.context() as patch:
        patch.setattr(shipped, "bootstrap", lambda *of, **more: added(bootstrap(*of, **more)))
        first = known_or_bootstrap(stats, recipe)
    again = known_or_bootstrap(replace(stats, names=("X", "Y", "Z")), recipe)
    assert again.hits_above.tolist() == first.hits_above.tolist() == added(bootstrap(stats, recipe)).hits_above.tolist()
    other = replace(stats, metric=replace(stats.metric, score=lambda totals: 1 + stats.metric.score(totals)))
    for changed in ((other, recipe), (stats, Resampling(50, seed=1)), (stats, Resampling(51))):
        assert known_or_bootstrap(*changed).hits_above.tolist() == bootstrap(*changed).hits_above.tolist()


def test_a_damaged_result_in_the_cache_is_computed_again(cache):
    stats, recipe = random_stats(1, 3, 20), Resampling(50)
    first = known_or_bootstrap(stats, recipe)
    (entry,) = cache.rglob("*.npz")
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 1
    entry.write_bytes(data)
    assert known_or_bootstrap(stats, recipe).hits_above.tolist() == first.hits_above.tolist()
