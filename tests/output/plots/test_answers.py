"""Figures of answers: counts, frames and marks are those of the tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nlpsig_core.output.plots import confusion_figure, numbers_figure, solved_figure
from nlpsig_core.studies.pair.answers import CONFUSION_COLUMNS, OTHER

ROWS = [("A", "x", "x", 3, 0.75), ("A", "x", OTHER, 1, 0.25), ("A", OTHER, "x", 0, 0.0), ("A", OTHER, OTHER, 2, 1.0)]


def test_a_cell_has_its_items_and_share_and_right_ones_are_framed():
    """Answers among other labels may be wrong, so they have no frame: 3 of 6 are right for certain."""
    table = pd.DataFrame(ROWS, columns=list(CONFUSION_COLUMNS))
    figure = confusion_figure(table, system="A", unit="item", signature="s")
    (cells,) = figure.data
    assert np.asarray(cells.z).tolist() == [[0.75, 0.25], [0, 1]]
    assert np.asarray(cells.text).tolist() == [["3<br>75%", "1<br>25%"], ["", "2<br>100%"]]
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert [(shape.x0, shape.y0) for shape in figure.layout.shapes] == [(-0.5, -0.5)]
    assert figure.layout.yaxis.ticktext == ("x (4)", "(other) (2)")
    assert (
        figure.layout.meta["alt"]
        == "Answers of A by label of the gold: 3 of 6 items (50%) are right and have one of the labels shown."
    )


def test_items_that_matter_are_marked_and_two_values_are_spread():
    table = pd.DataFrame({"text": list("pqr"), "gold": [0.0, 1, 1], "predicted": [0.1, 0.8, 0.4], "marked": [0, 0, 1]})
    plain, spread = (
        numbers_figure(table, system="A", ranked=False, two_values=two, signature="s") for two in (False, True)
    )
    line, others, marked = plain.data
    assert (line.x.tolist(), line.y.tolist()) == ([0, 1], [0, 1])
    assert (others.x.tolist(), others.y.tolist(), marked.x.tolist()) == ([0, 1], [0.1, 0.8], [1])
    others, marked = spread.data
    assert np.abs(np.concatenate([others.x, marked.x]) - table["gold"]).max() < 0.1
    assert len({*others.x, *marked.x}) == 3


def test_long_names_fit_beside_the_table_of_what_two_systems_solve():
    """The axis is 170 pixels high: about 27 letters, ten of them "solved by "."""
    counts = pd.DataFrame({"kind": list("ab12"), "instances": [2, 1, 1, 0], "share": [0.5, 0.25, 0.25, 0]})
    one, other = ("20251124_mini-v1.16.0_claude-opus", "20251124_mini-v1.16.0_claude-haiku")
    figure = solved_figure(counts, a=one, b=other, solved="solved", unit="instance", signature="")
    assert figure.layout.yaxis.title.text == "solved by mini-v1.1…ude-opus"
    assert figure.layout.xaxis.title.text == "solved by mini-v1.1…de-haiku"
