"""The queue of jobs as pages use it: the place in it is on screen, and a session that ends leaves it."""

from __future__ import annotations

import threading

import pytest
import streamlit as st
from streamlit.runtime.caching import clear_session_resource_cache
from streamlit.testing.v1 import AppTest

from ui.work import watching
from ui.work.computations import Computation
from ui.work.jobs import Jobs


@pytest.fixture
def jobs(monkeypatch) -> Jobs:
    """The jobs of all sessions, on one core."""
    jobs = Jobs(cores=1)
    monkeypatch.setattr(watching, "jobs", lambda: jobs)
    return jobs


@pytest.fixture
def go_on():
    """An event for which all jobs of a test wait."""
    event = threading.Event()
    yield event
    event.set()


def page(go_on: threading.Event, how: str) -> AppTest:
    """A page that waits for one computation, or starts it in the background."""

    def script(computation, how):
        from ui.work import watching

        getattr(watching, how)(computation)

    computation = Computation(key="key", work=lambda tell: go_on.wait(5), label="Testing every pair", name="tested")
    test = AppTest.from_function(script, kwargs={"computation": computation, "how": how}).run()
    assert not test.exception
    return test


def test_the_place_in_the_queue_is_on_screen(jobs, go_on, monkeypatch):
    """One core, four jobs: the first computes, and the last has two before it."""
    shown = []

    class Bar:
        def progress(self, share, text):
            shown.append(text)
            go_on.set()

    monkeypatch.setattr(st, "progress", lambda share: Bar())
    asked = [jobs.ask(number, lambda tell: go_on.wait(5)) for number in range(3)]
    assert list(map(watching._progress, asked)) == [
        "0%", "waits for its turn, the next one", "waits for its turn, 1 job before it",
    ]  # fmt: skip
    page(go_on, "watch")
    assert shown[0] == "Testing every pair · waits for its turn, 2 jobs before it"


def test_the_end_of_a_session_leaves_its_jobs(jobs, go_on):
    """Streamlit clears the cache of a session whose browser has gone; another session still waits."""
    page(go_on, "start")
    job = jobs.ask("key", lambda tell: None, "another")
    assert len(job.askers) == 2
    clear_session_resource_cache("test session id")
    assert job.askers == {"another"}
