"""The small valid tasks that inputs are made of: every sample of the package, cut to a few units and systems."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from nlpsig_core.data.task.files import open_files, upload_files
from nlpsig_core.data.task.loading import SAMPLES, task_of
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.significance.stats.packing import pack

UNITS, SYSTEMS = 4, 3
# What asks for a direction gets this one.
EDITIONS = {"Score table": "higher"}


@dataclass(frozen=True)
class Small:
    """A small task: its name, its format, and the contents of its files by path."""

    name: str
    format: str
    files: Mapping[str, bytes]

    @property
    def outputs(self) -> list[str]:
        """The paths of the outputs."""
        return [path for path in self.files if path.startswith("systems/")]


@cache
def small_tasks() -> tuple[Small, ...]:
    """Return every sample, cut."""
    names = sorted(path.stem for path in SAMPLES.glob("*.zip"))
    return tuple(_cut(name) for name in names)


def opened(files: Mapping[str, bytes]) -> SharedTask:
    """Open the task of these files."""
    return task_of(upload_files(files.items()), "fuzz")


@cache
def packed(name: str) -> bytes:
    """Return the pack of a small task."""
    (small,) = (small for small in small_tasks() if small.name == name)
    return pack(opened(small.files), edition=EDITIONS.get(small.format))


def _cut(name: str) -> Small:
    files = open_files(SAMPLES / f"{name}.zip")
    systems = list(dict.fromkeys(path.split("/")[1] for path in files if path.startswith("systems/")))[:SYSTEMS]
    kept = {
        path: _shortened(path, file.text(), systems).encode()
        for path, file in files.items()
        if not path.startswith("systems/") or path.split("/")[1] in systems
    }
    return Small(name, opened(kept).reader.name, kept)


def _shortened(path: str, text: str, systems: list[str]) -> str:
    """Return the first units of a file, of a log the first samples, of a table of groups the rows of these systems."""
    if path == "groups.tsv":
        header, *rows = text.splitlines(keepends=True)
        # Of a score table without files of systems, all rows.
        known = [row for row in rows if not systems or any(s.startswith(row.split("\t")[0]) for s in systems)]
        return header + "".join(known)
    if path.endswith(".json"):
        log = json.loads(text)
        return json.dumps(log | {"samples": log["samples"][:UNITS]}, indent=2)
    # Units are paragraphs where there are any, else lines.
    mark = "\n\n" if "\n\n" in text else "\n"
    return mark.join(text.split(mark)[: UNITS + (mark == "\n")]) + mark
