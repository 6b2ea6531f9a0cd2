"""Figures of domains and of calibration: their data is the frame's, and their colours hold on light and dark."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from nlpsig_core.base.words import p_text
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots.calibration import calibration_figure, population_figure
from nlpsig_core.output.plots.domains import (
    MOST_WITH_INTERVALS,
    MOST_WITH_NUMBERS,
    agreement_figure,
    pair_by_domain_figure,
)
from nlpsig_core.output.plots.side_by_side import domains_figure
from nlpsig_core.output.plots.style.theme import AGREEING, CONTRADICTING, OPAQUE, SERIES, series
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER, Notion
from nlpsig_core.significance.comparison.verdict import ANSWERS
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses.calibration import TABLE_1, across_domains, bins_between, within_population
from nlpsig_core.studies.analyses.domain_pair import pair_by_domain
from nlpsig_core.studies.analyses.domains import agreement, by_domain, pairs_by_domain, thresholds_by_domain
from tests.studies.analyses.test_domains import random_scored

LAS = METRICS["LAS"]
LIGHT, DARK = "#FFFFFF", "#10161D"


@pytest.fixture(scope="module")
def parts():
    """Four domains of eight systems."""
    return by_domain(random_scored(1, 8, 160, domains=4))[0]


@pytest.fixture(scope="module")
def pairs(parts) -> pd.DataFrame:
    """28 pairs in each domain."""
    return pairs_by_domain(parts, Resampling(500))


def draw(pairs: pd.DataFrame, **options):
    common = {"metric": LAS, "unit": "sentence", "signature": "s"}
    return domains_figure(pairs, thresholds_by_domain(pairs), **(common | options))


def dots_of(figure: go.Figure) -> list:
    """The traces with pairs; the others are entries of the legend."""
    return [trace for trace in figure.data if trace.customdata is not None]


def luminance(colour: str) -> float:
    """Relative luminance as the Web Content Accessibility Guidelines define it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


def contrast(one: str, other: str) -> float:
    lower, upper = sorted((luminance(one), luminance(other)))
    return (upper + 0.05) / (lower + 0.05)


@pytest.mark.parametrize("colour", [colour for colour, _ in SERIES])
def test_series_can_be_seen_on_light_and_dark(colour):
    assert contrast(colour, LIGHT) >= 3
    assert contrast(colour, DARK) >= 3


def test_series_differ_in_colour_and_in_symbol():
    """The first ones in both, the next ones in one of the two."""
    colours, symbols = zip(*SERIES, strict=True)
    assert len(set(colours)) == len(set(symbols)) == len(SERIES)
    assert len({series(place) for place in range(4 * len(SERIES))}) == 4 * len(SERIES)


def test_every_pair_with_a_gain_is_a_dot_of_its_domain(pairs):
    with_gain = pairs[pairs["gain"] > 0]
    limit = 1.25 * pairs.loc[pairs["p_value"].between(0.0005, 0.9999), "gain"].max()
    figure = draw(pairs)
    assert [trace.name for trace in figure.data] == [
        f"{name} ({(with_gain['domain'] == name).sum()})" for name in ("d0", "d1", "d2", "d3")
    ]
    assert sum(len(trace.x) for trace in figure.data) == (with_gain["gain"] <= limit).sum() > 50


def test_a_panel_has_the_dots_of_its_domain_by_class(pairs):
    """Every other pair of the same group: each class is a trace of each panel, and once in the legend."""
    classes = pairs.assign(comparison=np.where(np.arange(len(pairs)) % 2, "same group", "different groups"))
    figure = draw(classes, panels=True)
    assert [trace.name for trace in dots_of(figure)] == ["different groups", "same group"] * 4
    assert [trace.showlegend for trace in dots_of(figure)] == [True] * 2 + [False] * 6
    for axis, name in (("x", "d0"), ("x2", "d1"), ("x3", "d2"), ("x4", "d3")):
        rows = [row for trace in dots_of(figure) if trace.xaxis == axis for row in trace.customdata]
        assert set(classes.loc[rows, "domain"]) == {name}
    assert sum(len(trace.x) for trace in dots_of(figure)) == sum(len(trace.x) for trace in draw(pairs).data)


def test_a_panel_draws_its_domains_thresholds_or_says_that_there_is_none(pairs):
    found = thresholds_by_domain(pairs)
    found["model_threshold"] = [2.0, np.nan, 3.0, np.nan]
    figure = domains_figure(pairs, found, metric=LAS, unit="sentence", signature="s", panels=True)
    lines = {(shape.xref, shape.x0) for shape in figure.layout.shapes if shape.x0 == shape.x1}
    assert lines == {("x", 2.0), ("x3", 3.0)}
    texts = [(note.xref, note.text) for note in figure.layout.annotations if note.xref.endswith("domain")]
    assert texts[:4] == [("x domain", "2.00"), ("x2 domain", "none"), ("x3 domain", "3.00"), ("x4 domain", "none")]


