"""HTML shared by all drawings: escaped elements, headings, legends and the frame; it is also well-formed XML."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import TypeVar

Item = TypeVar("Item")

# The same as in plots.style.theme, with a contrast of at least 3:1 on light and dark backgrounds.
NEUTRAL = "#8A8F98"
# A box that scrolls sideways, with a thin bar and a shadow at each edge beyond which there is more.
SCROLLS = """
 overflow-x:auto;scrollbar-width:thin;scrollbar-color:NEUTRAL color-mix(in srgb,NEUTRAL 18%,transparent);
 --page:var(--st-background-color,light-dark(#fff,#10161d));--edge:color-mix(in srgb,NEUTRAL 55%,transparent);
 background:linear-gradient(to right,var(--page) 40%,transparent) left/44px 100% no-repeat local,
 linear-gradient(to left,var(--page) 40%,transparent) right/44px 100% no-repeat local,
 linear-gradient(to right,var(--edge),transparent) left/18px 100% no-repeat scroll,
 linear-gradient(to left,var(--edge),transparent) right/18px 100% no-repeat scroll;
""".strip().replace("NEUTRAL", NEUTRAL)
# For light and dark themes; marks differ in shape, not in colour alone.
STYLE = files(__package__).joinpath("style.css").read_text(encoding="utf-8").replace("/*SCROLLS*/", SCROLLS)
GOLD = "gold"
NO_OUTPUT = "no valid output"
RIGHT_TO_LEFT = ("R", "AL")
# Characters that XML 1.0 and HTML forbid, even escaped.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def element(kind: str, *content: str, tag: str = "div", **attributes: str) -> str:
    """Return an element of the CSS class ``kind`` around HTML content; attributes are escaped, empty ones omitted."""
    given = {"class": kind, **attributes}
    written = "".join(f' {name}="{escape(value)}"' for name, value in given.items() if value)
    return f"<{tag}{written}>{''.join(content)}</{tag}>"


def span(kind: str, text: str, **attributes: str) -> str:
    """Return a span of plain text, which is escaped."""
    return element(kind, escape(text), tag="span", **attributes)


def escape(text: str) -> str:
    """Escape plain text for HTML content and attributes; forbidden characters become the replacement character."""
    return html.escape(FORBIDDEN.sub("\ufffd", text), quote=True)


def head(name: str, summary: str = "", number: int = 0, style: str = "") -> str:
    """Return the line above an output: its name, a summary, and the number by which marks elsewhere refer to it."""
    parts = [badge(number), " "] if number else []
    parts += [element("", element("", escape(name), tag="bdi"), tag="b")]
    parts += [" ", span("summary", summary)] if summary else []
    return element("head", *parts, style=style)


def badge(number: int) -> str:
    """Return the number of an output in a circle."""
    return span("number", str(number))


def numbered(name: str, number: int) -> str:
    """Return the number of an output and its name."""
    return f"{badge(number)} {element('', escape(name), tag='bdi')}"


def table(kind: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of HTML: the heads of its columns, if it shows any, and rows of a head and cells (td) each."""
    heads = element("", *(element("", column, tag="th", scope="col") for column in columns), tag="tr")
    lines = [element("", element("", head, tag="th", scope="row"), *cells, tag="tr") for head, *cells in rows]
    body = element("", *lines, tag="tbody")
    return element(kind, *([element("", heads, tag="thead")] if columns else []), body, tag="table")


def missed_marks(missed: Mapping[str, Iterable[Item]]) -> dict[Item, str]:
    """Return the mark of each item that outputs, by name, have missed: a cross and the numbers of the outputs."""
    outputs: dict[Item, dict[str, str]] = {}
    for number, (name, items) in enumerate(missed.items(), 1):
        for item in items:
            outputs.setdefault(item, {})[name] = badge(number)
    return {
        item: element("missed", "✗", *badges.values(), tag="span", title=f"missed by {', '.join(badges)}")
        for item, badges in outputs.items()
    }


MISSED = (missed_marks({"the system with that number": [0]})[0], "missed by the system with that number")
# The legend of what only one of several outputs has right.
RIGHT_ALONE = (span("only", "✓"), "right here, wrong in the other")


def frame(*body: str, legend: Iterable[tuple[str, str]] = (), words: Iterable[str] = (), note: str = "") -> str:
    """Return the whole drawing: a note, the body, and a legend of (HTML of the mark, explanation).

    It is from right to left if most letters of ``words`` belong to such scripts.
    """
    kinds = Counter(unicodedata.bidirectional(character) for word in words for character in word)
    direction = "rtl" if sum(kinds[kind] for kind in RIGHT_TO_LEFT) > kinds["L"] else "ltr"
    noted = [element("note", span("", note))] if note else []
    parts = [f"<style>{STYLE}</style>", element("body", *noted, *body, dir=direction)]
    items = [element("sample", mark, tag="span") + escape(f" {text}") for mark, text in legend]
    parts += [element("legend", *(element("item", item, tag="span") for item in items))] if items else []
    return element("unit-drawing", *parts)


def scrolling(*body: str, label: str) -> str:
    """Return a box that scrolls sideways if its content is too wide, also by keyboard."""
    return element("wide", *body, tabindex="0", role="region", **{"aria-label": label})


def panel(name: str, summary: str, box: str, lines: str = "", number: int = 0) -> str:
    """Return an output to draw next to others: its heading, its box, and lines of ``named``."""
    return element("panel", head(name, summary, number), box, lines)


def beside(panels: Iterable[str], kind: str = "") -> str:
    """Return panels next to each other, below each other where there is no room.

    With the ``kind`` "equal" they are equally wide, and their boxes scroll if they have to.
    """
    return element(f"beside {kind}".strip(), *panels)


def named(what: str, items: Iterable[str]) -> str:
    """Return a line of text below a drawing, for those who cannot see its marks: what is named, and items.

    "" if there are none.
    """
    text = "; ".join(items)
    return element("named", element("", escape(f"{what}:"), tag="b"), escape(f" {text}")) if text else ""


def paragraph(text: str) -> str:
    """Return plain text in the direction of its script, with its line breaks."""
    return element("text", with_breaks(text), dir="auto")


def with_breaks(text: str) -> str:
    """Escape plain text and keep its line breaks."""
    return escape(text).replace("\n", "<br/>")


def listed(*parts: str) -> str:
    """Join the non-empty parts by centred dots."""
    return " · ".join(filter(None, parts))
