"""Files of a folder, a zip or an upload, by their path inside it; contents are read on demand."""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath

from nlpsig_core.base.errors import FileError, NlpsigError, TaskError
from nlpsig_core.base.texts import utf8
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers import BUNDLE_ENDINGS, LOG_ENDINGS
from nlpsig_core.data.readers.base import Utf8
from nlpsig_core.data.readers.unpacking import unzipped
from nlpsig_core.data.task.bundles.archive import check_size, entries_of, path_of
from nlpsig_core.data.task.bundles.patterns import called_submission
from nlpsig_core.data.task.called import ABOUT, FOLDERS, is_gold, why_lists
from nlpsig_core.data.task.folders import Found, examined, is_file, is_folder, shown, walk
from nlpsig_core.data.task.limits import MAX_FILES, SETTING, largest_file, memory, too_large, too_many_lines

# What the file of answers in a zip is called, as platforms of shared tasks demand it.
CALLED_ANSWERS = ("answer", "answers", "prediction", "predictions", "submission", "results")
# What else lies in a zip: programs, and texts on the answers.
NO_ANSWERS = (".md", ".pdf", ".py", ".ipynb", ".sh", ".yaml", ".yml", ".toml", ".log", ".html")
# A pack (task.packs) is a zip with an ending of its own.
PACK_ENDING = ".nlpsig"
ZIP_ENDINGS = (".zip", PACK_ENDING)
# Files inside a task that would have to be unpacked first.
PACKED_ENDINGS = (".zip", ".tar.gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z", ".rar")
# Files that are read as the file that they hold, under its name.
GZIP_ENDING = ".gz"
# A task in a zip may hold a bundle of submissions, each in a zip.
MOST_ZIPS = 3


@dataclass(frozen=True)
class File:
    """One file: its path inside the task (with /), and a function that returns its bytes.

    ``not_read`` is why it is not read, ``remark`` what is odd about it; "" if nothing is. ``size`` is the number of
    bytes that a folder, a zip or an upload says it has, without reading it. ``place`` is the file on disk that has the
    content, packed or not; None for a part of one, and for what is not on disk.
    """

    path: str
    load: Callable[[], bytes]
    _: KW_ONLY
    not_read: str = ""
    remark: str = ""
    size: int = 0
    place: Path | None = None

    def text(self) -> str:
        """Return the content as text, line breaks as \\n."""
        return decode(self.load(), self.path)

    def stream(self) -> Utf8:
        """Open the content as a text stream."""
        return stream_of(self.load(), self.path)


Files = dict[str, File]
# The beginning of a file by its path, "" if there is no such file.
Head = Callable[[str], str]


def decode(data: bytes, path: str) -> str:
    """Return the text of UTF-8 bytes, or of UTF-16 with a BOM, line breaks as \\n; FileError as in ``stream_of``."""
    return _plain(data, path).decode()


def stream_of(data: bytes, path: str) -> Utf8:
    """Open a text stream of UTF-8 bytes, or of UTF-16 with a BOM; FileError for a wrong byte or too many lines."""
    return Utf8(_plain(data, path))


def _plain(data: bytes, path: str) -> bytes:
    try:
        data = utf8(data)
        _ = data.isascii() or data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(path, line, "not UTF-8; save the file as UTF-8") from None
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
    if too_many_lines(len(data)) and (reason := too_many_lines(data.count(b"\n"))):
        raise FileError(path, None, reason)
    return data


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
    return _unread(path, not_read) if not_read else File(path, load, size=size, place=entry.path)


def _unread(path: str, reason: str) -> File:
    return File(path, partial(refuse, path, reason), not_read=reason)


def refuse(path: str, reason: str) -> bytes:
    """Raise FileError, in place of the content of a file that cannot be read."""
    raise FileError(path, None, reason)


