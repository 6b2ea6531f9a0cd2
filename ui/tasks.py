"""Which shared task is open: a sample, an upload, or a folder of this machine."""

from __future__ import annotations

import os
from collections.abc import Hashable
from pathlib import Path

import streamlit as st

from nlpsig_core.errors import NlpsigError, TaskError
from nlpsig_core.files import digest, upload_files
from nlpsig_core.task import SharedTask, add_gold_files, sample_names, task_of
from ui import cache, choice, components
from ui.text import plain


def chosen() -> tuple[Hashable, SharedTask]:
    """The task that the sidebar names, with the user's edits of names and groups; key of its content."""
    options = [*sample_names(), *st.session_state.setdefault("uploads", {}), *_folders()]
    if not options:
        raise TaskError("No sample task is installed; open a folder or upload files on the first page")
    wanted = st.session_state.get("task")
    name = choice.select("Task", options, "task", format_func=_short)
    if wanted not in (None, name):
        refuse(f"There is no task called {wanted} here; uploaded tasks live in the session that has them.")
    if name in st.session_state["uploads"]:
        key, task = st.session_state["uploads"][name]
    else:
        key, task = cache.task_at(name)
    edited = st.session_state.get("edited", {}).get(key)
    return key, task if edited is None else task.with_systems(edited)


def title(task: SharedTask) -> str:
    """The task's name as a heading."""
    return plain(task.name)


def about(task: SharedTask) -> str:
    """What the task is: its own description, or its format."""
    return plain(task.description or f"{task.reader.name} outputs")


def _short(name: str) -> str:
    return Path(name).name if name.startswith("/") else name


def _folders() -> list[str]:
    """Folders opened in this session, and the one in the link, where folders may be opened."""
    opened = st.session_state.setdefault("folders", [])
    linked = str(st.session_state.get("task", ""))
    if linked.startswith("/") and linked not in opened and folder_root() is not None:
        try:
            opened.append(_allowed(linked))
        except NlpsigError as error:
            refuse(str(error))
    return opened


def folder_root() -> Path | None:
    """The folder below which tasks of this machine may be opened ($NLPSIG_FOLDERS), or None."""
    root = os.environ.get("NLPSIG_FOLDERS", "")
    return Path(root).resolve() if root else None


def _allowed(path: str) -> str:
    place, root = Path(path).expanduser().resolve(), folder_root()
    if root is None or not place.is_relative_to(root):
        raise TaskError(f"{path} is not below {root}; the server opens folders below $NLPSIG_FOLDERS only")
    if not place.exists():
        raise TaskError(f"{path} does not exist on this machine")
    return str(place)


def opening() -> None:
    """The gallery of samples and the ways to open a task of one's own."""
    _gallery()
    with st.expander("Open your own outputs: files, a zip or a folder", icon=":material/upload:", key="opening"):
        ways = {"Files or zip": _upload_files, "Folder": _upload_folder}
        if folder_root():
            ways["Folder of this machine"] = _open_folder
        for tab, draw in zip(st.tabs(list(ways)), ways.values(), strict=True):
            with tab:
                draw()


def refuse(reason: str) -> None:
    """Keep why a task could not be opened, to be shown once on top of the page."""
    st.session_state.setdefault("refused", reason)


def show_refusal() -> None:
    """Say why the last attempt to open a task failed, where it did."""
    if reason := st.session_state.pop("refused", None):
        components.refusal("This task could not be opened.", reason)


def _gallery() -> None:
    names = sample_names()
    for column, name in zip(st.columns(max(len(names), 2)), names, strict=False):
        with column, st.container(border=True, height="stretch"):
            _, task = cache.task_at(name)
            st.markdown(f"**{plain(name)}**")
            st.caption(plain(task.description) or "A sample task.")
            opened = st.session_state.get("task") == name
            st.button(
                "Open" if not opened else "Is open",
                key=f"open_{name}",
                on_click=_switch,
                args=(name,),
                disabled=opened,
            )


def _switch(name: str) -> None:
    st.session_state["task"] = name


def _upload_files() -> None:
    st.caption(
        "One file named as gold and one file a system, or a zip of a task folder. groups.tsv (system, group) and "
        "domains.tsv are read where they are there."
    )
    st.file_uploader(
        "Files",
        accept_multiple_files=True,
        key="upload",
        on_change=_take,
        args=("upload",),
        label_visibility="collapsed",
    )
    _gold_apart("upload")


def _upload_folder() -> None:
    st.caption("A task folder, or a published CoNLL package as it lies.")
    st.file_uploader(
        "Folder", accept_multiple_files="directory", key="upload_folder", on_change=_take, args=("upload_folder",),
        label_visibility="collapsed",
    )  # fmt: skip
    _gold_apart("upload_folder")


def _gold_apart(key: str) -> None:
    with st.expander("The gold lies apart"):
        st.caption("One gold file, or one a test set, named like the outputs.")
        st.file_uploader(
            "Gold", accept_multiple_files=True, key=f"{key}_gold", on_change=_take, args=(key,),
            label_visibility="collapsed",
        )  # fmt: skip


def _take(key: str) -> None:
    """Make the uploaded files a task and open it, or keep what is wrong with them for the screen."""
    given = st.session_state.get(key) or []
    gold = st.session_state.get(f"{key}_gold") or []
    if not given:
        return
    uploads = [(file.name, file.getvalue()) for file in given]
    golds = [(file.name, file.getvalue()) for file in gold]
    try:
        files = add_gold_files(upload_files(uploads), upload_files(golds)) if golds else upload_files(uploads)
        content = digest("".join(name + digest(data) for name, data in uploads + golds).encode())
        name = _name_of([name for name, _ in uploads], content)
        task = task_of(files, name)
    except NlpsigError as error:
        refuse(str(error))
        return
    st.session_state["uploads"][name] = (content, task)
    _switch(name)


def _name_of(paths: list[str], content: str) -> str:
    """A name for an upload: its folder's or zip's; another upload of that name gets a number."""
    first = paths[0].replace("\\", "/")
    base = first.split("/")[0] if "/" in first else Path(first).stem if len(paths) == 1 else "files"
    taken = {name for name, (other, _) in st.session_state["uploads"].items() if other != content}
    names = [f"{base} (uploaded)", *(f"{base} (uploaded, {n})" for n in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _open_folder() -> None:
    st.caption(f"A folder or zip below {folder_root()}, read where it lies.")
    st.text_input("Path", key="folder_path", placeholder="/data/my-shared-task", label_visibility="collapsed")
    st.button("Open folder", on_click=_take_folder, key="open_folder")


def _take_folder() -> None:
    try:
        path = _allowed(st.session_state["folder_path"].strip())
        cache.task_at(path)
    except NlpsigError as error:
        refuse(str(error))
        return
    if path not in st.session_state["folders"]:
        st.session_state["folders"].append(path)
    _switch(path)


def edit_systems(key: Hashable, task: SharedTask) -> None:
    """A table in which names, groups and kinds can be changed; changes hold on every page."""
    columns = [column for column in task.systems if column != "file"]
    widget = f"systems_{hash(key)}"
    # The editor keeps its changes apart from the data and wants the same data as long as it is drawn.
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
    if edited.equals(task.systems):
        return
    try:
        task.with_systems(edited)
    except NlpsigError as error:
        st.text(str(error))
        return
    st.session_state.setdefault("edited", {})[key] = edited
    st.rerun()
