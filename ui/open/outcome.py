"""What came of opening files: a line on what was read and the next step, or why they were not opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from nlpsig_core.base.words import count, shortened_list
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from ui.app import components
from ui.app.text import plain
from ui.open import recognition, tasks
from ui.open.recognition import Source

Accept = Callable[[Source, Correction], None]


@dataclass(frozen=True, kw_only=True)
class Failed:
    """Files that were not opened: their name, the reason, and their source if roles may help.

    ``beside`` is the task that was open and still is.
    """

    name: str
    reason: str
    source: Source | None
    beside: str


def fail(name: str, reason: str, source: Source | None = None) -> None:
    """Keep why files were not opened, until others are opened or the user returns to the open task."""
    beside = st.session_state.get("task") or tasks.first()
    st.session_state["failed"] = Failed(name=name, reason=reason, source=source, beside=beside)


def forget() -> None:
    """Forget files that were not opened."""
    st.session_state.pop("failed", None)


def arrive(name: str) -> None:
    """Open a task, and say so on the first page."""
    forget()
    st.session_state["task"] = st.session_state["arrived"] = name


def failed() -> Failed | None:
    """Return the files that were not opened, as long as the same task is open."""
    latest: Failed | None = st.session_state.get("failed")
    return latest if latest is not None and latest.beside == st.session_state.get("task") else None


def show_failure(accept: Accept) -> None:
    """Say why files were not opened, and offer a table of their roles if that may help, and the way back."""
    latest = failed()
    if latest is None:
        return
    if latest.source is None:
        components.refusal(f"{plain(latest.name)} was not opened.", latest.reason)
    else:
        st.warning(f"These files were not recognised: {plain(latest.name)}.", icon=":material/rule:")
        st.text(latest.reason)
        recognition.choose_roles(latest.source, accept)
    task = plain(tasks.short(latest.beside))
    st.button(f"Leave them and return to {task}", key="leave_failed", on_click=forget, icon=":material/undo:")


def warn_elsewhere() -> None:
    """Warn on other pages that the last files were not opened, and say which task is shown instead."""
    latest = failed()
    if latest is not None:
        st.warning(
            f"{plain(latest.name)} was not opened. This page shows {plain(tasks.short(latest.beside))}.",
            icon=":material/error:",
        )


def show_success(asked: bool = False) -> None:
    """Say what was read of the open task, if it has just been opened; in green unless a question is ``asked``."""
    if (opened := _arrived()) is None:
        return
    name, task = opened
    sets = f" on {count(len(task.test_sets), 'test set')}" if len(task.test_sets) > 1 else ""
    sentence = f"**{plain(tasks.short(name))}** is open: {task.reader.name}, {count(_systems(task), 'system')}{sets}."
    if not task.unused:
        say, icon = (st.info, ":material/rule:") if asked else (st.success, ":material/check_circle:")
        say(sentence, icon=icon)
        return
    named = "; ".join(shortened_list(f"{path} ({reason})" for path, reason in task.unused.items()))
    st.warning(f"{sentence} Not used: {plain(named)}.", icon=":material/rule:")


def next_steps() -> None:
    """Draw links to the pages that answer the first questions about a task that has just been opened."""
    if (opened := _arrived()) is None:
        return
    with st.container(horizontal=True, gap="medium"):
        if len(opened[1].test_sets) > 1:
            components.page_link("Campaign", "Next: all test sets together")
        components.page_link("Scores", "Next: the ranking of its systems")
        if _systems(opened[1]) > 1:
            components.page_link("Pairs", "Next: test every pair")


def _arrived() -> tuple[str, SharedTask] | None:
    """Return the name and the task, if the open task has just been opened."""
    opened = tasks.opened()
    if opened is None or opened[0].name != st.session_state.get("arrived"):
        return None
    return opened[0].name, opened[1]


def _systems(task: SharedTask) -> int:
    return int(task.systems["system"].nunique())
