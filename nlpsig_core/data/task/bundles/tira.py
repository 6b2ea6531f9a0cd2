"""Runs of TIRA: the team and the dataset of each, by its description and by the folders above it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from nlpsig_core.data.task.bundles.listing import Row
from nlpsig_core.data.task.files import Head

# TIRA's DATASET/TEAM/RUN/output/*, or TEAM/DATASET/RUN/output/*, where the run is a time.
RUN = re.compile(r"\d{4}(-\d\d){5}")
RUN_FILE, RUN_OUTPUT = "run.prototext", "output"
RECORDS = re.compile(
    r"run(-review)?\.(prototext|bin)|evaluation.*|(file-list|size|runtime|stdout|stderr|job-executed-on)\.txt"
)
EVALUATION = re.compile(r"evaluation\.(prototext|bin)")
DATASET = re.compile(r'inputDataset:\s*"([^"]*)"')
# What names of datasets have, and those of teams lack.
CALLED_DATASET = re.compile(
    r"(^|[-_])(train(ing)?|dev|valid(ation)?|test|datasets?)($|[-_\d])|(19|20)\d\d-?[01]\d-?[0-3]\d"
)
# The place of the dataset among the folders above a run: as TIRA has it, or as inner one.
OUTER, INNER = -2, -1


def is_record(rest: tuple[str, ...]) -> bool:
    """Return whether a file below a run describes it, or evaluates it, by its names."""
    return bool(RECORDS.fullmatch(rest[0]) or (rest[0] == RUN_OUTPUT and EVALUATION.fullmatch(rest[-1])))


def rows_of_runs(places: Iterable[str], head: Head, test_sets: Collection[str]) -> dict[str, Row]:
    """Return what is known of runs: the team and, as phase, the dataset, by the place of each.

    ``test_sets`` are the possible names of those of the gold.
    """
    above = {place: PurePosixPath(place).parts[-3:-1] for place in places}
    named = {place: match[1] if (match := DATASET.search(head(f"{place}/{RUN_FILE}"))) else "" for place in above}
    level = _level({place: names for place, names in above.items() if len(names) == 2}, named, test_sets)
    rows = {}
    for place, names in above.items():
        dataset = named[place]
        if dataset not in names and len(names) == 2:
            dataset = names[level]
        team = next((name for name in reversed(names) if name != dataset), names[-1])
        rows[place] = Row(team=team, number=PurePosixPath(place).name, phase=named[place] or dataset)
    return rows


def _level(above: dict[str, tuple[str, ...]], named: dict[str, str], test_sets: Collection[str]) -> int:
    """Return which of the two folders above a run is the dataset: by what most runs say, by names, or the only one."""

    def evidence(level: int) -> Iterable[int]:
        names = [parts[level] for parts in above.values()]
        yield sum(name == named[place] for name, place in zip(names, above, strict=True))
        yield sum(name in test_sets for name in names)
        yield sum(CALLED_DATASET.search(name) is not None for name in names)
        yield len(set(names)) == 1

    pairs = zip(evidence(OUTER), evidence(INNER), strict=True)
    return next((OUTER if outer > inner else INNER for outer, inner in pairs if outer != inner), OUTER)
