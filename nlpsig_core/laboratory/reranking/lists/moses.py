"""Lines of n-best lists as Moses and many other translators write them: unit, text, features and score between bars."""

from __future__ import annotations

from typing import Any

from nlpsig_core.base.errors import FileError

BARS = "|||"
FIELDS = ("unit", "text", "features", "score")


def row_of(line: str, number: int, name: str) -> dict[str, Any]:
    """Return a line as the object that a line of JSON would hold; further fields, such as alignments, are left out.

    Features have names that end in "=" or ":" before their numbers, which are counted from 1 if there are several.
    FileError if fields lack or a number is none.
    """
    fields = [field.strip() for field in line.split(BARS)]
    if len(fields) < len(FIELDS):
        raise FileError(name, number, f"{len(fields)} fields where {f' {BARS} '.join(FIELDS)} are expected")
    unit, text, features, score, *_ = fields
    named: dict[str, list[float]] = {}
    current = "feature"
    for word in features.split():
        feature, mark, value = word.rpartition("=") if "=" in word or word[-1] != ":" else (word[:-1], ":", "")
        if mark:
            current = feature
        if value:
            named.setdefault(current, []).append(_number(value, current, number, name))
    numbers = {
        of if len(values) == 1 else f"{of}_{place}": value
        for of, values in named.items()
        for place, value in enumerate(values, start=1)
    }
    return {"id": unit, "text": text, "features": numbers, "score": _number(score, "score", number, name)}


def _number(text: str, what: str, line: int, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise FileError(name, line, f"{what} is {text[:40]!r}, no number") from None
