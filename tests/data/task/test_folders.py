"""The walk of a folder: what cannot be read is named, whatever it is, and too many files end it at once."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import warnings
from pathlib import Path

import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.task import folders
from nlpsig_core.data.task.folders import examined, resolved, state_of, walk
from nlpsig_core.data.task.loading import gold_files
from nlpsig_core.data.task.opening import open_files
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import TASK, write

SMALL = {"gold.txt": "a b c d\n", "systems/A.txt": "a b c d\n", "systems/B.txt": "a b c x\n"}
NOT_UTF_8 = os.fsdecode(b"syst\xe8me")


def not_read(folder: Path) -> dict[str, str]:
    """Why files are not read, by path, of those that are not."""
    return {"/".join(found.names): found.not_read for found in walk(folder) if found.not_read}


def test_files_are_in_the_order_of_their_names(tmp_path):
    """By folder: the slash comes before any character, as in a list of paths."""
    write(tmp_path, dict.fromkeys(["b.txt", "a.txt", "a/z.txt", "a-/y.txt", "a/.hidden", ".git/config"], ""))
    assert ["/".join(found.names) for found in walk(tmp_path)] == ["a/z.txt", "a-/y.txt", "a.txt", "b.txt"]


def test_pipes_sockets_and_devices_are_named_but_not_opened(tmp_path):
    """To read a pipe that nobody writes to takes for ever."""
    write(tmp_path, SMALL)
    os.mkfifo(tmp_path / "systems" / "pipe.txt")
    (tmp_path / "systems" / "device.txt").symlink_to("pipe.txt")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "systems" / "socket.txt"))
    reason = "is a pipe, a socket or a device; it is not read"
    odd = ("systems/device.txt", "systems/pipe.txt", "systems/socket.txt")
    assert not_read(tmp_path) == dict.fromkeys(odd, reason)
    assert load_task(tmp_path).problems == tuple(f"{path} {reason}" for path in odd)
    for path in (tmp_path / "systems" / "pipe.txt", Path("/dev/zero")):
        with pytest.raises(TaskError, match="is neither a folder, a zip, a pack nor a score table"):
            open_files(path)
        with pytest.raises(TaskError, match="is neither a file nor a folder; give the gold file"):
            gold_files(path)


def test_links_that_lead_to_themselves(tmp_path):
    write(tmp_path, SMALL)
    (tmp_path / "one.txt").symlink_to("two.txt")
    (tmp_path / "two.txt").symlink_to("one.txt")
    (tmp_path / "systems" / "up").symlink_to("..")
    assert not_read(tmp_path) == dict.fromkeys(["one.txt", "two.txt"], "is a broken link; it is not read")
    with pytest.raises(TaskError, match=r"one.txt cannot be examined \(Too many levels of symbolic links\)"):
        open_files(tmp_path / "one.txt")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("x" * 300, r"cannot be examined \(File name too long\)"),
        ("/x" * 5_000, r"^(/x){100}… cannot be examined \(File name too long\)"),
        ("a\0b", r"a\ufffdb cannot be examined \(.*embedded null .*\)"),
        ("nothing", "nothing does not exist"),
        (f"{__file__}/x", "does not exist"),
        (NOT_UTF_8, "syst\ufffdme does not exist"),
    ],
)
def test_paths_at_which_nothing_can_be(path, reason):
    for read in (open_files, gold_files, state_of):
        with pytest.raises(TaskError, match=reason):
            read(Path(path))


def test_paths_that_cannot_be_resolved():
    with pytest.raises(TaskError, match=r"a\ufffdb is not a path \(.*embedded null .*\)"):
        resolved("a\0b")
    assert resolved("~nobody-of-this-name/x") == Path.cwd() / "~nobody-of-this-name" / "x"


def test_the_walk_ends_at_the_limit(tmp_path, monkeypatch):
    """A folder of a hundred files: of its entries, one more than the limit is looked at."""
    taken = []

    class Long:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def __iter__(self):
            for number in range(100):
                taken.append(number)
                yield next(iter(list(REAL(tmp_path))))

    REAL = os.scandir
    (tmp_path / "a.txt").write_text("x")
    monkeypatch.setattr(folders, "MAX_FILES", 10)
    monkeypatch.setattr(folders.os, "scandir", lambda _: Long())
    with pytest.raises(TaskError, match="holds more than 10 files; open a task's folder"):
        walk(tmp_path)
    assert len(taken) == 11


def test_folders_and_hidden_files_count_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "MAX_FILES", 4)
    write(tmp_path, {"a/b/c/.hidden": "x"})
    assert walk(tmp_path) == []
    write(tmp_path, {"a/b/c/d": "x"})
    with pytest.raises(TaskError, match="holds more than 4 files"):
        state_of(tmp_path)


def test_the_root_of_the_file_system():
    """It has more files than a task, most of which nobody wants to read."""
    with pytest.raises(TaskError, match="/ holds more than 20,000 files; open a task's folder"):
        open_files(Path("/"))


def as_nobody(look, folder: Path) -> object:
    """What a function of a folder returns in a process without rights; skipped unless rights can be given away."""
    if os.geteuid():
        pytest.skip("only root can take the rights of another user")
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which the child does not use
        child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setuid(65534)
            found = look(folder)
        except BaseException as error:
            found = str(error)
        os.write(writing, json.dumps(found).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as stream:
        return json.load(stream)


@pytest.fixture
def open_to_all():
    """A folder that other users can open."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield write(folder, SMALL)
    shutil.rmtree(folder)


