"""Values of JSON as harnesses write them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Any


def parsed(data: bytes) -> Any:
    """Return the value of a text in JSON; ValueError if it is damaged.

    Python's own reader also reads NaN, and halves of characters, which are replaced.
    """
    import orjson

    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            whole = json.dumps(json.loads(data), ensure_ascii=False).encode("utf-8", "replace")
            return json.loads(whole)
        except RecursionError:
            raise ValueError("nested too deeply") from None


def objects_of_lines(data: bytes, fault: Callable[[int, str], None]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the object of each line; ``fault`` is called for damaged lines and for other values."""
    for number, line in enumerate(io.BytesIO(data), 1):
        if not line.strip():
            continue
        try:
            value = parsed(line)
        except ValueError:
            fault(number, "not complete JSON, so left out")
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            fault(number, "not an object of JSON, so left out")


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def text_of(value: Any) -> str:
    """Return the text of a prompt or an answer: a text, or messages and their parts in lists."""
    if isinstance(value, dict):
        return text_of(value.get("content", value.get("text")))
    if isinstance(value, list):
        return "\n\n".join(filter(None, map(text_of, value)))
    return "" if value is None else str(value)


def first_text(value: Any) -> str:
    """Return the first text in nested lists; numbers as text, "" if there is none."""
    while isinstance(value, list) and value:
        value = value[0]
    return "" if value is None or isinstance(value, list | dict) else str(value)


def truths(value: Any) -> dict[str, bool]:
    """Return the truth values of a mapping; {} if it is none."""
    return {str(key): truth for key, truth in mapping(value).items() if isinstance(truth, bool)}


def digest_of_json(value: Any) -> bytes:
    """Return a short digest of a value of JSON."""
    import orjson

    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # whole numbers of more than 64 bits
        text = json.dumps(value, sort_keys=True).encode()
    return blake2b(text, digest_size=8).digest()
