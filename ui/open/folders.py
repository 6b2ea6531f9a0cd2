"""Folders on this machine: which of them may be opened."""

from __future__ import annotations

import os
from pathlib import Path

from nlpsig_core.errors import TaskError
from ui.app.cache import WITH_GOLD
from ui.app.text import cut


def roots() -> list[Path]:
    """The folders below which tasks may be opened: those in $NLPSIG_FOLDERS, if the server asks for a token."""
    listed = os.environ.get("NLPSIG_FOLDERS", "") if os.environ.get("NLPSIG_TOKEN") else ""
    return [place(path) for path in listed.split(os.pathsep) if path]


def place(path: str) -> Path:
    """The file or folder of a path, without links; TaskError if there can be none."""
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise TaskError(f"{cut(path)} is not the path of a file or folder ({error})") from error


def check(name: str) -> None:
    """Raise TaskError if a folder or its gold may not be opened."""
    for path in name.split(WITH_GOLD):
        resolved, allowed = place(path), roots()
        if not any(resolved.is_relative_to(root) for root in allowed):
            below = f"is not below {' or '.join(map(str, allowed))}" if allowed else "cannot be opened"
            raise TaskError(f"{cut(path)} {below}; the server opens folders below $NLPSIG_FOLDERS only")
        try:
            resolved.stat()
        except FileNotFoundError:
            raise TaskError(f"{cut(path)} does not exist on this machine") from None
        except OSError as error:
            raise TaskError(f"{cut(path)} cannot be examined ({error.strerror})") from error
