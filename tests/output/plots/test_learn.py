"""The Learn page's figures: their data are the frames', their marks stand where the numbers say."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots.learn.gains import curve_figure, resampled_figure
from nlpsig_core.output.plots.learn.large_print import COUNTED, NOTE_SIZE, OTHER, TICK_SIZE
from nlpsig_core.output.plots.learn.tests import (
    LEAST,
    false_alarms_figure,
    p_histogram_figure,
    rules_figure,
    sorted_p_figure,
)
from nlpsig_core.output.plots.learn.units import drawn_figure, running_gain_figure, world_figure
from nlpsig_core.output.plots.style.theme import NEUTRAL
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.lessons.equal_systems import BH, HOLM, ONE_SIDED, TWO_SIDED, limits
from nlpsig_core.studies.lessons.null_world import p_histogram
from nlpsig_core.studies.lessons.resampled import BELOW, EVENTS, TWICE, resampled
from nlpsig_core.studies.lessons.sample import running_gain
from nlpsig_core.studies.lessons.theory import confidence_curve
from tests.studies.lessons.test_lessons import pair

COMMON = {"metric": METRICS["LAS"], "signature": "metric:LAS|b:500"}
UNITS = running_gain(pair(1, 50))


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def verticals(figure: go.Figure) -> list[float]:
    return [shape.x0 for shape in figure.layout.shapes if shape.x0 == shape.x1]


def test_every_figure_is_in_large_print_and_signed():
    figure = running_gain_figure(UNITS, 50, names=("a", "b"), unit="sentence", **COMMON)
    assert figure.layout.xaxis.tickfont.size == figure.layout.yaxis2.tickfont.size == TICK_SIZE >= 14
    assert NOTE_SIZE >= 14
    assert figure.layout.meta["signature"] == "metric:LAS|b:500"
    assert figure.layout.legend.y > 1


def test_running_gain_shows_units_and_their_sum():
    figure = running_gain_figure(UNITS, 20, names=("a<i>", "b"), unit="segment", **COMMON)
    wins, losses, solid, faint, mark = figure.data
    assert set(wins.x) == set(UNITS.loc[UNITS["gain"] > 0, "unit"])
    assert (np.asarray(losses.y) < 0).all()
    assert (wins.name, losses.name) == ("a&lt;i> better", "b better")
    inside = np.asarray(wins.x) <= 20
    assert (np.asarray(wins.marker.opacity)[inside] == 1).all()
    assert (np.asarray(wins.marker.opacity)[~inside] < 0.5).all()
    assert list(solid.x) == list(range(1, 21))
    assert list(faint.x) == list(range(20, 51))
    np.testing.assert_allclose([*solid.y, *faint.y[1:]], UNITS["running"])
    assert (mark.x[0], mark.text[0]) == (20, f"<b>{UNITS['running'][19]:.2f}</b>")
    assert any(shape.y0 == UNITS["running"].iloc[-1] for shape in figure.layout.shapes)
    assert figure.layout.xaxis2.title.text == "segments, in the order of the test set"


def test_the_first_jumps_of_the_running_gain_do_not_set_its_scale():
    units = UNITS.assign(running=np.r_[-90.0, np.linspace(-1, 2, 49)])
    figure = running_gain_figure(units, 50, names=("a", "b"), unit="sentence", **COMMON)
    low, high = figure.layout.yaxis2.range
    assert -2 < low < -0.5
    assert 2 < high < 3


@pytest.mark.parametrize("n", [1, 2, 48, 500, 2_077])
def test_every_unit_is_a_dot_of_the_grid(n):
    times = np.random.default_rng(0).poisson(1, n)
    figure = drawn_figure(times, None, unit="sentence", signature="x")
    dots = figure.data[0]
    assert len({*zip(dots.x, dots.y, strict=True)}) == n
    assert list(dots.customdata) == list(range(1, n + 1))
    size = np.asarray(dots.marker.size)
    for fewer in range(4):
        if (times == fewer).any() and (times == fewer + 1).any():
            assert size[times == fewer].max() < size[times == fewer + 1].min()
    assert {*np.asarray(dots.marker.color)[times == 0]} <= {NEUTRAL}


def test_swapped_units_are_a_trace():
    units = pd.DataFrame({"unit": [0, 1, 2], "gain": [1.0, -2.0, 0.0], "swapped": [False, True, False]})
    as_it_was, swapped = world_figure(units, unit="sentence", **COMMON).data
    assert (list(as_it_was.x), list(as_it_was.y)) == ([1, 3], [1, 0])
    assert (list(swapped.x), list(swapped.y)) == ([2], [-2])


@pytest.fixture(scope="module")
def found():
    """2,000 resamples of a pair."""
    return resampled(pair(4, 60), Resampling(2_000, seed=1))


@pytest.mark.parametrize("event", EVENTS)
def test_counted_resamples_are_coloured(found, event):
    not_counted, counted = resampled_figure(found, event=event, **COMMON).data
    assert (not_counted.marker.color, counted.marker.color) == (OTHER, COUNTED)
    assert sum(counted.y) == found.hits[event] > 0
    assert sum(counted.y) + sum(not_counted.y) == 2_000
    at = np.asarray(counted.x)[np.asarray(counted.y) > 0]
    half = found.bins["width"][0] / 2
    assert (at < half).all() if event == BELOW else (at > found.gain * (2 if event == TWICE else 1) - half).all()


def test_the_histogram_marks_0_delta_and_twice_delta(found):
    plain = resampled_figure(found, **COMMON)
    assert verticals(plain) == pytest.approx([0, found.gain, 2 * found.gain])
    assert notes(plain)[:3] == ["<b>0</b>", f"<b>δ = {found.gain:.2f}</b>", "<b>2δ</b>"]
    assert sum(plain.data[1].y) == 0
    assert plain.layout.xaxis.range == (found.low, found.high)
    centred = resampled_figure(found, centred=True, **COMMON)
    assert verticals(centred) == pytest.approx([-found.gain, 0, found.gain])
    assert notes(centred)[:3] == ["<b>−δ</b>", "<b>0</b>", f"<b>δ = {found.gain:.2f}</b>"]
    np.testing.assert_allclose(np.asarray(centred.data[0].x) + found.gain, plain.data[0].x)
    np.testing.assert_allclose(np.asarray(centred.layout.xaxis.range) + found.gain, plain.layout.xaxis.range)


PAIRS = pd.DataFrame(
    {
        "system_a": ["a<", "b", "c", "d"],
        "system_b": ["x"] * 4,
        "gain": [0.5, 1.0, 9.0, 0.0],
        "p_value": [0.3, 0.1, 0, 1],
    }
)


def test_curves_over_the_dots():
    now, moved = confidence_curve(1.0, 4.0), confidence_curve(0.5, 4.0)
    figure = curve_figure(PAIRS, now, moved, 0.82, level=0.05, **COMMON)
    dots, solid, dashed = figure.data
    assert (list(dots.x), list(dots.y)) == ([0.5, 1.0], pytest.approx([0.7, 0.9]))
    assert dots.text[0] == "<b>a&lt;</b> over <b>x</b>"
    np.testing.assert_allclose(solid.y, moved["confidence"])
    np.testing.assert_allclose(dashed.y, now["confidence"])
    assert (solid.line.dash, dashed.line.dash) == ("solid", "dash")
    assert figure.layout.xaxis.range == (0, 4)
    assert verticals(figure) == [0.82]
    assert "<b>0.82</b>" in notes(figure)
    assert any(shape.y0 == shape.y1 == 0.95 for shape in figure.layout.shapes)


def test_a_gain_beyond_what_is_shown_is_not_marked():
    curve = confidence_curve(1.0, 4.0)
    assert not verticals(curve_figure(PAIRS, curve, curve, 4.5, level=0.05, **COMMON))
    assert curve_figure(PAIRS.head(0), curve, curve, 1.0, level=0.05, **COMMON).layout.yaxis.range[0] < 0.5


def test_p_of_worlds_with_the_flat_line_and_its_band():
    p = np.random.default_rng(0).uniform(0, 0.5, 400)
    bins = p_histogram(p, 0.07, flat_to=0.5)
    figure = p_histogram_figure(bins, 0.07, what="winner's one-sided p", signature="x")
    below, above = figure.data
    assert sum(below.y) == (p < 0.07).sum()
    assert sum(below.y) + sum(above.y) == 400
    band = next(shape for shape in figure.layout.shapes if shape.type == "rect")
    assert (band.x0, band.x1) == (0, 0.5)
    assert (band.y0, band.y1) == (bins["flat_low"][0], bins["flat_high"][0])
    lines = [shape for shape in figure.layout.shapes if shape.y0 == shape.y1]
    assert {shape.y0 for shape in lines} == {40}
    assert {shape.x1 for shape in lines} == {0.5}
    assert verticals(figure) == [0.07]
    assert "<b>α = 0.07</b>" in notes(figure)


RULES = pd.DataFrame(
    {
        "rule": ["one", "two", "three", "four"],
        "one_sided": [0.04, 0.0, 0.9, 1e-20],
        "two_sided": [0.08, np.nan, 0.2, 2e-20],
        "n_resamples": [1_000, 1_000, 0, 0],
    }
)


def test_rules_on_a_logarithmic_axis():
    """Where nothing was counted p stands at 1 / b, open; where a formula gives next to nothing, at LEAST."""
    figure = rules_figure(RULES, 0.05, a="a", b="b", chosen="two", signature="x")
    one, two = figure.data
    assert list(one.x) == [0.04, 0.001, 0.9, LEAST]
    assert list(one.y) == [0, 1, 2, 3]
    assert list(one.marker.symbol) == ["circle", "circle-open", "circle", "circle-open"]
    assert (list(two.x), list(two.y)) == ([0.08, 0.2, LEAST], [0, 2, 3])
    assert one.marker.color != two.marker.color
    assert "<b>two</b>" in notes(figure)
    assert "three: the other system is ahead" in notes(figure)
    assert verticals(figure) == [0.05] * 4
    level = next(note for note in figure.layout.annotations if "α" in note.text)
    assert level.x == pytest.approx(math.log10(0.05))
    assert figure.layout.xaxis.range[0] < math.log10(LEAST)


def test_sorted_p_beside_the_limits():
    p = np.array([0.5, 0.001, 0.0, 0.04, 0.9, 0.2])
    table = limits(6, 0.05)
    figure = sorted_p_figure(p, table, n_resamples=1_000, signature="x")
    traces = {trace.name: trace for trace in figure.data}
    assert list(traces["pairs"].y) == [0.0005, 0.001, 0.04, 0.2, 0.5, 0.9]
    assert list(traces["pairs"].marker.symbol) == ["diamond"] * 3 + ["circle"] * 3
    for name, column in ((HOLM, HOLM), (BH, BH), ("α", "alpha"), ("independent pairs", "expected")):
        np.testing.assert_allclose(traces[name].y, table[column])
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    low, high = figure.layout.yaxis.range
    assert low < math.log10(0.0005)
    assert high > 0


def test_false_alarms_set_by_set_with_their_mean():
    alarms = pd.DataFrame({"draw": [0, 1], ONE_SIDED: [10, 20], TWO_SIDED: [4, 6], HOLM: [0, 0], BH: [0, 1]})
    figure = false_alarms_figure(alarms, pairs=190, signature="x")
    assert [list(trace.y) for trace in figure.data] == [[10, 20], [4, 6], [0, 0], [0, 1]]
    assert [note for note in notes(figure) if "mean" in note] == [
        f"<b>mean<br>{value}</b>" for value in ("15.0", "5.0", "0.0", "0.5")
    ]
    assert [shape.y0 for shape in figure.layout.shapes] == [15, 5, 0, 0.5]
    assert list(figure.layout.xaxis.ticktext)[-1] == "Benjamini-<br>Hochberg"
    for place, trace in enumerate(figure.data):
        assert np.round(trace.x).tolist() == [place, place]
