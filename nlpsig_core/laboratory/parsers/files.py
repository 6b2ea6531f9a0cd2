"""Files of trained parsers: arrays in a .npz, nothing that could run code."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.laboratory.parsers.kinds import PARSERS, Parser

# Raise this when templates, hashes or arrays change: older files are then refused.
VERSION = 2
# How a file of numpy's arrays begins.
ZIP = b"PK"


def save(parser: Parser, path: str | Path) -> None:
    """Write a parser to a file; FileError where it cannot be written."""
    kind = next(name for name, kind in PARSERS.items() if kind.parser is type(parser))
    header = {"version": np.array(VERSION), "kind": np.frombuffer(kind.encode(), np.uint8)}
    stream = io.BytesIO()
    np.savez(stream, **header, **parser.arrays())  # type: ignore[arg-type]
    try:
        write_whole(Path(path), stream.getvalue())
    except OSError as error:
        raise FileError(str(path), None, f"cannot be written ({error.strerror})") from error


def load(path: str | Path) -> Parser:
    """The parser of a file that ``save`` wrote; FileError where it is damaged or of another version."""
    name = Path(path).name
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileError(str(path), None, f"cannot be read ({error.strerror})") from error
    if not content.startswith(ZIP):
        raise FileError(name, None, "not a parser file; name one that `nlpsig train` wrote")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {key: stored[key] for key in stored.files}
        version, kind = int(arrays["version"]), arrays["kind"].tobytes().decode()
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError) as error:
        raise FileError(name, None, f"not a whole parser file ({error}); train the parser again") from error
    if version != VERSION or kind not in PARSERS:
        raise FileError(name, None, f"a parser {kind!r} of version {version}, not {VERSION}; train the parser again")
    try:
        return PARSERS[kind].parser.of(arrays)
    except (KeyError, ValueError, IndexError, UnicodeDecodeError) as error:
        raise FileError(name, None, f"a part of the parser is missing or damaged ({error}); train it again") from error
