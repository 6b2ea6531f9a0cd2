"""Files of text in UTF-8, plain or compressed by gzip."""

from __future__ import annotations

import codecs
import gzip
import zlib
from pathlib import Path
from typing import NamedTuple

from nlpsig_core.base.errors import FileError

# How a gzip file begins.
GZIP = b"\x1f\x8b"


class TextFile(NamedTuple):
    """A file of text: its name, and its content with line breaks as \\n."""

    name: str
    text: str

    @property
    def lines(self) -> list[str]:
        """The lines, without an empty one after the last line break; FileError if there are none."""
        if not self.text:
            raise FileError(self.name, None, "the file is empty")
        return self.text.removesuffix("\n").split("\n")

    def described(self, contents: str) -> str:
        """Return the name, what the file contains, and a checksum."""
        return f"{self.name} ({contents}, {zlib.crc32(self.text.encode()):08x})"


def text_file(path: str | Path) -> TextFile:
    """Return a file of text; FileError if it cannot be read."""
    place = Path(path)
    try:
        data = place.read_bytes()
        data = gzip.decompress(data) if data.startswith(GZIP) else data
        text = utf8(data).decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(place.name, line, "not UTF-8; save the file as UTF-8") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(place.name, None, f"not a whole gzip file ({error})") from None
    except OSError as error:
        raise unreadable(path, error) from None
    return TextFile(place.name, text.replace("\r\n", "\n").replace("\r", "\n"))


def unreadable(path: str | Path, error: Exception) -> FileError:
    """Return the error for a file that is not there or that cannot be read."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return FileError(str(path), None, "does not exist; check the path")
    return FileError(str(path), None, f"cannot be read ({getattr(error, 'strerror', None) or error})")


def utf8(data: bytes) -> bytes:
    """Return the bytes of a text as UTF-8 without a BOM; UTF-16, as Windows writes it, is known by its BOM."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16").encode()
    return data.removeprefix(codecs.BOM_UTF8)
