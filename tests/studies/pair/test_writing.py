"""The sentence on all systems against a baseline, for made-up verdicts."""

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.notion import BOTH, CORRECTED, Notion
from nlpsig_core.studies.pair.writing import baseline_sentence

BETTER, ALONE = "better", "better on its own"


def said(*verdicts: str, scope: str = BOTH) -> str:
    """The sentence where systems A, B, ... gain 9, 8, ... points of LAS over the baseline, with these verdicts."""
    names = list("ABCDEFG")[: len(verdicts)]
    gains = np.arange(9.0, 9.0 - len(verdicts), -1)
    rows = pd.DataFrame({"system": names, "gain": gains, "verdict": verdicts, "p": 0.012, "p_bound": np.nan})
    base = pd.DataFrame({"system": ["base"], "verdict": ["baseline"]})
    return baseline_sentence(pd.concat([rows, base]), METRICS["LAS"], Notion(scope=scope))


@pytest.mark.parametrize(
    ("verdicts", "rest"),
    [
        ([BETTER], "."),
        ([BETTER, BETTER], "; B, too."),
        ([BETTER, ALONE], "; B, too (only on its own)."),
        ([BETTER, ALONE, ALONE], "; B and C, too (only on their own)."),
        ([BETTER, BETTER, ALONE], "; B and C, too (1 of them only on its own)."),
        ([BETTER, BETTER, ALONE, ALONE, BETTER], "; 4 others, too (2 of them only on their own)."),
    ],
)
def test_who_else_beats_the_baseline_and_who_only_on_its_own(verdicts, rest):
    assert said(*verdicts) == f"A beats base by 9.00 LAS (p = 0.012){rest}"


def test_the_first_on_its_own_and_nobody():
    assert said(ALONE, ALONE) == "A beats base by 9.00 LAS on its own (p = 0.012); B, too."
    assert said("undecided", scope=CORRECTED) == "No system beats base."
    assert said("worse", "worse on its own") == "No system beats base; 2 systems are behind it."
