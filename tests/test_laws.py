"""Laws that every metric obeys; one that enters METRICS is tested from that moment on."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics import METRICS, editions_for, metric_named, metrics_for
from nlpsig_core.metrics.base import f1, precision, recall
from nlpsig_core.readers import READERS
from tests.builders import treebank

# An example a format: the gold, and an output that is right in some things and wrong in others.
RICH = (
    "zum=zu/3/case/ADP/zu/_/APPR+dem/3/det/DET/der/Case=Dat/ART "
    "Haus/4/obl/NOUN/Haus/Case=Dat/NN geht/0/root/VERB/gehen/Mood=Ind/VV"
)
EXAMPLES = {
    "CoNLL-U": (
        treebank(RICH, "sie/2/nsubj/PRON/sie/Case=Nom/PPER kommt/0/root/VERB/kommen/_/VV", "Nun/0/root/ADV/nun/_/ADV"),
        treebank(
            RICH.replace("Case=Dat", "Case=Nom").replace("obl", "obj"),
            "sie/0/root/PRON/er/Case=Nom/PPER",
            "kommt/0/root/NOUN/kommen/_/VV Nu/1/advmod/ADV/nun/_/ADV n/2/punct/ADV/n/_/ADV",
        ),
    )
}


@pytest.fixture(params=METRICS.values(), ids=METRICS)
def metric(request):
    return request.param


def statistics(metric, gold, output) -> np.ndarray:
    """(units, k) of the metric."""
    chosen = [metric.family.columns.index(column) for column in metric.columns]
    return metric.family.count(gold, output)[:, chosen]


def test_f1_precision_and_recall_by_pencil():
    """3 correct of 4 predicted and of 6 in the gold: 75, 50, and 2 * 3 / (4 + 6) = 60."""
    totals = np.array([3, 4, 6])
    assert (precision(totals), recall(totals), f1(totals)) == (75, 50, 60)
    nothing = np.zeros(3)
    assert (precision(nothing), recall(nothing), f1(nothing)) == (0, 0, 0)


def test_every_format_has_an_example():
    assert set(EXAMPLES) == set(READERS)


def test_gold_against_itself_scores_100(metric):
    gold, _ = EXAMPLES[metric.family.reader]
    assert metric.score(statistics(metric, gold, gold).sum(axis=0)) == 100


def test_an_output_with_errors_scores_less(metric):
    """So that the other laws are not laws of a constant."""
    gold, output = EXAMPLES[metric.family.reader]
    assert 0 <= metric.score(statistics(metric, gold, output).sum(axis=0)) < 100


def test_nothing_predicted_scores_0(metric):
    gold, _ = EXAMPLES[metric.family.reader]
    chosen = [metric.family.columns.index(column) for column in metric.columns]
    missing = metric.family.count_missing(gold)[:, chosen]
    assert missing.shape == statistics(metric, gold, gold).shape
    assert metric.score(missing.sum(axis=0)) == 0


def test_statistics_are_whole_numbers_of_every_unit(metric):
    gold, output = EXAMPLES[metric.family.reader]
    counts = metric.family.count(gold, output)
    assert counts.shape == (gold.n_sentences, len(metric.family.columns))
    assert np.issubdtype(counts.dtype, np.integer)
    assert counts.min() >= 0


def test_the_order_of_units_does_not_matter(metric):
    """Totals are sums: turned around, doubled in one place or another, it is the units that count."""
    gold, output = EXAMPLES[metric.family.reader]
    found = statistics(metric, gold, output)
    assert metric.score(found[::-1].sum(axis=0)) == metric.score(found.sum(axis=0))


def test_score_works_on_any_leading_axes(metric):
    """One function serves a sentence, a corpus and a million resamples, and leaves its input alone."""
    totals = np.arange(2 * 3 * len(metric.columns)).reshape(2, 3, -1) % 7 + 1
    before = totals.copy()
    scores = metric.score(totals)
    assert scores.shape == (2, 3)
    assert (totals == before).all()
    for place in np.ndindex(2, 3):
        assert metric.score(totals[place]) == scores[place]
        assert metric.score(totals[place].astype(np.float64)) == scores[place]


def test_no_totals_at_all_is_no_error(metric):
    assert np.isfinite(metric.score(np.zeros(len(metric.columns))))


def test_every_metric_says_what_it_is(metric):
    assert metric.what.strip()
    assert set(metric.columns) <= set(metric.family.columns)
    assert metric.family.reader in READERS
    assert len(set(metric.family.columns)) == len(metric.family.columns)


def test_parts_are_percentages(metric):
    gold, output = EXAMPLES[metric.family.reader]
    totals = statistics(metric, gold, output).sum(axis=0)
    assert metric.parts
    assert all(0 <= part(totals) <= 100 for part in metric.parts.values())


def test_names_are_the_keys_and_labels_differ_within_an_edition():
    assert all(name == metric.name for name, metric in METRICS.items())
    for reader in READERS:
        for edition in editions_for(reader):
            labels = [m.label for m in METRICS.values() if edition in m.editions and m.family.reader == reader]
            assert len(set(labels)) == len(labels)


def test_metrics_of_an_edition():
    """Both editions have their own CLAS under the one label; MLAS came in 2018, Feats was of 2017."""
    assert editions_for("CoNLL-U") == ["2018", "2017"]
    assert metric_named("CLAS", "CoNLL-U").name == "CLAS"
    assert metric_named("CLAS", "CoNLL-U", "2017").name == "CLAS-2017"
    assert "MLAS" not in metrics_for("CoNLL-U", "2017")
    assert "Feats" not in metrics_for("CoNLL-U")
    assert metric_named("Feats", "CoNLL-U").name == "Feats"
    with pytest.raises(ChoiceError, match="No metric of edition 2018 called 'Feats'"):
        metric_named("Feats", "CoNLL-U", "2018")


def test_unknown_metrics_and_editions():
    with pytest.raises(
        ChoiceError, match=r"No metric called 'lass'. Available: AllTags, AllTags-2017, BLEX, CLAS, CLAS-2017"
    ):
        metric_named("lass", "CoNLL-U")
    with pytest.raises(ChoiceError, match=r"No edition called '2019'. Available: 2017, 2018"):
        metrics_for("CoNLL-U", "2019")
