"""A campaign, the test sets of a task side by side: scores and ranks, and which test sets rank the systems alike.

Each function takes the macro-average over all test sets (``select``). Systems are in the order of the
macro-average, the best first, then those without one.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.studies.analyses.rankings import clustered, kendall

# What a cell without a score stands for: no file, a file that breaks the rules, no mean over all test sets.
MISSING, INVALID, LEFT_OUT = "missing", "invalid", "left out"


def cells(selection: Selection) -> pd.DataFrame:
    """A row for each system on the macro-average and on each test set: test_set, system, score, rank, mark, note.

    Ranks are among systems with a score, equal for equal scores. ``mark`` is "" for a score, else MISSING, INVALID or
    LEFT_OUT, with the reason as ``note``; score and rank are then NaN, whatever enters the macro-average.
    """
    of_average = pd.Series(selection.stats.scores, index=list(selection.stats.names))
    order = list(of_average.sort_values(ascending=not selection.metric.higher_is_better, kind="stable").index)
    order += [name for name in dict.fromkeys(selection.task.names.values()) if name not in order]
    tables = [_row(MACRO, of_average, {}, order)]
    for name, one in selection.test_sets.items():
        scores = pd.Series(one.stats.scores, index=list(one.stats.names))
        tables.append(_row(name, scores, _marks(one), order))
    table = pd.concat(tables, ignore_index=True)
    better = -selection.metric.sign * table["score"]
    return table.assign(rank=better.groupby(table["test_set"], sort=False).rank(method="min"))


def _row(name: str, scores: pd.Series, marks: dict[str, tuple[str, str]], order: list[str]) -> pd.DataFrame:
    """The cells of one test set, or of the macro-average."""
    found = [marks.get(system, ("", "") if system in scores else (LEFT_OUT, "")) for system in order]
    table = pd.DataFrame({"test_set": name, "system": order, "score": scores.reindex(order).to_numpy()})
    table[["mark", "note"]] = found
    return table.assign(score=table["score"].where(table["mark"] == ""))


def _marks(one: SelectedTestSet) -> dict[str, tuple[str, str]]:
    """The systems of which an output is missing or invalid, with the reasons."""
    marks: dict[str, tuple[str, str]] = {}
    problems = one.problems
    for file, system in one.task.names.items():
        if file in one.invalid_files:
            mark, note = marks.get(system, (MISSING, ""))
            mark = INVALID if file in one.test_set.outputs else mark
            marks[system] = mark, "; ".join(filter(None, [note, problems[file]]))
    return marks


def agreement(cells: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau between the rankings of each two test sets (``cells``): domain_a, domain_b, systems, tau.

    ``systems`` is the number of systems with a score on both. Test sets that rank alike are near each other
    (``rankings.clustered``): rows are in the order of the pairs (0, 1), (0, 2), ... of that order.
    """
    of_sets = cells[cells["test_set"] != MACRO]
    names, systems = (list(dict.fromkeys(of_sets[column])) for column in ("test_set", "system"))
    scores = of_sets["score"].to_numpy().reshape(len(names), len(systems))
    tau, known = kendall(scores), (~np.isnan(scores)).astype(int)
    order = clustered(tau)
    a, b = order[np.stack(np.triu_indices(len(names), 1))]
    named = np.array(names, dtype=object)
    return pd.DataFrame(
        {"domain_a": named[a], "domain_b": named[b], "systems": (known @ known.T)[a, b], "tau": tau[a, b]}
    )
