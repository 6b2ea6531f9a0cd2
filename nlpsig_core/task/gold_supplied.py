"""A gold that lies apart from the outputs, put among them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nlpsig_core.errors import TaskError
from nlpsig_core.task.files import File, Files, open_files
from nlpsig_core.task.naming import GOLD_APART, is_gold, parsed, roles_beside


def gold_files(path: Path) -> Files:
    """A gold file, or those of a folder or a zip, by path."""
    if path.is_dir() or path.suffix.lower() == ".zip":
        return open_files(path)
    if not path.is_file():
        raise TaskError(f"{path} does not exist; give the gold file or the folder of gold files")
    return {path.name: File(path.name, path.read_bytes)}


def add_gold_files(files: Files, gold: Files) -> Files:
    """The outputs with these gold files instead of any other, and with what lies beside either.

    The given files keep their names and folders, inside a folder of their own. Raises TaskError where none of
    them is gold.
    """
    if not gold.keys() - roles_beside(parsed(gold)).keys():
        raise TaskError("No gold is among the files that were given as gold")
    beside = roles_beside(parsed(files))
    kept = {path: file for path, file in files.items() if path in beside or not is_gold(path)}
    given = {f"{GOLD_APART}/{path}": file for path, file in gold.items()}
    return kept | {path: replace(file, path=path) for path, file in given.items()}
