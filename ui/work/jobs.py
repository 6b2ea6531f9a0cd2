"""Long computations in threads of their own: sessions that ask for the same share one job, and take turns.

As many jobs compute at once as there are cores. Jobs of sessions that have had little time go before those of others,
and older jobs before newer ones: a job waits for a free core, or for the end of a slice of a job that comes after it,
which then pauses. Jobs that pause hold memory, so only so many may have begun. Where one more has its turn, one of a
session that had much more time ends and waits to begin anew.
"""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, cast

from nlpsig_core.base.runtime import available_cores, give_way
from ui.work.memory import Memory, weight

# Called by the work with the share that is done and a short note; raises Cancelled to end it.
Tell = Callable[[float, str], None]
# Seconds that a job computes before it may have to pause, and that work goes on when all who asked for it have gone:
# a browser that reloads asks again.
SLICE, GRACE = 0.25, 10.0
# Seconds of a session after which others go first; between these, jobs go in their order: the first are done soon.
LEVELS = (0.5, 5.0, 50.0, 500.0)
# How many jobs may have begun, for each core, and by how many levels a job comes before one that gives up its place for
# it, with all that this one has done.
BEGUN, APART = 4, 2


class Cancelled(Exception):
    """Raised inside the work to stop it."""


class Job:
    """Work that waits for its turn, in progress, or finished: its progress, and its result or error."""

    def __init__(self, work: Callable[[Tell], Any], order: int) -> None:
        self.share, self.note = 0.0, ""
        self.result: Any = None
        self.error: BaseException | None = None
        self.finished = threading.Event()
        self.askers: set[str] = set()
        self.order = order
        # The work, until it has run: it may hold the contents of files. ``run`` counts how often it had to begin anew.
        self.work: Callable[[Tell], Any] | None = work
        self.run = 0
        self.stopped = self.begun = self.computes = False
        # When its slice began, and when the last one who asked for it left.
        self.since = 0.0
        self.left: float | None = None

    @property
    def ready(self) -> bool:
        """Whether the result is there."""
        return self.finished.is_set() and self.error is None

    def end(self, result: Any = None, error: BaseException | None = None) -> None:
        """Say how it ended, unless it has ended."""
        if not self.finished.is_set():
            self.result, self.error = result, error
            self.finished.set()


class _Of(NamedTuple):
    """The key of a job among those of other things that are kept."""

    job: Hashable


