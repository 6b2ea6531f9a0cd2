"""Made-up scores of people and metrics: better metrics agree more with people."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.laboratory.synthesis import synthesize_metrics
from nlpsig_core.laboratory.synthesis.makers.metrics import TRIALS
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.studies.people.measures import by_measure, measures


def test_the_metric_of_the_largest_insight_agrees_best(tmp_path):
    """On 600 segments; people rank the systems by their true quality but for neighbours."""
    folder = synthesize_metrics(tmp_path / "new", segments=600)
    task = load_task(folder)
    assert (task.problems, set(task.systems["system"])) == ((), {trial.name for trial in TRIALS})
    people = task.test_set().gold
    truth = pd.read_csv(folder / "truth.tsv", sep="\t", index_col="system")["quality"]
    means = pd.Series(np.nanmean(people.values, axis=0), index=people.systems)
    assert truth.corr(means, method="spearman") > 0.9
    table = by_measure(measures(task, task.test_set()), "seg-Pearson")
    assert table["system"].tolist()[:2] == [trial.name for trial in TRIALS[:2]]


def test_people_have_not_judged_two_documents_of_the_last_system():
    people = load_task("halvet-metrics").test_set().gold
    missing = np.isnan(people.values)
    assert (people.values.shape, missing.sum(), missing[:12, -1].sum()) == ((120, 8), 12, 12)
    assert (len(set(people.documents)), set(people.domains)) == (20, {"news", "talks"})


def test_impossible_numbers_are_refused(tmp_path):
    with pytest.raises(ValueError, match="give at least 18, and 3 to"):
        synthesize_metrics(tmp_path / "a", segments=12)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError, match="is not empty"):
        synthesize_metrics(tmp_path)
