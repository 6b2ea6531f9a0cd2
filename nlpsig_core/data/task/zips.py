"""What zips hold, and files packed inside a task: each is read as what it holds, on demand."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath

from nlpsig_core.base.errors import FileError, NlpsigError, TaskError
from nlpsig_core.data.readers.unpacking import unzipped
from nlpsig_core.data.task.bundles.archive import check_size, entries_of
from nlpsig_core.data.task.bundles.patterns import called_submission
from nlpsig_core.data.task.called import ABOUT, FOLDERS, is_gold
from nlpsig_core.data.task.files import CALLED_ANSWERS, GZIP_ENDING, PACK_ENDING, PACKED_ENDINGS, File, Files, unread
from nlpsig_core.data.task.limits import MAX_FILES, largest_file, too_large

# What else lies in a zip: programs, and texts on the answers.
NO_ANSWERS = (".md", ".pdf", ".py", ".ipynb", ".sh", ".yaml", ".yml", ".toml", ".log", ".html")
# A task in a zip may hold a bundle of submissions, each in a zip.
MOST_ZIPS = 3


@dataclass
class Room:
    """The number and unpacked ``size`` of the files in the zips ``where`` a task is; ``beside`` as in ``zip_files``."""

    where: str
    beside: frozenset[str] = frozenset()
    number: int = field(default=0, init=False)
    size: int = field(default=0, init=False)

    def take(self, files: list[File]) -> list[File]:
        """Return the files of a zip; TaskError if all zips together hold more than any shared task."""
        self.number += len(files)
        if self.number > MAX_FILES:
            raise TaskError(f"{self.where} holds more than {MAX_FILES:,} files; pack the task folder alone")
        self.size += sum(file.size for file in files if not file.not_read)
        check_size(self.size, self.where)
        return files


def zip_files(data: bytes, name: str, beside: Collection[str] = ()) -> Files:
    """Return the files of a zip of any origin, each with the reason if it is not read; they are unpacked on demand.

    A zip inside it with one file of answers stands for that file; ``beside`` are the names of gold files beside it,
    without endings, by which submissions of several files are recognised. TaskError if the zip is damaged or
    encrypted, or larger than any shared task.
    """
    return once(_members(data, name), name, zips=1, beside=beside)


def _members(data: bytes, name: str) -> list[File]:
    again = "a damaged pack; get it" if name.endswith(PACK_ENDING) else "not a readable zip; pack the task folder"
    entries = entries_of(data, name, again)
    return [File(entry.path, entry.load, not_read=entry.not_read, size=entry.size) for entry in entries]


def stems_of_gold(paths: Iterable[str]) -> frozenset[str]:
    """Return the names of those paths that are called like gold, without endings."""
    return frozenset(PurePosixPath(path).stem for path in paths if is_gold(path))


def once(files: Iterable[File], where: str, zips: int = 0, beside: Collection[str] = ()) -> Files:
    """Return the files by path, unpacked; of several with the same path, the last has a remark.

    ``zips`` is the number of zips that they are in, and ``beside`` as in ``zip_files``.
    """
    files = list(files)
    room = Room(where, stems_of_gold(file.path for file in files) | set(beside))
    files = _unpacked(room.take(files) if zips else files, room, zips)
    numbers = Counter(file.path for file in files)
    again = {path: f"occurs {n} times in {where}; the last one is used" for path, n in numbers.items() if n > 1}
    return {file.path: replace(file, remark=again[file.path]) if file.path in again else file for file in files}


def _unpacked(files: list[File], room: Room, zips: int) -> list[File]:
    """Return the files, each .gz as what it holds and each .zip as its answers or as a folder; others are not read."""
    unpacked: list[File] = []
    for file in files:
        path = file.path.lower()
        if file.not_read or not path.endswith((*PACKED_ENDINGS, GZIP_ENDING)):
            unpacked.append(file)
        elif path.endswith(".zip"):
            unpacked += _unzipped(file, room, zips, alone=len(files) == 1)
        elif path.endswith(PACKED_ENDINGS):
            unpacked.append(unread(file.path, "is packed; unpack it"))
        else:
            path = file.path[: -len(GZIP_ENDING)]
            unpacked.append(replace(file, path=path, load=partial(_gunzip, file, largest_file(path))))
    return unpacked


def _unzipped(packed: File, room: Room, zips: int, alone: bool) -> list[File]:
    """Return what stands for a zip: its answers under its name, else its files in a folder of its name, if it is one.

    It is a folder if it holds zips, as downloads of all submissions do, if there is nothing ``alone`` beside it, or if
    it is named like a folder of a task or a submission, or its files like several files of the gold.
    """
    if zips == MOST_ZIPS:
        return [unread(packed.path, f"is a zip inside {MOST_ZIPS} others; unpack it")]
    try:
        inside = _members(packed.load(), packed.path)
    except NlpsigError as error:
        return [unread(packed.path, f"cannot be unpacked ({error})")]
    room.take(inside)
    name = packed.path[: -len(".zip")]
    stems, called = {PurePosixPath(file.path).stem for file in inside}, PurePosixPath(name).name
    is_folder = alone or called.lower() in FOLDERS or len(stems & room.beside) > 1
    if answers := answers_in(inside) or (None if is_folder else answers_in(_without_texts(inside))):
        load, path = partial(_load_inside, packed, answers.path), name + PurePosixPath(answers.path).suffix
        beside = beside_answers(answers, inside, name)
        return _unpacked([replace(answers, path=path, load=load)], room, zips + 1) + beside
    is_folder = is_folder or called_submission(called)
    if inside and (is_folder or any(file.path.lower().endswith(".zip") for file in inside)):
        if len(inside) == 1 and PurePosixPath(inside[0].path).stem.lower() in CALLED_ANSWERS:
            return _unpacked([replace(inside[0], path=name + PurePosixPath(inside[0].path).suffix)], room, zips + 1)
        return _unpacked([replace(file, path=f"{name}/{file.path}") for file in inside], room, zips + 1)
    names = ", ".join(each.path for each in inside[:3]) + (", ..." if len(inside) > 3 else "")
    held = f"holds several files ({names})" if inside else "holds no file"
    return [unread(packed.path, f"is packed and {held}; unpack it, or name the one with the answers answer.txt")]


def _gunzip(file: File, most: int) -> bytes:
    """Return what a .gz holds; FileError if it is damaged, or holds more than ``most`` bytes."""
    try:
        data = unzipped(file.load(), most)
    except (zlib.error, EOFError) as error:
        raise FileError(file.path, None, f"cannot be unpacked ({error})") from None
    if reason := too_large(len(data), file.path[: -len(GZIP_ENDING)]):
        raise FileError(file.path, None, reason)
    return data


def answers_in(files: list[File]) -> File | None:
    """Return the only file, or the only one that is called answer, that is not itself packed."""
    called = [file for file in files if PurePosixPath(file.path).stem.lower() in CALLED_ANSWERS]
    for several in (files, called):
        if len(several) == 1 and not several[0].path.lower().endswith(PACKED_ENDINGS):
            return several[0]
    return None


def _without_texts(files: list[File]) -> list[File]:
    """Return the files without programs and texts on the answers."""
    paths = {file.path: PurePosixPath(file.path.lower()) for file in files}
    return [f for f in files if not (paths[f.path].stem in ABOUT or paths[f.path].suffix in NO_ANSWERS)]


def beside_answers(answers: File, files: list[File], name: str) -> list[File]:
    """Return the files beside the answers of a zip of that name, none of which is read."""
    why = f"is not used: it lies beside the answers, {answers.path}"
    return [unread(f"{name}/{file.path}", why) for file in files if file.path != answers.path]


def _load_inside(packed: File, path: str) -> bytes:
    return next(file.load() for file in _members(packed.load(), packed.path) if file.path == path)
