"""Signatures: one line that says how a result was made."""

from __future__ import annotations


def line(parts: dict) -> str:
    """A signature of parts by name."""
    return "|".join(f"{key}:{str(value).replace('|', '/')}" for key, value in parts.items())
