"""Strings: one an item, such as an inflected form or the answer to a question; the best of several that are right."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import rapidfuzz
from rapidfuzz.distance import Levenshtein

from nlpsig_core.data.metrics.base import Family, own_notes
from nlpsig_core.data.readers.items.items import Answers, Items
from nlpsig_core.data.readers.items.json_rows import alternatives

COLUMNS = ("right", "edits", "items")
# What the words of answers are compared without.
PUNCTUATION, ARTICLES = str.maketrans("", "", string.punctuation), re.compile(r"\b(a|an|the)\b")


def _pairs(gold: Items, output: Answers) -> Iterator[tuple[list[str], str | None]]:
    """Yield the strings that are right for each unit, and the one that is given."""
    return zip(map(alternatives, gold.answers), output.values, strict=True)


def count_strings(gold: Items, output: Answers) -> np.ndarray:
    """Return for each unit 1 if both strings are equal, the edits between them, and 1, (units, 3).

    An edit inserts, deletes or replaces a character (Levenshtein 1966); a missing answer is an empty one, and wrong.
    """
    rows = [
        (given in right, min(Levenshtein.distance(one, given or "") for one in right), 1)
        for right, given in _pairs(gold, output)
    ]
    return np.array(rows, dtype=np.int32).reshape(-1, len(COLUMNS))


def count_missing(gold: Items) -> np.ndarray:
    """Return the statistics of an output without answers."""
    return count_strings(gold, _none(gold))


def _none(gold: Items) -> Answers:
    return Answers((None,) * gold.n_units)


FAMILY = Family(
    name="strings",
    version=f"2, rapidfuzz {rapidfuzz.__version__}",
    reader="Strings",
    columns=COLUMNS,
    match=Items.answers_of,
    count=count_strings,
    count_missing=count_missing,
    remarks=own_notes,
)


def words_of(text: str) -> list[str]:
    """Return the words of an answer, without case, punctuation and English articles."""
    return ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split()


def f1_of_words(right: Iterable[str], given: Iterable[str]) -> float:
    """Return F1 of the words of two answers, from 0 to 1; of empty ones 1 if both are empty."""
    wanted, found = Counter(right), Counter(given)
    if not wanted or not found:
        return float(wanted == found)
    return 2 * (wanted & found).total() / (wanted.total() + found.total())


def count_answers(gold: Items, output: Answers) -> np.ndarray:
    """Return for each unit 1 if both answers have the same words, the F1 of their words, and 1, (units, 3).

    Both are those of the best right answer, as the script of SQuAD 2.0 counts (Rajpurkar et al. 2018); a missing answer
    is wrong.
    """
    rows = np.zeros((gold.n_units, 3))
    rows[:, 2] = 1
    for row, (right, given) in zip(rows, _pairs(gold, output), strict=True):
        if given is not None:
            wanted, found = list(map(words_of, right)), words_of(given)
            # Right answers without a word count only where no other is right.
            wanted = list(filter(None, wanted)) or [[]]
            row[:2] = found in wanted, max(f1_of_words(one, found) for one in wanted)
    return rows


def answers_missing(gold: Items) -> np.ndarray:
    """Return the statistics of an output without answers."""
    return count_answers(gold, _none(gold))


ANSWERS = Family(
    name="answers in words",
    version=1,
    reader="Strings",
    columns=("same_words", "f1", "items"),
    match=Items.answers_of,
    count=count_answers,
    count_missing=answers_missing,
    remarks=own_notes,
    whole=False,
)
