"""Long computations in threads of their own: sessions that ask for the same result share one job."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

# Called by the work with the share that is done and a short note; raises Cancelled to end it.
Tell = Callable[[float, str], None]


class Cancelled(Exception):
    """Raised inside the work to stop it."""


class Job:
    """Work in progress or finished: its progress, and its result or error."""

    def __init__(self, work: Callable[[Tell], Any]) -> None:
        self.share, self.note = 0.0, ""
        self.result: Any = None
        self.error: Exception | None = None
        self.finished = threading.Event()
        self.askers: set[str] = set()
        self._stop = threading.Event()
        self._work = work
        threading.Thread(target=self._run, daemon=True).start()

    def cancel(self) -> None:
        """Stop the work at its next step."""
        self._stop.set()

    @property
    def cancelled(self) -> bool:
        """Whether the work was stopped."""
        return isinstance(self.error, Cancelled)

    @property
    def ready(self) -> bool:
        """Whether the result is there."""
        return self.finished.is_set() and self.error is None

    def _tell(self, share: float, note: str) -> None:
        self.share, self.note = share, note
        if self._stop.is_set():
            raise Cancelled

    def _run(self) -> None:
        try:
            self.result = self._work(self._tell)
        except Exception as error:  # it is raised again where the result is asked for
            self.error = error
        finally:
            self.finished.set()


class Jobs:
    """Jobs by key; keeps the most recently requested ones. Safe for many threads.

    ``listeners`` are called with the key of every job that starts.
    """

    def __init__(self, kept: int = 48) -> None:
        self.listeners: list[Callable[[Hashable], object]] = []
        self._kept, self._lock = kept, threading.Lock()
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()

    def ask(self, key: Hashable, work: Callable[[Tell], Any], asker: str = "") -> Job:
        """The job with that key, started now if there is none."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                for listener in self.listeners:
                    listener(key)
                job = self._jobs[key] = Job(work)
            self._jobs.move_to_end(key)
            job.askers.add(asker)
            finished = [k for k, j in self._jobs.items() if j.finished.is_set() and j is not job]
            for old in finished[: max(0, len(self._jobs) - self._kept)]:
                del self._jobs[old]
            return job

    def known(self, key: Hashable) -> bool:
        """Whether a job with that key runs or has finished."""
        with self._lock:
            return key in self._jobs

    def ready(self, key: Hashable) -> bool:
        """Whether the result of the job with that key is there."""
        with self._lock:
            job = self._jobs.get(key)
        return job is not None and job.ready

    def leave(self, key: Hashable, asker: str) -> None:
        """Withdraw a request; an unfinished job that nobody else requested is stopped and forgotten."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                return
            job.askers.discard(asker)
            if not job.askers and not job.finished.is_set():
                job.cancel()
                del self._jobs[key]

    def forget(self, key: Hashable) -> None:
        """Forget a job, so that the next request starts a new one."""
        with self._lock:
            self._jobs.pop(key, None)
