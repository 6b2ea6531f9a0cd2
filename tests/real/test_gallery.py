"""The real tasks that come with the package: packs of the published statistics, and results that can be recomputed."""

from __future__ import annotations

import numpy as np
import pytest

from gallery.packs import pack_of
from gallery.tasks import TASKS
from nlpsig_core.comparison.select import MACRO, load_task
from nlpsig_core.resampling.bootstrap import bootstrap
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.shipped import FOLDER, STORED, comes_with_package, known_or_bootstrap, name_of
from nlpsig_core.task.loading import SAMPLES, real_names

SHIPPED = [task for task in TASKS if task.shipped]
OPENING = "conll-2017-chinese"


@pytest.mark.parametrize("task", SHIPPED, ids=lambda task: task.name)
def test_a_shipped_pack_is_made_of_the_published_statistics(task, real_data):
    assert (SAMPLES / f"{task.name}.nlpsig").read_bytes() == pack_of(task, real_data / "statistics")


def test_the_packs_are_those_of_the_recipe_and_small():
    assert real_names() == sorted(task.name for task in SHIPPED)
    files = [*SAMPLES.glob("*.nlpsig"), *FOLDER.glob("*")]
    assert sum(path.stat().st_size for path in files) < 12_000_000


@pytest.mark.parametrize(
    ("folder", "name", "test_set", "metric"),
    [
        ("dep.conll2017.zh", OPENING, None, "LAS"),
        ("dep.conll2018.en_ewt", "conll-2018-english", None, "CLAS"),
        ("dep.conll2018.en_gum", "conll-2018-campaign", "en_gum", "MLAS"),
        ("align.enfr", "hansards-alignment", None, "AER"),
    ],
)
def test_a_real_task_has_the_scores_of_its_outputs(
    folder, name, test_set, metric, real_data, counted_once, monkeypatch
):
    """The same scores as from the outputs themselves, which other tests hold against official scorers."""
    monkeypatch.setenv("NLPSIG_CACHE", str(counted_once))
    packed = load_task(name).select(metric, test_set)
    edition = packed.first.test_set.packed.edition if folder.startswith("dep") else None
    outputs = load_task(real_data / folder).select(metric, edition=edition)
    ours, theirs = (dict(zip(one.stats.names, one.stats.scores, strict=True)) for one in (outputs, packed))
    missing = set(packed.first.counts.problems)
    assert packed.stats.values.dtype == outputs.stats.values.dtype
    assert {system: score for system, score in theirs.items() if system not in missing} == ours
    assert all(theirs[system] == 0 for system in missing)


def test_the_opening_results_are_those_of_the_bootstrap():
    """Shipped hits, covariances and histograms of the opening view equal a million resamples made now."""
    stats = load_task(OPENING).select("LAS").stats
    shipped, made = known_or_bootstrap(stats, Resampling()), bootstrap(stats, Resampling())
    for name in (*STORED, "least", "most", "pairs", "gain", "tie", "scores", "n_units"):
        assert np.array_equal(getattr(shipped, name), getattr(made, name)), name


def test_the_results_of_the_campaign_agree_with_other_resamples():
    """No p is 5 standard errors from that of 5,000 other resamples; the chance of a false alarm is 1 in 5,000."""
    stats = load_task("conll-2018-campaign").select("LAS", MACRO).stats
    assert comes_with_package(stats, Resampling())
    shipped, made = known_or_bootstrap(stats, Resampling()), bootstrap(stats, Resampling(5_000, seed=7))
    p, other = shipped.hits_above / 1e6, made.hits_above / 5_000
    error = np.sqrt(np.maximum(p * (1 - p), 1e-4) / 5_000)
    assert (np.abs(p - other) < 5 * error).all()
    assert np.allclose(shipped.standard_error, made.standard_error, rtol=0.08)


def test_no_result_is_shipped_that_nothing_asks_for():
    views = ((OPENING, None), ("conll-2018-campaign", MACRO))
    asked = {name_of(load_task(name).select("LAS", of).stats, Resampling()) for name, of in views}
    assert {path.name for path in FOLDER.iterdir()} == asked
