"""Text stream -> units; one module a format, one line here to add one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TextIO

from nlpsig_core.readers.conllu import read_conllu


@dataclass(frozen=True)
class Reader:
    """A format: the file endings that announce it and the function ``(stream, file name) -> units``."""

    name: str
    endings: tuple[str, ...]
    read: Callable[[TextIO, str], Any]


READERS = {
    "CoNLL-U": Reader("CoNLL-U", (".conllu", ".conll"), read_conllu),
}
ENDINGS = {ending: reader for reader in READERS.values() for ending in reader.endings}


def reader_of(path: str) -> Reader | None:
    """The format that a file's ending announces, or None."""
    return ENDINGS.get(PurePosixPath(path).suffix.lower())
