"""Figures of test-set size and power: their data is the frame's, their lines stand where the numbers say."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots.by_size import detectable_figure, power_figure, threshold_curve_figure
from nlpsig_core.output.plots.side_by_side import sizes_figure
from nlpsig_core.output.plots.style.confidence import view_limit
from nlpsig_core.output.plots.style.layout import log_axis
from nlpsig_core.output.plots.style.theme import ORDERED_COLOURS, ORDERED_SYMBOLS, STYLES
from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses.power import Errors, detectable_gains, power_curve, with_freedom
from nlpsig_core.studies.analyses.sizes import fit_by_size, spread_by_size, thresholds_by_size
from tests.builders import random_stats
from tests.output.plots.test_domains import dots_of, luminance

CLASSES = np.array(["different groups", "same group"])
COMMON = {"metric": METRICS["LAS"], "unit": "sentence", "signature": (SIGNATURE := "metric:LAS|b:500")}
ERRORS = Errors(0.4, 0.5, 0.6)
RULE = Rule(window=(0.0, 0.5), fewest=2)


@pytest.fixture(scope="module")
def pairs() -> pd.DataFrame:
    """All 66 pairs of twelve systems in two classes, on 30, 60 and 120 units, two draws of all but the last."""
    whole, found = random_stats(1, 12, 120), []
    rng = np.random.default_rng(0)
    for size, draw in ((30, 1), (30, 2), (60, 1), (60, 2), (120, 1)):
        units = np.arange(120) if size == 120 else rng.choice(120, size, replace=False)
        part = whole.take(units)
        result = bootstrap(part, Resampling(500))
        table = pair_table(result, part, CLASSES[np.arange(66) % 2], np.array(part.names))
        found.append(with_freedom(table, part).assign(size=size, draw=draw))
    return pd.concat(found, ignore_index=True)


def draw(pairs: pd.DataFrame, **options):
    return sizes_figure(pairs, **(COMMON | options))


def curve(table: pd.DataFrame, **options):
    return threshold_curve_figure(table, fit_by_size(table), spread_by_size(table), **(COMMON | options))


def notes(figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def test_the_colours_of_sizes_hold_on_light_and_dark_and_are_ordered():
    """A contrast of 3:1 on white and on the app's dark ground; darker with every step."""
    ground = luminance("#10161D")
    values = [luminance(colour) for colour in ORDERED_COLOURS]
    assert all(1.05 / (value + 0.05) >= 3 for value in values)
    assert all((value + 0.05) / (ground + 0.05) >= 3 for value in values)
    assert values == sorted(values, reverse=True)
    assert len(set(ORDERED_SYMBOLS)) == len(ORDERED_SYMBOLS) == len(ORDERED_COLOURS)


def test_every_pair_is_a_dot_of_its_size(pairs):
    figure = draw(pairs)
    limit = view_limit(pairs)
    assert figure.layout.xaxis.range == (0, limit)
    assert len(figure.data) == 3
    for trace, size in zip(figure.data, (30, 60, 120), strict=True):
        rows = pairs.loc[trace.customdata]
        assert set(rows["size"]) == {size}
        assert len(rows) == ((pairs["size"] == size) & (pairs["gain"] <= limit)).sum()
        np.testing.assert_allclose(trace.x, rows["gain"], rtol=1e-6)
        np.testing.assert_allclose(trace.y, 1 - rows["p_value"], rtol=1e-6)
        assert trace.name.startswith(f"{size} sentences (")
    assert (
        len({trace.marker.color for trace in figure.data}) == len({trace.marker.symbol for trace in figure.data}) == 3
    )
    assert [trace.marker.color for trace in figure.data][::2] == [ORDERED_COLOURS[0], ORDERED_COLOURS[-1]]


def test_a_limit_and_the_level_can_be_chosen(pairs):
    figure = draw(pairs, limit=0.5, notion=Notion(level=0.1, sides="one"))
    assert figure.layout.xaxis.range == (0, 0.5)
    assert sum(len(trace.x) for trace in figure.data) == (pairs["gain"] <= 0.5).sum()
    assert any(shape.y0 == shape.y1 == 0.9 for shape in figure.layout.shapes)
    assert "winner's one-sided p = 0.1" in notes(figure)
    some = (pairs["size"] == 30) & (pairs["gain"] <= 0.5)
    assert figure.data[0].name == f"30 sentences ({some.sum()} of 132)"


def test_hover_says_who_how_much_and_which_part(pairs):
    """The draw only where there are several."""
    trace = draw(pairs).data[0]
    row = pairs.loc[trace.customdata[0]]
    assert f"<b>{row['system_a']}</b> over <b>{row['system_b']}</b>" in trace.text[0]
    assert f"gain in LAS {row['gain']:.2f}" in trace.text[0]
    assert trace.text[0].endswith("30 sentences, draw 1")
    assert draw(pairs[pairs["draw"] == 1]).data[0].text[0].endswith("30 sentences")
    odd = pairs.replace({"system_a": {"system0": "a<i>"}, "system_b": {"system0": "a<i>"}})
    assert "a&lt;i>" in "".join(draw(odd).data[0].text)
    assert "<i>" not in "".join(draw(odd).data[0].text)


