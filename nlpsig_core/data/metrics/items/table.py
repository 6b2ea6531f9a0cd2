"""The entries of METRICS for tasks with one answer an item: labels, sets of labels, numbers, strings."""

from __future__ import annotations

from functools import partial
from typing import Any

from nlpsig_core.data.metrics.base import (
    F1_COMPONENTS,
    Expand,
    Metric,
    Score,
    f1,
    mean,
    no_caution,
    of_unit,
    precision,
    recall,
    share,
)
from nlpsig_core.data.metrics.items import by_class, label_sets, labels, numbers, ranks, strings

# Scores by class, which no single unit has.
BY_CLASS: dict[str, Any] = {"by_unit": False, "caution": by_class.rare_class}
# Averages of scores of each class.
AVERAGES = (
    ("macro", by_class.macro, "averaged"),
    ("weighted", by_class.weighted, "weighted by how often the gold has it"),
)


def _labels(name: str, what: str, **more: Any) -> Metric:
    family = labels.FAMILY
    return Metric(name=name, what=what, family=family, columns=family.columns, **more)


def _of_labels(name: str, what: str, score: Score, **more: Any) -> Metric:
    """Return a score by class that no single unit has."""
    return _labels(name, what, **{"expand": labels.of_classes, "score": score, **BY_CLASS} | more)


def _micro(name: str, what: str, score: Score, **more: Any) -> Metric:
    return _labels(f"micro-{name}", what, expand=labels.right_among_classes, score=score, **more)


def _sets(label: str, what: str, expand: Expand, score: Score, **more: Any) -> Metric:
    family, name = label_sets.FAMILY, f"{label}-sets"
    return Metric(
        name=name, label=label, what=what, family=family, columns=family.columns, expand=expand, score=score, **more
    )


def _numbers(name: str, what: str, **more: Any) -> Metric:
    """Return a metric of numbers, by default a correlation or another number without a unit of measurement."""
    family = numbers.FAMILY
    return Metric(name=name, what=what, family=family, columns=family.columns, **{"scale": ""} | more)


def _correlation(name: str, what: str, **more: Any) -> Metric:
    return _numbers(name, what, by_unit=False, **more)


def _probability(name: str, what: str, expand: Expand, score: Score = mean, **more: Any) -> Metric:
    """Return an error of probabilities against a gold of two values."""
    better = {"higher_is_better": False, "fits": numbers.binary}
    return _numbers(name, what, expand=expand, score=score, **better, **more)


