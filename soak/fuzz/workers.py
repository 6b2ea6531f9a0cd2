"""Inputs in worker processes with limits: one that takes too long or too much is a finding, not the end of the run."""

from __future__ import annotations

import gc
import os
import resource
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass

from loky.backend import get_context

from nlpsig_core.base.runtime import one_blas_thread

# What a user waits for at most, and what an input may take of a small server.
SECONDS, BYTES = 20.0, 2 * 1024**3
# In a worker: what lasts as long as the process.
_lasting = ExitStack()
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
    numbers: Iterable[int],
    travel: Travel,
    warm_up: Callable[[], None],
    workers: int = 2,
    seconds: float = SECONDS,
    limit: int = BYTES,
) -> Iterator[Outcome]:
    """Yield the outcome of each number, in order; ``travel`` and ``warm_up`` are functions of modules."""
    own, started = threading.local(), list[ProcessPoolExecutor]()

    def outcome(number: int) -> Outcome:
        """Try a number in the process of this thread, which is started again when it ends."""
        if not hasattr(own, "process"):
            # Unlike spawned ones, loky's processes do not run the main module again, which may be the soak or a test.
            own.process = ProcessPoolExecutor(1, get_context("loky"), _prepare, (warm_up, limit))
            started.append(own.process)
            own.process.submit(gc.freeze).result()  # garbage is not looked for in what stays
        began = time.monotonic()
        try:
            what = own.process.submit(_ended, travel, number, seconds).result()
        except BrokenProcessPool:
            del own.process
            late = time.monotonic() - began >= seconds
            what = f"not done in {seconds:g} s" if late else "the process died"
        return Outcome(number, what, time.monotonic() - began)

    try:
        with ThreadPoolExecutor(workers) as threads:
            yield from threads.map(outcome, numbers)
    finally:
        for process in started:
            process.shutdown()


def _prepare(warm_up: Callable[[], None], limit: int) -> None:
    """Get a worker ready for its first number."""
    os.environ["NLPSIG_CACHE"] = os.devnull
    warm_up()
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Each bootstrap would set and lift the limit.
    _lasting.enter_context(one_blas_thread())


def _ended(travel: Travel, number: int, seconds: float) -> str:
    """Return what became of a number; the alarm ends the process, also where Python is not running."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return travel(number)
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:300]} ({os.path.basename(where.filename)}:{where.lineno})"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
