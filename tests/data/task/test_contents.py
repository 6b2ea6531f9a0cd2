"""The digests of files on a disk: files that have not changed are not read again, and no edit goes unnoticed."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from nlpsig_core.base import cache as disk_cache
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task import contents, opening
from nlpsig_core.data.task.files import refuse as refuse_file
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import count_outputs, load_task
from nlpsig_core.significance.stats import counting
from tests.builders import conllu, write

LAS = METRICS["LAS"]
GOLD = conllu("a/0/root b/1/obj", "c/0/root d/1/nsubj")
WORSE = GOLD.replace("obj", "obl")
SMALL = {"gold.conllu": GOLD, "systems/A.conllu": GOLD, "systems/B.conllu": WORSE}
READ_ALL = ["gold.conllu", "systems/A.conllu", "systems/B.conllu"]


@pytest.fixture
def read(monkeypatch) -> list[str]:
    """The names of the files that are read, once each."""
    names, usual = [], opening._read
    monkeypatch.setattr(opening, "_read", lambda path, name: names.append(name) or usual(path, name))
    return names


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A task on a disk, whose files count as unchanged for long."""
    monkeypatch.setattr(contents, "is_local", lambda path: True)
    monkeypatch.setattr(contents, "SETTLED", 0)
    write(tmp_path, SMALL)
    time.sleep(0.05)
    return tmp_path


def scores(folder: Path) -> list[float]:
    task = load_task(folder)
    counts = count_outputs(task, task.test_set(), LAS)
    return [float(score) for score in counts.stats(LAS, task.names).scores]


def reads(read: list[str], folder: Path) -> list[str]:
    """Which files are read to count the task again."""
    read.clear()
    scores(folder)
    return sorted(set(read))


