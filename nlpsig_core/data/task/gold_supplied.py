"""Gold supplied separately from the outputs, combined with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.task.files import Files, file_at, open_files
from nlpsig_core.data.task.folders import examined, is_file, is_folder, shown
from nlpsig_core.data.task.naming import GOLD_SUPPLIED, is_gold, roles_aside

NEEDED = "give the gold file or the folder of gold files"


def gold_files(path: Path) -> Files:
    """A gold file, or those of a folder or a zip, by path."""
    status = examined(path, NEEDED)
    if is_folder(status) or path.suffix.lower() == ".zip":
        return open_files(path)
    if not is_file(status):
        raise TaskError(f"{shown(path)} is neither a file nor a folder; {NEEDED}")
    file = file_at(path)
    return {file.path: file}


def add_gold_files(files: Files, gold: Files) -> Files:
    """The outputs with these gold files in place of any other gold, and with the companions and tables of both.

    The gold files keep their names and folders inside the folder GOLD_SUPPLIED. Raises TaskError if none of them is
    gold.
    """
    if not gold.keys() - roles_aside(gold).keys():
        raise TaskError("None of the files supplied as gold is a gold file")
    aside = roles_aside(files)
    kept = {path: file for path, file in files.items() if path in aside or not is_gold(path)}
    supplied = {f"{GOLD_SUPPLIED}/{path}": file for path, file in gold.items()}
    return kept | {path: replace(file, path=path) for path, file in supplied.items()}