def test_panels_have_names_one_scale_and_the_level(pairs):
    figure = draw(pairs, panels=True, notion=Notion(level=0.1))
    assert {"d0", "d1", "d2", "d3"} < {note.text for note in figure.layout.annotations}
    assert len({trace.xaxis for trace in dots_of(figure)}) == 4
    axes = [figure.layout[name] for name in ("xaxis", "xaxis2", "xaxis3", "xaxis4")]
    assert len({axis.range for axis in axes}) == 1
    # Four panels form a square.
    assert [axis.title.text for axis in axes] == [None, None, "gain in LAS (points)", None]
    assert [axis.showticklabels for axis in axes] == [False, False, True, True]
    assert sorted(shape.y0 for shape in figure.layout.shapes if shape.y0 == shape.y1) == [0.95] * 4
    assert [trace.name for trace in figure.data if trace.customdata is None] == ["two-sided p = 0.1"]


def test_a_long_title_below_the_first_panel_has_lines_that_fit_a_phone(pairs):
    """The panels keep their height."""
    short, long = (draw(pairs, panels=True, metric=metric) for metric in (LAS, METRICS["normalised-WER"]))
    assert long.layout.xaxis3.title.text == "reduction in<br>normalised-WER (points)"
    heights = [figure.layout.height - figure.layout.margin.b for figure in (short, long)]
    assert heights[0] == heights[1]


def test_the_level_is_drawn_and_named(pairs):
    """A two-sided p of 0.01 is at 0.995, with the paper's line beside it; its own is at 0.95 alone."""
    figure = draw(pairs, notion=Notion(level=0.01))
    assert [shape.y0 for shape in figure.layout.shapes] == [0.995, 0.95]
    assert {"two-sided p = 0.01", "the paper's 0.95"} <= {note.text for note in figure.layout.annotations}
    assert [shape.y0 for shape in draw(pairs, notion=AS_IN_THE_PAPER).layout.shapes] == [0.95]


def test_hover_names_domain_pair_and_p(pairs):
    trace = draw(pairs, decimals=3).data[1]
    row = pairs.loc[trace.customdata[0]]
    assert f"d1: <b>{row['system_a']}</b> over <b>{row['system_b']}</b>" in trace.text[0]
    assert f"gain in LAS {row['gain']:.3f}" in trace.text[0]
    p = p_text(row["p"], bound=row["p_bound"])
    assert f"{ANSWERS[row['verdict']].symbol} {row['verdict']}: p {p}" in trace.text[0]
    assert "a&lt;i>:" in draw(pairs.replace({"domain": {"d1": "a<i>"}})).data[1].text[0]


def test_agreement_has_each_two_domains_once(parts):
    table = agreement(parts)
    figure = agreement_figure(table, signature="s")
    cells, numbers = figure.data
    assert np.isfinite(np.array(cells.z, dtype=float)).sum() == 6
    assert list(figure.layout.xaxis.ticktext) == ["d0", "d1", "d2"]
    assert list(figure.layout.yaxis.ticktext) == ["d1", "d2", "d3"]
    for row in table.itertuples():
        x, y = int(row.domain_a[1]), int(row.domain_b[1]) - 1
        assert cells.z[y][x] == row.tau
        assert f"<b>{row.domain_a}</b> and <b>{row.domain_b}</b>" in cells.text[y][x]
        at = list(zip(numbers.x, numbers.y, strict=True)).index((x, y))
        assert numbers.text[at] == f"{row.tau:.2f}<br><sub>{row.low:.2f}–{row.high:.2f}</sub>"


def agreement_of(n: int, tau: float) -> pd.DataFrame:
    rows = [(f"d{a:02}", f"d{b:02}", 9, tau, tau, tau) for a in range(n) for b in range(a + 1, n)]
    return pd.DataFrame(rows, columns=["domain_a", "domain_b", "systems", "tau", "low", "high"])


def test_agreement_shows_as_much_as_there_is_room_for():
    assert "–" in agreement_figure(agreement_of(MOST_WITH_INTERVALS, 0.5), signature="s").data[1].text[0]
    assert set(agreement_figure(agreement_of(MOST_WITH_INTERVALS + 1, 0.5), signature="s").data[1].text) == {"0.50"}
    assert len(agreement_figure(agreement_of(MOST_WITH_NUMBERS + 1, 0.5), signature="s").data) == 1


