"""Counting runs by the measures of menus: cold and warm, against ir_measures reading and measuring them one by one."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import ir_measures

from nlpsig_core.data.metrics.rankings import FAMILY, USUAL
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.counting import count_test_set


def rows(folder: Path) -> Iterator[tuple[str, float, float]]:
    """Yield the workload, its seconds, and those of ir_measures."""
    task = load_task(folder)
    test_set = task.test_set()
    floor = _seconds(lambda: _alone(test_set))
    with tempfile.TemporaryDirectory() as cache:
        for state in ("cold", "warm"):
            taken = _seconds(lambda: count_test_set(test_set, list(test_set.outputs), FAMILY, cache=Path(cache)))
            yield f"{len(test_set.outputs)} runs, {test_set.n_units} topics, {state}, against ir_measures", taken, floor


def _alone(test_set: TestSet) -> None:
    measures = [ir_measures.parse_measure(measure) for measure in USUAL]
    evaluator = ir_measures.evaluator(measures, list(ir_measures.read_trec_qrels(test_set.gold_files[0].text())))
    for output in test_set.outputs.values():
        list(evaluator.iter_calc(ir_measures.read_trec_run(output.text())))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
