"""Figures of one pair's evidence and of two tests: their data is the frame's, their counts and lines are right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import scipy.stats

from nlpsig_core.base.words import share
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots import by_part_figure, two_tests_figure, unit_gains_figure, without_figure
from nlpsig_core.output.plots.style.confidence import MANY, NAMED
from nlpsig_core.output.plots.style.theme import ACCENT, BLUE, NEUTRAL
from nlpsig_core.output.plots.two_tests import LEAST
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.pair.units import by_part, histogram, unit_gains
from nlpsig_core.studies.pair.without import carried_by, gain_without
from tests.builders import random_stats, shares
from tests.output.plots.test_domains import luminance

LAS, AER = METRICS["LAS"], METRICS["AER"]
FEW = Resampling(1_000)
COMMON = {"metric": LAS, "unit": "sentence", "signature": "metric:LAS|b:1000"}
NAMES = {"a": "good", "b": "bad"}


@pytest.fixture(scope="module")
def stats() -> Stats:
    """Two systems on 120 units, the better one first; it wins by about two standard errors."""
    rng = np.random.default_rng(2)
    return shares(np.stack([rng.binomial(10, 0.58, 120), rng.binomial(10, 0.5, 120)]), of=10)


@pytest.fixture(scope="module")
def pairs() -> pd.DataFrame:
    """All 66 pairs of twelve systems with two-sided p by the bootstrap and by the sign test."""
    many = replace(random_stats(1, 12, 120), names=tuple(f"s{i}" for i in range(12)))
    result = bootstrap(many, FEW)
    classes = np.array(["different groups", "same group"])[np.arange(66) % 2]
    table = pair_table(result, many, classes, np.array(many.names))
    by_sign = TESTS["sign"].run(many, result.pairs, FEW, None)
    bound = np.where(table["p_two_sided"] == 0, 1 / 1_000, np.nan)
    return table.assign(p_x=table["p_two_sided"], bound_x=bound, p_y=by_sign.two_sided, bound_y=np.nan, opposed=False)


def notes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def against(pairs: pd.DataFrame, **options) -> go.Figure:
    chosen = {"name_x": "paired bootstrap", "name_y": "sign test", "n_resamples": (1_000, 0)}
    return two_tests_figure(pairs, metric=LAS, signature="metric:LAS|b:1000", **(chosen | options))


def test_every_unit_is_in_the_bar_and_the_histogram(stats):
    """The bar is losses, ties and wins from left to right; the histogram has the units that are won or lost."""
    gains = unit_gains(stats)["gain"]
    figure = unit_gains_figure(histogram(unit_gains(stats)), **NAMES, **COMMON)
    shares_ = [trace for trace in figure.data if trace.orientation == "h"]
    assert [trace.x[0] for trace in shares_] == [(gains < 0).sum(), (gains == 0).sum(), (gains > 0).sum()]
    assert [trace.marker.color for trace in shares_] == [ACCENT, NEUTRAL, BLUE]
    losing, winning = (trace for trace in figure.data if trace.orientation != "h")
    assert sum(losing.y) == (gains < 0).sum()
    assert sum(winning.y) == (gains > 0).sum()
    assert max(losing.x) < 0 < min(winning.x)
    assert sum(winning.y[winning.x > 30]) == (gains > 30).sum()
    assert figure.layout.barmode == "stack"
    few = unit_gains_figure(histogram(unit_gains(stats)).assign(units=9), **NAMES, **COMMON)
    assert (figure.layout.yaxis2.dtick, few.layout.yaxis2.dtick) == (None, 1), "no half units"


def test_counts_stand_on_their_side_with_their_system(stats):
    """The loser's on the left, the winner's on the right, ties below the middle of their part, with whole percents."""
    gains = unit_gains(stats)["gain"]
    found = unit_gains_figure(histogram(unit_gains(stats)), **NAMES, **COMMON)
    lost, tied, won = ((gains < 0).sum(), (gains == 0).sum(), (gains > 0).sum())
    left, middle, right = found.layout.annotations[:3]
    assert left.text == f"bad<br>{lost} better ({share(lost / 120)})"
    assert middle.text == f"{tied} tied ({share(tied / 120)})"
    assert middle.x == (lost + tied / 2) / 120
    assert middle.yref == "y domain", "of the bar"
    assert right.text == f"good<br>{won} better ({share(won / 120)})"
    assert [note.xanchor for note in (left, middle, right)] == ["left", "center", "right"]


@pytest.mark.parametrize(("won", "lost", "side"), [(4, 36, "right"), (36, 4, "left"), (0, 40, "right")])
def test_ties_near_an_end_are_named_inside_the_figure(won, lost, side):
    """Of 50 units 10 are tied: those after 36 or 40 losses are in the last quarter, those after 4 in the first."""
    better, worse = [1] * won + [0] * lost, [0] * won + [1] * lost
    figure = unit_gains_figure(histogram(unit_gains(shares([better + [1] * 10, worse + [1] * 10]))), **NAMES, **COMMON)
    (tied,) = (note for note in figure.layout.annotations if "tied" in note.text)
    assert (tied.x, tied.xanchor) == ((lost + 5) / 50, side)


def test_a_bar_without_ties_names_none():
    figure = unit_gains_figure(histogram(unit_gains(shares([[1, 1, 0], [0, 0, 1]]))), **NAMES, **COMMON)
    assert notes(figure) == ["bad<br>1 better (33%)", "good<br>2 better (67%)"]


def test_names_of_usual_length_are_whole(stats):
    """Two of them fill the width of a phone."""
    long = {"a": "transformer-large-v3", "b": "transformer-small-v3"}
    left, *_, right = notes(unit_gains_figure(histogram(unit_gains(stats)), **long, **COMMON))
    assert (left.partition("<br>")[0], right.partition("<br>")[0]) == (long["b"], long["a"])


def test_parts_show_both_scores_and_the_gain_with_its_interval(stats):
    bounds = {"0–9": (0, 10), "10–49": (10, 50), "50–119": (50, 120)}
    table = by_part({name: stats.take(np.arange(*ends)) for name, ends in bounds.items()}, FEW)
    figure = by_part_figure(table, part="length", title="length (words)", **NAMES, **COMMON)
    dots = [trace for trace in figure.data if trace.mode == "markers" and len(trace.y) == 3]
    for trace, column in zip(dots, ("score_a", "score_b", "gain"), strict=True):
        np.testing.assert_allclose(trace.x, table[column])
    np.testing.assert_allclose(dots[2].x + dots[2].error_x.array, table["gain_high"])
    np.testing.assert_allclose(dots[2].x - dots[2].error_x.arrayminus, table["gain_low"])
    # The first bin has ten units, which are few.
    assert list(dots[0].marker.symbol) == ["circle-open", "circle", "circle"]
    assert list(dots[1].marker.symbol) == ["diamond-open", "diamond", "diamond"]
    assert list(figure.layout.yaxis.ticktext) == ["0–9 (10)", "10–49 (40)", "50–119 (70)"]
    assert figure.layout.yaxis.title.text.replace("<br>", " ") == "length (words), number of sentences"
    assert [trace.name for trace in figure.data if trace.showlegend is None] == ["good", "bad"]
    assert "10 sentences are few" in dots[0].text[0]


@pytest.mark.parametrize(
    ("low", "high", "ticks"), [(-4.1, 4.9, [-4, 0, 4]), (0.3, 20.5, [0, 10, 20]), (-0.19, 0.25, [-0.2, 0, 0.2])]
)
def test_zero_is_not_the_only_tick_of_gains(low, high, ticks):
    """Half of the axis, rounded down to one digit, is the distance of ticks."""
    parts = pd.DataFrame({"gain": [low, high], "gain_low": np.nan, "gain_high": np.nan, "units": 9, "note": "few"})
    table = parts.assign(part=["a", "b"], score_a=50.0, score_b=50.0)
    of_gains = by_part_figure(table, part="length", title="words", **NAMES, **COMMON).layout.xaxis2
    assert of_gains.tick0 == 0
    assert of_gains.dtick == pytest.approx(ticks[2] - ticks[1])


def test_gains_of_nothing_have_usual_ticks():
    parts = pd.DataFrame({"part": ["a"], "gain": [0.0], "gain_low": [np.nan], "gain_high": [np.nan], "units": [9]})
    table = parts.assign(note="", score_a=50.0, score_b=50.0)
    assert by_part_figure(table, part="length", title="words", **NAMES, **COMMON).layout.xaxis2.dtick is None


def test_the_line_between_two_scores_joins_them(stats):
    table = by_part({"news": stats.take(np.arange(1, 120, 2)), "web": stats.take(np.arange(0, 120, 2))}, FEW)
    line = next(
        trace
        for trace in by_part_figure(table, part="domain", title="domain", **NAMES, **COMMON).data
        if trace.mode == "lines"
    )
    assert [line.x[0], line.x[1]] == table.loc[0, ["score_a", "score_b"]].tolist()
    assert line.x[2] is None or np.isnan(line.x[2])
    assert list(line.y) == [0, 0, 0, 1, 1, 1]


def test_the_curve_changes_where_the_result_stops_being_significant(stats):
    """Solid up to the number that carries the result, dashed from there; the chosen number is marked on it."""
    curve, carried = gain_without(stats), carried_by(stats, FEW)
    assert carried is not None
    assert 1 < carried.k < len(curve) - 2
    figure = without_figure(curve, k=3, carried=carried.k, **COMMON)
    solid, dashed, chosen = figure.data
    assert list(solid.x) == list(range(carried.k + 1))
    assert list(dashed.x) == list(range(carried.k, len(curve)))
    np.testing.assert_allclose([*solid.y, *dashed.y[1:]], curve["gain"])
    assert (solid.line.dash, dashed.line.dash) == ("solid", "dash")
    assert (list(chosen.x), list(chosen.y)) == ([3], [curve["gain"][3]])
    levels = [shape.y0 for shape in figure.layout.shapes if shape.y0 == shape.y1]
    assert levels == [0, curve["gain"][0]]
    assert [shape.x0 for shape in figure.layout.shapes if shape.x0 == shape.x1] == [carried.k]
    assert f"not significant without {carried.k}" in notes(figure)


def test_the_curve_of_what_nothing_or_all_carries(stats):
    curve = gain_without(stats)
    whole = without_figure(curve, k=0, carried=None, **COMMON)
    assert list(whole.data[0].x) == curve["k"].tolist()
    assert not any("not significant" in note for note in notes(whole))
    never = without_figure(curve, k=0, carried=0, **COMMON)
    assert list(never.data[1].x) == curve["k"].tolist()
    assert "not significant with all" in notes(never)
    tie = without_figure(gain_without(shares([[1, 0], [0, 1]])), k=0, carried=0, **COMMON)
    assert list(tie.data[2].y) == [0]
    assert (whole.layout.xaxis.dtick, tie.layout.xaxis.dtick) == (None, 1)


@pytest.mark.parametrize(("carried", "x"), [(None, 1), (0, 1), (2, 1), (5, 0), (9, 0), (10, 0)])
def test_the_name_of_the_dotted_line_is_in_the_half_without_the_dashed_one(carried, x):
    curve = pd.DataFrame({"k": range(11), "share": 0.1, "gain": np.linspace(2, 1, 11)})
    figure = without_figure(curve, k=0, carried=carried, **COMMON)
    (name,) = (note for note in figure.layout.annotations if note.text == "as many at random")
    assert (name.x, name.xanchor) == (x, "right" if x else "left")


def test_p_by_two_tests_is_placed_by_the_normal_curve(pairs):
    """A p of 0.05 stands 1.96 standard errors from 1, one of 1 at 0; each pair once, by its row."""
    figure = against(pairs)
    rows = np.concatenate([trace.customdata for trace in figure.data])
    assert sorted(rows) == pairs.index[pairs["gain"] > 0].tolist()
    for trace in figure.data:
        shown = pairs.loc[trace.customdata]
        assert trace.name == f"{shown['comparison'].iloc[0]} ({len(shown)})"
        for axis, column, edge in ((trace.x, "p_x", 1 / 1_000), (trace.y, "p_y", LEAST)):
            expected = scipy.stats.norm.isf(shown[column].clip(lower=edge) / 2)
            np.testing.assert_allclose(axis, expected, rtol=1e-5, atol=1e-6)
    ticks = dict(zip(figure.layout.xaxis.ticktext, figure.layout.xaxis.tickvals, strict=True))
    assert ticks["0.05"] == pytest.approx(1.959964)
    assert ticks["1"] == 0
    assert ticks["≤ 0.001"] == pytest.approx(scipy.stats.norm.isf(0.0005))
    assert figure.layout.yaxis.ticktext[-1] == "≤ 10<sup>−6</sup>"


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.1])
def test_the_corners_are_counted(pairs, alpha):
    tested = pairs[pairs["gain"] > 0]
    figure = against(pairs, alpha=alpha)
    said = [note.replace("<br>", " ") for note in notes(figure)]
    x, y = tested["p_x"] < alpha, tested["p_y"] < alpha
    assert f"{(x & y).sum()} by both" in said
    assert f"{(x & ~y).sum()} only by paired bootstrap" in said
    assert f"{(~x & y).sum()} only by sign test" in said
    assert f"{(~x & ~y).sum()} by neither" in said
    at = scipy.stats.norm.isf(alpha / 2)
    lines = [shape for shape in figure.layout.shapes if shape.line.dash == "dash"]
    assert [line.x0 for line in lines if line.x0 == line.x1] == pytest.approx([at])
    assert [line.y0 for line in lines if line.y0 == line.y1] == pytest.approx([at])
    assert f"{alpha:g}" in figure.layout.xaxis.ticktext


def test_pairs_of_which_the_tests_favour_different_systems_are_told_apart(pairs):
    """One more such pair among those below alpha by both: open, counted apart, and said in its hover text."""
    both = pairs.index[(pairs["gain"] > 0) & (pairs["p_x"] < 0.05) & (pairs["p_y"] < 0.05)]
    figure = against(pairs.assign(opposed=pairs.index == both[0]))
    said = [note.replace("<br>", " ") for note in notes(figure)]
    assert f"{len(both)} by both, 1 of them for different systems" in said
    opened = [
        (place, trace)
        for trace in figure.data
        if not isinstance(trace.marker.symbol, str)
        for place, symbol in enumerate(trace.marker.symbol)
        if symbol.endswith("-open")
    ]
    assert [trace.customdata[place] for place, trace in opened] == [both[0]]
    assert "the tests favour different systems" in opened[0][1].text[opened[0][0]]


def test_pairs_without_gain_or_without_p_are_not_drawn(pairs):
    changed = pairs.copy()
    changed.loc[0, "gain"] = 0.0
    changed.loc[1, "p_y"] = np.nan
    assert sum(len(trace.x) for trace in against(changed).data) == 64
    assert len(against(pairs.iloc[:0]).data) == 0


def test_hover_names_both_systems_and_both_tests(pairs):
    trace = against(pairs).data[0]
    row, text = pairs.loc[trace.customdata[0]], trace.text[0]
    assert f"<b>{row['system_a']}</b> over <b>{row['system_b']}</b>" in text
    assert "by paired bootstrap" in text
    assert "by sign test" in text
    none = against(pairs.assign(p_x=0.0, bound_x=1 / 1_000)).data[0].text[0]
    assert "p < 0.001 by paired bootstrap" in none


def test_many_pairs_are_drawn_by_webgl_and_very_many_without_names(pairs):
    many = pd.concat([pairs] * (MANY // len(pairs) + 1), ignore_index=True)
    assert {trace.type for trace in against(many).data} == {"scattergl"}
    assert {trace.type for trace in against(pairs).data} == {"scatter"}
    more = pd.concat([pairs] * (NAMED // len(pairs) + 1), ignore_index=True)
    assert against(more).data[0].text is None
    assert against(more).data[0].customdata.dtype == np.int32


def test_names_are_no_markup(pairs, stats):
    odd = {"a": "a<i>", "b": "b&c"}
    table = histogram(unit_gains(stats))
    assert "b&amp;c<br>" in notes(unit_gains_figure(table, **odd, **COMMON))[0]
    parts = by_part_figure(by_part({"<b>": stats}, FEW), part="domain", title="domain", **odd, **COMMON)
    assert "a&lt;i>" in [trace.name for trace in parts.data]
    assert parts.layout.yaxis.ticktext[0].startswith("&lt;b>")
    tests = against(pairs.assign(system_a="a<i>"))
    assert "<b>a&lt;i></b>" in tests.data[0].text[0]


def test_all_carry_their_signature_and_colours_that_hold_on_both_themes(stats, pairs):
    figures = [
        unit_gains_figure(histogram(unit_gains(stats)), **NAMES, **COMMON),
        by_part_figure(by_part({"x": stats}, FEW), part="domain", title="domain", **NAMES, **COMMON),
        without_figure(gain_without(stats), k=1, carried=2, **COMMON),
        against(pairs),
    ]
    for figure in figures:
        assert figure.layout.meta["signature"] == "metric:LAS|b:1000"
    # WCAG's 3:1 for parts of figures, on white and on Streamlit's dark page.
    for colour in (BLUE, ACCENT, NEUTRAL):
        for ground in ("#FFFFFF", "#0E1117"):
            light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 3
