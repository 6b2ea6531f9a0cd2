"""Faults of the machine: killed writers, damaged and foreign entries, several at once, no room, a clock set back."""

from __future__ import annotations

import functools
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpsig_core.base.runtime import available_cores, private_folder
from soak import Promise
from tests.processes import ended

ROOT = Path(__file__).resolve().parents[1]
KILLS, SEED = 120, 0
# Kills in a row before the command may finish: it resumes from what the others left. The first two are in the middle
# of a file, while there is something to write.
IN_A_ROW, IN_A_FILE = 4, 2
SECONDS_TO_END = 10
# Python runs this in each process that finds it: one that is about to give a file its name dies at the Nth time, with
# half of the file written.
DEADLY = """
import os, signal
from pathlib import Path

named, left = Path.replace, int(os.environ["DIES_AT"])

def replace(path, target):
    global left
    left -= 1
    if not left:
        os.truncate(path, path.stat().st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)
    return named(path, target)

Path.replace = replace
"""


@dataclass(frozen=True)
class Work:
    """A command that writes: what is ``written``, its arguments, and the file that it makes beside its output."""

    written: str
    arguments: tuple[str, ...]
    made: str = ""


# What a command gives: its exit code, its output and the content of its file.
Result = tuple[int, bytes, bytes]


@dataclass(frozen=True)
class Undisturbed:
    """What a command gives without faults, the seconds that it takes, and the folder with its cache."""

    result: Result
    seconds: float
    folder: Path

    @property
    def entries(self) -> list[Path]:
        """The entries of its cache."""
        return sorted((self.folder / "cache").glob("??/*.npz"))


FEW = ("--resamples", "1000")
WORKS = (
    Work("counts", ("score", "brelda-parsing", *FEW)),
    Work("counts in processes", ("score", "shumak-translation", "--metric", "chrF", *FEW)),
    Work("a pack", ("pack", "brelda-parsing", "-o", "x.nlpsig"), "x.nlpsig"),
    Work("a report", ("report", "brelda-parsing", *FEW, "-o", "x.html"), "x.html"),
    Work("an atlas", ("atlas", "build", "orvan-three-test-sets", "--metrics", "LAS", *FEW, "-o", "x"), "x/atlas.npz"),
)


