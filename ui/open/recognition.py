"""What the files of a task were taken for, and how the user puts it right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from nlpsig_core.errors import NlpsigError
from nlpsig_core.readers import READERS
from nlpsig_core.task.files import Files
from nlpsig_core.task.naming import roles_of_format
from nlpsig_core.task.shared_task import Correction, SharedTask
from nlpsig_core.task.test_set import TestSet
from nlpsig_core.words import count
from ui.app import components
from ui.app.cache import TaskKey
from ui.app.text import plain

# The choice among formats that leaves it to the files.
BY_THE_FILES = "as the files say"
Opened = Callable[[Correction], tuple[TaskKey, SharedTask]]


@dataclass(frozen=True)
class Given:
    """Files to be opened by a name: the digest of what was uploaded ("" of a folder), and how they become a task.

    ``opened`` gives the task for what the user says of the files.
    """

    name: str
    content: str
    files: Files
    opened: Opened


def recognised(key: TaskKey, task: SharedTask, test_set: TestSet) -> None:
    """The format and the roles of the files in a line, and a table in which they can be changed."""
    before = said_of(key)
    line = f"{task.reader.name}: {count(len(task.systems), 'system')}, scored against {_gold(test_set)}"
    with st.expander(f"Read as {plain(line)}", icon=":material/rule:"):
        _editor(f"roles_{hash(key)}", task.roles, task.reader.name, before, _read_again, key.name)
        if key.name in st.session_state["corrections"]:
            st.button("As recognised", key="as_recognised", on_click=_undo, args=(key.name,), icon=":material/undo:")


def with_corrections(name: str, opened: Opened) -> tuple[TaskKey, SharedTask]:
    """The task of that name as the user has put it right in this session; what does not work is said and forgotten."""
    corrections = st.session_state.setdefault("corrections", {})
    usual = _said_at_first().get(name, Correction())
    if name not in corrections:
        return opened(usual)
    try:
        return opened(corrections[name])
    except NlpsigError as error:
        del corrections[name]
        components.refusal("With these roles it is no task; nothing was changed.", str(error))
        return opened(usual)


def _said_at_first() -> dict[str, Correction]:
    """What the user said of files that were not recognised as they are, by the name of the task."""
    return st.session_state.setdefault("said_at_first", {})


def domains_by_rule(key: TaskKey) -> None:
    """A field for the rule by which domains are found in the names of units, where no table tells them."""
    before = said_of(key)
    rule = st.text_input(
        "Domain of a unit: what this regular expression finds in its sent_id or document",
        key=f"domain_rule_{hash((key.name, key.files))}",
        placeholder="^([a-z]+)-", help="Its first group, or all of it. For GUM: GUM_([a-z]+)_. For EWT: ^([a-z]+)-",
    )  # fmt: skip
    if rule != before.domain_rule:
        try:
            st.session_state["corrections"][key.name] = replace(before, domain_rule=rule)
        except NlpsigError as error:
            st.error(str(error))
        else:
            st.rerun()


def unrecognised(accept: Callable[[Given], None]) -> None:
    """A table in which the user says what the files are that make up no task as they are.

    ``accept`` is called where they make up one then.
    """
    if "unrecognised" not in st.session_state:
        return
    given, reason = st.session_state["unrecognised"]
    st.warning(f"The files of {plain(given.name)} were not recognised as a shared task.", icon=":material/rule:")
    st.text(reason)
    st.caption("Say what each file is: at least one is the gold (or a reference), the outputs are the systems'.")
    roles = dict.fromkeys((path for path, file in given.files.items() if not file.not_read), "output")
    _editor("unrecognised_roles", roles, BY_THE_FILES, Correction(), _open, given, accept)


def said_of(key: TaskKey) -> Correction:
    """What the user has said of a task's files."""
    return st.session_state["corrections"].get(key.name, _said_at_first().get(key.name, Correction()))


def _gold(test_set: TestSet) -> str:
    """The gold of a test set, and what is read with it."""
    first, *others = (file.path for file in test_set.gold_files)
    if test_set.reader.several_gold:
        return ", ".join([first, *others])
    return first + (f" (with {', '.join(others)})" if others else "")


def _editor(place: str, roles, format: str, before: Correction, on_submit: Callable, *arguments: object) -> None:
    """The format, and a row a file (or a column of a score table) with its role and how it is read."""
    reader = READERS.get(format)
    table = pd.DataFrame({"file": list(roles), "role": list(roles.values())})
    if reader is not None and reader.read_as:
        usual = next(iter(reader.read_as))
        table["read as"] = [before.read_as.get(path, usual) for path in roles]
    options = roles_of_format(reader)
    formats = [*([BY_THE_FILES] if reader is None else []), *READERS]
    with st.form(f"{place}_form", border=False):
        st.selectbox("Format", formats, index=formats.index(format), key=f"{place}_format")
        st.data_editor(
            table, key=place, hide_index=True, disabled=["file"], alt="The role of each file",
            column_config={
                "role": st.column_config.SelectboxColumn(options=list(options), required=True),
                "read as": st.column_config.SelectboxColumn(options=list(reader.read_as) if reader else []),
            },
        )  # fmt: skip
        st.form_submit_button(
            "Read again", icon=":material/refresh:", on_click=on_submit, args=(place, table, format, before, *arguments)
        )


def _said(place: str, table: pd.DataFrame, format: str, before: Correction) -> Correction:
    """What was said before and what has been changed now."""
    roles, read_as = dict(before.roles), dict(before.read_as)
    for row, changed in st.session_state[place]["edited_rows"].items():
        path = table["file"].iloc[row]
        roles |= {path: changed["role"]} if "role" in changed else {}
        read_as |= {path: changed["read as"]} if "read as" in changed else {}
    chosen = st.session_state[f"{place}_format"]
    return Correction(
        format=before.format if chosen == format else chosen,
        roles=roles,
        read_as=read_as,
        domain_rule=before.domain_rule,
    )


def _read_again(place: str, table: pd.DataFrame, format: str, before: Correction, name: str) -> None:
    st.session_state["corrections"][name] = _said(place, table, format, before)


def _undo(name: str) -> None:
    st.session_state["corrections"].pop(name, None)


def _open(
    place: str, table: pd.DataFrame, format: str, before: Correction, given: Given, accept: Callable[[Given], None]
) -> None:
    correction = _said(place, table, format, before)
    try:
        given.opened(correction)
    except NlpsigError as error:
        keep_unrecognised(given, str(error))
        return
    del st.session_state["unrecognised"]
    _said_at_first()[given.name] = correction
    accept(given)


def keep_unrecognised(given: Given, reason: str) -> None:
    """Files that make up no task as they are, until the user has said what they are or brings others."""
    st.session_state["unrecognised"] = given, reason
