"""Waiting for a computation on screen: its progress, a button to stop it, and one to run it again."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar, cast
from uuid import uuid4

import streamlit as st

from nlpsig_core.base.words import count
from ui.app import components
from ui.app.text import plain
from ui.work.computations import Computation
from ui.work.heap import collect
from ui.work.jobs import Job, Jobs
from ui.work.memory import kept

Result = TypeVar("Result")
# Computations that take less than so many seconds show no bar, which is looked after as often.
A_MOMENT = 0.25


@st.cache_resource
def jobs() -> Jobs:
    """Return the jobs of all sessions."""
    return Jobs(results=kept())


# The sessions that have not ended.
_SESSIONS: set[str] = set()


def _end(session: str) -> None:
    """End a session; after the last one, most of what is kept is forgotten, and nobody waits while garbage goes."""
    jobs().leave_all(session)
    _SESSIONS.discard(session)
    if not _SESSIONS:
        kept().shrink()
        collect()


@st.cache_resource(scope="session", on_release=_end, show_spinner=False)
def _session() -> str:
    """Return a name for this session, whose jobs end with it."""
    name = uuid4().hex
    _SESSIONS.add(name)
    return name


def watch(computation: Computation[Result]) -> Result:
    """Return the result of a computation; if this session has stopped it, end the page with a button to run it again.

    Shows a progress bar and a Stop button where it takes more than a moment. Opening another page does not stop the
    computation, and its result is kept. Stop and choosing something else do, unless another session waits for the same
    result. What this session has stopped stays so until it is run again. Where memory does not suffice, the page ends
    with that.
    """
    result = watch_here(computation)
    if computation.key in _stopped():
        st.stop()
    return cast(Result, result)


def watch_here(computation: Computation[Result]) -> Result | None:
    """Return the same for a part of the page that the rest does not need: None where this session has stopped it."""
    if computation.key in _stopped():
        _show_stopped(computation)
        return None
    job = _ask(computation)
    if not job.finished.wait(A_MOMENT):
        _show_progress(job, computation)
    if job.error is not None:
        jobs().forget(job)
        if isinstance(job.error, MemoryError):
            components.no_room(f"{plain(computation.label)} has failed.", job.error)
        raise job.error
    return cast(Result, job.result)


def known(computation: Computation[Result]) -> bool:
    """Return whether a computation runs, has a result or was stopped by this session."""
    return computation.key in _stopped() or jobs().known(computation.key)


def ready(computation: Computation[Result]) -> bool:
    """Return whether the result of a computation is there; starts nothing."""
    return jobs().ready(computation.key)


def start(computation: Computation[Result]) -> None:
    """Start a computation in the background, unless it was stopped, so that a later ``watch`` finds its result."""
    if computation.key not in _stopped():
        _ask(computation)


def soon(computation: Computation[Result]) -> bool:
    """Start a computation, unless it was stopped; whether its result is there within a moment."""
    if computation.key in _stopped():
        return False
    job = _ask(computation)
    job.finished.wait(A_MOMENT)
    return job.ready


def _stopped() -> dict[Hashable, float]:
    """Return how far computations were when this session stopped them, by key."""
    stopped: dict[Hashable, float] = st.session_state.setdefault("stopped", {})
    return stopped


def _stop(key: Hashable, job: Job) -> None:
    """Stop a computation for this session, unless it has ended; others may wait for it."""
    if not job.finished.is_set():
        _stopped()[key] = job.share
        jobs().leave(key, _session())


def _show_stopped(computation: Computation[Result]) -> None:
    """Say how far a computation was when it was stopped, with a button to run it again."""
    key, label = computation.key, plain(computation.label)
    st.warning(f"Stopped at {_stopped()[key]:.0%}. {label}.", icon=":material/stop_circle:")
    st.button("Run again", key=f"again_{computation.name}", on_click=_run_again, args=(key,), type="primary")


def _run_again(key: Hashable) -> None:
    _stopped().pop(key, None)


def _show_progress(job: Job, computation: Computation[Result]) -> None:
    """Draw a bar and a Stop button until the job is finished."""
    box, label = st.empty(), plain(computation.label)
    with box.container(border=True):
        # By the job's number: a result that was not kept is computed again in the same run of a page.
        button = f"stop_{computation.name}_{job.order}"
        st.button("Stop", key=button, on_click=_stop, args=(computation.key, job), icon=":material/stop_circle:")
        bar, shown = st.progress(0.0), (0, "")
        while not job.finished.wait(A_MOMENT):
            # Many sessions may wait: a browser is told only what is new.
            if (now := (min(int(100 * job.share), 100), f"{label} · {_progress(job)}")) != shown:
                bar.progress(*now)
                shown = now
    box.empty()


def _progress(job: Job) -> str:
    """Return how far a job is, or how many others have their turn before it."""
    before = jobs().before(job)
    if before is None:
        return plain(job.note) or f"{job.share:.0%}"
    return f"waits for its turn, {count(before, 'job')} before it" if before else "waits for its turn, the next one"


def _ask(computation: Computation[Result]) -> Job:
    """Return the job of a computation; withdraws this session's request for another one of the same name."""
    key, name = computation.key, computation.name
    wanted: dict[str, Hashable] = st.session_state.setdefault("jobs", {})
    session = _session()
    if wanted.get(name, key) != key:
        jobs().leave(wanted[name], session)
    wanted[name] = key
    return jobs().ask(key, computation.work, session)