def test_a_panel_a_size(pairs):
    """Each with the dots of its size by class, all on the same axes, each class in the legend once."""
    figure = draw(pairs, panels=True, limit=100)
    assert [note for note in notes(figure) if note.endswith("sentences")] == [
        "30 sentences",
        "60 sentences",
        "120 sentences",
    ]
    sizes = {None: 30, "x": 30, "x2": 60, "x3": 120}
    for trace in dots_of(figure):
        rows = pairs.loc[trace.customdata]
        assert set(rows["size"]) == {sizes[trace.xaxis]}
        assert set(rows["comparison"]) == {trace.name}
        assert (trace.marker.color, trace.marker.symbol) == STYLES[trace.name]
    assert sum(len(trace.x) for trace in dots_of(figure)) == 330
    assert [trace.name for trace in dots_of(figure) if trace.showlegend] == list(CLASSES)
    assert [trace.name for trace in figure.data][-2:] == ["two-sided p = 0.05", "the paper's 0.95"]
    axes = [figure.layout[f"xaxis{number}"].range for number in ("", "2", "3")]
    assert axes == [(0, 100)] * 3
    assert len([shape for shape in figure.layout.shapes if shape.y0 == shape.y1 == 0.95]) == 3


@pytest.mark.parametrize(("n", "across", "down"), [(1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 2, 2), (5, 3, 2), (7, 3, 3)])
def test_panels_stand_in_rows(pairs, n, across, down):
    """Below the last panel of each column stand its numbers."""
    many = pd.concat([pairs.assign(size=10 * (size + 1)) for size in range(n)], ignore_index=True)
    figure = draw(many, panels=True)
    axes = [figure.layout[name] for name in figure.layout if name.startswith("xaxis")]
    assert len({axis.domain for axis in axes}) == across
    entries = [trace for trace in figure.data if trace.showlegend is not False]
    assert len(entries) == 4
    # Two rows of two entries of the legend.
    assert figure.layout.height == 130 + 270 * down + 2 * 20
    assert figure.layout.margin.t >= 34 + 2 * 20
    named = [f"xaxis{number}".removesuffix("1") if number == 1 else f"xaxis{number}" for number in range(1, n + 1)]
    assert all(figure.layout[name].showticklabels for name in named[max(n - across, 0) :])


def test_panels_show_the_median_thresholds(pairs):
    spread = spread_by_size(thresholds_by_size(pairs, RULE))
    for estimate, dash in (("window", "dash"), ("model", "dot")):
        figure = draw(pairs, panels=True, spread=spread, estimate=estimate)
        lines = [shape for shape in figure.layout.shapes if shape.x0 == shape.x1]
        expected = spread[spread["estimate"] == estimate]["median"]
        assert sorted(shape.x0 for shape in lines) == pytest.approx(sorted(expected.dropna()))
        assert {shape.line.dash for shape in lines} == {dash}
        for median in expected.dropna():
            assert f"{median:.2f}" in notes(figure)


def test_thresholds_against_size_by_pencil():
    """One draw a size: the dot is the threshold, the bar the model's interval, which a window has not; the line is
    c / sqrt(size)."""
    rows = [(100, 1, 2.0, 1.5, 2.2), (400, 1, 1.0, 0.8, 1.1), (1_600, 1, 0.5, 0.4, 0.6)]
    columns = ["size", "draw", "model_threshold", "model_low", "model_high"]
    table = pd.DataFrame(rows, columns=columns).assign(comparison=CLASSES[0])
    table[columns[2:]] *= 2
    table["threshold"] = table["model_threshold"] / 2
    for estimate, times in (("window", 1), ("model", 2)):
        figure = curve(table, estimate=estimate)
        dots, line = figure.data
        assert list(dots.x) == [100, 400, 1_600]
        assert list(dots.y) == [2 * times, times, times / 2]
        if estimate == "model":
            assert dots.error_y.array == pytest.approx(np.array([0.4, 0.2, 0.2]))
            assert dots.error_y.arrayminus == pytest.approx(np.array([1.0, 0.4, 0.2]))
        else:
            assert np.isnan(dots.error_y.array).all()
            assert "interval" not in dots.text[0]
        assert list(line.x) == [100, 1_600]
        assert list(line.y) == pytest.approx([2 * times, times / 2])
        assert line.name == f"{20 * times:.1f} / √sentences"
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")
    assert figure.layout.xaxis.ticktext == ("100", "400", "1,600")
    assert "2.00, interval 1.60 to 2.20" in figure.data[0].text[1]


