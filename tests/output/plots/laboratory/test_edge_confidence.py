"""Figures of the confidence of edges: their data are those of the frames, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.laboratory.confidence.evaluation import found_after, reliability
from nlpsig_core.laboratory.confidence.resampled import Edges, curve
from nlpsig_core.output.plots import errors_found_figure, precision_recall_figure, reliability_figure
from nlpsig_core.output.plots.style.theme import series
from nlpsig_core.significance.resampling.recipe import Resampling

NAMES = ("A <1>", "B")


def edges(seed: int) -> Edges:
    rng = np.random.default_rng(seed)
    confidence = rng.integers(4, 12, 200) / 11
    return Edges(
        label="A",
        method="committee",
        probability=True,
        confidence=confidence,
        wrong=rng.random(200) > confidence,
        unit=np.arange(200) // 8,
        n_units=25,
    )


@pytest.fixture(scope="module")
def both() -> dict[str, Edges]:
    return {name: edges(seed) for seed, name in enumerate(NAMES)}


def frame(by_name: dict[str, pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([of.assign(name=name) for name, of in by_name.items()], ignore_index=True)


def test_precision_recall_curves_with_their_bands(both):
    curves = frame({name: curve(one, Resampling(20), np.array([0.1, 0.5, 1.0])) for name, one in both.items()})
    figure = precision_recall_figure(curves, signature="s|t:1")
    bands, drawn = figure.data[::2], figure.data[1::2]
    assert [trace.name for trace in drawn] == ["A &lt;1>", "B"]
    for index, (band, line, (_, rows)) in enumerate(zip(bands, drawn, curves.groupby("name", sort=False), strict=True)):
        assert list(line.x) == [0.1, 0.5, 1.0]
        assert list(line.y) == rows["precision"].tolist()
        assert list(band.y) == [*rows["high"], *rows["low"][::-1]]
        assert list(line.customdata) == rows.index.tolist()
        assert line.line.color == series(index)[0]
        assert not band.showlegend
    assert "10% of the errors found: precision" in drawn[0].text[0]
    assert figure.layout.meta["signature"] == "s|t:1"


@pytest.mark.parametrize("names", [NAMES, NAMES[:1]])
def test_a_legend_tells_curves_apart_and_one_alone_has_none(both, names):
    found = frame({name: found_after(both[name].confidence, both[name].wrong, np.array([0.1, 1.0])) for name in names})
    assert (errors_found_figure(found, signature="s").layout.showlegend is not False) == (len(names) > 1)


def test_a_reliability_diagram_has_bars_dots_and_the_diagonal(both):
    bins = frame({name: reliability(one.confidence, one.wrong) for name, one in both.items()})
    figure = reliability_figure(bins, signature="s")
    bars, dots, diagonal = figure.data[:4:2], figure.data[1:4:2], figure.data[4]
    for bar, dot, (_, rows) in zip(bars, dots, bins.groupby("name", sort=False), strict=True):
        assert list(bar.y) == rows["edges"].tolist()
        filled = rows[rows["edges"] > 0]
        assert list(dot.x) == filled["centre"].tolist()
        assert list(dot.y) == filled["right"].tolist()
    assert list(diagonal.x) == list(diagonal.y) == [0, 1]
    assert {bar.yaxis for bar in bars} == {"y2"}
    assert figure.layout.yaxis.overlaying == "y2"
    # The bars of a bin are beside one another and inside it.
    assert bars[0].offset + bars[0].width == pytest.approx(bars[1].offset)
    assert bars[1].offset + bars[1].width <= 0.025


def test_errors_found_against_edges_inspected(both):
    shares = np.linspace(0, 1, 11)
    found = frame({name: found_after(one.confidence, one.wrong, shares) for name, one in both.items()})
    figure = errors_found_figure(found, signature="s", marked=0.05)
    for line, (_, rows) in zip(figure.data[:2], found.groupby("name", sort=False), strict=True):
        assert list(line.x) == shares.tolist()
        assert list(line.y) == rows["found"].tolist()
        assert (line.y[0], line.y[-1]) == (0, pytest.approx(1))
    assert figure.layout.shapes[0].x0 == 0.05


def test_nothing_to_draw_is_no_error():
    empty = frame({"A": found_after(np.array([0.5]), np.array([False]), np.array([0.5]))}).head(0)
    assert len(errors_found_figure(empty, signature="s").data) == 1
    assert len(precision_recall_figure(empty.assign(recall=[], precision=[], low=[], high=[]), signature="s").data) == 0
