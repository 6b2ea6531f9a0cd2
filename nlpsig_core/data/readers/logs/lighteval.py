"""Details of lighteval: MODEL/DATE/details_TASK_DATE.parquet, one answer a row; needs pyarrow."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.extras import missing
from nlpsig_core.data.readers.logs.evaluations import About, Fault, Load, LogFormat, Question, Sample, Samples
from nlpsig_core.data.readers.logs.json_values import digest_of_json, first_text, mapping
from nlpsig_core.data.readers.logs.lm_eval import DATE

DETAILS = re.compile(rf"details_(?P<task>.+)_(?P<date>{DATE})\.parquet")
# Columns with the scores, the question and the response, in releases from 0.10 on and before.
METRIC, DOC, RESPONSE = (
    ("metric", "__metric__", "metrics"),
    ("doc", "__doc__"),
    ("model_response", "__model_response__"),
)
OF_DOC = ("example", "full_prompt", "gold", "choices", "gold_index", "specifics", "predictions")
# The most that the columns may take unpacked, in times the size of the file.
MOST_UNPACKED = 200
# The most characters of a column that holds the text of a mapping.
MOST_OF_A_TEXT = 100_000


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Return whether the file is named as lighteval names its details."""
    return DETAILS.fullmatch(PurePosixPath(path).name) is not None


def logs(load: Load, path: str, beside: bytes | None) -> Iterator[tuple[About, Samples]]:
    """Yield the log of a file: task and date from its name, the model from the folders above the date."""
    parts = DETAILS.fullmatch(PurePosixPath(path).name)
    if parts is None:
        raise FileError(path, None, "not named details_TASK_DATE.parquet as lighteval names its details")
    rows = _rows(load(), path)
    yield About(task=parts["task"], model=_model(path), made=parts["date"]), partial(_samples, rows)


def _model(path: str) -> str:
    """Return OWNER/MODEL of the path details/OWNER/MODEL/DATE/FILE, or MODEL of details/MODEL/DATE/FILE."""
    folders = [part for part in PurePosixPath(path).parts[:-1] if not re.fullmatch(DATE, part)]
    below = folders[folders.index("details") + 1 :] if "details" in folders else folders[-1:]
    return "/".join(below[-2:]) or "model"


def _rows(data: bytes, path: str) -> list[dict[str, Any]]:
    """Return the rows of a parquet file, with the columns that are used; FileError if it cannot be read."""
    if reason := missing("parquet", "a parquet file"):
        raise FileError(path, None, reason)
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        names = [name for name in file.schema_arrow.names if name in (*METRIC, *DOC, *RESPONSE, *OF_DOC)]
        groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
        unpacked = sum(group.total_byte_size for group in groups)
        if unpacked <= MOST_UNPACKED * len(data):
            rows: list[dict[str, Any]] = file.read(columns=names).to_pylist()
            return rows
    except Exception as error:  # a damaged file can raise almost anything
        raise FileError(path, None, f"not a readable parquet file ({error or type(error).__name__})") from None
    raise FileError(path, None, f"unpacks to more than {MOST_UNPACKED} times its size")


def _part(row: Mapping[str, Any], names: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the first of these columns, a mapping, or the text of one where nesting could not be written."""
    value = next((row[name] for name in names if row.get(name) is not None), None)
    if isinstance(value, str) and len(value) < MOST_OF_A_TEXT:
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return {}
    return mapping(value)


def _samples(rows: list[dict[str, Any]], fault: Fault) -> Iterator[Sample]:
    for number, row in enumerate(rows, 1):
        # Where rows have different metrics, parquet has gaps for the others.
        if scores := {str(name): value for name, value in _part(row, METRIC).items() if value is not None}:
            yield _sample(number, row, scores)
        else:
            fault(number, "a row without metrics, so left out")


def _sample(number: int, row: Mapping[str, Any], scores: Mapping[str, Any]) -> Sample:
    doc = _part(row, DOC) or {"query": row.get("example") or row.get("full_prompt"), **row}
    response = first_text(_part(row, RESPONSE).get("text") or row.get("predictions"))
    query, choices = first_text(doc.get("query")), tuple(map(str, _listed(doc.get("choices"))))
    right = [choices[i] for i in _listed(doc.get("gold_index")) if isinstance(i, int) and 0 <= i < len(choices)]
    name = str(doc.get("id") or number)
    return Sample(
        line=number,
        name=name,
        content=digest_of_json([query, choices]),
        question=partial(Question, query, ", ".join(right) or first_text(doc.get("gold")), choices),
        fields=mapping(doc.get("specific") or doc.get("specifics")),
        scores=scores,
        answer=response,
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


LIGHTEVAL = LogFormat(name="lighteval", endings=(".parquet",), recognises=recognises, logs=logs, whole=True)
