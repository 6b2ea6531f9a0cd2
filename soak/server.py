"""The app on a limited machine, with what it uses: processor time, memory and threads."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from soak.memory import Watch, status
from tests.serving import serve

# The task that is open, as for everybody who comes.
FIRST = "conll-2017-chinese"
# The bytes of memory that the server is told to have, and above which it is ended; what runs in its process first: it
# says its number.
LIMIT = 2_000_000_000
FIRST_OF_ALL = "import os; open({!r}, 'w').write(str(os.getpid()))"


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
    """The app with empty caches, open on a task; it is told that it has LIMIT bytes, and ended if it takes more."""
    with tempfile.TemporaryDirectory() as folder:
        pid = Path(folder) / "pid"
        most = str(LIMIT // 2_000_000)
        first = FIRST_OF_ALL.format(str(pid))
        with (
            serve(Path(folder), first, NLPSIG_TASK=task, NLPSIG_MAX_MEMORY=most) as address,
            Watch(int(pid.read_text()), LIMIT) as watch,
        ):
            yield Server(address, watch.pid, watch)
