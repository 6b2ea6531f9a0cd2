"""The machine: cores, memory, Ctrl-C, BLAS threads, files written whole, locks, a private folder, the terminal."""

from __future__ import annotations

import atexit
import fcntl
import functools
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path
from resource import RLIMIT_AS, RLIMIT_DATA, getrlimit
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast, overload

Value = TypeVar("Value")
# The limits of a container on Linux.
CONTAINER = Path("/sys/fs/cgroup")
# The niceness of threads that give way to others.
LATER = 5
# The ending of a file that is being written, and its age in seconds from which its writer counts as killed.
UNFINISHED, ABANDONED = ".unfinished", 3600


class cached_property(functools.cached_property[Value]):
    """functools.cached_property without its lock, which until Python 3.12 all objects of a class share."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> cached_property[Value]: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Value: ...

    def __get__(self, instance: object, owner: type[Any] | None = None) -> cached_property[Value] | Value:
        """Return the value, computed once for each object."""
        if instance is None:
            return self
        name, values = str(self.attrname), vars(instance)
        if name not in values:
            values[name] = self.func(instance)
        return cast(Value, values[name])


@contextmanager
def without_collection() -> Iterator[None]:
    """Collect no garbage: it takes half of the time where millions of tuples or trees are made, and finds nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available_memory() -> int:
    """Return the bytes of memory that the machine has, or the lower limit of this process or its container."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    limits += [limit for kind in (RLIMIT_AS, RLIMIT_DATA) if (limit := getrlimit(kind)[0]) > 0]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):  # "max" where there is no limit
            limits.append(int((CONTAINER / name).read_text()))
    return min(limits)


def over_progress() -> str:
    """Return what clears a line of progress on standard error; "" unless that is a terminal that can clear lines."""
    shows = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return "\r\033[K" if shows else ""


def give_way() -> None:
    """Give way to other threads of this process: this one, and those it starts, compute on idle cores only (Linux)."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LATER)


def write_whole(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file so that nobody ever sees a part of it; if that fails (OSError, with its path), the old one stays.

    ``mode`` holds the permissions of a new file, less the umask. A killed writer leaves a hidden file beside this one,
    which the next writer removes once it is an hour old. A device or pipe is written to directly.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    if path.is_symlink() and path.lstat().st_uid == os.geteuid():  # a link of another user is replaced
        path = Path(os.path.realpath(path))
    remove_unfinished(path.parent, path.name)
    unfinished = path.with_name(f".{path.name}.{token_hex(4)}{UNFINISHED}")
    try:
        with open(unfinished, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            stream.write(content)
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink()
        if isinstance(error, OSError):
            error.filename = str(path)
        raise


def remove_unfinished(folder: Path, name: str = "") -> None:
    """Remove what killed writers left in a folder more than an hour ago: of the file ``name``, or of any file."""
    for left in folder.glob(f".{escape(name) or '*'}.*{UNFINISHED}"):
        with suppress(OSError):  # another process may have removed it
            if left.lstat().st_mtime < time.time() - ABANDONED:
                left.unlink()


def expanded(path: str) -> Path:
    """Return a path with the home in place of ~, or unchanged if there is no home."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which is created if needed; other threads and processes wait for it."""
    with path.open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@functools.cache
def private_folder() -> Path:
    """Return a folder of this process that no other user can read and that is removed when the process ends.

    If no temporary folder can be made, nothing can be written below the path.
    """
    try:
        folder = TemporaryDirectory(prefix="nlpsig-", ignore_cleanup_errors=True)
    except OSError:
        return Path(os.devnull)
    atexit.register(folder.cleanup)
    return Path(folder.name)


@contextmanager
def no_interrupts() -> Iterator[None]:
    """Start processes or threads that never receive Ctrl-C; this process receives it once they have started."""
    held: list[int] = []
    in_main = threading.current_thread() is threading.main_thread()
    # Another thread may take the signal that this one blocks, and would interrupt the main thread.
    handler = signal.signal(signal.SIGINT, lambda number, _: held.append(number)) if in_main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if in_main:
            signal.signal(signal.SIGINT, handler)
        for number in held:
            signal.raise_signal(number)


class _BlasLimit:
    """Limits BLAS to one thread while it has users, since the limit applies to the whole process."""

    def __init__(self) -> None:
        self._begin()
        # A forked process has no thread of its parent, and would wait for this one without end.
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self.lock, self.users = threading.Lock(), 0
        # Once a thread has set a limit, OpenBLAS 0.3.31 ignores those of other threads.
        self.setter = ThreadPoolExecutor(1, "blas-limit")

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with ExitStack() as stack:
            # The pool would never end a thread that was interrupted as it started.
            with no_interrupts(), self.lock:
                if self.users == 0:
                    libraries = _blas_libraries("scipy.linalg" in sys.modules)
                    self.limits = self.setter.submit(libraries.limit, limits=1, user_api="blas").result()
                self.users += 1
                stack.callback(self._leave)
            yield

    def _leave(self) -> None:
        with self.lock:
            self.users -= 1
            if self.users == 0:
                self.setter.submit(self.limits.restore_original_limits).result()


@functools.cache
def _blas_libraries(with_scipy: bool) -> Any:
    """Find the loaded libraries, which takes milliseconds; scipy.linalg brings a BLAS of its own."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


one_blas_thread = _BlasLimit()
