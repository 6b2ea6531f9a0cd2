"""The disk cache: entries of arrays, checked when they are read, private, and bounded in size by their last use."""

from __future__ import annotations

import io
import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.runtime import private_folder, remove_unfinished, write_whole

T = TypeVar("T")
Arrays = Mapping[str, np.ndarray]
USUAL_SIZE = "2G"
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
# A process prunes the cache at its first entry, and whenever it has written this share of the size since.
SHARE = 1 / 8
FOLDER, ENTRY = re.compile("[0-9a-f]{2}"), re.compile(r"[0-9a-f]{64}\.npz")
# The array of an entry that has its key.
KEY = "key"
# The bytes that this process has written to each cache since it was pruned.
_WRITTEN, _PRUNING = dict[Path, int](), threading.Lock()


def directory() -> Path:
    """Return the folder of the cache: $NLPSIG_CACHE, else nlpsig in the user's cache folder.

    Without a home, the cache is in a folder that is removed when the process ends.
    """
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(os.environ.get("NLPSIG_CACHE") or f"{base}/nlpsig").expanduser()
    except RuntimeError:
        return private_folder() / "cache"


def size() -> int:
    """Return the bytes that the cache may take: $NLPSIG_CACHE_SIZE, else USUAL_SIZE; ChoiceError if it is no size."""
    text = os.environ.get("NLPSIG_CACHE_SIZE") or USUAL_SIZE
    if not (parts := re.fullmatch(r"(\d{1,9})([KMG]?)", text.upper(), re.ASCII)):
        raise ChoiceError(f"NLPSIG_CACHE_SIZE is {text!r}; give a number of bytes, such as 500M or {USUAL_SIZE}")
    return int(parts[1]) * UNITS[parts[2]]


def place(folder: Path, key: str) -> Path:
    """Return the path of a key's entry in a cache; keys are digests."""
    return folder / key[:2] / f"{key}.npz"


def load(path: Path, make: Callable[[Arrays], T]) -> T | None:
    """Return what ``make`` makes of the arrays of an entry, which counts as used now; None if there is no such entry.

    A damaged file, an entry of another key, and arrays for which ``make`` raises any error count as no entry: the
    caller computes the result and keeps it again.
    """
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            if str(stored[KEY]) != path.stem:
                return None
            result = make(stored)
    except Exception:  # a damaged zip can raise almost anything
        return None
    with suppress(OSError):
        os.utime(path)
    return result


def keep(path: Path, arrays: Arrays) -> None:
    """Keep arrays as the entry at a path, private to this user; a disk that is full or read-only is not an error."""
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **{KEY: np.array(path.stem)}, **arrays)
    content, folder, most = stream.getvalue(), path.parent.parent, size()
    with suppress(OSError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        for private in (folder, path.parent):
            private.mkdir(mode=0o700, exist_ok=True)
        write_whole(path, content, mode=0o600)
        with _PRUNING:
            _WRITTEN[folder] = _WRITTEN.get(folder, most) + len(content)
            if _WRITTEN[folder] > most * SHARE:
                prune(folder, most - int(most * SHARE))
                _WRITTEN[folder] = 0


def prune(folder: Path, most: int) -> None:
    """Remove the entries of a cache that were used longest ago, so that the others take at most ``most`` bytes.

    Also removes what killed writers left, but no other files.
    """
    now, used = time.time(), []
    for inner in os.scandir(folder):
        if FOLDER.fullmatch(inner.name) and inner.is_dir(follow_symlinks=False):
            remove_unfinished(Path(inner.path))
            for file in filter(lambda file: ENTRY.fullmatch(file.name), os.scandir(inner.path)):
                with suppress(OSError):  # another process may have removed it
                    about = file.stat()
                    if about.st_mtime > now:  # the clock was set back: from now on it ages like the others
                        os.utime(file.path)
                    used.append((min(about.st_mtime, now), about.st_size, file.path))
    for _, taken, path in sorted(used, reverse=True):
        most -= taken
        if most < 0:
            with suppress(OSError):
                os.unlink(path)
