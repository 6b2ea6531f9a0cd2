"""HTML shared by all drawings: escaped elements, headings, legends and the frame; it is also well-formed XML."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from nlpsig_core.data.drawings.style import STYLE

GOLD = "gold"
NO_OUTPUT = "no valid output"
RIGHT_TO_LEFT = ("R", "AL")
# Characters that XML 1.0 and HTML forbid, even escaped.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def element(kind: str, *content: str, tag: str = "div", **attributes: str) -> str:
    """An element of the CSS class ``kind`` around HTML content; attributes are escaped, empty ones omitted."""
    given = {"class": kind, **attributes}
    written = "".join(f' {name}="{escape(value)}"' for name, value in given.items() if value)
    return f"<{tag}{written}>{''.join(content)}</{tag}>"


def span(kind: str, text: str, **attributes: str) -> str:
    """A span of plain text, which is escaped."""
    return element(kind, escape(text), tag="span", **attributes)


def escape(text: str) -> str:
    """Plain text escaped for HTML content and attributes; forbidden characters become the replacement character."""
    return html.escape(FORBIDDEN.sub("\ufffd", text), quote=True)


def head(name: str, summary: str = "", number: int = 0, style: str = "") -> str:
    """The line above an output: its name, a summary, and the number by which marks elsewhere refer to it."""
    parts = [badge(number), " "] if number else []
    parts += [element("", element("", escape(name), tag="bdi"), tag="b")]
    parts += [" ", span("summary", summary)] if summary else []
    return element("head", *parts, style=style)


def badge(number: int, title: str = "") -> str:
    """The number of an output in a circle."""
    return span("number", str(number), title=title)


def missed_by(numbers: Iterable[int], names: Iterable[str]) -> str:
    """The mark of something that outputs have missed: a cross and their numbers; empty without outputs."""
    badges = "".join(map(badge, numbers))
    return element("missed", "✗", badges, tag="span", title=f"missed by {', '.join(names)}") if badges else ""


MISSED = (missed_by((1,), ("the system with that number",)), "missed by the system with that number")


def frame(*body: str, legend: Iterable[tuple[str, str]] = (), right_to_left: bool = False, note: str = "") -> str:
    """The whole drawing: a note, the body, and a legend of (HTML of the mark, explanation)."""
    noted = [element("note", span("", note))] if note else []
    parts = [f"<style>{STYLE}</style>", element("body", *noted, *body, dir="rtl" if right_to_left else "ltr")]
    items = [element("sample", mark, tag="span") + escape(f" {text}") for mark, text in legend]
    parts += [element("legend", *(element("item", item, tag="span") for item in items))] if items else []
    return element("unit-drawing", *parts)


def scrolling(*body: str, label: str) -> str:
    """A box that scrolls sideways if its content is too wide, also by keyboard."""
    return element("wide", *body, tabindex="0", role="region", **{"aria-label": label})


def reads_right_to_left(words: Iterable[str]) -> bool:
    """Whether most letters belong to right-to-left scripts."""
    kinds = Counter(unicodedata.bidirectional(character) for word in words for character in word)
    return sum(kinds[kind] for kind in RIGHT_TO_LEFT) > kinds["L"]


def several(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 word", "2 words"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(*parts: str) -> str:
    """The non-empty parts, joined by centred dots."""
    return " · ".join(filter(None, parts))
