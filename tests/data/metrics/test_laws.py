"""Laws that every metric obeys; one that enters METRICS is tested from that moment on."""

from __future__ import annotations

import io
from fractions import Fraction

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.base import Ratio, f1, precision, recall
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.metrics.table import ENTRIES
from nlpsig_core.data.readers import READERS
from tests.builders import conllu
from tests.logs import answered, asked

RICH = (
    "zum=zu/3/case/ADP/zu/_/APPR+dem/3/det/DET/der/Case=Dat/ART "
    "Haus/4/obl/NOUN/Haus/Case=Dat/NN geht/0/root/VERB/gehen/Mood=Ind/VV"
)
TREE = "(S (NP (D the) (N dog)) (VP (V sees) (NP (D a) (N cat)) (PP (P in) (NP (N town)))))\n"
CROSSED = "(S (NP (D the) (N dog)) (VP (V sees) (NP (NP (D a) (N cat) (P in)) (X (A town)))))\n"
PARSED = "1\tsees\t_\tV\tV\t_\t0\tROOT\t_\t_\n2\tdogs\t_\tN\tN\t_\t1\tOBJ\t_\t_\n3\t.\t_\t.\t.\t_\t1\tP\t_\t_\n\n"
SEGMENT = "The old dog of the mayor sleeps under the table in the kitchen .\n"
# Ten relevant documents of each of two topics, and rankings of all of them, the best first.
JUDGED = (
    "".join(f"{topic} 0 doc{number} {1 + (number < 3)}\n" for topic in (1, 2) for number in range(10)) + "1 0 no 0\n"
)
RANKED = "".join(f"{topic} Q0 doc{number} 1 {10 - number} run\n" for topic in (1, 2) for number in range(10))
# An example a format: the gold, and an output that is right in some things and wrong in others.
EXAMPLES = {
    "Labels": ("1\tyes\n2\tno\n3\tyes\n4\tno\n5\tno\n", "1\tyes\n2\tyes\n3\tyes\n4\tno\n5\tno\n"),
    "Label sets": (
        '{"id": 1, "labels": ["a"]}\n{"id": 2, "labels": ["a", "b"]}\n',
        '{"id": 1, "labels": []}\n{"id": 2, "labels": ["b"]}\n',
    ),
    "Numbers": ("0.5\n1.5\n3\n", "0.25\n3\n1\n"),
    "Rankings": (JUDGED, RANKED.replace("doc3 ", "unjudged ").replace(" 7 run", " 7000 run")),
    "Strings": ("1\twent\n2\tsang\n", "1\tgoed\n2\tsang\n"),
    "Transcripts": ("a-1 The old dog, he sleeps.\na-2 Yes!\n", "a-1 the odd dog he sleeps\na-2 Yes!\n"),
    "CoNLL-U": (
        conllu(RICH, "sie/2/nsubj/PRON/sie/Case=Nom/PPER kommt/0/root/VERB/kommen/_/VV", "Nun/0/root/ADV/nun/_/ADV"),
        conllu(
            RICH.replace("Case=Dat", "Case=Nom").replace("obl", "obj"),
            "sie/0/root/PRON/er/Case=Nom/PPER",
            "kommt/0/root/NOUN/kommen/_/VV Nu/1/advmod/ADV/nun/_/ADV n/2/punct/ADV/n/_/ADV",
        ),
    ),
    "CoNLL-X": (2 * PARSED, PARSED + PARSED.replace("\t1\tOBJ", "\t3\tSBJ")),
    "Tagged tokens": (
        "Ann B-PER\nsees O\nBo B-PER\nLee I-PER\n\nin O\nRome B-LOC\n",
        "Ann B-PER\nsees O\nBo B-PER\nLee O\n\nin O\nRome B-ORG\n",
    ),
    "Bracketed trees": (2 * TREE, TREE + CROSSED),
    "Word alignments": ("0-0 1p1 2-2\n0-1 1-0\n", "0-0 1-1 2-1\n0-1 0-0\n"),
    "Summaries": (2 * SEGMENT, SEGMENT + SEGMENT.replace("mayor sleeps under", "cook lies at")),
    "Translations": (2 * SEGMENT, SEGMENT + SEGMENT.replace("mayor sleeps under", "cook lies at")),
    "Segment scores": (
        "A\t1.5\nA\t-1\nB\t0.25\nB\t-1\nC\tNone\nC\t2\n",
        "A\t0.75\nA\t0.5\nB\t0.875\nB\t0.5\nC\t0.5\nC\t0.25\n",
    ),
    "Score table": ("1\ta\tnews\n2\ta\tnews\n3\tb\tlaw\n", "0.5\t2\n-1\t3\n2\t4\n"),
    "Evaluation logs": (
        asked(("1", "Who?", "me", [], "a", "news"), ("2", "Where?", "here", [], "a", "law")),
        answered([7, "me", "It is me.", 1.0], [8, "there", "", 0.25]),
    ),
}
# Families whose gold is another than that of their format's others.
OF_FAMILY = {
    "tags": (
        "the DET\nold ADJ\ndog NOUN\n\nshe PRON\nsings VERB\n",
        "the DET\nold NOUN\ndog NOUN\n\nshe PRON\nsings X\n",
    )
}
# The gold as an output, of formats in which they are written differently.
AS_OUTPUT = {"Rankings": RANKED}
# A table of scores has no gold that an output could be like.
WITH_GOLD = [metric for metric in METRICS.values() if metric.family.count_missing is not None]


