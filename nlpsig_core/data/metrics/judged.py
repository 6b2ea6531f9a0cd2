"""The mean score that people gave to the units of an output, where a task has people's scores beside its outputs."""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.metrics.base import Family, Metric, mean
from nlpsig_core.data.task.test_set import JUDGEMENTS, TestSet


def count(test_set: TestSet, file: str) -> np.ndarray:
    """Count people's score of each unit of an output and 1, (units, 2); NaN where there is none."""
    people = test_set.people
    if people is None or file not in people.systems:
        return np.full((test_set.n_units, 2), np.nan)
    scores = people.values[:, people.systems.index(file)]
    return np.stack([scores, np.where(np.isnan(scores), np.nan, 1.0)], axis=1)


def _not_of_outputs(gold: object, output: object) -> np.ndarray:
    raise TypeError("people's scores are counted for a test set, not from an output")


FAMILY = Family(
    name=JUDGEMENTS,
    version=1,
    reader="",
    columns=("points", "judged"),
    count=_not_of_outputs,
    whole=False,
    sparse=True,
)
HUMAN_SCORE = Metric(
    name="human-score",
    label="human score",
    what="mean score by people, on the units that they have judged",
    family=FAMILY,
    columns=FAMILY.columns,
    score=mean,
    scale="",
)
