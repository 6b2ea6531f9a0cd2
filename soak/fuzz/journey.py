"""The way of an input through the software, as a user's files go: to a table of pairs, a drawing and a report."""

from __future__ import annotations

import os
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from nlpsig_core.base.errors import LONGEST, NlpsigError
from nlpsig_core.data.drawings import drawing_for, lengths_on
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.opening import upload_files
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.output.report.export import csv_text, latex_text
from nlpsig_core.output.report.page import report_html
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.counting import count_test_set
from nlpsig_core.significance.stats.counts import Counts
from soak.fuzz.inputs import Input, input_of
from soak.fuzz.tasks import EDITIONS, opened, small_tasks

RECIPE = Resampling(20)
# Nothing is kept on disk: every input is counted.
NO_CACHE = Path(os.devnull) / "cache"
# One input in so many is also drawn, ranked and saved, and one in so many reported.
DRAWN, REPORTED = 16, 400


class BrokenError(Exception):
    """A result that cannot be right."""


def travel(number: int) -> str:
    """Return what became of an input, "result" or "refused"; any exception or warning is a finding."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return _travel(input_of(number))


def _travel(made: Input) -> str:
    number = made.number
    try:
        correction = Correction(format=made.format, domain_rule=made.domain_rule)
        task = task_of(upload_files(made.uploads), "fuzz", correction)
        test_set = task.test_set()
        metric = _metric(test_set, number)
        counts = _counts(task, test_set, metric)
        _check_unharmed(made, task, counts)
        selection = select(task, metric, count=lambda *_: counts)
        results = selection.bootstrap(RECIPE)
        _check(selection, results)
        if number % DRAWN == 0:
            _show(results)
            if test_set.packed is None:
                _draw(selection)
        if number % REPORTED == 0:
            _report(selection, results)
    except NlpsigError as error:
        _check_message(error)
        return "refused"
    return "result"


def warm_up() -> None:
    """Compile what runs compiled, and remember the statistics of the small tasks."""
    for small in small_tasks():
        for metric in Offer(opened(small.files).test_set(), EDITIONS.get(small.format)).metrics:
            _known(small.name, metric)
    travel(DRAWN)


def _metric(test_set: TestSet, number: int) -> Metric:
    offered = list(Offer(test_set, EDITIONS.get(test_set.reader.name)).metrics.values())
    return offered[number % len(offered)] if offered else Offer(test_set).metric()


def _counts(task: SharedTask, test_set: TestSet, metric: Metric) -> Counts:
    return count_test_set(test_set, task.systems["file"].tolist(), metric.family, cache=NO_CACHE)


@cache
def _known(name: str, label: str) -> tuple[str, dict[str, bytes]]:
    """Return the format of a small task, and the statistics of its outputs for the first test set by path."""
    (small,) = (small for small in small_tasks() if small.name == name)
    task = opened(small.files)
    metric = Offer(task.test_set(), EDITIONS.get(small.format)).metrics[label]
    return task.reader.name, _by_path(task.test_set(), _counts(task, task.test_set(), metric))


def _by_path(test_set: TestSet, counts: Counts) -> dict[str, bytes]:
    values = dict(zip(counts.files, counts.values, strict=True))
    return {file.path: values[system].astype(float).tobytes() for system, file in test_set.outputs.items()}


def _check_unharmed(made: Input, task: SharedTask, counts: Counts) -> None:
    """Check that the statistics of an output do not change because another output is damaged."""
    if not made.unharmed or task.reader.name != made.small.format:
        return
    after = _by_path(task.test_set(), counts)
    _, before = _known(made.small.name, _metric(task.test_set(), made.number).label)
    for path in made.unharmed & before.keys():
        if path in after and after[path] != before[path]:
            raise BrokenError(f"{path} is counted otherwise than without the damage of another file")
        if path not in after:
            raise BrokenError(f"{path} is left out because another file is damaged")


def _check(selection: Selection, results: Results) -> None:
    """Check that scores are finite, shares between 0 and 100, p between 0 and 1, and gains not negative.

    Numbers of a pack whose digests were made anew may be anything.
    """
    scores, metric = selection.stats.scores, selection.metric
    bounded = metric.scale == "%" and metric.higher_is_better and selection.first.test_set.packed is None
    if not np.isfinite(scores).all():
        raise BrokenError(f"scores that are not finite: {scores.tolist()}")
    if bounded and not ((scores >= 0) & (scores <= 100 + 1e-9)).all():
        raise BrokenError(f"{metric.name} out of 0 to 100: {scores.tolist()}")
    pairs = results.pairs()
    for column in ("p_value", "p_two_sided"):
        if not pairs[column].between(0, 1).all():
            raise BrokenError(f"{column} out of 0 to 1: {pairs[column].tolist()}")
    if (pairs["gain"] < 0).any():
        raise BrokenError(f"a negative gain: {pairs['gain'].tolist()}")


def _show(results: Results) -> None:
    ranking, signature = results.ranking(), results.signature
    results.thresholds()
    for table in (results.pairs(), ranking):
        for text in (csv_text(table, signature), latex_text(table, signature)):
            if not text.startswith(("# metric:", "% metric:")):
                raise BrokenError("a table that does not begin with its signature")


def _draw(selection: Selection) -> None:
    """Draw the longest unit, with the outputs that can be read."""
    test_set = selection.first.test_set
    lengths, drawing = lengths_on(test_set), drawing_for(test_set.reader.name)
    outputs = {name: _read(test_set, name, selection.first.counts) for name in test_set.outputs}
    html = drawing.draw(test_set.gold, outputs, int(np.argmax(lengths)) if len(lengths) else 0, selection.metric)
    if "<script" in html:
        raise BrokenError("a text of a file is HTML in a drawing")


def _read(test_set: TestSet, name: str, counts: Counts) -> Any:
    file = test_set.outputs[name]
    return None if name in counts.problems else test_set.read(file.path, file.load())


def _report(selection: Selection, results: Results) -> None:
    page = report_html(results)
    if "<script>alert(1)" in page:
        raise BrokenError("a text of a file is HTML in a report")


def _check_message(error: NlpsigError) -> None:
    """Check that a person can read a message."""
    if not str(error).strip() or len(str(error)) > LONGEST + 3:
        raise BrokenError(f"a message of {len(str(error)):,} characters: {str(error)[:200]}")