@pytest.fixture(params=METRICS.values(), ids=METRICS)
def metric(request):
    return request.param


@pytest.mark.parametrize("ratio", dict.fromkeys(m.score for m in ENTRIES if isinstance(m.score, Ratio)), ids=str)
def test_a_ratio_is_one_of_the_sums_that_it_names(ratio):
    """In exact fractions, with any leading axes; where both sums are 0, so is the ratio."""
    totals = np.random.default_rng(0).integers(0, 3, (40, 2, len(ratio.part)))
    expected = [
        [ratio.offset + ratio.scale * Fraction(int(row @ ratio.part), max(int(row @ ratio.whole), 1)) for row in rows]
        for rows in totals
    ]
    assert ratio(totals) == pytest.approx(np.array(expected, dtype=float), rel=1e-14)
    assert ratio(np.zeros(len(ratio.part))) == ratio.offset


def test_most_metrics_are_ratios():
    for name in ("LAS", "accuracy", "F1-entities", "AER", "WER", "MER", "mean", "ROUGE-1", "Brier", "AP-rankings"):
        assert isinstance(METRICS[name].score, Ratio), name


@pytest.fixture(params=WITH_GOLD, ids=lambda metric: metric.name)
def with_gold(request):
    return request.param


@pytest.fixture(params=[metric for metric in METRICS.values() if not metric.sample], ids=lambda metric: metric.name)
def of_totals(request):
    return request.param


def number_of_totals(metric) -> int:
    gold, _, output = example(metric)
    return statistics(metric, gold, output).shape[1]


def example(metric) -> tuple[object, object, object]:
    """The gold, the gold as an output, and the output with errors."""
    reader = READERS[metric.family.reader]
    gold, output = OF_FAMILY.get(metric.family.name) or EXAMPLES[reader.name]
    as_gold = reader.read_gold([(io.StringIO(gold), "gold.txt")]) if reader.read_gold else read(reader, gold)
    same = read(reader, AS_OUTPUT.get(reader.name, gold)) if metric in WITH_GOLD else None
    return as_gold, same, read(reader, output)


def read(reader, text: str):
    return reader.read(io.StringIO(text), "x.txt")


def counts_of(metric, gold, output) -> np.ndarray:
    """(units, columns) of the metric's family."""
    family = metric.family
    return family.count(gold, family.match(gold, output) if family.match else output)


def statistics(metric, gold, output) -> np.ndarray:
    """(units, k) of the metric."""
    return of_metric(metric, gold, counts_of(metric, gold, output))


def of_metric(metric, gold, counts: np.ndarray) -> np.ndarray:
    values = counts[:, metric.places(columns_of(metric, gold))]
    return metric.expand(values[None])[0] if metric.expand else values


