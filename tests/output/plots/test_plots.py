"""Figures: their data is the frame's, their lines stand where the numbers say."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.words import p_text
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.output.plots import Overlay, as_html, gain_figure, matrix_figure, pair_figure, ranking_figure
from nlpsig_core.output.plots.style.confidence import MANY, GainScale, close_limit
from nlpsig_core.output.plots.style.embedded import drawing_script, figure_json
from nlpsig_core.output.plots.style.layout import axis
from nlpsig_core.output.plots.style.texts import label, labels
from nlpsig_core.output.plots.style.theme import ANSWER_COLOURS
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.comparison.verdict import ANSWERS
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import random_stats

CLASSES = np.array(["different groups", "same group"])


@pytest.fixture(scope="module")
def pairs() -> pd.DataFrame:
    """All 66 pairs of twelve systems, in two classes."""
    stats = replace(random_stats(1, 12, 120), names=tuple(f"s{i}" for i in range(12)))
    return pair_table(bootstrap(stats, Resampling(2_000)), stats, CLASSES[np.arange(66) % 2], np.array(stats.names))


def draw(pairs: pd.DataFrame, **options):
    rule = Rule(window=(0.0, 0.5), fewest=2)
    chosen = {"metric": METRICS["LAS"], "unit": "sentence", "signature": "metric:LAS", "all_gains": True} | options
    return pair_figure(pairs, threshold_table(pairs, rule), **chosen)


def test_every_pair_is_a_dot_of_its_class(pairs):
    """66 pairs, every other one of the same group: 33 dots in each of two traces."""
    figure = draw(pairs)
    assert [len(trace.x) for trace in figure.data] == [33, 33]
    for trace, comparison in zip(figure.data, CLASSES, strict=True):
        rows = pairs.loc[trace.customdata]
        assert set(rows["comparison"]) == {comparison}
        np.testing.assert_allclose(trace.x, rows["gain"], rtol=1e-6)
        np.testing.assert_allclose(trace.y, 1 - rows["p_value"], rtol=1e-6)


def test_level_window_and_thresholds_are_drawn(pairs):
    """As in the paper p = 0.1 is at a confidence of 0.9; two-sided at 0.95, where the paper's own line is."""
    figure = draw(pairs, notion=Notion(level=0.1, sides="one", scope="alone"), window=(0.08, 0.12))
    shapes = [(s.x0, s.x1, s.y0, s.y1) for s in figure.layout.shapes]
    assert (0, 1, 0.88, 0.92) in shapes
    usual = draw(pairs)
    assert {s.y0 for s in usual.layout.shapes if s.y0 == s.y1} == {0.975, 0.95}
    assert {"two-sided p = 0.05", "the paper's 0.95"} <= {note.text for note in usual.layout.annotations}
    assert {y0 for _, _, y0, y1 in shapes if y0 == y1} == {0.9, 0.95}
    two_sided = draw(pairs, notion=Notion(level=0.1), window=(0.08, 0.12)).layout.shapes
    assert (0.94, 0.96) in {(s.y0, s.y1) for s in two_sided}
    assert {s.y0 for s in two_sided if s.y0 == s.y1} == {0.95}
    found = threshold_table(pairs, Rule(window=(0.0, 0.5), fewest=2))
    lines = {(s.x0, s.line.dash) for s in figure.layout.shapes if s.x0 == s.x1}
    expected = {(at, "dash") for at in found["threshold"]} | {(at, "dot") for at in found["model_threshold"]}
    assert lines == expected
    assert len(lines) == 4


def test_names_of_thresholds_have_rows_of_their_own_in_the_order_of_their_lines(pairs):
    """Names move from the right of their line to its left, so that they fit a phone and keep the order."""
    found = threshold_table(pairs, Rule(window=(0.0, 0.5), fewest=2)).iloc[:2]
    near = found.assign(threshold=[np.nan, 1.0], model_threshold=[8.0, 8.5])
    options = {"metric": METRICS["LAS"], "unit": "sentence", "signature": "", "all_gains": True}
    figure, bare = pair_figure(pairs, near, **options), pair_figure(pairs, near.iloc[:0], **options)
    end = figure.layout.xaxis.range[1]
    assert 8.5 < end < 16
    names = [note for note in figure.layout.annotations if note.text[:4] in ("1.00", "8.00", "8.50")]
    assert [name.text[:4] for name in names] == ["1.00", "8.00", "8.50"]
    assert all((note.y, note.yref, note.yanchor, note.xanchor) == (1, "paper", "bottom", "center") for note in names)
    assert np.diff([name.yshift for name in names]).min() >= 15
    for width in (300, 700):
        middles = np.array([name.x / end * width + name.xshift for name in names])
        half = max(len(name.text) for name in names) * 5.6 / 2
        assert (np.diff(middles) > 0).all()
        assert half <= middles.min()
        assert middles.max() <= width - half
    assert figure.layout.margin.t - bare.layout.margin.t == 45


