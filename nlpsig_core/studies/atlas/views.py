"""What surrounds an answer: the cloud of pairs, the threshold by number of units, and those of each test set."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from nlpsig_core.studies.atlas.ask import ABOUT_N, Asked, Question
from nlpsig_core.studies.atlas.store import Atlas
from nlpsig_core.studies.atlas.thresholds import Z


def nearby(atlas: Atlas, question: Question) -> pd.DataFrame:
    """All pairs of the metric and class, for the cloud: the atlas's columns, and what the question makes of them.

    ``significant`` is by the question's notion, ``gain_at_n`` the gain that would be as many standard errors on the
    question's n, and ``about_n`` whether the test set has about as many units.
    """
    n, rows = question.n, Asked(atlas, question).rows
    return rows.assign(
        gain_at_n=rows["gain"] * (rows["n"] / n) ** 0.5, about_n=rows["n"].between(n / ABOUT_N, n * ABOUT_N)
    ).reset_index(drop=True)


def curve(atlas: Atlas, question: Question, sizes: Sequence[int]) -> pd.DataFrame:
    """The threshold by number of units: n, threshold, low, high (the interval for a new test set)."""
    asked = Asked(atlas, question)
    ends = [asked.thresholds(n) for n in sizes]
    return pd.DataFrame(
        [(n, centre, low, high) for n, (low, centre, high) in zip(sizes, ends, strict=True)],
        columns=["n", "threshold", "low", "high"],
    )


def strip(atlas: Atlas, question: Question) -> pd.DataFrame:
    """The thresholds of test sets, the lowest first: task, test_set, language, year, n, pairs, level, threshold.

    Beside the ``threshold`` on its own n units, ``at_n`` is what it would be on the question's.
    """
    asked, known = Asked(atlas, question), atlas.thresholds
    of = known[(known["metric"] == asked.metric) & (known["comparison"] == question.comparison)]
    own = of["threshold"] * asked.z / Z
    columns = ["task", "test_set", "language", "year", "n", "pairs", "level"]
    table = of[columns].assign(threshold=own, at_n=own * (of["n"] / question.n) ** 0.5)
    return table.sort_values("at_n", kind="stable", ignore_index=True)
