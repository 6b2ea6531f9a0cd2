"""The macro-average: a plain mean over test sets, where an invalid output counts 0."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.counting import count_test_set
from nlpsig_core.macro import macro_average
from nlpsig_core.metrics import DEPENDENCY, METRICS
from tests.builders import conllu, task

GOLD = conllu("a/0/root b/1/obj")
HALF = conllu("a/0/root b/1/obl")


def test_mean_over_test_sets_and_0_for_what_is_invalid_or_missing():
    """Good: 100 on both. Half: 50 and 100, mean 75. Broken: 100 and invalid, mean 50. Gone: 100 and none, 50."""
    small = task(
        {
            "gold/one.conllu": GOLD,
            "gold/two.conllu": GOLD,
            "systems/good/one.conllu": GOLD,
            "systems/good/two.conllu": GOLD,
            "systems/half/one.conllu": HALF,
            "systems/half/two.conllu": GOLD,
            "systems/broken/one.conllu": GOLD,
            "systems/broken/two.conllu": "1\ta\n",
            "systems/gone/one.conllu": GOLD,
        }
    )
    counts = {name: count_test_set(t, list(small.systems["file"]), DEPENDENCY) for name, t in small.test_sets.items()}
    table = macro_average(small.systems, counts, METRICS["LAS"]).set_index("system")
    assert list(table.index[:2]) == ["good", "half"]
    assert table["macro-average"].to_dict() == pytest.approx({"good": 100, "half": 75, "broken": 50, "gone": 50})
    assert table.loc["half", ["one", "two"]].tolist() == [50, 100]


def test_a_system_without_scores_in_one_table_has_no_average():
    """B is in the first table alone; a table has no such thing as no credit."""
    small = task({"de.csv": "unit,A,B\n1,1,2\n2,3,2\n", "en.csv": "unit,A\n1,5\n2,5\n"})
    metric = METRICS["mean"]
    files = list(small.systems["file"])
    counts = {name: count_test_set(t, files, metric.family) for name, t in small.test_sets.items()}
    table = macro_average(small.systems, counts, metric).set_index("system")
    assert table.loc["A"].tolist() == ["A", 3.5, 2, 5]
    assert table.loc["B", "de"] == 2
    assert np.isnan(table.loc["B", "macro-average"])