def test_scale_has_a_middle_only_where_rankings_contradict():
    """Rankings without contradiction on 0 to 1; with one on -1 to 1, the middle colour at 0."""
    plain, with_negative = (agreement_figure(agreement_of(3, tau), signature="s").data[0] for tau in (0.2, -0.2))
    assert (plain.zmin, plain.zmax) == (0, 1)
    assert (with_negative.zmin, with_negative.zmax) == (-1, 1)
    assert with_negative.colorscale[3] == (0.5, AGREEING[0])
    assert with_negative.colorscale[0] == (0, CONTRADICTING[0])


@pytest.mark.parametrize("tau", [-1, -0.8, -0.5, -0.1, 0, 0.3, 0.6, 0.74, 0.76, 0.9, 1])
def test_numbers_can_be_read_on_their_cells(tau):
    """The cell's colour, between the two nearest of the scale, against the number's."""
    colours = [*reversed(CONTRADICTING)] if tau < 0 else [*AGREEING[1:]]
    place = abs(tau) * 3
    stops = [AGREEING[0], *colours]
    lower, share = stops[min(int(place), 2)], place - min(int(place), 2)
    upper = stops[min(int(place), 2) + 1]
    mixed = [round((1 - share) * int(lower[at : at + 2], 16) + share * int(upper[at : at + 2], 16)) for at in (1, 3, 5)]
    cell = "#" + "".join(f"{part:02X}" for part in mixed)
    text = agreement_figure(agreement_of(2, tau), signature="s").data[1].textfont.color[0]
    assert contrast(cell, text) >= 3


def test_a_pair_has_a_dot_with_its_interval_in_each_domain(parts):
    table = pair_by_domain(parts, "s0", "s1", Resampling(300), notion=Notion(level=0.3))
    reason = {"domain": "e", "units": 5, "reason": "no valid output of s1"}
    table = pd.concat([table, pd.DataFrame([reason])], ignore_index=True)
    figure = pair_by_domain_figure(table, a="s0", b="s1", metric=LAS, signature="s")
    (dots,) = figure.data
    tested = table.head(4)
    assert list(dots.x) == tested["gain"].tolist()
    assert list(dots.y) == [0, 1, 2, 3]
    np.testing.assert_allclose(dots.error_x.array, tested["gain_high"] - tested["gain"])
    np.testing.assert_allclose(dots.error_x.arrayminus, tested["gain"] - tested["gain_low"])
    assert dots.marker.opacity == OPAQUE, "several sizes would make dots pale"
    clear = [symbol == "circle" for symbol in dots.marker.symbol]
    assert clear == tested["significant"].tolist() == (tested["p"] < 0.3).tolist()
    assert [shape.x0 for shape in figure.layout.shapes] == [0]
    assert list(figure.layout.yaxis.ticktext) == ["d0 (40)", "d1 (40)", "d2 (40)", "d3 (40)", "e (5)"]
    unit_of = dict(zip(table["domain"], ["sentence"] * 4 + ["document"], strict=True))
    mixed = pair_by_domain_figure(table, a="s0", b="s1", metric=LAS, signature="s", unit_of=unit_of)
    assert list(mixed.layout.yaxis.ticktext)[3:] == ["d3 (40 sentences)", "e (5 documents)"]
    assert figure.layout.xaxis.title.text == "gain in LAS (points)"
    notes = {note.text: note.x for note in figure.layout.annotations}
    assert (notes["← s1 better"], notes["s0 better →"]) == (0, 1)
    assert "no valid output of s1" in notes


def test_systems_are_named_in_full_side_by_side_or_a_line_each(parts):
    """Names of 16 characters were cut to 14; two long ones would run into each other on a phone."""
    table = pair_by_domain(parts, "s0", "s1", Resampling(300))
    for (a, b), apart in ((("gemini-1.5-pro-2", "gpt-4.1-mini-002"), 0), (("a" * 28, "b" * 28), 1)):
        drawn = pair_by_domain_figure(table, a=a, b=b, metric=LAS, signature="s").layout.annotations
        notes = {note.text: note for note in drawn}
        left, right = notes[f"← {b} better"], notes[f"{a} better →"]
        assert bool(left.yshift) == apart
        assert not right.yshift
        assert left.xshift < -20, "it begins above the names of domains"


def test_full_and_open_dots_both_occur():
    table = pd.DataFrame(
        {
            "domain": ["a", "b"], "units": 9, "score_a": 1.0, "score_b": 2.0, "gain": -1.0, "gain_low": -2.0,
            "gain_high": 0.0, "p": [0.02, 0.2], "p_bound": np.nan, "p_corrected": 0.3, "p_corrected_bound": np.nan,
            "verdict": ["worse on its own", "undecided"], "significant": [True, False], "reason": "",
        }
    )  # fmt: skip
    dots = pair_by_domain_figure(table, a="A", b="B", metric=LAS, signature="s").data[0]
    assert list(dots.marker.symbol) == ["circle", "circle-open"]
    assert "<b>a</b><br>A 1.00, B 2.00<br>gain in LAS -1.00, 95% interval -2.00 to 0.00" in dots.text[0]
    answers = [text.rpartition("<br>")[2] for text in dots.text]
    assert answers == ["▽ worse on its own: p 0.020; corrected 0.30", "? undecided: p 0.20"]


