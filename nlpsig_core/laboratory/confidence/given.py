"""Given: the confidences that a system wrote itself: in MISC of CoNLL-U, after tags, in a column of a score table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.readers.tables.scores import Scores, is_missing
from nlpsig_core.data.readers.tagged import Tagged
from nlpsig_core.laboratory.confidence.base import Prediction

KEYS = ("Conf", "Prob")
# By format, why an output has no confidences.
NONE = {
    "CoNLL-U": f"no word has {' or '.join(f'{key}=' for key in KEYS)} in its column MISC",
    "CoNLL-X": "CoNLL-X has no column for confidences",
    "Tagged tokens": "no column with numbers follows the tags",
    "Score table": "the table has no column confidence",
}


def applies(prediction: Prediction) -> str:
    """A reason if the output has no confidences."""
    reader = prediction.outputs.test_set.reader.name
    file = prediction.outputs.test_set.outputs[prediction.outputs.files[prediction.output]]
    # Most files have no confidence at all, and reading a file takes much longer than searching it.
    if reader == "CoNLL-X" or (reader == "CoNLL-U" and not any(f"{key}=".encode() in file.load() for key in KEYS)):
        return NONE[reader]
    texts, _ = _cells(prediction.outputs.read(prediction.output))
    return "" if any(text is not None for text in texts) else NONE[reader]


def confidences(prediction: Prediction) -> np.ndarray:
    """The confidence of every edge, (words,); see ``confidences_in``."""
    return confidences_in(prediction.outputs.read(prediction.output))


def confidences_in(output: ParsedText | Tagged | Scores) -> np.ndarray:
    """The confidence of every word, token or unit of a file, (words,), from 0 to 1.

    Raises FileError with the line of the first one whose confidence is missing or not a number from 0 to 1.
    """
    texts, lines = _cells(output)
    numbers = np.array([math.nan if text is None else _number(text) for text in texts])
    for word in np.flatnonzero(~((numbers >= 0) & (numbers <= 1)))[:1]:
        text = texts[word]
        missing = "no confidence, but others have one; give all of them one, or none"
        reason = missing if text is None else f"the confidence {text!r} is not a number from 0 to 1"
        raise FileError(output.name, int(lines[word]), reason)
    return numbers


def _cells(output: ParsedText | Tagged | Scores) -> tuple[list[str | None], Sequence[int] | np.ndarray]:
    """The confidences as text, None where there is none, and their lines."""
    if isinstance(output, ParsedText):
        return [_in_misc(misc) for misc in output.fields["misc"]], output.word_line
    cells = output.confidences or ("",) * len(output.lines)
    return [None if is_missing(cell) else cell for cell in cells], output.lines


def _in_misc(misc: str) -> str | None:
    """The confidence in a word's MISC as text; None if it has none."""
    for item in misc.split("|"):
        key, equals, value = item.partition("=")
        if equals and key in KEYS:
            return value
    return None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
