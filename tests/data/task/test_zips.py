"""Zips that are damaged, too large or odd: what is left out and why, and that the rest is read."""

from __future__ import annotations

import gzip
import io
import struct
import tracemalloc
import zipfile
from functools import partial

import pytest
from backports.zstd import zipfile as with_zstd

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.readers.unpacking import ZSTD, unzipped
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.opening import upload_files
from nlpsig_core.data.task.zips import zip_files
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
    """A zip of several files beside others says which one to name."""
    found = task_of(zip_files(zipped(SMALL | {"inner.zip": zipped(SMALL), "gold.txt.xz": b"\xfd7zXZ"}), "t.zip"), "t")
    several = "is packed and holds several files (gold.txt, systems/A.txt, systems/B.txt); unpack it, or name the one"
    assert found.unused["inner.zip"].startswith(several)
    assert found.unused["gold.txt.xz"] == "is packed; unpack it"
    assert list(found.systems["system"]) == ["A", "B"]


def nested(content: dict[str, str], times: int) -> bytes:
    """A zip of these files, inside as many zips."""
    data = zipped(content)
    for _ in range(times):
        data = zipped({"all/inner.zip": data, "__MACOSX/all/._inner.zip": b"junk", ".DS_Store": b"junk"})
    return data


@pytest.mark.parametrize("times", [1, 2])
def test_a_zip_that_holds_a_zip_and_nothing_else_is_read(times):
    found = task_of(zip_files(nested(SMALL, times), "t.zip"), "t")
    assert (list(found.systems["system"]), found.unused) == (["A", "B"], {})


def test_zips_are_read_three_deep():
    data = nested(SMALL, 3)
    with pytest.raises(TaskError, match=r"all/inner/all/inner/all/inner.zip is a zip inside 3 others; unpack it"):
        task_of(zip_files(data, "t.zip"), "t")


def test_a_zip_is_a_folder_if_its_name_or_those_of_its_files_say_so():
    named = {"gold.txt": SMALL["gold.txt"], "systems.zip": zipped({"A.txt": "a b c d\n", "B.txt": "a b c x\n"})}
    assert list(task_of(zip_files(zipped(named), "t.zip"), "t").systems["system"]) == ["A", "B"]
    both = {"de.txt": "a b c d\n", "fr.txt": "a b c x\n"}
    gold = {f"gold/{name}": text for name, text in both.items()}
    found = task_of(zip_files(zipped(gold | {"systems/A.zip": zipped(both)}), "t.zip"), "t")
    assert {name: list(test_set.outputs) for name, test_set in found.test_sets.items()} == {"de": ["A"], "fr": ["A"]}


def test_an_encrypted_zip_inside_is_left_out():
    secret = changed(zipped({"answer.txt": "a"}), 8, 1, "<H")
    found = task_of(zip_files(zipped(SMALL | {"systems/C.zip": secret}), "t.zip"), "t")
    assert found.unused == {
        "systems/C.zip": "cannot be unpacked (systems/C.zip is encrypted; pack the task folder without a password)"
    }


def test_zips_inside_hold_together_no_more_than_one(monkeypatch):
    """Three members and 2 + 2 in zips are seven files; two zips of 600 kB are more than 1 MB."""
    inner = {"A.zip": zipped({"a": "", "b": ""}), "B.zip": zipped({"a": "", "b": ""})}
    with monkeypatch.context() as patch:
        patch.setattr("nlpsig_core.data.task.zips.MAX_FILES", 6)
        with pytest.raises(TaskError, match=r"t.zip holds more than 6 files; pack the task folder alone"):
            zip_files(zipped({"gold.txt": "g"} | inner), "t.zip")
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    large = {f"{n}.zip": zipped({f"{m}.txt": "a" * 10_000 for m in range(60)}) for n in range(2)}
    with pytest.raises(TaskError, match=r"t.zip unpacks to [\d,]+ bytes, more than 1,000,000; NLPSIG_MAX_MEMORY"):
        zip_files(zipped(large), "t.zip")


def test_bounds_hold_for_all_levels_and_all_uploads_together(monkeypatch):
    """Each of three levels that are read, and of three uploads, has 40 files of 10 kB: together more than 1 MB."""
    content = {f"{n}.txt": "a" * 10_000 for n in range(40)}
    data = zipped(content)
    for _ in range(3):
        data = zipped(content | {"inner.zip": data})
    uploads = [(f"{n}.zip", zipped(content)) for n in range(3)]
    for opened, where in (partial(zip_files, data, "t.zip"), "t.zip"), (partial(upload_files, uploads), "the upload"):
        assert len(opened()) > 100
        with monkeypatch.context() as patch:
            patch.setenv("NLPSIG_MAX_MEMORY", "1")
            with pytest.raises(TaskError, match=rf"{where} unpacks to [\d,]+ bytes, more than 1,000,000"):
                opened()
        with monkeypatch.context() as patch:
            patch.setattr("nlpsig_core.data.task.zips.MAX_FILES", 100)
            with pytest.raises(TaskError, match=rf"{where} holds more than 100 files"):
                opened()


def test_a_bomb_in_a_bomb_takes_little_memory(monkeypatch):
    """20 zips of 10 MB of zeros each, in a zip of 5 kB in a zip of 1 kB: none of the zeros is unpacked."""
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "4")
    bomb = zipped({f"{n}.zip": zipped({"answer.txt": b"\0" * 10_000_000}) for n in range(20)})
    data = zipped({"gold.txt": "g", "bulk.zip": bomb})
    tracemalloc.start()
    try:
        files = zip_files(data, "t.zip")
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert {file.not_read[:27] for file in files.values()} == {"", "has 10,000,000 bytes, more "}


def gzipped(files: dict[str, str]) -> list[tuple[str, bytes, int]]:
    return [(f"{name}.gz", gzip.compress(text.encode()), zipfile.ZIP_STORED) for name, text in files.items()]


def test_files_in_gzip_are_read_as_what_they_hold():
    found = task_of(zip_files(packed(gzipped(SMALL)), "t.zip"), "t")
    assert (found.problems, list(found.systems["system"])) == ((), ["A", "B"])
    assert unzipped(gzip.compress(b"ab") + gzip.compress(b"cd") + b"\0\0", 10) == b"abcd"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x1f\x8b", "cut short"),
        (b"no gzip", "incorrect header"),
        (gzip.compress(b"a b c x", mtime=0)[:-9], "cut short"),
    ],
)
def test_a_damaged_gzip_does_not_stop_the_others(data, reason):
    files = packed([*gzipped(SMALL), ("systems/C.txt.gz", data, zipfile.ZIP_STORED)])
    read = zip_files(files, "t.zip")
    with pytest.raises(FileError, match=f"systems/C.txt.gz: cannot be unpacked .*{reason}"):
        read["systems/C.txt"].load()
    assert list(task_of(read, "t").systems["system"]) == ["A", "B", "C"]


def test_no_more_of_a_gzip_is_unpacked_than_a_file_may_have(monkeypatch):
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "100")
    bomb = gzip.compress(b"a b c d\n" * 10_000_000)
    file = zip_files(packed([("gold.txt.gz", bomb, zipfile.ZIP_STORED)]), "t.zip")["gold.txt"]
    tracemalloc.start()
    with pytest.raises(FileError, match="has 1,000,001 bytes, more than the 1,000,000"):
        file.load()
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


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
    monkeypatch.setattr("nlpsig_core.data.task.zips.MAX_FILES", 2)
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