def test_several_draws_are_dots_and_their_spread(pairs):
    """Small dots for the draws; the symbol is their median, and the bar their range, not an interval."""
    table = thresholds_by_size(pairs, RULE)
    spread = spread_by_size(table)
    figure = curve(table, estimate="model")
    assert len(figure.data) == 6
    for comparison in CLASSES:
        draws, middle, line = (trace for trace in figure.data if trace.legendgroup == comparison)
        of_class = table[table["comparison"] == comparison]
        assert list(draws.y) == of_class["model_threshold"].to_list()
        rows = spread[(spread["comparison"] == comparison) & (spread["estimate"] == "model")].set_index("size")
        assert list(middle.y) == rows["median"].to_list()
        assert middle.y[0] + middle.error_y.array[0] == pytest.approx(rows.loc[30, "high"])
        whole = of_class[of_class["size"] == 120].iloc[0]
        assert middle.y[2] - middle.error_y.arrayminus[2] == pytest.approx(whole["model_low"])
        assert (middle.marker.color, middle.marker.symbol) == STYLES[comparison]
        assert line.y[0] > line.y[1]
        assert "median of 2 of 2 draws" in middle.text[0]


def test_ticks_are_round_numbers():
    """From the decade of the smallest to that of the largest; fewer a decade where there are many."""
    assert log_axis("units", [0.6, 3])["ticktext"] == ["0.1", "0.2", "0.3", "0.5", "0.7", "1", "2", "3", "5", "7"]
    assert log_axis("units", [math.nan, 2_000])["ticktext"] == ["1,000", "2,000", "3,000", "5,000", "7,000"]
    assert log_axis("units", [2, 5e6])["ticktext"] == ["1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"]
    assert log_axis("units", [])["tickvals"] == [1, 2, 3, 5, 7]


def test_power_is_dashed_beyond_the_data():
    aim = Aim(1.0, sides="one")
    table = power_curve(500, ERRORS, aim)
    figure = power_figure(table, n_units=500, aim=aim, **COMMON)
    band, known, beyond, first = figure.data
    assert sorted(band.y) == sorted([*table["low"], *table["high"]])
    assert (known.line.dash, beyond.line.dash) == ("solid", "dash")
    assert max(known.x) == min(beyond.x) == 500
    assert sorted({*known.x, *beyond.x}) == table["units"].to_list()
    np.testing.assert_allclose(known.y, table.loc[table["units"] <= 500, "power"])
    assert list(first.x) == [table.loc[table["enough"], "units"].min()] == [773]
    assert notes(figure) == ["500 sentences here", "<b>780 sentences</b><br>for a power of 80%"]
    low, high = (10**end for end in figure.layout.xaxis.range)
    assert low < table["units"].min() < table["units"].max() < high
    assert not figure.layout.showlegend
    assert any(shape.y0 == shape.y1 == 0.8 for shape in figure.layout.shapes)
    assert any(shape.x0 == shape.x1 == 500 for shape in figure.layout.shapes)
    far = power_figure(power_curve(500, ERRORS, Aim(0.001)), n_units=500, aim=Aim(0.001), **COMMON)
    assert notes(far)[1] == "<b>more than 500,000<br>sentences</b><br>for a power of 80%"
    assert list(far.layout.xaxis.ticktext) == ["10", "1,000", "100,000", "10,000,000", "1,000,000,000"]
    assert "requires more than 500,000 sentences for this pair" in far.layout.meta["alt"]
    never = power_figure(table.assign(enough=False), n_units=500, aim=aim, **COMMON)
    assert notes(never) == ["500 sentences here", "target power: 80%"]
    assert figure.layout.yaxis.title.text == "chance of one-sided p < 0.05<br>at a true gain in LAS of 1.00"


def test_observed_gains_stand_against_the_detectable_ones(pairs):
    """Every pair with a gain is a dot, filled above its own minimal detectable gain; at half of it p would be larger.

    With 80% power the line of p = 0.05 is 1.960 / 2.802 of the other.
    """
    whole = pairs[pairs["size"] == 120]
    table = detectable_gains(whole, 0.05, "two")
    figure = detectable_figure(table, aim=Aim(1.0), metric=METRICS["LAS"], signature="s")
    found, significant, *dots = figure.data
    assert list(found.x) == list(found.y)
    assert np.array(significant.y) / np.array(found.y) == pytest.approx(1.959964 / 2.801585)
    assert [trace.name for trace in (found, significant)] == [
        "minimal detectable gain (80% power)",
        "two-sided p = 0.05",
    ]
    assert sum(len(trace.x) for trace in dots) == (table["gain"] > 0).sum()
    for trace, comparison in zip(dots, CLASSES, strict=True):
        rows = table.loc[trace.customdata]
        assert set(rows["comparison"]) == {comparison}
        assert list(trace.y) == rows["gain"].tolist()
        assert [not symbol.endswith("-open") for symbol in trace.marker.symbol] == rows["above"].tolist()
    assert 0 < table["above"].mean() < 1
    assert not detectable_figure(table.head(0), aim=Aim(1.0), metric=METRICS["LAS"], signature="s").data


def test_lower_is_better_is_said():
    metric = METRICS["AER"]
    figure = power_figure(
        power_curve(120, ERRORS, Aim(1.0)), n_units=120, aim=Aim(1.0), **(COMMON | {"metric": metric})
    )
    assert "reduction in AER of 1.00" in figure.layout.yaxis.title.text
