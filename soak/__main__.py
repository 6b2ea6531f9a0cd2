"""``python -m soak [PART...]``: the promises as a TSV with what was measured; exit code 1 if one is broken."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from soak import Promise, promises_of

# Each part is a module of this package with a function ``promises``. Parts that measure seconds of answers run alone,
# then the others side by side, each in a process of its own, since it looks at the memory of its children.
ALONE = ("load",)
HELD = {True: "yes", False: "BROKEN", None: "–"}
PARTS = (*ALONE, "many_tasks", "faults", "fuzz")


def main(names: list[str]) -> int:
    """Run the named parts, or all of them, and print a line for each promise."""
    print("part\twhat\tmeasured\tlimit\theld", flush=True)
    parts = names or PARTS
    broken = sum(_show(name, promises_of(name)) for name in parts if name in ALONE)
    beside = [name for name in parts if name not in ALONE]
    if beside:
        with ProcessPoolExecutor(len(beside), get_context("spawn")) as pool:
            broken += sum(map(_show, beside, pool.map(promises_of, beside)))
    return 1 if broken else 0


def _show(name: str, of_part: list[Promise]) -> int:
    """Print the promises of a part; return how many are broken."""
    for promise in of_part:
        cells = (name, promise.what, promise.measured, promise.limit, HELD[promise.held])
        print("\t".join(cells), flush=True)
    return sum(promise.held is False for promise in of_part)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
