"""A file of a task, by its path inside it; its content is read on demand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from pathlib import Path

from nlpsig_core.base.errors import FileError, NlpsigError
from nlpsig_core.base.texts import utf8
from nlpsig_core.data.readers.base import Utf8
from nlpsig_core.data.task.limits import too_many_lines

# What the file of answers in a zip is called, as platforms of shared tasks demand it.
CALLED_ANSWERS = ("answer", "answers", "prediction", "predictions", "submission", "results")
# A pack (task.packs) is a zip with an ending of its own.
PACK_ENDING = ".nlpsig"
ZIP_ENDINGS = (".zip", PACK_ENDING)
# Files inside a task that would have to be unpacked first.
PACKED_ENDINGS = (".zip", ".tar.gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z", ".rar")
# Files that are read as the file that they hold, under its name.
GZIP_ENDING = ".gz"
# How many bytes of a file determine its format.
HEAD = 20_000


@dataclass(frozen=True)
class File:
    """One file: its path inside the task (with /), and a function that returns its bytes.

    ``not_read`` is why it is not read, ``remark`` what is odd about it; "" if nothing is. ``size`` is the number of
    bytes that a folder, a zip or an upload says it has, without reading it. ``place`` is the file on disk that has the
    content, packed or not; None for a part of one, and for what is not on disk.
    """

    path: str
    load: Callable[[], bytes]
    _: KW_ONLY
    not_read: str = ""
    remark: str = ""
    size: int = 0
    place: Path | None = None

    def text(self) -> str:
        """Return the content as text, line breaks as \\n."""
        return decode(self.load(), self.path)

    def stream(self) -> Utf8:
        """Open the content as a text stream."""
        return stream_of(self.load(), self.path)


Files = dict[str, File]
# The beginning of a file by its path, "" if there is no such file.
Head = Callable[[str], str]


def head_of(files: Files, path: str, length: int | None = HEAD) -> str:
    """Return the beginning of a file, or all of it, whatever its encoding; "" if it is not there or cannot be read."""
    if path not in files:
        return ""
    try:
        return utf8(files[path].load())[:length].decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    except (NlpsigError, UnicodeDecodeError):
        return ""


def decode(data: bytes, path: str) -> str:
    """Return the text of UTF-8 bytes, or of UTF-16 with a BOM, line breaks as \\n; FileError as in ``stream_of``."""
    return _plain(data, path).decode()


def stream_of(data: bytes, path: str) -> Utf8:
    """Open a text stream of UTF-8 bytes, or of UTF-16 with a BOM; FileError for a wrong byte or too many lines."""
    return Utf8(_plain(data, path))


def _plain(data: bytes, path: str) -> bytes:
    try:
        data = utf8(data)
        _ = data.isascii() or data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(path, line, "not UTF-8; save the file as UTF-8") from None
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
    if too_many_lines(len(data)) and (reason := too_many_lines(data.count(b"\n"))):
        raise FileError(path, None, reason)
    return data


def unread(path: str, reason: str) -> File:
    """Return a file that cannot be read, for a reason."""
    return File(path, partial(refuse, path, reason), not_read=reason)


def refuse(path: str, reason: str) -> bytes:
    """Raise FileError, in place of the content of a file that cannot be read."""
    raise FileError(path, None, reason)
