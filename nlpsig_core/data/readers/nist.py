"""NIST's files of speech: segments (STM), which are read, and words with their times (CTM), which are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.beside import SPEAKER
from nlpsig_core.data.readers.items.rows import Rows
from nlpsig_core.data.readers.lines import count_of

# A recording, channel, speaker, start and end in seconds, perhaps labels, and words.
SEGMENT = re.compile(r"(\S+)\s+(\S+)\s+(\S+)\s+(\d+\.?\d*)\s+(\d+\.?\d*)(?:\s+<[^>]*>)?(?:\s+(.*))?")
# A recording, channel, start, duration and word, perhaps with a confidence and a type.
WORD = re.compile(r"\S+\s+\S+\s+\d+\.?\d*\s+\d*\.?\d+(?:\s+\S+){1,3}\s*")
NOT_SCORED = "ignore_time_segment_in_scoring"

Line = tuple[int, str]


def are_segments(lines: Sequence[str]) -> bool:
    """Return whether all lines are segments of an STM, which do not end before they start."""
    found = (SEGMENT.fullmatch(line.strip()) for line in lines)
    return bool(lines) and all(match and float(match[4]) <= float(match[5]) for match in found)


def check_no_words(lines: Sequence[Line], name: str) -> None:
    """Raise FileError if each line is a word with its time, which belongs to no utterance."""
    if len(lines) > 1 and all(WORD.fullmatch(line) for _, line in lines):
        reason = "a CTM: one word with its time per line; join the words of each segment of the gold into one line"
        raise FileError(name, lines[0][0], f"{reason}, with its id: words (id), or as STM with the gold's times")


def segments(lines: Sequence[Line], name: str) -> Rows:
    """Return segments as rows; their ids are recording, channel, start and end, their documents are speakers.

    Those that are not to be scored are left out, with a note. FileError for a line that is no segment.
    """
    rows, left_out = list[tuple[int, str, str, str]](), list[int]()
    for number, line in lines:
        match = SEGMENT.fullmatch(line.strip())
        if match is None:
            raise FileError(name, number, "not a segment of an STM: recording, channel, speaker, start, end and words")
        recording, channel, speaker, start, end, words = match.groups("")
        if words.strip().lower() == NOT_SCORED:
            left_out.append(number)
        else:
            times = (str(round(float(time), 3)) for time in (start, end))
            rows.append((number, "-".join((recording, channel, *times)), words, speaker))
    if not rows:
        raise FileError(name, None, "no segment is to be scored")
    numbers, *columns = map(list, zip(*rows, strict=True))
    notes = [f"{count_of(left_out, 'segment')} not to be scored, left out"] if left_out else []
    return Rows(
        name=name,
        columns=tuple(columns),
        lines=np.array(numbers),
        header=("id", "answer", "document"),
        notes=tuple(notes),
        cluster=SPEAKER,
    )
