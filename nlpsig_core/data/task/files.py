"""Files of a folder, a zip or an upload, by their path inside it; contents are read on demand."""

from __future__ import annotations

import codecs
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from nlpsig_core.base.errors import FileError, NlpsigError, TaskError
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers import BUNDLE_ENDINGS, LOG_ENDINGS
from nlpsig_core.data.readers.base import Utf8
from nlpsig_core.data.readers.unpacking import METHODS, content
from nlpsig_core.data.task.folders import Found, examined, hidden, is_file, is_folder, shown, walk
from nlpsig_core.data.task.limits import MAX_FILES, SETTING, memory, too_large, too_many_lines

# What the file of answers in a zip is called, as platforms of shared tasks demand it.
CALLED_ANSWERS = ("answer", "answers", "prediction", "predictions", "submission", "results")
# A pack (task.packs) is a zip with an ending of its own.
PACK_ENDING = ".nlpsig"
ZIP_ENDINGS = (".zip", PACK_ENDING)
# Files inside a task that would have to be unpacked first.
PACKED_ENDINGS = (".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z", ".rar")
NEEDED = "give a task folder, a zip of one, or a sample's name"

# The beginning of an entry of a zip's directory, and of a member.
ENTRY, MEMBER = b"PK\x01\x02", b"PK\x03\x04"
# Where in both are the flags, the length of the name, and the name.
NAMED = ((ENTRY, 8, 28, 46), (MEMBER, 6, 26, 30))
# The first bit of the first byte of the flags, the fourth of the second.
ENCRYPTED, NAME_IS_UTF_8 = 1, 8
METHOD_NAMES = {9: "Deflate64", zipfile.ZIP_LZMA: "LZMA"}


@dataclass(frozen=True)
class File:
    """One file: its path inside the task (with /), and a function that returns its bytes.

    ``not_read`` is why it is not read, ``remark`` what is odd about it; "" if nothing is. ``size`` is the number of
    bytes that a folder, a zip or an upload says it has, without reading it.
    """

    path: str
    load: Callable[[], bytes]
    _: KW_ONLY
    not_read: str = ""
    remark: str = ""
    size: int = 0

    def text(self) -> str:
        """Return the content as text: UTF-8, with or without BOM, line breaks as \\n."""
        return decode(self.load(), self.path)

    def stream(self) -> Utf8:
        """Open the content as a text stream."""
        return stream_of(self.load(), self.path)


Files = dict[str, File]


def decode(data: bytes, path: str) -> str:
    """Return the text of UTF-8 bytes, with or without BOM, line breaks as \\n; FileError as in ``stream_of``."""
    return _plain(data, path).decode()


def stream_of(data: bytes, path: str) -> Utf8:
    """Open a text stream of UTF-8 bytes; FileError for a wrong byte or too many lines."""
    return Utf8(_plain(data, path))


def _plain(data: bytes, path: str) -> bytes:
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
    """Return the files of a folder, a zip or a pack, or a score table, by path; TaskError if it is none of these."""
    status = examined(path, NEEDED)
    if is_folder(status):
        return _once(map(_file, walk(path)), "the folder")
    name, ending = printable(path.name), path.suffix.lower()
    packed = ending in ZIP_ENDINGS or (ending not in LOG_ENDINGS and is_file(status) and zipfile.is_zipfile(path))
    if is_file(status) and packed:
        if status.st_size > memory():
            raise TaskError(f"{name} has {status.st_size:,} bytes, more than {memory():,}; {SETTING} raises the limit")
        return zip_files(_read(path, name), name)
    if is_file(status) and ending in (*BUNDLE_ENDINGS, *LOG_ENDINGS):
        return {name: file_at(path)}
    raise TaskError(f"{shown(path)} is neither a folder, a zip, a pack nor a score table; give a task's folder")


def file_at(path: Path) -> File:
    """Return the file at a path, under its name alone; TaskError if nothing is there."""
    return _file(Found((path.name,), path, examined(path, NEEDED)))


def _file(entry: Found) -> File:
    path, size = printable("/".join(entry.names)), entry.status.st_size if entry.status else 0
    not_read = entry.not_read or too_large(size, path)
    return _unread(path, not_read) if not_read else File(path, partial(_read, entry.path, path), size=size)


def _unread(path: str, reason: str) -> File:
    return File(path, partial(_refuse, path, reason), not_read=reason)


def _refuse(path: str, reason: str) -> bytes:
    raise FileError(path, None, reason)


