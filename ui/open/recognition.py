"""The recognised format and roles of a task's files, and the user's corrections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.base.words import count, first_few
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.items.answers import KINDS
from nlpsig_core.data.task.bundles import SUBMISSIONS
from nlpsig_core.data.task.domain_rule import DomainRule
from nlpsig_core.data.task.naming import roles_by_name, roles_of_format
from nlpsig_core.data.task.shared_task import Correction, SharedTask, like_gold
from nlpsig_core.data.task.test_set import TestSet
from ui.app import components
from ui.app.text import plain
from ui.open import kept
from ui.work.cache import TaskKey
from ui.work.memory import remember_as

# The format option that infers the format from the files.
INFERRED = "inferred from the files"
# Where the session keeps the task and the corrections that the latest ones replaced, and why those were dropped.
REPLACED, REFUSED = "corrections_replaced", "corrections_refused"
Read = Callable[[Correction], tuple[TaskKey, SharedTask]]


@dataclass(frozen=True, kw_only=True)
class Source:
    """Files that may make a task: their ``name`` and ``paths``, and how to read them with a correction.

    ``keep`` keeps them with the correction that they need, and returns the name that opens the task.
    """

    name: str
    paths: Sequence[str]
    read: Read
    keep: Callable[[Correction], str]


def recognised(key: TaskKey, task: SharedTask, test_set: TestSet) -> None:
    """Draw the format and the gold in one line, and a table in which the user can change format and roles."""
    if test_set.packed is not None:
        _pack(task, test_set)
        return
    before = correction_of(key)
    outputs = count(len(task.systems), "output" if "run" in task.systems else "system")
    gold = "" if task.reader.logs else f", scored against {_gold(test_set)}"
    line = f"{task.reader.name}: {outputs}{gold}"
    editor = f"roles_{hash(key)}"
    with st.expander(f"Read as {plain(line)}", icon=":material/rule:", expanded=REFUSED in st.session_state):
        if show_refusal():
            st.session_state.pop(f"{editor}_submissions", None)
        if task.reader.name in KINDS:
            _first_items(test_set)
        _editor(editor, task.roles, task.reader.name, before, task.submissions, partial(_take, key.name))
        if kept.of(key.name).correction is not None:
            st.button(
                "Undo corrections",
                key="as_recognised",
                on_click=_correct,
                args=(key.name, None),
                icon=":material/undo:",
            )


def ask_if_gold(key: TaskKey, task: SharedTask) -> bool:
    """Ask what to do with systems that may be golds: leave them out, use or keep them; return whether there are any."""
    before = correction_of(key)
    found = remember_as(("like_gold", key), lambda: like_gold(task))
    found = {name: paths for name, paths in found.items() if not before.roles.keys() & set(paths)}
    if not found:
        return False
    names = plain(first_few(task.labels[name] for name in found))
    st.warning(f"By name or content, maybe a gold and not a system: **{names}**.", icon=":material/content_copy:")
    roles = {"Leave out": "not used"} | ({"Use as a reference": "gold"} if task.reader.several_gold else {})
    roles["Keep as a system"] = "output"
    paths = [path for of_system in found.values() for path in of_system]
    with st.container(horizontal=True):
        for label, role in roles.items():
            corrected = replace(before, roles={**before.roles, **dict.fromkeys(paths, role)})
            st.button(label, key=f"like_gold_{role}", on_click=_take, args=(key.name, corrected))
    return True


def _first_items(test_set: TestSet) -> None:
    """Show the first items as they are read; a gold that cannot be read is reported below."""
    with suppress(NlpsigError):
        st.text("\n".join([f"The first items of {test_set.gold.name}:", *test_set.gold.beginning()]))


def _pack(task: SharedTask, test_set: TestSet) -> None:
    """Say what a pack is, where its statistics are from, and what it does not have."""
    assert test_set.packed is not None
    of = f"A pack of {task.reader.name}: statistics of {count(len(task.systems), 'output')}, without texts"
    with st.expander(of, icon=":material/inventory_2:"):
        families = ", ".join(f"{name} (counted by {one.version})" for name, one in test_set.packed.families.items())
        rows = {**test_set.about, "statistics": families, "scored against": _gold(test_set)}
        st.text("\n".join(f"{name}: {text}" for name, text in rows.items()))
        st.caption("Units cannot be shown, and files cannot be read another way; all tests, figures and tables can.")


def with_corrections(name: str, read: Read) -> tuple[TaskKey, SharedTask]:
    """Return the task of that name with the user's corrections; for those that fail, with the ones before them."""
    of_task = kept.of(name)
    if of_task.correction is None:
        return read(of_task.first)
    try:
        return read(of_task.correction)
    except NlpsigError as error:
        st.session_state.setdefault(REFUSED, str(error))
        corrected, before = st.session_state.pop(REPLACED, ("", None))
        _correct(name, before if corrected == name else None)
        return with_corrections(name, read)


