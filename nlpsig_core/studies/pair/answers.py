"""The answers of two systems to items, against the gold: what they confuse, gains by class, and numbers.

Every function takes what is analysed of a test set, and the names of two systems, the observed winner first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from nlpsig_core.data.drawings import drawing_for
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.base import f1
from nlpsig_core.significance.paired_tests.small_sample import differences, gain_intervals
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.studies.pair.units import PART_COLUMNS, QUICK, gain_of, unit_gains

# The most classes of a table of confusions and of one of gains; the most frequent ones in the gold.
CONFUSED, COMPARED = 12, 30
# With fewer items in the gold, the F1 of a class is too uncertain.
FEW_ITEMS = 10
# In brackets, since a task may have labels with these names.
OTHER, NO_ANSWER, FOREIGN = "(other)", "(no answer)", "(not in gold)"
# How many units are marked, and how many items are drawn.
MARKED, DRAWN = 10, 4_000
NUMBER_COLUMNS = ("text", "gold", "a", "b", "marked")
CONFUSION_COLUMNS = ("system", "gold", "answer", "items", "share")
# The label of the metric that has the statistics of all classes.
BY_CLASS = "macro-F1"


def answers_of(one: SelectedTestSet, system: str) -> np.ndarray:
    """Return the counts of a system's runs on the selected items, (runs, items, columns)."""
    counts, own = one.counts, np.concatenate(one.own_units)
    files = [counts.files.index(file) for file in one.outputs if one.task.names[file] == system]
    return counts.values[files][:, own]


def confusion(one: SelectedTestSet, systems: Sequence[str]) -> pd.DataFrame:
    """Return a row for each system, label of the gold and answer: the number of items, and their share of the label's.

    Columns CONFUSION_COLUMNS. Runs of a system are added. Beyond CONFUSED labels, the rarer ones are OTHER; answers
    may also be NO_ANSWER and FOREIGN, where one of the systems has any. Labels are in the order of the gold.
    """
    classes = list(one.test_set.classes)
    codes = [answers_of(one, system).reshape(-1, 2).astype(np.int64) for system in systems]
    known = len(classes)
    frequent = np.sort(np.argsort(-np.bincount(codes[0][:, 0], minlength=known), kind="stable")[:CONFUSED])
    place = np.full(known + 2, len(frequent))
    place[frequent] = np.arange(len(frequent))
    place[known:] = len(frequent) + 1, len(frequent) + 2
    names = [*(classes[label] for label in frequent), OTHER, NO_ANSWER, FOREIGN]
    tables = []
    for of_system in codes:
        gold, answer = place[np.minimum(of_system, known + 1)].T
        tables.append(np.bincount(gold * len(names) + answer, minlength=len(names) ** 2).reshape(len(names), -1))
    rows, columns = (np.flatnonzero(np.any([table.any(axis=axis) for table in tables], axis=0)) for axis in (1, 0))
    columns = np.union1d(rows, columns)
    frames = [
        (system, names[row], names[column], int(table[row, column]), table[row, column] / max(table[row].sum(), 1))
        for system, table in zip(systems, tables, strict=True)
        for row in rows
        for column in columns
    ]
    return pd.DataFrame(frames, columns=list(CONFUSION_COLUMNS))


def gains_by_class(one: SelectedTestSet, systems: Sequence[str], recipe: Resampling = QUICK) -> pd.DataFrame:
    """Return F1 of both systems on each class and its gain, the largest gain first: PART_COLUMNS.

    ``units`` are the items of the class in the gold, the interval is the 95% percentile interval of the bootstrap, and
    ``note`` warns of classes with few items. Beyond COMPARED classes, the rarer ones are left out.
    """
    stats, classes = _by_class(one, systems), np.array(one.test_set.classes)
    outputs, units, columns = stats.values.shape
    by_class = np.moveaxis(stats.values.reshape(outputs, units, 3, columns // 3), -1, 0)
    sizes = by_class[:, 0, :, 2].sum(axis=1, dtype=np.int64)
    kept = np.argsort(-sizes, kind="stable")[:COMPARED]
    each = Stats(
        tuple(f"{name} {system}" for name in classes[kept] for system in systems),
        np.ascontiguousarray(by_class[kept].reshape(-1, units, 3)),
        replace(stats.metric, score=f1, expand=None, components={}),
        unit=stats.unit,
        runs=stats.runs * len(kept),
        unit_sizes=stats.unit_sizes,
    )
    scores, resampled = each.scores.reshape(-1, 2), resampled_scores(each, recipe).reshape(len(kept), 2, -1)
    differing = differences(each, np.arange(2 * len(kept)).reshape(-1, 2))
    low, high = gain_intervals(resampled[:, 0] - resampled[:, 1], differing).T
    gains = gain_of(each, scores.T)
    rows = zip(classes[kept], sizes[kept], *scores.T, gains, low, high, map(_few, sizes[kept]), strict=True)
    table = pd.DataFrame(rows, columns=list(PART_COLUMNS))
    return table.sort_values("gain", ascending=False, kind="stable", ignore_index=True)


def _by_class(one: SelectedTestSet, systems: Sequence[str]) -> Stats:
    """Return the statistics of both systems that have three counts for each class."""
    family, names = one.counts.family, one.task.names
    metric = next(m for m in METRICS.values() if m.family.name == family.name and m.label == BY_CLASS)
    both = {file: names[file] for system in systems for file in one.outputs if names[file] == system}
    return one.selected(one.counts.stats(metric, both, one.invalid, one.complete))


def _few(items: int) -> str:
    return f"{items} in the gold are few" if items < FEW_ITEMS else ""


def numbers(one: SelectedTestSet, stats: Stats, *, ranked: bool = False) -> pd.DataFrame:
    """Return the number of the gold and those of both systems for each selected item: NUMBER_COLUMNS.

    ``text`` is that of the item, ``marked`` are those of the MARKED units with the largest pull on the gain. Several
    runs are averaged. If ``ranked``, numbers are ranks from 1, the mean rank for equal ones. Of more than DRAWN items,
    evenly spaced ones remain, and the marked ones.
    """
    a, b = (answers_of(one, system).mean(axis=0) for system in stats.names)
    marked = np.zeros(stats.n_units, dtype=bool)
    marked[unit_gains(stats)["pull"].abs().nlargest(MARKED).index] = True
    each = np.repeat(marked, [len(own) for own in one.own_units])
    table = pd.DataFrame({"gold": a[:, 0], "a": a[:, 1], "b": b[:, 1]})
    table = (table.rank() if ranked else table).assign(item=np.concatenate(one.own_units), marked=each)
    table = table[each | (np.arange(len(table)) % -(-len(table) // DRAWN) == 0)]
    text, gold = drawing_for(one.test_set.reader.name).text, one.test_set
    texts = [f"{gold.reader.unit} {i + 1:,}" if gold.packed is not None else text(gold.gold, i) for i in table["item"]]
    return table.assign(text=texts)[list(NUMBER_COLUMNS)].reset_index(drop=True)


def on_one_scale(gold: pd.Series, predicted: pd.Series) -> bool:
    """Return whether predictions spread about as far as the gold, and in the same place."""
    low, high = max(gold.min(), predicted.min()), min(gold.max(), predicted.max())
    return bool(high - low > max(np.ptp(gold), np.ptp(predicted)) / 2)