class Jobs:
    """Jobs by key: those that wait or run, and results, of which the most recent ones are kept. Safe for many threads.

    ``results`` keeps results. ``listeners`` are called with the key of every job that is asked for anew.
    """

    def __init__(self, cores: int | None = None, results: Memory | None = None) -> None:
        self.listeners: list[Callable[[Hashable], object]] = []
        self._cores = cores or available_cores()
        self._changed = threading.Condition(threading.RLock())
        self._open: dict[Hashable, Job] = {}
        # Jobs that have not ended, also those that were forgotten meanwhile, and the seconds that each session had.
        self._living: list[Job] = []
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._results = results or Memory()
        self._number = 0

    def ask(self, key: Hashable, work: Callable[[Tell], Any], asker: str = "") -> Job:
        """The job with that key; if there is none, one that runs as soon as it is its turn."""
        with self._changed:
            job = self._find(key)
            if job is None:
                for listener in self.listeners:
                    listener(key)
                self._number += 1
                job = self._open[key] = Job(work, self._number)
                self._living.append(job)
            job.askers.add(asker)
            job.left = None
            self._give_turns()
            return job

    def part(self, key: Hashable, work: Callable[[Tell], Any], tell: Tell) -> Any:
        """The result of a job with that key inside the work of another: the one that is kept, else computed here.

        It is then kept as if it had been asked for, so that a stopped job goes on where it was.
        """
        with self._changed:
            job = self._find(key)
        if job is not None and job.ready:
            return job.result
        for listener in self.listeners:
            listener(key)
        done = Job(work, 0)
        done.work, result = None, work(tell)
        done.end(result)
        self._results.keep(_Of(key), done, weight(result))
        return result

    def known(self, key: Hashable) -> bool:
        """Whether a job with that key waits, runs or has finished."""
        with self._changed:
            return self._find(key) is not None

    def ready(self, key: Hashable) -> bool:
        """Whether the result of the job with that key is there."""
        with self._changed:
            job = self._find(key)
        return job is not None and job.ready

    def before(self, job: Job) -> int | None:
        """How many jobs will have their turn before this one begins; None if it has begun."""
        with self._changed:
            waiting = [other for other in self._living if not other.computes]
            return None if job.begun else sum(self._rank(other) < self._rank(job) for other in waiting)

    def leave(self, key: Hashable, asker: str) -> None:
        """Withdraw a request; an unfinished job that nobody else requested is stopped and forgotten."""
        with self._changed:
            job = self._open.get(key)
            if job is None:
                return
            job.askers.discard(asker)
            if not job.askers and not job.finished.is_set():
                self._cancel(job)

    def leave_all(self, asker: str) -> None:
        """Withdraw the requests of a session that has ended; what nobody else requested goes on for ``GRACE``."""
        with self._changed:
            for job in self._living:
                if asker in job.askers:
                    job.askers.discard(asker)
                    job.left = None if job.askers else time.monotonic()
            self._seconds.pop(asker, None)

    def forget(self, key: Hashable, job: Job) -> None:
        """Forget how a job ended, so that the next request starts a new one, unless another one has."""
        with self._changed:
            if self._results.find(_Of(key)) is job:
                self._results.forget(_Of(key))

    def _cancel(self, job: Job) -> None:
        """Stop a job and forget it: it ends at once for those who hold it, and its work at its next step."""
        self._open = {key: other for key, other in self._open.items() if other is not job}
        job.stopped = True
        job.end(error=Cancelled())
        if not job.begun and job in self._living:
            self._close(job)
        self._changed.notify_all()

    def _find(self, key: Hashable) -> Job | None:
        """The job of that key, open or with a result that is kept."""
        return self._open.get(key) or cast("Job | None", self._results.find(_Of(key)))

    def _rank(self, job: Job) -> tuple[int, int]:
        """Jobs of sessions that had little time go first, and of these the oldest."""
        seconds = min((self._seconds[asker] for asker in job.askers), default=math.inf)
        return bisect(LEVELS, seconds), job.order

    def _give_turns(self) -> None:
        """Let jobs compute as long as cores are free."""
        self._end_abandoned()
        while sum(job.computes for job in self._living) < self._cores:
            waiting = sorted((job for job in self._living if not (job.computes or job.stopped)), key=self._rank)
            job = next((job for job in waiting if job.begun or self._make_room(job, waiting)), None)
            if job is None:
                return
            job.computes, job.since = True, time.monotonic()
            if not job.begun:
                job.begun = True
                threading.Thread(target=self._run, args=(job, job.run), daemon=True).start()
            self._changed.notify_all()

    def _make_room(self, job: Job, waiting: list[Job]) -> bool:
        """Whether a job may begin, if need be in place of the last one that pauses, if that had much more time."""
        if sum(other.begun and not other.stopped for other in self._living) < BEGUN * self._cores:
            return True
        last = next((other for other in reversed(waiting) if other.begun), None)
        if last is None or self._rank(last)[0] - self._rank(job)[0] < APART:
            return False
        last.begun, last.run, last.share = False, last.run + 1, 0.0
        return True

    def _end_abandoned(self) -> None:
        """End what nobody waits for any more."""
        now = time.monotonic()
        for job in list(self._living):
            if job.left is not None and now - job.left > GRACE and not job.stopped:
                self._cancel(job)

    def _run(self, job: Job, run: int) -> None:
        """A job's thread: the work, and what it ends with. Pages that are drawn meanwhile go first."""
        give_way()
        work, result, taken, error = job.work, None, 0, None
        try:
            self._check(job, run)
            assert work is not None
            result = work(lambda share, note: self._tell(job, run, share, note))
            taken = weight(result)
        except BaseException as caught:  # it is raised again where the result is asked for
            error = caught
        del work
        with self._changed:
            if job.run == run:
                job.end(result, error)
                self._count_time(job)
                self._close(job, taken)

    def _tell(self, job: Job, run: int, share: float, note: str) -> None:
        """Take a job's progress; pause it where its slice is over and another job's turn has come."""
        job.share, job.note = share, note
        with self._changed:
            self._end_abandoned()
            self._check(job, run)
            if time.monotonic() - job.since > SLICE:
                self._count_time(job)
                self._give_turns()
                self._check(job, run)
                while not job.computes:
                    self._changed.wait(GRACE)
                    self._end_abandoned()
                    self._check(job, run)

    def _check(self, job: Job, run: int) -> None:
        """Raise Cancelled in a thread whose job was stopped, or begins anew in another one."""
        if job.stopped or job.run != run:
            raise Cancelled

    def _count_time(self, job: Job) -> None:
        """End the slice of a job: its core is free, and its time counts for those who asked for it."""
        if job.computes:
            for asker in job.askers:
                self._seconds[asker] += time.monotonic() - job.since
            job.computes = False

    def _close(self, job: Job, taken: int = 0) -> None:
        """Take a job that has ended out of the open ones; its result is kept, also why it has none."""
        self._living.remove(job)
        job.work = None
        for key in [key for key, open_job in self._open.items() if open_job is job]:
            del self._open[key]
            self._results.keep(_Of(key), job, taken)
        # A session that waits for nothing starts with no time again.
        busy = {asker for living in self._living for asker in living.askers}
        for asker in self._seconds.keys() - busy:
            del self._seconds[asker]
        self._give_turns()
