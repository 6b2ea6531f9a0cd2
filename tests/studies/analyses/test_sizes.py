"""Sizes: subsets of the test set, all pairs on each of them, and thresholds as a function of size."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy.stats import linregress, t

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.pair_table import PAIR_COLUMNS
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.shipped import known_or_bootstrap
from nlpsig_core.studies.analyses.campaign import cells
from nlpsig_core.studies.analyses.domains import by_domain, thresholds_by_domain
from nlpsig_core.studies.analyses.sizes import (
    ESTIMATES,
    check_sizes,
    fit_by_size,
    pairs_by_size,
    spread_by_size,
    subsets,
    thresholds_by_size,
    usual_sizes,
)
from tests.builders import task

LENIENT = Rule(window=(0.0, 0.4), fewest=2)
DIFFERENT, SAME = "different groups", "same group"


def scores(systems: int, units: int, seed: int = 0) -> np.ndarray:
    """Scores (units, systems): what is hard in a unit is hard for all, and later systems are better."""
    rng = np.random.default_rng(seed)
    return rng.normal(50, 8, (units, 1)) + rng.normal(np.arange(systems) * 0.5, 4, (units, systems))


def selection(table: np.ndarray, metric: str = "mean", documents: bool = False, **more) -> Selection:
    """Systems S0, S1, ... by a table of scores (units, systems); neighbours S0 and S1, S2 and S3 are of one group."""
    names = [f"S{i}" for i in range(table.shape[1])]
    rows = [",".join(["unit", *(["document"] if documents else []), *names])]
    for place, row in enumerate(table):
        document = [f"d{place // 3:03d}"] if documents else []
        rows.append(",".join([f"u{place:04d}", *document, *(f"{score:.6f}" for score in row)]))
    groups = "".join(f"{name}\tg{place // 2}\n" for place, name in enumerate(names))
    small = task({"scores.csv": "\n".join(rows) + "\n", "groups.tsv": "system\tgroup\n" + groups})
    return select(small, METRICS[metric], **more)


@pytest.fixture(scope="module")
def eight() -> Selection:
    """Eight systems, 28 pairs of which 4 are of one group, on 90 units."""
    return selection(scores(8, 90))


@pytest.mark.parametrize(
    ("n", "sizes"),
    [
        (769, (100, 200, 400, 769)),
        (2_077, (100, 200, 400, 800, 1_600, 2_077)),
        (400, (100, 200, 400)),
        (250, (100, 200, 250)),
        (150, (25, 50, 100, 150)),
        (100, (25, 50, 100)),
        (48, (25, 48)),
        (12, (12,)),
    ],
)
def test_usual_sizes(n, sizes):
    """Doubled from 100 on and all units last; from 25 on where that would be fewer than three sizes."""
    assert usual_sizes(n) == sizes


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ([], "No size is chosen; choose whole numbers from 2 to 1,500"),
        ([100, 1], "A size of 1 documents: there are 1,500; choose whole numbers from 2 to 1,500"),
        ([0], "A size of 0 documents"),
        ([-3], "A size of -3 documents"),
        ([1_501], "A size of 1,501 documents: there are 1,500"),
        ([10.5], r"A size of 10\.5 documents"),
        ([math.nan], "A size of nan documents"),
        ([math.inf], "A size of inf documents"),
    ],
)
def test_sizes_that_cannot_be(sizes, reason):
    with pytest.raises(ChoiceError, match=reason):
        check_sizes(sizes, 1_500, "document")


def test_ways_and_draws_that_cannot_be():
    with pytest.raises(ChoiceError, match=r"No way to take units called 'last'. Available: initial, random"):
        subsets(10, [5], "last")
    with pytest.raises(ChoiceError, match="0 draws of each size; choose 1 or more"):
        subsets(10, [5], "random", 0)
    with pytest.raises(ChoiceError, match="100,000,000,000 draws of each size; choose 1,000 or fewer"):
        subsets(10, [5], "random", 10**11)
    with pytest.raises(ChoiceError, match="draws is 'x'; choose a whole number"):
        subsets(10, [5], "random", "x")
    with pytest.raises(ChoiceError, match="size is 'x'; choose a number"):
        subsets(10, ["x"])


def test_initial_segments_by_pencil():
    """Of five units the first two, then all; drawn once, however many draws are asked for."""
    found = [(size, draw, units.tolist()) for size, draw, units in subsets(5, [5, 2], "initial", 3)]
    assert found == [(2, 1, [0, 1]), (5, 1, [0, 1, 2, 3, 4])]


def test_random_subsets_are_distinct_and_without_replacement():
    found = subsets(200, [50, 120, 200], "random", 4, seed=7)
    assert [(size, draw) for size, draw, _ in found] == [(50, d) for d in range(1, 5)] + [
        (120, d) for d in range(1, 5)
    ] + [(200, 1)]
    for size, _, units in found:
        assert len(set(units.tolist())) == size
        assert (np.diff(units) > 0).all()
        assert 0 <= units[0] <= units[-1] < 200
    assert len({units.tobytes() for _, _, units in found}) == 9
    # The smaller is no part of the larger.
    assert not set(found[0][2].tolist()) <= set(found[4][2].tolist())


def test_a_subset_depends_on_seed_size_and_draw_alone():
    alone = subsets(200, [120], "random", 1, seed=7)[0][2]
    among = subsets(200, [200, 120, 50, 119], "random", 4, seed=7)
    assert next(units for size, draw, units in among if (size, draw) == (120, 1)).tolist() == alone.tolist()
    assert subsets(200, [120], "random", 1, seed=8)[0][2].tolist() != alone.tolist()


def test_pairs_of_a_size_are_those_of_a_test_set_of_these_units():
    """A table of scores that has only these units gives the same pairs, to the last bit."""
    table, recipe = scores(5, 60), Resampling(1_500, seed=3)
    found = pairs_by_size(selection(table), recipe, [20, 40, 60], "random", 2)
    assert list(found.columns)[: len(PAIR_COLUMNS) + 2] == ["size", "draw", *PAIR_COLUMNS]
    by_part = dict(list(found.groupby(["size", "draw"])))
    of_subsets = subsets(60, [20, 40, 60], "random", 2, seed=3)
    assert list(by_part) == [(size, draw) for size, draw, _ in of_subsets]
    for size, draw, units in of_subsets:
        small = selection(table[units])
        expected = small.bootstrap(recipe).pairs()
        rows = by_part[size, draw][list(PAIR_COLUMNS)].reset_index(drop=True)
        assert_frame_equal(rows, expected[list(PAIR_COLUMNS)], check_exact=True)


def test_the_bootstrap_of_all_units_is_taken_where_it_is_known(eight):
    recipe, calls = Resampling(2_000), []
    whole = known_or_bootstrap(eight.stats, recipe)
    found = pairs_by_size(eight, recipe, [30, 90], progress=lambda done, of: calls.append(done), whole=whole)
    assert_frame_equal(found, pairs_by_size(eight, recipe, [30, 90]))
    assert max(calls) == recipe.n_resamples
    without = pairs_by_size(eight, recipe, [30], whole=whole)
    assert_frame_equal(without, found[found["size"] == 30])


def test_the_usual_sizes_are_taken_by_default(eight):
    found = pairs_by_size(eight, Resampling(200))
    assert sorted(found["size"].unique()) == [25, 50, 90]
    assert found.groupby(["size", "draw"]).size().tolist() == [28, 28, 28]


def test_documents_are_units_where_they_are_resampled():
    """90 units in documents of three: 30 of them, and the first 10 are the first 30 units."""
    table, recipe = scores(4, 90), Resampling(500)
    by_document = selection(table, documents=True, unit="document")
    found = pairs_by_size(by_document, recipe, [10, 30])
    first = selection(table[:30])
    gains = found[found["size"] == 10].set_index(["system_a", "system_b"])["gain"]
    expected = first.bootstrap(recipe).pairs().set_index(["system_a", "system_b"])["gain"]
    assert len(gains) == 6
    for pair, gain in expected.items():
        assert gains[pair] == pytest.approx(gain)
    with pytest.raises(ChoiceError, match="A size of 31 documents: there are 30"):
        pairs_by_size(by_document, recipe, [31])


def test_progress_counts_the_resamples_of_all_subsets(eight):
    """30 units twice and all 90 once: three times 5,000 resamples, never back, and to the end."""
    calls: list[tuple[int, int]] = []
    pairs_by_size(eight, Resampling(5_000), [30, 90], "random", 2, lambda done, of: calls.append((done, of)))
    assert {of for _, of in calls} == {15_000}
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert {5_000, 10_000, 15_000} <= {done for done, _ in calls}
    assert calls[-1] == (15_000, 15_000)


def test_one_system_has_no_pairs():
    with pytest.raises(TaskError, match="A comparison needs 2 systems at least; here is 1"):
        pairs_by_size(selection(scores(1, 30)), Resampling(10), [10, 30])


def test_thresholds_where_a_size_has_no_pair_with_a_gain(eight):
    """Its rows are missing, the others stay numbers; of no pairs at all there are the columns."""
    pairs = pairs_by_size(eight, Resampling(500), [20, 90])
    some = thresholds_by_size(pairs.assign(gain=pairs["gain"].where(pairs["size"] == 90, 0.0)), LENIENT)
    assert set(some["size"]) == {90}
    assert some["threshold"].dtype == float
    none = thresholds_by_size(pairs.head(0), LENIENT)
    assert none.empty
    assert list(none.columns) == list(some.columns)
    assert spread_by_size(none).empty
    assert fit_by_size(none).empty


def thresholds(rows, comparison: str = DIFFERENT) -> pd.DataFrame:
    """Rows of (size, draw, threshold, model_threshold)."""
    table = pd.DataFrame(rows, columns=["size", "draw", "threshold", "model_threshold"])
    return table.assign(comparison=comparison)


def test_spread_by_pencil():
    """Of three draws one has no threshold by the window: 1 and 2 have the median 1.5. By the model 3, 4, 8: 4."""
    nan = math.nan
    table = thresholds([(100, 1, 1.0, 4.0), (100, 2, nan, 3.0), (100, 3, 2.0, 8.0), (200, 1, nan, 5.0)])
    found = spread_by_size(table).set_index(["size", "estimate"])
    columns = ["draws", "found", "median", "low", "high"]
    assert found.loc[(100, "window"), columns].tolist() == [3, 2, 1.5, 1.0, 2.0]
    assert found.loc[(100, "model"), columns].tolist() == [3, 3, 4.0, 3.0, 8.0]
    assert found.loc[(200, "model"), columns].tolist() == [1, 1, 5.0, 5.0, 5.0]
    assert found.loc[(200, "window"), "found"] == 0
    assert found.loc[(200, "window"), ["median", "low", "high"]].isna().all()


def test_fit_by_pencil():
    """20, 10 and 5 at 100, 400 and 1,600 are 200 / sqrt(size) without any bend."""
    found = fit_by_size(thresholds([(100, 1, 20.0, 40.0), (400, 1, 10.0, 20.0), (1_600, 1, 5.0, 10.0)]))
    assert found["estimate"].tolist() == ["window", "model"]
    assert found["c"].tolist() == pytest.approx([200, 400])
    for name, value in (("exponent", -0.5), ("exponent_se", 0), ("exponent_low", -0.5), ("worst_ratio", 1)):
        assert found[name].tolist() == pytest.approx([value, value], abs=1e-7)
    assert found[["sizes", "points"]].to_numpy().tolist() == [[3, 3], [3, 3]]
    assert (found["reason"] == "").all()


def test_bend_by_pencil():
    """With 2, 2 and 2 thresholds do not fall: exponent 0. threshold * sqrt(size) is 20, 40, 80, their geometric
    mean 40 is c, and the curve has 4, 2, 1: the ratios are 1/2, 1, 2. With 6, 2 and 1 it is 60, 40, 40: the
    first is furthest from their mean, and so it is with 1, 2 and 1, where it is 10, 40, 40."""
    row = fit_by_size(thresholds([(100, 1, 2.0, 2.0), (400, 1, 2.0, 2.0), (1_600, 1, 2.0, 2.1)])).iloc[0]
    assert row["c"] == pytest.approx(40)
    assert row["exponent"] == pytest.approx(0, abs=1e-12)
    assert abs(math.log2(row["worst_ratio"])) == pytest.approx(1)
    steeper = fit_by_size(thresholds([(100, 1, 6.0, 1.0), (400, 1, 2.0, 1.0), (1_600, 1, 1.0, 1.0)])).iloc[0]
    assert steeper["exponent"] == pytest.approx(math.log(1 / 6) / math.log(16))
    assert steeper["worst_size"] == 100
    assert steeper["worst_ratio"] == pytest.approx(60 / (60 * 40 * 40) ** (1 / 3))
    below = fit_by_size(thresholds([(100, 1, 1.0, 1.0), (400, 1, 2.0, 1.0), (1_600, 1, 1.0, 1.0)])).iloc[0]
    assert below["worst_size"] == 100
    assert below["worst_ratio"] == pytest.approx(10 / (10 * 40 * 40) ** (1 / 3))


def test_fit_equals_scipy():
    """Slope, its standard error and Student's interval are those of scipy's regression of the logarithms."""
    rng = np.random.default_rng(4)
    sizes = np.repeat([100, 200, 400, 800], 5)
    values = 30 / sizes**0.55 * rng.lognormal(0, 0.1, 20)
    rows = [
        (size, place % 5 + 1, value, 2 * value) for place, (size, value) in enumerate(zip(sizes, values, strict=True))
    ]
    found = fit_by_size(thresholds(rows)).set_index("estimate")
    theirs = linregress(np.log(sizes), np.log(values))
    reach = t.ppf(0.975, 18) * theirs.stderr
    for estimate in ESTIMATES:
        row = found.loc[estimate]
        assert row["exponent"] == pytest.approx(theirs.slope)
        assert row["exponent_se"] == pytest.approx(theirs.stderr)
        expected = (theirs.slope - reach, theirs.slope + reach)
        assert (row["exponent_low"], row["exponent_high"]) == pytest.approx(expected)
        assert row["points"] == 20
    assert found.loc["model", "c"] == pytest.approx(2 * found.loc["window", "c"])


def test_few_sizes_give_a_reason_and_no_number():
    """Four draws at two sizes are still two sizes; a threshold that is missing is no point."""
    table = thresholds(
        [
            (100, 1, 3.0, math.nan),
            (100, 2, 3.1, math.nan),
            (200, 1, 2.0, 2.0),
            (200, 2, 2.1, math.nan),
            (400, 1, math.nan, math.nan),
        ]
    )
    found = fit_by_size(table).set_index("estimate")
    assert found.loc["window", "reason"] == "thresholds at 2 sizes; 3 are needed"
    assert found.loc["model", "reason"] == "thresholds at 1 size; 3 are needed"
    assert found.loc["window", ["sizes", "points"]].tolist() == [2, 4]
    assert found[["c", "exponent", "exponent_se", "worst_ratio"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: usual_sizes("x"), "n_units is 'x'; choose a whole number"),
        (lambda: thresholds_by_size(3), "pairs is 3; it has to be a DataFrame"),
        (lambda: thresholds_by_size(pd.DataFrame(), 95), "rule is 95; it has to be a Rule"),
        (lambda: thresholds_by_domain(3), "pairs is 3; it has to be a DataFrame"),
        (lambda: by_domain(3), "selection is 3; it has to be a Selection"),
        (lambda: cells(3), "selection is 3; it has to be a Selection"),
    ],
)
def test_an_argument_of_another_kind_is_refused(wrong, message):
    with pytest.raises(ChoiceError, match=message):
        wrong()