def _read(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(name, None, f"cannot be read ({error.strerror})") from None


def upload_files(uploads: Iterable[tuple[str, bytes]]) -> Files:
    """Return files uploaded one by one; a zip among them is opened, and a single zip is the task itself."""
    uploads = list(uploads)
    beside = _stems_of_gold(path_of(name) for name, _ in uploads)
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
            files.append(_unread(path, reason) if reason else File(path, partial(bytes, data), size=len(data)))
    return once(files, "the upload")


def _uploaded(files: list[File], name: str) -> list[File]:
    """Return the files of a zip as in a folder of that name ("" for none); a file of answers has the name."""
    if name and (answers := _answers(files)) and PurePosixPath(answers.path).stem.lower() in CALLED_ANSWERS:
        return [replace(answers, path=name + PurePosixPath(answers.path).suffix), *_beside(answers, files, name)]
    return [replace(file, path=f"{name}/{file.path}" if name else file.path) for file in files]


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


def _stems_of_gold(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(PurePosixPath(path).stem for path in paths if is_gold(path))


def once(files: Iterable[File], where: str, zips: int = 0, beside: Collection[str] = ()) -> Files:
    """Return the files by path, unpacked; of several with the same path, the last has a remark.

    ``zips`` is the number of zips that they are in, and ``beside`` as in ``zip_files``.
    """
    files = list(files)
    room = Room(where, _stems_of_gold(file.path for file in files) | set(beside))
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
            unpacked.append(_unread(file.path, "is packed; unpack it"))
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
        return [_unread(packed.path, f"is a zip inside {MOST_ZIPS} others; unpack it")]
    try:
        inside = _members(packed.load(), packed.path)
    except NlpsigError as error:
        return [_unread(packed.path, f"cannot be unpacked ({error})")]
    room.take(inside)
    name = packed.path[: -len(".zip")]
    stems, called = {PurePosixPath(file.path).stem for file in inside}, PurePosixPath(name).name
    is_folder = alone or called.lower() in FOLDERS or len(stems & room.beside) > 1
    if answers := _answers(inside) or (None if is_folder else _answers(_without_texts(inside))):
        load, path = partial(_load_inside, packed, answers.path), name + PurePosixPath(answers.path).suffix
        beside = _beside(answers, inside, name)
        return _unpacked([replace(answers, path=path, load=load)], room, zips + 1) + beside
    is_folder = is_folder or called_submission(called)
    if inside and (is_folder or any(file.path.lower().endswith(".zip") for file in inside)):
        if len(inside) == 1 and PurePosixPath(inside[0].path).stem.lower() in CALLED_ANSWERS:
            return _unpacked([replace(inside[0], path=name + PurePosixPath(inside[0].path).suffix)], room, zips + 1)
        return _unpacked([replace(file, path=f"{name}/{file.path}") for file in inside], room, zips + 1)
    names = ", ".join(each.path for each in inside[:3]) + (", ..." if len(inside) > 3 else "")
    held = f"holds several files ({names})" if inside else "holds no file"
    return [_unread(packed.path, f"is packed and {held}; unpack it, or name the one with the answers answer.txt")]


def _gunzip(file: File, most: int) -> bytes:
    """Return what a .gz holds; FileError if it is damaged, or holds more than ``most`` bytes."""
    try:
        data = unzipped(file.load(), most)
    except (zlib.error, EOFError) as error:
        raise FileError(file.path, None, f"cannot be unpacked ({error})") from None
    if reason := too_large(len(data), file.path[: -len(GZIP_ENDING)]):
        raise FileError(file.path, None, reason)
    return data


def _answers(files: list[File]) -> File | None:
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


def _beside(answers: File, files: list[File], name: str) -> list[File]:
    """Return the files beside the answers of a zip of that name, none of which is read."""
    why = f"is not used: it lies beside the answers, {answers.path}"
    return [_unread(f"{name}/{file.path}", why) for file in files if file.path != answers.path]


def _load_inside(packed: File, path: str) -> bytes:
    return next(file.load() for file in _members(packed.load(), packed.path) if file.path == path)
