"""Numbers of things in words."""

from __future__ import annotations


def count(number: int, thing: str) -> str:
    """A number of things in words: 1 pair, 2 pairs."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
