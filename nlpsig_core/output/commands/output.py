"""Output of commands: tables on standard output, notes and progress on standard error."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict
from typing import Any

import pandas as pd

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.base.runtime import over_progress
from nlpsig_core.base.words import one_line
from nlpsig_core.output.report.export import without_bounds

# Columns of whole numbers that are floats, since they are empty in some rows or may be huge.
WHOLE = ("needed", "units", "units_low", "units_high", "worst_size", "lost", "won")
# How notes are worded, and how messages name files.
_WORDED: ContextVar[Callable[[str], str]] = ContextVar("_WORDED", default=str)
_NAMED: ContextVar[Callable[[str], str]] = ContextVar("_NAMED", default=str)


def note(*texts: str) -> None:
    """Print each text as a note on standard error, "" as none."""
    for text in filter(None, texts):
        print(f"{over_progress()}note: {_NAMED.get()(_WORDED.get()(text))}", file=sys.stderr)


@contextmanager
def worded(by: Callable[[str], str]) -> Iterator[None]:
    """Print what this function makes of each note, and raise errors with what it makes of their messages."""
    token = _WORDED.set(by)
    try:
        yield
    except NlpsigError as error:
        error.args = (_NAMED.get()(by(str(error))),)
        raise
    finally:
        _WORDED.reset(token)


@contextmanager
def named(by: Callable[[str], str]) -> Iterator[None]:
    """Name files as this function does in all notes and errors, however they are worded."""
    token = _NAMED.set(by)
    try:
        with worded(str):
            yield
    finally:
        _NAMED.reset(token)


def sign(signature: str) -> None:
    """Print the signature of the results on standard error."""
    print(f"{over_progress()}signature: {signature}", file=sys.stderr)


def progress(what: str = "resampling") -> Callable[[float, object], None] | None:
    """Return a progress line on standard error, if that is a terminal that can clear lines; else None."""
    if not over_progress():
        return None

    def show(done: float, of: object) -> None:
        share = done / of if isinstance(of, int) else done
        print(f"{over_progress()}{what} {share:4.0%}", end="\r" if share >= 1 else "", file=sys.stderr, flush=True)

    return show


def write(table: pd.DataFrame, form: str) -> None:
    """Print a table as "json", or as tab-separated values with six decimals (p-values in full); no number is -0."""
    table = without_bounds(table)
    if form == "json":
        print(table.to_json(orient="records", double_precision=15, indent=1))
        return
    print("\t".join(_text(str(column)) for column in table.columns))
    forms = [_form(str(column)) for column in table.columns]
    for row in table.itertuples(index=False):
        print("\t".join(_cell(value, form) for value, form in zip(row, forms, strict=True)))


def write_object(result: Any) -> None:
    """Print a dataclass as JSON, with its fields by name; NaN is null."""
    print(json.dumps(_with_nulls(asdict(result)), ensure_ascii=False, indent=1, allow_nan=False))


def _with_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_nulls(of) for name, of in value.items()}
    if isinstance(value, list | tuple):
        return [_with_nulls(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _form(column: str) -> str:
    """Return the form of a column's numbers; "" for all digits."""
    if column in WHOLE:
        return ".0f"
    return "" if column.partition("_")[0] == "p" else "z.6f"


def _cell(value: object, form: str) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:{form}}" if form else repr(float(value))
    return _text(str(value))


def _text(text: str) -> str:
    """Return a text as a cell: as it is, or as a JSON string of ASCII if it has a tab or a line break."""
    return json.dumps(text) if "\t" in text or one_line(text) != text else text
