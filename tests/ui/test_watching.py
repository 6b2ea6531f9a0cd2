"""Waiting for computations on screen: the queue, Stop for the session that presses it, and texts as they are."""

from __future__ import annotations

import threading
import time
from uuid import uuid4

import pytest
from streamlit.runtime.caching import clear_session_resource_cache
from streamlit.testing.v1 import AppTest

from tests.apps import app, charts, listed_pairs
from ui.significance.pairs import significance
from ui.work import memory, watching
from ui.work.computations import Computation
from ui.work.jobs import Jobs
from ui.work.memory import Memory

ODD = "**BLEU** :red[x]"
PLAIN = r"\*\*BLEU\*\* :red\[x\]".replace(":", r"\:")


def script(computation, how="watch"):
    """A page that waits for one computation, or starts it in the background."""
    import streamlit as st

    from ui.work import watching

    st.text(getattr(watching, how)(computation))


@pytest.fixture
def until():
    """An event for which the work of a test waits."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def texts(monkeypatch, until) -> list[tuple[float, str]]:
    """The shares and texts of bars, the first of which ends the work."""
    shown: list[tuple[float, str]] = []

    class Bar:
        def progress(self, share, text):
            shown.append((share, text))
            until.set()

    monkeypatch.setattr(watching.st, "progress", lambda share: Bar())
    return shown


def waiting(until: threading.Event) -> Computation[str]:
    """A computation under a key of its own that is half done until an event."""

    def work(tell):
        tell(0.5, ODD)
        while not until.wait(0.01):
            tell(0.5, ODD)
        return "done"

    return Computation(key=("waiting", uuid4().hex), work=work, label=ODD, name="waiting")


class Sessions:
    """Sessions in place of Streamlit's, one of which is at work."""

    def __init__(self, monkeypatch) -> None:
        self.monkeypatch, self.states = monkeypatch, {}
        monkeypatch.setattr(watching, "_session", lambda: self.name)

    def enter(self, name: str) -> None:
        """From now on, this one is at work."""
        self.name = name
        self.monkeypatch.setattr(watching.st, "session_state", self.states.setdefault(name, {}))


def test_stop_is_for_the_session_that_presses_it(monkeypatch, until):
    """Two wait, and one stops: it is told how far the work was, and the other one gets its result."""
    computation, sessions = waiting(until), Sessions(monkeypatch)
    for name in ("stops", "waits"):
        sessions.enter(name)
        job = watching._ask(computation)
    while not job.share:
        time.sleep(0.01)
    sessions.enter("stops")
    watching._stop(computation.key, job)
    watching.start(computation)
    assert watching._stopped() == {computation.key: 0.5}
    assert watching.known(computation)
    assert not watching.soon(computation)
    assert job.askers == {"waits"}
    until.set()
    sessions.enter("waits")
    assert watching.soon(computation)
    sessions.enter("comes later")
    assert watching.ready(computation)


def test_what_was_stopped_can_be_run_again(until):
    computation = waiting(until)
    until.set()
    test = AppTest.from_function(script, kwargs={"computation": computation})
    test.session_state["stopped"] = {computation.key: 0.5}
    test.run()
    assert [warning.value for warning in test.warning] == [f"Stopped at 50%. {PLAIN}."]
    assert not watching.jobs().known(computation.key)
    test.button[0].click().run()
    assert [text.value for text in test.text] == ["done"]
    assert not test.warning


@pytest.fixture
def jobs(monkeypatch) -> Jobs:
    """The jobs of all sessions, on one core."""
    jobs = Jobs(cores=1)
    monkeypatch.setattr(watching, "jobs", lambda: jobs)
    return jobs


def test_the_place_in_the_queue_is_on_screen(jobs, until, texts):
    """One core, four jobs: the first computes, and the last has two before it."""
    asked = [jobs.ask(number, lambda tell: until.wait(5)) for number in range(3)]
    assert list(map(watching._progress, asked)) == [
        "0%",
        "waits for its turn, the next one",
        "waits for its turn, 1 job before it",
    ]
    AppTest.from_function(script, kwargs={"computation": waiting(until)}).run()
    assert texts[0][1] == f"{PLAIN} · waits for its turn, 2 jobs before it"


def test_the_end_of_a_session_leaves_its_jobs(jobs, until):
    """Streamlit clears the cache of a session whose browser has gone; another session still waits."""
    computation = waiting(until)
    AppTest.from_function(script, kwargs={"computation": computation, "how": "start"}).run()
    job = jobs.ask(computation.key, lambda tell: None, "another")
    assert len(job.askers) == 2
    clear_session_resource_cache("test session id")
    assert job.askers == {"another"}


def test_labels_and_notes_are_shown_as_they_are(until, texts):
    """The bar's text is Markdown, and names of files are in it."""
    AppTest.from_function(script, kwargs={"computation": waiting(until)}).run()
    assert texts == [(50, f"{PLAIN} · {PLAIN}")]


def test_after_the_last_session_memory_is_given_back(monkeypatch):
    """Two sessions: when one ends all values stay; when the other ends, as many as fit into an eighth of the limit."""
    own, collected = Memory(24_000), []
    for key in "abc":
        own.keep(key, key, 3_000)
    monkeypatch.setattr(watching, "kept", lambda: own)
    monkeypatch.setattr(watching, "collect", lambda: collected.append(1))
    monkeypatch.setattr(watching, "_SESSIONS", {"one", "two"})
    watching._end("one")
    assert (own.size, collected) == (9_000, [])
    watching._end("two")
    assert (own.find("c"), own.size, collected) == ("c", 3_000, [1])


def test_two_tests_that_are_stopped_leave_the_rest_of_the_page_and_run_again(monkeypatch):
    """The pair, the thresholds and the table stay; Run again runs, and does not ask again whether to run."""
    monkeypatch.setattr(significance, "MANY_DRAWS", 1)
    test, asked = app("pages/pairs.py", view="two tests", against="randomization", seed=92), []
    next(button for button in test.button if button.label.startswith("Run the")).click()
    monkeypatch.setattr(
        watching, "_ask", lambda computation, ask=watching._ask: asked.append(computation.key) or ask(computation)
    )
    test.run()
    assert len(charts(test)) == 1
    (stopped,) = {key for key in asked if "randomization" in str(key)}
    memory.kept.clear()
    watching.jobs.clear()
    test.session_state["stopped"] = {stopped: 0.25}
    test.run()
    assert [of.value for of in test.warning] == ["Stopped at 25%. Approximate randomization of every pair."]
    assert not charts(test)
    assert len(listed_pairs(test)) == len(test.dataframe[-1].value) == 378
    assert "Above this gain, pairs usually differ" in [header.value for header in test.header]
    test.button(key="again_against").click().run()
    assert not test.warning
    assert len(charts(test)) == 1
