"""Names for contents and structures: what the keys of every cache are made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping


def digest(data: bytes) -> str:
    """A name for a content: SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of(*structure: object) -> str:
    """A name for a structure of text, numbers, None, sequences and mappings: another for every other one.

    Tuples and lists are alike, and so are mappings in another order. Raises TypeError for anything else.
    """
    return digest(json.dumps(_plain(structure), sort_keys=True).encode())


def _plain(part: object) -> object:
    """The same in JSON's own types; JSON would take a number that is a key for its text."""
    if isinstance(part, Mapping):
        if strange := [key for key in part if not isinstance(key, str)]:
            raise TypeError(f"a key of a mapping is {strange[0]!r}, not a text")
        return {key: _plain(value) for key, value in part.items()}
    return [_plain(inner) for inner in part] if isinstance(part, tuple | list) else part
