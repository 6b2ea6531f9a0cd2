"""Made-up attempts of models at issues: as often solved as they were made, in one file."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.laboratory.synthesis import synthesize_repairs
from nlpsig_core.laboratory.synthesis.makers.repairs import FAMILIES, MODELS, REPOSITORIES
from nlpsig_core.significance.comparison.select import load_task


def test_shares_are_near_the_chances(tmp_path):
    """On 150 issues with 4 attempts each, a share is within 8 points of its expectation, at 4 standard errors."""
    folder = synthesize_repairs(tmp_path / "new", issues=150)
    truth = pd.read_csv(folder / "truth.tsv", sep="\t", index_col="system")
    task = load_task(folder)
    assert (task.problems, len(task.systems), task.systems["group"].nunique()) == ((), 4 * len(MODELS), len(FAMILIES))
    assert list(Offer(task.test_set()).metrics) == ["solved", "cost", "api_calls", *(f"pass@{k}" for k in range(1, 5))]
    assert set(task.test_set().domains) == set(REPOSITORIES)
    stats = task.select().stats
    assert np.abs(stats.scores - 100 * truth.loc[list(stats.names), "expected_solved"].to_numpy()).max() < 8


def test_large_models_solve_more_at_a_higher_price():
    task = load_task("solem-repairs")
    solved, cost = (task.select(metric=name).stats for name in ("solved", "cost"))
    for stats in (solved, cost):
        by_size = {
            size: [s for n, s in zip(stats.names, stats.scores, strict=True) if n.endswith(size)]
            for size in ("nano", "large")
        }
        assert min(by_size["large"]) > max(by_size["nano"])


def test_impossible_repairs_are_refused(tmp_path):
    with pytest.raises(ValueError, match="give at least 5, and 1 to 99"):
        synthesize_repairs(tmp_path / "a", issues=4)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError, match="is not empty"):
        synthesize_repairs(tmp_path)