def _read(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(name, None, f"cannot be read ({error.strerror})") from None


def upload_files(uploads: Iterable[tuple[str, bytes]]) -> Files:
    """Return files uploaded one by one; a zip among them is opened, and a single zip is the task itself."""
    uploads = list(uploads)
    files: list[File] = []
    for name, data in uploads:
        path = _path(name)
        if path.lower().endswith(PACK_ENDING) and len(uploads) > 1:
            raise TaskError(f"{path} is a task of its own; open it without other files")
        if path.lower().endswith(ZIP_ENDINGS):
            files += _uploaded(list(zip_files(data, path).values()), "" if len(uploads) == 1 else path[:-4])
        elif path:
            reason = too_large(len(data), path)
            files.append(_unread(path, reason) if reason else File(path, partial(bytes, data), size=len(data)))
    return _once(files, "the upload")


def _uploaded(files: list[File], name: str) -> list[File]:
    """Return the files of a zip as in a folder of that name ("" for none); a file of answers alone has the name."""
    if name and (answers := _answers(files)) and PurePosixPath(answers.path).stem.lower() in CALLED_ANSWERS:
        return [replace(answers, path=name + PurePosixPath(answers.path).suffix)]
    return [replace(file, path=f"{name}/{file.path}" if name else file.path) for file in files]


def _path(name: str) -> str:
    """Return the path of a file in a zip or an upload: between its names are single slashes; "" if it is hidden."""
    names = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    return "" if hidden(names) else printable("/".join(names))


def _once(files: Iterable[File], where: str) -> Files:
    """Return the files by path, unpacked; of several with the same path, the last has a remark."""
    files = list(map(_unpacked, files))
    numbers = Counter(file.path for file in files)
    again = {path: f"occurs {n} times in {where}; the last one is used" for path, n in numbers.items() if n > 1}
    return {file.path: replace(file, remark=again.get(file.path, file.remark)) for file in files}


def _unpacked(file: File) -> File:
    """Return the file, or the file of answers in a zip, under the zip's name; what is packed otherwise is not read."""
    ending = PurePosixPath(file.path).suffix.lower()
    if file.not_read or ending not in PACKED_ENDINGS:
        return file
    if ending != ".zip":
        return _unread(file.path, "is packed; unpack it")
    try:
        inside = _members(file.load(), file.path)
    except NlpsigError as error:
        return _unread(file.path, f"cannot be unpacked ({error})")
    if answers := _answers(inside):
        path = file.path[: -len(ending)] + PurePosixPath(answers.path).suffix
        return replace(answers, path=path, load=partial(_load_inside, file, answers.path))
    names = ", ".join(each.path for each in inside[:3]) + (", ..." if len(inside) > 3 else "")
    held = f"holds several files ({names})" if inside else "holds no file"
    return _unread(file.path, f"is packed and {held}; unpack it, or name the one with the answers answer.txt")


def _answers(files: list[File]) -> File | None:
    """Return the only file, or the only one that is called answer, that is not itself packed."""
    called = [file for file in files if PurePosixPath(file.path).stem.lower() in CALLED_ANSWERS]
    for several in (files, called):
        if len(several) == 1 and not several[0].path.lower().endswith(PACKED_ENDINGS):
            return several[0]
    return None


def _load_inside(packed: File, path: str) -> bytes:
    return next(file.load() for file in _members(packed.load(), packed.path) if file.path == path)


def zip_files(data: bytes, name: str) -> Files:
    """Return the files of a zip of any origin, each with the reason if it is not read; they are unpacked on demand.

    A zip inside it with one file of answers stands for that file. TaskError if the zip is damaged or encrypted, or
    larger than any shared task.
    """
    files = _once(_members(data, name), name)
    _check_size(files.values(), name)
    return files


def _members(data: bytes, name: str) -> list[File]:
    """Return the files of a zip in the order of their paths."""
    again = "a damaged pack; get it" if name.endswith(PACK_ENDING) else "not a readable zip; pack the task folder"
    if data.count(ENTRY) > MAX_FILES:
        raise TaskError(f"{name} holds more than {MAX_FILES:,} files; pack the task folder alone")
    try:
        archive = _opened(data)
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith(("/", "\\"))]
    except Exception as error:  # a damaged zip can raise almost anything
        raise TaskError(f"{name} is {again} again ({_reason(error)})") from None
    if entries and all(entry.flag_bits & ENCRYPTED for entry in entries):
        raise TaskError(f"{name} is encrypted; pack the task folder without a password")
    files = [_member(archive, entry, name) for entry in entries]
    _check_size(files, name)
    return sorted((file for file in files if file.path), key=lambda file: file.path)


def _check_size(files: Iterable[File], name: str) -> None:
    unpacked = sum(file.size for file in files if not file.not_read)
    if unpacked > memory():
        raise TaskError(f"{name} unpacks to {unpacked:,} bytes, more than {memory():,}; {SETTING} raises the limit")


def _opened(data: bytes) -> zipfile.ZipFile:
    """Open a zip; names that claim to be UTF-8 and are not have the encoding of zips that claim nothing."""
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except UnicodeDecodeError:
        return zipfile.ZipFile(io.BytesIO(_without_claims(data)))


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


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> File:
    if entry.flag_bits & ENCRYPTED:
        not_read = "is encrypted; pack it without a password"
    elif entry.compress_type not in METHODS:
        method = METHOD_NAMES.get(entry.compress_type, f"method {entry.compress_type}")
        not_read = f"is compressed with {method}; pack it with the usual method, deflate"
    else:
        not_read = too_large(entry.file_size, entry.filename)
    load = partial(_unpack, archive, entry, f"{name}: {printable(entry.filename)}", not_read)
    return File(_path(entry.filename), load, not_read=not_read, size=entry.file_size)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str, not_read: str) -> bytes:
    if not_read:
        raise FileError(path, None, not_read)
    try:
        return content(archive, entry)
    except Exception as error:  # a damaged zip can raise almost anything
        raise FileError(path, None, f"cannot be unpacked ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
