"""Kept: how a task is opened again, with the user's changes to it, as JSON and back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import NlpsigError, TaskError
from nlpsig_core.data.task.shared_task import Correction, SharedTask

# The version of the format; entries of another one are not read.
VERSION = 1
# The cells of the frame of systems that can be edited.
EDITABLE = ("system", "group", "kind")
DIGEST = re.compile(r"[0-9a-f]{64}")
# Path and digest of the content of each file.
Listed = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What is kept of a task: its name, the files of an upload, and the user's corrections and edits.

    ``uploads`` and ``gold`` are the files of an upload and its gold supplied separately; a sample or a folder has none,
    its ``name`` says where it is. ``first`` is the correction without which the files were not recognised,
    ``correction`` a later one. ``cells`` are edited names, groups and kinds, by output and column of ``systems``.
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
        return content_of(self.uploads, self.gold) if self.uploads else digest_of(self.name)

    @property
    def contents(self) -> set[str]:
        """The digests of its files."""
        return {content for _, content in (*self.uploads, *self.gold)}

    @property
    def reading(self) -> Correction:
        """The correction with which the files are read."""
        return self.first if self.correction is None else self.correction

    def edited(self, task: SharedTask) -> SharedTask:
        """The task with the edited names, groups and kinds of the outputs it has; TaskError as in ``with_systems``."""
        systems = task.systems.copy()
        for file, cells in self.cells.items():
            for column, value in cells.items():
                systems.loc[systems["file"] == file, column] = value
        return task.with_systems(systems) if self.cells else task

    def with_edits(self, before: pd.DataFrame, after: pd.DataFrame) -> dict[str, dict[str, str]]:
        """The cells with those that differ between two frames of the same systems."""
        cells = {file: dict(of_file) for file, of_file in self.cells.items()}
        for column in EDITABLE:
            for row in (before[column] != after[column]).to_numpy().nonzero()[0]:
                cells.setdefault(before["file"].iloc[row], {})[column] = after[column].iloc[row].strip()
        return cells


def content_of(uploads: Listed, gold: Listed) -> str:
    """The digest of the names and contents of files and of gold files."""
    return digest_of(uploads, gold)


def to_json(kept: Kept) -> bytes:
    """A task that is kept as JSON."""
    return json.dumps({"version": VERSION} | asdict(kept), ensure_ascii=False, indent=1).encode()


def from_json(data: bytes) -> Kept:
    """The task that is kept as JSON; TaskError if it is damaged or of another version."""
    try:
        stored = json.loads(data)
        if stored.pop("version") != VERSION:
            raise TaskError("written by another version of nlpsig")
        return Kept(
            name=_text(stored.pop("name")),
            uploads=_listed(stored.pop("uploads")),
            gold=_listed(stored.pop("gold")),
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
    """A mapping of texts to texts, of these names alone if any are given."""
    if unknown := set(values) - set(names or values):
        raise ValueError(f"{sorted(unknown)[0]!r} is not one of {', '.join(names)}")
    return {_text(name): _text(value) for name, value in values.items()}


def _listed(files: Any) -> Listed:
    for _, content in files:
        if not DIGEST.fullmatch(content):
            raise ValueError(f"{content!r} is not a digest")
    return tuple((_text(path), content) for path, content in files)


def _correction(stored: Mapping[str, Any]) -> Correction:
    return Correction(
        format=stored["format"] and _text(stored["format"]),
        roles=_texts(stored["roles"]),
        read_as=_texts(stored["read_as"]),
        domain_rule=_text(stored["domain_rule"]),
    )
