"""Users' names as plain text."""

from __future__ import annotations

import re

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|$:<>~])")


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text)


def capital(text: str) -> str:
    """The text with its first letter a capital, the others as they are."""
    return text[:1].upper() + text[1:]
