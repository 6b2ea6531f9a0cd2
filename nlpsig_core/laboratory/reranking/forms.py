"""FORMS: every form of n-best lists, one literal entry each: its files, and the task that chosen candidates make."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.runtime import without_collection
from nlpsig_core.base.texts import unreadable
from nlpsig_core.data.readers.texts import read_references
from nlpsig_core.data.task.files import HEAD, decode
from nlpsig_core.data.task.folders import examined
from nlpsig_core.data.task.limits import SETTING, memory
from nlpsig_core.laboratory.reranking.lists import Lists, NBestList, constituency, dependency, moses, records

COMPRESSED = ".gz"
RECORDS = "generic"


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What scores the candidates of JSON Lines: a metric, and ``references`` if it compares texts."""

    metric: str = "mean"
    references: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form of n-best lists.

    Names of its files end in ``ending``, or in it and ``.gz``; the gold of a file is the file beside it that ends in
    ``gold`` instead ("" if there is none). ``read(stream, name, gold stream, gold's name)`` reads both; without gold,
    ``read(stream, name, metric, references)``. ``task(lists, chosen candidates by system)`` returns the files of a
    shared task, content by path.
    """

    what: str
    ending: str
    gold: str = ""
    read: Callable[..., Lists]
    task: Callable[[Sequence[NBestList], Mapping[str, Sequence[Any]]], dict[str, str]]


# By the kind of their feature classes (``FeatureClass.form``).
FORMS = {
    "constituency": Form(
        what="n-best lists of Charniak's parser",
        ending=".nbest",
        gold=".gold",
        read=constituency.read_lists,
        task=constituency.task_files,
    ),
    "dependency": Form(
        what="k-best lists in CoNLL-U",
        ending=".k-best.conllu",
        gold=".gold.conllu",
        read=dependency.read_k_best,
        task=dependency.task_files,
    ),
    RECORDS: Form(what="lists in JSON Lines", ending=".jsonl", read=records.read_records, task=records.task_files),
}


@without_collection()
def load_lists(path: Path, scoring: Scoring | None = None) -> tuple[Lists, ...]:
    """Return the lists of a file, or of all files of a folder that hold lists, by name, such as folds.

    The form follows from the ending, or from the first line (lists of Moses). Raises FileError for a folder without
    lists or with several forms, a file of another kind, a missing gold, and all that a reader refuses; TaskError if
    nothing is there; ChoiceError if lists with gold parses have a ``scoring``, or several files one set of references.
    """
    endings = " or ".join(f"{form.ending} or {form.ending}{COMPRESSED}" for form in FORMS.values())
    paths = [path]
    if path.is_dir():
        paths = sorted(file for file in path.iterdir() if _form(file))
        if not paths:
            raise FileError(str(path), None, f"a folder without n-best lists; their names end in {endings}")
    kinds = sorted({_form(file) for file in paths})
    if len(kinds) > 1:
        raise FileError(
            str(path), None, f"holds {' and '.join(FORMS[kind].what for kind in kinds)}; name the files of one of them"
        )
    if not kinds[0]:
        examined(path, "give files of n-best lists, or their folder")
        raise FileError(path.name, None, f"no n-best lists by its name; it must end in {endings}")
    form = FORMS[kinds[0]]
    if scoring and form.gold:
        raise ChoiceError(f"{form.what} are scored by their gold parses; leave out metric and references")
    if scoring and scoring.references and len(paths) > 1:
        raise ChoiceError(f"{len(paths)} files of lists for one set of references; name one file")
    return tuple(_load(file, form, scoring or Scoring()) for file in paths)


def _form(path: Path) -> str:
    """Return the form of a file by its name, or that of records if it begins as a list of Moses; "" for other files."""
    if _is_of_moses(path):
        return RECORDS
    name = path.name.removesuffix(COMPRESSED)
    return next((kind for kind, form in FORMS.items() if name.endswith(form.ending)), "")


def _is_of_moses(path: Path) -> bool:
    try:
        with gzip.open(path) if path.suffix == COMPRESSED else path.open("rb") as stream:
            start = stream.readline(HEAD)
    except (OSError, EOFError, zlib.error):
        return False
    return moses.BARS.encode() in start and not start.startswith(b"{")


def _load(path: Path, form: Form, scoring: Scoring) -> Lists:
    stream = io.StringIO(read_text(path))
    if not form.gold:
        texts = [(io.StringIO(read_text(file)), file.name) for file in scoring.references]
        return form.read(stream, path.name, scoring.metric, read_references(texts) if texts else None)
    gold = path.with_name(path.name.removesuffix(COMPRESSED).removesuffix(form.ending) + form.gold)
    if not gold.exists():
        raise FileError(path.name, None, f"its gold is missing; put {gold.name} beside it")
    return form.read(stream, path.name, io.StringIO(read_text(gold)), gold.name)


def read_text(path: Path) -> str:
    """Return the text of a file, plain or in gzip; FileError if it cannot be read, or is more than reading may take."""
    try:
        if path.suffix != COMPRESSED:
            return decode(path.read_bytes(), path.name)
        with gzip.open(path) as stream:
            data = stream.read(memory() + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, error) from None
    if len(data) > memory():
        raise FileError(path.name, None, f"unpacks to more than {memory():,} bytes; {SETTING} raises the limit")
    return decode(data, path.name)
