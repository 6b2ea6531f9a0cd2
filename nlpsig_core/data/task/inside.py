"""Files that hold the gold beside outputs: the gold and outputs made of them, where no file is the gold."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from itertools import count
from pathlib import PurePosixPath
from typing import NamedTuple

from nlpsig_core.base.errors import NlpsigError, TaskError
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, labels_in, looks_like_json
from nlpsig_core.data.readers.items.kinds import first_rows, whole_lines
from nlpsig_core.data.readers.items.reading import read_named_rows
from nlpsig_core.data.readers.items.rows import NAMES, plain_name
from nlpsig_core.data.readers.tables.score_tables import NAMELESS
from nlpsig_core.data.readers.tables.scores import is_number
from nlpsig_core.data.readers.tagged import gold_beside_tags, looks_like_tagged, without_column
from nlpsig_core.data.readers.texts import (
    EITHER,
    HYPOTHESIS,
    MARKUP,
    REFERENCE,
    SOURCES,
    are_texts,
    names_in,
    parts_of_xml,
)
from nlpsig_core.data.readers.token_lines import TYPED
from nlpsig_core.data.readers.transcripts import TRANSCRIPTS, are_of_speech, read_transcripts
from nlpsig_core.data.task.files import File, Files, Head
from nlpsig_core.data.task.logs.joining import layout_of_logs
from nlpsig_core.data.task.naming import NamedRoles

ENDINGS = READERS[TRANSCRIPTS].shared_endings
# Columns of the gold, the clearest name first, and of the predictions beside it; names of systems, one a row.
GOLD = (
    *REFERENCE,
    *("gold_label", "gold_labels", "gold_standard", "gold_answer", "y_true", "true_label", "truth", "ground_truth"),
)
LABELS = ("label", "labels", *EITHER)
PREDICTED = (
    *HYPOTHESIS,
    *("y_pred", "pred_label", "predicted_label", "predicted_labels", "pred_labels", "predicted_answer"),
)
GOLD_OF_TAGS = "the last column but one"
SYSTEMS = ("system", "model", "system_id", "system_name", "model_name")
# What describes an item, and is no answer.
OF_ITEMS = frozenset((*SOURCES, *NAMES["key"], *NAMES["text"], *NAMES["document"], *NAMES["domain"]))
# Where the parts of WMT's XML would be as files.
PLACES = {"src": "sources/{test_set}", "ref": "references/{test_set}/{name}", "hyp": "systems/{name}/{test_set}"}


# The columns of a file by name.
Sheet = Mapping[str, Sequence[str]]


def _first(sheet: Sheet, names: Sequence[str]) -> str:
    """Return the first of these names that a column has, in plain form; "" if there is none."""
    plain = {plain_name(name): name for name in sheet}
    return next((plain[name] for name in names if name in plain), "")


def _predicted(sheet: Sheet, gold: str) -> str:
    """Return the column of predictions, which are texts if the gold's are: a text beside labels is none of them."""
    texts = are_texts(sheet[gold])
    alike = {name: cells for name, cells in sheet.items() if are_texts(cells) == texts}
    return _first(alike, PREDICTED) or _first(sheet, PREDICTED)


def _file(path: str, sheet: Sheet, names: Sequence[str], rows: Sequence[int], called: str = "") -> File:
    """Return a file of some columns and rows, of which the last one is ``called`` so."""
    cells = [[sheet[name][row] for name in names] for row in rows]
    return File(path, partial(_encoded, PurePosixPath(path).suffix.lower(), [*names[:-1], called or names[-1]], cells))


def _encoded(ending: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    stream = StringIO()
    if ending in (".csv", ".tsv"):
        marks = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None} if ending == ".tsv" else {}
        csv.writer(stream, lineterminator="\n", **marks).writerows([header, *rows])  # type: ignore[arg-type]
    else:
        for row in rows:
            values = (labels_in(cell) if cell.startswith(LABEL_MARK) else cell for cell in row)
            stream.write(json.dumps(dict(zip(header, values, strict=True))) + "\n")
    return stream.getvalue().encode()