def show_refusal() -> bool:
    """Say why the latest corrections were dropped, once, and return whether there were any."""
    reason = st.session_state.pop(REFUSED, "")
    if reason:
        components.refusal("The files cannot be read this way; nothing was changed.", reason)
    return bool(reason)


def domains_by_rule(key: TaskKey, test_set: TestSet) -> None:
    """Draw a field for the regular expression that extracts domains from unit names, for tasks without domains.tsv."""
    before = correction_of(key)
    rule = st.text_input(
        "Domain of a unit: the match of this regular expression in its name or document",
        key=f"domain_rule_{hash((key.name, key.files))}",
        placeholder="^([a-z]+)-",
        help="The first group, or the whole match. For GUM: GUM_([a-z]+)_. For EWT: ^([a-z]+)-. "
        "The syntax is that of RE2: without lookaround and backreferences; \\\\w is ASCII, \\\\pL is any letter.",
    )
    if rule != before.domain_rule:
        try:
            # Remembered with the time that it took: a slow rule is refused at once when the page is drawn again.
            test_set.domains_by(remember_as(("domain_rule", key, rule), lambda: DomainRule(rule)))
            _correct(key.name, replace(before, domain_rule=rule))
        except NlpsigError as error:
            st.error(plain(str(error)))
        else:
            st.rerun()


def choose_roles(source: Source, accept: Callable[[Source, Correction], None]) -> None:
    """Draw a table in which the user assigns roles to files that were not recognised; then call ``accept``."""
    st.caption("Choose the role of each file: at least one gold (or reference), and the systems' outputs.")
    roles = {**dict.fromkeys(source.paths, "output"), **roles_by_name(source.paths, {}).roles}
    # The editor keeps what was changed by row: other files need an editor of their own.
    key = f"unrecognised_{digest_of(source.name, source.paths)}"
    _editor(key, roles, INFERRED, Correction(), "", partial(accept, source))


def correction_of(key: TaskKey) -> Correction:
    """Return the user's correction of a task's format and roles."""
    return kept.of(key.name).reading


def _gold(test_set: TestSet) -> str:
    """Return the paths of a test set's gold, and of files that are read with it."""
    first, *others = (file.path for file in test_set.gold_files)
    if test_set.reader.several_gold:
        return ", ".join([first, *others])
    return first + (f" (with {', '.join(others)})" if others else "")


def _editor(
    key: str,
    roles: Mapping[str, str],
    format: str,
    before: Correction,
    submissions: str,
    accept: Callable[[Correction], None],
) -> None:
    """Draw the format, and a row per file (or column of a score table) with its role and how to read it.

    ``submissions`` is which of a team's are systems, "" if no team has several. ``accept`` is called with the earlier
    correction, ``before``, and what the user has changed.
    """
    reader = READERS.get(format)
    table = pd.DataFrame({"file": list(roles), "role": list(roles.values())})
    if reader is not None and reader.read_as:
        usual = next(iter(reader.read_as))
        table["read as"] = [before.read_as.get(path, usual) for path in roles]
    options = roles_of_format(reader)
    formats = [*([INFERRED] if reader is None else []), *READERS]
    with st.form(f"{key}_form", border=False):
        st.selectbox("Format", formats, index=formats.index(format), key=f"{key}_format")
        if submissions:
            st.radio(
                "Submissions of a team",
                list(SUBMISSIONS),
                index=list(SUBMISSIONS).index(submissions),
                key=f"{key}_submissions",
                captions=list(SUBMISSIONS.values()),
                horizontal=True,
            )
        st.data_editor(
            table,
            key=key,
            hide_index=True,
            disabled=["file"],
            alt="The role of each file",
            column_config={
                "role": st.column_config.SelectboxColumn(options=list(options), required=True),
                "read as": st.column_config.SelectboxColumn(options=list(reader.read_as) if reader else []),
            },
        )
        st.form_submit_button(
            "Read again", icon=":material/refresh:", on_click=lambda: accept(_corrected(key, table, format, before))
        )


def _corrected(key: str, table: pd.DataFrame, format: str, before: Correction) -> Correction:
    """Return the earlier correction with the changes of the editor."""
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
        submissions=st.session_state.get(f"{key}_submissions", before.submissions),
    )


def _take(name: str, correction: Correction) -> None:
    st.session_state[REPLACED] = name, kept.of(name).correction
    _correct(name, correction)


def _correct(name: str, correction: Correction | None) -> None:
    kept.change(name, lambda _: {"correction": correction})
