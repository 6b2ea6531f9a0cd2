"""``make bench-growth``: a TSV of how seconds grow with resamples, sentences, systems and files, on standard output.

``exponent`` is the slope between a row and the one above it on logarithmic scales: 1 means that twice as much takes
twice as long. Rows of the bootstrap have the bare matrix product of the same shape beside them (``benchmarks.run``).
Each point is the fastest of three.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from benchmarks.run import MILLION, made_up, of_engine, real_folder, seconds
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.counting import count_test_set

TIMES = 3
READ = "dep.conll2017.zh"
Measure = Callable[[], tuple[float, float]]


def main() -> None:
    """Measure every point and print one row for each."""
    print("grows\tto\tseconds\tmatmul_seconds\tratio\texponent", flush=True)
    bootstrap(made_up(4, 50), Resampling(2_000))  # compile the kernels, or load them from the cache
    resamples = (10_000, 100_000, 400_000, MILLION, 4 * MILLION)
    rows("resamples (30 systems, 500 sentences)", {b: _bootstrap(30, 500, b) for b in resamples})
    sentences = (250, 500, 1_000, 2_000, 4_000)
    rows("sentences (30 systems, 200,000 resamples)", {n: _bootstrap(30, n, 200_000) for n in sentences})
    systems = (10, 20, 40, 80, 160)
    rows("systems (500 sentences, 200,000 resamples)", {n: _bootstrap(n, 500, 200_000) for n in systems})
    if folder := real_folder(READ):
        rows(f"files of {READ}, read and counted", {n: _reading(folder, n) for n in (4, 8, 16, 32, 64)})


def rows(name: str, points: Mapping[int, Measure]) -> None:
    """Print a row for each point, with the exponent since the one before."""
    before: tuple[int, float] | None = None
    for to, measure in points.items():
        taken, floor = min(measure() for _ in range(TIMES))
        exponent = f"{math.log(taken / before[1]) / math.log(to / before[0]):.2f}" if before else ""
        of_floor = (f"{floor:.3f}", f"{taken / floor:.2f}") if floor else ("", "")
        print(name, f"{to:,}", f"{taken:.3f}", *of_floor, exponent, sep="\t", flush=True)
        before = to, taken


def _bootstrap(systems: int, units: int, resamples: int) -> Measure:
    return lambda: of_engine(made_up(systems, units), resamples)


def _reading(folder: Path, files: int) -> Measure:
    task = load_task(folder)

    def measure() -> tuple[float, float]:
        what = task.test_set(), list(task.names)[:files], METRICS["LAS"].family
        with tempfile.TemporaryDirectory() as cache:
            return seconds(partial(count_test_set, *what, cache=Path(cache))), 0.0

    return measure


if __name__ == "__main__":
    main()
