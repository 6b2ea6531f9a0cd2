"""Confidences of a system's output: given by the system itself, from a committee of the others, or random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpsig_core.base.digests import digest
from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import finite_number
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.readers.tables.scores import Scores, is_missing
from nlpsig_core.data.readers.tagged import Tagged
from nlpsig_core.laboratory.confidence.method import Prediction
from nlpsig_core.laboratory.confidence.parser_methods import ParserPrediction
from nlpsig_core.significance.resampling.streams import Purpose, generator

KEYS = ("Conf", "Prob")
# By format, why an output has no confidences of its own.
NONE_GIVEN = {
    "CoNLL-U": f"no word has {' or '.join(f'{key}=' for key in KEYS)} in its column MISC",
    "CoNLL-X": "CoNLL-X has no column for confidences",
    "Tagged tokens": "no column with numbers follows the tags",
    "Labels": "confidences beside labels are not read",
    "Score table": "the table has no column confidence",
}


def random(prediction: Prediction | ParserPrediction) -> np.ndarray:
    """Draw a number from 0 to 1 for each word, (words,), all equally likely: what any method has to beat.

    The stream depends on the output's heads, so that other outputs make no difference.
    """
    head = np.ascontiguousarray(prediction.head, dtype=np.int64)
    content = int(digest(head.tobytes())[:8], 16)
    return generator(prediction.seed, Purpose.RANDOM_CONFIDENCE, content).random(len(head))


def committee_lacks(prediction: Prediction) -> str:
    """Return why there is no committee: there is no other system, or nothing to agree on; else ""."""
    if not prediction.outputs.format.votes:
        return "scores do not show what systems predict"
    systems = set(prediction.outputs.systems)
    return "" if len(systems) > 1 else "a committee needs another system with a valid output"


def committee(prediction: Prediction) -> np.ndarray:
    """Return the share of the other systems with the same edge, (words,); see ``Outputs.agreement``."""
    return prediction.outputs.agreement(prediction.against)[prediction.output]


def given_lacks(prediction: Prediction) -> str:
    """Return why an output has no confidences of its own; else ""."""
    reader = prediction.outputs.test_set.reader.name
    file = prediction.outputs.test_set.outputs[prediction.outputs.files[prediction.output]]
    # Most files have no confidence at all, and reading a file takes much longer than searching it.
    if reader in ("CoNLL-X", "Labels") or (
        reader == "CoNLL-U" and not any(f"{key}=".encode() in file.load() for key in KEYS)
    ):
        return NONE_GIVEN[reader]
    texts, _ = _cells(prediction.outputs.read(prediction.output))
    return "" if any(text is not None for text in texts) else NONE_GIVEN[reader]


def given(prediction: Prediction) -> np.ndarray:
    """Return the confidence that the output itself gives every edge, (words,); see ``confidences_in``."""
    return confidences_in(prediction.outputs.read(prediction.output))


def confidences_in(output: ParsedText | Tagged | Scores) -> np.ndarray:
    """Return the confidence of every word, token or unit of a file, (words,), from 0 to 1.

    FileError with the line of the first one whose confidence is missing or not a number from 0 to 1.
    """
    texts, lines = _cells(output)
    numbers = np.array([finite_number(text or "") for text in texts], dtype=np.float64)
    for word in np.flatnonzero(~((numbers >= 0) & (numbers <= 1)))[:1]:
        text = texts[word]
        missing = "no confidence, but others have one; give all of them one, or none"
        reason = missing if text is None else f"the confidence {text!r} is not a number from 0 to 1"
        raise FileError(output.name, int(lines[word]), reason)
    return numbers


def _cells(output: ParsedText | Tagged | Scores) -> tuple[list[str | None], Sequence[int] | np.ndarray]:
    """Return the confidences as text, None where there is none, and their lines."""
    if isinstance(output, ParsedText):
        return [_in_misc(misc) for misc in output.fields["misc"]], output.word_line
    cells = output.confidences or ("",) * len(output.lines)
    return [None if is_missing(cell) else cell for cell in cells], output.lines


def _in_misc(misc: str) -> str | None:
    """Return the confidence in a word's MISC as text; None if it has none."""
    for item in misc.split("|"):
        key, equals, value = item.partition("=")
        if equals and key in KEYS:
            return value
    return None
