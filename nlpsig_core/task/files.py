"""Files of a folder, a zip or an upload, by their path inside it; contents are read on demand."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nlpsig_core.errors import FileError, TaskError
from nlpsig_core.readers import BUNDLE_ENDINGS

# A pack (task.packs) is a zip with an ending of its own.
PACK_ENDING = ".nlpsig"
ZIP_ENDINGS = (".zip", PACK_ENDING)
MAX_FILES = 20_000
MAX_FILE_BYTES = 400_000_000
MAX_TOTAL_BYTES = 4_000_000_000


@dataclass(frozen=True)
class File:
    """One file: its path inside the task (with /), a function that returns its bytes, and why it is not read, if so."""

    path: str
    load: Callable[[], bytes]
    not_read: str = ""

    def text(self) -> str:
        """The content as text: UTF-8, with or without BOM, line breaks as \\n."""
        return decode(self.load(), self.path)

    def stream(self) -> io.StringIO:
        """The content as an open text stream."""
        return io.StringIO(self.text())


Files = dict[str, File]


def decode(data: bytes, path: str) -> str:
    """UTF-8 bytes as text without BOM and with \\n alone; FileError names the line of a wrong byte."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(path, line, "not UTF-8; save the file as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def open_files(path: Path) -> Files:
    """The files of a folder, a zip or a pack, or a score table, by path; raises TaskError if it is none of these."""
    if path.is_dir():
        return folder_files(path)
    if path.is_file() and (path.suffix.lower() in ZIP_ENDINGS or zipfile.is_zipfile(path)):
        return zip_files(path.read_bytes(), path.name)
    if path.is_file() and path.suffix.lower() in BUNDLE_ENDINGS:
        return {path.name: File(path.name, partial(_read, path, path.name))}
    if path.exists():
        raise TaskError(f"{path} is neither a folder, a zip, a pack nor a score table; give a task's folder")
    raise TaskError(f"{path} does not exist; give a task folder, a zip of one, or a sample's name")


def folder_files(root: Path) -> Files:
    """The files below a folder except hidden ones; links that point outside it are listed but not read."""
    base = root.resolve()
    paths = {path.relative_to(base): path for path in sorted(base.rglob("*")) if path.is_symlink() or path.is_file()}
    visible = {name.as_posix(): path for name, path in paths.items() if not _hidden(name.parts)}
    if len(visible) > MAX_FILES:
        raise TaskError(f"{root} holds {len(visible)} files; a task has at most {MAX_FILES}")
    files = {name: File(name, partial(_read, path, name), _why_not_read(path, base)) for name, path in visible.items()}
    # A link to a folder inside this one adds no files.
    return {name: file for name, file in files.items() if file.not_read or not visible[name].is_dir()}


def _why_not_read(path: Path, base: Path) -> str:
    """Why a file is not read: it is a link that points outside the base, or a broken one; "" for other files."""
    if not path.resolve().is_relative_to(base):
        return "is a link that points outside the folder; it is not read"
    return "" if path.exists() else "is a broken link; it is not read"


def _read(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(name, None, f"cannot be read ({error.strerror})") from None


def zip_files(data: bytes, name: str) -> Files:
    """The files of a zip; raises TaskError if it is encrypted or larger than any shared task."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except zipfile.BadZipFile:
        again = "a damaged pack; get it" if name.endswith(PACK_ENDING) else "not a readable zip; pack the task folder"
        raise TaskError(f"{name} is {again} again") from None
    if any(entry.flag_bits & 1 for entry in entries):
        raise TaskError(f"{name} is encrypted; pack the task folder without a password")
    if len(entries) > MAX_FILES or sum(entry.file_size for entry in entries) > MAX_TOTAL_BYTES:
        raise TaskError(f"{name} holds more than {MAX_FILES} files or {MAX_TOTAL_BYTES:,} bytes")
    paths = {entry.filename.replace("\\", "/"): entry for entry in entries}
    return {
        path: File(path, partial(_unpack, archive, entry, name))
        for path, entry in sorted(paths.items())
        if not _hidden(path.split("/"))
    }


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    """The bytes of an entry; FileError if it has more than its header declares or a file may have."""
    limit = min(entry.file_size, MAX_FILE_BYTES)
    try:
        with archive.open(entry) as stream:
            data = stream.read(limit + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise FileError(f"{name}: {entry.filename}", None, f"cannot be unpacked ({error})") from None
    if len(data) > limit:
        raise FileError(f"{name}: {entry.filename}", None, f"larger than the {limit:,} bytes it may have")
    return data


def upload_files(uploads: Iterable[tuple[str, bytes]]) -> Files:
    """Files uploaded one by one; a zip among them is opened, and a single zip is the task itself."""
    uploads = list(uploads)
    files: Files = {}
    for name, data in uploads:
        path = name.replace("\\", "/").lstrip("/")
        if path.lower().endswith(PACK_ENDING) and len(uploads) > 1:
            raise TaskError(f"{path} is a task of its own; open it without other files")
        if path.lower().endswith(ZIP_ENDINGS):
            prefix = "" if len(uploads) == 1 else path[:-4] + "/"
            opened = zip_files(data, path)
            files |= {prefix + inner: File(prefix + inner, file.load) for inner, file in opened.items()}
        elif not _hidden(path.split("/")):
            files[path] = File(path, partial(bytes, data))
    return files


def _hidden(names: Iterable[str]) -> bool:
    return any(name.startswith(".") or name == "__MACOSX" for name in names)
