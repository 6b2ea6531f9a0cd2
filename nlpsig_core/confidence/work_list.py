"""The least sure words of an output, to look through, and how many of the errors they have."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.confidence.outputs import Outputs
from nlpsig_core.readers.conllx import Parses
from nlpsig_core.readers.parsed_text import ParsedText

LIST_COLUMNS = ["sentence", "sent_id", "word", "head", "relation", "confidence", "right"]


def least_sure(
    outputs: Outputs, output: int, read: Any, confidence: np.ndarray, against: str, share: float, units: np.ndarray
) -> pd.DataFrame:
    """A row for each of the least sure words of an output, the least sure first, ties in the order of the text.

    Columns LIST_COLUMNS: the number of the sentence of the gold, from 1, its sent_id ("" if unknown), the word, its
    head ("ROOT" for a root), the relation, the confidence, and whether the edge is right. ``read`` is the output as
    its reader represents it, ``confidence`` (words,); ``share`` of the edges in ``units`` (``resampled_units``) are
    listed, rounded up.
    """
    parsed = outputs.parsed[output]
    inside = np.flatnonzero(units[parsed.sentence] >= 0)
    order = inside[np.argsort(confidence[inside], kind="stable")][: math.ceil(share * len(inside))]
    forms, relations = _words_of(read)
    names = getattr(outputs.test_set.gold, "unit_names", ("",) * outputs.test_set.n_units)
    wrong = parsed.wrong(against)
    rows = [
        (
            int(parsed.sentence[word]) + 1,
            names[parsed.sentence[word]],
            forms[word],
            forms[parsed.head[word] - 1] if parsed.head[word] else "ROOT",
            relations[word],
            float(confidence[word]),
            not wrong[word],
        )
        for word in order.tolist()
    ]
    return pd.DataFrame(rows, columns=LIST_COLUMNS)


def _words_of(read: ParsedText | Parses) -> tuple[list[str], list[str]]:
    """The forms and relations of all words of an output."""
    if isinstance(read, ParsedText):
        return read.fields["form"], read.fields["deprel"]
    return read.tokens, read.relation
