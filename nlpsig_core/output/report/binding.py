"""How pages are bound: each in one file with all that it needs, or in a folder beside files that they share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import count, plural
from nlpsig_core.output.plots.style.contrast import NOTES
from nlpsig_core.output.plots.style.embedded import drawing_script

HERE = Path(__file__).parent
CLIENT = HERE / "client"
# The script of a task's page, in the order of use.
SCRIPTS = ("figures.js", "pairs.js", "scatter.js", "one_pair.js")
DRAWING, TASK, STYLE = "plotly.min.js", "task.js", "style.css"
# The folder of what pages share.
SHARED = "assets"
# Plotly sets styles of elements; nothing but the page's own scripts runs, and nothing is loaded from elsewhere.
POLICY = "default-src 'none'; script-src {scripts}; style-src {styles}; img-src data: blob:; base-uri 'none'; "
POLICY += "form-action 'none'"


class OneFile:
    """Binds a page into one file: scripts, styles and tables are inside it."""

    in_folder, name = False, ""
    policy = POLICY.format(scripts="'unsafe-inline'", styles="'unsafe-inline'")

    def style(self, name: str) -> Markup:
        """Return the element of a style sheet."""
        return Markup(f"<style>\n{asset(name)}</style>")

    def script(self, name: str) -> Markup:
        """Return the element of a script."""
        return Markup(f"<script>{asset(name)}</script>")

    def address(self, name: str, text: str) -> str:
        """Return the address of a table that can be saved under this name."""
        return f"data:text/csv;charset=utf-8,{quote(text)}"

    def part(self, number: int, packed: str) -> Markup:
        """Return the element of a part of the pairs, base64 of gzipped JSON."""
        return Markup(f'<script type="application/json" id="pairs-part-{number}">"{packed}"</script>')


class InFolder(OneFile):
    """Binds pages of a folder; ``write(path, content)`` receives the files that a page needs alone.

    They are in a folder of the page's own, ``name``.
    """

    in_folder = True
    policy = POLICY.format(scripts="'self'", styles="'self' 'unsafe-inline'")

    def __init__(self, name: str, write: Callable[[str, bytes], None]) -> None:
        self.name, self.write = name, write

    def style(self, name: str) -> Markup:
        """Return the element of a style sheet."""
        return Markup(f'<link rel="stylesheet" href="{SHARED}/{name}">')

    def script(self, name: str) -> Markup:
        """Return the element of a script."""
        # The largest script keeps nothing waiting.
        alone = ' id="drawing" async' if name == DRAWING else ""
        return Markup(f'<script src="{SHARED}/{name}"{alone}></script>')

    def address(self, name: str, text: str) -> str:
        """Return the address of a table, which is written to a file."""
        self.write(f"{self.name}/{name}", text.encode())
        return quote(f"{self.name}/{name}")

    def part(self, number: int, packed: str) -> Markup:
        """Write a part of the pairs as a script, which pages opened as files can load, too."""
        script = f'(window.nlpsigPairs ??= {{}})[{number}] = "{packed}";\n'
        self.write(f"{self.name}/pairs-{number}.js", script.encode())
        return Markup("")


@cache
def asset(name: str) -> str:
    """Return the text of a script or style sheet."""
    if name == DRAWING:
        return drawing_script()
    if name == TASK:
        return one_script(*((CLIENT / script).read_text(encoding="utf-8") for script in SCRIPTS))
    return (CLIENT / name).read_text(encoding="utf-8") + (NOTES if name == STYLE else "")


def one_script(*texts: str) -> str:
    """Return texts of functions as one script that leaves no names behind."""
    return '"use strict";\n(() => {\n' + "\n".join(texts) + "})();\n"


def in_script(text: str) -> Markup:
    """Return JSON escaped for a script element, which no name in it can end."""
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def json_in_script(data: object) -> Markup:
    """Return data as compact JSON for a script element."""
    return in_script(json.dumps(data, allow_nan=False, separators=(",", ":")))


def render(template: str, content: Mapping[str, Any], bound: OneFile, folders: Sequence[Path] = (HERE,)) -> str:
    """Return a page made from a template of these folders; the same content gives the same bytes."""
    usual = {"version": __version__, "bound": bound, "count": count, "plural": plural}
    return _environment(tuple(folders)).get_template(template).render({**usual, **content})


@cache
def _environment(folders: tuple[Path, ...]) -> Environment:
    loader = FileSystemLoader(folders)
    spaces: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, **spaces)
