"""Figures of a campaign: their data are those of the frames, and cells without a score have symbols."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots.campaign import MARKS, cells_figure, outcomes_figure, won_figure
from nlpsig_core.output.plots.domains import LOW_ROW, pair_by_domain_figure
from nlpsig_core.output.plots.style.theme import DARK, PALE
from nlpsig_core.studies.analyses import campaign
from tests.output.plots.test_domains import luminance
from tests.significance.comparison.test_macro import PACKAGE, macro

LAS = METRICS["LAS"]
COUNTED = pd.DataFrame({
    "system_a": ["A", "A", "B"], "system_b": ["B", "C", "C"], "won": [2, 5, 0], "lost": [1, 0, 0],
    "test_sets": [5, 5, 4],
})  # fmt: skip


@pytest.fixture(scope="module")
def cells() -> pd.DataFrame:
    return campaign.cells(macro(PACKAGE))


@pytest.mark.parametrize("show", ["score", "rank"])
def test_every_cell_has_its_value_or_a_symbol(cells, show):
    figure = cells_figure(cells, show=show, metric=LAS, signature="s")
    heat, *marks, points = figure.data
    np.testing.assert_array_equal(np.asarray(heat.z), cells[show].to_numpy().reshape(3, 4))
    assert {trace.name: (len(trace.x), trace.marker.symbol) for trace in marks} == {
        "no output": (1, "line-ew"),
        "invalid output": (1, "x-thin"),
    }
    for trace in marks:
        row = cells.loc[trace.y[0] * 4 + trace.x[0]]
        assert MARKS[row["mark"]][1] == trace.name
    assert list(points.customdata) == list(cells.index)
    assert points.text[-1] == "<b>gone</b> on two<br>no output<br>no output for the test set two"
    assert list(figure.layout.yaxis.ticktext) == ["macro-average", "one", "two"]


def test_many_systems_have_a_scale_of_colours_and_at_last_no_numbers(cells):
    """Four systems ten times fit, on a phone twice; eleven times they do not. A phone has room for twenty names."""
    for times, numbers, scale, names in ((2, True, False, 8), (10, True, True, 20), (11, False, True, 15)):
        copies = [cells.assign(system=cells["system"] + str(copy)) for copy in range(times)]
        many = pd.concat(copies).sort_values("test_set", kind="stable").reset_index(drop=True)
        figure = cells_figure(many, metric=LAS, signature="s")
        assert (bool(figure.data[0].texttemplate), figure.data[0].showscale) == (numbers, scale)
        # In narrow cells there are no gaps, and a dash does not cross the cells beside it.
        narrow = ("line-ns", int(numbers)) if times > 2 else ("line-ew", 1)
        assert (figure.data[1].marker.symbol, figure.data[0].xgap) == narrow
        above = figure.layout.xaxis
        assert len(above.tickvals) == len(above.ticktext) == names
        assert above.ticktext[1] == many["system"][above.tickvals[1]]


def test_numbers_are_legible_in_every_cell():
    """With a contrast of 4.5:1."""
    for colour in PALE:
        lighter, darker = luminance(colour), luminance(DARK)
        assert (lighter + 0.05) / (darker + 0.05) > 4.5


def test_wins_are_right_and_losses_left():
    rows = pd.DataFrame({"test_set": ["de", "en"], "wins": [3, 0], "losses": [1, 2], "undecided": [0, 2]})
    figure = outcomes_figure(rows, system="A", signature="s")
    losses, wins = figure.data
    assert (list(losses.x), list(wins.x)) == ([-1, -2], [3, 0])
    assert wins.text[1] == "<b>A</b> on en<br>0 significantly worse, 2 significantly better, 2 undecided"
    assert figure.layout.meta["alt"] == (
        "A against the other systems on 2 test sets: 3 significantly worse; 3 significantly better; 2 undecided."
    )


def test_both_directions_of_a_pair_are_in_the_matrix():
    figure = won_figure(COUNTED, ["A", "B", "C"], signature="s")
    (heat,) = figure.data
    np.testing.assert_array_equal(heat.z, [[np.nan, 2, 5], [1, np.nan, 0], [0, 0, np.nan]])
    assert heat.text[1][0] == "<b>B</b> over <b>A</b><br>significant on 1 of 5 test sets"
    assert figure.layout.meta["alt"] == (
        "2 of 3 pairs (67%) are significant on some test set; 1 in both directions; most test sets: 5 (A over C)."
    )


def forest(n: int) -> pd.DataFrame:
    """n test sets and their mean; the last test set was not tested."""
    gains = [*np.linspace(1, -1, n - 1), np.nan, 0.1]
    table = pd.DataFrame({"domain": [*map(str, range(n)), "macro-average"], "gain": gains, "units": 9})
    numbers = {"score_a": 1.0, "score_b": 1.0, "p": 0.4, "p_bound": np.nan, "p_corrected": 1.0}
    numbers |= {"p_corrected_bound": np.nan, "verdict": "undecided"}
    return table.assign(
        gain_low=table["gain"] - 1,
        gain_high=table["gain"] + 1,
        significant=table["gain"].abs() > 0.9,
        **numbers,
        reason=np.where(table["gain"].isna(), "no two valid outputs", ""),
    )


def test_the_average_is_a_diamond_below_the_others():
    table = forest(30)
    options = {"a": "A", "b": "B", "metric": LAS, "signature": "s"}
    figure = pair_by_domain_figure(table, average=True, **options)
    symbols = list(figure.data[0].marker.symbol)
    assert (symbols[0], symbols[5], symbols[-1]) == ("circle", "circle-open", "diamond-open")
    assert figure.layout.height - pair_by_domain_figure(forest(29), average=True, **options).layout.height == LOW_ROW
    assert figure.layout.meta["alt"] == (
        "A over B: gain in LAS -1.00 (28) to 1.00 (0); significant in 4 of 29 test sets (14%), for B in 2 of them; "
        "average 0.10 (macro-average)."
    )