def columns_of(metric, gold) -> tuple[str, ...]:
    return metric.family.columns_for(getattr(gold, "classes", ()))


def score(metric, values: np.ndarray) -> float:
    """The score of statistics (units, k), of either kind of metric."""
    if metric.sample:
        return metric.sample(values[None])(np.ones((1, len(values))))[0, 0]
    return metric.score(values.sum(axis=0))


def test_f1_precision_and_recall_by_pencil():
    """3 correct of 4 predicted and of 6 in the gold: 75, 50, and 2 * 3 / (4 + 6) = 60."""
    totals = np.array([3, 4, 6])
    assert (precision(totals), recall(totals), f1(totals)) == (75, 50, 60)
    nothing = np.zeros(3)
    assert (precision(nothing), recall(nothing), f1(nothing)) == (0, 0, 0)


def test_every_format_has_an_example():
    assert set(EXAMPLES) == set(READERS)


def test_gold_against_itself_has_full_marks(with_gold):
    gold, same, _ = example(with_gold)
    full = (100 if with_gold.scale else 1) if with_gold.higher_is_better else 0
    assert score(with_gold, statistics(with_gold, gold, same)) == pytest.approx(full, abs=1e-12)


def test_an_output_with_errors_scores_less(with_gold):
    """So that the other laws are not laws of a constant."""
    gold, same, output = example(with_gold)
    best, found = (score(with_gold, statistics(with_gold, gold, o)) for o in (same, output))
    assert with_gold.sign * found < with_gold.sign * best
    assert found >= 0


def test_a_missing_output_is_scored_as_empty(with_gold):
    """0 where a higher score is better; else worse than any output with something right."""
    gold, _, output = example(with_gold)
    missing = of_metric(with_gold, gold, with_gold.family.count_missing(gold))
    counted = statistics(with_gold, gold, output)
    assert len(missing) == len(counted)
    without = score(with_gold, missing)
    if with_gold.higher_is_better:
        assert without == 0
    else:
        assert without > score(with_gold, counted)


def test_statistics_are_numbers_of_every_unit(metric):
    """Whole ones, unless a unit's own score is a real number."""
    gold, _, output = example(metric)
    counts = counts_of(metric, gold, output)
    assert counts.shape == (gold.n_units, len(columns_of(metric, gold)))
    assert np.issubdtype(counts.dtype, np.integer) == metric.family.whole
    assert np.isfinite(counts).all()


def test_remarks_are_sentences_in_a_list(metric):
    gold, _, output = example(metric)
    family = metric.family
    if family.remarks:
        matched = family.match(gold, output) if family.match else output
        assert all(remark.strip() for remark in family.remarks(gold, matched))


def test_the_order_of_units_does_not_matter(metric):
    """Totals are sums: turned around, it is the units that count."""
    gold, _, output = example(metric)
    found = statistics(metric, gold, output)
    assert score(metric, found[::-1]) == pytest.approx(score(metric, found), rel=1e-12)


def test_score_works_on_any_leading_axes(of_totals):
    """One function serves a sentence, a corpus and a million resamples, and leaves its input alone."""
    metric, k = of_totals, number_of_totals(of_totals)
    totals = np.arange(2 * 3 * k).reshape(2, 3, -1) % 7 + 1
    before = totals.copy()
    scores = metric.score(totals)
    assert scores.shape == (2, 3)
    assert (totals == before).all()
    for place in np.ndindex(2, 3):
        assert metric.score(totals[place]) == scores[place]
        assert metric.score(totals[place].astype(np.float64)) == scores[place]


def test_no_totals_at_all_is_no_error(of_totals):
    assert np.isfinite(of_totals.score(np.zeros(number_of_totals(of_totals))))


def test_every_metric_says_what_it_is(metric):
    assert metric.what.strip()
    assert set(metric.columns) <= set(metric.family.columns)
    assert metric.family.reader in READERS
    assert len(set(metric.family.columns)) == len(metric.family.columns)


def test_parts_are_percentages(with_gold):
    gold, _, output = example(with_gold)
    totals = statistics(with_gold, gold, output).sum(axis=0)
    assert all(0 <= component(totals) <= 100 for component in with_gold.components.values())


