"""Figures of several treebanks: their data are those of the tables of the laboratory, and nothing else."""

from __future__ import annotations

import pandas as pd

from nlpsig_core.output.plots import curves_of_treebanks, draws_figure, reliability_of_treebanks


def rows(**columns: list[object]) -> pd.DataFrame:
    """Two treebanks of two methods, in this order."""
    languages = {"language": ["<aa>"] * 2 + ["bb"] * 2, "method": ["kd-fix", "marginal"] * 2}
    return pd.DataFrame(languages | columns)


def test_a_panel_for_each_treebank_and_one_colour_for_each_method():
    figure = curves_of_treebanks(rows(recall=[0.5] * 4, precision=[0.4, 0.3, 0.2, 0.1]), signature="s|t:1")
    assert figure.layout.meta == {"alt": "Confidence of edges: curves", "signature": "s|t:1"}
    assert [trace.y[0] for trace in figure.data] == [0.4, 0.3, 0.2, 0.1]
    assert [trace.xaxis for trace in figure.data] == ["x", "x", "x2", "x2"]
    assert [trace.showlegend for trace in figure.data] == [True, True, False, False]
    colours = [trace.line.color for trace in figure.data]
    assert colours[0] == colours[2] != colours[1] == colours[3]
    assert [note.text for note in figure.layout.annotations] == ["&lt;aa>", "bb"]
    assert "<b>bb, marginal</b><br>50% of the wrong edges: precision 10.0%" in figure.data[3].text[0]


def test_empty_bins_are_not_drawn_and_the_fullest_has_the_largest_mark():
    bins = pd.concat([rows(centre=[c] * 4, edges=n, right=[c] * 4, confidence=[c] * 4) for c, n in BINS])
    figure = reliability_of_treebanks(bins.reset_index(drop=True), signature="s")
    drawn = {(trace.xaxis, trace.name): list(trace.x) for trace in figure.data}
    assert drawn["x", "KD-Fix"] == drawn["x2", "KD-Fix"] == drawn["x2", "marginal"] == [0.525, 0.975]
    assert drawn["x", "marginal"] == [0.975]
    small, large = figure.data[0].marker.size
    assert 2 < small < large == 10
    assert len(figure.layout.shapes) == 2


BINS = [(0.525, [1, 0, 1, 1]), (0.975, [100, 50, 3, 4])]


def test_draws_are_a_line_for_each_treebank():
    draws = pd.DataFrame({"language": ["aa", "aa", "bb"], "draws": [2, 50, 2], "ap": [0.3, 0.5, 0.2]}).assign(
        sd=[0.02, 0.01, 0.03]
    )
    figure = draws_figure(draws, signature="s")
    assert [(trace.name, list(trace.y)) for trace in figure.data] == [("aa", [0.3, 0.5]), ("bb", [0.2])]
    assert list(figure.data[0].error_y.array) == [0.02, 0.01]
    assert "2 draws: average precision 0.200 ± 0.030" in figure.data[1].text[0]
