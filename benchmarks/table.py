"""``make bench | python -m benchmarks.table README.md``: write the rows between the README's marks."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

BEGIN, END = "<!-- bench -->", "<!-- /bench -->"


def main(readme: str) -> None:
    """Replace what stands between the marks by a table of the TSV on standard input."""
    rows = list(csv.reader((line for line in sys.stdin if "\t" in line), delimiter="\t"))
    rows[0] = [cell.replace("_", " ") for cell in rows[0]]
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    table = "\n".join([head, "|---|--:|--:|--:|", *body])
    path = Path(readme)
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    path.write_text(f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
