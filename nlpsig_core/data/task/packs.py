"""Packs: a task as statistics by system and unit, without text, in one file; read here, written by stats.packing."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest
from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.readers import READERS, Reader
from nlpsig_core.data.readers.base import DOCUMENT
from nlpsig_core.data.readers.tables.scores import LARGEST
from nlpsig_core.data.task.files import File, Files, refuse
from nlpsig_core.data.task.shared_task import Correction, SharedTask, files_on
from nlpsig_core.data.task.test_set import Packed, PackedFamily, TestSet

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


class Each(NamedTuple):
    """A mapping of any texts to values of this form."""

    form: Any


class Maybe(NamedTuple):
    """A value of this form, or null."""

    form: Any


# How units and documents can be called: these words stand in sentences.
CALLED = re.compile("[a-z]{1,20}( [a-z]{1,20})?")

# The form of the manifest: a type, a list of values of one form, a mapping with these keys, or one of the forms above.
MEMBER = {"member": str, "type": str}
LABELS = {"names": [str], "codes": MEMBER}
FAMILY = {
    **dict.fromkeys(("name", "version", "counted_as"), str),
    "columns": [str],
    "files": [str],
    **dict.fromkeys(("problems", "same_bytes"), Each(str)),
    "remarks": Each([str]),
    "values": MEMBER,
}
TEST_SET = {
    "n_units": int,
    **dict.fromkeys(("name", "edition"), str),
    "notes": [str],
    "gold": [str],
    **dict.fromkeys(("about", "outputs", "digests"), Each(str)),
    **dict.fromkeys(("domains", "documents"), Maybe(LABELS)),
    **dict.fromkeys(("lengths", "identities"), Maybe(MEMBER)),
    "families": [FAMILY],
}
MANIFEST_FORM = {
    "description": str,
    "reader": str,
    "problems": [str],
    "systems": {"columns": [str], "rows": [[str]]},
    "test_sets": [TEST_SET],
    "digests": Each(str),
}


def check_form(value: object, form: Any, where: str = "") -> None:
    """Raise ValueError for the first value that does not have its form; keys that have no form are left alone."""
    if isinstance(form, Maybe):
        if value is not None:
            check_form(value, form.form, where)
    elif isinstance(form, list):
        for number, item in enumerate(_typed(value, list, where), start=1):
            check_form(item, form[0], f"{where} {number}")
    elif isinstance(form, Each):
        for key, item in _typed(value, dict, where).items():
            check_form(item, form.form, f"{where} {key}")
    elif isinstance(form, dict):
        for key, inner in form.items():
            if key not in _typed(value, dict, where):
                raise ValueError(f"{where or 'the manifest'} has no {key}")
            check_form(value[key], inner, f"{where} {key}".strip())  # type: ignore[index]
    else:
        _typed(value, form, where)


def _optional(entry: Mapping[str, Any], name: str, form: Any, otherwise: Any) -> Any:
    """Return a value of an entry that not every pack has; ValueError if it does not have its form."""
    value = entry.get(name, otherwise)
    check_form(value, form, name)
    return value


def _typed(value: Any, kind: type, where: str) -> Any:
    # To Python, true is a number too.
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{where or 'the manifest'} is {str(value)[:40]!r}, not of type {kind.__name__}")
    return value


def read_pack(files: Files, name: str, correction: Correction) -> SharedTask:
    """Return the task of a pack from its members; statistics are read when they are used.

    TaskError if the pack is damaged, was written by a newer version, or is to be read with a correction or other files.
    """
    for attribute, option in READ_ANEW.items():
        if getattr(correction, attribute):
            raise TaskError(f"{name} is a pack: its outputs were read when it was made, so {option} cannot change that")
    manifest = _manifest(files[MANIFEST], name)
    try:
        return _Pack(files, name, manifest).task()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        _damaged(name, f"{MANIFEST}: {type(error).__name__}: {error}")


def _damaged(name: str, reason: str) -> NoReturn:
    raise TaskError(f"{name} is a damaged pack ({reason}); get it or make it again") from None


def _manifest(file: File, name: str) -> Mapping[str, Any]:
    try:
        manifest: Mapping[str, Any] = json.loads(file.load())
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
    return manifest


@dataclass(frozen=True)
class _Pack:
    """The members of a pack with its manifest; reading it raises KeyError, TypeError or ValueError if it is damaged."""

    files: Files
    name: str
    manifest: Mapping[str, Any]

    def task(self) -> SharedTask:
        """Return the task."""
        check_form(self.manifest, MANIFEST_FORM)
        reader = self.manifest["reader"]
        if reader not in READERS:
            raise TaskError(f"{self.name} holds statistics of {reader!r}, a format that this nlpsig does not know")
        systems = self._systems(**self.manifest["systems"])
        entries = self.manifest["test_sets"]
        test_sets = {entry["name"]: self._test_set(entry, READERS[reader], systems) for entry in entries}
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

    def _systems(self, columns: list[str], rows: list[list[str]]) -> pd.DataFrame:
        if any(len(row) != len(columns) for row in rows):
            raise ValueError(f"systems have {len(columns)} columns, but not all rows of them do")
        systems = pd.DataFrame(rows, columns=columns, dtype=str)
        for column in ("file", "system", "group", "kind"):
            systems[column]  # a KeyError says what is missing
        if systems.columns.has_duplicates or systems["file"].duplicated().any():
            raise ValueError("two columns of systems or two of their files have the same name")
        return systems

    def _test_set(self, entry: Mapping[str, Any], reader: Reader, systems: pd.DataFrame) -> TestSet:
        unit, cluster = _optional(entry, "unit", str, reader.unit), _optional(entry, "cluster", str, DOCUMENT)
        if unit == cluster != reader.unit or not (CALLED.fullmatch(unit) and CALLED.fullmatch(cluster)):
            raise ValueError(f"units and documents are called {unit!r} and {cluster!r}, not two short words")
        reader = replace(reader, unit=unit)
        files = files_on(systems, reader, entry["outputs"])
        n_units = entry["n_units"]
        if n_units < 1 or not entry["families"]:
            raise ValueError(f"{n_units} units with {len(entry['families'])} families of statistics")
        lengths, identities = (
            self._array(entry[name], (n_units,)).tolist() if entry[name] else () for name in ("lengths", "identities")
        )
        packed = Packed(
            n_units=n_units,
            families={family["name"]: self._family(family, n_units, files) for family in entry["families"]},
            domains=self._labels(entry["domains"], n_units),
            documents=self._labels(entry["documents"], n_units),
            lengths=tuple(lengths),
            identities=tuple(identity or None for identity in identities),
            classes=tuple(_optional(entry, "classes", [str], [])),
            cluster=cluster,
            edition=entry["edition"],
            about=entry["about"],
            digests=entry["digests"],
            notes=tuple(entry["notes"]),
        )
        return TestSet(
            name=entry["name"],
            reader=reader,
            gold_files=tuple(map(_without_text, entry["gold"])),
            outputs={file: _without_text(path) for file, path in entry["outputs"].items()},
            packed=packed,
        )

    def _family(self, entry: Mapping[str, Any], n_units: int, needed: Collection[str]) -> PackedFamily:
        files, columns = tuple(entry["files"]), tuple(entry["columns"])
        # Statistics are read later, but where they are and how many is checked now.
        path, kind = self._member(entry["values"])
        if missing := sorted(set(needed) - set(files)):
            raise ValueError(f"{entry['name']} has no statistics of {missing[0]}")
        if kind.kind == "f" and "i" in entry["counted_as"]:
            raise ValueError(f"{entry['name']} has statistics of type {kind}, but they were whole numbers")
        if not columns:
            raise ValueError(f"{entry['name']} has no columns")
        if entry["counted_as"] not in COUNTED_AS:
            _damaged(self.name, f"numbers counted as {entry['counted_as']!r}, not one of {', '.join(COUNTED_AS)}")
        shape = (len(columns), n_units, len(files))
        self._check_size(path, self.files[path].size, kind, shape)
        return PackedFamily(
            files=files,
            columns=columns,
            version=entry["version"],
            counted_as=entry["counted_as"],
            values=partial(self._values, entry["values"], shape),
            problems=entry["problems"],
            remarks=entry["remarks"],
            same_bytes=entry["same_bytes"],
        )

    def _values(self, entry: Mapping[str, str], shape: tuple[int, ...]) -> np.ndarray:
        """Return statistics (files, units, columns); they are stored with the files last: neighbours are alike then."""
        values: np.ndarray = np.moveaxis(self._array(entry, shape), 0, -1).swapaxes(0, 1)
        if (np.abs(values) > LARGEST).any():
            _damaged(self.name, f"{entry['member']} has numbers beyond {LARGEST:g}")
        return values

    def _labels(self, entry: Mapping[str, Any] | None, n_units: int) -> tuple[str, ...]:
        if entry is None:
            return ()
        return tuple(np.array(entry["names"], dtype=object)[self._array(entry["codes"], (n_units,))].tolist())

    def _array(self, entry: Mapping[str, str], shape: tuple[int, ...]) -> np.ndarray:
        """Return the numbers of a member; TaskError if it is missing or not what the manifest says."""
        path, kind = self._member(entry)
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

    def _member(self, entry: Mapping[str, str]) -> tuple[str, np.dtype]:
        """Return the path and type of an array; KeyError if it is not in the pack."""
        path, kind = entry["member"], entry["type"]
        if kind not in TYPES:
            _damaged(self.name, f"{path} has the type {kind!r}, not one of {', '.join(TYPES)}")
        for members in (self.files, self.manifest["digests"]):
            members[path]  # a KeyError says what is missing
        return path, np.dtype(kind)


def _without_text(path: str) -> File:
    return File(path, partial(refuse, path, NO_TEXT))
