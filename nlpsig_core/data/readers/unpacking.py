"""Entries of zips and files in gzip, unpacked with a bound."""

from __future__ import annotations

import bz2
import sys
import zipfile
import zlib
from copy import copy

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor
else:
    from backports.zstd import ZstdDecompressor

ZSTD = 93
# The methods that the module zipfile would unpack without a bound, or not at all.
OTHERS = {zipfile.ZIP_BZIP2: bz2.BZ2Decompressor, ZSTD: ZstdDecompressor}
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, *OTHERS)


def content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return the bytes of an entry packed with one of METHODS; no more is unpacked than its header declares."""
    if entry.compress_type not in OTHERS:
        with archive.open(entry) as stream:
            return stream.read(entry.file_size + 1)
    # The module zipfile reads the packed bytes as if they were stored.
    packed = copy(entry)
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, entry.compress_size
    del packed.CRC
    with archive.open(packed) as stream:
        unpacked: bytes = OTHERS[entry.compress_type]().decompress(stream.read(), entry.file_size + 1)
    if zlib.crc32(unpacked) != entry.CRC:
        raise zipfile.BadZipFile("Bad CRC-32")
    return unpacked


def unzipped(data: bytes, most: int) -> bytes:
    """Return what gzip packed, all its members; ``most`` bytes and one more if it holds more.

    Raises zlib.error for damaged data, EOFError if they are cut short.
    """
    parts, rest, room = [], data, most + 1
    while rest and room:
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        parts.append(member.decompress(rest, room))
        room -= len(parts[-1])
        if room and not member.eof:
            raise EOFError("it is cut short")
        rest = member.unused_data.lstrip(b"\0")
    return b"".join(parts)
