"""Bounds on what is read of a task; they follow from one setting, the memory that reading may take."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from nlpsig_core.base.errors import ChoiceError, NlpsigError
from nlpsig_core.base.runtime import available_memory
from nlpsig_core.data.readers import BUNDLE_ENDINGS, LOG_ENDINGS

SETTING = "NLPSIG_MAX_MEMORY"
MEGABYTE = 1_000_000
# Peak memory while a file is read, in bytes per byte of its text. Measured: 7 to 47 on the samples, from lines of text
# to alignments, 30 to 85 with words of one letter.
FACTOR = 100
# The same for logs of evaluations, of which little is kept. Measured with short texts: 3 and 4 for logs that are read
# sample by sample, 20 for one that is read as a whole.
OF_A_LOG = 25
# The same for a zip inside a task: it is kept with what it holds, and zips are nested at most three deep.
OF_A_ZIP = 4
# Peak memory until a file is scored, in bytes per line, if lines are short. Measured: 1,800 for trees of one word,
# 1,100 for translations of one letter, 300 to 500 for tags and alignments.
OF_A_LINE = 2_000
# Peak memory until all pairs are tested, in bytes per byte of counts and of a metric's statistics. Measured: 1.2 to
# 1.7 for dependencies, trees and alignments, 3.8 for scores, 3.2 with the pairs of 1 GB of alignments.
OF_A_COUNT = 4
# The same per mark that an output has a class, over OF_A_COUNT. Measured together: 6.6 for 20 systems on 300,000 items
# of 3 classes or 20,000 of 50. Totals of resamples come on top: 3 GB for 30 systems and 1,000 classes.
OF_A_MARK = 2
# What a gold takes once it is read and outputs are scored by it, in bytes per byte of its text and per unit. Measured
# together: 1 to 27 per byte on the samples, 1,000 per tree of one word, 330 and less per such unit of other formats.
OF_A_GOLD, OF_ITS_UNIT = 20, 1_000
# Files and folders, hidden ones included.
MAX_FILES = 20_000


def memory() -> int:
    """Return the bytes that reading may take: half of the memory, or the setting; ChoiceError if it is no number."""
    value = os.environ.get(SETTING)
    if not value:
        return available_memory() // 2
    if not (value.isascii() and value.isdecimal() and 0 < len(value) < 10 and int(value)):
        raise ChoiceError(f"{SETTING} is {value[:40]!r}; give it a number of megabytes, such as 2000")
    return int(value) * MEGABYTE


def largest_file(path: str = "", whole: bool = False) -> int:
    """Return the bytes that a file of this name may have; a log that is read ``whole`` has the bound of other files."""
    return memory() // _factor(path, whole)


def _factor(path: str, whole: bool) -> int:
    name = path.lower()
    if whole:
        return FACTOR
    if name.endswith(".zip"):
        return OF_A_ZIP
    return OF_A_LOG if name.endswith(LOG_ENDINGS) and not name.endswith(BUNDLE_ENDINGS) else FACTOR


def too_large(size: int, path: str = "", whole: bool = False) -> str:
    """Return why a file of this many bytes is not read; "" if it is small enough."""
    most = largest_file(path, whole)
    if size <= most:
        return ""
    return (
        f"has {size:,} bytes, more than the {most:,} that a file may have: reading takes {_factor(path, whole)} "
        f"times as much memory; {_raised()}"
    )


def too_many_lines(lines: int) -> str:
    """Return why a file of this many lines is not read; "" if they are few enough."""
    most = memory() // OF_A_LINE
    return "" if lines <= most else f"has {lines:,} lines, more than the {most:,} that a file may have; {_raised()}"


def size_of_gold(size: int, units: int) -> int:
    """Estimate the bytes that a gold with this many characters and units takes in memory."""
    return OF_A_GOLD * size + OF_ITS_UNIT * units


def too_many_counts(systems: int, units: int, columns: int) -> str:
    """Return why the counts of this many outputs are not made; "" if they have room."""
    return _too_many(systems, units, columns, systems * units * columns * np.dtype(float).itemsize)


def too_many_statistics(systems: int, units: int, columns: int) -> str:
    """Return why the statistics by class are not made of counts; "" if they have room."""
    return _too_many(systems, units, columns, systems * units * columns * OF_A_MARK)


def too_many_together(counts: Sequence[np.ndarray]) -> str:
    """Return why counts of several test sets, (systems, units, columns) each, are not kept; "" if they have room."""
    systems, _, columns = map(max, zip(*(array.shape for array in counts), strict=True))
    units, size = (sum(sizes) for sizes in zip(*((array.shape[1], array.nbytes) for array in counts), strict=True))
    reason = _too_many(systems, units, columns, size)
    return reason and f"{len(counts)} test sets: {reason}"


def _too_many(systems: int, units: int, columns: int, size: int) -> str:
    if OF_A_COUNT * size <= memory():
        return ""
    needed = f"{OF_A_COUNT * size // MEGABYTE:,} MB for {columns} counts of each"
    return f"{units:,} units and {systems:,} systems need {needed}; {_raised()}"


def too_many_pairs(systems: int, pairs: int, size: int) -> str:
    """Return why this many pairs, of this size in bytes, are not resampled; "" if they have room."""
    if size <= memory():
        return ""
    return f"{systems:,} systems have {pairs:,} pairs, whose gains need {size // MEGABYTE:,} MB; {_raised()}"


def why(error: NlpsigError | MemoryError) -> str:
    """Return the message of an error; if memory ran out, what to do."""
    if not isinstance(error, MemoryError):
        return str(error)
    return (
        f"There is not enough memory for this; give it more, or leave out systems or units. A lower {SETTING} (in MB, "
        f"now {memory() // MEGABYTE:,}) refuses beforehand what has no room"
    )


def _raised() -> str:
    return f"{SETTING} (in MB, now {memory() // MEGABYTE:,}) raises the limit"
