"""The app on a limited machine, with what it uses: processor time, memory and threads."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.serving import serve

# The task that is open, as for everybody who comes.
FIRST = "conll-2017-chinese"
# The bytes of memory that the server is told to have, and what runs in its process first: it says its number. A limit
# set on the process (RLIMIT_DATA) counts what is mapped, three times what the server holds.
LIMIT = 2_000_000_000
FIRST_OF_ALL = "import os; open({!r}, 'w').write(str(os.getpid()))"


@dataclass(frozen=True)
class Server:
    """A running app: its address, and the process."""

    address: str
    pid: int

    @property
    def seconds(self) -> float:
        """The processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """The bytes of memory that it holds now."""
        return self._status("VmRSS") * 1024

    @property
    def peak(self) -> int:
        """The most bytes of memory that it held."""
        return self._status("VmHWM") * 1024

    @property
    def threads(self) -> int:
        """Its threads."""
        return self._status("Threads")

    def _status(self, name: str) -> int:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])


@contextmanager
def served(task: str) -> Iterator[Server]:
    """The app with empty caches, open on a task; it bounds what it keeps as if the machine had LIMIT bytes."""
    with tempfile.TemporaryDirectory() as folder:
        pid = Path(folder) / "pid"
        most = str(LIMIT // 2_000_000)
        with serve(Path(folder), FIRST_OF_ALL.format(str(pid)), NLPSIG_TASK=task, NLPSIG_MAX_MEMORY=most) as address:
            yield Server(address, int(pid.read_text()))
