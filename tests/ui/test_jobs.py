"""Jobs: one job for whoever asks, turns, progress, stopping, errors, and a bound on what is kept."""

from __future__ import annotations

import gc
import threading
import time
import weakref

import pytest

from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import random_stats
from ui.work import jobs as module
from ui.work.jobs import Cancelled, Jobs

A_MOMENT = 0.005


def ticking(until: threading.Event, log: list[str], name: str = ""):
    """Work that goes on, and says so, until an event."""

    def work(tell):
        while not until.is_set():
            log.append(name)
            tell(0.5, "")
            time.sleep(A_MOMENT)
        return name

    return work


def test_two_who_ask_for_the_same_get_the_same_work():
    """The work runs once and both see its result: 1 run, 2 askers."""
    runs = []
    jobs = Jobs()
    asked = [jobs.ask("key", lambda tell: runs.append(1) or "done") for _ in range(2)]
    assert [job.finished.wait(5) and job.result for job in asked] == ["done", "done"]
    assert runs == [1]


def test_a_part_of_a_job_is_kept_for_those_who_ask_for_it_alone():
    """Two jobs with the same part, and a page that asks for the part: it is computed once."""
    runs, jobs = [], Jobs()

    def of_part(tell):
        runs.append(1)
        tell(0.5, "half of the part")
        return "part"

    def whole(tell):
        return jobs.part("part", of_part, tell) + "s"

    results = []
    for key, work in (("a", whole), ("b", whole), ("part", of_part)):
        job = jobs.ask(key, work)
        assert job.finished.wait(5)
        results.append(job.result)
    assert (results, runs) == (["parts", "parts", "part"], [1])


def test_work_that_nobody_wants_any_more_ends_at_its_next_step():
    """Two ask; when one leaves it goes on, when the other leaves it ends, and who asks again gets a new run."""
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def work(tell):
        tell(0.25, "a quarter")
        begun.set()
        go_on.wait(5)
        try:
            tell(0.5, "half")
        except Cancelled:
            ended.set()
            raise
        return "done"

    jobs = Jobs()
    job = jobs.ask("key", work, "one")
    assert begun.wait(5)
    assert (job.share, job.note, job.error) == (0.25, "a quarter", None)
    jobs.ask("key", work, "two")
    jobs.leave("key", "one")
    assert jobs.ask("key", work, "two") is job
    jobs.leave("key", "two")
    assert isinstance(job.error, Cancelled)
    go_on.set()
    assert ended.wait(5)
    again = jobs.ask("key", work, "one")
    assert again.finished.wait(5)
    assert again.result == "done"


@pytest.mark.parametrize("error", [ValueError("no such thing"), SystemExit("no such thing")])
def test_an_error_is_kept_for_the_one_who_asks(error):
    """Whatever it is: the core is free for the next job."""

    def work(tell):
        raise error

    jobs = Jobs(cores=1)
    job = jobs.ask("key", work)
    assert job.finished.wait(5)
    with pytest.raises(type(error), match="no such thing"):
        raise job.error
    assert jobs.ask("other", lambda tell: None).finished.wait(5)


def test_a_job_that_failed_and_is_forgotten_starts_anew():
    """Once: another session that saw the first one end does not end the second."""
    jobs, runs = Jobs(), []

    def fails(tell):
        raise ValueError

    first = jobs.ask("key", fails)
    assert first.finished.wait(5)
    assert jobs.ask("key", fails) is first
    for _ in range(2):
        jobs.forget(first)
        assert jobs.ask("key", lambda tell: runs.append(1)).finished.wait(5)
    assert runs == [1]


def test_as_many_jobs_compute_as_there_are_cores_and_the_others_wait_their_turn():
    """Ten jobs of one session on two cores: two threads; the place in the queue is known; all end."""
    jobs, go_on, at_once, most = Jobs(cores=2), threading.Event(), [], []

    def work(tell):
        at_once.append(1)
        most.append(len(at_once))
        go_on.wait(5)
        at_once.pop()

    before = threading.active_count()
    asked = [jobs.ask(n, work, "one") for n in range(10)]
    assert threading.active_count() == before + 2
    assert [jobs.before(job) for job in asked[:5]] == [None, None, 0, 1, 2]
    go_on.set()
    assert all(job.finished.wait(5) for job in asked)
    assert max(most) == 2


