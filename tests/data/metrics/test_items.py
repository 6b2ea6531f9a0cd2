"""Metrics of labels, label sets, numbers and strings: by pencil, and against scikit-learn and scipy on resamples.

A resample of units is drawn as numbers, and the score of its totals (or by its weights) is that of the sample in which
each unit occurs that often. Classes are rare, outputs lack answers and have labels that the gold lacks.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats as scipy_stats
from sklearn import metrics as sklearn
from sklearn.calibration import calibration_curve

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.items import by_class, label_sets, labels, numbers, strings
from nlpsig_core.data.readers.items.items import Answers
from nlpsig_core.data.readers.items.json_rows import marked

CLASSES = ("1", "2", "4", "9")
MISSING, UNKNOWN = len(CLASSES), len(CLASSES) + 1
N = 60


def answers(seed: int, kind: str) -> tuple[object, list[np.ndarray]]:
    """A gold and three outputs of it: the codes of labels, with a class of two items, or sets, or numbers."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(len(CLASSES), N, p=[0.5, 0.3, 0.15, 0.05])
    gold[: len(CLASSES)] = np.arange(len(CLASSES))
    if kind == "labels":
        values = [np.where(rng.random(N) < 0.6, gold, rng.integers(-1, len(CLASSES) + 2, N)) for _ in range(2)]
        return gold, [*values, np.zeros(N, dtype=int)]
    sets = rng.random((N, len(CLASSES) + 1)) < [0.5, 0.3, 0.1, 0.05, 0]
    outputs = [np.where(rng.random(sets.shape) < 0.7, sets, rng.random(sets.shape) < 0.2) for _ in range(3)]
    return sets.astype(int), [output.astype(int) for output in outputs]


def statistics(metric, counts: np.ndarray) -> np.ndarray:
    return metric.expand(counts) if metric.expand else counts


