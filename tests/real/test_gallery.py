"""The real tasks that come with the package: packs of the published statistics, and results that can be recomputed."""

from __future__ import annotations

import json
import zipfile
from functools import partial

import numpy as np
import pandas as pd
import pytest

from gallery.packs import pack_of
from gallery.tasks import TASKS
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.samples import SAMPLES, real_names
from nlpsig_core.significance.comparison.select import MACRO, load_task
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.shipped import FOLDER, STORED, comes_with_package, known_or_bootstrap, name_of
from nlpsig_core.significance.stats import packing
from nlpsig_core.studies.synthetic import FIGURES, load_pack, selections, shipped_at

SHIPPED = [task for task in TASKS if task.shipped]
OPENING = "conll-2017-chinese"


@pytest.mark.parametrize("task", SHIPPED, ids=lambda task: task.name)
def test_a_shipped_pack_is_made_of_the_published_statistics(task, real_data, monkeypatch):
    """Byte for byte, with the version that made it in place of this one."""
    shipped = SAMPLES / f"{task.name}.nlpsig"
    made_by = json.loads(zipfile.ZipFile(shipped).read("pack.json"))["made_by"]
    monkeypatch.setattr(packing, "__version__", made_by.removeprefix("nlpsig "))
    assert shipped.read_bytes() == pack_of(task, real_data / "statistics")


def test_the_packs_are_those_of_the_recipe_and_small():
    assert real_names() == sorted(task.name for task in SHIPPED)
    files = [*SAMPLES.glob("*.nlpsig"), *FOLDER.glob("*")]
    assert sum(path.stat().st_size for path in files) < 15_000_000


@pytest.mark.parametrize(
    ("name", "test_set", "official"),
    [
        (OPENING, None, "dep.conll2017.zh"),
        ("conll-2018-english", None, "dep.conll2018.en_ewt"),
        ("conll-2018-campaign", "en_gum", "dep.conll2018.en_gum"),
    ],
)
def test_scores_are_those_of_the_official_scorer(name, test_set, official, real_data):
    """To six decimals, for every system and metric of the pack; a system without output scores 0."""
    table = pd.read_csv(real_data / "expected" / f"{official}.tsv", sep="\t", keep_default_na=False)
    task, compared = load_task(name), 0
    for label in Offer(task.test_set(test_set)).metrics:
        selection = task.select(label, test_set)
        scores = dict(zip(selection.stats.names, selection.stats.scores, strict=True))
        expected = table[table["metric"] == label].set_index("system")["f1"].astype(float)
        assert expected.to_dict() == pytest.approx({system: scores[system] for system in expected.index}, abs=1e-6)
        assert all(scores[system] == 0 for system in set(scores) - set(expected.index))
        compared += len(expected)
    assert compared > 200


def test_translations_have_the_scores_of_their_outputs(real_data, counted_once, monkeypatch):
    """The same as from the outputs themselves, which other tests hold against sacrebleu."""
    monkeypatch.setenv("NLPSIG_CACHE", str(counted_once))
    packed, outputs = (load_task(task).select("BLEU") for task in ("wmt-2024-en-de", real_data / "mt.wmt24.en-de"))
    assert packed.stats.values.dtype == outputs.stats.values.dtype
    assert dict(zip(packed.stats.names, packed.stats.scores, strict=True)) == dict(
        zip(outputs.stats.names, outputs.stats.scores, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "test_set", "metric", "folder", "official", "scale"),
    [
        ("mmlu-pro", MACRO, "solved", "llm.mmlu-pro", "accuracy_mean_of_categories", 100),
        ("trec-2003-robust", None, "nDCG@10", "retrieval.trec.robust03", "ndcg_cut_10", 1),
        ("librispeech-engines", None, "normalised-WER", "asr.librispeech.four", "wer_norm", 100),
    ],
)
def test_scores_of_benchmarks_are_the_expected_ones(name, test_set, metric, folder, official, scale, real_data):
    """The means of the published values by instance, ir_measures' and jiwer's scores."""
    stats = load_task(name).select(metric, test_set).stats
    table = pd.read_csv(real_data / folder / "expected.tsv", sep="\t")
    expected = table[table["metric"] == official].set_index("system")["value"].astype(float) * scale
    assert dict(zip(stats.names, stats.scores, strict=True)) == pytest.approx(expected.to_dict(), abs=1e-6)


def test_the_opening_results_are_those_of_the_bootstrap():
    """Shipped hits and histograms of the opening view equal a million resamples made now.

    Covariances, and with them the edges of bins, are sums of floats in the order of the machine's BLAS: equal to 12
    digits.
    """
    stats = load_task(OPENING).select("LAS").stats
    shipped, made = known_or_bootstrap(stats, Resampling()), bootstrap(stats, Resampling())
    for name in (*STORED, "least", "most", "pairs", "gain", "tie", "scores", "n_units"):
        exact = name not in ("covariance", "low", "width")
        equal = np.array_equal if exact else partial(np.allclose, rtol=1e-12, atol=1e-12)
        assert equal(getattr(shipped, name), getattr(made, name)), name


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
    asked = {name_of(load_task(name).select("LAS", test_set).stats, Resampling()) for name, test_set in views}
    figures = [selection for of in FIGURES.values() for selection in selections(of, load_pack(of)).values()]
    assert {path.name for path in FOLDER.iterdir()} == asked | {shipped_at(selection).name for selection in figures}
