"""Tags that mark no chunks, such as parts of speech: tokens by tag, whose scores are those of labels by class."""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.metrics.base import Family, Metric, only
from nlpsig_core.data.metrics.items import by_class
from nlpsig_core.data.metrics.structures.conllx import check_same_tokens
from nlpsig_core.data.metrics.structures.tagging import in_sentences_of, remarks
from nlpsig_core.data.readers.tagged import Tagged

COLUMNS = ("correct", "predicted", "gold")


def count(gold: Tagged, output: Tagged) -> np.ndarray:
    """Return how many tokens of each tag are right, predicted and in the gold, (sentences, 3 * (K + 1)).

    Each third ends with the tokens whose tags the gold's K classes lack. Raises FileError if the sentences or tokens
    differ from the gold's.
    """
    check_same_tokens(gold, output)
    code = {tag: place for place, tag in enumerate(gold.classes)}
    wanted, predicted = (np.array([code.get(tag, len(code)) for tag in tags]) for tags in (gold.tags, output.tags))
    everywhere, shape = np.ones(len(wanted), dtype=bool), (gold.n_units, len(code) + 1)
    counts = []
    for codes, tokens in ((wanted, wanted == predicted), (predicted, everywhere), (wanted, everywhere)):
        cells = gold.token_sentence[tokens] * shape[1] + codes[tokens]
        counts.append(np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape))
    return np.concatenate(counts, axis=1).astype(np.int32)


def count_missing(gold: Tagged) -> np.ndarray:
    """Return the statistics of a missing output: a tag that the gold lacks in place of each."""
    counts = only(count(gold, gold), np.repeat([False, False, True], len(gold.classes) + 1).tolist())
    counts[:, 2 * len(gold.classes) + 1] = gold.lengths
    return counts


FAMILY = Family(
    name="tags",
    version=2,
    reader="Tagged tokens",
    columns=COLUMNS,
    by_class=True,
    match=in_sentences_of,
    count=count,
    count_missing=count_missing,
    remarks=remarks,
)


def are_there(classes: tuple[str, ...]) -> bool:
    """Return whether tags are classes, since they mark no chunks."""
    return bool(classes)


def are_none(classes: tuple[str, ...]) -> bool:
    """Return whether tags mark chunks."""
    return not classes


def of_classes(values: np.ndarray, classes: tuple[int, ...] = ()) -> np.ndarray:
    """Return the statistics of some classes (all by default) of values (outputs, units, 3 * (K + 1))."""
    labels = values.shape[-1] // 3
    chosen = list(classes or range(labels - 1))
    by_class.check_room(values, len(chosen))
    return values[..., [part * labels + label for part in range(3) for label in chosen]]


def own_metric(name: str, classes: tuple[str, ...]) -> Metric | None:
    """Return the metric of these classes with this name, such as F1[BAD] or recall[NOUN+PROPN]; None if none."""
    return by_class.own_metric(name, classes, FAMILY, of_classes)
