"""The gallery of samples, and the ways to open one's own outputs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from nlpsig_core.digests import digest, digest_of
from nlpsig_core.errors import NlpsigError
from nlpsig_core.task.files import open_files, upload_files
from nlpsig_core.task.gold_supplied import add_gold_files, gold_files
from nlpsig_core.task.loading import sample_names
from nlpsig_core.task.shared_task import Correction
from ui.app import cache
from ui.app.text import plain
from ui.open import recognition, tasks

GALLERY_COLUMNS = 3


def opening() -> None:
    """The gallery of samples, and tabs to open one's own task."""
    _gallery()
    recognition.unrecognised(_accept)
    with st.expander("Open your own outputs: files, a zip or a folder", icon=":material/upload:", key="opening"):
        ways = {"Files or zip": _upload_files, "Folder": _upload_folder}
        if tasks.folder_root():
            ways["Folder on this machine"] = _open_folder
        for tab, draw in zip(st.tabs(list(ways)), ways.values(), strict=True):
            with tab:
                draw()


def _gallery() -> None:
    """A button for each sample, with its description."""
    names = sample_names()
    for row in (names[i : i + GALLERY_COLUMNS] for i in range(0, len(names), GALLERY_COLUMNS)):
        for column, name in zip(st.columns(GALLERY_COLUMNS), row, strict=False):
            with column:
                _sample(name)


def _sample(name: str) -> None:
    _, task = cache.task_at(name)
    opened = st.session_state.get("task") == name
    with st.container(gap="xsmall"):
        st.button(
            plain(name), key=f"open_{name}", on_click=_switch, args=(name,), disabled=opened, width="stretch",
            icon=":material/check:" if opened else ":material/folder_open:",
        )  # fmt: skip
        st.caption(plain(task.description) or task.reader.name)


def _switch(name: str) -> None:
    st.session_state["task"] = name


def _upload_files() -> None:
    st.caption(
        "A gold file (or references with ref in their names) and one file per system; a table of scores; or a zip of a "
        "task folder. groups.tsv (system, group) and domains.tsv are read if present."
    )
    st.file_uploader(
        "Files",
        accept_multiple_files=True,
        key="upload",
        on_change=_take,
        args=("upload",),
        label_visibility="collapsed",
    )
    _gold_supplied("upload")


def _upload_folder() -> None:
    st.caption("A task folder, or a published CoNLL package, unchanged.")
    st.file_uploader(
        "Folder", accept_multiple_files="directory", key="upload_folder", on_change=_take, args=("upload_folder",),
        label_visibility="collapsed",
    )  # fmt: skip
    _gold_supplied("upload_folder")


def _gold_supplied(key: str) -> None:
    with st.expander("Gold supplied separately"):
        st.caption("One gold file, or one per test set with the same name as the outputs.")
        st.file_uploader(
            "Gold", accept_multiple_files=True, key=f"{key}_gold", on_change=_take, args=(key,),
            label_visibility="collapsed",
        )  # fmt: skip


def _take(key: str) -> None:
    """Open the uploaded files as a task, or keep the error message for the screen."""
    st.session_state.pop("unrecognised", None)
    outputs = st.session_state.get(key) or []
    gold = st.session_state.get(f"{key}_gold") or []
    if not outputs:
        return
    uploads = [(file.name, file.getvalue()) for file in outputs]
    golds = [(file.name, file.getvalue()) for file in gold]
    content = content_of(uploads, golds)
    name = _name_of([name for name, _ in uploads], content)
    try:
        files = add_gold_files(upload_files(uploads), upload_files(golds)) if golds else upload_files(uploads)
    except NlpsigError as error:
        tasks.refuse(str(error))
        return
    _try(recognition.Source(name=name, content=content, files=files, read=partial(cache.task_in, files, name, content)))


def content_of(uploads: Sequence[tuple[str, bytes]], golds: Sequence[tuple[str, bytes]]) -> str:
    """The digest of the names and contents of files and of gold files."""
    return digest_of(*([(name, digest(data)) for name, data in files] for files in (uploads, golds)))


def _try(source: recognition.Source) -> None:
    """Open files as a task, or ask the user for their roles."""
    try:
        source.read(Correction())
    except NlpsigError as error:
        recognition.keep_unrecognised(source, str(error))
        return
    _accept(source)


def _accept(source: recognition.Source) -> None:
    """Add a task to those of the session and open it."""
    if source.content:
        st.session_state["uploads"][source.name] = source
    else:
        tasks.open_folder(source.name)
    _switch(source.name)


def _name_of(paths: list[str], content: str) -> str:
    """A name for an upload: that of its folder or zip, with a number if another upload has it."""
    first = paths[0].replace("\\", "/")
    base = first.split("/")[0] if "/" in first else Path(first).stem if len(paths) == 1 else "files"
    taken = {name for name, other in st.session_state["uploads"].items() if other.content != content}
    names = [f"{base} (uploaded)", *(f"{base} (uploaded, {n})" for n in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _open_folder() -> None:
    st.caption(f"A folder or zip below {plain(str(tasks.folder_root()))}, read in place.")
    st.text_input("Path", key="folder_path", placeholder="/data/my-shared-task")
    st.text_input("Gold, if supplied separately", key="folder_gold", placeholder="/data/gold (a file or a folder)")
    st.button("Open folder", on_click=_take_folder, key="open_folder")


def _take_folder() -> None:
    paths = (st.session_state[key].strip() for key in ("folder_path", "folder_gold"))
    name = cache.WITH_GOLD.join(str(Path(path).expanduser().resolve()) for path in paths if path)
    path, _, gold = name.partition(cache.WITH_GOLD)
    try:
        tasks.check_allowed(name)
        files = open_files(Path(path))
        files = add_gold_files(files, gold_files(Path(gold))) if gold else files
    except NlpsigError as error:
        tasks.refuse(str(error))
        return
    _try(recognition.Source(name=name, content="", files=files, read=partial(cache.task_at, name)))
