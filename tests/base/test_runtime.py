"""The machine: files that are written whole, a folder of one's own, properties computed once for each object."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nlpsig_core.base.runtime import cached_property, private_folder, write_whole

SLOW = """
import sys
from pathlib import Path
from nlpsig_core.base import runtime
Path.replace = lambda *paths: (print("ready", flush=True), sys.stdin.read())
runtime.write_whole(Path(sys.argv[1]), b"half" * 1000)
"""


INTERRUPTED = """
import os, signal
import numpy as np
from threadpoolctl import threadpool_info
from nlpsig_core.base.runtime import one_blas_thread

def threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background jobs ignore
submit, before = one_blas_thread.setter.submit, threads()

def interrupted(*work, **more):
    future = submit(*work, **more)
    os.kill(os.getpid(), signal.SIGINT)
    return future

one_blas_thread.setter.submit = interrupted
try:
    with one_blas_thread():
        print("never reached")
except KeyboardInterrupt:
    print("interrupted")
one_blas_thread.setter.submit = submit
with one_blas_thread():
    print(threads())
print(threads() == before)
"""


def test_ctrl_c_leaves_blas_as_it_was():
    """It comes while the limit is set, which is taken back."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    run = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["interrupted", "{1}", "True"]


def test_a_killed_writer_leaves_the_old_file_and_the_next_one_leaves_nothing(tmp_path):
    """One hour later: until then the first may still be at it."""
    path = tmp_path / "x[1]"
    path.write_bytes(b"old")
    command = [sys.executable, "-c", SLOW, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert path.read_bytes() == b"old"
    write_whole(path, b"newer")
    (left,) = tmp_path.glob(".*")
    os.utime(left, (0, 0))
    write_whole(path, b"new")
    assert [(left_over.name, left_over.read_bytes()) for left_over in tmp_path.iterdir()] == [("x[1]", b"new")]


def test_writers_of_one_file_do_not_mix(tmp_path):
    """Every content that is ever seen is that of one writer, and nothing else remains."""
    path, contents = tmp_path / "x", [bytes([letter]) * 100_000 for letter in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            list(pool.map(lambda content: write_whole(path, content), contents))
            assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_those_asked_for_less_the_umask(tmp_path):
    write_whole(tmp_path / "private", b"", mode=0o600)
    write_whole(tmp_path / "usual", b"")
    umask = os.umask(0o022)
    os.umask(umask)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("private", "usual")]
    assert modes == [0o600 & ~umask, 0o666 & ~umask]


def test_a_device_is_written_to_and_stays(tmp_path):
    """A pipe stands for a device such as /dev/stdout, which must not be replaced by a file."""
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()


def test_a_link_of_ones_own_is_followed_and_another_s_replaced(tmp_path, monkeypatch):
    """A link that somebody else put into a shared folder could lead to any file of this user."""
    (tmp_path / "folder").mkdir()
    link, file = tmp_path / "link", tmp_path / "folder" / "file"
    link.symlink_to("folder/file")
    for content in (b"new", b"newer"):
        write_whole(link, content)
        assert (link.is_symlink(), file.read_bytes()) == (True, content)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    write_whole(link, b"mine")
    assert (link.is_symlink(), link.read_bytes(), file.read_bytes()) == (False, b"mine", b"newer")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder", "link"]


def test_no_room_leaves_the_old_file_and_nothing_else(tmp_path):
    """A limit of the size of files stands for a full disk."""
    code = "import resource, sys; from pathlib import Path; from nlpsig_core.base.runtime import write_whole\n"
    code += "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
    code += "try: write_whole(Path(sys.argv[1]), b'x' * 9000)\nexcept OSError as e: print(e.strerror, e.filename)"
    (tmp_path / "x").write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "x")], capture_output=True, text=True, check=True)
    assert done.stdout == f"File too large {tmp_path / 'x'}\n"
    assert [(left_over.name, left_over.read_bytes()) for left_over in tmp_path.iterdir()] == [("x", b"old")]


def test_the_private_folder_is_removed_at_the_end():
    code = (
        "from nlpsig_core.base.runtime import private_folder as f; print(f(), oct(f().stat().st_mode)[-3:], f() == f())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    path, mode, same = done.stdout.split()
    assert (mode, same, Path(path).exists()) == ("700", "True", False)


def test_without_any_temporary_folder_nothing_can_be_written(monkeypatch):
    def none(**_):
        raise FileNotFoundError

    monkeypatch.setattr("nlpsig_core.base.runtime.TemporaryDirectory", none)
    with pytest.raises(OSError, match="Not a directory"):
        write_whole(private_folder.__wrapped__() / "x", b"")


class Slow:
    """An object whose value may take long."""

    def __init__(self, until: threading.Event) -> None:
        self.until, self.made = until, 0

    @cached_property
    def value(self) -> int:
        self.made += 1
        self.until.wait(5)
        return self.made


def test_a_property_is_computed_once_for_each_object():
    done = threading.Event()
    done.set()
    slow, other = Slow(done), Slow(done)
    assert [slow.value, slow.value, other.value] == [1, 1, 1]


def test_an_object_does_not_wait_for_the_property_of_another():
    """While one object computes its value, which takes long, another has its own at once."""
    never, done = threading.Event(), threading.Event()
    done.set()
    slow = threading.Thread(target=lambda: Slow(never).value)
    slow.start()
    quick = threading.Thread(target=lambda: Slow(done).value)
    quick.start()
    quick.join(2)
    assert not quick.is_alive()
    assert slow.is_alive()
    never.set()
    slow.join()
