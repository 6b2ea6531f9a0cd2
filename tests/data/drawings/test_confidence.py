"""Arcs coloured by the confidence of edges."""

from __future__ import annotations

import re

import numpy as np
import pytest

from nlpsig_core.data.drawings import DRAWINGS
from nlpsig_core.data.drawings.words import STEPS, colour_of
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers import READERS
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import treebank

GOLD = treebank("a/0/root b/1/obj c/1/obl", "d/0/root")
DRAWING = DRAWINGS["raw-text dependencies"]


@pytest.mark.parametrize(
    ("confidence", "colour"), [(0.0, STEPS[0][1]), (0.25, STEPS[1][1]), (0.9, STEPS[3][1]), (0.95, ""), (1.0, "")]
)
def test_the_colour_of_an_edge(confidence, colour):
    assert colour_of(confidence) == colour


def test_arcs_have_the_colour_of_their_confidence_and_wrong_ones_their_mark():
    """Of the words a, b, c the last two are unsure: two coloured arcs, of which c's has a wrong head."""
    output = treebank("a/0/root b/1/obj c/2/obl", "d/0/root")
    sure = {"A": np.array([1.0, 0.6, 0.1, 0.3])}
    drawn = DRAWING.draw(GOLD, {"A": output}, 0, METRICS["UAS"], sure)
    arcs = re.findall(r'<div class="arc ([^"]*)" style="([^"]*)"', drawn)
    coloured = [(kind, colour[1]) for kind, style in arcs if (colour := re.search("border-color:(#[0-9A-F]+)", style))]
    assert [colour for _, colour in coloured] == [STEPS[2][1], STEPS[0][1]]
    assert ["wrong-head" in kind for kind, _ in coloured] == [False, True]
    assert re.findall(r'class="tag">(\d+%)', drawn) == ["100%", "60%", "10%"]
    assert "confidence 10.0%" in drawn
    assert "confidence below 25%" in drawn


def test_without_confidences_nothing_changes():
    output = treebank("a/0/root b/1/obj c/2/obl", "d/0/root")
    plain = DRAWING.draw(GOLD, {"A": output}, 0, METRICS["UAS"])
    assert DRAWING.draw(GOLD, {"A": output}, 0, METRICS["UAS"], {}) == plain
    assert "border-color:#" not in plain.partition("</style>")[2]


def test_conllx_is_drawn_in_the_same_way():
    loaded = load_task("selmek-conllx")
    test_set = loaded.test_set()
    output = test_set.read("x", next(iter(test_set.outputs.values())).load())
    metric = next(m for m in METRICS.values() if m.family.reader == "CoNLL-X" and m.columns[0] == "uas")
    sure = {"A": np.linspace(0, 1, len(output.tokens))}
    drawn = DRAWINGS[READERS["CoNLL-X"].drawing].draw(test_set.gold, {"A": output}, 0, metric, sure)
    assert f"border-color:{STEPS[0][1]}" in drawn
