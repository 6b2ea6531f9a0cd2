"""The directory of a zip: its entries with the reason if one is not read; contents are unpacked on demand."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers.unpacking import METHODS, content
from nlpsig_core.data.task.folders import hidden
from nlpsig_core.data.task.limits import MAX_FILES, SETTING, memory, too_large

# The beginning of an entry of a zip's directory, and of a member.
ENTRY, MEMBER = b"PK\x01\x02", b"PK\x03\x04"
# Where in both are the flags, the length of the name, and the name.
NAMED = ((ENTRY, 8, 28, 46), (MEMBER, 6, 26, 30))
# The first bit of the first byte of the flags, the fourth of the second.
ENCRYPTED, NAME_IS_UTF_8 = 1, 8
METHOD_NAMES = {9: "Deflate64", zipfile.ZIP_LZMA: "LZMA"}


class Entry(NamedTuple):
    """A file in a zip: its path, a function that returns its bytes, its declared size, and why it is not read."""

    path: str
    load: Callable[[], bytes]
    size: int
    not_read: str


def entries_of(data: bytes, name: str, again: str) -> list[Entry]:
    """Return the files of a zip in the order of their paths, without hidden ones.

    TaskError if the zip is damaged (``again`` says what to pack again), encrypted, or larger than any shared task.
    """
    if data.count(ENTRY) > MAX_FILES:
        raise TaskError(f"{name} holds more than {MAX_FILES:,} files; pack the task folder alone")
    try:
        archive = _opened(data)
        infos = [info for info in archive.infolist() if not info.filename.endswith(("/", "\\"))]
    except Exception as error:  # a damaged zip can raise almost anything
        raise TaskError(f"{name} is {again} again ({_reason(error)})") from None
    if infos and all(info.flag_bits & ENCRYPTED for info in infos):
        raise TaskError(f"{name} is encrypted; pack the task folder without a password")
    entries = [_entry(archive, info, name) for info in infos]
    check_size(sum(entry.size for entry in entries if not entry.not_read), name)
    return sorted((entry for entry in entries if entry.path), key=lambda entry: entry.path)


def check_size(unpacked: int, name: str) -> None:
    """Raise TaskError if a zip unpacks to more bytes than reading may take."""
    if unpacked > memory():
        raise TaskError(f"{name} unpacks to {unpacked:,} bytes, more than {memory():,}; {SETTING} raises the limit")


def path_of(name: str) -> str:
    """Return the path of a file in a zip or an upload: between its names are single slashes; "" if it is hidden."""
    names = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    return "" if hidden(names) else printable("/".join(names))


class _Zip(zipfile.ZipFile):
    """A zip in memory, which can be pickled."""

    def __init__(self, data: bytes) -> None:
        self._stream = io.BytesIO(data)
        super().__init__(self._stream)

    def __reduce__(self) -> tuple[type[_Zip], tuple[bytes]]:
        return _Zip, (self._stream.getvalue(),)


def _opened(data: bytes) -> zipfile.ZipFile:
    """Open a zip; names that claim to be UTF-8 and are not have the encoding of zips that claim nothing."""
    try:
        return _Zip(data)
    except UnicodeDecodeError:
        return _Zip(_without_claims(data))


def _without_claims(data: bytes) -> bytes:
    changed = bytearray(data)
    for mark, flags_at, length_at, name_at in NAMED:
        for match in re.finditer(re.escape(mark), data):
            start = match.start()
            length = int.from_bytes(data[start + length_at : start + length_at + 2], "little")
            try:
                data[start + name_at : start + name_at + length].decode()
            except UnicodeDecodeError:
                changed[start + flags_at + 1] &= ~NAME_IS_UTF_8
    return bytes(changed)


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Entry:
    if info.flag_bits & ENCRYPTED:
        not_read = "is encrypted; pack it without a password"
    elif info.compress_type not in METHODS:
        method = METHOD_NAMES.get(info.compress_type, f"method {info.compress_type}")
        not_read = f"is compressed with {method}; pack it with the usual method, deflate"
    else:
        not_read = too_large(info.file_size, info.filename)
    load = partial(_unpack, archive, info, f"{name}: {printable(info.filename)}", not_read)
    return Entry(path_of(info.filename), load, info.file_size, not_read)


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str, not_read: str) -> bytes:
    if not_read:
        raise FileError(path, None, not_read)
    try:
        return content(archive, info)
    except Exception as error:  # a damaged zip can raise almost anything
        raise FileError(path, None, f"cannot be unpacked ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
