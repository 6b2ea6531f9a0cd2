"""The open shared task: a sample, an upload, or a folder on this machine."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import streamlit as st

from nlpsig_core.errors import NlpsigError, TaskError
from nlpsig_core.task.loading import sample_names
from nlpsig_core.task.shared_task import SharedTask
from ui.app import cache, choice, components
from ui.app.cache import TaskKey
from ui.app.text import plain
from ui.open import recognition

# The sample that a new session opens.
FIRST = "brelda-parsing"


def chosen() -> tuple[TaskKey, SharedTask]:
    """The key and the task chosen in the sidebar, with the user's edits of names, groups and kinds."""
    st.session_state.pop("open", None)
    options = names()
    if not options:
        raise TaskError("No sample task is installed; open a folder or upload files on the first page")
    wanted = st.session_state.get("task")
    usual = FIRST if FIRST in options else None
    name = choice.select("Task", options, "task", usual=usual, format_func=short)
    if wanted not in (None, name):
        refuse(f"There is no task called {wanted}. Uploaded tasks exist only in the session that uploaded them.")
    key, task = task_named(name)
    st.session_state["open"] = key, task
    edited = st.session_state.get("edited", {}).get(key)
    return key, task if edited is None else task.with_systems(edited)


def show_recognised() -> None:
    """The recognised roles of a task that can be opened but not analysed."""
    if "open" in st.session_state:
        key, task = st.session_state["open"]
        recognition.recognised(key, task, task.test_set())


def title(task: SharedTask) -> str:
    """The task's name as a heading."""
    return plain(task.name)


def about(task: SharedTask) -> str:
    """The task's description, else its format."""
    return plain(task.description or task.reader.name)


def names() -> list[str]:
    """The tasks that can be opened: samples, and this session's uploads and folders."""
    return [*sample_names(), *st.session_state.setdefault("uploads", {}), *_folders()]


def task_named(name: str) -> tuple[TaskKey, SharedTask]:
    """The key and the task of that name, with the user's corrections."""
    upload = st.session_state["uploads"].get(name)
    return recognition.with_corrections(name, upload.read if upload else partial(cache.task_at, name))


def short(name: str) -> str:
    """The name of a task without its parent folders."""
    return Path(name).name if name.startswith("/") else name


def _folders() -> list[str]:
    """Folders opened in this session, and those in the link if folders may be opened."""
    opened: list[str] = st.session_state.setdefault("folders", [])
    state = st.session_state
    for linked in (state.get("task") or "", state.get("over") or "", *(state.get("with") or [])):
        if linked.startswith("/") and linked not in opened and folder_root() is not None:
            try:
                open_folder(linked)
            except NlpsigError as error:
                refuse(str(error))
    return opened


def open_folder(name: str) -> None:
    """Add a folder, or a folder with its gold (``cache.WITH_GOLD``), to the session's tasks; raises TaskError."""
    check_allowed(name)
    if name not in st.session_state["folders"]:
        st.session_state["folders"].append(name)


def folder_root() -> Path | None:
    """The folder below which tasks may be opened ($NLPSIG_FOLDERS), or None."""
    root = os.environ.get("NLPSIG_FOLDERS", "")
    return Path(root).resolve() if root else None


def check_allowed(name: str) -> None:
    """Raise TaskError if a folder or its gold may not be opened."""
    for path in name.split(cache.WITH_GOLD):
        resolved, root = Path(path).resolve(), folder_root()
        if root is None or not resolved.is_relative_to(root):
            raise TaskError(f"{path} is not below {root}; the server opens folders below $NLPSIG_FOLDERS only")
        if not resolved.exists():
            raise TaskError(f"{path} does not exist on this machine")


def refuse(reason: str) -> None:
    """Keep the reason why a task could not be opened, to be shown once at the top of the page."""
    st.session_state.setdefault("refused", reason)


def show_refusal() -> None:
    """The reason why the last attempt to open a task failed, if it did."""
    if reason := st.session_state.pop("refused", None):
        components.refusal("This task could not be opened.", reason)


def edit_systems(key: TaskKey, task: SharedTask, signature: str) -> None:
    """A table in which the user can edit names, groups and kinds, for all pages."""
    columns = [column for column in task.systems if column != "file"]
    widget = f"systems_{hash(key)}"
    # The editor stores changes separately and needs the same data as long as it is drawn.
    if widget not in st.session_state:
        st.session_state["before_editing"] = task.systems
    edited = st.data_editor(
        st.session_state["before_editing"], key=widget, hide_index=True, column_order=[*columns, "file"],
        disabled=["file"],
        column_config={
            "kind": st.column_config.SelectboxColumn(options=["system", "combination"], required=True),
            "group": st.column_config.TextColumn(required=True),
            "system": st.column_config.TextColumn(required=True),
        },
        alt="Systems with their groups and kinds, editable",
    )  # fmt: skip
    components.downloads(edited, "systems", signature)
    if edited.equals(task.systems):
        return
    try:
        task.with_systems(edited)
    except NlpsigError as error:
        st.text(str(error))
        return
    st.session_state.setdefault("edited", {})[key] = edited
    st.rerun()
