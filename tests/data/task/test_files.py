"""Folders, zips and uploads: which files there are, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.data.task.files import decode
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.opening import open_files, upload_files
from nlpsig_core.data.task.zips import zip_files
from tests.builders import write, zipped

SMALL = {"gold.conllu": "g", "systems/A.conllu": "a", "systems/deep/B.conllu": "ä"}


def texts(files) -> dict[str, str]:
    return {path: file.text() for path, file in files.items()}


def test_folder_zip_and_uploads_give_the_same_files(tmp_path):
    folder = write(tmp_path / "folder", SMALL)
    (tmp_path / "task.zip").write_bytes(zipped(SMALL))
    assert texts(open_files(folder)) == SMALL
    assert texts(open_files(tmp_path / "task.zip")) == SMALL
    assert texts(upload_files([("task.zip", zipped(SMALL))])) == SMALL
    assert texts(upload_files([(path, content.encode()) for path, content in SMALL.items()])) == SMALL


def test_a_zip_among_uploads_becomes_a_folder():
    uploads = [("gold.conllu", b"g"), ("systems.zip", zipped({"A.conllu": "a"}))]
    assert texts(upload_files(uploads)) == {"gold.conllu": "g", "systems/A.conllu": "a"}


def test_backslashes_of_windows_become_slashes():
    assert list(zip_files(zipped({"systems\\A.conllu": "a"}), "t.zip")) == ["systems/A.conllu"]
    assert list(upload_files([("systems\\A.conllu", b"a")])) == ["systems/A.conllu"]
    assert list(zip_files(zipped({"systems\\": "", "systems\\A.conllu": "a"}), "t.zip")) == ["systems/A.conllu"]


def test_paths_have_single_slashes_between_names():
    """Some packers write ./ or / before every name."""
    paths = ["./gold.txt", "/systems//A.txt", "systems/./B.txt"]
    assert list(zip_files(zipped(dict.fromkeys(paths, "x")), "t.zip")) == ["gold.txt", "systems/A.txt", "systems/B.txt"]


def test_hidden_files_are_left_out(tmp_path):
    hidden = {".DS_Store": "x", "__MACOSX/gold.conllu": "x", "systems/.git/A.conllu": "x"}
    write(tmp_path, SMALL | hidden)
    assert list(open_files(tmp_path)) == sorted(SMALL)
    assert list(zip_files(zipped(SMALL | hidden), "t.zip")) == sorted(SMALL)
    assert list(upload_files([(".DS_Store", b"x"), ("a", b"x")])) == ["a"]


@pytest.mark.parametrize("name", ["../evil.conllu", "systems/../../evil.conllu"])
def test_names_that_climb_out_are_left_out(name):
    assert list(zip_files(zipped({"gold.conllu": "g", name: "x"}), "t.zip")) == ["gold.conllu"]
    assert list(upload_files([("gold.conllu", b"g"), (name, b"x")])) == ["gold.conllu"]


def test_links_that_lead_out_are_there_but_not_read(tmp_path):
    outside = write(tmp_path / "outside", {"secret.conllu": "s"})
    inside = write(tmp_path / "inside", SMALL)
    (inside / "systems" / "link.conllu").symlink_to(outside / "secret.conllu")
    (inside / "systems" / "folder").symlink_to(outside)
    (inside / "systems" / "kept.conllu").symlink_to(inside / "gold.conllu")
    (inside / "systems" / "nowhere.conllu").symlink_to(inside / "missing")
    (inside / "again").symlink_to(inside / "systems")
    (inside / ".hidden.conllu").symlink_to(outside / "secret.conllu")
    files = open_files(inside)
    out = "is a link that points outside the folder; it is not read"
    nowhere = "is a broken link; it is not read"
    assert {path: file.not_read for path, file in files.items()} == {
        **dict.fromkeys([*SMALL, "systems/kept.conllu"], ""),
        "systems/link.conllu": out,
        "systems/folder": out,
        "systems/nowhere.conllu": nowhere,
    }


def test_neither_folder_nor_zip(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(
        TaskError, match=r"a.txt is neither a folder, a zip, a pack nor a score table; give a task's folder"
    ):
        open_files(tmp_path / "a.txt")
    with pytest.raises(TaskError, match="does not exist; give a task folder, a zip of one, or a sample's name"):
        open_files(tmp_path / "nothing")


def test_a_file_larger_than_reading_has_memory_for(tmp_path, monkeypatch):
    """With 1 MB of memory and 100 bytes of it per byte, a file has at most 10,000 bytes."""
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    sizes = {"gold.txt": "g" * 10_000, "systems/A.txt": "a" * 10_001}
    write(tmp_path / "folder", sizes)
    reason = (
        "has 10,001 bytes, more than the 10,000 that a file may have: reading takes 100 times as much memory; "
        "NLPSIG_MAX_MEMORY (in MB, now 1) raises the limit"
    )
    uploads = [(path, content.encode()) for path, content in sizes.items()]
    for files in (open_files(tmp_path / "folder"), upload_files(uploads), upload_files([("t.zip", zipped(sizes))])):
        assert {path: file.not_read for path, file in files.items()} == {"gold.txt": "", "systems/A.txt": reason}
        with pytest.raises(FileError, match="more than the 10,000"):
            files["systems/A.txt"].load()


@pytest.mark.parametrize("value", ["0", "-1", "much", "1e3", "٣", "9" * 5_000])
def test_a_setting_that_is_no_number_of_megabytes(monkeypatch, value):
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", value)
    with pytest.raises(ChoiceError, match="give it a number of megabytes, such as 2000"):
        upload_files([("a", b"a")])


def test_a_zip_larger_than_memory_is_not_read_from_the_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    with (tmp_path / "t.zip").open("wb") as stream:
        stream.truncate(1_000_001)
    with pytest.raises(TaskError, match=r"t.zip has 1,000,001 bytes, more than 1,000,000; NLPSIG_MAX_MEMORY raises"):
        open_files(tmp_path / "t.zip")


def test_files_of_the_same_name(tmp_path):
    """Of an upload, or once bytes that are not UTF-8 are replaced: the others would vanish without a word."""
    uploaded = upload_files([("a.txt", b"1"), ("b.txt", b"2"), ("a.txt", b"3")])
    assert texts(uploaded) == {"a.txt": "3", "b.txt": "2"}
    assert [file.remark for file in uploaded.values()] == ["occurs 2 times in the upload; the last one is used", ""]
    for name in (b"a\xe8.txt", b"a\xe9.txt"):
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_text("x")
    assert [(file.path, file.remark) for file in open_files(tmp_path).values()] == [
        ("a\ufffd.txt", "occurs 2 times in the folder; the last one is used")
    ]


def test_a_remark_is_among_the_problems_of_the_task():
    files = upload_files([("gold.txt", b"a b\n"), ("s.txt", b"a\n"), ("s.txt", b"a b\n")])
    found = task_of(files, "small")
    assert found.problems == ("s.txt occurs 2 times in the upload; the last one is used",)


def test_text_is_utf_8_with_plain_line_breaks():
    assert decode(b"\xef\xbb\xbfa\r\nb\rc\n", "x") == "a\nb\nc\n"
    with pytest.raises(FileError, match=r"x.conllu, line 3: not UTF-8; save the file as UTF-8"):
        decode("a\nb\nGröße\n".encode("latin-1"), "x.conllu")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_known_by_its_mark(encoding):
    """Windows PowerShell writes it with > and Excel as Unicode Text: it is recognised and read as UTF-8 is."""
    gold, answers = ("id,label\r\n1,ja\r\n2,né\r\n3,ja\r\n4,né\r\n", "id,label\r\n1,né\r\n2,né\r\n3,ja\r\n4,né\r\n")
    mark = "\ufeff".encode(encoding)
    files = {"gold.csv": mark + gold.encode(encoding), "s.csv": mark + answers.encode(encoding)}
    test_set = task_of(upload_files(files.items()), "t").test_set()
    assert test_set.reader.name == "Labels"
    assert test_set.read("s.csv", files["s.csv"]).columns[1] == ["né", "né", "ja", "né"]
    with pytest.raises(FileError, match=r"s.csv, line 1: not UTF-8; save the file as UTF-8"):
        decode(mark + "né".encode(encoding)[:-1], "s.csv")


def test_a_file_that_is_gone_by_the_time_it_is_read(tmp_path):
    files = open_files(write(tmp_path, SMALL))
    os.remove(tmp_path / "gold.conllu")
    with pytest.raises(FileError, match=r"gold.conllu: cannot be read"):
        files["gold.conllu"].load()
