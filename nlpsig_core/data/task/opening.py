"""The files of a folder, a zip, a pack, a score table or an upload, by path."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers import BUNDLE_ENDINGS, LOG_ENDINGS
from nlpsig_core.data.task.bundles.archive import path_of
from nlpsig_core.data.task.called import why_lists
from nlpsig_core.data.task.files import CALLED_ANSWERS, GZIP_ENDING, PACK_ENDING, ZIP_ENDINGS, File, Files, unread
from nlpsig_core.data.task.folders import Found, examined, is_file, is_folder, shown, walk
from nlpsig_core.data.task.limits import SETTING, memory, too_large
from nlpsig_core.data.task.zips import Room, answers_in, beside_answers, once, stems_of_gold, zip_files


def open_files(path: Path, advice: str = "") -> Files:
    """Return the files of a folder, a zip or a pack, or a score table, by path; TaskError if it is none of these.

    ``advice`` is given where nothing is there.
    """
    status = examined(path, "; ".join(filter(None, [advice, "give a task folder, a zip of one, or a sample's name"])))
    if is_folder(status):
        return once(map(_file, walk(path)), "the folder")
    name, ending = printable(path.name), path.suffix.lower()
    packed = ending in ZIP_ENDINGS or (ending not in LOG_ENDINGS and is_file(status) and zipfile.is_zipfile(path))
    if is_file(status) and packed:
        if status.st_size > memory():
            raise TaskError(f"{name} has {status.st_size:,} bytes, more than {memory():,}; {SETTING} raises the limit")
        return zip_files(_read(path, name), name)
    inside = path.with_suffix("").suffix.lower() if ending == GZIP_ENDING else ending
    if is_file(status) and inside in (*BUNDLE_ENDINGS, *LOG_ENDINGS):
        return once([file_at(path)], "the task")
    neither = "is neither a folder, a zip, a pack nor a score table; give a task's folder"
    raise TaskError(f"{shown(path)} {why_lists(path.name) or neither}")


def file_at(path: Path) -> File:
    """Return the file at a path, under its name alone; TaskError if nothing is there."""
    return _file(Found((path.name,), path, examined(path, "give the path of a file")))


def _file(entry: Found) -> File:
    path, size = printable("/".join(entry.names)), entry.status.st_size if entry.status else 0
    not_read = entry.not_read or too_large(size, path)
    load = partial(_read, entry.path, path)
    return unread(path, not_read) if not_read else File(path, load, size=size, place=entry.path)


def _read(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(name, None, f"cannot be read ({error.strerror})") from None


def upload_files(uploads: Iterable[tuple[str, bytes]]) -> Files:
    """Return files uploaded one by one; a zip among them is opened, and a single zip is the task itself."""
    uploads = list(uploads)
    beside = stems_of_gold(path_of(name) for name, _ in uploads)
    files, room = list[File](), Room("the upload")
    for name, data in uploads:
        path = path_of(name)
        if path.lower().endswith(PACK_ENDING) and len(uploads) > 1:
            raise TaskError(f"{path} is a task of its own; open it without other files")
        if path.lower().endswith(ZIP_ENDINGS):
            inside = room.take(list(zip_files(data, path, beside).values()))
            files += _uploaded(inside, "" if len(uploads) == 1 else path[:-4])
        elif path:
            reason = too_large(len(data), path)
            files.append(unread(path, reason) if reason else File(path, partial(bytes, data), size=len(data)))
    return once(files, "the upload")


def _uploaded(files: list[File], name: str) -> list[File]:
    """Return the files of a zip as in a folder of that name ("" for none); a file of answers has the name."""
    if name and (answers := answers_in(files)) and PurePosixPath(answers.path).stem.lower() in CALLED_ANSWERS:
        return [replace(answers, path=name + PurePosixPath(answers.path).suffix), *beside_answers(answers, files, name)]
    return [replace(file, path=f"{name}/{file.path}" if name else file.path) for file in files]
