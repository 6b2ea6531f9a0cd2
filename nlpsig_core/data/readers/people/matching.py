"""Names that two files of scores should share: which are the same, and those that differ, side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from nlpsig_core.base.words import LISTED, count, first_few

# The number of a submission at the end of a system's name: Online-A.1574.
NUMBER = re.compile(r"\.\d+$")
# Among how many names the most similar one is sought: of very many, this takes seconds.
COMPARED = 1_000


def without_numbers(own: Sequence[str], theirs: Sequence[str]) -> dict[str, str]:
    """Return own names by theirs that are equal without the numbers of submissions, and like no other name."""
    shared = set(own) & set(theirs)
    unique = [_unique(names) for names in (own, theirs)]
    both = [name for name in unique[0] if name in unique[1]]
    return {unique[1][name]: unique[0][name] for name in both if not {unique[0][name], unique[1][name]} & shared}


def _unique(names: Sequence[str]) -> dict[str, str]:
    """Return the names by what they are without numbers, where that is unique."""
    short = [NUMBER.sub("", name) for name in names]
    number = Counter(short)
    return {key: name for key, name in zip(short, names, strict=True) if number[key] == 1}


def renumbered(own: Sequence[str], theirs: Sequence[str]) -> dict[str, str]:
    """Return own names by theirs if both are whole numbers, in one file from 0 and in the other from 1; else {}."""
    if not all(name.isdecimal() for names in (own, theirs) for name in names):
        return {}
    ahead = ("0" in theirs) - ("0" in own)
    return {name: str(int(name) + ahead) for name in theirs} if ahead else {}


def notes_on_matches(systems: Mapping[str, str], segments: Mapping[str, str]) -> list[str]:
    """Return notes on names that are not equal but the same, own ones by theirs."""
    pairs = first_few([f"{theirs} as {own}" for theirs, own in systems.items()])
    notes = [f"matched without the number of the submission: {pairs}"] if systems else []
    return notes + (["segments are numbered from 0 in one file and from 1 in the other"] if segments else [])


def notes_on_names(thing: str, own: Sequence[str], theirs: Sequence[str], beyond: str) -> list[str]:
    """Return notes on the names that only one of two files has, beside the most similar name of the other file.

    ``beyond`` says what those are that only the other file has.
    """
    known = set(own) & set(theirs)
    lacks, more = ([name for name in names if name not in known] for names in (own, theirs))
    beside = [f"{name} (the other file has {near[0]})" if near else name for name, near in _nearest(lacks, more)]
    notes = [f"no scores of {count(len(lacks), thing)}: {first_few(beside)}"] if lacks else []
    return notes + ([f"{count(len(more), thing)} {beyond}: {first_few(more)}"] if more else [])


def _nearest(names: Sequence[str], others: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return each name that will be listed with the most similar other name, if there is one; then the others."""
    near = [(name, get_close_matches(name, others[:COMPARED], 1)) for name in names[:LISTED]]
    return near + [(name, []) for name in names[LISTED:]]