def with_gold_inside(files: Files, named: NamedRoles, head: Head) -> tuple[Files, list[str]]:
    """Return the files, with the gold that all outputs hold beside their own answers if no file is it; and a note.

    A single file may hold the outputs of all systems, each in a column, in rows of its own, or in the XML of WMT; they
    become a file each. ``head(path)`` returns the beginning of a file, by which most others are told apart unread.
    TaskError if the gold of two files differs.
    """
    paths = list(named.scorable)
    if named.gold or not paths:
        return files, []
    beginning = head(paths[0])
    in_xml = [path for path in paths if path.lower().endswith(".xml") and MARKUP.match(head(path))]
    if parts := [(path, part) for path in in_xml if (part := parts_of_xml(files[path].text()))]:
        return _with_parts(files, parts)
    # Of a file whose predictions are all O, only others tell that it has them.
    tagged = paths if looks_like_tagged(beginning) else paths[:1]
    if sure := next((path for path in tagged if gold_beside_tags(head(path))), ""):
        paths = list(dict.fromkeys([sure, *paths]))
        read: Callable[[File], _Gold | None] = partial(_tags, gold=gold_beside_tags(files[sure].text()))
    elif not paths[0].lower().endswith(ENDINGS):
        return files, []
    elif (rows := first_rows(paths[0], whole_lines(beginning))) is not None and are_of_speech(rows):
        read = _transcripts
    elif _may_be_sheet(beginning) and not layout_of_logs(named, head):
        if len(paths) == 1 and (several := _of_one_sheet(files, paths[0])):
            return several
        read = _beside_predictions
    else:
        return files, []
    paths = [path for path in paths if path.lower().endswith(PurePosixPath(paths[0]).suffix.lower())]
    return _with_shared_gold(files, paths, read)


class _Gold(NamedTuple):
    """The gold of a file by id or place, the file of the gold alone, what it and such files are called, and the output.

    The output is None if it is the file as it is.
    """

    cells: Mapping[object, object]
    file: File
    what: str
    files: str = "files"
    output: File | None = None


def _with_shared_gold(
    files: Files, paths: Sequence[str], read: Callable[[File], _Gold | None]
) -> tuple[Files, list[str]]:
    def readable(path: str) -> _Gold | None:
        try:
            return read(files[path])
        except NlpsigError:
            return None

    if (wanted := readable(paths[0])) is None:
        return files, []
    others = {path: readable(path) for path in paths[1:]}
    if other := next((path for path, own in others.items() if own and own.cells != wanted.cells), ""):
        raise TaskError(f"No file is the gold, and the references of {paths[0]} and {other} differ; add a gold file")
    path = _gold_path(paths[0])
    others_too = f" and of the other {wanted.files}" if others else ""
    note = f"no file is the gold; it is {wanted.what} of {PurePosixPath(paths[0])}{others_too}"
    outputs = {own.output.path: own.output for own in (wanted, *others.values()) if own and own.output}
    return {**files, **outputs, path: replace(wanted.file, path=path)}, [note]


def _gold_path(path: str) -> str:
    return f"gold of {PurePosixPath(path).name}"


def _transcripts(file: File) -> _Gold | None:
    """Return the references of a manifest by id (else by place); None for a file without these or predictions."""
    rows = read_transcripts(file.stream(), file.path, "manifest")
    columns = dict(zip(rows.header, rows.columns, strict=True))
    if not {"answer", "prediction"} <= columns.keys():
        return None
    ids = [columns[part] for part in ("id", "segment") if part in columns]
    cells = dict(zip(zip(*ids, strict=True) if ids else count(), columns["answer"], strict=False))
    return _Gold(cells, file, "the text", "manifests")


def _tags(file: File, gold: Sequence[str]) -> _Gold | None:
    """Return the gold of a file that has predictions after it: by itself, or since another one has this ``gold``."""
    text = file.text()
    sure = gold_beside_tags(text)
    lines = sure or (gold if without_column(text, -1) == gold else [])
    own = None if sure else _of_lines(file.path, without_column(text, -2))
    return _Gold(dict(enumerate(lines)), _of_lines(file.path, lines), GOLD_OF_TAGS, output=own) if lines else None


def _of_lines(path: str, lines: Sequence[str]) -> File:
    return File(path, partial(bytes, "\n".join(lines).encode()))


def _may_be_sheet(beginning: str) -> bool:
    """Return whether a file begins with names of columns that may be the gold's: in JSON, or in the first line."""
    if looks_like_json(beginning):
        return any(f'"{name}"' in beginning.lower() for name in (*GOLD, *PREDICTED))
    names = names_in(beginning)
    return len(names) > 2 and not {*GOLD, *PREDICTED}.isdisjoint(names)


