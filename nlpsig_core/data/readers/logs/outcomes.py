"""Outcomes in a table: a row for each instance, or each model and instance, as TSV, CSV, JSONL or a list of JSON."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.evaluations import (
    About,
    Fault,
    Load,
    LogFormat,
    Question,
    Sample,
    Samples,
    attempts,
    score_of,
)
from nlpsig_core.data.readers.logs.json_values import mapping, objects_of_lines, parsed
from nlpsig_core.data.readers.logs.names import PLAIN, TASK, lower_is_better, task_and_model
from nlpsig_core.data.readers.tables.scores import is_missing, is_number
from nlpsig_core.data.readers.tables.spreadsheets import read_spreadsheet

# The metric of outcomes, whatever a column calls it.
SOLVED = "solved"
# Names of columns by what they hold, the most likely ones first; compared in lower case, with _ for other signs.
NAMES = {
    what: tuple(names.split())
    for what, names in {
        "outcome": "resolved solved is_resolved is_solved pass1 pass_1 passed correct is_correct success",
        "unit": "instance_id instance example_id problem_id question_id task_id sample_id item_id doc_id problem "
        "example item unit id uid idx index question",
        "model": "model model_name model_id model_name_or_path system system_name system_id agent",
        "task": "benchmark_id benchmark benchmark_name dataset test_set evaluation_name eval_name task_name task",
        "run": "attempt attempt_id trial epoch run run_id sample_index sample repetition rollout seed completion_id",
        "text": "question prompt problem_statement problem input text",
    }.items()
}
# Columns with a number for each instance that is not an outcome, where a higher one is better.
HIGHER = frozenset(("accuracy", "acc"))
# Outcomes as words.
WORDS = dict.fromkeys(("true", "yes", "pass", "passed"), 1.0) | dict.fromkeys(("false", "no", "fail", "failed"), 0.0)
# Pass@k is offered for these k, up to the least number of attempts at an instance.
ATTEMPTS = (*range(1, 11), 16, 20, 25, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000)


class Columns(NamedTuple):
    """The names of the columns by what they hold, "" for none, and those of further metrics."""

    outcome: str
    unit: str
    model: str
    task: str
    run: str
    text: str
    metrics: tuple[str, ...]


class Row(NamedTuple):
    """The line of a row, and its cells by column: texts, or values of JSON."""

    line: int
    cells: Mapping[str, Any]


def columns_of(header: Iterable[str]) -> Columns | None:
    """Return the columns of a table of outcomes; None if it has no outcome or names no instances.

    A table of several models may have further metrics alone.
    """
    plain = {_plain(name): name for name in header}
    found: dict[str, str] = {}
    for what, names in NAMES.items():
        taken = found.values()
        found[what] = next((plain[name] for name in names if name in plain and plain[name] not in taken), "")
    others = [name for name in plain.values() if name not in found.values()]
    metrics = tuple(name for name in others if _plain(name) in HIGHER or lower_is_better(name))
    has_score = found["outcome"] or any(_plain(name) in HIGHER or found["model"] for name in metrics)
    return Columns(**found, metrics=metrics) if has_score and found["unit"] else None


def _plain(name: str) -> str:
    return "".join(sign if sign.isalnum() else "_" for sign in name.strip().lower()).strip("_")


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Return whether the first row of a file has an outcome and the name of an instance."""
    start = head(path)
    row = _first_row(start) if start.lstrip()[:1] in ("{", "[") else _first_cells(start)
    columns = columns_of(row)
    if columns is None:
        return False
    value, score = (row[columns.outcome], _outcome) if columns.outcome else (row[columns.metrics[0]], _number)
    return value is None or score(value) is not None or (isinstance(value, str) and is_missing(value))


def _first_row(start: str) -> Mapping[str, Any]:
    """Return the first object of a list or of lines of JSON; {} if there is none."""
    import json

    try:
        return mapping(json.JSONDecoder().raw_decode(start.lstrip(" \n[\t"))[0])
    except (ValueError, RecursionError):
        return {}


def _first_cells(start: str) -> Mapping[str, Any]:
    header, _, rest = start.partition("\n")
    separator = "\t" if "\t" in header else max(",;", key=header.count)
    try:
        rows = list(csv.reader([header, *rest.split("\n")[:1]], delimiter=separator))
    except csv.Error:
        return {}
    return dict(zip(rows[0], rows[1], strict=False)) if len(rows) == 2 else {}


def _outcome(value: Any) -> float | None:
    """Return an outcome from 0 to 1, of a number, a truth value or a word; None for anything else."""
    if isinstance(value, str):
        value = value.strip().lower()
        value = WORDS.get(value, float(value) if is_number(value) else None)
    score = score_of(value)
    return score if score is not None and 0 <= score <= 1 else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, str) and is_number(value) else score_of(value)


