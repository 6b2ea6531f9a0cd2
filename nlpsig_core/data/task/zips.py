"""Zips of any origin: their members, each with the reason if it is not read; contents are unpacked on demand."""

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
from nlpsig_core.data.task.limits import MAX_FILES, SETTING, memory, too_large

# The beginning of an entry of a zip's directory, and of a member.
ENTRY, MEMBER = b"PK\x01\x02", b"PK\x03\x04"
# Where in both are the flags, the length of the name, and the name.
NAMED = ((ENTRY, 8, 28, 46), (MEMBER, 6, 26, 30))
# The first bit of the first byte of the flags, the fourth of the second.
ENCRYPTED, NAME_IS_UTF_8 = 1, 8
NAMES = {9: "Deflate64", zipfile.ZIP_LZMA: "LZMA"}


class Member(NamedTuple):
    """A file in a zip: its name there, why it is not read, if so, its size, and a function that unpacks it."""

    name: str
    not_read: str
    size: int
    unpack: Callable[[], bytes]


def members(data: bytes, name: str, again: str = "not a readable zip; pack the task folder") -> list[Member]:
    """The files of a zip in its own order; TaskError if it cannot be read, or is larger than any shared task.

    ``again`` says what a damaged zip is, and what to do again.
    """
    if data.count(ENTRY) > MAX_FILES:
        raise TaskError(f"{name} holds more than {MAX_FILES:,} files; pack the task folder alone")
    try:
        archive = _opened(data)
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith(("/", "\\"))]
    except Exception as error:  # a damaged zip can raise almost anything
        raise TaskError(f"{name} is {again} again ({_reason(error)})") from None
    if entries and all(entry.flag_bits & ENCRYPTED for entry in entries):
        raise TaskError(f"{name} is encrypted; pack the task folder without a password")
    found = [
        Member(entry.filename, _why_not_read(entry), entry.file_size, partial(_unpack, archive, entry, name))
        for entry in entries
    ]
    unpacked = sum(entry.file_size for entry, member in zip(entries, found, strict=True) if not member.not_read)
    if unpacked > memory():
        raise TaskError(f"{name} unpacks to {unpacked:,} bytes, more than {memory():,}; {SETTING} raises the limit")
    return found


def _opened(data: bytes) -> zipfile.ZipFile:
    """The zip; names that claim to be UTF-8 and are not have the encoding of zips that claim nothing."""
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except UnicodeDecodeError:
        return zipfile.ZipFile(io.BytesIO(_without_claims(data)))


def _without_claims(data: bytes) -> bytes:
    """The zip with the claim of UTF-8 removed from names that are not."""
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


def _why_not_read(entry: zipfile.ZipInfo) -> str:
    if entry.flag_bits & ENCRYPTED:
        return "is encrypted; pack it without a password"
    if entry.compress_type not in METHODS:
        method = NAMES.get(entry.compress_type, f"method {entry.compress_type}")
        return f"is compressed with {method}; pack it with the usual method, deflate"
    return too_large(entry.file_size, entry.filename)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    """The bytes of an entry; FileError if it is not read or damaged."""
    place = f"{name}: {printable(entry.filename)}"
    if reason := _why_not_read(entry):
        raise FileError(place, None, reason)
    try:
        return content(archive, entry)
    except Exception as error:  # a damaged zip can raise almost anything
        raise FileError(place, None, f"cannot be unpacked ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
