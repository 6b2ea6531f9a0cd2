"""A small site, made by the command as a person would: hostile names, a campaign of two test sets, a pack."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from urllib.parse import quote

from tests.builders import conllu, write

RIGHT, WRONG = "a/0/root b/1/obj", "a/0/root b/1/obl"
N = 12
# Script elements, markup, and a formula, as files of a task could be called.
NAMES = ("</script><script>alert(1)<", "<img src=x onerror=alert(1)>", "=1+1, & more")


def output(wrong: range) -> str:
    return conllu(*[WRONG if number in wrong else RIGHT for number in range(N)])


def hostile(folder: Path) -> Path:
    """A table of scores whose systems have names that are markup; the first is better by 4 in 8 of 12 segments."""
    cells = [(6 if n < 8 else 2, 2, n % 3) for n in range(N)]
    head = ",".join(f'"{name}"' for name in NAMES)
    text = f"segment,{head}\n" + "".join(f"{n},{a},{b},{c}\n" for n, (a, b, c) in enumerate(cells))
    return write(folder, {"hostile.csv": text}) / "hostile.csv"


def campaign(folder: Path) -> Path:
    """Two test sets; B is wrong on the first four sentences of both, C on the last two."""
    files = {f"gold/{on}.conllu": output(range(0)) for on in ("one", "two")}
    for name, wrong in {"A": range(0), "B": range(4), "C": range(N - 2, N)}.items():
        files |= {f"systems/{name}/{on}.conllu": output(wrong) for on in ("one", "two")}
    return write(folder / "Two sets", files | {"description.txt": "<b>Bold</b> & quoted"})


def pairs_data(page: Path) -> dict:
    """What a page says of all its pairs."""
    (text,) = re.findall(r'id="pairs-data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(text)


def part(folder: Path, number: int = 0) -> dict:
    """A part of the packed pairs."""
    script = (folder / f"pairs-{number}.js").read_text(encoding="utf-8")
    (packed,) = re.findall(r'^\(window\.nlpsigPairs \?\?= \{\}\)\[\d+\] = "([A-Za-z0-9+/=]*)";\n$', script)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def address(page: Path, a: str, b: str) -> str:
    """The address of a pair on a page that is opened as a file."""
    return f"{page.as_uri()}#pair={quote(a, safe='')},{quote(b, safe='')}"
