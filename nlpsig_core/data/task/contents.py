"""Digests of the contents of files, kept in the disk cache: a file on a local disk that has not changed is not read."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from nlpsig_core.base import cache
from nlpsig_core.base.digests import digest, digest_of
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.folders import state

# Local file systems, by the number that statfs(2) gives: ext, XFS, Btrfs, F2FS, ZFS, tmpfs and overlay. Others may show
# a change of a file by another machine too late.
LOCAL = {0xEF53, 0x58465342, 0x9123683E, 0xF2F52010, 0x2FC12FC1, 0x01021994, 0x794C7630}
# Two changes of a file within one tick of the file system's clock have the same time: digests count from this age of
# the last change, in nanoseconds (as in git, "racy" entries of the index).
SETTLED = 2 * 10**9
DIGEST = re.compile("[0-9a-f]{64}")


class Contents:
    """The digests of files as they are now, as far as they are ``known`` without reading them, by path.

    One entry of the cache has those of all files of a test set. Its key is their state: device, inode, size and the
    times of modification and change. Nobody can set back the last one, so an edited file is never taken for the old.
    """

    def __init__(self, files: Sequence[File], folder: Path) -> None:
        self._files = tuple(file.path for file in files)
        self._states = states_of(files)
        self.place = cache.place(folder, digest_of("contents", list(self._states.items())))
        self.known: dict[str, str] = cache.load(self.place, self._checked) or {}
        self._settled, self._found = are_settled(self._states), dict[str, str]()

    def _checked(self, stored: cache.Arrays) -> dict[str, str]:
        known = dict(zip(self._states, map(str, stored["digests"]), strict=True))
        if not all(map(DIGEST.fullmatch, known.values())):
            raise ValueError(f"{self.place} has no digests")
        return known

    def read(self, file: File) -> tuple[bytes, str]:
        """Return the content of a file and its digest; FileError if it cannot be read."""
        data = file.load()
        self._found[file.path] = content = digest(data)
        return data, content

    def digest(self, file: File) -> str:
        """Return the digest of a file, which is read if need be; FileError if it cannot be read."""
        return self.known.get(file.path) or self.read(file)[1]

    @property
    def complete(self) -> dict[str, str]:
        """The digests of all files by path; empty if some are unknown, or would have to be read each time."""
        digests = self.known | self._found
        return digests if self._states.keys() == set(self._files) == digests.keys() else {}

    def keep(self) -> None:
        """Keep the digests if all files were read, and none of them had changed shortly before."""
        if self._states and self._found.keys() >= self._states.keys() and self._settled:
            cache.keep(self.place, {"digests": np.array([self._found[path] for path in self._states])})


@contextmanager
def contents_of(files: Sequence[File], folder: Path) -> Iterator[Contents]:
    """Know the contents of files from the cache in a folder, and keep those that are read."""
    contents = Contents(files, folder)
    yield contents
    contents.keep()


def states_of(files: Iterable[File]) -> dict[str, tuple[int, ...]]:
    """Return the state of each file on a local disk, by path; the others are read each time."""
    return {file.path: state for file in files if (state := _state(file))}


def are_settled(states: Mapping[str, tuple[int, ...]]) -> bool:
    """Return whether none of the files has changed shortly before, so that a change from now on is seen."""
    before = time.time_ns() - SETTLED
    return all(changed < before for *_, changed in states.values())


def _state(file: File) -> tuple[int, ...]:
    """Return the state of a file on a local disk; empty for all others, which are read each time."""
    if file.place is not None:
        with suppress(OSError):
            if (status := file.place.stat()).st_ino and is_local(file.place):
                return state(status)
    return ()


def is_local(path: Path) -> bool:
    """Return whether a path is on a disk of this machine; False where that is not known."""
    if sys.platform != "linux":
        return False
    answer = (ctypes.c_long * 32)()  # struct statfs, which begins with the type
    return ctypes.CDLL(None).statfs(os.fsencode(path), answer) == 0 and answer[0] in LOCAL
