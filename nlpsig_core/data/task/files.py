"""Files of a folder, a zip or an upload, by their path inside it; contents are read on demand."""

from __future__ import annotations

import codecs
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers import BUNDLE_ENDINGS, LOG_ENDINGS
from nlpsig_core.data.readers.base import Utf8
from nlpsig_core.data.task.folders import Found, examined, hidden, is_file, is_folder, shown, walk
from nlpsig_core.data.task.limits import SETTING, memory, too_large, too_many_lines
from nlpsig_core.data.task.zips import members

# A pack (task.packs) is a zip with an ending of its own.
PACK_ENDING = ".nlpsig"
ZIP_ENDINGS = (".zip", PACK_ENDING)
# Files inside a task that would have to be unpacked first.
PACKED_ENDINGS = (".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z", ".rar")
NEEDED = "give a task folder, a zip of one, or a sample's name"


@dataclass(frozen=True)
class File:
    """One file: its path inside the task (with /), and a function that returns its bytes.

    ``not_read`` is why it is not read, ``remark`` what is odd about it; "" if nothing is. ``size`` is the number of
    bytes that a folder, a zip or an upload says it has, without reading it.
    """

    path: str
    load: Callable[[], bytes]
    not_read: str = ""
    remark: str = ""
    size: int = 0

    def text(self) -> str:
        """The content as text: UTF-8, with or without BOM, line breaks as \\n."""
        return decode(self.load(), self.path)

    def stream(self) -> Utf8:
        """The content as an open text stream."""
        return stream_of(self.load(), self.path)


Files = dict[str, File]


def decode(data: bytes, path: str) -> str:
    """The text of UTF-8 bytes, as ``plain`` makes them."""
    return plain(data, path).decode()


def stream_of(data: bytes, path: str) -> Utf8:
    """An open text stream of UTF-8 bytes, as ``plain`` makes them."""
    return Utf8(plain(data, path))


def plain(data: bytes, path: str) -> bytes:
    """UTF-8 bytes without BOM and with \\n alone; FileError for a wrong byte or too many lines."""
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        _ = data.isascii() or data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(path, line, "not UTF-8; save the file as UTF-8") from None
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
    if too_many_lines(len(data)) and (reason := too_many_lines(data.count(b"\n"))):
        raise FileError(path, None, reason)
    return data


def open_files(path: Path) -> Files:
    """The files of a folder, a zip or a pack, or a score table, by path; raises TaskError if it is none of these."""
    status = examined(path, NEEDED)
    if is_folder(status):
        return folder_files(path)
    name = printable(path.name)
    ending = path.suffix.lower()
    packed = ending in ZIP_ENDINGS or (ending not in LOG_ENDINGS and is_file(status) and zipfile.is_zipfile(path))
    if is_file(status) and packed:
        if status.st_size > memory():
            raise TaskError(f"{name} has {status.st_size:,} bytes, more than {memory():,}; {SETTING} raises the limit")
        return zip_files(_read(path, name), name)
    if is_file(status) and ending in (*BUNDLE_ENDINGS, *LOG_ENDINGS):
        return {name: file_at(path)}
    raise TaskError(f"{shown(path)} is neither a folder, a zip, a pack nor a score table; give a task's folder")


def file_at(path: Path) -> File:
    """The file at a path, under its name alone."""
    return _of_folder(Found((path.name,), path, examined(path, NEEDED), ""))


def folder_files(root: Path) -> Files:
    """The files below a folder except hidden ones; those that cannot be read, or link outside it, say so."""
    return _once((_of_folder(found) for found in walk(root)), "the folder")


def _of_folder(found: Found) -> File:
    path = printable("/".join(found.names))
    not_read = found.not_read or (too_large(found.status.st_size, path) if found.status else "")
    size = found.status.st_size if found.status else 0
    return _unread(path, not_read) if not_read else File(path, partial(_read, found.path, path), size=size)


def _unread(path: str, reason: str) -> File:
    return File(path, partial(_refuse, path, reason), reason)


def _refuse(path: str, reason: str) -> bytes:
    raise FileError(path, None, reason)


def _read(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(name, None, f"cannot be read ({error.strerror})") from None


def zip_files(data: bytes, name: str) -> Files:
    """The files of a zip; raises TaskError if it is damaged or encrypted, or larger than any shared task."""
    again = "a damaged pack; get it" if name.endswith(PACK_ENDING) else "not a readable zip; pack the task folder"
    files = (
        File(_plain(member.name), member.unpack, member.not_read, size=member.size)
        for member in members(data, name, again)
    )
    return _once(sorted((file for file in files if file.path), key=lambda file: file.path), name)


def upload_files(uploads: Iterable[tuple[str, bytes]]) -> Files:
    """Files uploaded one by one; a zip among them is opened, and a single zip is the task itself."""
    uploads = list(uploads)
    files: list[File] = []
    for name, data in uploads:
        path = _plain(name)
        if path.lower().endswith(PACK_ENDING) and len(uploads) > 1:
            raise TaskError(f"{path} is a task of its own; open it without other files")
        if path.lower().endswith(ZIP_ENDINGS):
            prefix = "" if len(uploads) == 1 else path[:-4] + "/"
            files += [replace(file, path=prefix + file.path) for file in zip_files(data, path).values()]
        elif path:
            reason = too_large(len(data), path)
            files.append(_unread(path, reason) if reason else File(path, partial(bytes, data), size=len(data)))
    return _once(files, "the upload")


def _plain(name: str) -> str:
    """The path of a file in a zip or an upload: between its names are single slashes; "" if it is hidden."""
    names = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    return "" if hidden(names) else printable("/".join(names))


def _once(files: Iterable[File], where: str) -> Files:
    """The files by path; packed ones are not read; if several have the same path, the last is used with a remark."""
    files = [_unpacked(file) for file in files]
    numbers = Counter(file.path for file in files)
    again = {path: f"occurs {n} times in {where}; the last one is used" for path, n in numbers.items() if n > 1}
    return {file.path: replace(file, remark=again.get(file.path, file.remark)) for file in files}


def _unpacked(file: File) -> File:
    """The file, or why it is not read if it is packed."""
    packed = file.path.lower().endswith(PACKED_ENDINGS) and not file.not_read
    return _unread(file.path, "is packed; unpack it") if packed else file