def test_a_session_that_had_little_time_goes_first(monkeypatch):
    """One session fills the core and the queue; the first job of another is next when the core is free."""
    monkeypatch.setattr(module, "LEVELS", (A_MOMENT,))
    jobs, go_on, order = Jobs(cores=1), threading.Event(), []

    def work(name, until=None):
        def run(tell):
            if until:
                until.wait(5)
                time.sleep(2 * A_MOMENT)
            order.append(name)

        return run

    asked = [jobs.ask("a1", work("a1", go_on), "a"), *(jobs.ask(name, work(name), "a") for name in ("a2", "a3"))]
    asked.append(jobs.ask("b1", work("b1"), "b"))
    go_on.set()
    assert all(job.finished.wait(5) for job in asked)
    assert order == ["a1", "b1", "a2", "a3"]


def test_long_jobs_do_not_share_the_core_but_go_one_after_another(monkeypatch):
    """Two jobs of equal length: the first is done before the second begins, though slices end."""
    monkeypatch.setattr(module, "SLICE", 0.0)
    jobs, order = Jobs(cores=1), []

    def work(name):
        def run(tell):
            for _ in range(5):
                order.append(name)
                tell(0.5, "")
                time.sleep(A_MOMENT)

        return run

    asked = [jobs.ask(name, work(name), name) for name in ("first", "second")]
    assert all(job.finished.wait(5) for job in asked)
    assert order == ["first"] * 5 + ["second"] * 5


def test_jobs_without_end_do_not_keep_a_new_session_waiting(monkeypatch):
    """On one core, half as many jobs as may begin work without end; a short one of another session still ends."""
    monkeypatch.setattr(module, "SLICE", 0.0)
    monkeypatch.setattr(module, "LEVELS", (1e-9,))
    jobs, until, log = Jobs(cores=1), threading.Event(), []
    asked = [jobs.ask(n, ticking(until, log, str(n)), str(n)) for n in range(module.BEGUN // 2)]
    assert jobs.ask("short", lambda tell: "done", "new").finished.wait(5)
    assert not any(job.finished.is_set() for job in asked)
    until.set()
    assert [job.finished.wait(5) and job.result for job in asked] == [str(n) for n in range(len(asked))]


def test_begun_jobs_are_bounded(monkeypatch):
    """Every slice is over at once, and each session had more time than the next: only so many threads begin."""
    monkeypatch.setattr(module, "SLICE", 0.0)
    monkeypatch.setattr(module, "LEVELS", (1e-9,))
    jobs, until, log = Jobs(cores=1), threading.Event(), []
    asked = [jobs.ask(n, ticking(until, log, str(n)), str(n)) for n in range(module.BEGUN + 3)]
    time.sleep(20 * A_MOMENT)
    assert len(set(log)) == module.BEGUN
    until.set()
    assert all(job.finished.wait(5) and job.error is None for job in asked)


def test_what_nobody_waits_for_ends_when_its_session_has_ended(monkeypatch):
    """A tab is closed: its own job ends; one that another session asked for, or the tab that comes back, goes on."""
    monkeypatch.setattr(module, "GRACE", 10 * A_MOMENT)
    jobs, until, log = Jobs(cores=3), threading.Event(), []
    own, shared, back = (jobs.ask(key, ticking(until, log), "closed") for key in ("own", "shared", "back"))
    jobs.ask("shared", ticking(until, log), "open")
    jobs.leave_all("closed")
    assert jobs.ask("back", ticking(until, log), "opened again") is back
    assert own.finished.wait(5)
    assert isinstance(own.error, Cancelled)
    assert not shared.finished.is_set()
    until.set()
    assert shared.finished.wait(5)
    assert back.finished.wait(5)
    assert (shared.error, back.error) == (None, None)


def test_a_finished_job_lets_go_of_what_its_work_held():
    """The contents of an upload are not held by the job that counted it."""

    class Upload:
        pass

    upload = Upload()
    held = weakref.ref(upload)
    jobs = Jobs()
    job = jobs.ask("key", lambda tell, upload=upload: "done")
    assert job.finished.wait(5)
    del upload
    gc.collect()
    assert held() is None
    assert jobs.ask("key", lambda tell: "other").result == "done"


def test_a_large_bootstrap_stops_soon():
    """A thousand million resamples: who waits is free at once, and the threads end long before a chunk would."""
    stats = random_stats(0, systems=20, units=2_000)
    bootstrap(stats, Resampling(1))  # starts the thread that limits BLAS, which stays
    jobs, before, told = Jobs(), threading.active_count(), threading.Event()

    def work(tell):
        return bootstrap(stats, Resampling(10**9), lambda done, of: (told.set(), tell(done / of, "")))

    job = jobs.ask("key", work)
    assert told.wait(60)
    jobs.leave("key", "")
    stopped = time.monotonic()
    assert job.finished.is_set()
    assert isinstance(job.error, Cancelled)
    while threading.active_count() > before:
        time.sleep(A_MOMENT)
        assert time.monotonic() < stopped + 10, "its threads go on"
