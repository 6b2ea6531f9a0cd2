"""Values of JSON as harnesses write them."""

from __future__ import annotations

import json
from collections.abc import Mapping
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


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def digest_of_json(value: Any) -> bytes:
    """Return a short digest of a value of JSON."""
    import orjson

    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # whole numbers of more than 64 bits
        text = json.dumps(value, sort_keys=True).encode()
    return blake2b(text, digest_size=8).digest()