def test_only_pairs_up_to_the_last_in_doubt_are_drawn_unless_all_are_asked_for(pairs):
    figure = draw(pairs, all_gains=False)
    limit = 1.25 * pairs.loc[pairs["p_value"] >= 0.0005, "gain"].max()
    assert figure.layout.xaxis.range == (0, limit)
    assert sum(len(trace.x) for trace in figure.data) == (pairs["gain"] <= limit).sum() < 66


def test_close_pairs_include_the_ten_closest_and_the_chosen_one(pairs):
    """Three pairs, two of them beyond doubt: all are drawn; of 66, one beyond the limit is drawn if it is chosen."""
    three = pairs[:3].assign(gain=[0.4, 3.0, 3.5], p_value=[0.2, 0.0, 0.0])
    assert sum(len(trace.x) for trace in draw(three, all_gains=False).data) == 3
    far = pairs.loc[pairs["gain"].idxmax()]
    assert far["gain"] > close_limit(pairs)
    drawn = draw(pairs, all_gains=False, least=far["gain"])
    assert far.name in np.concatenate([trace.customdata for trace in drawn.data])
    at = np.concatenate([trace.x for trace in drawn.data])
    assert at.max() < drawn.layout.xaxis.range[1] == 1
    assert np.mean(at < 0.85) == pytest.approx((pairs["gain"] <= close_limit(pairs)).mean())
    assert "compressed" in drawn.layout.xaxis.title.text


def test_all_gains_are_drawn_by_quantile_where_few_are_huge(pairs):
    """With one gain of 900 the median of the others is near the middle of the axis, and thresholds move with them."""
    huge = pairs.assign(gain=pairs["gain"].mask(pairs.index == pairs.index[-1], 900.0))
    figure = draw(huge)
    at = np.concatenate([trace.x for trace in figure.data])
    assert 0.4 < np.median(at) < 0.6
    assert at.max() < figure.layout.xaxis.range[1] < 1.1
    assert "by quantile" in figure.layout.xaxis.title.text
    scale = GainScale(huge["gain"], True, 0.0)
    assert (np.diff(scale(huge["gain"].sort_values())) >= 0).all()
    ticks = dict(zip(figure.layout.xaxis.ticktext, figure.layout.xaxis.tickvals, strict=True))
    assert ticks["1"] == pytest.approx(float(scale(1.0)))
    lines = {shape.x0 for shape in figure.layout.shapes if shape.x0 == shape.x1}
    found = threshold_table(huge, Rule(window=(0.0, 0.5), fewest=2))
    assert lines == {float(scale(at)) for at in found[["threshold", "model_threshold"]].to_numpy().ravel()}
    assert "by quantile" not in draw(pairs).layout.xaxis.title.text


def test_pairs_of_the_baseline_have_a_ring(pairs):
    rings = draw(pairs, baseline="s3").data[-1]
    against = pairs[(pairs["system_a"] == "s3") | (pairs["system_b"] == "s3")]
    assert sorted(rings.x) == pytest.approx(sorted(against["gain"]))
    assert rings.name == "against s3 (11)"
    assert rings.marker.symbol == "circle-open"
    assert rings.customdata is None


def test_highlighting_a_system_fades_the_others(pairs):
    figure = draw(pairs, highlight=["s3"])
    for trace in figure.data:
        rows = pairs.loc[trace.customdata]
        of_system = (rows["system_a"] == "s3") | (rows["system_b"] == "s3")
        assert (np.array(trace.marker.opacity) > 0.5).tolist() == of_system.tolist()


def test_colour_by_correlation_has_one_scale(pairs):
    figure = draw(pairs, by_correlation=True)
    np.testing.assert_allclose(
        figure.data[0].marker.color, pairs.loc[figure.data[0].customdata, "correlation"], rtol=1e-6
    )
    assert [trace.marker.showscale for trace in figure.data].count(None) == 2
    assert figure.data[0].marker.colorbar.title.text == "correlation"
    assert figure.data[1].marker.colorbar.title.text is None


