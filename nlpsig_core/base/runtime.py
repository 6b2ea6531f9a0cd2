"""The machine: cores and memory that this process may use, BLAS on one thread, whole files, locks, a private folder."""

from __future__ import annotations

import atexit
import fcntl
import functools
import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from resource import RLIMIT_AS, RLIMIT_DATA, getrlimit
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast, overload

Value = TypeVar("Value")
# Where Linux says what a container may use.
CONTAINER = Path("/sys/fs/cgroup")
# The niceness of threads that give way to others.
LATER = 5
# The ending of a file that is being written, and the seconds after which its writer was killed.
UNFINISHED, ABANDONED = ".unfinished", 3600


class cached_property(functools.cached_property[Value]):
    """A property that is computed once for each object, as that of functools.

    Until Python 3.12 that one lets all objects wait for the first of them, as long as it computes.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> cached_property[Value]: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Value: ...

    def __get__(self, instance: object, owner: type[Any] | None = None) -> cached_property[Value] | Value:
        """The value, computed now if it was not."""
        if instance is None:
            return self
        name, values = str(self.attrname), vars(instance)
        if name not in values:
            values[name] = self.func(instance)
        return cast(Value, values[name])


def available_cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available_memory() -> int:
    """The bytes of memory this process may use: those of the machine, or a lower limit of the process or container."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    limits += [limit for kind in (RLIMIT_AS, RLIMIT_DATA) if (limit := getrlimit(kind)[0]) > 0]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):  # "max" where there is no limit
            limits.append(int((CONTAINER / name).read_text()))
    return min(limits)


def give_way() -> None:
    """Let this thread, and threads that it starts, compute only when no other of the process needs a core (Linux)."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LATER)


def write_whole(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file so that nobody ever sees a part of it; an old one is unchanged if that fails (OSError).

    ``mode`` are the permissions of a new file, less the umask. A killed writer leaves a hidden file beside this one,
    which the next writer removes once it is an hour old. A device or a pipe at ``path`` is written to as it is.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    if path.is_symlink() and path.lstat().st_uid == os.geteuid():  # one's own leads to the file, another's is replaced
        path = Path(os.path.realpath(path))
    remove_unfinished(path.parent, path.name)
    unfinished = path.with_name(f".{path.name}.{token_hex(4)}{UNFINISHED}")
    try:
        with open(unfinished, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            stream.write(content)
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def remove_unfinished(folder: Path, name: str = "") -> None:
    """Remove what killed writers of a file, or of any file, left in a folder more than an hour ago."""
    for left in folder.glob(f".{escape(name) or '*'}.*{UNFINISHED}"):
        with suppress(OSError):  # another process may have removed it
            if left.lstat().st_mtime < time.time() - ABANDONED:
                left.unlink()


def expanded(path: str) -> Path:
    """A path with the home in place of ~; as it is written where there is no home."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which is made if needed; other threads and processes wait for it."""
    with path.open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@functools.cache
def private_folder() -> Path:
    """A folder of this process that no other user can read, removed at its end.

    Where no temporary folder can be made, a path below which nothing can be written.
    """
    try:
        folder = TemporaryDirectory(prefix="nlpsig-", ignore_cleanup_errors=True)
    except OSError:
        return Path(os.devnull)
    atexit.register(folder.cleanup)
    return Path(folder.name)


class _BlasLimit:
    """Counts the users of the limit, since it applies to the whole process.

    One thread sets and lifts every limit: once a thread has set one, OpenBLAS 0.3.31 ignores those of other threads.
    """

    def __init__(self) -> None:
        self.lock, self.users = threading.Lock(), 0
        self.setter = ThreadPoolExecutor(1, "blas-limit")

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self.lock:
            if self.users == 0:
                self.limits = self.setter.submit(_one_thread).result()
            self.users += 1
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0:
                    self.setter.submit(self.limits.restore_original_limits).result()


def _one_thread() -> Any:
    """Limits every loaded BLAS to one thread; what restores them comes back."""
    return _blas_libraries("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas")


@functools.cache
def _blas_libraries(with_scipy: bool) -> Any:
    """The loaded libraries, sought once: that takes milliseconds. scipy.linalg brings a BLAS beside numpy's."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


one_blas_thread = _BlasLimit()
