"""Workspace: uploads, corrections and edits of tasks, kept in a folder or in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from nlpsig_core.base.digests import digest, digest_of
from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.runtime import locked, write_whole
from nlpsig_core.data.task.files import Files, upload_files
from nlpsig_core.data.task.folders import state_of
from nlpsig_core.data.task.gold_supplied import add_gold_files
from nlpsig_core.data.task.kept import Kept, Listed, content_of, from_json, to_json
from nlpsig_core.data.task.shared_task import Correction

Uploads = Sequence[tuple[str, bytes]]
# The tasks by name, and the reason for each entry that cannot be read, by its place.
Read = tuple[dict[str, Kept], dict[str, str]]
ENDING = ".json"


class Folder(MutableMapping[str, bytes]):
    """The contents of the files of a folder, by name; each is written whole. Hidden files do not count."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __getitem__(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            raise KeyError(name) from None

    def __setitem__(self, name: str, content: bytes) -> None:
        write_whole(self.path / name, content)

    def __delitem__(self, name: str) -> None:
        try:
            (self.path / name).unlink()
        except FileNotFoundError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(path.name for path in self.path.glob("[!.]*")))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return (self.path / str(name)).is_file()


class Workspace:
    """Tasks that are kept, by name, and the contents of their files, by digest.

    ``entries`` are JSON, by identity. ``lock`` returns what a change holds, so that two at once do not disturb each
    other: each reads, changes and writes one whole entry. ``state`` returns a digest that differs after every change of
    an entry or of the list of contents.
    """

    def __init__(
        self,
        entries: MutableMapping[str, bytes],
        contents: MutableMapping[str, bytes],
        state: Callable[[], str],
        lock: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.entries, self.contents, self.state, self.lock = entries, contents, state, lock

    @classmethod
    def at(cls, folder: Path) -> Workspace:
        """The workspace in a folder, which only this user may read if it is made; OSError if it cannot be made."""
        for path in (folder, folder / "tasks", folder / "contents"):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        entries, contents = Folder(folder / "tasks"), Folder(folder / "contents")
        return cls(entries, contents, partial(_state_in, folder), partial(locked, folder / ".lock"))

    @classmethod
    def in_memory(cls) -> Workspace:
        """A workspace that ends with the process."""
        entries, contents = dict[str, bytes](), dict[str, bytes]()
        return cls(entries, contents, lambda: digest_of(_listed([*entries.items()]), [*contents]))

    def read(self) -> Read:
        """The tasks by name, and the reason for each entry that cannot be read, by its place."""
        tasks: dict[str, Kept] = {}
        damaged: dict[str, str] = {}
        for place in list(self.entries):
            try:
                kept = self._entry(place)
                if kept.name in tasks:
                    raise TaskError(f"there is another task called {kept.name!r}")
                tasks[kept.name] = kept
            except KeyError:  # removed by another session in the meantime
                continue
            except (TaskError, OSError) as error:
                damaged[place] = str(error)
        return tasks, damaged

    def _entry(self, place: str) -> Kept:
        """The task of an entry; TaskError if it is damaged or lacks a file."""
        kept = from_json(self.entries[place])
        if place != kept.identity + ENDING:
            raise TaskError("damaged (its name does not fit its content)")
        for path, content in (*kept.uploads, *kept.gold):
            if content not in self.contents:
                self.entries[place]  # KeyError if another session has removed the task meanwhile
                raise TaskError(f"{kept.name}: the content of {path} is missing")
        return kept

    def task(self, name: str) -> Kept:
        """The task of that name, without files or changes if none is kept."""
        return self.read()[0].get(name, Kept(name=name))

    def add(self, base: str, uploads: Uploads, gold: Uploads = (), first: Correction = Correction()) -> Kept:
        """Keep an upload under a name that no other task has; one that is kept already stays as it is."""
        with self.lock():
            for _, data in (*uploads, *gold):
                self.contents[digest(data)] = data
            name = self.name_for(base, uploads, gold)
            new = Kept(name=name, uploads=_listed(uploads), gold=_listed(gold), first=first)
            return self.read()[0].get(name) or self._write(new)

    def name_for(self, base: str, uploads: Uploads, gold: Uploads = ()) -> str:
        """The name of an upload that is kept, else ``base`` with a number if another upload has it."""
        tasks, identity = self.read()[0], content_of(_listed(uploads), _listed(gold))
        names = (f"{base} (uploaded{f', {n}' if n > 1 else ''})" for n in count(1))
        known = (name for name, kept in tasks.items() if kept.identity == identity)
        return next(known, None) or next(name for name in names if name not in tasks)

    def change(self, name: str, change: Callable[[Kept], Mapping[str, Any]]) -> Kept:
        """Change some fields of a task: ``change`` takes what is kept now and returns the new values."""
        with self.lock():
            kept = self.task(name)
            return self._write(replace(kept, **change(kept)))

    def rename(self, name: str, new: str, taken: Collection[str] = ()) -> Kept:
        """Give an upload another name; TaskError if it is empty or that of another task, also among ``taken``."""
        new = " ".join(new.split())
        with self.lock():
            tasks = self.read()[0]
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

    def _delete(self, places: Iterable[str]) -> None:
        for place in places:
            self.entries.pop(place, None)
        tasks, damaged = self.read()
        used = {content for kept in tasks.values() for content in kept.contents}
        # An entry that cannot be read may have contents too, and be one of a later version.
        for content in () if damaged else set(self.contents) - used:
            self.contents.pop(content, None)

    def files(self, kept: Kept) -> Files:
        """The files of an upload; FileError if a content is not what was uploaded."""
        files = upload_files([(path, self._content(path, content)) for path, content in kept.uploads])
        golds = upload_files([(path, self._content(path, content)) for path, content in kept.gold])
        return add_gold_files(files, golds) if golds else files

    def _content(self, path: str, content: str) -> bytes:
        data = self.contents.get(content)
        if data is None or digest(data) != content:
            raise FileError(path, None, "not as it was uploaded; remove the task and upload its files again")
        return data

    def _write(self, kept: Kept) -> Kept:
        self.entries[kept.identity + ENDING] = to_json(kept)
        return kept


def _state_in(folder: Path) -> str:
    """Contents have their digests as names, so the folder of contents changes whenever one of them comes or goes."""
    return digest_of(str(folder), state_of(folder / "tasks"), (folder / "contents").stat().st_mtime_ns)


def _listed(files: Uploads) -> Listed:
    return tuple((path, digest(data)) for path, data in files)
