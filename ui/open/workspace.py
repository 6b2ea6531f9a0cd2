"""Workspace: uploads, corrections and edits of tasks, kept in a folder or in memory as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest, digest_of
from nlpsig_core.base.errors import FileError, NlpsigError, TaskError
from nlpsig_core.base.runtime import locked, write_whole
from nlpsig_core.data.task.files import Files
from nlpsig_core.data.task.folders import state_of
from nlpsig_core.data.task.loading import add_gold_files
from nlpsig_core.data.task.opening import upload_files
from nlpsig_core.data.task.shared_task import Correction, SharedTask

VERSION = 1  # entries of another version of the format are not read
# The cells of the frame of systems that can be edited.
EDITABLE = ("system", "group", "kind")
DIGEST = re.compile(r"[0-9a-f]{64}")
# Path and digest of the content of each file.
Listed = tuple[tuple[str, str], ...]
Uploads = Sequence[tuple[str, bytes]]
# The tasks by name, and the reason for each entry that cannot be read, by its name.
Read = tuple[dict[str, "Kept"], dict[str, str]]
ENDING = ".json"


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What is kept of a task: its name, the files of an upload, and the user's corrections and edits.

    ``uploads`` and ``gold`` are the files of an upload and its gold supplied separately; a sample or a folder, which
    ``name`` locates, has none. ``first`` is the correction without which the files were not recognised, ``correction``
    a later one. ``cells`` are edited names, groups and kinds, by output and column of ``systems``.
    """

    name: str
    uploads: Listed = ()
    gold: Listed = ()
    first: Correction = field(default_factory=Correction)
    correction: Correction | None = None
    cells: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """The digest of an upload's files, which outlives a new name; else that of the name."""
        return digest_of(self.uploads, self.gold) if self.uploads else digest_of(self.name)

    @property
    def reading(self) -> Correction:
        """The correction with which the files are read."""
        return self.first if self.correction is None else self.correction

    def edited(self, task: SharedTask) -> SharedTask:
        """Return the task with the edited names, groups and kinds; TaskError as in ``with_systems``."""
        systems = task.systems.copy()
        for file, cells in self.cells.items():
            systems.loc[systems["file"] == file, list(cells)] = list(cells.values())
        return task.with_systems(systems) if self.cells else task

    def with_edits(self, before: pd.DataFrame, after: pd.DataFrame) -> dict[str, dict[str, str]]:
        """Return the cells with those that differ between two frames of the same systems."""
        cells = {file: dict(edits) for file, edits in self.cells.items()}
        for column in EDITABLE:
            for row in np.flatnonzero(before[column] != after[column]):
                cells.setdefault(before["file"].iloc[row], {})[column] = after[column].iloc[row].strip()
        return cells


def to_json(kept: Kept) -> bytes:
    """Return a task that is kept as JSON."""
    return json.dumps({"version": VERSION} | asdict(kept), ensure_ascii=False, indent=1).encode()


def from_json(data: bytes) -> Kept:
    """Return the task that is kept as JSON; TaskError if it is damaged or of another version."""
    try:
        stored = json.loads(data)
        if stored.pop("version") != VERSION:
            raise TaskError("written by another version of nlpsig")
        return Kept(
            name=_text(stored.pop("name")),
            uploads=_checked(stored.pop("uploads")),
            gold=_checked(stored.pop("gold")),
            first=_correction(stored.pop("first")),
            correction=_correction(after) if (after := stored.pop("correction")) else None,
            cells={file: _texts(cells, EDITABLE) for file, cells in stored.pop("cells").items()},
        )
    except TaskError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, NlpsigError) as error:
        raise TaskError(f"damaged ({type(error).__name__}: {error})") from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    value.encode()  # a ValueError for a text that cannot be written
    return value


def _texts(values: Any, names: tuple[str, ...] = ()) -> dict[str, str]:
    if unknown := set(values) - set(names or values):
        raise ValueError(f"{sorted(unknown)[0]!r} is not one of {', '.join(names)}")
    return {_text(name): _text(value) for name, value in values.items()}


def _checked(files: Any) -> Listed:
    for _, content in files:
        if not DIGEST.fullmatch(content):
            raise ValueError(f"{content!r} is not a digest")
    return tuple((_text(path), content) for path, content in files)


def _correction(stored: dict[str, Any]) -> Correction:
    texts = {name: _text(stored.get(name, "")) for name in ("domain_rule", "submissions")}
    format = stored["format"] and _text(stored["format"])
    return Correction(format=format, roles=_texts(stored["roles"]), read_as=_texts(stored["read_as"]), **texts)


@dataclass(frozen=True, eq=False)
class Folder(MutableMapping[str, bytes]):
    """The contents of the files of a folder, by name; each is written whole. Hidden files do not count."""

    path: Path

    def __getitem__(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            raise KeyError(name) from None

    def __setitem__(self, name: str, content: bytes) -> None:
        write_whole(self.path / name, content)

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        (self.path / name).unlink(missing_ok=True)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(path.name for path in self.path.glob("[!.]*")))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return (self.path / str(name)).is_file()


