"""Given: the confidences that a parser wrote itself, Conf= or Prob= in the column MISC."""

from __future__ import annotations

import math

import numpy as np

from nlpsig_core.confidence.base import Prediction
from nlpsig_core.errors import FileError
from nlpsig_core.readers.parsed_text import ParsedText

KEYS = ("Conf", "Prob")
OTHER_FORMAT = "confidences are read from the column MISC of CoNLL-U"
NONE = f"no word has {' or '.join(f'{key}=' for key in KEYS)} in its column MISC"


def applies(prediction: Prediction) -> str:
    """A reason if the output has no confidences."""
    if prediction.outputs.test_set.reader.name != "CoNLL-U":
        return OTHER_FORMAT
    file = prediction.outputs.test_set.outputs[prediction.outputs.files[prediction.output]]
    # Most files have no confidence at all, and reading a file takes much longer than searching it.
    if not any(f"{key}=".encode() in file.load() for key in KEYS):
        return NONE
    output = prediction.outputs.read(prediction.output)
    return "" if any(_text(misc) is not None for misc in set(output.fields["misc"])) else NONE


def confidences(prediction: Prediction) -> np.ndarray:
    """The confidence of every word, (words,); see ``confidences_in``."""
    return confidences_in(prediction.outputs.read(prediction.output))


def confidences_in(output: ParsedText) -> np.ndarray:
    """The confidence of every word of a file, (words,), from 0 to 1.

    Raises FileError with the line of the first word whose confidence is missing or not a number from 0 to 1.
    """
    numbers = np.empty(output.n_words)
    for word, misc in enumerate(output.fields["misc"]):
        text = _text(misc)
        line = int(output.word_line[word])
        if text is None:
            raise FileError(output.name, line, "no Conf= or Prob= in the column MISC, which other words have")
        numbers[word] = _number(text)
        if not 0 <= numbers[word] <= 1:
            raise FileError(output.name, line, f"the confidence {text!r} is not a number from 0 to 1")
    return numbers


def _text(misc: str) -> str | None:
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
