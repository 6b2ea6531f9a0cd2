"""Strings: one an item, such as an inflected form or a segmented word."""

from __future__ import annotations

import numpy as np
import rapidfuzz
from rapidfuzz.distance import Levenshtein

from nlpsig_core.data.metrics.base import Family, own_notes
from nlpsig_core.data.readers.items.items import Answers, Items

COLUMNS = ("right", "edits", "items")


def count_strings(gold: Items, output: Answers) -> np.ndarray:
    """Return for each unit 1 if both strings are equal, the edits between them, and 1, (units, 3).

    An edit inserts, deletes or replaces a character (Levenshtein 1966); a missing answer is an empty one, and wrong.
    """
    pairs = zip(gold.answers, output.values, strict=True)
    rows = [(answer == right, Levenshtein.distance(right, answer or ""), 1) for right, answer in pairs]
    return np.array(rows, dtype=np.int32).reshape(-1, len(COLUMNS))


def count_missing(gold: Items) -> np.ndarray:
    """Return the statistics of an output without answers."""
    return count_strings(gold, Answers((None,) * gold.n_units))


FAMILY = Family(
    name="strings",
    version=f"1, rapidfuzz {rapidfuzz.__version__}",
    reader="Strings",
    columns=COLUMNS,
    match=Items.answers_of,
    count=count_strings,
    count_missing=count_missing,
    remarks=own_notes,
)