@dataclass(frozen=True, eq=False, kw_only=True)
class Workspace:
    """Tasks that are kept, by name, and the contents of their files, by digest.

    ``entries`` are JSON, by identity. Each change holds ``lock()`` while it reads and writes one whole entry; after it
    the digest that ``state`` returns differs.
    """

    entries: MutableMapping[str, bytes]
    contents: MutableMapping[str, bytes]
    state: Callable[[], str]
    lock: Callable[[], AbstractContextManager[None]] = nullcontext

    @classmethod
    def at(cls, folder: Path) -> Workspace:
        """Return the workspace in a folder, private if it is made; OSError if it cannot be made."""
        for path in (folder, folder / "tasks", folder / "contents"):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        entries, contents = Folder(folder / "tasks"), Folder(folder / "contents")
        lock = partial(locked, folder / ".lock")
        return cls(entries=entries, contents=contents, state=partial(_state_in, folder), lock=lock)

    @classmethod
    def in_memory(cls) -> Workspace:
        """Return a workspace that ends with the process."""
        entries, contents = dict[str, bytes](), dict[str, bytes]()
        return cls(
            entries=entries, contents=contents, state=lambda: digest_of(_listed([*entries.items()]), [*contents])
        )

    def read(self) -> Read:
        """Return the tasks by name, and the reason for each entry that cannot be read, by its name."""
        tasks: dict[str, Kept] = {}
        damaged: dict[str, str] = {}
        for entry in list(self.entries):
            try:
                kept = self._entry(entry)
                if kept.name in tasks:
                    raise TaskError(f"there is another task called {kept.name!r}")
                tasks[kept.name] = kept
            except (TaskError, OSError) as error:
                damaged[entry] = str(error)
            except KeyError:
                pass  # removed by another session in the meantime
        return tasks, damaged

    def _entry(self, entry: str) -> Kept:
        """Return the task of an entry; TaskError if it is damaged or lacks a file."""
        kept = from_json(self.entries[entry])
        if entry != kept.identity + ENDING:
            raise TaskError("damaged (its name does not fit its content)")
        if missing := [path for path, content in (*kept.uploads, *kept.gold) if content not in self.contents]:
            self.entries[entry]  # KeyError if another session has removed the task meanwhile
            raise TaskError(f"{kept.name}: the content of {missing[0]} is missing")
        return kept

    def task(self, name: str) -> Kept:
        """Return the task of that name, without files or changes if none is kept."""
        return self.read()[0].get(name, Kept(name=name))

    def add(self, base: str, uploads: Uploads, gold: Uploads = (), first: Correction = Correction()) -> Kept:
        """Keep an upload under a name that no other task has; one that is kept already stays as it is."""
        with self.lock():
            for _, data in (*uploads, *gold):
                self.contents[digest(data)] = data
            name = self.name_for(base, uploads, gold)
            kept = self.read()[0].get(name)
            return kept or self._write(Kept(name=name, uploads=_listed(uploads), gold=_listed(gold), first=first))

    def name_for(self, base: str, uploads: Uploads, gold: Uploads = ()) -> str:
        """Return the name of an upload that is kept, else ``base`` with a number if another upload has it."""
        tasks, identity = self.read()[0], digest_of(_listed(uploads), _listed(gold))
        known = [name for name, kept in tasks.items() if kept.identity == identity]
        new = (f"{base} (uploaded{f', {n}' if n > 1 else ''})" for n in count(1))
        return [*known, next(name for name in new if name not in tasks)][0]

    def change(self, name: str, change: Callable[[Kept], Mapping[str, Any]]) -> Kept:
        """Change some fields of a task: ``change`` takes what is kept now and returns the new values."""
        with self.lock():
            kept = self.task(name)
            return self._write(replace(kept, **change(kept)))

    def rename(self, name: str, new: str, taken: Collection[str] = ()) -> Kept:
        """Give an upload another name; TaskError if it is empty or that of another task, also among ``taken``."""
        new = " ".join(new.split())
        with self.lock():
            tasks, _ = self.read()
            if name not in tasks:
                raise TaskError(f"There is no task called {name!r} any more")
            if not new or new.startswith("/"):
                raise TaskError("Give the task a name that does not start with /")
            if new != name and new in {*tasks, *taken}:
                raise TaskError(f"There is another task called {new!r}; choose a different name")
            return self._write(replace(tasks[name], name=new))

    def remove(self, name: str) -> None:
        """Forget a task and the contents that no other task has; nothing happens if there is none of that name."""
        with self.lock():
            self._delete([self.task(name).identity + ENDING])

    def remove_damaged(self) -> None:
        """Forget the entries that cannot be read, and the contents that no task has."""
        with self.lock():
            self._delete(self.read()[1])

    def _delete(self, entries: Iterable[str]) -> None:
        for entry in entries:
            self.entries.pop(entry, None)
        tasks, damaged = self.read()
        used = {content for kept in tasks.values() for _, content in (*kept.uploads, *kept.gold)}
        # An entry that cannot be read may have contents too, and be one of a later version.
        for content in () if damaged else set(self.contents) - used:
            self.contents.pop(content, None)

    def files(self, kept: Kept) -> Files:
        """Return the files of an upload; FileError if a content is not what was uploaded."""
        files, gold = (
            upload_files([(path, self._content(path, content)) for path, content in listed])
            for listed in (kept.uploads, kept.gold)
        )
        return add_gold_files(files, gold) if gold else files

    def _content(self, path: str, content: str) -> bytes:
        if digest(data := self.contents.get(content, b"")) != content:
            raise FileError(path, None, "not as it was uploaded; remove the task and upload its files again")
        return data

    def _write(self, kept: Kept) -> Kept:
        self.entries[kept.identity + ENDING] = to_json(kept)
        return kept


def _state_in(folder: Path) -> str:
    # Contents have their digests as names, so their folder changes whenever one of them comes or goes.
    return digest_of(str(folder), state_of(folder / "tasks"), (folder / "contents").stat().st_mtime_ns)


def _listed(files: Uploads) -> Listed:
    return tuple((path, digest(data)) for path, data in files)
