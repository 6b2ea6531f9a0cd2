"""FORMS: every form of n-best lists, one literal entry each: its files, and the task that chosen candidates make."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.data.readers.lines import References, read_references
from nlpsig_core.data.task.files import decode
from nlpsig_core.data.task.limits import SETTING, memory
from nlpsig_core.laboratory.reranking import outputs
from nlpsig_core.laboratory.reranking.charniak import read_lists
from nlpsig_core.laboratory.reranking.dependencies import read_k_best
from nlpsig_core.laboratory.reranking.generic import read_records
from nlpsig_core.laboratory.reranking.lists import Lists, NBestList

Outputs = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What scores the candidates of JSON Lines: a metric, and ``references`` if it compares texts."""

    metric: str = "mean"
    references: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form of n-best lists.

    Names of its files end in ``ending``, or in it and ``.gz``; the gold of a file is the file beside it that ends in
    ``gold`` instead ("" if there is none). ``load(path, gold, scoring)`` reads both. ``task(lists, chosen
    candidates by system)`` returns the files of a shared task, content by path.
    """

    what: str
    ending: str
    gold: str = ""
    load: Callable[[Path, Path, Scoring], Lists]
    task: Callable[[Sequence[NBestList], Outputs], dict[str, str]]


def _trees(path: Path, gold: Path, scoring: Scoring) -> Lists:
    return read_lists(_stream(path), path.name, _stream(gold), gold.name)


def _dependencies(path: Path, gold: Path, scoring: Scoring) -> Lists:
    return read_k_best(_stream(path), path.name, _stream(gold), gold.name)


def _records(path: Path, gold: Path, scoring: Scoring) -> Lists:
    return read_records(_stream(path), path.name, scoring.metric, _references(scoring.references))


# By the kind of their feature classes (``FeatureClass.of``).
FORMS = {
    "constituency": Form(
        what="n-best lists of Charniak's parser", ending=".nbest", gold=".gold", load=_trees,
        task=outputs.trees,
    ),
    "dependency": Form(
        what="k-best lists in CoNLL-U", ending=".k-best.conllu", gold=".gold.conllu", load=_dependencies,
        task=outputs.dependencies,
    ),
    "generic": Form(
        what="lists in JSON Lines", ending=".jsonl", load=_records, task=outputs.records,
    ),
}  # fmt: skip
COMPRESSED = ".gz"
# The number by which zlib knows gzip with a window of any size.
GZIP = 31


def load_lists(path: Path, scoring: Scoring | None = None) -> tuple[Lists, ...]:
    """The lists of a file, or of all files of a folder that hold lists, by name, such as folds.

    The form follows from the ending. Raises FileError for a folder without lists or with several forms, a file of
    another kind, a missing gold, and all that a reader refuses; ChoiceError if lists with gold parses have a
    ``scoring``, or several files one set of references.
    """
    paths = [path]
    if path.is_dir():
        paths = sorted(file for file in path.iterdir() if _kind_of(file))
        if not paths:
            raise FileError(str(path), None, f"a folder without n-best lists; their names end in {_endings()}")
    kinds = sorted({_kind_of(file) for file in paths})
    if len(kinds) > 1:
        found = " and ".join(FORMS[kind].what for kind in kinds)
        raise FileError(str(path), None, f"holds {found}; name the files of one of them")
    if not kinds[0]:
        raise FileError(path.name, None, f"no n-best lists by its name; it must end in {_endings()}")
    if scoring and FORMS[kinds[0]].gold:
        raise ChoiceError(f"{FORMS[kinds[0]].what} are scored by their gold parses; leave out metric and references")
    if scoring and scoring.references and len(paths) > 1:
        raise ChoiceError(f"{len(paths)} files of lists for one set of references; name one file")
    return tuple(_load(file, FORMS[kinds[0]], scoring or Scoring()) for file in paths)


def _kind_of(path: Path) -> str:
    """The form of a file by its name; "" for other files."""
    name = path.name.removesuffix(COMPRESSED)
    return next((kind for kind, form in FORMS.items() if name.endswith(form.ending)), "")


def _endings() -> str:
    return " or ".join(f"{form.ending} or {form.ending}{COMPRESSED}" for form in FORMS.values())


def _load(path: Path, form: Form, scoring: Scoring) -> Lists:
    gold = path.with_name(path.name.removesuffix(COMPRESSED).removesuffix(form.ending) + form.gold)
    if form.gold and not gold.exists():
        raise FileError(path.name, None, f"its gold is missing; put {gold.name} beside it")
    return form.load(path, gold, scoring)


def _references(paths: Sequence[Path]) -> References | None:
    return read_references([(_stream(path), path.name) for path in paths]) if paths else None


def _stream(path: Path) -> io.StringIO:
    return io.StringIO(read_text(path))


def read_text(path: Path) -> str:
    """The text of a file, plain or in gzip; FileError if it cannot be read."""
    try:
        data = path.read_bytes()
        return decode(_unpacked(data, path.name) if path.suffix == COMPRESSED else data, path.name)
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(path.name, None, f"cannot be read ({error})") from None


def _unpacked(data: bytes, name: str) -> bytes:
    """The content of gzip, which may have several parts; FileError as soon as it is more than reading may take."""
    parts, left = list[bytes](), memory()
    while data:
        part = zlib.decompressobj(wbits=GZIP)
        parts.append(part.decompress(data, left + 1))
        left -= len(parts[-1])
        if left < 0:
            raise FileError(name, None, f"unpacks to more than {memory():,} bytes; {SETTING} raises the limit")
        if not part.eof:
            raise EOFError("it ends too early")
        data = part.unused_data.lstrip(b"\0")
    return b"".join(parts)
