"""README, CONTRIBUTING and the pages of docs/ as tests read them: their commands, blocks of code and tables."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = "nlpsig "


class Code(NamedTuple):
    """A block of Python, and the output shown right below it ("" where none is shown)."""

    code: str
    output: str


def text_of(path: Path) -> str:
    """The text of a page."""
    return path.read_text(encoding="utf-8")


PAGES = {path.relative_to(DOCS).as_posix(): text_of(path) for path in sorted(DOCS.rglob("*.md"))}


def commands_of(text: str) -> list[str]:
    """The command lines of a page's blocks of shell, each once, without the word nlpsig."""
    lines = [line for language, body in BLOCK.findall(text) if language == "sh" for line in body.splitlines()]
    return list(dict.fromkeys(line.removeprefix(COMMAND) for line in lines if line.startswith(COMMAND)))


def code_of(text: str) -> list[Code]:
    """The blocks of Python of a page."""
    blocks, codes = list(BLOCK.finditer(text)), []
    for number, block in enumerate(blocks):
        if block[1] != "python":
            continue
        after = blocks[number + 1] if number + 1 < len(blocks) else None
        below = after is not None and after[1] == "text" and not text[block.end() : after.start()].strip()
        codes.append(Code(block[2], after[2] if after and below else ""))
    return codes


def rows_of(text: str, first_column: str) -> list[dict[str, str]]:
    """The rows, by column, of the first table whose first column has that name."""
    lines = iter(text.splitlines())
    head = next(line for line in lines if line.startswith(f"| {first_column} |"))
    next(lines)
    names = _cells(head)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append(dict(zip(names, _cells(line), strict=True)))
    return rows


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")[1:-1]]


def quick(command: str) -> list[str]:
    """The arguments of a command line: 500 resamples where it resamples, few sentences where it makes a task."""
    arguments = shlex.split(command)
    if arguments[0] == "synthesize" and not {"--sentences", "--train"} & set(arguments):
        return [*arguments, "--sentences", "60"]
    if arguments[0] in ("synthesize", "train") or arguments[:2] in (["atlas", "ask"], ["atlas", "compare"]):
        return arguments
    if "--resamples" in arguments:
        arguments[arguments.index("--resamples") + 1] = "500"
        return arguments
    return [*arguments, "--resamples", "500"]


def printed_by(code: str) -> str:
    """What a block of Python prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "block", "exec"), {})
    return printed.getvalue()
