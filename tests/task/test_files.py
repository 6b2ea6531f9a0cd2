"""Folders, zips and uploads: which files there are, and what is refused."""

from __future__ import annotations

import io
import os
import struct
import zipfile

import pytest

from nlpsig_core.digests import digest, digest_of
from nlpsig_core.errors import FileError, TaskError
from nlpsig_core.task import files as files_module
from nlpsig_core.task.files import decode, open_files, upload_files, zip_files
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


def test_a_zip_that_holds_its_folder_keeps_it():
    assert list(upload_files([("t.zip", zipped({"task/gold.conllu": "g"}))])) == ["task/gold.conllu"]


def test_backslashes_of_windows_become_slashes():
    assert list(zip_files(zipped({"systems\\A.conllu": "a"}), "t.zip")) == ["systems/A.conllu"]
    assert list(upload_files([("systems\\A.conllu", b"a")])) == ["systems/A.conllu"]


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
        "systems/link.conllu": out, "systems/folder": out, "systems/nowhere.conllu": nowhere,
    }  # fmt: skip


def test_neither_folder_nor_zip(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(
        TaskError, match=r"a.txt is neither a folder, a zip, a pack nor a score table; give a task's folder"
    ):
        open_files(tmp_path / "a.txt")
    with pytest.raises(TaskError, match="does not exist; give a task folder, a zip of one, or a sample's name"):
        open_files(tmp_path / "nothing")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 and no more", zipped(SMALL)[:-30]], ids=["empty", "head", "cut"])
def test_a_damaged_zip(data):
    with pytest.raises(TaskError, match=r"t.zip is not a readable zip; pack the task folder again"):
        zip_files(data, "t.zip")


def central(data: bytes, offset: int, value: int, size: str) -> bytes:
    """The zip with one number of its first directory entry overwritten."""
    changed = bytearray(data)
    struct.pack_into(size, changed, data.index(b"PK\x01\x02") + offset, value)
    return bytes(changed)


def test_an_encrypted_zip():
    with pytest.raises(TaskError, match=r"t.zip is encrypted; pack the task folder without a password"):
        zip_files(central(zipped(SMALL), 8, 1, "<H"), "t.zip")


def test_an_unknown_compression():
    files = zip_files(central(zipped({"a.conllu": "a"}), 10, 99, "<H"), "t.zip")
    with pytest.raises(FileError, match=r"t.zip: a.conllu: cannot be unpacked"):
        files["a.conllu"].load()


def test_a_header_that_lies_about_the_size():
    """A bomb may say that it is small: no more is unpacked than it says, and then it is refused."""
    files = zip_files(central(zipped({"a.conllu": "a" * 1_000_000}), 24, 10, "<L"), "t.zip")
    with pytest.raises(FileError, match=r"t.zip: a.conllu: (cannot be unpacked|larger than)"):
        files["a.conllu"].load()


def test_a_flipped_byte_in_the_content():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.conllu", "content")
    data = buffer.getvalue().replace(b"content", b"conTent")
    with pytest.raises(FileError, match=r"cannot be unpacked \(Bad CRC-32"):
        zip_files(data, "t.zip")["a.conllu"].load()


def test_more_files_or_bytes_than_a_task_has(tmp_path, monkeypatch):
    monkeypatch.setattr(files_module, "MAX_FILES", 2)
    with pytest.raises(TaskError, match=r"t.zip holds more than 2 files or 4,000,000,000 bytes"):
        zip_files(zipped(SMALL), "t.zip")
    with pytest.raises(TaskError, match="holds 3 files; a task has at most 2"):
        open_files(write(tmp_path, SMALL))
    with pytest.raises(TaskError, match=r"t.zip holds more than"):
        zip_files(central(zipped({"a": "a"}), 24, 2**32 - 2, "<L"), "t.zip")


def test_one_file_larger_than_a_task_has(monkeypatch):
    monkeypatch.setattr(files_module, "MAX_FILE_BYTES", 10)
    with pytest.raises(FileError, match=r"a.conllu: larger than the 10 bytes it may have"):
        zip_files(zipped({"a.conllu": "a" * 11}), "t.zip")["a.conllu"].load()


def test_text_is_utf_8_with_plain_line_breaks():
    assert decode(b"\xef\xbb\xbfa\r\nb\rc\n", "x") == "a\nb\nc\n"
    with pytest.raises(FileError, match=r"x.conllu, line 3: not UTF-8; save the file as UTF-8"):
        decode("a\nb\nGröße\n".encode("latin-1"), "x.conllu")


def test_a_file_that_is_gone_by_the_time_it_is_read(tmp_path):
    files = open_files(write(tmp_path, SMALL))
    os.remove(tmp_path / "gold.conllu")
    with pytest.raises(FileError, match=r"gold.conllu: cannot be read"):
        files["gold.conllu"].load()


def test_digest_is_of_the_content():
    """SHA-256 of nothing, as everybody has it."""
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest(b"a") != digest(b"b")


STRUCTURES = (
    ("ab", "c"), ("a", "bc"), ("abc",), (["ab", "c"],), (("ab",), "c"), (("a", "b"), ("c",)), (("a",), ("b", "c")), (),
    ((),), ([], []), ("",), (None,), ("null",), (0,), (0.0,), (False,), ("0",), ({"a": 1},), ({"a": "1"},),
    (("a", 1),), ([["a", 1]],), ({"a": {"b": 1}},), ({"a": 1, "b": 1},), ("a b",), ("a", "b"), ('a", "b',), ("2 gold",),
)  # fmt: skip


def test_digests_of_structures_differ_wherever_the_structures_do():
    """What a concatenation takes for the same, or JSON by itself would: text and number, number and nothing."""
    digests = [digest_of(*structure) for structure in STRUCTURES]
    assert len(set(digests)) == len(STRUCTURES)
    assert digest_of({"a": 1, "b": (2,)}) == digest_of({"b": [2], "a": 1})


def test_a_structure_is_of_text_numbers_sequences_and_mappings():
    with pytest.raises(TypeError, match="a key of a mapping is 1, not a text"):
        digest_of({1: "a"})
    with pytest.raises(TypeError, match="bytes is not JSON serializable"):
        digest_of(b"a")
