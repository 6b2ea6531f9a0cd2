"""What is kept of tasks: in the machine's workspace ($NLPSIG_WORKSPACE) if there is one, else in the session."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from nlpsig_core.base.runtime import expanded
from nlpsig_core.base.version import __version__
from nlpsig_core.data.task.files import Files
from nlpsig_core.data.task.shared_task import Correction
from ui.app.text import plain
from ui.open.workspace import Kept, Read, Uploads, Workspace
from ui.work.memory import remember_as


def folder() -> Path | None:
    """Return the folder of the machine's workspace ($NLPSIG_WORKSPACE), or None."""
    path = os.environ.get("NLPSIG_WORKSPACE", "")
    return expanded(path).resolve() if path else None


def promise() -> str:
    """Return where uploads and edits are kept, and when they are forgotten."""
    path, machine = folder(), _machine()
    if machine is not None:
        return f"Saved on this computer ({plain(str(path))}); everyone with access sees them."
    reason = f" ({plain(str(path))} cannot be written)" if path else ""
    return f"Kept in this tab only{reason}: **forgotten on reload**."


def tasks() -> dict[str, Kept]:
    """Return all that is kept, by the name of the task."""
    return {name: kept for workspace in reversed(_workspaces()) for name, kept in _read(workspace)[0].items()}


def of(name: str) -> Kept:
    """Return what is kept of a task; nothing but its name if it was never changed."""
    return tasks().get(name, Kept(name=name))


def files(kept: Kept) -> Files:
    """Return the files of an upload."""
    return _with(kept.name).files(kept)


def damaged() -> dict[str, str]:
    """Return the reason for each entry that cannot be read, by its place."""
    return {place: reason for workspace in _workspaces() for place, reason in _read(workspace)[1].items()}


def remove_damaged() -> None:
    """Forget the entries that cannot be read."""
    for workspace in _workspaces():
        workspace.remove_damaged()


def name_for(base: str, uploads: Uploads, gold: Uploads) -> str:
    """Return the name under which ``add`` keeps an upload."""
    return _workspaces()[0].name_for(base, uploads, gold)


def add(base: str, uploads: Uploads, gold: Uploads, first: Correction) -> str:
    """Keep an upload and return its name; in the session if the machine's workspace is full."""
    *machine, session = _workspaces()
    for workspace in machine:
        try:
            return workspace.add(base, uploads, gold, first).name
        except OSError as error:
            _not_kept(error)
    return session.add(base, uploads, gold, first).name


def change(name: str, change: Callable[[Kept], Mapping[str, Any]]) -> None:
    """Change what is kept of a task; the reason is shown if that fails."""
    try:
        _with(name).change(name, change)
    except OSError as error:
        _not_kept(error)


def rename(name: str, new: str, taken: list[str]) -> str:
    """Give an upload another name and return it; TaskError if it is empty or taken."""
    return _with(name).rename(name, new, taken).name


def remove(name: str) -> None:
    """Forget an upload or a folder."""
    _with(name).remove(name)


def _not_kept(error: OSError) -> None:
    st.session_state["refused"] = f"It cannot be kept in {folder()} ({error.strerror}); it is forgotten on reload"


def _with(name: str) -> Workspace:
    """Return the workspace that keeps a task, else the one that would."""
    return next((workspace for workspace in _workspaces() if name in _read(workspace)[0]), _workspaces()[0])


def _read(workspace: Workspace) -> Read:
    """Return all that a workspace keeps, read again only after a change, by whichever session."""
    return remember_as(("kept", __version__, workspace.state()), workspace.read)


def _workspaces() -> list[Workspace]:
    """Return the workspaces: the machine's, if there is one, and the session's own."""
    machine = _machine()
    session: Workspace = st.session_state.setdefault("workspace", Workspace.in_memory())
    return [session] if machine is None else [machine, session]


def _machine() -> Workspace | None:
    """Return the workspace of the machine; None if there is none or it cannot be written."""
    path = folder()
    try:
        return Workspace.at(path) if path and (not path.exists() or os.access(path, os.W_OK)) else None
    except OSError:
        return None
