"""The recognised format and roles of a task's files, and the user's corrections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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

# The format option that infers the format from the files.
INFERRED = "inferred from the files"
Read = Callable[[Correction], tuple[TaskKey, SharedTask]]


@dataclass(frozen=True, kw_only=True)
class Source:
    """Files that may make a task, under the name that opens it.

    ``content`` is the digest of an upload, "" for a folder. ``read`` returns the task, read with a correction.
    """

    name: str
    content: str
    files: Files
    read: Read


def recognised(key: TaskKey, task: SharedTask, test_set: TestSet) -> None:
    """The format and the gold in one line, and a table in which the user can change format and roles."""
    before = correction_of(key)
    line = f"{task.reader.name}: {count(len(task.systems), 'system')}, scored against {_gold(test_set)}"
    with st.expander(f"Read as {plain(line)}", icon=":material/rule:"):
        _editor(f"roles_{hash(key)}", task.roles, task.reader.name, before, _read_again, key.name)
        if key.name in st.session_state["corrections"]:
            st.button("Undo corrections", key="as_recognised", on_click=_undo, args=(key.name,), icon=":material/undo:")


def with_corrections(name: str, read: Read) -> tuple[TaskKey, SharedTask]:
    """The task of that name with the corrections of this session; one that fails is reported and dropped."""
    corrections = st.session_state.setdefault("corrections", {})
    usual = _first_corrections().get(name, Correction())
    if name not in corrections:
        return read(usual)
    try:
        return read(corrections[name])
    except NlpsigError as error:
        del corrections[name]
        components.refusal("The files are not a task with these roles; nothing was changed.", str(error))
        return read(usual)


def _first_corrections() -> dict[str, Correction]:
    """The corrections without which files were not recognised, by the name of the task."""
    corrections: dict[str, Correction] = st.session_state.setdefault("first_corrections", {})
    return corrections


def domains_by_rule(key: TaskKey) -> None:
    """A field for the regular expression that extracts domains from unit names, for tasks without domains.tsv."""
    before = correction_of(key)
    rule = st.text_input(
        "Domain of a unit: the match of this regular expression in its sent_id or document",
        key=f"domain_rule_{hash((key.name, key.files))}",
        placeholder="^([a-z]+)-",
        help="The first group, or the whole match. For GUM: GUM_([a-z]+)_. For EWT: ^([a-z]+)-",
    )  # fmt: skip
    if rule != before.domain_rule:
        try:
            st.session_state["corrections"][key.name] = replace(before, domain_rule=rule)
        except NlpsigError as error:
            st.error(str(error))
        else:
            st.rerun()


def unrecognised(accept: Callable[[Source], None]) -> None:
    """A table in which the user assigns roles to files that were not recognised; then calls ``accept``."""
    if "unrecognised" not in st.session_state:
        return
    source, reason = st.session_state["unrecognised"]
    st.warning(f"The files of {plain(source.name)} were not recognised as a shared task.", icon=":material/rule:")
    st.text(reason)
    st.caption("Choose the role of each file: at least one gold (or reference), and the systems' outputs.")
    roles = dict.fromkeys((path for path, file in source.files.items() if not file.not_read), "output")
    _editor("unrecognised_roles", roles, INFERRED, Correction(), _open, source, accept)


def correction_of(key: TaskKey) -> Correction:
    """The user's correction of a task's format and roles."""
    corrections: dict[str, Correction] = st.session_state["corrections"]
    return corrections.get(key.name, _first_corrections().get(key.name, Correction()))


def _gold(test_set: TestSet) -> str:
    """The paths of a test set's gold, and of files that are read with it."""
    first, *others = (file.path for file in test_set.gold_files)
    if test_set.reader.several_gold:
        return ", ".join([first, *others])
    return first + (f" (with {', '.join(others)})" if others else "")


def _editor(
    key: str,
    roles: Mapping[str, str],
    format: str,
    before: Correction,
    on_submit: Callable[..., None],
    *arguments: object,
) -> None:
    """The format, and a row per file (or column of a score table) with its role and how to read it."""
    reader = READERS.get(format)
    table = pd.DataFrame({"file": list(roles), "role": list(roles.values())})
    if reader is not None and reader.read_as:
        usual = next(iter(reader.read_as))
        table["read as"] = [before.read_as.get(path, usual) for path in roles]
    options = roles_of_format(reader)
    formats = [*([INFERRED] if reader is None else []), *READERS]
    with st.form(f"{key}_form", border=False):
        st.selectbox("Format", formats, index=formats.index(format), key=f"{key}_format")
        st.data_editor(
            table, key=key, hide_index=True, disabled=["file"], alt="The role of each file",
            column_config={
                "role": st.column_config.SelectboxColumn(options=list(options), required=True),
                "read as": st.column_config.SelectboxColumn(options=list(reader.read_as) if reader else []),
            },
        )  # fmt: skip
        st.form_submit_button(
            "Read again", icon=":material/refresh:", on_click=on_submit, args=(key, table, format, before, *arguments)
        )


def _corrected(key: str, table: pd.DataFrame, format: str, before: Correction) -> Correction:
    """The earlier correction with the changes of the editor."""
    roles, read_as = dict(before.roles), dict(before.read_as)
    for row, changed in st.session_state[key]["edited_rows"].items():
        path = table["file"].iloc[row]
        roles |= {path: changed["role"]} if "role" in changed else {}
        read_as |= {path: changed["read as"]} if "read as" in changed else {}
    chosen = st.session_state[f"{key}_format"]
    return Correction(
        format=before.format if chosen == format else chosen,
        roles=roles,
        read_as=read_as,
        domain_rule=before.domain_rule,
    )


def _read_again(key: str, table: pd.DataFrame, format: str, before: Correction, name: str) -> None:
    st.session_state["corrections"][name] = _corrected(key, table, format, before)


def _undo(name: str) -> None:
    st.session_state["corrections"].pop(name, None)


def _open(
    key: str, table: pd.DataFrame, format: str, before: Correction, source: Source, accept: Callable[[Source], None]
) -> None:
    correction = _corrected(key, table, format, before)
    try:
        source.read(correction)
    except NlpsigError as error:
        keep_unrecognised(source, str(error))
        return
    del st.session_state["unrecognised"]
    _first_corrections()[source.name] = correction
    accept(source)


def keep_unrecognised(source: Source, reason: str) -> None:
    """Keep unrecognised files and the reason until the user assigns roles or uploads other files."""
    st.session_state["unrecognised"] = source, reason
