"""``make bench | python -m benchmarks.table docs/benchmarks.md``: insert the rows between two marks of a Markdown file.

A second argument names other marks: ``make soak | python -m benchmarks.table docs/load.md soak``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from pathlib import Path


def markdown(lines: Iterable[str]) -> str:
    """Convert TSV to a Markdown table without its comments; numeric columns are right-aligned."""
    rows = list(csv.reader((line for line in lines if "\t" in line), delimiter="\t"))
    names, *body = rows
    columns = list(zip(*body, strict=True)) or [()] * len(names)
    ruler = "|".join("--:" if all(map(_is_number, column)) else "---" for column in columns)
    head = f"| {' | '.join(name.replace('_', ' ') for name in names)} |"
    return "\n".join([head, f"|{ruler}|", *(f"| {' | '.join(row)} |" for row in body)])


def _is_number(cell: str) -> bool:
    try:
        float(cell or "0")
    except ValueError:
        return False
    return True


def main(file: str, marks: str = "bench") -> None:
    """Replace the text between the marks with a table of the TSV on standard input."""
    begin, end, path = f"<!-- {marks} -->", f"<!-- /{marks} -->", Path(file)
    table = markdown(sys.stdin)
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    path.write_text(f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
