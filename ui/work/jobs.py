"""Long computations in threads of their own: sessions that ask for the same share one job, and take turns.

As many jobs compute at once as there are cores. Jobs of sessions that have had little time go first, older jobs before
newer ones. A job that reports progress pauses while others go first: without this, as many endless jobs as there are
cores would keep everybody waiting. Jobs that pause hold memory, so only so many may have begun.
"""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Hashable
from functools import partial
from itertools import count
from typing import Any

from nlpsig_core.base.runtime import available_cores, give_way
from ui.work.memory import Memory, weight

# Called by the work with the share that is done and a short note; raises Cancelled to end it.
Tell = Callable[[float, str], None]
# Seconds that a job computes before it may have to pause, and that work goes on when all who asked for it have gone:
# a browser that reloads asks again.
SLICE, GRACE = 0.25, 10.0
# Seconds of a session after which others go first; between these, jobs go in their order: the first are done soon.
LEVELS = (0.5, 5.0, 50.0, 500.0)
# How many jobs may have begun, for each core.
BEGUN = 8
# Begins the keys of results among those of other things that are kept.
JOB = "job"


class Cancelled(Exception):
    """Raised inside the work to stop it."""


class Job:
    """Work that waits for its turn, in progress, or finished: its progress, and its result or error."""

    def __init__(self, key: Hashable, work: Callable[[Tell], Any] | None = None, order: int = 0) -> None:
        self.key, self.order = key, order
        self.share, self.note = 0.0, ""
        self.result: Any = None
        self.error: BaseException | None = None
        self.finished = threading.Event()
        self.askers: set[str] = set()
        # The work, until it has run: it may hold the contents of files.
        self.work = work
        self.begun, self.since = False, 0.0

    @property
    def ready(self) -> bool:
        """Whether the result is there."""
        return self.finished.is_set() and self.error is None

    def end(self, result: Any = None, error: BaseException | None = None) -> Job:
        """Say how it ended, unless it has ended."""
        if not self.finished.is_set():
            self.result, self.error = result, error
            self.finished.set()
        return self


