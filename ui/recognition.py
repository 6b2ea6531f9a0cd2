"""What the files of a task were taken for, and how the user puts it right."""

from __future__ import annotations

from collections.abc import Hashable

import pandas as pd
import streamlit as st

from nlpsig_core.errors import NlpsigError
from nlpsig_core.layout import ROLES
from nlpsig_core.readers import READERS
from nlpsig_core.score_tables import BETWEEN, COLUMN_ROLES
from nlpsig_core.task import Correction, SharedTask
from nlpsig_core.test_set import TestSet
from ui import cache, components
from ui.text import count, plain


def recognised(key: Hashable, task: SharedTask, test_set: TestSet) -> None:
    """The format and the roles of the files in a line, and a table in which they can be changed."""
    reader = task.reader
    line = f"{reader.name}: {count(len(task.systems), 'system')}, scored against {_gold(test_set)}"
    with st.expander(f"Read as {plain(line)}", icon=":material/rule:"):
        _correct(key, task)


def with_corrections(key: Hashable, task: SharedTask) -> tuple[Hashable, SharedTask]:
    """The task as the user has put it right in this session; what does not work is said and forgotten."""
    correction = st.session_state.setdefault("corrections", {}).get(key)
    if correction is None:
        return key, task
    try:
        return cache.corrected(key, task, correction)
    except NlpsigError as error:
        del st.session_state["corrections"][key]
        components.refusal("With these roles it is no task; nothing was changed.", str(error))
        return key, task


def _gold(test_set: TestSet) -> str:
    """The gold of a test set, and what is read with it."""
    first, *others = (file.path for file in test_set.gold_files)
    if test_set.reader.several_gold:
        return ", ".join([first, *others])
    return first + (f" (with {', '.join(others)})" if others else "")


def _correct(key: Hashable, task: SharedTask) -> None:
    reader, widget = task.reader, f"roles_{hash(key)}"
    # A corrected task has the key of the files with the correction behind it.
    original = key[0] if isinstance(key, tuple) and key[0] in st.session_state["corrections"] else key
    before = st.session_state["corrections"].get(original, Correction())
    with st.form(f"{widget}_form", border=False):
        formats = list(READERS)
        format = st.selectbox("Format", formats, index=formats.index(reader.name), key=f"{widget}_format")
        table = _roles(task, before)
        columns = {
            "role": st.column_config.SelectboxColumn(options=_options(reader.name), required=True),
            "read as": st.column_config.SelectboxColumn(options=list(reader.read_as)),
        }
        edited = st.data_editor(
            table, key=widget, hide_index=True, disabled=["file"], column_config=columns, alt="The role of each file"
        )
        if st.form_submit_button("Read again", icon=":material/refresh:"):
            st.session_state["corrections"][original] = _correction(before, format, reader.name, table, edited)
            st.rerun()
    if original in st.session_state["corrections"]:
        st.button("As recognised", key=f"{widget}_undo", on_click=_undo, args=(original,), icon=":material/undo:")


def _options(format: str) -> list[str]:
    return list(dict.fromkeys([*COLUMN_ROLES, *ROLES] if format == "Score table" else ROLES))


def _roles(task: SharedTask, before: Correction) -> pd.DataFrame:
    """A row a file, or a column of a score table: file, role, and how it is read where that can be chosen."""
    roles = {path: role for path, role in task.roles.items() if role != "table" or BETWEEN in path}
    table = pd.DataFrame({"file": list(roles), "role": list(roles.values())})
    if task.reader.read_as:
        usual = next(iter(task.reader.read_as))
        table["read as"] = [before.read_as.get(path, usual) for path in roles]
    return table


def _correction(before: Correction, format: str, was: str, table: pd.DataFrame, edited: pd.DataFrame) -> Correction:
    """What was said before and what has been changed now."""
    roles, read_as = dict(before.roles), dict(before.read_as)
    for old, new in zip(table.itertuples(index=False), edited.itertuples(index=False), strict=True):
        if new[1] != old[1]:
            roles[new[0]] = new[1]
        if len(new) > 2 and new[2] != old[2]:
            read_as[new[0]] = new[2]
    return Correction(format if format != was else before.format, roles, read_as)


def _undo(original: Hashable) -> None:
    st.session_state["corrections"].pop(original, None)