def edit(path: Path, content: str) -> None:
    """Write into a file in place, with the same number of bytes, and set its time of modification back."""
    before = path.stat()
    with path.open("r+") as stream:
        stream.write(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = path.stat()
    assert (after.st_size, after.st_mtime_ns, after.st_ino) == (before.st_size, before.st_mtime_ns, before.st_ino)


def test_files_that_have_not_changed_are_not_read_again(folder, read):
    """LAS: A has 4 of 4 words, B 3."""
    assert scores(folder) == [100, 75]
    assert sorted(set(read)) == READ_ALL
    assert reads(read, folder) == []
    assert scores(folder) == [100, 75]


def test_a_file_edited_in_place_with_its_time_kept_is_never_served_stale(folder, read):
    scores(folder)
    for content, score in ((WORSE, 75), (GOLD, 100)):
        edit(folder / "systems/A.conllu", content)
        time.sleep(0.05)
        assert scores(folder) == [score, 75]
    edit(folder / "gold.conllu", WORSE)
    assert scores(folder) == [75, 100]


def test_a_file_replaced_and_an_output_added_are_noticed(folder):
    scores(folder)
    (folder / "new").write_text(WORSE)
    (folder / "new").replace(folder / "systems/A.conllu")
    (folder / "systems/C.conllu").write_text(GOLD)
    assert scores(folder) == [75, 75, 100]


def test_files_that_changed_a_moment_ago_are_read_again(folder, read, monkeypatch):
    """A second change within one tick of the clock would have the same time."""
    monkeypatch.setattr(contents, "SETTLED", 3600 * 10**9)
    scores(folder)
    assert reads(read, folder) == READ_ALL


def test_files_of_other_file_systems_are_read_again(folder, read, monkeypatch):
    monkeypatch.setattr(contents, "is_local", lambda path: False)
    scores(folder)
    assert reads(read, folder) == READ_ALL


@pytest.mark.skipif(sys.platform != "linux", reason="other systems are not asked")
def test_the_file_system_says_whether_it_is_local(tmp_path, monkeypatch):
    assert not contents.is_local(Path("/proc/self/status"))
    assert not contents.is_local(tmp_path / "nothing")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not contents.is_local(tmp_path)


def test_packed_files_have_the_digest_of_what_they_hold(folder, read):
    """The unpacked file beside it would have the same name and counts."""
    plain = folder / "systems/B.conllu"
    (folder / "systems/B.conllu.gz").write_bytes(gzip.compress(WORSE.encode()))
    plain.unlink()
    time.sleep(0.05)
    assert scores(folder) == [100, 75]
    assert reads(read, folder) == []


def test_a_file_that_cannot_be_read_keeps_its_problem(folder, monkeypatch):
    def refuse(path, name):
        if name == "systems/B.conllu":
            refuse_file(name, "cannot be read")
        return path.read_bytes()

    with monkeypatch.context() as patch:
        patch.setattr(opening, "_read", refuse)
        assert scores(folder) == scores(folder) == [100, 0]
    assert scores(folder) == [100, 75]


@pytest.mark.parametrize("damage", ["empty", "cut", "backwards", "no digests", "too few"])
def test_a_damaged_entry_is_made_again(folder, read, cache, damage):
    scores(folder)
    place = contents.Contents(load_task(folder).test_set().files, cache).place
    data = place.read_bytes()
    if damage in ("no digests", "too few"):
        disk_cache.keep(place, {"digests": np.array(["x" * 64] * 3 if damage == "no digests" else ["0" * 64])})
    else:
        place.write_bytes({"empty": b"", "cut": data[:100]}.get(damage, data[::-1]))
    assert reads(read, folder) == READ_ALL
    assert scores(folder) == [100, 75]
    assert reads(read, folder) == []


def test_the_counts_of_all_outputs_are_one_entry(folder, monkeypatch):
    first = scores(folder)
    with monkeypatch.context() as patch:
        patch.setattr(counting, "_counted", None)
        assert scores(folder) == first
        edit(folder / "systems/A.conllu", WORSE)
        with pytest.raises(TypeError):
            scores(folder)


def test_values_that_are_no_counts_of_all_outputs_are_counted_again(folder, monkeypatch):
    first, places, usual = scores(folder), [], counting._place_of_all
    monkeypatch.setattr(counting, "_place_of_all", lambda *of: places.append(usual(*of)) or places[-1])
    assert scores(folder) == first
    about = '{"problems": {}, "remarks": {}, "same_bytes": {}, "counted_as": "<i4"}'
    for values in (np.ones((2, 1, len(LAS.family.columns)), np.uint8), np.ones((2, 2, len(LAS.family.columns)))):
        disk_cache.keep(places[0], {"values": values, "about": np.array(about)})
        assert scores(folder) == first


def test_verify_reads_all_again(folder, read, monkeypatch, capsys):
    """As if a disk changed a file without a trace: only --verify sees it, and the next command remembers."""

    def printed(*options: str) -> str:
        assert main(["score", str(folder), "--metric", "LAS", "--resamples", "100", *options]) == 0
        return capsys.readouterr().out

    monkeypatch.setattr(contents, "state", lambda status: (status.st_ino, status.st_size, 0))
    first = printed()
    edit(folder / "systems/A.conllu", WORSE)
    assert printed() == first
    verified = printed("--verify")
    assert verified != first
    assert "\t75.0" in verified
    read.clear()
    assert printed() == verified
    assert not read


# What a process runs; only files that were edited two seconds ago or earlier would be known otherwise.
COUNT = """
import sys
from nlpsig_core.data.task import contents
from nlpsig_core.output.commands.cli import main
contents.SETTLED, contents.is_local = 0, lambda path: True
sys.exit(main(["score", sys.argv[1], "--metric", "LAS", "--resamples", "100"]))
"""


@pytest.mark.slow
def test_processes_side_by_side_print_the_same_and_leave_whole_entries(folder, read):
    command = [sys.executable, "-c", COUNT, str(folder)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    printed = [process.communicate(timeout=300)[0] for process in started]
    assert len(set(printed)) == 1
    assert "\t75.0" in printed[0]
    assert reads(read, folder) == []
