"""Full disks, want of memory, closed outputs and Ctrl-C: one line, an exit code, and no process left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from nlpsig_core.output.commands import COMMANDS
from nlpsig_core.output.commands.cli import main
from tests.builders import write
from tests.processes import ended, members

PAIRS = ("pairs", "pelune-entities", "--resamples", "1000")
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this machine has no /dev/full")
NO_ROOM = "nlpsig: No space left on device"


def start(*arguments: str, **options) -> subprocess.Popen:
    """A command in a session of its own that hears Ctrl-C, as in a terminal: a shell's background jobs ignore it."""
    command = [sys.executable, "-m", "nlpsig_core", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    hear = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(command, text=True, start_new_session=True, preexec_fn=hear, **streams)


@needs_full
@pytest.mark.parametrize("name", COMMANDS)
def test_help_on_a_full_disk(name, capsys, monkeypatch):
    with suppress(OSError), FULL.open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main([name, "--help"]) == 1
        monkeypatch.undo()
    assert capsys.readouterr().err == f"{NO_ROOM}\n"


@needs_full
def test_a_table_on_a_full_disk():
    with FULL.open("w") as full, start(*PAIRS, stdout=full) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert errors.splitlines()[-1] == NO_ROOM
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors


@needs_full
def test_notes_on_a_full_disk():
    with FULL.open("w") as full, start(*PAIRS, stderr=full) as process:
        process.communicate()
    assert process.returncode == 1


@pytest.mark.parametrize(("arguments", "code"), [(PAIRS, 1), (("compare", *PAIRS[1:], "Vorquell-1", "Dorfe-1"), 2)])
def test_a_closed_output(arguments, code):
    """The shell's ``>&-``. What is wrong with the options is still told."""
    command = [sys.executable, "-m", "nlpsig_core", *arguments]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], stderr=subprocess.PIPE, text=True)
    assert done.returncode == code
    assert done.stderr.splitlines()[-1].startswith("nlpsig: Bad file descriptor" if code == 1 else "nlpsig: No system")
    assert "Traceback" not in done.stderr


def test_all_streams_closed_and_a_file_is_written_all_the_same(tmp_path):
    """No file takes the number of a closed stream: notes do not end up in it."""
    command = [sys.executable, "-m", "nlpsig_core", "pack", "pelune-entities", "-o", str(tmp_path / "x.nlpsig")]
    done = subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command])
    assert done.returncode == 0
    assert main(["pack", "pelune-entities", "--check", str(tmp_path / "x.nlpsig")]) == 0


def test_a_reader_that_wants_no_more():
    with start("pairs", "brelda-parsing", "--resamples", "1000", "--format", "json") as process:
        process.stdout.close()
        errors = process.stderr.read()
    assert process.returncode == 0
    assert "nlpsig:" not in errors
    assert "Exception ignored" not in errors


@needs_full
@pytest.mark.parametrize("arguments", [("report", "pelune-entities"), ("pack", "pelune-entities")])
def test_a_file_on_a_full_disk(arguments, capsys):
    """As root, a device would once have been replaced by the file."""
    assert main([*arguments, "--resamples", "1000", "-o", str(FULL)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"nlpsig: {FULL}: cannot be written: No space left on device"
    assert FULL.is_char_device()


def test_a_folder_for_results_that_cannot_be_made(tmp_path, capsys):
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "atlas"
    assert main(["atlas", "build", "pelune-entities", "--resamples", "10", "-o", str(folder)]) == 2
    assert capsys.readouterr().err == f"nlpsig: {folder / 'parts'}: Not a directory\n"


@pytest.fixture
def costly(tmp_path) -> Path:
    """A task that takes minutes to count: chrF of long lines, in processes."""
    line = "some words that many systems and their references use in one way or another " * 200
    lines = "".join(f"{line} {number}\n" for number in range(300))
    outputs = {f"systems/{name}.txt": lines.replace("words", name) for name in "abcdefgh"}
    return write(tmp_path / "task", {"references/r.txt": lines, **outputs})


def works(pid: int, processes: int) -> bool:
    return len(members(pid)) >= processes and (processes > 1 or "numba" in Path(f"/proc/{pid}/maps").read_text())


def wait_for(processes: int, process: subprocess.Popen, longer: float = 1) -> None:
    """Wait until a command has so many processes (one alone: what it computes with), and a second longer: at work."""
    latest = time.monotonic() + 60
    while not works(process.pid, processes) and process.poll() is None and time.monotonic() < latest:
        time.sleep(0.05)
    time.sleep(longer)
    assert process.poll() is None, process.communicate()


LONG = ("pairs", "brelda-parsing", "--resamples", "100000000")


# A command with one process to count has two more of loky's; one with a worker of Dask has one more to track resources.
@pytest.mark.parametrize(
    ("long", "processes", "longer"),
    [(LONG, 1, 1), (("score", "--metric", "chrF"), 4, 1), ((*LONG, "--workers", "1"), 3, 0.2)],
    ids=["alone", "with processes", "while a worker of Dask starts"],
)
def test_ctrl_c(long, processes, longer, costly):
    """A terminal sends it to all processes of the command: none prints a traceback or lives on."""
    with start(*long, *([str(costly)] if long[0] == "score" else [])) as process:
        wait_for(processes, process, longer)
        since = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert [line for line in errors.splitlines() if not line.startswith("note: ")] == ["nlpsig: interrupted"]
    assert time.monotonic() - since < 10
    assert ended(process.pid, within=5)


INTERRUPTED = """
import os, signal, sys, threading

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background jobs ignore
start, first = threading.Thread.start, sys.argv.pop(1)

def interrupted(thread):
    start(thread)
    if thread.name.startswith(first):
        os.kill(os.getpid(), signal.SIGINT)

threading.Thread.start = interrupted
from nlpsig_core.output.commands.cli import run
run()
"""


def test_ctrl_c_while_the_thread_that_limits_blas_starts():
    """Its pool does not know it yet, and would not end it: the command would wait for it for ever."""
    command = [sys.executable, "-c", INTERRUPTED, "blas-limit", *LONG]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 130
    assert done.stderr.splitlines()[-1] == "nlpsig: interrupted"


def test_processes_end_with_a_command_that_is_killed(costly):
    with start("score", str(costly), "--metric", "chrF") as process:
        wait_for(4, process)
        process.kill()
        process.communicate()
    assert ended(process.pid, within=10)


def test_want_of_memory(monkeypatch, capsys):
    def too_large(*_):
        raise MemoryError

    monkeypatch.setattr("nlpsig_core.output.commands.task.load_task", too_large)
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "7")
    assert main(PAIRS) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("nlpsig: There is not enough memory for this; ")
    assert "NLPSIG_MAX_MEMORY (in MB, now 7)" in err