def test_every_format_with_editions_says_what_is_chosen():
    assert all(bool(reader.editions) == bool(Offer(reader).editions) for reader in READERS.values())
    for reader in READERS.values():
        gold = example(next(metric for metric in METRICS.values() if metric.family.reader == reader.name))[0]
        if reader.editions and reader.editions.usual is None:
            with pytest.raises(ChoiceError, match=r"better\? Choose an edition .--edition.: higher, lower"):
                _ = Offer(reader).usual
        elif reader.editions and isinstance(usual := reader.editions.usual, str):
            assert usual in Offer(reader).editions
        elif reader.editions:
            assert usual(gold) in Offer(reader).editions
    assert Offer(READERS["Word alignments"]).usual is None
    assert Offer(READERS["Bracketed trees"]).usual == "EVALB"


def test_a_gain_says_its_direction_and_scale():
    assert (METRICS["LAS"].axis, METRICS["LAS"].gain_axis) == ("LAS (%)", "gain in LAS (points)")
    assert METRICS["AER"].axis == "AER (%, lower is better)"
    assert (METRICS["LAS"].sign, METRICS["AER"].sign) == (1, -1)
    assert METRICS["AER"].gain_axis == "reduction in AER (points)"
    assert (METRICS["mean"].axis, METRICS["mean"].gain_axis) == ("mean", "gain in mean")
    units = {name: METRICS[name].gain_unit for name in ("LAS", "accuracy", "mean", "main-score", "crossing-brackets")}
    assert list(units.values()) == ["LAS", "points", "mean", "in main score", "in crossing brackets"]


def test_names_are_the_keys_and_labels_differ_within_an_edition():
    assert list(METRICS) == [metric.name for metric in ENTRIES]
    for reader in READERS.values():
        for edition in Offer(reader).editions:
            labels = [m.label for m in METRICS.values() if edition in m.editions and m.family.reader == reader.name]
            assert len(set(labels)) == len(labels)


def test_a_label_that_follows_the_gold_is_no_full_name():
    """Else who names the label gets that one metric whatever the gold is."""
    shared = {m.label for m in METRICS.values() if m.family.reader == "Translations" and m.editions}
    assert shared == {"BLEU"}
    assert not shared & METRICS.keys()
    assert Offer(READERS["Translations"], "zh").metric("BLEU") is METRICS["BLEU-zh"]


def test_every_metric_of_an_edition_is_found_by_its_label_and_by_its_full_name():
    for reader in READERS.values():
        for edition in Offer(reader).editions or [None]:
            for label, metric in Offer(reader, edition).metrics.items():
                assert [Offer(reader, edition).metric(name) for name in (label, metric.name)] == [metric] * 2


def test_metrics_of_an_edition():
    """Both editions have their own CLAS under the one label; MLAS came in 2018, Feats was of 2017."""
    usual, new, old = (Offer(READERS["CoNLL-U"], edition) for edition in (None, "2018", "2017"))
    assert usual.editions == ["2018", "2017"]
    assert usual.metric().name == old.metric().name == "LAS"
    assert [offer.metric("CLAS").name for offer in (usual, new, old)] == ["CLAS", "CLAS", "CLAS-2017"]
    assert "MLAS" not in old.metrics
    assert "Feats" not in usual.metrics
    for name in ("Feats", "CLAS-2017"):
        assert usual.metric(name).name == new.metric(name, any_edition=True).name == old.metric(name).name == name
        with pytest.raises(ChoiceError, match=f"No metric of edition 2018 called '{name}'"):
            new.metric(name)


def test_unknown_metrics_and_editions():
    with pytest.raises(
        ChoiceError,
        match=r"No metric called 'lass'; did you mean LAS or MLAS or CLAS\? "
        "Available: AllTags, AllTags-2017, BLEX, CLAS, CLAS-2017",
    ):
        Offer(READERS["CoNLL-U"]).metric("lass")
    with pytest.raises(
        ChoiceError, match=r"No edition called '2019'; did you mean 2018 or 2017\? Available: 2017, 2018"
    ):
        _ = Offer(READERS["CoNLL-U"], "2019").metrics
