"""The open shared task: a real one or a sample of the gallery, an upload, or a folder on this machine."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path

import streamlit as st

from nlpsig_core.base.errors import NlpsigError, TaskError
from nlpsig_core.data.task.samples import installed_names
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from ui.app import choice, components
from ui.app.text import cut, plain
from ui.open import folders, kept, recognition
from ui.work import cache
from ui.work.cache import TaskKey

# The task that a new session opens, unless $NLPSIG_TASK names another.
FIRST = "conll-2017-chinese"


def chosen() -> tuple[TaskKey, SharedTask]:
    """Return the key and the task chosen in the sidebar, with the user's edits of names, groups and kinds."""
    st.session_state.pop("open", None)
    options = names()
    if not options:
        raise TaskError("No sample task is installed; open a folder or upload files on the first page")
    wanted = st.session_state.get("task")
    usual = first() if first() in options else None
    name = choice.select("Task", options, "task", usual=usual, format_func=short)
    if usual is None and wanted is None and os.environ.get("NLPSIG_TASK"):
        refuse(f"There is no task called {cut(first())}, which NLPSIG_TASK names; {name} is shown instead.")
    if wanted not in (None, name):
        refuse(f"There is no task called {cut(wanted)}; {name} is shown instead. {_why_gone()}")
    key, task = task_named(name)
    st.session_state["open"] = key, task
    return key, _edited(name, task)


def _why_gone() -> str:
    """Return where a task that a link names may have gone."""
    if kept.folder():
        return "Uploads that were removed or renamed, and those of another machine, are not here."
    return "Uploads exist only in the browser tab that uploaded them, until it is reloaded."


def _edited(name: str, task: SharedTask) -> SharedTask:
    """Return the task with its edited names and groups; as it was read if they no longer fit its systems."""
    try:
        return kept.of(name).edited(task)
    except NlpsigError as error:
        refuse(f"The edited names and groups do not fit the systems that {name} has now ({error})")
        return task


def is_first(name: str) -> bool:
    """Return whether a task is the one that a new session opens."""
    return name == first()


def first() -> str:
    """Return the name of the task that a new session opens."""
    return os.environ.get("NLPSIG_TASK") or FIRST


def opened() -> tuple[TaskKey, SharedTask] | None:
    """Return the task that is open, without the user's edits; None if it could not be read."""
    task: tuple[TaskKey, SharedTask] | None = st.session_state.get("open")
    return task


def show_recognised() -> None:
    """Draw the recognised roles of a task that can be opened but not analysed."""
    if of_task := opened():
        key, task = of_task
        recognition.recognised(key, task, task.test_set())


# The end of an upload's name, after that of its folder, and the name of files that came without a folder.
UPLOADED, LOOSE = re.compile(r" \(uploaded(, \d+)?\)$"), "files"


def file_name(name: str) -> str:
    """Return the name of a task without what the app has added to it."""
    return UPLOADED.sub("", short(name))


def cited(name: str) -> str:
    """Return the name of a task in a sentence for a paper; "" for loose files, which have none."""
    return "" if UPLOADED.search(name) and file_name(name) == LOOSE else file_name(name)


def title(task: SharedTask) -> str:
    """Return the task's name as a heading."""
    return plain(task.name)


def about(task: SharedTask) -> str:
    """Return the task's description, else its format."""
    return plain(task.description or task.reader.name)


def names() -> list[str]:
    """Return the tasks that can be opened: real ones, samples, uploads and folders."""
    _open_linked()
    samples = installed_names()
    return [*samples, *(name for name in kept.tasks() if name not in samples and not why_not(name))]


def why_not(name: str) -> str:
    """Return why a kept folder cannot be opened; "" for every other task."""
    try:
        if name.startswith("/"):
            folders.check(name)
    except NlpsigError as error:
        return str(error)
    return ""


def task_named(name: str) -> tuple[TaskKey, SharedTask]:
    """Return the key and the task of that name, with the user's corrections."""
    upload = kept.of(name)
    read = partial(cache.task_in, partial(kept.files, upload), name, upload.identity)
    return recognition.with_corrections(name, read if upload.uploads else partial(cache.task_at, name))


def short(name: str) -> str:
    """Return the name of a task without its parent folders."""
    return Path(name).name if name.startswith("/") else name


def _open_linked() -> None:
    """Open the folders that the link or $NLPSIG_TASK names, if folders may be opened."""
    state = st.session_state
    for linked in (state.get("task") or first(), state.get("over") or "", *(state.get("with") or [])):
        if linked.startswith("/") and folders.roots() and linked not in kept.tasks():
            try:
                open_folder(linked)
            except NlpsigError as error:
                refuse(str(error))


def open_folder(name: str, first: Correction = Correction()) -> str:
    """Keep a folder, or a folder with its gold (``cache.WITH_GOLD``), and return its name; TaskError if not allowed."""
    folders.check(name)
    kept.change(name, lambda _: {"first": first})
    return name


def refuse(reason: str) -> None:
    """Keep the reason why a task could not be opened, to be shown once at the top of the page."""
    st.session_state.setdefault("refused", reason)


def show_refusal() -> None:
    """Draw the reason why the last attempt to open a task failed, if it did."""
    if reason := st.session_state.pop("refused", None):
        components.refusal("This task could not be opened.", reason)
