"""Manifests of speech that hold the references beside each system's words: the gold, where no file is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from itertools import count
from pathlib import PurePosixPath

from nlpsig_core.base.errors import NlpsigError, TaskError
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.items.rows import read_rows
from nlpsig_core.data.readers.transcripts import TRANSCRIPTS, are_of_speech, read_transcripts
from nlpsig_core.data.task.files import File, Files
from nlpsig_core.data.task.layout import Head
from nlpsig_core.data.task.naming import roles_by_name

ENDINGS = READERS[TRANSCRIPTS].shared_endings


def with_gold_of_manifests(files: Files, roles: Mapping[str, str], head: Head) -> tuple[Files, list[str]]:
    """Return the files, with the references that all manifests share as the gold if there is none; and a note on it.

    ``head(path)`` returns the beginning of a file, which shows that others, such as large logs, are no manifests.
    TaskError if the references of two manifests differ.
    """
    if not any(path.lower().endswith(ENDINGS) for path in files):
        return files, []
    named = roles_by_name(files, roles)
    paths = [path for path, p in named.scorable.items() if p.suffix.lower() in ENDINGS]
    if named.gold or not paths or not _is_of_speech(head(paths[0]), paths[0]):
        return files, []
    if (wanted := _references(files[paths[0]])) is None:
        return files, []
    others = {path: _references(files[path]) for path in paths[1:]}
    if other := next((path for path, own in others.items() if own not in (None, wanted)), ""):
        raise TaskError(f"No file is the gold, and the references of {paths[0]} and {other} differ; add a gold file")
    first = PurePosixPath(paths[0])
    path = f"gold of {first.name}"
    note = f"no file is the gold; it is the text of {first}" + " and of the other manifests" * (len(paths) > 1)
    return {**files, path: replace(files[paths[0]], path=path)}, [note]


def _is_of_speech(beginning: str, path: str) -> bool:
    """Return whether a file begins as a manifest of speech; its last line may be cut off."""
    try:
        cells = read_rows(StringIO(beginning[: beginning.rfind("\n") + 1] or beginning), path, cut=True)
    except NlpsigError:
        return False
    return are_of_speech(cells)


def _references(file: File) -> dict[object, str] | None:
    """Return the references of a manifest by id (else by place); None for a file without these or predictions."""
    try:
        rows = read_transcripts(file.stream(), file.path, "manifest")
    except NlpsigError:
        return None
    columns = dict(zip(rows.header, rows.columns, strict=True))
    if not {"answer", "prediction"} <= columns.keys():
        return None
    ids = [columns[part] for part in ("id", "segment") if part in columns]
    return dict(zip(zip(*ids, strict=True) if ids else count(), columns["answer"], strict=False))
