"""Waiting on screen: what a bar says of a job that waits for its turn, and the end of a session."""

from __future__ import annotations

import threading

import streamlit as st
from streamlit.runtime.caching import clear_session_resource_cache
from streamlit.testing.v1 import AppTest

from ui.app import watching
from ui.app.jobs import Jobs

# The work of the test that runs now; the app that AppTest runs finds it here.
GO_ON = threading.Event()


def asking() -> None:
    """An app that starts one computation."""
    from tests.ui.test_watching import GO_ON
    from ui.app.computations import Computation
    from ui.app.watching import start

    start(Computation(key="key", work=lambda tell: GO_ON.wait(5), label="Waiting", name="waiting"))


def test_the_place_in_the_queue_is_on_screen(monkeypatch):
    """One core, four jobs: the first computes, and the others have none, one and two before them."""
    jobs, shown = Jobs(cores=1), []

    class Bar:
        def progress(self, share, text=""):
            shown.append(text)
            GO_ON.set()

    GO_ON.clear()
    monkeypatch.setattr(watching, "jobs", lambda: jobs)
    monkeypatch.setattr(st, "progress", lambda share: Bar())
    asked = [jobs.ask(number, lambda tell: GO_ON.wait(5)) for number in range(4)]
    assert [watching._progress(job) for job in asked] == [
        "0%", "waits for its turn, the next one", "waits for its turn, 1 job before it",
        "waits for its turn, 2 jobs before it",
    ]  # fmt: skip
    watching._show_progress(asked[3], "tested", "Testing every pair")
    assert shown[0] == "Testing every pair · waits for its turn, 2 jobs before it"


def test_the_end_of_a_session_leaves_its_jobs(monkeypatch):
    """Streamlit clears the cache of a session whose browser has gone."""
    jobs = Jobs()
    GO_ON.clear()
    monkeypatch.setattr(watching, "jobs", lambda: jobs)
    test = AppTest.from_function(asking).run()
    assert not test.exception
    job = jobs.ask("key", lambda tell: None, "another")
    assert len(job.askers) == 2
    clear_session_resource_cache("test session id")
    assert job.askers == {"another"}
    GO_ON.set()
