"""What platforms call the files of submissions, and what they put beside them."""

from __future__ import annotations

import re

# Codabench's "517108_bob_PhaseId12_2026-02-11:30-05_run.zip", formerly "ID_82_run.zip"; for scores "res_517108_...".
CODABENCH = re.compile(r"(?P<kind>res_)?(?P<number>\d+)_(?P<team>.+)_PhaseId(?P<phase>\d+)_.*")
FORMERLY = re.compile(r"ID_(?P<number>\d+)_.*")
# CodaLab's "bob - 3 submission.zip", "Team Blue  - 3 submission.zip", and what it has beside each.
CODALAB = re.compile(r"(?P<team>.+?) +- +(?P<number>\d+) (?P<kind>submission|output|profile|method)")
TEAMS = "team_names_and_members"
CODALAB_TEAM = re.compile(r"Team (?P<team>.+?)  - ")


def called_submission(name: str) -> bool:
    """Return whether a platform calls a submission, or its results, by that name."""
    return any(pattern.fullmatch(name) for pattern in (CODABENCH, FORMERLY, CODALAB))