def test_hover_says_who_how_much_and_how_sure(pairs):
    text = draw(pairs).data[0].text[0]
    row = pairs.loc[draw(pairs).data[0].customdata[0]]
    assert f"<b>{row['system_a']}</b> over <b>{row['system_b']}</b>" in text
    assert f"gain in LAS {row['gain']:.2f}" in text
    assert f"{ANSWERS[row['verdict']].symbol} {row['verdict']}: p " in text


def test_another_task_is_drawn_over_with_open_markers_and_its_own_thresholds(pairs):
    other = pairs[::2].assign(comparison="same model type")
    thresholds = threshold_table(other, Rule(fewest=1, window=(0, 1)))
    figure = draw(pairs, over=Overlay("natural", other, thresholds))
    (trace,) = [t for t in figure.data if "natural" in t.name]
    assert trace.name == f"natural: same model type ({int((other['gain'] > 0).sum())})"
    assert trace.marker.symbol == "diamond-tall-open"
    assert trace.customdata is None
    assert sorted(trace.x) == pytest.approx(sorted(other["gain"][other["gain"] > 0]))
    texts = [annotation.text for annotation in figure.layout.annotations]
    assert f"{thresholds['threshold'][0]:.2f} natural: same model type" in texts
    assert len(figure.data) == len(draw(pairs).data) + 1


def test_the_legend_says_how_many_pairs_of_another_task_are_beyond_the_axis(pairs):
    """As of the task's own: one of two gains is in view."""
    far = pairs[pairs["gain"] > 0].head(2).assign(comparison="same model type", gain=[0.01, 1e6])
    figure = draw(pairs, over=Overlay("natural", far, threshold_table(far, Rule(fewest=1, window=(0, 1)))))
    assert "natural: same model type (1 of 2)" in [trace.name for trace in figure.data]


def test_names_are_no_markup(pairs):
    assert (
        "<b>a&lt;i></b>"
        in draw(pairs.replace({"system_a": {"s0": "a<i>"}, "system_b": {"s0": "a<i>"}})).data[0].text[0]
    )


