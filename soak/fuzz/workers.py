"""Inputs in worker processes with limits: one that takes too long or too much is a finding, not the end of the run."""

from __future__ import annotations

import gc
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from loky.backend import get_context

from nlpsig_core.base.runtime import one_blas_thread

# What a user waits for at most, and what an input may take of a small server.
SECONDS, BYTES = 20.0, 2 * 1024**3
# Compiling takes a minute where nothing is compiled yet.
UNTIL_READY = 600.0
READY = "ready"
Travel = Callable[[int], str]


@dataclass(frozen=True)
class Outcome:
    """What became of an input: "result", "refused", or a finding in words; and seconds from start to end."""

    number: int
    what: str
    seconds: float

    @property
    def is_finding(self) -> bool:
        """Whether it ended neither in a result nor in an error in plain words."""
        return self.what not in ("result", "refused")


def outcomes(
    numbers: Iterable[int], travel: Travel, warm_up: Callable[[], None], workers: int = 2, seconds: float = SECONDS,
    limit: int = BYTES,
) -> Iterator[Outcome]:  # fmt: skip
    """The outcome of each number, as they come; ``travel`` and ``warm_up`` are functions of modules."""
    left = iter(numbers)
    crew = [_Worker(travel, warm_up, limit) for _ in range(workers)]
    try:
        while crew:
            wait([worker.connection for worker in crew], timeout=max(0.0, min(w.deadline for w in crew) - time.time()))
            for worker in list(crew):
                outcome = worker.outcome()
                if outcome is not None:
                    yield outcome
                if worker.is_idle and not worker.give(next(left, None), seconds):
                    crew.remove(worker)
    finally:
        for worker in crew:
            worker.end()


class _Worker:
    """A process that takes one number after the other; it is started again when it ends or is ended."""

    def __init__(self, *arguments: object) -> None:
        self.arguments = arguments
        self.start()

    def start(self) -> None:
        """Start the process, which reports when it is ready."""
        # loky's processes do not run the main module again, as others would do with a page of the app.
        context = get_context("loky")
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(theirs, *self.arguments))
        self.process.start()
        theirs.close()
        self._expect(None, UNTIL_READY)

    def give(self, number: int | None, seconds: float) -> bool:
        """Hand over a number; end the process if there is none."""
        if number is None:
            self.end()
            return False
        self._expect(number, seconds)
        self.connection.send(number)
        return True

    def _expect(self, number: int | None, seconds: float) -> None:
        self.number, self.is_idle = number, False
        self.began, self.deadline = time.time(), time.time() + seconds

    def outcome(self) -> Outcome | None:
        """What became of the number; None while it is on its way, and when the process gets ready."""
        took = time.time() - self.began
        try:
            if self.connection.poll():
                what = self.connection.recv()
                self.is_idle = True
                return None if self.number is None else Outcome(self.number, what, took)
        except (EOFError, OSError):
            self.process.join()
            return self._lost(f"the process died with {self.process.exitcode}", took)
        return self._lost(f"not done in {took:.0f} s", took) if time.time() > self.deadline else None

    def _lost(self, why: str, took: float) -> Outcome:
        """The finding, after a new process has been started."""
        self.end()
        if self.number is None:
            raise RuntimeError(f"A worker did not get ready: {why}")
        lost = Outcome(self.number, why, took)
        self.start()
        return lost

    def end(self) -> None:
        """End the process."""
        if self.process.pid and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, travel: Travel, warm_up: Callable[[], None], limit: int) -> None:
    """Runs in a worker: numbers in, what became of each out."""
    os.environ["NLPSIG_CACHE"] = os.devnull
    warm_up()
    gc.freeze()  # garbage is not looked for in what stays
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    connection.send(READY)
    with one_blas_thread():  # each bootstrap would set and lift the limit
        while (number := _next(connection)) is not None:
            connection.send(_ended(travel, number))


def _next(connection: Connection) -> int | None:
    try:
        return int(connection.recv())
    except EOFError:
        return None


def _ended(travel: Travel, number: int) -> str:
    try:
        return travel(number)
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:300]} ({os.path.basename(where.filename)}:{where.lineno})"
