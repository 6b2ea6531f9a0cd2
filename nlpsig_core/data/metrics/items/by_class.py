"""Scores by class: of totals (..., 3 * labels) that count, for each label, correct, predicted and gold units.

Labels are the classes of the gold or some of them, for a few scores also those that the gold lacks. F1, precision and
recall of a label that is neither in the gold nor predicted are 0. Shares are in percent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from nlpsig_core.base.errors import TaskError
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Family, Metric, Score, f1, precision, recall
from nlpsig_core.data.task.limits import too_many_statistics

# What "all but a" begins with, and what joins the classes of a subset: F1[a+b].
ALL_BUT, AND = "all but ", "+"
# With fewer items of a class, intervals of its scores are too narrow.
FEW = 10
# Menus offer each class of a gold with at most this many.
MOST_OFFERED = 30


def table(correct: np.ndarray, predicted: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """Return the statistics of units, (outputs, units, 3 * labels), of three masks (outputs, units, labels)."""
    return np.concatenate([correct, predicted, gold], axis=-1).view(np.uint8)


def check_room(values: np.ndarray, labels: int) -> None:
    """Raise TaskError if the statistics by label of ``values`` (outputs, units, k) have no room in memory."""
    outputs, units, _ = values.shape
    if reason := too_many_statistics(outputs, units, 3 * labels):
        raise TaskError(f"counts of {labels:,} labels: {reason}")


def _by_label(totals: np.ndarray) -> np.ndarray:
    """Return totals by label, (..., labels, 3)."""
    return np.moveaxis(totals.reshape(*totals.shape[:-1], 3, totals.shape[-1] // 3), -2, -1)


def macro(of_label: Score, totals: np.ndarray) -> np.ndarray:
    """Return the mean over labels of a score of correct, predicted and gold."""
    scores: np.ndarray = of_label(_by_label(totals)).mean(axis=-1)
    return scores


def weighted(of_label: Score, totals: np.ndarray) -> np.ndarray:
    """Return the mean over labels, weighted by how often the gold has them."""
    by_label = _by_label(totals)
    gold = by_label[..., 2]
    scores: np.ndarray = (gold * of_label(by_label)).sum(axis=-1) / np.maximum(gold.sum(axis=-1), 1)
    return scores


def macro_of_union(of_label: Score, totals: np.ndarray) -> np.ndarray:
    """Return the mean over the labels that the gold or the output of this sample has, as scikit-learn's default is."""
    by_label = _by_label(totals)
    present = (by_label[..., 1:] > 0).any(axis=-1)
    scores: np.ndarray = of_label(by_label).sum(axis=-1) / np.maximum(present.sum(axis=-1), 1)
    return scores


def balanced_accuracy(totals: np.ndarray) -> np.ndarray:
    """Return the mean recall of the classes that the gold of this sample has."""
    by_label = _by_label(totals)
    present = (by_label[..., 2] > 0).sum(axis=-1)
    scores: np.ndarray = recall(by_label).sum(axis=-1) / np.maximum(present, 1)
    return scores


def mcc(totals: np.ndarray) -> np.ndarray:
    """Return the correlation of gold and predicted labels (Gorodkin 2004), -1 to 1; 0 if either is constant.

    Every label counts as a class, also a missing answer.
    """
    correct, predicted, gold = np.moveaxis(_by_label(totals).astype(np.float64), -1, 0)
    n, both = gold.sum(axis=-1), (predicted * gold).sum(axis=-1)
    spread = (n * n - (predicted**2).sum(axis=-1)) * (n * n - (gold**2).sum(axis=-1))
    return ratio(n * correct.sum(axis=-1) - both, np.sqrt(np.maximum(spread, 0)))


def kappa(totals: np.ndarray) -> np.ndarray:
    """Return Cohen's kappa (1960), at most 1; 0 if both are constant. Other labels agree with no gold."""
    correct, predicted, gold = np.moveaxis(_by_label(totals).astype(np.float64), -1, 0)
    n, both = gold.sum(axis=-1), (predicted * gold).sum(axis=-1)
    return ratio(n * correct.sum(axis=-1) - both, n * n - both)


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return ``part`` / ``whole``; 0 where ``whole`` is 0 or less."""
    result: np.ndarray = np.divide(part, whole, out=np.zeros(np.shape(whole)), where=whole > 0)
    return result


def rare_class(statistics: np.ndarray, systems: Sequence[str]) -> str:
    """Return a warning if the gold has fewer than FEW items of a class ("make validate": macro-F1, a rare class)."""
    n_labels = statistics.shape[-1] // 3
    gold = statistics[:1, :, 2 * n_labels :].sum(axis=(0, 1), dtype=np.int64)
    rarest = int(gold[gold > 0].min(initial=FEW))
    few = f"a class has {count(rarest, 'item')}: with fewer than {FEW}, 95% intervals of scores held in 85 to 94%"
    return few if rarest < FEW else ""


OF_LABEL = {"F1": f1, "precision": precision, "recall": recall}


def averages(average: Callable[[Score, np.ndarray], np.ndarray]) -> Mapping[str, Score]:
    """Return the components of an F1 averaged over labels: precision and recall, averaged alike."""
    return {name: partial(average, score) for name, score in OF_LABEL.items() if name != "F1"}


def chosen(text: str, classes: Sequence[str]) -> tuple[int, ...]:
    """Return the classes that a text names, by index: "a", "a+b" or "all but a"; none if it names another class."""
    known = {name: index for index, name in enumerate(classes)}
    if text in known:
        return (known[text],)
    but = text.removeprefix(ALL_BUT)
    if but != text and but in known and len(known) > 1:
        return tuple(index for name, index in known.items() if name != but)
    parts = text.split(AND)
    return tuple(sorted({known[part] for part in parts})) if all(part in known for part in parts) else ()


def choices(classes: Sequence[str]) -> list[str]:
    """Return the choices of classes that a menu offers: each one, and all but each one of three or more."""
    if len(classes) > MOST_OFFERED:
        return []
    return [*classes, *(ALL_BUT + name for name in classes if len(classes) > 2)]


def offered(classes: Sequence[str]) -> list[str]:
    """Return the names of the metrics of these classes that menus offer: F1 of each choice."""
    return [f"F1[{choice}]" for choice in choices(classes)]


def parsed(name: str) -> tuple[str, str]:
    """Return the score and the classes in the name of a metric of some classes, such as F1[a+b]; else two ""."""
    score, bracket, text = name.partition("[")
    return (score, text[:-1]) if bracket and text.endswith("]") and score in OF_LABEL else ("", "")


def own_metric(name: str, classes: Sequence[str], family: Family, expand: Callable[..., np.ndarray]) -> Metric | None:
    """Return the metric of a name that averages F1, precision or recall over classes, such as F1[a+b]; None if none.

    ``expand(values, classes=indices)`` makes the statistics of some classes (``table``).
    """
    score, text = parsed(name)
    if not (indices := chosen(text, classes)):
        return None
    return Metric(
        name=name,
        what=f"{score} of {text}",
        family=family,
        columns=family.columns,
        expand=partial(expand, classes=indices),
        score=partial(macro, OF_LABEL[score]),
        components=averages(macro) if score == "F1" else {},
        by_unit=False,
        caution=rare_class,
    )
