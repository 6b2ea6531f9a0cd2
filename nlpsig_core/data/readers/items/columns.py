"""Which columns hold the ids, the answers, the texts, documents and domains: of a gold, and of an output beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from nlpsig_core.base.words import whole_number
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK
from nlpsig_core.data.readers.items.reading import IDENTIFIER, JUDGED
from nlpsig_core.data.readers.items.rows import NUMBERED, PREDICTION, Rows
from nlpsig_core.data.readers.items.sets import are_piped
from nlpsig_core.data.readers.tables.scores import is_like_number, is_missing

# The most classes of labels, and the least mean number of items of a class.
MOST_CLASSES, ITEMS_PER_CLASS = 1000, 2
# A column is one of texts if its cells have this many words on average.
WORDS_OF_A_TEXT = 4
# Digits that are no number if all cells have as many, and some begin with 0.
CODE = re.compile("[0-9]{2,}")
NEARLY_ALL, MOSTLY = 0.95, 0.75
# Names of the answers of a system where the gold's stand beside them.
PREDICTED = frozenset((*PREDICTION, "y_pred"))


class Columns(NamedTuple):
    """The columns of a gold, from 0: those whose cells together name an item, the answer, and others (-1: none).

    ``notes`` tell if another column is named as the answer, too.
    """

    key: tuple[int, ...]
    answer: int
    text: int = -1
    document: int = -1
    domain: int = -1
    notes: tuple[str, ...] = ()


class Named(NamedTuple):
    """The name of the column of a gold's answers, "" if it has none; this column, from 0, and the number of columns."""

    name: str = ""
    column: int = -1
    n_columns: int = 0


def gold_columns(rows: Rows, kind: str) -> Columns:
    """Return the columns of a gold whose answers are of a kind."""
    answer, *others = _answers(rows, kind)
    text = next((column for column in (*rows.named("text"), *_texts(rows)) if column != answer), -1)
    key = _key(rows, {answer, text})
    document, domain = (
        next((column for column in rows.named(what) if column != answer), -1) for what in ("document", "domain")
    )
    if document < 0 and len(key) > 1:
        document = key[0]
    others = [column for column in others if column not in key]
    return Columns(key, answer, text, document, domain, tuple(_choice(rows, answer, others)))


def suits(cells: Sequence[str], kind: str) -> bool:
    """Return whether the cells of a column can be answers of a kind."""
    judged = cells[:JUDGED]
    if kind == "Label sets":
        return any(cell.startswith(LABEL_MARK) for cell in judged) or are_piped(judged)
    if kind == "Numbers":
        known = [cell.strip() for cell in judged if not is_missing(cell.strip())]
        codes = all(map(CODE.fullmatch, known)) and len(set(map(len, known))) == 1
        if codes and any(cell.startswith("0") for cell in known):
            return False
        return len(known) >= MOSTLY * len(judged) > 0 and sum(map(is_like_number, known)) >= NEARLY_ALL * len(known)
    if kind == "Labels":
        few = len(set(cells)) <= max(len(cells) / ITEMS_PER_CLASS, 2)
        return few and not suits(judged, "Label sets")
    return True


def _answers(rows: Rows, kind: str) -> list[int]:
    """Return the column chosen by the user, those named as the answer, or the last one that can be it."""
    if rows.answer is not None:
        return [rows.answer]
    named = rows.named("answer")
    possible = named or _left(rows, ("key", "text", "document", "domain")) or _left(rows, ("key", "text"))
    possible = [column for column in possible if column or not _are_numbered(rows)]
    varied = [column for column in possible if len(set(rows.columns[column])) > 1]
    possible = varied if len(varied) > 1 and not named else possible
    suited = [column for column in possible if suits(rows.columns[column], kind)]
    if named:
        return suited or named
    likely = suited[::-1] if kind in ("Labels", "Label sets", "Numbers") else suited[-1:]
    return likely or [len(rows.columns) - 1]


def _choice(rows: Rows, chosen: int, others: Sequence[int]) -> list[str]:
    """Return a note on other columns that can be the answer."""
    if not others:
        return []
    listed = " and ".join(str(column + 1) for column in sorted({chosen, *others}))
    how = 'to choose, name it "prediction"'
    if others[0] < NUMBERED:
        how = f'--read-as "{rows.name}=column {others[0] + 1}" reads another'
    return [f"columns {listed} can be the answer; column {chosen + 1} is read ({how})"]


def _are_numbered(rows: Rows) -> bool:
    """Return whether the first of several columns has whole numbers that all differ: ids, not answers."""
    first = rows.columns[0]
    return len(rows.columns) > 1 and len(set(first)) == len(first) and all(cell.strip().isdecimal() for cell in first)


def _left(rows: Rows, others: Sequence[str]) -> list[int]:
    """Return the columns that are not named as holding one of the ``others`` (keys of NAMES)."""
    taken = {column for what in others for column in rows.named(what)}
    return [column for column in range(len(rows.columns)) if column not in taken]


def _texts(rows: Rows) -> list[int]:
    """Return the columns with texts."""
    judged = (cells[:JUDGED] for cells in rows.columns)
    words = [(sum(cell.count(" ") + 1 for cell in cells if cell), len(cells)) for cells in judged]
    return [n for n, (number, of) in enumerate(words) if number >= WORDS_OF_A_TEXT * of > 0]


