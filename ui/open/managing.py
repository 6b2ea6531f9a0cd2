"""Changing what is kept: names, groups and kinds of systems, the name of a task, and its removal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.base.words import count
from nlpsig_core.data.task.shared_task import SharedTask
from ui.app import components
from ui.app.text import plain
from ui.open import folders, kept, outcome, tasks
from ui.work.cache import TaskKey


@dataclass(frozen=True, kw_only=True)
class Editor:
    """An editor on screen: its key, the frame that it was given, its last output, and the systems that follow from it.

    The editor stores changes separately and needs the same frame as long as it is drawn.
    """

    key: str
    before: pd.DataFrame
    after: pd.DataFrame
    systems: pd.DataFrame


def edit_systems(key: TaskKey, task: SharedTask, signature: str) -> None:
    """Draw a table in which the user can edit names, groups and kinds, for all pages."""
    editor = _editor(key, task)
    columns = [column for column in task.systems if column != "file"]
    edited = st.data_editor(
        editor.before,
        key=editor.key,
        hide_index=True,
        column_order=[*columns, "file"],
        disabled=[column for column in task.systems if column not in ("system", "group", "kind")],
        column_config={
            "kind": st.column_config.SelectboxColumn(options=["system", "combination"], required=True),
            "group": st.column_config.TextColumn(required=True),
            "system": st.column_config.TextColumn(required=True),
        },
        alt="Systems with their groups and kinds, editable",
    )
    components.downloads(edited, "systems", signature)
    if kept.of(key.name).cells:
        undo = partial(kept.change, key.name, lambda _: {"cells": {}})
        st.button("Undo all edits", key="undo_edits", on_click=undo, icon=":material/undo:")
    if edited.equals(editor.after):
        return
    try:
        systems = task.with_systems(edited).systems
    except NlpsigError as error:
        st.text(str(error))
        return
    kept.change(key.name, lambda of_task: {"cells": of_task.with_edits(editor.after, edited)})
    st.session_state["editor"] = replace(editor, after=edited, systems=systems)
    st.rerun()


def _editor(key: TaskKey, task: SharedTask) -> Editor:
    """Return the editor of the last run; a new one for another task, or if something else has changed its systems."""
    last: Editor | None = st.session_state.get("editor")
    if last is not None and last.key in st.session_state and last.systems.equals(task.systems):
        return last
    number = st.session_state["editors"] = st.session_state.get("editors", 0) + 1
    editor = Editor(key=f"systems_{number}", before=task.systems, after=task.systems, systems=task.systems)
    st.session_state["editor"] = editor
    return editor


def manage(name: str) -> None:
    """Draw a panel to rename an upload and to remove an upload or a folder; nothing for samples."""
    of_task = kept.of(name)
    if not of_task.uploads and not name.startswith("/"):
        return
    label = "Rename or remove" if of_task.uploads else "Remove from the list"
    with st.popover(label, icon=":material/edit:", key="manage"):
        if of_task.uploads:
            with st.form("rename", border=False):
                st.text_input("Name of the task", name, key=f"new_name_{name}")
                st.form_submit_button("Rename", on_click=_rename, args=(name,), icon=":material/edit:")
        what = "its files on this server and its edits" if of_task.uploads else "its edits; the folder itself stays"
        st.caption(f"Removing forgets {what}. It cannot be undone.")
        st.button(
            f"Remove {plain(tasks.short(name))}",
            key="remove_task",
            on_click=_remove,
            args=(name,),
            icon=":material/delete:",
        )


def _rename(name: str) -> None:
    try:
        new = kept.rename(name, st.session_state[f"new_name_{name}"], tasks.names())
    except NlpsigError as error:
        tasks.refuse(str(error))
    else:
        st.session_state["task"] = new


def _remove(name: str) -> None:
    kept.remove(name)
    outcome.forget()
    st.session_state.pop("task", None)
    st.session_state["removed"] = name


def show_removed() -> None:
    """Say that a task was removed, once."""
    if name := st.session_state.pop("removed", None):
        st.success(f"{plain(tasks.short(name))} was removed.", icon=":material/delete:")


def show_damaged() -> None:
    """Draw the kept tasks that cannot be read, with reasons, and a button that removes them."""
    reasons = kept.damaged() | {name: why for name in kept.tasks() if folders.roots() and (why := tasks.why_not(name))}
    if not reasons:
        return
    with st.expander(f"{count(len(reasons), 'kept task')} cannot be opened", icon=":material/warning:"):
        st.text("\n".join(f"{place}: {reason}" for place, reason in reasons.items()))
        st.button("Remove them", key="remove_damaged", on_click=_remove_damaged, args=(list(reasons),))


def _remove_damaged(places: list[str]) -> None:
    kept.remove_damaged()
    for name in places:
        kept.remove(name)
