"""Packs: a task as statistics by system and unit, without text, in one file; read here, written by stats.packing."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest
from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.readers import READERS, Reader
from nlpsig_core.data.readers.tables.scores import LARGEST
from nlpsig_core.data.task.files import File, Files
from nlpsig_core.data.task.manifests import MANIFEST_FORM, check_form
from nlpsig_core.data.task.packed import Packed, PackedFamily
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from nlpsig_core.data.task.systems import files_on
from nlpsig_core.data.task.test_set import TestSet

# The member of the zip that describes the others; its presence makes a zip a pack.
MANIFEST = "pack.json"
FORMAT, VERSION = "nlpsig pack", 1
NO_TEXT = "a pack has statistics, but no text; open the task's own files for this"
# Numbers are stored as they are, in one of these types.
TYPES = ("|u1", "<u2", "<u4", "<u8", "<f8")
# What they were when they were counted.
COUNTED_AS = ("<i4", "<i8", "<f8")
# Ways to read files, none of which applies to statistics that were counted already.
READ_ANEW = {"format": "--kind", "roles": "--role", "read_as": "--read-as", "domain_rule": "--domain-rule"}


def is_pack(files: Files) -> bool:
    """Whether the files are the members of a pack."""
    return MANIFEST in files


def read_pack(files: Files, name: str, correction: Correction = Correction()) -> SharedTask:
    """The task of a pack from its members; statistics are read when they are used.

    TaskError if the pack is damaged, was written by a newer version, or is to be read with a correction or other files.
    """
    for attribute, option in READ_ANEW.items():
        if getattr(correction, attribute):
            raise TaskError(f"{name} is a pack: its outputs were read when it was made, so {option} cannot change that")
    manifest = _manifest(files[MANIFEST], name)
    try:
        task = _Reading(files, name, manifest).task()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        _damaged(name, f"{MANIFEST}: {type(error).__name__}: {error}")
    return task


def _damaged(name: str, reason: str) -> NoReturn:
    raise TaskError(f"{name} is a damaged pack ({reason}); get it or make it again") from None


def _manifest(file: File, name: str) -> Mapping[str, Any]:
    try:
        manifest = json.loads(file.load())
        json.dumps(manifest, ensure_ascii=False).encode()  # a ValueError for names that cannot be written
        version = manifest["version"]
    except (FileError, ValueError, KeyError, TypeError, RecursionError) as error:
        _damaged(name, f"{MANIFEST}: {error}")
    if manifest.get("format") != FORMAT or not isinstance(version, int):
        _damaged(name, f"{MANIFEST} describes no pack")
    if version > VERSION:
        raise TaskError(
            f"{name} is a pack of version {version}, written by a newer nlpsig; this one reads up to {VERSION}: upgrade"
        )
    result: Mapping[str, Any] = manifest
    return result


@dataclass(frozen=True)
class _Reading:
    """The members of a pack with its manifest."""

    files: Files
    name: str
    manifest: Mapping[str, Any]

    def task(self) -> SharedTask:
        """The task; KeyError, TypeError or ValueError if the manifest is damaged."""
        check_form(self.manifest, MANIFEST_FORM)
        reader = self.manifest["reader"]
        if reader not in READERS:
            raise TaskError(f"{self.name} holds statistics of {reader!r}, a format that this nlpsig does not know")
        rows, columns = self.manifest["systems"]["rows"], self.manifest["systems"]["columns"]
        if any(len(row) != len(columns) for row in rows):
            raise ValueError(f"systems have {len(columns)} columns, but not all rows of them do")
        systems = pd.DataFrame(rows, columns=columns, dtype=str)
        for column in ("file", "system", "group", "kind"):
            systems[column]  # a KeyError says what is missing
        if systems.columns.has_duplicates or systems["file"].duplicated().any():
            raise ValueError("two columns of systems or two of their files have the same name")
        test_sets = {of["name"]: self._test_set(of, READERS[reader], systems) for of in self.manifest["test_sets"]}
        if not test_sets or systems.empty:
            raise ValueError("no test set or no system")
        others = [path for path in self.files if path not in self.manifest["digests"] and path != MANIFEST]
        return SharedTask(
            name=self.name,
            description=self.manifest["description"],
            test_sets=test_sets,
            systems=systems,
            problems=(*self.manifest["problems"], *(f"{path} is not part of the pack; not used" for path in others)),
            roles={},
        ).with_systems(systems)

    def _test_set(self, of: Mapping[str, Any], reader: Reader, systems: pd.DataFrame) -> TestSet:
        files = files_on(systems, reader, of["outputs"])
        n_units = of["n_units"]
        if n_units < 1 or not of["families"]:
            raise ValueError(f"{n_units} units with {len(of['families'])} families of statistics")
        lengths = self._array(of["lengths"], (n_units,)) if of["lengths"] else np.zeros(0, dtype=int)
        known = self._array(of["identities"], (n_units,)) if of["identities"] else np.zeros(0, dtype=int)
        packed = Packed(
            n_units=n_units,
            families={family["name"]: self._family(family, n_units, files) for family in of["families"]},
            domains=self._labels(of["domains"], n_units),
            documents=self._labels(of["documents"], n_units),
            lengths=tuple(lengths.tolist()),
            identities=tuple(identity or None for identity in known.tolist()),
            edition=of["edition"],
            about=of["about"],
            digests=of["digests"],
            notes=tuple(of["notes"]),
        )
        return TestSet(
            name=of["name"], reader=reader, gold_files=tuple(map(_without_text, of["gold"])),
            outputs={file: _without_text(path) for file, path in of["outputs"].items()}, labels={}, read_as={},
            packed=packed,
        )  # fmt: skip

    def _family(self, of: Mapping[str, Any], n_units: int, needed: Collection[str]) -> PackedFamily:
        files, columns = tuple(of["files"]), tuple(of["columns"])
        # Statistics are read later, but where they are and how many is checked now.
        path, kind = self._place(of["values"])
        if missing := sorted(set(needed) - set(files)):
            raise ValueError(f"{of['name']} has no statistics of {missing[0]}")
        if kind.kind == "f" and "i" in of["counted_as"]:
            raise ValueError(f"{of['name']} has statistics of type {kind}, but they were whole numbers")
        if not columns:
            raise ValueError(f"{of['name']} has no columns")
        shape = (len(columns), n_units, len(files))
        self._check_size(path, self.files[path].size, kind, shape)
        return PackedFamily(
            files=files,
            columns=columns,
            version=of["version"],
            counted_as=self._type(of["counted_as"]),
            values=partial(self._values, of["values"], shape),
            problems=of["problems"],
            remarks=of["remarks"],
            same_bytes=of["same_bytes"],
        )

    def _values(self, of: Mapping[str, str], shape: tuple[int, ...]) -> np.ndarray:
        """Statistics (files, units, columns), which are stored with the files last: neighbours are alike then."""
        values: np.ndarray = np.moveaxis(self._array(of, shape), 0, -1).swapaxes(0, 1)
        if (np.abs(values) > LARGEST).any():
            _damaged(self.name, f"{of['member']} has numbers beyond {LARGEST:g}")
        return values

    def _labels(self, of: Mapping[str, Any] | None, n_units: int) -> tuple[str, ...]:
        if of is None:
            return ()
        return tuple(np.array(of["names"], dtype=object)[self._array(of["codes"], (n_units,))].tolist())

    def _array(self, of: Mapping[str, str], shape: tuple[int, ...]) -> np.ndarray:
        """The numbers of a member; TaskError if it is missing or not what the manifest says."""
        path, kind = self._place(of)
        try:
            data = self.files[path].load()
        except FileError as error:
            _damaged(self.name, f"{path}: {error}")
        if digest(data) != self.manifest["digests"][path]:
            _damaged(self.name, f"{path} is not what {MANIFEST} says")
        self._check_size(path, len(data), kind, shape)
        return np.frombuffer(data, dtype=kind).reshape(shape)

    def _check_size(self, path: str, size: int, kind: np.dtype, shape: tuple[int, ...]) -> None:
        if size != math.prod(shape) * kind.itemsize:
            _damaged(self.name, f"{path} has {size:,} bytes, not {math.prod(shape):,} numbers")

    def _type(self, name: str) -> str:
        if name not in COUNTED_AS:
            _damaged(self.name, f"numbers counted as {name!r}, not one of {', '.join(COUNTED_AS)}")
        return name

    def _place(self, of: Mapping[str, str]) -> tuple[str, np.dtype]:
        """The path and type of an array; KeyError if it is not in the pack."""
        path, kind = of["member"], of["type"]
        if kind not in TYPES:
            _damaged(self.name, f"{path} has the type {kind!r}, not one of {', '.join(TYPES)}")
        for place in (self.files, self.manifest["digests"]):
            place[path]  # a KeyError says what is missing
        return path, np.dtype(kind)


def _without_text(path: str) -> File:
    return File(path, partial(_no_text, path))


def _no_text(path: str) -> bytes:
    raise FileError(path, None, NO_TEXT)
