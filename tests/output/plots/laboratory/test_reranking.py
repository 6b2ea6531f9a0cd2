"""Figures of reranking: their data are those of the frames, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots import ladder_figure, oracle_figure, ranks_figure
from nlpsig_core.output.plots.laboratory.reranking import RANKS, VERDICTS
from nlpsig_core.significance.comparison.verdict import BETTER, UNDECIDED, WORSE

METRIC = METRICS["F1-brackets"]


def test_the_oracle_curve_with_its_lines():
    oracle = pd.DataFrame({"size": [1, 2, 5], "score": [80.0, 84.0, 90.0]}, index=[3, 4, 5])
    figure = oracle_figure(oracle, {"first parse": 80.0, "<b>": 82.5}, metric=METRIC, signature="s|t:1")
    (curve,) = figure.data
    assert (list(curve.x), list(curve.y), list(curve.customdata)) == ([1, 2, 5], [80, 84, 90], [3, 4, 5])
    assert curve.text[0] == "the first parse: F1 80.00"
    assert curve.text[2] == "the best of the first 5 of each list: F1 90.00"
    assert [shape.y0 for shape in figure.layout.shapes] == [80, 82.5]
    assert [note.text for note in figure.layout.annotations] == ["first parse 80.00", "&lt;b> 82.50"]


def test_ranks_beyond_the_last_one_are_one_bar():
    """3 ranks beyond the last one with 1% each: 3%."""
    n = RANKS + 3
    ranks = pd.DataFrame({"rank": np.arange(1, n + 1), "best": [0.01] * n, "kept": [0.5] + [0.02] * (n - 1)})
    best, kept = ranks_figure(ranks, signature="s").data
    assert list(best.x) == list(kept.x) == [*map(str, range(1, RANKS + 1)), f"{RANKS + 1}+"]
    assert list(best.y) == pytest.approx([0.01] * RANKS + [0.03])
    assert kept.y[0] == 0.5
    assert kept.text[0] == "the reranker's choice is at rank 1 in 50.0% of the lists"
    assert best.text[-1] == f"the best parse is beyond rank {RANKS} in 3.0% of the lists"


def test_short_lists_have_a_bar_for_each_rank():
    ranks = pd.DataFrame({"rank": [1, 2], "best": [0.7, 0.3], "kept": [0.9, 0.1]})
    assert [list(trace.x) for trace in ranks_figure(ranks, signature="s").data] == [["1", "2"]] * 2


@pytest.fixture
def ladder() -> pd.DataFrame:
    rows = [
        ("Rule", 0.5, 0.2, 0.8, BETTER, 0.001),
        ("Word", -0.1, -0.3, 0.1, UNDECIDED, 0.4),
        ("Heavy", -0.6, -0.9, -0.2, WORSE, 0.01),
        ("<i>", 0.0, -0.1, 0.1, UNDECIDED, 1.0),
    ]
    frame = pd.DataFrame(rows, columns=["name", "gain", "gain_low", "gain_high", "verdict", "p"])
    frame["p_shown"] = frame["p"].map("{:.4f}".format)
    return frame.assign(better=10, worse=1, tied=1_000, against="1-best").set_index(frame.index + 7)


def test_every_step_is_a_dot_of_its_verdict_with_its_interval(ladder):
    figure = ladder_figure(ladder, metric=METRIC, zero="first parse", signature="s")
    assert [trace.name for trace in figure.data] == list(VERDICTS)
    for trace in figure.data:
        rows = ladder.loc[trace.customdata]
        assert set(rows["verdict"]) == {trace.name}
        assert list(trace.x) == rows["gain"].tolist()
        assert list(trace.y) == (rows.index - 7).tolist()
        np.testing.assert_allclose(trace.error_x.array, rows["gain_high"] - rows["gain"])
        np.testing.assert_allclose(trace.error_x.arrayminus, rows["gain"] - rows["gain_low"])
        assert trace.marker.color == VERDICTS[trace.name][0]
    assert list(figure.layout.yaxis.ticktext) == ["Rule", "Word", "Heavy", "&lt;i>"]
    assert figure.layout.shapes[0].x0 == 0
    assert figure.layout.annotations[0].text == "first parse"
    assert "gain in F1 0.50, 95% interval 0.20 to 0.80, over 1-best" in figure.data[0].text[0]
    assert "10 sentences better, 1 worse, 1,000 equal" in figure.data[0].text[0]
    assert "p 0.0010 by the permutation test" in figure.data[0].text[0]