class Jobs:
    """Jobs by key: those that wait, compute or have failed; ``results`` keeps results. Safe for many threads."""

    def __init__(self, cores: int | None = None, results: Memory | None = None) -> None:
        self._cores = cores or available_cores()
        self._changed = threading.Condition(threading.RLock())
        self._open: dict[Hashable, Job] = {}
        self._waiting, self._computing = list[Job](), set[Job]()
        # The seconds that each session had.
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._results, self._numbers = results or Memory(), count()

    def ask(self, key: Hashable, work: Callable[[Tell], Any], asker: str = "") -> Job:
        """Return the job with that key; if there is none, one that runs as soon as it is its turn."""
        with self._changed:
            job = self._find(key)
            if job is None:
                job = self._open[key] = Job(key, work, next(self._numbers))
                self._waiting.append(job)
            job.askers.add(asker)
            self._give_turns()
            return job

    def part(self, key: Hashable, work: Callable[[Tell], Any], tell: Tell) -> Any:
        """Return the result of a job inside the work of another one: that which is kept, else computed here.

        It is then kept as if it had been asked for, so that a stopped job goes on where it was.
        """
        if (result := self._results.find((JOB, key), JOB)) is JOB:
            result = work(tell)
            self._results.keep((JOB, key), result, weight(result))
        return result

    def known(self, key: Hashable) -> bool:
        """Return whether a job with that key waits, runs or has finished."""
        with self._changed:
            return self._find(key) is not None

    def ready(self, key: Hashable) -> bool:
        """Return whether the result of the job with that key is there."""
        return self._results.find((JOB, key), JOB) is not JOB

    def before(self, job: Job) -> int | None:
        """Return how many jobs will have their turn before this one begins; None if it has begun."""
        with self._changed:
            return None if job.begun else sum(self._rank(other) < self._rank(job) for other in self._waiting)

    def leave(self, key: Hashable, asker: str) -> None:
        """Withdraw a request; an unfinished job that nobody else requested is stopped and forgotten."""
        with self._changed:
            if job := self._open.get(key):
                job.askers.discard(asker)
                self._end_abandoned([job])

    def leave_all(self, asker: str) -> None:
        """Withdraw the requests of a session that has ended; what nobody else requested goes on for ``GRACE``."""
        with self._changed:
            left = [job for job in self._open.values() if asker in job.askers]
            for job in left:
                job.askers.discard(asker)
            self._seconds.pop(asker, None)
        if left:
            timer = threading.Timer(GRACE, self._end_abandoned, [left])
            timer.daemon = True
            timer.start()

    def forget(self, job: Job) -> None:
        """Forget a job that has failed, so that the next request starts a new one."""
        with self._changed:
            if self._open.get(job.key) is job:
                del self._open[job.key]

    def _find(self, key: Hashable) -> Job | None:
        """Return the job of that key, open or with a result that is kept."""
        if job := self._open.get(key):
            return job
        result = self._results.find((JOB, key), JOB)
        return None if result is JOB else Job(key).end(result)

    def _end_abandoned(self, jobs: list[Job]) -> None:
        """Stop and forget jobs that nobody waits for: for those who hold them at once, their work at its next step."""
        with self._changed:
            for job in jobs:
                if not job.askers and self._open.get(job.key) is job:
                    del self._open[job.key]
                    if job in self._waiting:
                        self._waiting.remove(job)
                    job.end(error=Cancelled())
            self._changed.notify_all()

    def _rank(self, job: Job) -> tuple[int, int]:
        """Rank jobs of sessions that had little time first, and of these the oldest."""
        seconds = min((self._seconds[asker] for asker in job.askers), default=math.inf)
        return bisect(LEVELS, seconds), job.order

    def _give_turns(self) -> None:
        """Let the first of the jobs that wait compute, as long as cores are free."""
        self._waiting.sort(key=self._rank)
        while len(self._computing) < self._cores:
            has_room = len(self._computing) + sum(job.begun for job in self._waiting) < BEGUN * self._cores
            job = next((job for job in self._waiting if job.begun or has_room), None)
            if job is None:
                break
            self._waiting.remove(job)
            self._computing.add(job)
            job.since = time.monotonic()
            if not job.begun:
                job.begun = True
                threading.Thread(target=self._run, args=(job,), daemon=True).start()
        self._changed.notify_all()

    def _run(self, job: Job) -> None:
        """Run the work of a job, in a thread of its own. Pages that are drawn meanwhile go first."""
        give_way()
        result, size, error = None, 0, None
        try:
            assert job.work is not None
            result = job.work(partial(self._tell, job))
            size = weight(result)
        except BaseException as caught:  # it is raised again where the result is asked for
            error = caught
        job.work = None
        with self._changed:
            self._pause(job)
            if self._open.get(job.key) is job and error is None:
                del self._open[job.key]
                self._results.keep((JOB, job.key), result, size)
            job.end(result, error)
            # A session that waits for nothing starts with no time again.
            busy = {asker for open_job in self._open.values() for asker in open_job.askers}
            for asker in self._seconds.keys() - busy:
                del self._seconds[asker]
            self._give_turns()

    def _tell(self, job: Job, share: float, note: str) -> None:
        """Take a job's progress; pause it where its slice is over and another job goes before it."""
        job.share, job.note = share, note
        with self._changed:
            if job in self._computing and time.monotonic() - job.since > SLICE and not job.finished.is_set():
                self._pause(job)
                self._waiting.append(job)
                self._give_turns()
            self._changed.wait_for(lambda: job in self._computing or job.finished.is_set())
            if job.finished.is_set():
                raise Cancelled

    def _pause(self, job: Job) -> None:
        """Free the core of a job; its time counts for those who asked for it."""
        if job in self._computing:
            self._computing.remove(job)
            for asker in job.askers:
                self._seconds[asker] += time.monotonic() - job.since
