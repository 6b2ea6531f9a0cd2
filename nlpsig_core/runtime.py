"""The machine: cores that this process may use, a limit of BLAS to one thread, whole files and locks."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path


def available_cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees a part of it; an old one is unchanged if that fails (OSError)."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()
        raise


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which is made if needed; other threads and processes wait for it."""
    with path.open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)  # closing the file releases it
        yield


class _BlasLimit:
    """Counts the users of the limit, since it applies to the whole process.

    One thread sets and lifts every limit: once a thread has set one, OpenBLAS 0.3.31 ignores those of other threads.
    """

    def __init__(self) -> None:
        self.lock, self.users = threading.Lock(), 0
        self.setter = ThreadPoolExecutor(1, "blas-limit")

    @contextmanager
    def __call__(self) -> Iterator[None]:
        from threadpoolctl import threadpool_limits

        with self.lock:
            if self.users == 0:
                self.limits = self.setter.submit(threadpool_limits, 1, user_api="blas").result()
            self.users += 1
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0:
                    self.setter.submit(self.limits.restore_original_limits).result()


one_blas_thread = _BlasLimit()
