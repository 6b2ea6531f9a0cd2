"""Users' names as plain text, and shares in percent."""

from __future__ import annotations

import re

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|$:<>~])")


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text)


def share(value: float) -> str:
    """A share in percent, or a dash where there is none."""
    return "–" if value != value else f"{value:.0%}" if value < 0.995 or value == 1 else f"{value:.1%}"


def capital(text: str) -> str:
    """The text with its first letter a capital, the others as they are."""
    return text[:1].upper() + text[1:]
