"""The box that opens one's own outputs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.digests import digest, digest_of
from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task.files import Files
from nlpsig_core.data.task.folders import resolved, shown
from nlpsig_core.data.task.limits import why
from nlpsig_core.data.task.loading import add_gold_files, gold_files
from nlpsig_core.data.task.opening import open_files, upload_files
from nlpsig_core.data.task.outlines import Outline
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from ui.app import components
from ui.app.text import plain
from ui.open import folders, kept, outcome, tasks
from ui.open.recognition import Source
from ui.open.workspace import Uploads
from ui.work import cache


def welcome() -> None:
    """Say what the app is for, and link to the film."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            "**Is system B really better than system A?** Drop the outputs; see which differences are more than luck.",
            width="content",
        )
        components.page_link("Learn", "Watch the film")


def opener() -> DeltaGenerator:
    """Draw the box in which one's own files are dropped, with what came of it, and return it."""
    box = st.container(border=True, key="opener")
    with box:
        st.header("Drop your files here", anchor=False)
        ways = {"Files or zip": _upload_files, "Folder": _upload_folder}
        if folders.roots():
            ways["Folder on this machine"] = _open_folder
        for tab, draw in zip(st.tabs(list(ways)), ways.values(), strict=True):
            with tab:
                draw()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(kept.promise())
            _formats()
        outcome.show_failure(_try)
    return box


def _formats() -> None:
    """Draw a panel with what can be opened."""
    with st.popover("Formats", icon=":material/help:", type="tertiary"):
        st.markdown(
            f"**Outputs**: {', '.join(READERS)}.\n\n"
            "**Beside them**: groups.tsv (system, group), domains.tsv. References have ref in their names.\n\n"
            "**Whole**: a zip or folder of these, a published CoNLL package, a pack (.nlpsig), a table of scores, the "
            "logs of a harness (lm-evaluation-harness, Inspect, HELM, ...), results of SWE-bench."
        )


def _upload_files() -> None:
    st.caption("One reference file and one file per system, or a zip of them.")
    _upload("Files", "upload", many=True)


def _upload_folder() -> None:
    st.caption("A folder with a reference file and one file per system.")
    _upload("Folder", "upload_folder", many="directory")


def _upload(label: str, key: str, many: bool | Literal["directory"]) -> None:
    """Draw an uploader, and one of gold in a fold."""
    uploader = partial(st.file_uploader, on_change=_take, args=(key,), label_visibility="collapsed")
    uploader(label, accept_multiple_files=many, key=key)
    with st.expander("Gold supplied separately"):
        st.caption("One gold file, or one per test set with the same name as the outputs.")
        uploader("Gold", accept_multiple_files=True, key=f"{key}_gold")


def _take(key: str) -> None:
    """Open the uploaded files as a task, or keep the error message for the screen."""
    outcome.forget()
    uploads, gold = (_uploaded(name) for name in (key, f"{key}_gold"))
    if not uploads:
        return
    base = _base([name for name, _ in uploads])
    try:
        files = add_gold_files(upload_files(uploads), upload_files(gold)) if gold else upload_files(uploads)
    except (NlpsigError, MemoryError) as error:
        outcome.fail(base, why(error))
        return
    if kept.name_for(base, uploads, gold) in kept.tasks():
        outcome.arrive(kept.add(base, uploads, gold, Correction()))
    else:
        _try(_source(base, uploads, gold, files))


def _uploaded(key: str) -> Uploads:
    """Return the names and contents of the files of an uploader."""
    return [(file.name, file.getvalue()) for file in st.session_state.get(key) or []]


def _source(base: str, uploads: Uploads, gold: Uploads, files: Files) -> Source:
    """Return uploaded files that may make a task."""
    name = kept.name_for(base, uploads, gold)
    content = digest_of(*(tuple((path, digest(data)) for path, data in part) for part in (uploads, gold)))
    return Source(
        name=base,
        paths=_readable(files),
        read=partial(cache.task_in, lambda: files, name, content),
        keep=partial(kept.add, base, uploads, gold),
    )


def _try(source: Source, correction: Correction = Correction()) -> None:
    """Open files as a task, or ask the user for their roles."""
    try:
        _, task = source.read(correction)
        _read_gold(task)
    except (NlpsigError, MemoryError) as error:
        outcome.fail(source.name, why(error), source if source.paths else None)
        return
    outcome.arrive(source.keep(correction))


def _read_gold(task: SharedTask) -> Outline:
    """Return what the first gold that can be read says of its units; the NlpsigError of the first one if none can."""
    faults = []
    for test_set in task.test_sets.values():
        try:
            return test_set.outline
        except NlpsigError as error:
            faults.append(error)
    raise faults[0]


def _base(paths: list[str]) -> str:
    """Return a name for an upload: that of its folder, zip or only file."""
    first = paths[0].replace("\\", "/")
    return first.split("/")[0] if "/" in first else Path(first).stem if len(paths) == 1 else "files"


def _readable(files: Files) -> list[str]:
    return [path for path, file in files.items() if not file.not_read]


def _open_folder() -> None:
    roots = folders.roots()
    st.caption(f"A folder or zip below {' or '.join(plain(str(root)) for root in roots)}, read in place.")
    st.text_input("Path", key="folder_path", placeholder=str(roots[0] / "my-shared-task"))
    gold = f"{roots[0] / 'gold'} (a file or a folder)"
    st.text_input("Gold, if supplied separately", key="folder_gold", placeholder=gold)
    st.button("Open folder", on_click=_take_folder, key="open_folder")


def _take_folder() -> None:
    outcome.forget()
    paths = [st.session_state[key].strip() for key in ("folder_path", "folder_gold")]
    try:
        name = cache.WITH_GOLD.join(str(resolved(path)) for path in paths if path)
        path, _, gold = name.partition(cache.WITH_GOLD)
        folders.check(name)
        files = open_files(Path(path))
        files = add_gold_files(files, gold_files(Path(gold))) if gold else files
    except (NlpsigError, MemoryError) as error:
        outcome.fail(shown(paths[0]) or "The folder", why(error))
        return
    keep = partial(tasks.open_folder, name)
    _try(Source(name=name, paths=_readable(files), read=partial(cache.task_at, name), keep=keep))