def test_many_pairs_are_drawn_by_webgl(pairs):
    many = pd.concat([pairs] * (MANY // len(pairs) + 1), ignore_index=True)
    assert {trace.type for trace in draw(many).data} == {"scattergl"}
    assert {trace.type for trace in draw(pairs).data} == {"scatter"}


ORDER = [f"s{i}" for i in range(12)]


def matrix_of(pairs: pd.DataFrame, order: list[str] = ORDER, **options):
    return matrix_figure(pairs, order, notion=Notion(), signature="s", **options)


def test_a_cell_of_the_matrix_has_the_answer_to_its_pair_and_its_row(pairs):
    """Row 10 of the table is where its winner's row meets its loser's column; 78 of 144 cells have no row."""
    cells = matrix_of(pairs).data[0]
    found = np.array(cells.customdata)
    assert sorted(found[~np.isnan(found)]) == pairs.index.tolist()
    pair = pairs.loc[10]
    at = ORDER.index(pair["system_a"]), ORDER.index(pair["system_b"])
    assert found[at] == 10
    answer = ANSWERS[pair["verdict"]]
    assert cells.text[at] == answer.symbol
    assert f"{answer.symbol} {answer.name}: p {p_text(pair['p'], bound=pair['p_bound'])}" in cells.hovertext[at]
    assert cells.hovertext[at[::-1]] == ""
    assert list(ANSWERS)[int(cells.z[at])] == answer.name


def test_the_legend_of_the_matrix_counts_answers_above_it(pairs):
    figure = matrix_of(pairs)
    named = {trace.name: trace.marker.color for trace in figure.data[1:]}
    counts = pairs["verdict"].value_counts()
    assert named == {f"{ANSWERS[of].symbol} {of} ({n})": ANSWER_COLOURS[of] for of, n in counts.items()}
    assert (figure.layout.legend.orientation, figure.layout.legend.yref) == ("h", "container")
    assert figure.layout.legend.y > 0.9


def test_a_matrix_of_many_systems_is_not_taller_and_names_some_of_them():
    """300 systems: every fifth name and that of a highlighted system on the left, every 15th above; no gaps."""
    names = [f"s{i}" for i in range(300)]
    of = {"verdict": "better", "p": 0.01, "p_bound": np.nan, "p_corrected": np.nan, "p_corrected_bound": np.nan}
    pairs = pd.DataFrame({"system_a": names[:-1], "system_b": names[1:], "comparison": "same group"}).assign(**of)
    figure, most = matrix_of(pairs, names, highlight=["s7"]), matrix_of(pairs[:69], names[:70])
    assert figure.layout.height == most.layout.height
    assert list(figure.layout.yaxis.ticktext[:4]) == ["s0", "<b>s7</b>", "s15", "s20"]
    assert list(figure.layout.yaxis.tickvals[:4]) == ["s0", "<b>s7</b>", "s15", "s20"]
    assert list(figure.layout.xaxis.ticktext[:4]) == ["<b>s7</b>", "s30", "s45", "s60"]
    assert (figure.data[0].xgap, most.data[0].xgap) == (0, 1)
    assert list(most.layout.yaxis.ticktext) == names[:70]
    assert list(most.layout.xaxis.ticktext[:3]) == ["s0", "s4", "s8"]
    assert set(figure.data[0].text.ravel()) == {""}


RANKING = pd.DataFrame(
    {
        "system": ["best", "next", "broken"],
        "group": ["A", "B", "C"],
        "score": [90.0, 80.0, 0.0],
        "low": [88.0, 77.0, 0.0],
        "high": [92.0, 83.0, 0.0],
        "rank_low": [1, 2, 3],
        "rank_high": [1, 2, 3],
        "tied_group": [1, 2, 3],
        "status": ["", "", "broken.conllu, line 3: no"],
        "valid": [True, True, False],
    }
)


def test_a_highlighted_system_stands_out_in_the_ranking():
    """By size, shape, colour and a bold name; the others are as they are without it."""
    usual, figure = (ranking_figure(RANKING, metric=METRICS["LAS"], signature="s", highlight=h) for h in ([], ["next"]))
    assert list(figure.layout.yaxis.ticktext) == ["best", "<b>next</b>", "broken"]
    for of in ("size", "symbol", "color"):
        before, after = (list(one.data[0].marker[of]) for one in (usual, figure))
        assert [old != new for old, new in zip(before, after, strict=True)] == [False, True, False]


def test_rows_and_columns_of_highlighted_systems_are_framed_in_the_matrix(pairs):
    figure = matrix_of(pairs, highlight=["s3"])
    assert figure.layout.xaxis.ticktext[3] == figure.layout.yaxis.ticktext[3] == "<b>s3</b>"
    assert figure.layout.xaxis.ticktext[2] == "s2"
    frames = {(shape.x0, shape.x1, shape.y0, shape.y1) for shape in figure.layout.shapes}
    assert frames == {(-0.5, 11.5, 2.5, 3.5), (2.5, 3.5, -0.5, 11.5)}


def test_systems_far_from_the_others_are_arrows_with_their_scores():
    """Of 60, 80, 81, 82 and 83 the first is far away, as is the invalid one; the axis is around the others."""
    scores = [83.0, 82.0, 81.0, 80.0, 60.0, 0.0]
    ranking = pd.concat([RANKING] * 2, ignore_index=True).assign(
        system=list("abcdef"),
        score=scores,
        low=[score - 1 for score in scores],
        high=[score + 1 for score in scores],
        tied_group=1,
        valid=[True] * 5 + [False],
    )
    figure = ranking_figure(ranking, metric=METRICS["LAS"], signature="s")
    left, right = figure.layout.xaxis.range
    dots = figure.data[0]
    assert (78 < left < 79, 84 < right < 85) == (True, True)
    assert list(dots.marker.symbol) == ["circle"] * 4 + ["triangle-left"] * 2
    assert list(dots.text) == [""] * 4 + ["60.00", "0.00"]
    assert all(left < x < 79.5 for x in dots.x[4:])
    assert list(dots.error_x.array) == [1, 1, 1, 1, 0, 0]
    assert "LAS 60.00, 95% interval 59.00 to 61.00" in dots.hovertext[4]


def test_tails_of_the_gain_figure_are_what_p_counts():
    """Of the four resamples from 2 delta on two are just 2 delta: two are coloured, on which the others are stacked."""
    bins = pd.DataFrame({"gain": [-0.5, 0.5, 1.5, 2.5], "resamples": [1, 5, 5, 4], "width": 1.0})
    bins = bins.assign(above=[0, 0, 0, 2], below=[1, 0, 0, 0])
    figure = gain_figure(bins, a="a", b="b", gain=1.0, metric=METRICS["LAS"], signature="s")
    counted, rest = figure.data
    assert figure.layout.barmode == "stack"
    assert (list(counted.y), list(rest.y)) == ([1, 0, 0, 2], [0, 5, 5, 2])
    assert counted.marker.color != rest.marker.color
    assert np.array(rest.customdata).tolist() == [[1, 1], [5, 0], [5, 0], [4, 2]]


@pytest.mark.parametrize(("gain", "rows"), [(0.1, {0, 15, 30}), (1.5, {0})])
def test_names_of_lines_that_are_near_stand_in_rows(gain, rows):
    """0, delta and 2 delta are upon one another where the gain is a small part of the figure's width."""
    bins = pd.DataFrame(
        {"gain": [-1.5, -0.5, 0.5, 1.5, 2.5, 3.5], "resamples": 1, "width": 1.0, "above": 0, "below": 0}
    )
    figure = gain_figure(bins, a="a", b="b", gain=gain, metric=METRICS["LAS"], signature="s")
    names = [note for note in figure.layout.annotations if note.text in ("0", "2δ") or note.text.startswith("δ")]
    assert {note.yshift for note in names} == rows
    assert len(names) == 3


@pytest.mark.parametrize("signature", ["metric:LAS|b:10", "task:<i>x</i>|b:10"])
def test_a_signature_is_on_saved_figures_only(pairs, signature):
    figure = draw(pairs, signature=signature)
    assert figure.layout.meta["signature"] == signature
    assert not any("b:10" in note.text for note in figure.layout.annotations)
    for saved in (as_html(figure), figure_json(figure)):
        assert "b:10" in saved
        assert "<i>" not in saved.replace(json.dumps(signature), "")


def test_html_needs_no_network(pairs):
    over = Overlay("all <pairs>", pairs, threshold_table(pairs, Rule()))
    page = as_html(draw(pairs, over=over))
    assert "66 pairs, all &lt;pairs&gt;.</title>" in page
    assert "all <pairs>" not in page
    assert 'src="http' not in page.replace(drawing_script(), "")


def test_names_to_read():
    assert label("short") == "short"
    assert len(label("x" * 50, 20)) == 20
    assert labels(["a" * 30 + "1" * 9, "b", "a" * 31 + "1" * 9], 20) == [
        "aaaaaaaaaaa…11111111",
        "b",
        "aaaaaaaaaaa…11111111 (2)",
    ]
    assert labels(["<a>", "<a>"], 20) == ["&lt;a>", "&lt;a> (2)"]


def test_long_names_that_differ_before_their_end_keep_more_of_it():
    """As on leaderboards, where models of two sizes have the same beginning and end."""
    models = ["deepseek-coder-33b-instruct", "deepseek-coder-6.7b-instruct", "mistral-7b", "codellama-13b-instruct-hf"]
    assert labels(models, 20) == ["deepsee…33b-instruct", "deepse…6.7b-instruct", "mistral-7b", "codellama-1…truct-hf"]
    assert labels(models[:2], 12) == ["…3b-instruct", "…7b-instruct"]
    assert labels([*models[:2], models[1]], 20)[1:] == ["deepse…6.7b-instruct", "deepse…6.7b-instruct (2)"]


def test_long_names_lose_their_dates_where_that_leaves_them_apart():
    """As on leaderboards: a date, an agent, a model, and the model's own date."""
    names = ["20251124_mini-v1.16.0_opus-4-5-20251101", "20250807_mini-v1.7.0_gpt-5", "NAIST__2017-05-13-11-52-21"]
    assert labels(names, 24) == ["mini-v1.16.0_opus-4-5", "mini-v1.7.0_gpt-5", "NAIST"]
    assert labels(names, 40) == names
    assert labels(["LIMSI__2017-05-12-15-59-15", "LIMSI__2017-05-13-16-28-36", "LIMSI-1"], 20) == [
        "LIMSI__2017…15-59-15",
        "LIMSI__2017…16-28-36",
        "LIMSI-1",
    ]
    assert labels(["NAIST", "NAIST__2017-05-13-11-52-21"], 20) == ["NAIST", "NAIST__2017…11-52-21"]
    assert labels(["20251124-20251101-20251124-20251101"], 20)[0].endswith("20251124")


def test_small_and_large_numbers_of_axes_are_written_as_in_tables():
    """Not 10μ and 10k, which plotly takes by itself."""
    small = axis("gain")
    assert (small["exponentformat"], small["separatethousands"]) == ("none", True)
