"""Paths that users give, examined with our own errors only, and the one walk of a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from nlpsig_core.base.errors import TaskError
from nlpsig_core.base.words import printable
from nlpsig_core.data.task.limits import MAX_FILES

# Longer paths are shown with their beginning only.
SHOWN = 200


class Found(NamedTuple):
    """A file below a folder: the names that lead to it, its path and status (None if unknown), and why it is not read.

    The names and the path are those of the file system, which may lack a printable form.
    """

    names: tuple[str, ...]
    path: Path
    status: os.stat_result | None
    not_read: str = ""


def shown(path: str | Path) -> str:
    """Return the path for a message, where a long one ends after its beginning."""
    text = printable(str(path))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def resolved(path: str | Path) -> Path:
    """Return the absolute path without links, with the user's folder for ~; TaskError if it cannot be a path."""
    try:
        return Path(os.path.realpath(os.path.expanduser(path)))
    except (OSError, ValueError) as error:
        raise TaskError(f"{shown(path)} is not a path ({_reason(error)})") from None


def examined(path: Path, advice: str) -> os.stat_result:
    """Return the status of what is at a path; TaskError, with advice, if nothing is there or it cannot be examined."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise TaskError(f"{shown(path)} does not exist; {advice}") from None
    except (OSError, ValueError) as error:
        raise TaskError(f"{shown(path)} cannot be examined ({_reason(error)}); {advice}") from None


def is_folder(status: os.stat_result) -> bool:
    """Return whether it is the status of a folder."""
    return stat.S_ISDIR(status.st_mode)


def is_file(status: os.stat_result) -> bool:
    """Return whether it is the status of a regular file, which can be read to its end."""
    return stat.S_ISREG(status.st_mode)


def state_of(path: Path) -> list[list[object]]:
    """Return what tells a file, or the files below a folder, from what they were before, without reading them.

    The time of change of the inode differs even if someone sets the time of modification back. TaskError if the path
    cannot be examined, or the folder has too many files.
    """
    status = examined(path, "it may have been moved")
    files = walk(path) if is_folder(status) else [Found((), path, status)]
    return [[list(file.names), file.not_read, *(state(file.status) if file.status else ())] for file in files]


def state(status: os.stat_result) -> tuple[int, ...]:
    """Return what tells a file from what it was before; the last number is the time of change of its inode."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def walk(root: Path) -> list[Found]:
    """Return the files below a folder in the order of their names, without hidden ones; what cannot be read says why.

    Links to folders inside it are not followed, since their files are there anyway. TaskError if the folder cannot be
    read, and as soon as it turns out to have more than MAX_FILES files and folders.
    """
    base = resolved(root)
    files: list[Found] = []
    folders: list[tuple[str, ...]] = [()]
    number = 0
    while folders:
        names = folders.pop()
        try:
            for entry in _entries(base.joinpath(*names)):
                number += 1
                if number > MAX_FILES:
                    raise TaskError(f"{shown(root)} holds more than {MAX_FILES:,} files; open a task's folder")
                if hidden([entry.name]):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append((*names, entry.name))
                elif file := _file(base, (*names, entry.name), entry.is_symlink()):
                    files.append(file)
        except OSError as error:
            if not names:
                raise TaskError(f"{shown(root)} cannot be read ({_reason(error)})") from None
            files.append(Found(names, base.joinpath(*names), None, not_read=f"cannot be read ({_reason(error)})"))
    return sorted(files, key=lambda file: file.names)


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        yield from entries


def _file(base: Path, names: tuple[str, ...], is_link: bool) -> Found | None:
    """Return a file or a link below a folder; None if it is a link to a folder inside it."""
    path = base.joinpath(*names)
    if is_link and not resolved(path).is_relative_to(base):
        return Found(names, path, None, not_read="is a link that points outside the folder; it is not read")
    try:
        status = path.stat()
    except OSError as error:
        reason = "is a broken link; it is not read" if is_link else f"cannot be read ({_reason(error)})"
        return Found(names, path, None, not_read=reason)
    if is_folder(status):
        return None
    odd = "" if is_file(status) else "is a pipe, a socket or a device; it is not read"
    return Found(names, path, status, not_read=odd)


def hidden(names: Iterable[str]) -> bool:
    """Return whether one of the names that lead to a file is hidden, or names no file of the user's."""
    return any(name.startswith(".") or name == "__MACOSX" for name in names)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
