"""Rows of JSON: one object or value a line, a list, or an object with an answer for each item or with a list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.rows import NAMES, Rows, plain_name
from nlpsig_core.data.readers.logs.json_values import parsed

# In a cell with several labels (a list of JSON), this stands before each of them.
LABEL_MARK = "\x1f"
# Fields of an object that is one item.
IDS = frozenset(("id", "uid", "guid", "qid", "idx", "item_id"))
# Fields of an answer that is part of a text, and where it starts.
PART_OF_TEXT = frozenset(("text", "answer_start"))
# The beginning of an object, or of a list that is not a word in brackets.
BEGINNING = re.compile(r'\s*(?:\{\s*["}]|\[\s*(?:["\[{\]]|(?:-?[0-9]|true|false|null)[^\n]*[\],]\s*(?:\n|$)))')


def marked(labels: Iterable[str]) -> str:
    """Return the cell of several labels."""
    return "".join(f"{LABEL_MARK}{label}" for label in labels) or LABEL_MARK


def labels_in(cell: str) -> list[str]:
    """Return the labels of a marked cell; none of another one."""
    return cell.split(LABEL_MARK)[1:] if cell != LABEL_MARK else []


def alternatives(cell: str) -> list[str]:
    """Return the texts of a marked cell, of another one the cell."""
    return cell.removeprefix(LABEL_MARK).split(LABEL_MARK)


def looks_like_json(text: str) -> bool:
    """Return whether a text begins with a list or an object of JSON."""
    return bool(BEGINNING.match(text))


def json_rows(text: str, name: str) -> Rows:
    """Return the rows of a text in JSON; FileError if it is damaged, empty or nested deeply."""
    filled = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        values = _values_of_lines(filled, name) if len(filled) > 1 else []
        lines = [number for number, _ in filled]
        if not values:
            values = _values_of_whole(text, name)
            # A value a line, between the lines of the brackets.
            lines = lines[1:-1] if len(lines) == len(values) + 2 else [1] * len(values)
        if not values:
            raise FileError(name, None, "no answer; the list or object of JSON is empty")
        header, columns = _columns(values)
    except RecursionError:
        raise FileError(name, None, "nested too deeply; give each item one answer") from None
    return Rows(name=name, columns=columns, lines=np.array(lines), header=header)


def _values_of_lines(filled: Sequence[tuple[int, str]], name: str) -> list[Any]:
    """Return the value of each line, or nothing if the first line is no whole value; FileError for a damaged one."""
    values: list[Any] = []
    for number, line in filled:
        try:
            values.append(parsed(line.encode()))
        except ValueError as error:
            if not values:
                return []
            raise FileError(name, number, f"not a value of JSON ({error})") from None
    return values


def _values_of_whole(text: str, name: str) -> list[Any]:
    try:
        value = parsed(text.encode())
    except ValueError as error:
        raise FileError(name, None, f"not JSON ({error}); give one object per line, a list, or one object") from None
    if not isinstance(value, dict) or any(name.lower() in IDS for name in value):
        return value if isinstance(value, list) else [value]
    inside = [each for each in value.values() if isinstance(each, list | dict)]
    if len(inside) == 1 and isinstance(inside[0], list) and all(isinstance(each, dict) for each in inside[0]):
        return _questions(inside[0])
    return [{"id": key} | (each if isinstance(each, dict) else {"answer": each}) for key, each in value.items()]


def _questions(values: list[Any]) -> list[Any]:
    """Return the questions on the paragraphs of articles, as SQuAD has them, with titles; other values as they are."""
    questions = [
        {"document": article.get("title")} | question
        for article in values
        for paragraph in _objects(article.get("paragraphs"))
        for question in _objects(paragraph.get("qas"))
    ]
    return questions or values


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _columns(values: Sequence[Any]) -> tuple[tuple[str, ...], tuple[list[str], ...]]:
    """Return the names and cells of the fields of objects, or of the places of lists; else one column of values."""
    if all(isinstance(value, dict) for value in values):
        values = list(map(_with_plain_answers, values))
        names = tuple(dict.fromkeys(chain.from_iterable(values)))
        return names, tuple([_cell(value.get(name)) for value in values] for name in names)
    lists = all(isinstance(value, list) for value in values)
    # Cells of a row have different types, several labels have one.
    if lists and len({*map(len, values)}) == 1 and any(len({*map(type, value)}) > 1 for value in values):
        return (), tuple([_cell(cell) for cell in column] for column in zip(*values, strict=True))
    return (), ([_cell(value) for value in values],)


def _with_plain_answers(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an object, where the answer inside an answer that is an object takes its place."""
    plain = dict(fields)
    for name, value in fields.items():
        if isinstance(value, dict) and plain_name(name) in NAMES["answer"]:
            inside = {plain_name(own): answer for own, answer in value.items()}
            plain[name] = next((inside[own] for own in NAMES["answer"] if own in inside), value)
    return plain


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and value.keys() <= PART_OF_TEXT and isinstance(value.get("text"), list):
        value = value["text"]
    if isinstance(value, list):
        parts = all(isinstance(each, dict) and each.keys() == PART_OF_TEXT for each in value)
        return marked(_scalar(each["text"] if parts else each) for each in value)
    return _scalar(value)


def _scalar(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)
