"""People's scores beside outputs: matched with the outputs and the units of a test set by names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import LISTED, first_few
from nlpsig_core.data.readers.people.matching import without_numbers
from nlpsig_core.data.readers.people.segment_scores import SegmentScores

NO_OUTPUT = "without an output"


def of_outputs(scores: SegmentScores, outputs: tuple[str, ...], units: Sequence[tuple[str, ...]]) -> SegmentScores:
    """Return people's scores of each output and unit, (units, outputs), NaN where there is none.

    ``units`` are ways to name the units, of which the one that shares most names with the scores is used. Notes name
    what differs.
    """
    known = set(scores.segments)
    names = max(units, key=lambda of: len(known & set(of)))
    nothing = np.full((len(names), len(outputs)), np.nan)
    here = replace(scores, systems=outputs, segments=names, values=nothing, documents=(), domains=(), notes=())
    try:
        return here.scores_of(scores, beyond=NO_OUTPUT)
    except FileError:
        theirs = ", ".join(scores.segments[:LISTED])
        reason = f"none of its segments ({theirs}, ...) is a unit of the gold ({', '.join(names[:LISTED])}, ...)"
        return replace(here, notes=(reason,))


def why_not_of(scores: SegmentScores, outputs: Sequence[str]) -> str:
    """Return why scores cannot be used with these outputs: no system has the name of one; "" if they can."""
    if set(outputs) & set(scores.systems) or without_numbers(outputs, scores.systems):
        return ""
    named = f"its systems are {first_few(scores.systems)}, here {first_few(outputs)}"
    return f"no output has the name of a system in it; {named}"
