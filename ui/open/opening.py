"""The gallery of samples, and the ways to open outputs of one's own."""

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
    """The gallery of samples and the ways to open a task of one's own."""
    _gallery()
    recognition.unrecognised(_accept)
    with st.expander("Open your own outputs: files, a zip or a folder", icon=":material/upload:", key="opening"):
        ways = {"Files or zip": _upload_files, "Folder": _upload_folder}
        if tasks.folder_root():
            ways["Folder of this machine"] = _open_folder
        for tab, draw in zip(st.tabs(list(ways)), ways.values(), strict=True):
            with tab:
                draw()


def _gallery() -> None:
    """The samples: the name of each, to open it, and a line on what it is."""
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
        "One file named as gold (or references with ref in their names) and one file a system; a table of scores; or a "
        "zip of a task folder. groups.tsv (system, group) and domains.tsv are read where they are there."
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
    st.session_state.pop("unrecognised", None)
    given = st.session_state.get(key) or []
    gold = st.session_state.get(f"{key}_gold") or []
    if not given:
        return
    uploads = [(file.name, file.getvalue()) for file in given]
    golds = [(file.name, file.getvalue()) for file in gold]
    content = content_of(uploads, golds)
    name = _name_of([name for name, _ in uploads], content)
    try:
        files = add_gold_files(upload_files(uploads), upload_files(golds)) if golds else upload_files(uploads)
    except NlpsigError as error:
        tasks.refuse(str(error))
        return
    _try(recognition.Given(name, content, files, partial(cache.task_in, files, name, content)))


def content_of(uploads: Sequence[tuple[str, bytes]], golds: Sequence[tuple[str, bytes]]) -> str:
    """The digest of files, and of those that are their gold, each with its name."""
    return digest_of(*([(name, digest(data)) for name, data in files] for files in (uploads, golds)))


def _try(given: recognition.Given) -> None:
    """Open the task that files make up, or let the user say what they are."""
    try:
        given.opened(Correction())
    except NlpsigError as error:
        recognition.keep_unrecognised(given, str(error))
        return
    _accept(given)


def _accept(given: recognition.Given) -> None:
    """Put a task among those of the session, and open it."""
    if given.content:
        st.session_state["uploads"][given.name] = given
    else:
        tasks.open_folder(given.name)
    _switch(given.name)


def _name_of(paths: list[str], content: str) -> str:
    """A name for an upload: its folder's or zip's; another upload of that name gets a number."""
    first = paths[0].replace("\\", "/")
    base = first.split("/")[0] if "/" in first else Path(first).stem if len(paths) == 1 else "files"
    taken = {name for name, other in st.session_state["uploads"].items() if other.content != content}
    names = [f"{base} (uploaded)", *(f"{base} (uploaded, {n})" for n in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _open_folder() -> None:
    st.caption(f"A folder or zip below {tasks.folder_root()}, read where it lies.")
    st.text_input("Path", key="folder_path", placeholder="/data/my-shared-task")
    st.text_input("Gold, where it lies apart", key="folder_gold", placeholder="/data/gold (a file or a folder)")
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
    _try(recognition.Given(name, "", files, partial(cache.task_at, name)))
