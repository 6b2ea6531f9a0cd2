"""Figures for a paper: as wide as a column or a page, on white, with short names and nothing of the screen."""

import pandas as pd
import plotly.graph_objects as go
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots import gain_figure, ranking_figure
from nlpsig_core.output.plots.style.embedded import COLUMN, PAGE, paper_layout
from nlpsig_core.output.plots.style.layout import finish, legend_below

LONG = "a-system-with-a-long-name-<1>"
BINS = pd.DataFrame({"gain": [-0.5, 0.5, 1.5], "resamples": 3, "width": 1.0, "above": 0, "below": 1})


def ranking():
    of = {"group": "g", "rank_low": 1, "rank_high": 2, "tied_group": 1, "status": "", "valid": True}
    scores = pd.DataFrame({"system": [LONG, "b"], "score": [2.0, 1.0], "low": [1.0, 0.0], "high": [3.0, 2.0]})
    return ranking_figure(scores.assign(**of), metric=METRICS["LAS"], signature="metric:LAS|b:10", highlight=[LONG])


@pytest.mark.parametrize(("inches", "width"), [(COLUMN, 317), (PAGE, 662)])
def test_a_figure_is_as_wide_as_a_column_or_a_page(inches, width):
    """3.3 * 96 = 317 and 6.9 * 96 = 662; the height is 0.85 or 0.6 of it and what stands above the data."""
    figure = gain_figure(BINS, a="a", b="b", gain=0.9, metric=METRICS["LAS"], signature="metric:LAS|b:10")
    layout = paper_layout(figure, inches)
    assert layout["width"] == width
    assert layout["height"] == round({COLUMN: 0.85, PAGE: 0.6}[inches] * width) + layout["margin"]["t"]
    assert layout["font"]["family"].startswith("Roboto")
    assert layout["template"]["layout"]["paper_bgcolor"] == "white"
    assert not any("b:10" in note["text"] for note in layout["annotations"])
    assert figure.layout.width is None


def test_rows_keep_their_height_and_names_are_short_in_a_column():
    figure = ranking()
    column, page = (paper_layout(figure, inches) for inches in (COLUMN, PAGE))
    assert column["height"] == page["height"] == figure.layout.height - 24
    assert column["yaxis"]["ticktext"] == ["<b>a-syste…name-&lt;1></b>", "b"]
    assert page["yaxis"]["ticktext"][0] == "<b>a-system-with-a-long-name-&lt;1></b>"


def test_names_of_lines_above_the_data_have_room():
    layout = paper_layout(gain_figure(BINS, a="a", b="b", gain=0.9, metric=METRICS["LAS"], signature="s"), COLUMN)
    assert any(note["y"] == 1 for note in layout["annotations"])
    assert layout["margin"]["t"] >= 16


def test_a_legend_among_the_data_is_below_them_in_a_column():
    """Two entries of 20 pixels; on a page it has room in the lower right."""
    two = [go.Scatter(x=[0, 1], y=[0, 1], name=name) for name in "ab"]
    column, page = (
        paper_layout(finish(go.Figure(two), 500, alt="", signature=""), inches) for inches in (COLUMN, PAGE)
    )
    assert (column["legend"]["orientation"], column["legend"]["yref"]) == ("h", "container")
    assert column["margin"]["b"] == page["margin"]["b"] + 40
    assert "orientation" not in page["legend"]


def test_a_legend_below_the_axis_makes_the_figure_taller_and_ticks_may_be_numbers():
    two = [go.Scatter(x=[0, 1], y=[0, 1], name=name) for name in "ab"]
    figure = legend_below(finish(go.Figure(two), 500, alt="", signature=""))
    figure.update_xaxes(tickvals=[-1, 1], ticktext=[1, 1])
    for inches, high in ((COLUMN, 0.85), (PAGE, 0.6)):
        layout = paper_layout(figure, inches)
        assert layout["margin"]["b"] == 80
        assert layout["height"] == round(high * layout["width"]) + layout["margin"]["t"] + 40
    assert paper_layout(figure, COLUMN)["xaxis"]["ticktext"] == ["1", "1"]