def promises() -> Iterator[Promise]:
    """Yield, after each fault, whether a command gives what it gives undisturbed, byte for byte."""
    for work in WORKS:
        yield killed(work, -(-KILLS // len(WORKS)))
    for spoil in (cut_short, with_the_content_of_others, with_a_flipped_byte, from_the_future):
        yield spoilt(spoil)
    yield together()
    yield without_room("a cache that cannot be written", in_the_way=True)
    yield without_room("a full disk", before=fill_disk)


def _start(work: Work, folder: Path, before: Callable[[], None] | None = None, **more: str) -> subprocess.Popen[bytes]:
    """Start a command with its cache and its files in a folder; ``before`` runs in the new process."""
    return subprocess.Popen(
        [sys.executable, "-m", "nlpsig_core", *work.arguments],
        cwd=folder,
        env=os.environ | {"NLPSIG_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT)} | more,
        preexec_fn=before,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _result(work: Work, folder: Path, process: subprocess.Popen[bytes]) -> Result:
    output, _ = process.communicate()
    made = folder / work.made
    return process.returncode, output, made.read_bytes() if work.made and made.is_file() else b""


@functools.cache
def _undisturbed(work: Work) -> Undisturbed:
    """Run a command without faults, once; it has to succeed, since two failures would look alike."""
    folder = private_folder() / work.written
    folder.mkdir()
    start = time.monotonic()
    result = _result(work, folder, _start(work, folder))
    if result[0]:
        raise RuntimeError(f"{' '.join(work.arguments)} ended with exit code {result[0]}")
    return Undisturbed(result, time.monotonic() - start, folder)


def _unfinished(folder: Path) -> list[Path]:
    return list(folder.rglob(".*.unfinished"))


def killed(work: Work, kills: int) -> Promise:
    """Kill -9 at random times, and in the middle of a file; the processes that were started end by themselves."""
    generator = np.random.default_rng(SEED)
    different = left = alive = writing = 0
    wanted = _undisturbed(work)
    for first in range(0, kills, IN_A_ROW):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for number in range(first, min(first + IN_A_ROW, kills)):
                in_a_file = number - first < IN_A_FILE
                process = _dying(work, folder, generator, None if in_a_file else wanted.seconds)
                alive += not ended(process.pid, within=SECONDS_TO_END)
                writing += in_a_file and process.returncode == -signal.SIGKILL
                for path in _unfinished(folder):  # an hour later
                    os.utime(path, (0, 0))
            different += _result(work, folder, _start(work, folder)) != wanted.result
            left += len(_unfinished(folder))
    return Promise(
        what=f"{kills} kill -9 while writing {work.written} ({writing} in the middle of a file), then a whole run",
        measured=f"{different} runs differ, {left} unfinished files, {alive} runs with processes left",
        limit="0",
        held=not (different or left or alive),
    )


def _dying(work: Work, folder: Path, generator: np.random.Generator, seconds: float | None) -> subprocess.Popen[bytes]:
    """Run a command that is killed at a random time in so many seconds, or in the middle of one of its files."""
    (folder / "deadly").mkdir(exist_ok=True)
    (folder / "deadly" / "sitecustomize.py").write_text(DEADLY, encoding="utf-8")
    number = int(generator.integers(1, 4)) if seconds is None else -1
    path = os.pathsep.join([str(folder / "deadly"), str(ROOT)])
    process = _start(work, folder, PYTHONPATH=path, DIES_AT=str(number))
    try:
        process.communicate(timeout=None if seconds is None else generator.uniform(0, seconds))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    return process


def cut_short(entries: list[Path], generator: np.random.Generator) -> None:
    """Cut entries off."""
    for path in entries:
        os.truncate(path, int(generator.integers(path.stat().st_size)))


def with_the_content_of_others(entries: list[Path], generator: np.random.Generator) -> None:
    """Give each entry the content of the next."""
    contents = [path.read_bytes() for path in entries]
    for path, content in zip(entries, [*contents[1:], contents[0]], strict=True):
        path.write_bytes(content)


def with_a_flipped_byte(entries: list[Path], generator: np.random.Generator) -> None:
    """Change a byte of each entry."""
    for path in entries:
        content = bytearray(path.read_bytes())
        content[int(generator.integers(len(content)))] ^= 0xFF
        path.write_bytes(content)


def from_the_future(entries: list[Path], generator: np.random.Generator) -> None:
    """Set the times of entries forward."""
    for path in entries:
        os.utime(path, (time.time() + 1e6, time.time() + 1e6))


def spoilt(spoil: Callable[[list[Path], np.random.Generator], None]) -> Promise:
    """Change every entry of a cache."""
    wanted = _undisturbed(WORKS[0])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(shutil.copytree(wanted.folder, name, dirs_exist_ok=True))
        entries = [folder / path.relative_to(wanted.folder) for path in wanted.entries]
        spoil(entries, np.random.default_rng(SEED))
        differs = _result(WORKS[0], folder, _start(WORKS[0], folder)) != wanted.result
    return Promise(
        what=f"{len(entries)} entries {spoil.__name__.replace('_', ' ')}",
        measured="another result" if differs else "same result",
        limit="same result",
        held=not differs and bool(entries),
    )


def together(commands: int = 4) -> Promise:
    """Run several commands at once on a cache that has room for a third of their entries, and is always pruned."""
    work, wanted = WORKS[0], _undisturbed(WORKS[0])
    sizes = [path.stat().st_size for path in wanted.entries]
    most = sum(sizes) // 3
    # While one process prunes, every thread of all of them may write one more.
    limit = most + commands * available_cores() * max(sizes)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = [_start(work, folder, NLPSIG_CACHE_SIZE=str(most)) for _ in range(commands)]
        differ = sum(_result(work, folder, process) != wanted.result for process in started)
        size = sum(path.stat().st_size for path in (folder / "cache").rglob("*.npz"))
    return Promise(
        what=f"{commands} commands at once on one cache that has room for a third",
        measured=f"{differ} differ, {size:,} bytes",
        limit=f"0 differ, {limit:,} bytes",
        held=not differ and size <= limit,
    )


def fill_disk() -> None:
    """Let no file get any bytes, as on a full disk; pipes may."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def without_room(what: str, before: Callable[[], None] | None = None, in_the_way: bool = False) -> Promise:
    """Run a command that can keep nothing; ``in_the_way`` puts a file where the cache would be, also for root."""
    wanted = _undisturbed(WORKS[0]).result
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if in_the_way:
            (folder / "cache").write_text("in the way")
        differs = _result(WORKS[0], folder, _start(WORKS[0], folder, before)) != wanted
        left = len(_unfinished(folder))
    return Promise(
        what=what,
        measured=f"{'another' if differs else 'same'} result, {left} unfinished files",
        limit="same result, 0 unfinished files",
        held=not (differs or left),
    )
