"""The machine: the number of cores that this process may use, and a limit of BLAS to one thread."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def available_cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _BlasLimit:
    """Counts the users of the limit, since it applies to the whole process."""

    def __init__(self) -> None:
        self.lock, self.users = threading.Lock(), 0

    @contextmanager
    def __call__(self) -> Iterator[None]:
        from threadpoolctl import threadpool_limits

        with self.lock:
            if self.users == 0:
                self.limits = threadpool_limits(1, user_api="blas")
            self.users += 1
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0:
                    self.limits.restore_original_limits()


one_blas_thread = _BlasLimit()
