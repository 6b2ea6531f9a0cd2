"""``python -m soak.fuzz NUMBER [FOLDER]``: one input again, and its files in a folder; ``FIRST-LAST`` tries several."""

from __future__ import annotations

import sys
from pathlib import Path

from nlpsig_core.base.runtime import available_cores
from soak.fuzz import summary
from soak.fuzz.inputs import input_of
from soak.fuzz.journey import travel, warm_up
from soak.fuzz.workers import outcomes


def main(words: list[str]) -> int:
    """Try the inputs again and print what became of them; exit code 1 if one is a finding."""
    first, _, last = words[0].partition("-")
    if last:
        return _several(range(int(first), int(last) + 1))
    made = input_of(int(first))
    print(f"{made.small.name}: {made.how}")
    for path, data in made.uploads if len(words) > 1 else ():
        target = Path(words[1]) / Path(path).name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    # Without a worker, so that the trace of an error is shown, and a debugger stops where it is raised.
    print(travel(made.number))
    return 0


def _several(numbers: range) -> int:
    results = []
    for outcome in outcomes(numbers, travel, warm_up, available_cores()):
        results.append(outcome)
        if outcome.is_finding:
            made = input_of(outcome.number)
            print(f"{outcome.number}\t{outcome.what}\t{made.small.name}: {made.how}", flush=True)
    print(summary(results))
    return 1 if any(outcome.is_finding for outcome in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