def _key(rows: Rows, others: Collection[int]) -> tuple[int, ...]:
    """Return the columns that name items: those named so, else the fewest first ones that differ in every row."""
    named = [column for column in rows.named("key") if column not in others]
    left = [column for column in range(len(rows.columns)) if column not in others]
    for columns in (named, left):
        for number in range(1, len(columns) + 1):
            if _different(rows, columns[:number]) == rows.n_units:
                return tuple(columns[:number])
    # Ids that mostly differ are ids all the same, some of them twice.
    identified = [column for column in left[:1] if all(map(IDENTIFIER.fullmatch, rows.columns[column][:JUDGED]))]
    likely = [column for column in identified if _different(rows, [column]) >= MOSTLY * rows.n_units]
    return tuple(named[:1] or likely)


def _different(rows: Rows, columns: Sequence[int]) -> int:
    """Return how many different cells columns have, together."""
    return len(set(zip(*(rows.columns[column] for column in columns), strict=True)))


def output_key(rows: Rows, parts: Sequence[Collection[str]], form: Callable[[str], str]) -> tuple[int, ...]:
    """Return the columns of an output with the ids of the gold: of each of its ``parts``, the most in this form.

    () if a part has none, or no column is left for the answers. A column of labels is none of ids.
    """
    if len(rows.columns) <= len(parts):
        return ()
    chosen: list[int] = []
    for part in parts:
        found = {
            column: sum(form(cell) in part for cell in cells[:JUDGED])
            for column, cells in enumerate(rows.columns)
            if column not in chosen and (len(parts) > 1 or _may_be_ids(cells, parts[0], form))
        }
        best = max(found, key=lambda column: (found[column], -column), default=-1)
        if best < 0 or not found[best]:
            return ()
        chosen.append(best)
    return tuple(chosen)


def _may_be_ids(cells: Sequence[str], ids: Collection[str], form: Callable[[str], str]) -> bool:
    """Return whether cells mostly differ, or are all the ids, some of them often."""
    judged = cells[:JUDGED]
    return 2 * len(set(judged)) >= len(judged) or set(map(form, cells)) == ids


def likely_key(rows: Rows) -> Sequence[str]:
    """Return the cells of the first column that is named as ids, or whose cells all differ; or nothing."""
    several = rows.columns if len(rows.columns) > 1 and rows.n_units else ()
    named = [rows.columns[column] for column in rows.named("key")]
    return next(iter([*named, *(cells for cells in several[:-1] if len(set(cells)) == rows.n_units)]), ())


def index_column(rows: Rows, n_units: int) -> tuple[int, int]:
    """Return the column that numbers items from 0 or 1, and that first number; (-1, 0) if there is none."""
    for column, cells in enumerate(rows.columns if len(rows.columns) > 1 else ()):
        if cells and whole_number(cells[0].strip()) is None:
            continue
        numbers = [whole_number(cell.strip()) for cell in cells]
        known = {number for number in numbers if number is not None}
        if len(known) == len(numbers) == rows.n_units and known and (0 in known or 1 in known):
            first = 0 if 0 in known else 1
            if max(known) < n_units + first:
                return column, first
    return -1, 0


def output_answer(
    rows: Rows, key: Collection[int], kind: str, classes: Sequence[str], gold: Named, repeats: Callable[[int], bool]
) -> tuple[int, list[str]]:
    """Return the column of an output's answers, and a note if another one fits as well.

    It is the column chosen by the user, the one named as predictions, the one named as in the ``gold``, or the one that
    fits best: where the gold has it, else the last of them, of numbers the first. Another one that fits is read where
    this one ``repeats`` the gold.
    """
    if rows.answer is not None:
        return rows.answer, []
    predicted = [column for column in range(len(rows.header)) if rows.name_of(column) in PREDICTED]
    same = [column for column in range(len(rows.header)) if gold.name and rows.name_of(column) == gold.name]
    left = [column for column in range(len(rows.columns)) if column not in key] or [len(rows.columns) - 1]
    fits = {column: _fit(rows.columns[column], kind, classes) for column in left}
    named = [column for column in (*predicted, *same, *rows.named("answer")) if column in left]
    place = gold.column if len(rows.columns) == gold.n_columns else -1
    later = -1 if kind == "Numbers" else 1
    best = named[0] if named else max(left, key=lambda column: (fits[column], column == place, later * column))
    others = _others(rows, (*key, best), kind, classes) if best not in predicted else []
    own = [column for column in others if not repeats(column)] if others and repeats(best) else []
    if own:
        note, *_ = _choice(rows, own[0], [best])
        return own[0], [f"column {best + 1} repeats the gold: {note}"]
    least = min(fits[best], NEARLY_ALL) if named else fits[best]
    likely = {*named, *(left if classes else named or others)} - {best}
    equal = [column for column in sorted(likely) if fits[column] >= least] if least or not classes else []
    return best, _choice(rows, best, equal)


def _others(rows: Rows, taken: Sequence[int], kind: str, classes: Sequence[str]) -> list[int]:
    """Return the columns that can be an output's answers beside those ``taken``, later ones first."""
    left = [column for column in _left(rows, ("text", "document", "domain")) if column not in taken]
    if kind in ("Strings", "Transcripts", "Texts"):
        left = [column for column in left if not suits(rows.columns[column], "Numbers")]
    else:
        left = [column for column in left if _fit(rows.columns[column], kind, classes) >= MOSTLY]
    return left[::-1]


def _fit(cells: Sequence[str], kind: str, classes: Sequence[str]) -> float:
    """Return the share of the first cells that can be an answer of a kind."""
    judged = [cell.strip() for cell in cells[:JUDGED]]
    if kind == "Numbers":
        fitting = [is_like_number(cell) for cell in judged if not is_missing(cell)]
    elif kind == "Labels":
        folded = {label.casefold() for label in classes}
        fitting = [cell.casefold() in folded for cell in judged]
    else:
        fitting = [kind == "Label sets" and cell.startswith(LABEL_MARK) for cell in cells[:JUDGED]]
    return sum(fitting) / max(len(fitting), 1)