ITEM_ENTRIES: tuple[Metric, ...] = (
    *(
        _of_labels(
            f"{average}-{name}",
            f"{name} of each class of the gold, {what}",
            partial(of, score),
            components=by_class.averages(of) if name == "F1" else {},
        )
        for average, of, what in AVERAGES
        for name, score in by_class.OF_LABEL.items()
    ),
    _labels("accuracy-labels", "items with the right label", label="accuracy", expand=labels.right, score=share),
    _of_labels("balanced-accuracy", "recall, averaged over classes", by_class.balanced_accuracy),
    _of_labels(
        "macro-F1-union",
        "F1, averaged over the labels that the gold or the output has",
        partial(by_class.macro_of_union, f1),
        expand=labels.of_all_labels,
        components=by_class.averages(by_class.macro_of_union),
    ),
    _micro("F1", "harmonic mean of micro-precision and micro-recall", f1, components=F1_COMPONENTS),
    _micro("precision", "share of the predicted classes that is right", precision),
    _micro("recall", "share of the items that is right", recall),
    _of_labels("MCC", "Matthews' correlation of labels", by_class.mcc, expand=labels.of_all_labels, scale=""),
    _of_labels("kappa", "Cohen's kappa: agreement beyond chance", by_class.kappa, scale=""),
    *(
        _of_labels(
            f"{name}-kappa",
            f"kappa in which a disagreement counts by {how}",
            partial(labels.weighted_kappa, power=power),
            expand=partial(labels.disagreements, power=power),
            scale="",
            fits=labels.ordered,
            caution=no_caution,
        )
        for power, name, how in ((1, "linear", "its distance"), (2, "quadratic", "the square of its distance"))
    ),
    _sets(
        "micro-F1", "labels of all items together", label_sets.sizes, f1, components=F1_COMPONENTS, unit_score=of_unit
    ),
    *(
        _sets(
            f"{average}-{name}",
            f"{name} of each class of the gold, {what}",
            label_sets.of_classes,
            partial(of, score),
            components=by_class.averages(of) if name == "F1" else {},
            **BY_CLASS,
        )
        for average, of, what in AVERAGES
        for name, score in by_class.OF_LABEL.items()
    ),
    _sets("exact-match", "items with exactly the right labels", label_sets.equal, share),
    *(
        _sets(
            f"sample-{name}",
            f"{name} of each item's labels, averaged",
            label_sets.shares,
            score,
            components=label_sets.COMPONENTS if name == "F1" else {},
        )
        for name, score in label_sets.MEAN_SHARES.items()
    ),
    _sets("Jaccard", "labels in common among those of either, averaged", label_sets.overlaps, share),
    _sets("Hamming", "wrong and missing labels among all classes", label_sets.wrong, share, higher_is_better=False),
    *(
        _numbers(
            name,
            what,
            expand=numbers.marked,
            sample=sample,
            fits=numbers.binary,
            scale="%",
            caution=partial(numbers.few_of_a_value, significant=significant),
        )
        for name, what, sample, significant in (
            ("AUC", "area under the ROC curve", ranks.roc_auc, (66, 23, 10)),
            ("AP", "average precision over thresholds", ranks.average_precision, (18, 9)),
        )
    ),
    numbers.f1_at(0.5),
    _probability("Brier", "mean squared error of probabilities", numbers.squared_errors),
    _probability("log-loss", "mean negative logarithm of the probability of what is right", numbers.surprisals),
    _probability(
        "ECE",
        "expected calibration error of probabilities, 10 bins of equal width",
        numbers.by_bin,
        numbers.calibration_error,
        by_unit=False,
    ),
    _correlation(
        "Pearson", "linear correlation", expand=numbers.moments, score=numbers.pearson, caution=numbers.skewed
    ),
    _correlation("Spearman", "correlation of ranks", sample=ranks.spearman),
    _correlation("Kendall", "tau-b, agreement on the order of pairs of items", sample=ranks.kendall),
    _numbers(
        "RMSE",
        "root of the mean squared error",
        expand=partial(numbers.errors, power=2),
        score=numbers.root_mean,
        higher_is_better=False,
    ),
    _numbers("MAE", "mean absolute error", expand=partial(numbers.errors, power=1), score=mean, higher_is_better=False),
    _correlation("R2", "share of the gold's variance that is explained", expand=numbers.squares, score=numbers.r2),
    _correlation(
        "concordance",
        "Lin's concordance: Pearson, less where means or spreads differ",
        expand=numbers.moments_on_one_scale,
        score=numbers.concordance,
    ),
    Metric(
        name="exact-match-strings",
        label="exact-match",
        what="items with exactly the right string",
        family=strings.FAMILY,
        columns=("right", "items"),
        score=share,
    ),
    Metric(
        name="edit-distance",
        what="mean number of characters to insert, delete or replace",
        family=strings.FAMILY,
        columns=("edits", "items"),
        score=mean,
        higher_is_better=False,
        scale="edits",
    ),
    Metric(
        name="EM",
        what="answers with the words of a right one, without case, punctuation and articles",
        family=strings.ANSWERS,
        columns=("same_words", "items"),
        score=share,
    ),
    Metric(
        name="F1-answers",
        label="F1",
        what="F1 of the words of each answer and the nearest right one, averaged, as SQuAD counts",
        family=strings.ANSWERS,
        columns=("f1", "items"),
        score=share,
    ),
)
