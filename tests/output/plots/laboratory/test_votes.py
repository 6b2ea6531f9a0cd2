"""The figure of trees that vote: an arc for each edge, as thick as its votes, in the colour of its confidence."""

from __future__ import annotations

import pandas as pd
import pytest

from nlpsig_core.data.drawings.words import STEPS
from nlpsig_core.output.plots import votes_figure
from nlpsig_core.output.plots.laboratory.votes import ABOVE_ARCS, OTHER_TREES, THICK, THIN
from nlpsig_core.output.plots.style.theme import NEUTRAL

FORMS = ("a<b>", "saw", "c")
# The tree of the parser: saw is the root, of which a and c depend; the gold has c below a.
EDGES = pd.DataFrame(
    [
        (1, 2, 50, True, True),
        (2, 0, 48, True, True),
        (2, 3, 2, False, False),
        (3, 1, 20, False, True),
        (3, 2, 30, True, False),
    ],
    columns=["word", "head", "votes", "predicted", "right"],
)


@pytest.fixture(scope="module")
def figure():
    return votes_figure(EDGES, FORMS, trees=50, signature="confidence:kd-fix|s:4 rms")


@pytest.fixture(scope="module")
def arcs(figure):
    """The trace of each edge, by its row."""
    return {trace.customdata[0]: trace for trace in figure.data if trace.customdata is not None}


def test_an_arc_is_as_thick_as_its_votes(arcs):
    assert sorted(arcs) == list(EDGES.index)
    widths = [arcs[row].line.width for row in EDGES["votes"].sort_values().index]
    assert widths == sorted(widths)
    assert widths[-1] == THICK
    assert arcs[2].line.width == pytest.approx(THIN + (THICK - THIN) * 2 / 50)


def test_colours_are_those_of_the_work_list_and_wrong_edges_are_dashed(arcs):
    """100%, 96%, 4%, 40% and 60% of the trees."""
    assert [arcs[row].line.color for row in EDGES.index] == [NEUTRAL, NEUTRAL, STEPS[0][1], STEPS[1][1], STEPS[2][1]]
    assert [arcs[row].line.dash == "solid" for row in EDGES.index] == EDGES["right"].tolist()


def test_the_parsers_own_tree_is_marked(figure, arcs):
    """By arrowheads, full colours and the votes below the words; it is drawn last."""
    assert [max(arcs[row].marker.size) > 0 for row in EDGES.index] == EDGES["predicted"].tolist()
    assert {arcs[row].opacity for row in EDGES.index[EDGES["predicted"]]} == {1}
    assert {arcs[row].opacity for row in EDGES.index[~EDGES["predicted"]]} == {OTHER_TREES}
    assert list(figure.layout.xaxis.ticktext) == ["<b>a&lt;b></b><br>50", "<b>saw</b><br>48", "<b>c</b><br>30"]
    order = [trace.customdata[0] for trace in figure.data if trace.customdata is not None]
    assert set(order[-3:]) == set(EDGES.index[EDGES["predicted"]])


def test_arcs_end_at_their_words_and_roots_hang_from_above(figure, arcs):
    places = figure.layout.xaxis.tickvals
    for edge in EDGES.itertuples():
        x, y = arcs[edge.Index].x, arcs[edge.Index].y
        assert (x[-1], y[-1]) == (pytest.approx(places[edge.word - 1]), pytest.approx(0, abs=1e-5))
        beside = -1 if edge.head > edge.word else 1
        assert edge.head == 0 or 0 < beside * (x[0] - places[edge.head - 1]) < 10
    assert len(set(arcs[1].x)) == 1
    assert arcs[1].y[0] > max(arcs[3].y) > max(arcs[0].y)
    roots = [note for note in figure.layout.annotations if note.text == "root"]
    assert [note.x for note in roots] == [places[1]]


def test_hover_texts_and_the_signature(figure, arcs):
    assert arcs[4].text[0] == "<b>c</b>, head <b>saw</b><br>30 votes of 50<br>in the parser's own tree<br>wrong"
    assert arcs[1].text[0].startswith("<b>saw</b>, head <b>root</b>")
    assert arcs[2].text[0].endswith("2 votes of 50<br>not in the parser's own tree<br>wrong")
    assert "confidence:kd-fix" in figure.layout.meta["signature"]


def test_a_finger_on_the_figure_scrolls_and_does_not_zoom(figure):
    assert figure.layout.dragmode is False
    assert figure.layout.xaxis.fixedrange
    assert figure.layout.yaxis.fixedrange


def test_a_sentence_of_one_word_is_drawn():
    one = votes_figure(EDGES.iloc[[1]].assign(word=1), ("Yes",), trees=50, signature="x")
    assert list(one.data[0].y) == [ABOVE_ARCS, 0]
