"""Digests of contents and structures, which are the keys of every cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping


def digest(data: bytes) -> str:
    """Return the SHA-256 of some content in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of(*structure: object) -> str:
    """Return the digest of a structure of texts, numbers, None, sequences and mappings; different structures differ.

    Tuples equal lists, and the order of mappings does not matter. Raises TypeError for anything else.
    """
    return digest(json.dumps(_plain(structure), sort_keys=True).encode())


def _plain(value: object) -> object:
    """Return the value in JSON's own types; JSON would not distinguish a number as a key from its text."""
    if isinstance(value, Mapping):
        if invalid := [key for key in value if not isinstance(key, str)]:
            raise TypeError(f"a key of a mapping is {invalid[0]!r}, not a text")
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, tuple | list) else value
