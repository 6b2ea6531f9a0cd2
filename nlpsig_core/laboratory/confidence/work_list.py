"""The least sure words of an output, to look through, and how many of the errors they have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.readers.tables.scores import ScoredUnits, Scores
from nlpsig_core.data.readers.tagged import Tagged
from nlpsig_core.laboratory.confidence.alignment import Parsed
from nlpsig_core.laboratory.confidence.outputs import Outputs

# The columns of the list; those of what is predicted depend on the format.
LIST_COLUMNS = ["sentence", "sent_id", "word", "head", "relation", "tag", "score", "confidence", "right"]


def least_sure(
    outputs: Outputs, output: int, read: Any, confidence: np.ndarray, against: str, share: float, units: np.ndarray
) -> pd.DataFrame:
    """A row for each of the least sure words of an output, the least sure first, ties in the order of the text.

    Columns among LIST_COLUMNS: the number of the sentence (or unit) of the gold, from 1, its sent_id ("" if unknown),
    the word with its head ("ROOT" for a root) and relation, or with its tag, or the score of the unit, the confidence,
    and whether the edge is right. ``read`` is the output as its reader represents it, ``confidence`` (words,);
    ``share`` of the edges in ``units`` (``resampled_units``) are listed, rounded up.
    """
    parsed = outputs.parsed[output]
    inside = np.flatnonzero(units[parsed.sentence] >= 0)
    order = inside[np.argsort(confidence[inside], kind="stable")][: math.ceil(share * len(inside))]
    names = np.array(_unit_names(outputs.test_set.gold), dtype=object)
    chosen = {name: [values[word] for word in order.tolist()] for name, values in _predicted(read, parsed).items()}
    return pd.DataFrame(
        {"sentence": parsed.sentence[order] + 1, "sent_id": names[parsed.sentence[order]]}
        | chosen
        | {"confidence": confidence[order], "right": ~parsed.wrong(against)[order]}
    )


def _unit_names(gold: Any) -> Sequence[str]:
    if isinstance(gold, ScoredUnits):
        return gold.units
    return tuple(getattr(gold, "unit_names", ("",) * gold.n_units))


def _predicted(read: Any, parsed: Parsed) -> dict[str, Sequence[Any]]:
    """What an output predicts for each word, or unit, by column."""
    if isinstance(read, Scores):
        return {"score": read.values.tolist()}
    if isinstance(read, Tagged):
        return {"word": read.tokens or [""] * len(read.tags), "tag": read.tags}
    forms, relations = (
        (read.fields["form"], read.fields["deprel"]) if isinstance(read, ParsedText) else (read.tokens, read.relation)
    )
    heads = [forms[head - 1] if head else "ROOT" for head in parsed.head.tolist()]
    return {"word": forms, "head": heads, "relation": relations}
