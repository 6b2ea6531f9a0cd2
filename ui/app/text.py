"""Users' names and texts as plain text."""

from __future__ import annotations

import re

from nlpsig_core.base.words import printable

# Characters that are shown of a text that should have been short, such as a choice in a link.
SHOWN = 120
SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|$:<>~])")


def plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text)


def cut(text: str) -> str:
    """Return the beginning of a long text, in one line."""
    line = printable(text)
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