def _sheet(file: File) -> Sheet:
    """Return the columns of a file; none if it has no names of columns."""
    cells = read_named_rows(file.text(), file.path)
    return dict(zip(cells.header, cells.columns, strict=True)) if cells.header else {}


def _of_items(sheet: Sheet, *answers: str) -> list[str]:
    """Return the names of the columns that describe items, and are no ``answers``."""
    return [name for name in sheet if plain_name(name) in OF_ITEMS and name not in answers]


def _beside_predictions(file: File) -> _Gold | None:
    sheet = _sheet(file)
    gold = _first(sheet, (*GOLD, *LABELS))
    if not gold or not (predicted := _predicted(sheet, gold)):
        return None
    names, rows = _of_items(sheet, gold, predicted), range(len(sheet[gold]))
    keys = [sheet[name] for name in names if plain_name(name) in NAMES["key"]]
    cells = dict(zip(zip(*keys, strict=True) if keys else count(), sheet[gold], strict=False))
    # Beside labels, a column of this name would be read as a text of the item.
    unclear = plain_name(predicted) in NAMES["text"] and not are_texts(sheet[gold])
    output = _file(file.path, sheet, [*names, predicted], rows, "prediction") if unclear else None
    return _Gold(cells, _file(file.path, sheet, [*names, gold], rows), f"the column {gold}", output=output)


def _of_one_sheet(files: Files, path: str) -> tuple[Files, list[str]] | None:
    """Return the gold and the outputs of a file with all systems; None if it has but one, or none."""
    try:
        sheet = _sheet(files[path])
    except NlpsigError:
        return None
    gold, system = (_first(sheet, names) for names in (GOLD, SYSTEMS))
    if not gold or any(map(TYPED.fullmatch, sheet[gold])):
        return None
    if plain_name(gold) in {*REFERENCE} - {"gold"} and all(map(is_number, sheet[gold])):
        return None  # scores of references, as those of systems
    predicted = _predicted(sheet, gold)
    names, everything = _of_items(sheet, gold, predicted), range(len(sheet[gold]))
    # The column and the rows of each system.
    own: dict[str, tuple[str, Sequence[int]]]
    if predicted and system:
        rows_of: dict[str, list[int]] = {}
        for row, name in enumerate(sheet[system]):
            rows_of.setdefault(name, []).append(row)
        own = {name: (predicted, rows) for name, rows in rows_of.items()}
    else:
        left = [name for name in sheet if plain_name(name) not in NAMELESS and name not in names and name != gold]
        own = {name: (name, everything) for name in left if _are_alike(sheet[gold], sheet[name])}
    if len(own) < 2:
        return None
    keys = [name for name in names if plain_name(name) in (*NAMES["key"], *NAMES["document"])]
    made = [_file(_gold_path(path), sheet, [*names, gold], next(iter(own.values()))[1])]
    for name, (column, rows) in own.items():
        output = f"systems/{name}{PurePosixPath(path).suffix.lower()}"
        made.append(_file(output, sheet, [*keys, column], rows, "prediction"))
    kept = {other: file for other, file in files.items() if other != path}
    note = f"{path} holds the gold ({gold}) and {len(own)} systems: {', '.join(own)}"
    return kept | {file.path: file for file in made}, [note]


def _are_alike(gold: Sequence[str], cells: Sequence[str]) -> bool:
    """Return whether cells are answers as the gold's are: texts, or mostly its labels; fractions may be scores."""
    if are_texts(gold):
        return are_texts(cells)
    labels = set(gold)
    whole = all(label.removeprefix("-").isdecimal() for label in labels) and len(labels) > 1
    return (whole or not all(map(is_number, cells))) and 2 * sum(cell in labels for cell in cells) >= len(cells)


def _with_parts(files: Files, parts: Sequence[tuple[str, Mapping[str, Sequence[str]]]]) -> tuple[Files, list[str]]:
    """Return references and outputs of WMT's XML as files, of several as several test sets."""
    made, notes = {path: file for path, file in files.items() if path not in dict(parts)}, []
    for path, by_name in parts:
        stem = PurePosixPath(path).stem
        for name, lines in by_name.items():
            kind, _, own = name.partition(" ")
            new = f"{PLACES[kind].format(test_set=stem, name=own or 'ref')}.jsonl"
            made[new] = File(new, partial(bytes, "".join(lines).encode()))
        notes.append(f"{path} holds {', '.join(by_name)}")
    return made, notes
