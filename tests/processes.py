"""The processes of a session, found in /proc."""

from __future__ import annotations

import time
from pathlib import Path


def members(session: int) -> list[int]:
    """The processes of a session that live; those that have ended and were not yet taken note of do not count."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of, *_ = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended in the meantime
            continue
        if int(of) == session and state != "Z":
            found.append(int(path.parent.name))
    return found


def ended(session: int, within: float) -> bool:
    """Whether all processes of a session end within so many seconds."""
    latest = time.monotonic() + within
    while members(session) and time.monotonic() < latest:
        time.sleep(0.05)
    return not members(session)