def logs(load: Load, path: str, beside: bytes | None) -> Iterator[tuple[About, Samples]]:
    """Yield a log for each model and benchmark that the rows name; FileError if a file has no outcomes."""
    faults: list[tuple[int, str]] = []
    rows = list(_rows(load(), path, faults))
    columns = columns_of(dict.fromkeys(name for row in rows for name in row.cells))
    if columns is None:
        raise FileError(path, None, "no columns with outcomes (resolved, solved, passed) and names of instances")
    groups: dict[tuple[str, str], list[Row]] = {}
    task, model = task_and_model(path)
    stem = PurePosixPath(path).stem
    task = task if not columns.model else TASK if stem.lower() in PLAIN else stem
    for row in rows:
        key = _text(row, columns.task) or task, _text(row, columns.model) or model
        groups.setdefault(key, []).append(row)
    del rows
    for task, model in list(groups):
        own = groups.pop((task, model))
        yield _about(task, model, own, columns), partial(_samples, own, columns, faults)
        faults = []


def _rows(data: bytes, path: str, faults: list[tuple[int, str]]) -> Iterator[Row]:
    """Yield the rows of a file; lines that are no objects are ``faults``."""
    start = data.lstrip()[:1]
    if start == b"[":
        try:
            values = parsed(data)
        except ValueError as error:
            raise FileError(path, None, f"damaged, not JSON ({error})") from None
        yield from (Row(number, value) for number, value in enumerate(values, 1) if isinstance(value, dict))
    elif start == b"{":
        yield from starmap(Row, objects_of_lines(data, lambda line, reason: faults.append((line, reason))))
    else:
        text = io.StringIO(data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n"))
        sheet = read_spreadsheet(text, path)
        for line, *cells in zip(sheet.lines, *sheet.columns.values(), strict=True):
            yield Row(line, dict(zip(sheet.columns, cells, strict=True)))


def _text(row: Row, column: str) -> str:
    value = row.cells.get(column) if column else None
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()


def _samples(
    rows: Sequence[Row], columns: Columns, faults: Sequence[tuple[int, str]], fault: Fault
) -> Iterator[Sample]:
    """Yield the sample of each row; repeated rows of an instance are attempts, which are numbered if no column is."""
    for line, reason in faults:
        fault(line, reason)
    names = [_text(row, columns.unit) for row in rows]
    runs = [_text(row, columns.run) for row in rows] if columns.run else attempts(names)
    for row, name, run in zip(rows, names, runs, strict=True):
        sample = _sample(row, name, run, columns)
        given = row.cells.get(columns.outcome) if columns.outcome else None
        if SOLVED not in sample.scores and given is not None and not is_missing(str(given)):
            reason = f"{columns.outcome} is {str(given)[:40]!r}, neither true or false nor from 0 to 1; no outcome"
            fault(row.line, reason)
        if name:
            yield sample
        else:
            fault(row.line, f"no name of an instance in the column {columns.unit}; the row is left out")


def _sample(row: Row, name: str, run: str, columns: Columns) -> Sample:
    outcome = _outcome(row.cells.get(columns.outcome)) if columns.outcome else None
    scores = {} if outcome is None else {SOLVED: outcome}
    scores |= {m: number for m in columns.metrics if (number := _number(row.cells.get(m))) is not None}
    known = {*columns.metrics, *columns[:-1]}
    return Sample(
        line=row.line,
        name=name,
        run=run,
        content=b"",
        prompt="",
        question=partial(Question, _text(row, columns.text), ""),
        fields={field.lower(): value for field, value in row.cells.items() if field not in known},
        scores=scores,
    )


def _about(task: str, model: str, rows: Sequence[Row], columns: Columns) -> About:
    passes = _passes(rows, columns)
    return About(
        task=task,
        model=model,
        made="",
        lower=frozenset(filter(lower_is_better, columns.metrics)),
        percent=frozenset((SOLVED, *passes)),
        reduced=passes,
    )


def _passes(rows: Sequence[Row], columns: Columns) -> dict[str, tuple[str, str]]:
    """Return pass@k for each k of ATTEMPTS up to the least number of attempts at an instance; {} for shares."""
    outcomes = [_outcome(row.cells.get(columns.outcome)) for row in rows]
    attempts = Counter(_text(row, columns.unit) for row, o in zip(rows, outcomes, strict=True) if o is not None)
    least = min(attempts.values(), default=0) if all(o in (0, 1, None) for o in outcomes) else 0
    return {f"pass@{k}": (SOLVED, f"pass_at_{k}") for k in ATTEMPTS if k <= least}


OUTCOMES = LogFormat(
    name="outcomes",
    endings=(".tsv", ".csv", ".jsonl", ".json"),
    recognises=recognises,
    logs=logs,
    not_beside_gold=True,
    whole=True,
)
