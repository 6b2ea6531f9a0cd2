"""Zips and bundles of submissions: what a zip holds, and which submissions of a team become systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

LAST, BEST, ALL = "last", "best", "all"
# What the submissions of a team become; without a choice the last one is used, and all runs of TIRA.
SUBMISSIONS = {
    LAST: "the last of each team",
    BEST: "the one with the best score in the list of submissions or beside it",
    ALL: "all, as systems of one group",
}


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The submissions that are systems: the path by which each of their files is named, as systems/TEAM__RUN.

    ``systems`` are their names, by path. ``unused`` gives the reason for each file of others, and of what lies beside
    them; ``notes`` are sentences on what had to be guessed; ``listing`` is the path of the list of submissions;
    ``choice`` is what was chosen of SUBMISSIONS, "" if no team has several.
    """

    paths: Mapping[str, PurePosixPath] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)
    unused: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    listing: str = ""
    choice: str = ""
