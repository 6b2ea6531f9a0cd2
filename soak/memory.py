"""The memory of a process with all that it has started: watched while it runs, and limited."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

# Seconds between two looks.
EVERY = 0.1


def status(pid: int, name: str) -> int:
    """Return a number of a process from its status; 0 if it has gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), 0)


def family(pid: int) -> list[int]:
    """Return a process and all that it has started, and those in turn."""
    found = [pid]
    for one in found:
        for threads in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, threads.read_text().split())
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


class Watch:
    """The most bytes that a process and its children held together; above ``limit`` bytes the process is ended.

    A limit that the system sets on a process counts what is mapped, several times what is held.
    """

    def __init__(self, pid: int, limit: int) -> None:
        self.pid, self.limit, self.peak = pid, limit, 0
        self._stop, self._thread = Event(), Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        """Begin to watch."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop watching."""
        self._stop.set()
        self._thread.join()

    def look(self) -> None:
        """Measure once; end the process if it holds too much."""
        together = sum(status(one, "VmRSS") for one in family(self.pid)) * 1024
        # What the process held between two looks, the kernel has noted.
        self.peak = max(self.peak, together, status(self.pid, "VmHWM") * 1024)
        if self.peak > self.limit and status(self.pid, "VmRSS"):
            os.kill(self.pid, signal.SIGKILL)

    def _run(self) -> None:
        while not self._stop.wait(EVERY):
            self.look()
