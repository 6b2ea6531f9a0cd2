"""The app on a limited machine, with what it uses (processor time, memory and threads), and tasks to open in it."""

from __future__ import annotations

import io
import os
import signal
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

from nlpsig_core.data.task.samples import SAMPLES
from tests.serving import serve

# The task that is open, as for everybody who comes.
FIRST = "conll-2017-chinese"
# The bytes of memory that the server is told to have, and above which it is ended; what runs in its process first: it
# says its number.
LIMIT = 2_000_000_000
FIRST_OF_ALL = "import os; open({!r}, 'w').write(str(os.getpid()))"
# Seconds between two looks.
EVERY = 0.1
SAMPLE = "brelda-parsing.zip"


def status(pid: int, name: str) -> int:
    """Return a number of a process from its status; 0 if it has gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), 0)


def family(pid: int) -> list[int]:
    """Return a process and all that it has started, and those in turn."""
    members = [pid]
    for member in members:
        for threads in Path(f"/proc/{member}/task").glob("*/children"):
            try:
                members += map(int, threads.read_text().split())
            except (FileNotFoundError, ProcessLookupError):
                continue
    return members


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
        together = sum(status(member, "VmRSS") for member in family(self.pid)) * 1024
        # What the process held between two looks, the kernel has noted.
        self.peak = max(self.peak, together, status(self.pid, "VmHWM") * 1024)
        if self.peak > self.limit and status(self.pid, "VmRSS"):
            os.kill(self.pid, signal.SIGKILL)

    def _run(self) -> None:
        while not self._stop.wait(EVERY):
            self.look()


@dataclass(frozen=True)
class Server:
    """A running app: its address, the process, and the watch on its memory."""

    address: str
    pid: int
    watch: Watch

    @property
    def seconds(self) -> float:
        """The processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """The bytes of memory that it holds now."""
        return status(self.pid, "VmRSS") * 1024

    @property
    def peak(self) -> int:
        """The most bytes of memory that it held with all that it started."""
        return self.watch.peak

    @property
    def threads(self) -> int:
        """Its threads."""
        return status(self.pid, "Threads")


@contextmanager
def served(task: str) -> Iterator[Server]:
    """Serve the app with empty caches, open on a task; it is told that it has LIMIT bytes, and ended above it."""
    with tempfile.TemporaryDirectory() as folder:
        pid = Path(folder) / "pid"
        most = str(LIMIT // 2_000_000)
        first = FIRST_OF_ALL.format(str(pid))
        with (
            serve(Path(folder), first, NLPSIG_TASK=task, NLPSIG_MAX_MEMORY=most) as address,
            Watch(int(pid.read_text()), LIMIT) as watch,
        ):
            yield Server(address, watch.pid, watch)


def variant(number: int, systems: int = 100) -> bytes:
    """Return a zip of the sample task's gold and some of its systems, which differs from all others in every file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(SAMPLES / SAMPLE) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        treebanks = [name for name in old.namelist() if name.endswith(".conllu")]
        golds = [name for name in treebanks if "gold" in name]
        for name in [*golds, *[name for name in treebanks if name not in golds][:systems]]:
            new.writestr(name, f"# task {number}\n".encode() + old.read(name))
    return buffer.getvalue()
