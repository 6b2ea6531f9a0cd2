"""Outcomes in a table: a row for each instance, or each model and instance, as TSV, CSV, JSONL or a list of JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from typing import Any, NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.evaluations import (
    SOLVED,
    About,
    Fault,
    Load,
    LogFormat,
    Question,
    Sample,
    Samples,
    attempts,
    not_an_outcome,
    outcome_of,
    score_of,
)
from nlpsig_core.data.readers.logs.json_values import mapping, objects_of_lines, parsed
from nlpsig_core.data.readers.logs.names import TASK, is_plain, lower_is_better, task_and_model
from nlpsig_core.data.readers.separated import Table, read_spreadsheet
from nlpsig_core.data.readers.tables.scores import is_missing, is_number, with_plain_numbers

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
# Columns whose values tell instances of the same name apart.
DOMAINS = ("subject", "category", "domain", "repository", "repo", "subset", "topic")
REPEATED = "instances have several rows and no column numbers attempts, so each row is an attempt"
# The characters that the first row of a file may have.
LONGEST_ROW = 1_000_000


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
    if not found["unit"]:
        # Without instances, tasks are these, not benchmarks.
        found |= {"unit": found["task"], "task": ""}
    others = [name for name in plain.values() if name not in found.values()]
    metrics = tuple(name for name in others if _plain(name) in HIGHER or lower_is_better(name))
    has_score = found["outcome"] or any(_plain(name) in HIGHER or found["model"] for name in metrics)
    return Columns(**found, metrics=metrics) if has_score and found["unit"] else None


def _plain(name: str) -> str:
    return "".join(sign if sign.isalnum() else "_" for sign in name.strip().lower()).strip("_")


def recognises(path: str, head: Callable[..., str]) -> bool:
    """Return whether the first row of a file has an outcome and the name of an instance."""
    return _begins_with_outcome(head(path)) or _begins_with_outcome(head(path, LONGEST_ROW))


def _begins_with_outcome(start: str) -> bool:
    row = _first_object(start) if start.lstrip()[:1] in ("{", "[") else _first_cells(start)
    columns = columns_of(row)
    if columns is None:
        return False
    value, score = (row[columns.outcome], outcome_of) if columns.outcome else (row[columns.metrics[0]], _number)
    return value is None or score(value) is not None or (isinstance(value, str) and is_missing(value))


def _first_object(start: str) -> Mapping[str, Any]:
    """Return the first object of a list or of lines of JSON; {} if there is none, or not its end."""
    import json

    try:
        return mapping(json.JSONDecoder().raw_decode(start.lstrip(" \n[\t"))[0])
    except (ValueError, RecursionError):
        return {}


def _first_cells(start: str) -> Mapping[str, Any]:
    try:
        sheet = _with_points(read_spreadsheet(start, "", most=1))
    except FileError:
        return {}
    return {name: cell for name, (cell,) in sheet.columns.items()}


def _with_points(sheet: Table) -> Table:
    """Return a spreadsheet without commas in the numbers of outcomes and metrics."""
    if not (columns := columns_of(sheet.columns)):
        return sheet
    return with_plain_numbers(sheet, *([name] for name in (columns.outcome, *columns.metrics) if name))


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
    task, model, owner = _place(path, {_text(row, columns.model) for row in rows} - {""})
    for row in rows:
        named = _text(row, columns.model)
        key = _text(row, columns.task), f"{owner}{named}" if named else model
        groups.setdefault(key, []).append(row)
    del rows
    domain = _telling_apart(groups, columns)
    for named, model in list(groups):
        own = groups.pop((named, model))
        names = [" ".join(filter(None, (_text(row, domain), _text(row, columns.unit)))) for row in own]
        runs = [_text(row, columns.run) for row in own] if columns.run else _attempts(names)
        about = About(
            task=named or task,
            model=model,
            made="",
            incomplete=REPEATED if any(runs) and not columns.run else "",
            outcome=SOLVED if columns.outcome else "",
            placed=not named,
        )
        yield about, partial(_samples, own, names, runs, columns, faults)
        faults = []


def _attempts(names: Sequence[str]) -> list[str]:
    """Return the number of each row among those of its instance; "" for all where most instances have one row."""
    several = sum(number > 1 for number in Counter(names).values())
    return attempts(names) if 2 * several >= len(set(names)) else [""] * len(names)


def _place(path: str, models: set[str]) -> tuple[str, str, str]:
    """Return the task and the model that a path names, and what it has before the model that a file names.

    A file of several models is named after its task.
    """
    task, model = task_and_model(path)
    owner, slash, _ = model.rpartition("/")
    if len(models) > 1:
        return TASK if is_plain(model) else model, model, ""
    return task, model, "" if models == {owner} else f"{owner}{slash}"


def _telling_apart(groups: Mapping[tuple[str, str], Sequence[Row]], columns: Columns) -> str:
    """Return the column of domains if some model has equal names of instances in several of them, else ""."""
    first = next(iter(groups.values()))[0].cells
    for domain in (name for name in first if _plain(name) in DOMAINS and name not in columns[:-1]):
        for rows in groups.values():
            names = {(_text(row, columns.unit), _text(row, domain)) for row in rows}
            if len(names) > len({name for name, _ in names}):
                return domain
    return ""


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
        text = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
        sheet = _with_points(read_spreadsheet(text, path))
        for line, *cells in zip(sheet.lines, *sheet.columns.values(), strict=True):
            yield Row(line, dict(zip(sheet.columns, cells, strict=True)))


def _text(row: Row, column: str) -> str:
    value = row.cells.get(column) if column else None
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()


def _samples(
    rows: Sequence[Row],
    names: Sequence[str],
    runs: Sequence[str],
    columns: Columns,
    faults: Sequence[tuple[int, str]],
    fault: Fault,
) -> Iterator[Sample]:
    """Yield the sample of each row, by the name of its instance and the number of the attempt."""
    for line, reason in faults:
        fault(line, reason)
    for row, name, run in zip(rows, names, runs, strict=True):
        sample = _sample(row, name, run, columns)
        if sample.unread:
            fault(row.line, not_an_outcome(columns.outcome, row.cells[columns.outcome]))
        if _text(row, columns.unit):
            yield sample
        else:
            fault(row.line, f"no name of an instance in the column {columns.unit}; the row is left out")


def _sample(row: Row, name: str, run: str, columns: Columns) -> Sample:
    given = row.cells.get(columns.outcome) if columns.outcome else None
    outcome = outcome_of(given)
    scores = {} if outcome is None else {SOLVED: outcome}
    scores |= {m: number for m in columns.metrics if (number := _number(row.cells.get(m))) is not None}
    known = {*columns.metrics, *columns[:-1]}
    return Sample(
        line=row.line,
        name=name,
        run=run,
        question=partial(Question, _text(row, columns.text), ""),
        fields={field.lower(): value for field, value in row.cells.items() if field not in known},
        scores=scores,
        unread=outcome is None and given is not None and not is_missing(str(given)),
    )


OUTCOMES = LogFormat(
    name="outcomes",
    endings=(".tsv", ".csv", ".jsonl", ".json"),
    recognises=recognises,
    logs=logs,
    not_beside_gold=True,
    whole=True,
    unit="instance",
)
