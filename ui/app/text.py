"""Users' names and texts as plain text."""

from __future__ import annotations

import re

# Characters that are shown of a text that should have been short, such as a choice in a link.
SHOWN = 120
SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|$:<>~])")


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text)


def cut(text: str) -> str:
    """The beginning of a long text, with its control characters and other oddities visible."""
    shown = text if text.isprintable() else text.encode("unicode_escape").decode()
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