def scores(metric, values: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The score of each output in the sample of the units drawn."""
    weights = np.bincount(drawn, minlength=N)
    if metric.sample:
        return metric.sample(values)(weights[None].astype(np.float64))[:, 0]
    return metric.score(np.einsum("suk,u->sk", values.astype(np.float64), weights))


def samples(seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [np.arange(N), *(rng.integers(0, N, N) for _ in range(20)), rng.integers(0, N, 5)]


def names(codes: np.ndarray) -> np.ndarray:
    return np.where(codes < 0, 99, codes)


OF_GOLD = {"labels": list(range(len(CLASSES))), "zero_division": 0}
LABELS = {
    "accuracy-labels": lambda g, p: 100 * sklearn.accuracy_score(g, p),
    "macro-F1-union": lambda g, p: 100 * sklearn.f1_score(g, p, average="macro", zero_division=0),
    "MCC": sklearn.matthews_corrcoef,
    **{
        f"{average}-{name}": lambda g, p, average=average, score=score: 100 * score(g, p, average=average, **OF_GOLD)
        for average in ("macro", "micro", "weighted")
        for name, score in (
            ("F1", sklearn.f1_score),
            ("precision", sklearn.precision_score),
            ("recall", sklearn.recall_score),
        )
    },
}


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.filterwarnings("ignore")
def test_labels_equal_scikit_learn_on_resamples(name):
    gold, outputs = answers(1, "labels")
    items = SimpleNamespace(answers=gold, classes=CLASSES, n_units=N)
    metric = METRICS[name]
    counts = np.stack([labels.count_labels(items, Answers(values)) for values in outputs])
    values = statistics(metric, counts)
    for drawn in samples(2):
        expected = [LABELS[name](gold[drawn], names(output)[drawn]) for output in outputs]
        assert scores(metric, values, drawn) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@pytest.mark.filterwarnings("ignore")
def test_kappas_equal_scikit_learn_on_resamples(weights):
    """scikit-learn gives none if gold and output are one class; of outputs with other answers only the unweighted."""
    gold, outputs = answers(3, "labels")
    outputs = [np.clip(values, 0, len(CLASSES) - 1) for values in outputs] if weights else outputs
    items = SimpleNamespace(answers=gold, classes=CLASSES, n_units=N)
    metric = METRICS[f"{weights}-kappa" if weights else "kappa"]
    values = statistics(metric, np.stack([labels.count_labels(items, Answers(output)) for output in outputs]))
    every = [*OF_GOLD["labels"], 99, len(CLASSES), len(CLASSES) + 1]
    for drawn in samples(4):
        known = OF_GOLD["labels"] if weights else every
        expected = [
            np.nan_to_num(sklearn.cohen_kappa_score(gold[drawn], names(output)[drawn], labels=known, weights=weights))
            for output in outputs
        ]
        assert scores(metric, values, drawn) == pytest.approx(expected, abs=1e-10)


@pytest.mark.filterwarnings("ignore")
def test_balanced_accuracy_averages_over_the_classes_of_the_sample():
    gold, outputs = answers(5, "labels")
    items = SimpleNamespace(answers=gold, classes=CLASSES, n_units=N)
    metric = METRICS["balanced-accuracy"]
    values = statistics(metric, np.stack([labels.count_labels(items, Answers(output)) for output in outputs]))
    for drawn in samples(6):
        expected = [100 * sklearn.balanced_accuracy_score(gold[drawn], names(output)[drawn]) for output in outputs]
        assert scores(metric, values, drawn) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [("F1[2]", [1]), ("precision[9]", [3]), ("recall[1]", [0]), ("F1[1+9]", [0, 3]), ("F1[all but 4]", [0, 1, 3])],
)
def test_scores_of_some_classes_equal_scikit_learn(name, chosen):
    gold, outputs = answers(7, "labels")
    sets, predicted_sets = answers(7, "sets")
    items = SimpleNamespace(answers=gold, classes=CLASSES, n_units=N)
    metric, of_sets = labels.own_metric(name, CLASSES), label_sets.own_metric(name, CLASSES)
    score = getattr(sklearn, f"{name.partition('[')[0].lower()}_score")
    one = {"labels": chosen, "average": "macro", "zero_division": 0}
    values = statistics(metric, np.stack([labels.count_labels(items, Answers(output)) for output in outputs]))
    of_items = SimpleNamespace(answers=sets)
    set_values = statistics(of_sets, np.stack([label_sets.count_sets(of_items, Answers(o)) for o in predicted_sets]))
    for drawn in samples(8):
        expected = [100 * score(gold[drawn], names(output)[drawn], **one) for output in outputs]
        assert scores(metric, values, drawn) == pytest.approx(expected, abs=1e-10)
        expected = [100 * score(sets[drawn][:, :-1], output[drawn][:, :-1], **one) for output in predicted_sets]
        assert scores(of_sets, set_values, drawn) == pytest.approx(expected, abs=1e-10)


def test_names_of_classes():
    """A class comes before a subset of that name; of two classes "all but" one is the other."""
    assert by_class.chosen("a+b", ("a", "a+b", "b")) == (1,)
    assert by_class.chosen("b+a", ("a", "b", "c")) == (0, 1)
    assert by_class.chosen("all but a", ("a", "b")) == (1,)
    assert by_class.chosen("a+x", ("a", "b")) == by_class.chosen("", ("a", "b")) == ()
    assert by_class.choices(("a", "b")) == ["a", "b"]
    assert by_class.choices("abc") == ["a", "b", "c", "all but a", "all but b", "all but c"]
    assert by_class.choices(tuple(map(str, range(31)))) == []
    assert [labels.own_metric(name, ("a", "b")) for name in ("F1", "F1[c]", "F2[a]", "MAE", "F1[a")] == [None] * 5


def test_an_error_of_ordered_labels_by_pencil():
    """Of -1, 0, 3: the gold 3, 0, -1 as 0, 0 and nothing is off by 3, 0 and the range, 4: 7/3."""
    values = np.array([[[2, 1], [1, 1], [0, 3]]])
    mae = labels.own_metric("MAE", ("-1", "0", "3"))
    assert mae.score(mae.expand(values).sum(axis=1)) == pytest.approx(7 / 3)
    assert not mae.higher_is_better
    assert mae.name == "MAE-labels"


def test_linear_kappa_with_a_missing_answer_by_pencil():
    """Gold 0, 1, 2 as 0, 1 and nothing: off by 0, 0, 2.

    By chance: nothing is 2 off from all; 0 is off by 0, 1, 2, and 1 by 1, 0, 1: (6 + 3 + 2) / 9. 1 - (2/3) / (11/9).
    """
    values = np.array([[[0, 0], [1, 1], [2, 3]]])
    metric = METRICS["linear-kappa"]
    assert metric.score(metric.expand(values).sum(axis=1)) == pytest.approx(1 - (2 / 3) / (11 / 9))


def test_constant_answers_have_no_correlation():
    """Always the most frequent label, also where the gold has but that one."""
    values = np.array([[[0, 0], [1, 0], [2, 0]], [[0, 0], [0, 0], [0, 0]]])
    for name in ("MCC", "kappa", "linear-kappa", "quadratic-kappa"):
        metric = METRICS[name]
        assert metric.score(metric.expand(values).sum(axis=1, dtype=np.int64)).tolist() == [0, 0]


def test_counts_by_label_have_a_limit(monkeypatch):
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    codes = np.zeros((10, 1_000, 2), dtype=np.int32)
    codes[:, :100] = np.arange(100)[:, None]
    with pytest.raises(TaskError, match=r"counts of 100 labels: 1,000 units and 10 systems need 24 MB"):
        METRICS["macro-F1"].expand(codes)


SETS = {
    "exact-match-sets": sklearn.accuracy_score,
    "Jaccard-sets": lambda g, p: sklearn.jaccard_score(g, p, average="samples", zero_division=0),
    "micro-F1-sets": lambda g, p: sklearn.f1_score(g, p, average="micro", zero_division=0),
    "sample-F1-sets": lambda g, p: sklearn.f1_score(g, p, average="samples", zero_division=0),
    "sample-precision-sets": lambda g, p: sklearn.precision_score(g, p, average="samples", zero_division=0),
    "sample-recall-sets": lambda g, p: sklearn.recall_score(g, p, average="samples", zero_division=0),
}
BY_CLASS = [f"{average}-{name}-sets" for average in ("macro", "weighted") for name in by_class.OF_LABEL]


@pytest.mark.parametrize("name", [*SETS, *BY_CLASS, "Hamming-sets"])
@pytest.mark.filterwarnings("ignore")
def test_label_sets_equal_scikit_learn_on_resamples(name):
    """Of all labels where an unknown one counts; by class, those of the gold."""
    sets, outputs = answers(9, "sets")
    metric = METRICS[name]
    values = statistics(
        metric, np.stack([label_sets.count_sets(SimpleNamespace(answers=sets), Answers(o)) for o in outputs])
    )
    for drawn in samples(10):
        for output, found in zip(outputs, scores(metric, values, drawn), strict=True):
            gold, predicted = sets[drawn], output[drawn]
            if name in SETS:
                expected = SETS[name](gold, predicted)
            elif name == "Hamming-sets":
                expected = (gold != predicted).sum() / gold[:, :-1].size
            else:
                average, score, _ = name.split("-")
                function = getattr(sklearn, f"{score.lower()}_score")
                expected = function(gold[:, :-1], predicted[:, :-1], average=average, zero_division=0)
            assert found == pytest.approx(100 * expected, abs=1e-10)


def paired_numbers(seed: int, binary: bool) -> np.ndarray:
    """Numbers (3 outputs, units, 2), the last output with few distinct ones, far from 0 or as probabilities."""
    rng = np.random.default_rng(seed)
    gold = (rng.random(N) < 0.4) * 2.0 - 1 if binary else rng.normal(1e6, 1, N).round(1)
    noise = rng.random((3, N))
    predicted = np.clip(0.5 + gold / 4 + noise - 0.5, 0, 1) if binary else gold * [[1], [-2e-6], [1]] + noise
    predicted[2] = predicted[2].round(1 if binary else 0)
    return np.stack([np.broadcast_to(gold, predicted.shape), predicted], axis=-1)


def lin(gold: np.ndarray, predicted: np.ndarray) -> float:
    both = 2 * np.cov(gold, predicted, bias=True)[0, 1]
    return both / (gold.var() + predicted.var() + (gold.mean() - predicted.mean()) ** 2)


NUMBERS = {
    "Pearson": lambda g, p: scipy_stats.pearsonr(g, p)[0],
    "Spearman": lambda g, p: scipy_stats.spearmanr(g, p)[0],
    "Kendall": lambda g, p: scipy_stats.kendalltau(g, p)[0],
    "RMSE": sklearn.root_mean_squared_error,
    "MAE": sklearn.mean_absolute_error,
    "R2": sklearn.r2_score,
    "concordance": lin,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_equal_scipy_on_resamples(name):
    """Also of numbers a million from 0, which moments are safe from; what is not is the arithmetic of the oracles."""
    values, metric = paired_numbers(11, binary=False), METRICS[name]
    expanded = statistics(metric, values)
    for drawn in samples(12):
        expected = [NUMBERS[name](*output[drawn].T) for output in values]
        assert scores(metric, expanded, drawn) == pytest.approx(expected, abs=1e-8, rel=1e-9)
    centred = values - 1e6
    expanded = statistics(metric, centred)
    for drawn in samples(13):
        expected = [NUMBERS[name](*output[drawn].T) for output in centred[[0, 2]]]
        assert scores(metric, expanded, drawn)[[0, 2]] == pytest.approx(expected, abs=1e-10, rel=1e-10)


def calibration(gold: np.ndarray, probability: np.ndarray) -> float:
    """ECE by a loop over bins, each open on its left, but for the first."""
    error = 0.0
    for number in range(10):
        low = -1 if number == 0 else number / 10
        inside = (probability > low) & (probability <= (number + 1) / 10)
        error += abs((gold[inside] - probability[inside]).sum())
    return error / len(gold)


PROBABILITIES = {
    "AUC": lambda g, p: 100 * sklearn.roc_auc_score(g, p),
    "AP": lambda g, p: 100 * sklearn.average_precision_score(g, p),
    "Brier": sklearn.brier_score_loss,
    "log-loss": lambda g, p: sklearn.log_loss(g, p, labels=[0, 1]),
    "ECE": calibration,
    "F1@0.5": lambda g, p: 100 * sklearn.f1_score(g, p >= 0.5, zero_division=0),
    "F1@0.7": lambda g, p: 100 * sklearn.f1_score(g, p >= 0.7, zero_division=0),
}


@pytest.mark.parametrize("name", PROBABILITIES)
def test_probabilities_equal_scikit_learn_on_resamples(name):
    """Against a gold of -1 and 1, of which the larger is the positive one."""
    values = paired_numbers(14, binary=True)
    metric = METRICS.get(name) or numbers.own_metric(name, ("-1", "1"))
    expanded = statistics(metric, values)
    for drawn in samples(15)[:-1]:
        expected = [PROBABILITIES[name](output[drawn, 0] > 0, output[drawn, 1]) for output in values]
        assert scores(metric, expanded, drawn) == pytest.approx(expected, abs=1e-10)


def test_the_calibration_error_has_the_bins_of_scikit_learn():
    """Also of probabilities on borders of the ten bins; bins that scikit-learn leaves out are those without any."""
    rng = np.random.default_rng(16)
    for probability in (rng.random(N), rng.beta(8, 1, N), rng.integers(0, 21, N) / 20):
        gold = (rng.random(N) < probability) * 1.0
        positive, mean = calibration_curve(gold, probability, n_bins=10)
        # numpy's bins own their lower ends, those of scikit-learn their upper ones.
        sizes = np.histogram(-probability, -np.linspace(0, 1, 11)[::-1])[0][::-1]
        metric = METRICS["ECE"]
        totals = metric.expand(np.stack([gold, probability], axis=-1)[None]).sum(axis=1)
        error = np.average(abs(positive - mean), weights=sizes[sizes > 0])
        assert metric.score(totals)[0] == pytest.approx(error, abs=1e-12)


def test_numbers_that_are_no_probabilities_take_the_nearer_end():
    """1.5 is 1, right; -2 is 0, right; 3 is 1, wrong: Brier 1/3."""
    items = SimpleNamespace(answers=np.array([1.0, 0, 0]), classes=("0", "1"))
    output = Answers(np.array([1.5, -2, 3]))
    brier = METRICS["Brier"]
    assert brier.score(brier.expand(numbers.count_numbers(items, output)[None]).sum(axis=1)) == pytest.approx(1 / 3)
    (note,) = numbers.remarks(items, output)
    assert note == "3 numbers are not between 0 and 1; Brier, log-loss and ECE take the nearer of the two"
    assert numbers.remarks(SimpleNamespace(answers=items.answers, classes=()), output) == []


def test_constant_numbers_have_a_correlation_of_0():
    values = np.array([[[1.0, 0.1], [2.0, 0.1], [4.0, 0.1]]])
    for name in ("Pearson", "concordance"):
        assert METRICS[name].score(METRICS[name].expand(values).sum(axis=1)) == 0
    for name in ("Spearman", "Kendall"):
        assert METRICS[name].sample(values)(np.ones((1, 3))).item() == 0
    r2 = METRICS["R2"]
    same = np.array([[[2.0, 2.0], [2.0, 2.0]], [[2.0, 2.0], [2.0, 3.0]]])
    assert r2.score(r2.expand(same).sum(axis=1)).tolist() == [1, 0]


def test_answers_in_words_by_pencil():
    """Without case, punctuation and articles, against the best right answer; of none, an empty one is right."""
    right = (["The Denver Broncos", "Broncos"], ["in 1867", "1867"], [""], [""], ["a cat"], ["the"])
    given = ("denver  broncos!", "In March 1867", "", "x", None, "A.")
    gold = SimpleNamespace(answers=tuple(map(marked, right)), n_units=6)
    counts = strings.count_answers(gold, Answers(given))
    # "in march 1867" has 2 of 3 words in common with "in 1867": F1 is 4 / 5; with "1867" alone, 2 / 4.
    assert counts.tolist() == [[1, 1, 1], [0, 0.8, 1], [1, 1, 1], [0, 0, 1], [0, 0, 1], [1, 1, 1]]
    assert METRICS["EM"].score(counts[:, [0, 2]].sum(axis=0)) == pytest.approx(100 * 3 / 6)
    assert METRICS["F1-answers"].score(counts[:, 1:].sum(axis=0)) == pytest.approx(100 * 3.8 / 6)
    assert strings.answers_missing(gold).tolist() == [[0, 0, 1]] * 6
    # By characters, from "In March 1867" to "in 1867": i, and six to delete.
    assert strings.count_strings(gold, Answers(given))[1].tolist() == [0, 7, 1]


def test_edits_of_strings_by_pencil():
    """kitten to sitting: k/s, e/i, +g; a missing answer for "ab" takes two edits."""
    gold = SimpleNamespace(answers=("sitting", "ab", "c"), n_units=3)
    counts = strings.count_strings(gold, Answers(("kitten", None, "c")))
    assert counts.tolist() == [[0, 3, 1], [0, 2, 1], [1, 0, 1]]
    assert METRICS["edit-distance"].score(counts[:, 1:].sum(axis=0)) == pytest.approx(5 / 3)
    assert METRICS["exact-match-strings"].score(counts[:, [0, 2]].sum(axis=0)) == pytest.approx(100 / 3)
    assert strings.count_missing(gold).tolist() == [[0, 7, 1], [0, 2, 1], [0, 1, 1]]
