"""Jobs: one job for whoever asks, progress, stopping, errors, and a bound on what is kept."""

from __future__ import annotations

import threading

import pytest

from ui.app.jobs import Cancelled, Jobs


def test_two_who_ask_for_the_same_get_the_same_work():
    """The work runs once and both see its result: 1 run, 2 askers."""
    runs = []
    jobs = Jobs()
    first, second = (jobs.ask("key", lambda tell: runs.append(1) or "done") for _ in range(2))
    assert first is second
    assert first.finished.wait(5)
    assert (first.result, runs) == ("done", [1])


def test_progress_is_seen_and_cancelling_ends_the_work():
    told, go_on = threading.Event(), threading.Event()

    def work(tell):
        tell(0.25, "a quarter")
        told.set()
        go_on.wait(5)
        tell(0.5, "half")
        return "never"

    job = Jobs().ask("key", work)
    assert told.wait(5)
    assert (job.share, job.note, job.cancelled) == (0.25, "a quarter", False)
    job.cancel()
    go_on.set()
    assert job.finished.wait(5)
    assert job.cancelled
    assert isinstance(job.error, Cancelled)
    assert job.result is None


def test_an_error_is_kept_for_the_one_who_asks():
    def work(tell):
        raise ValueError("no such thing")

    job = Jobs().ask("key", work)
    assert job.finished.wait(5)
    with pytest.raises(ValueError, match="no such thing"):
        raise job.error


def test_a_forgotten_job_starts_anew():
    jobs, runs = Jobs(), []
    jobs.ask("key", lambda tell: runs.append(1)).finished.wait(5)
    jobs.forget("key")
    jobs.ask("key", lambda tell: runs.append(2)).finished.wait(5)
    assert runs == [1, 2]


def test_only_the_most_recent_results_are_kept():
    jobs, runs = Jobs(kept=2), []
    for key in "abc":
        jobs.ask(key, lambda tell, key=key: runs.append(key)).finished.wait(5)
    jobs.ask("a", lambda tell: runs.append("a again")).finished.wait(5)
    jobs.ask("c", lambda tell: runs.append("c again")).finished.wait(5)
    assert runs == ["a", "b", "c", "a again"]


def test_work_that_nobody_wants_any_more_is_stopped():
    """Two ask; when one leaves it goes on, when the other leaves it ends, and who asks again gets a new run."""
    go_on = threading.Event()

    def work(tell):
        go_on.wait(5)
        tell(0.5, "half")
        return "done"

    jobs = Jobs()
    job = jobs.ask("key", work, "one")
    jobs.ask("key", work, "two")
    jobs.leave("key", "one")
    assert jobs.ask("key", work, "two") is job
    jobs.leave("key", "two")
    go_on.set()
    assert job.finished.wait(5)
    assert job.cancelled
    again = jobs.ask("key", work, "one")
    assert again is not job
    assert again.finished.wait(5)
    assert again.result == "done"


def test_leaving_finished_work_keeps_its_result():
    jobs = Jobs()
    job = jobs.ask("key", lambda tell: "done", "one")
    assert job.finished.wait(5)
    jobs.leave("key", "one")
    assert jobs.ask("key", lambda tell: "other", "two") is job
