"""The items of a gold: its rows and what files beside it say -> Items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import PurePosixPath
from typing import TextIO

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.base import Read
from nlpsig_core.data.readers.items.answers import KINDS, Column
from nlpsig_core.data.readers.items.beside import CLUSTERS, DOCUMENTS, LABEL_NAMES
from nlpsig_core.data.readers.items.columns import Named, gold_columns
from nlpsig_core.data.readers.items.ids import AS_WRITTEN, joined
from nlpsig_core.data.readers.items.items import Items
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK
from nlpsig_core.data.readers.items.marks import marked_in_gold
from nlpsig_core.data.readers.items.reading import read_rows
from nlpsig_core.data.readers.items.rows import Rows


def read_items(kind: str, files: Sequence[tuple[TextIO, str]], read: Read = read_rows) -> Items:
    """Return the items of a gold whose answers are of a kind, with what files beside it say (BESIDE_ITEMS).

    FileError for an item without an answer, an id that occurs twice, and more than MOST_CLASSES labels.
    """
    (stream, name), *others = files
    rows = read(stream, name)
    if not rows.n_units:
        raise FileError(name, None, "no answer; the gold has only names of columns")
    rows, marked = marked_in_gold(rows) if kind == "Label sets" else (rows, ())
    columns = gold_columns(rows, kind)
    answers, classes = KINDS[kind].gold(Column(name, rows.columns[columns.answer], rows.lines))
    parts = tuple(list(map(str.strip, rows.columns[column])) for column in columns.key)
    keys = tuple(joined(parts, AS_WRITTEN)) if parts else ()
    _check_keys(rows, keys)
    items = Items(
        name=name,
        kind=kind,
        answers=answers,
        classes=classes,
        lines=rows.lines,
        keys=keys,
        texts=_column(rows, columns.text),
        documents=_column(rows, columns.document),
        cluster=rows.cluster,
        domains=_column(rows, columns.domain),
        notes=(*rows.notes, *columns.notes, *_several_right(rows.columns[columns.answer] if kind == "Strings" else ())),
        key_parts=parts,
        answer=Named(rows.name_of(columns.answer), columns.answer, len(rows.columns)),
        marked=marked,
    )
    for stream, path in others:
        items = _with(items, stream, path)
    return _with_own_documents(items)


def _several_right(cells: Sequence[str]) -> list[str]:
    """Return a note if several strings, or none, are right for some items."""
    several = sum(cell.startswith(LABEL_MARK) for cell in cells)
    what = count(several, "item has a list of right answers", "items have lists of right answers")
    return [f"{what}; EM and F1 compare words as SQuAD's script does"] if several else []


def _with_own_documents(items: Items) -> Items:
    """Return the items, of which each without a document is one of its own."""
    blank = [unit for unit, name in enumerate(items.documents) if not name]
    if not blank or len(blank) == items.n_units:
        return replace(items, documents=() if blank else items.documents)
    names = tuple(name or f"item {unit + 1}" for unit, name in enumerate(items.documents))
    alone = f"{count(len(blank), 'item')} without a document (first: line {items.lines[blank[0]]}); each is its own"
    return replace(items, documents=names, notes=(*items.notes, alone))


def _column(rows: Rows, column: int) -> tuple[str, ...]:
    return tuple(map(str.strip, rows.columns[column])) if column >= 0 else ()


def _check_keys(rows: Rows, keys: Sequence[str]) -> None:
    """Raise FileError at the first id of a gold that occurs again."""
    if len(set(keys)) < len(keys):
        first: dict[str, int] = {}
        row = next(row for row, key in enumerate(keys) if first.setdefault(key, row) != row)
        reason = f"the id {keys[row]!r} is also on line {rows.lines[first[keys[row]]]}; give each item its own"
        raise FileError(rows.name, int(rows.lines[row]), reason)


def _with(items: Items, stream: TextIO, path: str) -> Items:
    """Return the items with what a file beside the gold says: documents, texts, or other names of labels."""
    called = PurePosixPath(path).name.lower().partition(".")[0]
    if called in LABEL_NAMES.names:
        names = read_rows(stream, path, header=False)
        if len(names.columns) < 2:
            raise FileError(path, None, "one column; each line needs a label, a tab, and the label in the gold")
        pairs = [tuple(map(str.strip, row)) for row in zip(*names.columns[:2], strict=True)]
        return replace(items, other_names={a: b for one, other in pairs for a, b in ((one, other), (other, one))})
    cells = _beside(items, stream, path)
    if called not in DOCUMENTS.names:
        return replace(items, texts=cells)
    return replace(items, documents=cells, cluster=CLUSTERS[called])


def _beside(items: Items, stream: TextIO, path: str) -> tuple[str, ...]:
    """Return what a file beside the gold has for each item: by its id, else a line each; FileError if some lack it."""
    text = stream.read()
    rows = read_rows(StringIO(text), path)
    key, form = items.key_of(rows)
    if key:
        column = next(column for column in reversed(range(len(rows.columns))) if column not in key)
        found = dict(zip(joined([rows.columns[c] for c in key], form), rows.columns[column], strict=True))
        return tuple(found.get(item, "").strip() for item in joined(items.key_parts, form))
    lines = text.removesuffix("\n").split("\n")
    lines = rows.columns[-1] if rows.n_units == items.n_units else lines
    if len(lines) != items.n_units:
        reason = f"{count(len(lines), 'line')}, but the gold ({items.name}) has {count(items.n_units, 'item')}"
        raise FileError(path, None, f"{reason}; give each item a line, or its id")
    return tuple(lines)
