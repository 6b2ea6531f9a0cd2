"""``python -m soak [PART...]``: the promises as a TSV with what was measured; exit code 1 if one is broken."""

from __future__ import annotations

import sys
from importlib import import_module

# Each part is a module of this package with a function ``promises``.
PARTS = ("load", "faults")


def main(names: list[str]) -> int:
    """Run the named parts, or all of them, and print a line for each promise."""
    broken = 0
    print("part\twhat\tmeasured\tlimit\theld", flush=True)
    for name in names or PARTS:
        for promise in import_module(f"soak.{name}").promises():
            broken += not promise.held
            cells = (name, promise.what, promise.measured, promise.limit, "yes" if promise.held else "BROKEN")
            print("\t".join(cells), flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
