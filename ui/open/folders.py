"""Folders on this machine: which of them may be opened."""

from __future__ import annotations

import os
from pathlib import Path

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.task.folders import examined, resolved, shown
from ui.serving import starting
from ui.work.cache import WITH_GOLD


def roots() -> list[Path]:
    """Return the folders below which tasks may be opened: those in $NLPSIG_FOLDERS, if the guard asks for a token."""
    listed = os.environ.get("NLPSIG_FOLDERS", "") if starting.asks_for_token.is_set() else ""
    return [resolved(path) for path in listed.split(os.pathsep) if path]


def check(name: str) -> None:
    """Raise TaskError if a folder or its gold may not be opened."""
    for path in name.split(WITH_GOLD):
        place, allowed = resolved(path), roots()
        if not any(place.is_relative_to(root) for root in allowed):
            below = f"is not below {' or '.join(map(str, allowed))}" if allowed else "cannot be opened"
            raise TaskError(f"{shown(path)} {below}; the server opens folders below $NLPSIG_FOLDERS only")
        examined(place, "it may have been moved")
