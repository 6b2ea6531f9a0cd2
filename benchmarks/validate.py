"""``make validate``: promised and measured error rates and coverages, as a TSV on standard output.

``python -m benchmarks.validate [--quick] [--worlds N]``. Each simulated world has a known truth: two equal systems, a
known gain, or known ranks. Rows of real translations need $NLPSIG_REAL_DATA and are otherwise omitted. Everything is
seeded: the same command prints the same rows.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from benchmarks.validation import coverage, families, gate, items, pages, people, planning, thresholds, type_one
from benchmarks.validation.rows import Effort, Row

BASIC = (type_one.rows, coverage.rows, items.rows, families.rows, planning.power, thresholds.rows, planning.monte_carlo)
SECTIONS = (*BASIC, *pages.SECTIONS, people.rows, people.rows_of_worth, gate.rows)
QUICK = Effort(worlds=500, resamples=1_000, quick=True)


def rows(effort: Effort) -> Iterator[Row]:
    """Yield the rows of all sections."""
    for section in SECTIONS:
        start = time.perf_counter()
        yield from section(effort)
        print(f"# {section.__module__}.{section.__name__}: {time.perf_counter() - start:.0f} s", file=sys.stderr)


def line(row: Row) -> str:
    """Format a row as TSV, shares to four decimals."""
    return "\t".join(f"{value:.4f}" if isinstance(value, float) else str(value) for value in row)


def main() -> None:
    """Print all rows."""
    parser = argparse.ArgumentParser(description="Compare the promises of nlpsig with simulations.")
    parser.add_argument("--quick", action="store_true", help="few worlds of one size each")
    parser.add_argument("--worlds", type=int, help="worlds per cell (default: 10,000; with --quick: 500)")
    options = parser.parse_args()
    effort = QUICK if options.quick else Effort()
    if options.worlds:
        effort = Effort(options.worlds, effort.resamples, effort.quick)
    print("\t".join(Row._fields), flush=True)
    for row in rows(effort):
        print(line(row), flush=True)


if __name__ == "__main__":
    main()
