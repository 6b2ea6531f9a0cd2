"""Users' names as plain text."""

from __future__ import annotations

import re

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|$:<>~])")


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text)
