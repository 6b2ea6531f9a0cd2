"""Zips that are damaged, too large or odd: what is left out and why, and that the rest is read."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import pytest
from backports.zstd import zipfile as with_zstd

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.readers.unpacking import ZSTD
from nlpsig_core.data.task.files import zip_files
from nlpsig_core.data.task.loading import task_of
from tests.builders import zipped

SMALL = {"gold.txt": "a b c d\n", "systems/A.txt": "a b c d\n", "systems/B.txt": "a b c x\n"}
READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, ZSTD)


def packed(members: list[tuple[str, bytes, int]]) -> bytes:
    """A zip of members with their methods; names may occur twice."""
    buffer = io.BytesIO()
    with with_zstd.ZipFile(buffer, "w") as archive:
        for name, content, method in members:
            archive.writestr(with_zstd.ZipInfo(name), content, method)
    return buffer.getvalue()


def changed(data: bytes, offset: int, value: int, size: str, entry: int = 0) -> bytes:
    """The zip with one number of an entry of its directory overwritten."""
    result, start = bytearray(data), -1
    for _ in range(entry + 1):
        start = data.index(b"PK\x01\x02", start + 1)
    struct.pack_into(size, result, start + offset, value)
    return bytes(result)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 and no more", zipped(SMALL)[:-30]], ids=["empty", "head", "cut"])
def test_a_zip_that_cannot_be_read_at_all(data):
    with pytest.raises(TaskError, match=r"t.zip is not a readable zip; pack the task folder again \(.+\)"):
        zip_files(data, "t.zip")


def test_an_encrypted_zip():
    data = zipped({"gold.txt": "g"})
    with pytest.raises(TaskError, match=r"t.zip is encrypted; pack the task folder without a password"):
        zip_files(changed(data, 8, 1, "<H"), "t.zip")


def test_one_encrypted_member_is_left_out():
    found = task_of(zip_files(changed(zipped(SMALL), 8, 1, "<H", entry=2), "t.zip"), "t")
    assert found.problems == ("systems/B.txt is encrypted; pack it without a password",)
    assert list(found.systems["system"]) == ["A"]


def test_packed_files_inside_are_left_out():
    """A zip of zips, as downloads often are, says which one to unpack."""
    inner = zipped(SMALL)
    reason = r"all/inner.zip is packed and holds several files \(gold.txt, .+\); unpack it, or name"
    with pytest.raises(TaskError, match=rf"^There is no file that can be scored\. {reason}"):
        task_of(zip_files(packed([("all/inner.zip", inner, zipfile.ZIP_STORED)]), "t.zip"), "t")
    files = [(name, text.encode(), zipfile.ZIP_STORED) for name, text in SMALL.items()]
    found = task_of(zip_files(packed([*files, ("gold.txt.gz", b"\x1f\x8b", zipfile.ZIP_STORED)]), "t.zip"), "t")
    assert found.problems == ("gold.txt.gz is packed; unpack it",)
    assert found.unused == {"gold.txt.gz": "is packed; unpack it"}
    assert list(found.systems["system"]) == ["A", "B"]


def test_members_of_other_methods_are_left_out():
    """Python unpacks LZMA in steps that have no bound."""
    members = [(path, text.encode(), zipfile.ZIP_BZIP2) for path, text in SMALL.items()]
    files = zip_files(packed([*members, ("systems/C.txt", b"x", zipfile.ZIP_LZMA)]), "t.zip")
    reason = "is compressed with LZMA; pack it with the usual method, deflate"
    with pytest.raises(FileError, match=f"t.zip: systems/C.txt: {reason}"):
        files["systems/C.txt"].load()
    found = task_of(files, "t")
    assert found.problems == (f"systems/C.txt {reason}",)
    assert list(found.systems["system"]) == ["A", "B"]


@pytest.mark.slow
@pytest.mark.parametrize("method", READ[1:])
def test_no_more_is_unpacked_than_a_header_declares(method):
    """Of 100 MB that are declared as 1,000 bytes, less than 2 MB are ever in memory."""
    data = packed([("a.txt", b"a" * 100_000_000, method)])
    files = zip_files(changed(data, 24, 1_000, "<L"), "t.zip")
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=r"t.zip: a.txt: cannot be unpacked"):
            files["a.txt"].load()
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_all_members_together_have_a_bound(monkeypatch):
    """101 members of 9,901 bytes each are 1,000,001: more than 1 MB."""
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    sizes = {f"systems/{number}.txt": "a" * 9_901 for number in range(101)}
    with pytest.raises(TaskError, match="unpacks to 1,000,001 bytes, more than 1,000,000; NLPSIG_MAX_MEMORY raises"):
        zip_files(zipped(sizes), "t.zip")
    sizes["systems/0.txt"] = "a" * 9_900
    assert len(zip_files(zipped(sizes), "t.zip")) == 101


def test_more_files_than_a_task_has(monkeypatch):
    """They are counted before the directory is read, which takes 20 times its size in memory."""
    monkeypatch.setattr("nlpsig_core.data.task.files.MAX_FILES", 2)
    with pytest.raises(TaskError, match=r"t.zip holds more than 2 files; pack the task folder alone"):
        zip_files(zipped(SMALL), "t.zip")


def test_a_name_that_claims_to_be_utf_8_and_is_not():
    """0xE8 is Φ in the encoding that zips had before UTF-8."""
    data = packed([("gold.txt", b"g", 0), ("systems/é.txt", b"s", 0)]).replace("é".encode(), b"\xe8x")
    assert {path: file.load() for path, file in zip_files(data, "t.zip").items()} == {
        "gold.txt": b"g",
        "systems/Φx.txt": b"s",
    }


def test_names_have_no_control_characters():
    (path,) = zip_files(packed([("a\x1b[2J\nb\u2028.txt", b"x", 0)]), "t.zip")
    assert path == "a\ufffd[2J\ufffdb\ufffd.txt"


@pytest.mark.slow
def test_any_byte_may_be_wrong():
    """Each byte of a zip of four members is replaced by three others: one of our errors, or files or their errors."""
    data = packed([(path, 9 * path.encode(), method) for path, method in zip(("A", "B", "C", "é"), READ, strict=True)])
    read = 0
    for place in range(len(data)):
        for value in (0, 255, data[place] ^ 8):
            damaged = data[:place] + bytes([value]) + data[place + 1 :]
            try:
                files = zip_files(damaged, "t.zip")
            except TaskError:
                continue
            for path, file in files.items():
                path.encode()
                try:
                    read += len(file.load()) > 0
                except FileError:
                    continue
    assert read > 2 * 3 * len(data)