BINS = bins_between((0, 0.01, 0.04, 0.16, 0.64))


@pytest.fixture(scope="module")
def shares() -> pd.DataFrame:
    """Three other parts and four bins, the last one empty."""
    rng = np.random.default_rng(0)
    names = [(f"s{i}", f"s{j}") for i in range(20) for j in range(i)]
    tests = pd.DataFrame(names, columns=["system_a", "system_b"])
    tests["p_value"] = rng.uniform(0, 0.16, len(tests))
    both = [tests.assign(other=other, agree=rng.integers(0, 3, len(tests)) / 2) for other in ("news", "law", "mail")]
    return across_domains(pd.concat(both, ignore_index=True), BINS)


def test_calibration_has_a_dot_a_bin_and_other_part(shares):
    figure = calibration_figure(shares, first="web", signature="s")
    dots = [trace for trace in figure.data if trace.customdata is not None]
    assert [trace.name for trace in dots] == ["news", "law", "mail"]
    for trace, other in zip(dots, ("news", "law", "mail"), strict=True):
        rows = shares.loc[trace.customdata]
        assert len(rows) == 3
        assert set(rows["other"]) == {other}
        np.testing.assert_allclose(trace.y, rows["share"])
        np.testing.assert_allclose(trace.error_y.array, rows["high"] - rows["share"])
        np.testing.assert_allclose(trace.error_y.arrayminus, rows["share"] - rows["low"])
        starts, x = rows["p_low"].replace(0, 0.005), np.array(trace.x)
        assert ((starts < x) & (x < rows["p_high"])).all()
    assert len({trace.marker.color for trace in dots}) == len({trace.marker.symbol for trace in dots}) == 3
    assert (np.array(dots[0].x) < np.array(dots[1].x)).all()


def test_lines_of_1_minus_p_and_of_a_half(shares):
    figure = calibration_figure(shares, first="web", signature="s")
    line = figure.data[-1]
    assert line.mode == "lines"
    np.testing.assert_allclose(line.y, 1 - np.array(line.x))
    assert (line.x[0], line.x[-1]) == pytest.approx((0.005, 0.64))
    assert [shape.y0 for shape in figure.layout.shapes] == [0.5]
    notes = {note.text: note.y for note in figure.layout.annotations}
    assert notes["1 − p"] == pytest.approx(1 - 0.005)
    assert notes["no better than a coin"] == 0.5


def test_axis_of_p_is_logarithmic_with_the_edges_of_the_bins(shares):
    figure = calibration_figure(shares, first="we<b", signature="s")
    assert figure.layout.xaxis.type == "log"
    assert list(figure.layout.xaxis.tickvals) == [0.01, 0.04, 0.16, 0.64]
    assert list(figure.layout.xaxis.ticktext) == ["0.01", "0.04", "0.16", "0.64"]
    many = within_population(
        pd.DataFrame({"draw": [], "p_value": [], "agree": []}), bins_between(np.arange(1, 11) / 10)
    )
    labels = population_figure(many, signature="s").layout.xaxis.ticktext
    assert list(labels) == ["0.1", "", "0.3", "", "0.5", "", "0.7", "", "0.9", ""]
    papers = within_population(pd.DataFrame({"draw": [], "p_value": [], "agree": []}), TABLE_1)
    labels = population_figure(papers, signature="s").layout.xaxis.ticktext
    assert list(labels) == ["0.00125", "", "0.005", "", "0.02", "", "0.08"], "seven have no room on a phone"
    assert figure.layout.xaxis.title.text == "one-sided p on we&lt;b"
    low, high = figure.layout.xaxis.range
    assert low < np.log10(0.005)
    assert high > np.log10(0.64)
    assert figure.layout.yaxis.range[0] <= shares["low"].min()


def test_population_is_one_series():
    rng = np.random.default_rng(0)
    tests = pd.DataFrame({"draw": np.arange(300) % 10, "p_value": rng.uniform(0, 0.16, 300)})
    shares = within_population(tests.assign(agree=rng.random(300) < 0.8), BINS)
    figure = population_figure(shares, signature="metric:LAS|b:10")
    dots, _ = figure.data
    assert list(dots.y) == shares["share"].dropna().tolist()
    np.testing.assert_allclose(dots.error_y.array, (shares["high"] - shares["share"]).dropna())
    assert not dots.showlegend
    assert "tests" in figure.layout.yaxis.title.text