def test_parts_without_permission_are_named(open_to_all):
    """One folder cannot be listed; the names in another can, but nothing about them is known."""
    write(open_to_all, {"closed/C.txt": "c", "names/D.txt": "d"})
    (open_to_all / "closed").chmod(0)
    (open_to_all / "names").chmod(0o744)
    assert as_nobody(not_read, open_to_all) == {
        "closed": "cannot be read (Permission denied)",
        "names/D.txt": "cannot be read (Permission denied)",
    }
    assert as_nobody(lambda folder: [found.names for found in walk(folder) if not found.not_read], open_to_all) == [
        ["gold.txt"],
        ["systems", "A.txt"],
        ["systems", "B.txt"],
    ]


def test_files_without_permission_say_so_when_they_are_read(open_to_all):
    (open_to_all / "gold.txt").chmod(0)
    reason = as_nobody(lambda folder: len(gold_files(folder / "gold.txt")["gold.txt"].load()), open_to_all)
    assert reason == "gold.txt: cannot be read (Permission denied)"


def test_a_folder_without_permission(open_to_all):
    (open_to_all / "systems").chmod(0)
    assert "systems cannot be read (Permission denied)" in as_nobody(
        lambda folder: not_read(folder / "systems"), open_to_all
    )
    assert "A.txt cannot be examined (Permission denied)" in as_nobody(
        lambda folder: [examined(folder / "systems" / "A.txt", "").st_size], open_to_all
    )


def test_names_that_are_not_utf_8(tmp_path):
    """The file is read by its own name, and shown with a replacement."""
    write(tmp_path, SMALL)
    (tmp_path / "systems" / f"{NOT_UTF_8}.txt").write_text("a b c d\n")
    task = load_task(tmp_path)
    assert list(task.systems["system"]) == ["A", "B", "syst\ufffdme"]
    assert task.test_set().outputs["syst\ufffdme"].text() == "a b c d\n"
    shutil.move(tmp_path, folder := tmp_path.with_name(NOT_UTF_8))
    assert load_task(folder).name == "syst\ufffdme"


def test_a_state_differs_whenever_a_file_does(tmp_path):
    """Of the same size and date as well: programs that copy files set the date back."""
    write(tmp_path, SMALL)
    states = [state_of(tmp_path), state_of(tmp_path)]
    assert states[0] == states[1]
    gold = tmp_path / "gold.txt"
    before = gold.stat()
    gold.write_text("x b c d\n")
    os.utime(gold, ns=(before.st_atime_ns, before.st_mtime_ns))
    states.append(state_of(tmp_path))
    (tmp_path / "systems" / "A.txt").rename(tmp_path / "systems" / "C.txt")
    states.append(state_of(tmp_path))
    (tmp_path / "systems" / "C.txt").unlink()
    states.append(state_of(tmp_path))
    (tmp_path / "systems" / "C.txt").symlink_to("nowhere")
    states += [state_of(tmp_path), state_of(gold)]
    assert len(set(map(str, states))) == len(states) - 1


def test_paths_may_begin_with_the_users_folder(tmp_path, monkeypatch):
    """In a notebook no shell replaces ~."""
    monkeypatch.setenv("HOME", str(write(tmp_path, {f"task/{path}": content for path, content in TASK.items()})))
    for path in ("~/task", Path("~/task")):
        assert list(load_task(path, gold="~/task/gold.conllu").names) == ["North__1", "South__1"]
