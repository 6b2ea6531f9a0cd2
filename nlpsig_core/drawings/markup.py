"""The HTML that all drawings share: escaped elements, heads, legends and the frame, which is also well-formed XML."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from nlpsig_core.drawings.style import STYLE

GOLD = "gold"
NO_OUTPUT = "no valid output"
RIGHT_TO_LEFT = ("R", "AL")
# Characters that neither XML 1.0 nor HTML allows, however they are written.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def element(kind: str, *content: str, tag: str = "div", **attributes: str) -> str:
    """An element of that CSS class around content that is HTML already; attributes are escaped, empty ones left out."""
    given = {"class": kind, **attributes}
    written = "".join(f' {name}="{escape(value)}"' for name, value in given.items() if value)
    return f"<{tag}{written}>{''.join(content)}</{tag}>"


def span(kind: str, text: str, **attributes: str) -> str:
    """A piece of a line with plain text, which is escaped."""
    return element(kind, escape(text), tag="span", **attributes)


def escape(text: str) -> str:
    """Plain text as it stands in HTML, in attributes too; what no HTML may hold is the replacement character."""
    return html.escape(FORBIDDEN.sub("\ufffd", text), quote=True)


def head(name: str, said: str = "", number: int = 0, style: str = "") -> str:
    """The line above a drawing: whose it is, what is said of it, and the number that marks elsewhere refer to."""
    parts = [badge(number), " "] if number else []
    parts += [element("", element("", escape(name), tag="bdi"), tag="b")]
    parts += [" ", span("said", said)] if said else []
    return element("head", *parts, style=style)


def badge(number: int, title: str = "") -> str:
    """The number of an output in a circle."""
    return span("number", str(number), title=title)


def missed_by(numbers: Iterable[int], names: Iterable[str]) -> str:
    """The mark of what some outputs do not have: a cross and their numbers; nothing where there are none."""
    badges = "".join(map(badge, numbers))
    return element("missed", "✗", badges, tag="span", title=f"missed by {', '.join(names)}") if badges else ""


def frame(*body: str, legend: Iterable[tuple[str, str]] = (), right_to_left: bool = False, note: str = "") -> str:
    """The whole drawing: a note, its parts, then a line that explains marks, given as (HTML of the mark, words)."""
    noted = [element("note", span("", note))] if note else []
    parts = [f"<style>{STYLE}</style>", element("body", *noted, *body, dir="rtl" if right_to_left else "ltr")]
    items = [element("sample", mark, tag="span") + escape(f" {words}") for mark, words in legend]
    parts += [element("legend", *(element("item", item, tag="span") for item in items))] if items else []
    return element("unit-drawing", *parts)


def scrolling(*body: str, label: str) -> str:
    """A box that scrolls sideways where its content is wide, by keyboard as well."""
    return element("wide", *body, tabindex="0", role="region", **{"aria-label": label})


def reads_right_to_left(words: Iterable[str]) -> bool:
    """Whether most of the letters are of a script that is written from right to left."""
    kinds = Counter(unicodedata.bidirectional(character) for word in words for character in word)
    return sum(kinds[kind] for kind in RIGHT_TO_LEFT) > kinds["L"]


def several(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 word", "2 words"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(*parts: str) -> str:
    """The parts that are not empty, with points between them."""
    return " · ".join(filter(None, parts))
