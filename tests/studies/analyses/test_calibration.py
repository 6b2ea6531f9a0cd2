"""Calibration: whether winners win elsewhere and in the population, against loops, pencils and what p promises."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, norm, t
from sklearn.calibration import calibration_curve

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.studies.analyses.calibration import (
    AROUND_LEVEL,
    across_domains,
    bins_between,
    check_bins,
    elsewhere,
    staying_ahead,
    within_population,
)
from nlpsig_core.studies.analyses.domains import by_domain
from nlpsig_core.studies.analyses.population import Cost, cost, drawn_units, largest_size, population_tests
from tests.builders import conllu
from tests.significance.comparison.test_selection import RIGHT, SMALL, WRONG
from tests.significance.comparison.test_selection import selection as small_selection
from tests.studies.analyses.test_domains import NEWS_LAW, PENCIL, random_scored, scored, two_sets

ALL = bins_between((0, 0.5, 1))
COLUMNS = ["p_low", "p_high", "pairs", "agree", "share", "low", "high", "nominal"]


def pairs_of(selection: Selection, recipe: Resampling = Resampling(500)) -> pd.DataFrame:
    return selection.bootstrap(recipe).pairs()


def table_of(p: list[float], agree: list[float], systems: list[tuple[str, str]] | None = None) -> pd.DataFrame:
    """Tests as ``elsewhere`` gives them, by default each of two systems of its own."""
    names = systems or [(f"a{i}", f"b{i}") for i in range(len(p))]
    return pd.DataFrame(
        {
            "other": "x",
            "system_a": [a for a, _ in names],
            "system_b": [b for _, b in names],
            "p_value": p,
            "agree": agree,
        }
    )


def test_winners_elsewhere_by_pencil():
    """News ranks A 3, B 2, C 1; law has B 2, A 1, C 0.5: B wins over A there, the two others still win.

    On a third part A and B tie at 2, C has 4.
    """
    parts = by_domain(scored(PENCIL, NEWS_LAW))[0] | {"third": scored({"A": [2, 2], "B": [0, 4], "C": [4, 4]})}
    found = elsewhere(pairs_of(parts["news"]), {name: parts[name] for name in ("law", "third")})
    columns = ["other", "system_a", "system_b", "gain", "other_gain", "agree"]
    assert found[columns].to_numpy().tolist() == [
        ["law", "A", "B", 1, -1, 0],
        ["law", "A", "C", 2, 0.5, 1],
        ["law", "B", "C", 1, 1.5, 1],
        ["third", "A", "B", 1, 0, 0.5],
        ["third", "A", "C", 2, -2, 0],
        ["third", "B", "C", 1, -2, 0],
    ]


def test_shares_by_pencil():
    """p of 0.01 to 0.02 have three pairs with 1 + 1 + 0.5 winners elsewhere: 5/6. From 0.02 on one of two."""
    tests = table_of([0.01, 0.015, 0.019, 0.02, 0.03, 0.5], [1, 1, 0.5, 1, 0, 0])
    table = across_domains(tests, bins_between((0.01, 0.02, 0.04, 0.08)))
    assert list(table.columns) == ["other", *COLUMNS]
    assert table[["p_low", "p_high", "pairs", "agree"]].to_numpy().tolist() == [
        [0.01, 0.02, 3, 2.5],
        [0.02, 0.04, 2, 1],
        [0.04, 0.08, 0, 0],
    ]
    assert table["share"].tolist()[:2] == pytest.approx([5 / 6, 1 / 2])
    assert table["nominal"].tolist() == pytest.approx([0.985, 0.97, 0.94])
    theirs = binomtest(1, 2).proportion_ci(method="wilson")
    assert table.loc[1, ["low", "high"]].tolist() == pytest.approx([theirs.low, theirs.high], abs=1e-6)
    assert table.loc[2, ["share", "low", "high"]].isna().all()


def test_shares_are_those_of_scikit_learn():
    """A bin of p owns its lower end, and one of scikit-learn its upper: that of 1 - p. Most p are on a border."""
    rng = np.random.default_rng(4)
    fortieths = rng.integers(0, 40, 500)
    agree = (rng.random(500) < 0.9 - fortieths / 80) * 1.0
    table = across_domains(table_of((fortieths / 40).tolist(), agree.tolist()), bins_between(np.arange(21) / 20))
    share, mean = calibration_curve(agree, (40 - fortieths) / 40, n_bins=20)
    assert len(share) == len(table)
    assert table["share"].tolist()[::-1] == pytest.approx(share.tolist())
    assert (abs(table["nominal"][::-1] - mean) <= 0.025 + 1e-12).all()


def test_a_bin_begins_with_its_lower_end():
    tests = table_of([0.04, 0.05, 0.06], [1, 1, 1])
    assert across_domains(tests, AROUND_LEVEL)["pairs"].tolist() == [2]
    assert across_domains(tests, ((0.0, 0.05), (0.04, 0.06)))["pairs"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("bins", "reason"),
    [
        ([], "There is no bin of p; choose at least two edges"),
        ([(0.2, 0.1)], "p from 0.2 to 0.1 is no bin; its ends must rise and lie between 0 and 1"),
        ([(0.1, 0.1)], "p from 0.1 to 0.1 is no bin"),
        ([(0, 0.1), (0.5, 1.5)], "p from 0.5 to 1.5 is no bin"),
        ([(-0.1, 0.1)], "p from -0.1 to 0.1 is no bin"),
        ([(0.1, float("nan"))], "p from 0.1 to nan is no bin"),
    ],
)
def test_bins_that_make_no_sense(bins, reason):
    with pytest.raises(ChoiceError, match=reason):
        check_bins(bins)
    with pytest.raises(ChoiceError, match=reason):
        across_domains(table_of([0.1], [1]), bins)


@pytest.mark.parametrize("metric", ["mean", "mean-lower"])
def test_shares_are_those_of_a_plain_loop(metric):
    """Every pair, every other part, every bin by hand, with each part once as the first."""
    parts = by_domain(random_scored(7, 9, 90, domains=3, metric=metric))[0]
    bins, sign = bins_between((0, 0.1, 0.3, 0.6)), -1 if metric == "mean-lower" else 1
    for first, part in parts.items():
        pairs, others = pairs_of(part), {name: of for name, of in parts.items() if name != first}
        table = across_domains(elsewhere(pairs, others), bins).set_index(["other", "p_low"])
        assert len(table) == 6
        for other, of_part in others.items():
            scores = dict(zip(of_part.stats.names, of_part.stats.scores, strict=True))
            for low, high in bins:
                won = []
                for row in pairs.itertuples():
                    if row.gain > 0 and low <= row.p_value < high:
                        there = sign * (scores[row.system_a] - scores[row.system_b])
                        won.append(1 if there > 0 else 0.5 if there == 0 else 0)
                assert table.loc[(other, low), "pairs"] == len(won)
                assert table.loc[(other, low), "agree"] == sum(won)


def test_invalid_outputs_and_pairs_without_gain_take_no_part():
    """C is nonsense on two and D has nothing there: only A and B are left, whichever part is the first.

    Of a task with two equal outputs, a worse and a broken one, the two pairs with a gain are.
    """
    parts = two_sets()
    for first, other, winners in (("one", "two", ["B", "A"]), ("two", "one", ["A", "B"])):
        tests = elsewhere(pairs_of(parts[first]), {other: parts[other]})
        assert tests[["system_a", "system_b", "agree"]].to_numpy().tolist() == [[*winners, 0]]
    one = small_selection()
    tests = elsewhere(pairs_of(one), {"itself": one})
    assert tests[["system_a", "system_b"]].to_numpy().tolist() == [["A", "C"], ["B", "C"]]


def test_interval_from_drawing_systems_is_that_of_a_loop():
    rng = np.random.default_rng(5)
    names = [(f"s{i}", f"s{j}") for i in range(5) for j in range(i)]
    agree = rng.integers(0, 3, len(names)) / 2
    row = across_domains(table_of([0.3] * 10, list(agree), systems=names), ALL, draws=400, seed=3).iloc[0]
    wilson = binomtest(int(agree.sum()), 10).proportion_ci(method="wilson")
    shares = []
    for times in np.random.default_rng(3).multinomial(5, [0.2] * 5, size=400):
        weights = [times[int(a[1])] * times[int(b[1])] for a, b in names]
        if sum(weights):
            shares.append(sum(w * x for w, x in zip(weights, agree, strict=True)) / sum(weights))
    assert row[["low", "high"]].tolist() == pytest.approx(np.percentile(shares, [2.5, 97.5]))
    assert row["high"] - row["low"] > wilson.high - wilson.low


def test_the_wider_interval_is_shown():
    """Six systems, 15 pairs; all five with s0 agree and no other: Wilson, who takes them for 15 flips of a coin, is
    narrower. Where all pairs agree drawing systems again gives an interval of no width: Wilson's is wider."""
    names = [(f"s{i}", f"s{j}") for i in range(6) for j in range(i)]
    row = across_domains(table_of([0.3] * 15, [float(b == "s0") for _, b in names], systems=names), ALL).iloc[0]
    theirs = binomtest(5, 15).proportion_ci(method="wilson")
    assert row["share"] == pytest.approx(1 / 3)
    assert row["low"] == 0 < theirs.low
    assert row["high"] > theirs.high
    row = across_domains(table_of([0.3] * 15, [1] * 15, systems=names), ALL).iloc[0]
    theirs = binomtest(15, 15).proportion_ci(method="wilson")
    assert (row["low"], row["high"]) == pytest.approx((theirs.low, theirs.high), abs=1e-6)


def plain_population_tests(selection: Selection, size: int, draws: int, recipe: Resampling) -> pd.DataFrame:
    """The experiment as the paper tells it, with the main job on each test set drawn."""
    true = dict(zip(selection.stats.names, selection.metric.sign * selection.stats.scores, strict=True))
    rows = []
    for draw in range(draws):
        units, own = drawn_units(recipe, draw, size, selection.stats.n_units)
        part = selection.on(units)
        for row in part.bootstrap(own).pairs(Notion(test=BOOTSTRAP)).itertuples():
            there = true[row.system_a] - true[row.system_b]
            if row.comparison != "invalid output" and row.gain > 1e-9 and abs(there) > 1e-9:
                line = (draw + 1, row.system_a, row.system_b, row.comparison, row.gain, row.p_value, there, there > 0)
                rows.append(line)
    columns = ["draw", "system_a", "system_b", "comparison", "gain", "p_value", "population_gain", "agree"]
    return pd.DataFrame(rows, columns=columns)


def sentences(seed: int) -> str:
    """120 sentences, about half of them right."""
    return conllu(*(RIGHT if right else WRONG for right in np.random.default_rng(seed).integers(0, 2, 120)))


DEPENDENCY_TASK = SMALL | {
    "gold.conllu": conllu(*[RIGHT] * 120),
    "domains.tsv": "sentence\tdoc\n" + "".join(f"{i + 1}\td{i // 2}\n" for i in range(120)),
    "systems/A.conllu": sentences(1),
    "systems/B.conllu": sentences(2),
    "systems/C.conllu": sentences(3),
}
POPULATIONS = {
    "mean": lambda: random_scored(3, 6, 100),
    "lower is better": lambda: random_scored(3, 6, 100, metric="mean-lower"),
    "an invalid output": lambda: small_selection(DEPENDENCY_TASK),
    "documents": lambda: small_selection(DEPENDENCY_TASK, unit="document"),
    "a part": lambda: random_scored(4, 5, 120).on(np.arange(5, 115)),
}


@pytest.mark.parametrize("population", POPULATIONS.values(), ids=POPULATIONS)
def test_population_tests_are_those_of_a_plain_loop(population):
    """Hit for hit: the same winners, gains and p as the main job on each test set drawn."""
    one, recipe = population(), Resampling(1_300, seed=6)
    size = largest_size(one)
    found = population_tests(one, size, 11, recipe)
    expected = plain_population_tests(one, size, 11, recipe)
    assert size >= 5
    assert len(expected) >= 15
    assert 0 < expected["agree"].mean() < 1
    pd.testing.assert_frame_equal(found.astype(expected.dtypes.to_dict()), expected, check_exact=False, rtol=1e-12)
    assert (found["p_value"] == expected["p_value"]).all()


def test_a_test_set_drawn_does_not_depend_on_how_many_are():
    one, recipe = random_scored(3, 5, 200), Resampling(200, seed=1)
    few, many = population_tests(one, 20, 3, recipe), population_tests(one, 20, 6, recipe)
    pd.testing.assert_frame_equal(few, many[many["draw"] <= 3])
    other = population_tests(one, 20, 3, Resampling(200, seed=2))
    assert not few["gain"].equals(other["gain"])


def test_population_shares_are_those_of_a_plain_loop():
    """Bins by hand; the wider of Wilson by scipy and the interval by drawing the seven test sets again in a loop.

    Its tails are those of Student's t with six degrees of freedom, 1.2 times as far out.
    """
    tail = norm.cdf(np.sqrt(7 / 6) * t.ppf(0.025, 6))
    tests = population_tests(random_scored(3, 6, 100), 10, 7, Resampling(400, seed=2))
    bins = bins_between((0, 0.1, 0.3, 0.6))
    table = within_population(tests, bins, draws=300, seed=2)
    assert list(table.columns) == [c if c != "pairs" else "tests" for c in COLUMNS]
    again = generator(2, Purpose.TEST_SETS_AGAIN).multinomial(7, [1 / 7] * 7, size=300)
    for row, (low, high) in zip(table.itertuples(), bins, strict=True):
        inside = tests[(tests["p_value"] >= low) & (tests["p_value"] < high)]
        assert (row.tests, row.agree) == (len(inside), inside["agree"].sum())
        assert row.tests > 5
        theirs = binomtest(int(row.agree), row.tests).proportion_ci(method="wilson")
        shares = []
        for times in again:
            chosen = [inside[inside["draw"] == draw + 1] for draw in range(7) for _ in range(times[draw])]
            shares.append(pd.concat(chosen)["agree"].mean())
        drawn = tuple(np.quantile(shares, [tail, 1 - tail]))
        wider = max((theirs.low, theirs.high), drawn, key=lambda ends: ends[1] - ends[0])
        assert (row.low, row.high) == pytest.approx(wider, abs=1e-6)
        assert row.nominal == pytest.approx(1 - (low + high) / 2)


def test_few_test_sets_have_no_interval_of_their_own():
    tests = population_tests(random_scored(3, 6, 100), 10, 4, Resampling(100))
    table = within_population(tests, ALL)
    assert table.loc[0, "tests"] > 5
    theirs = binomtest(int(table.loc[0, "agree"]), int(table.loc[0, "tests"])).proportion_ci(method="wilson")
    assert table.loc[0, ["low", "high"]].tolist() == pytest.approx([theirs.low, theirs.high], abs=1e-6)
    nothing = within_population(tests.head(0), ALL)
    assert nothing["tests"].tolist() == [0, 0]
    assert nothing["share"].isna().all()


def test_cost_is_known_before():
    """6 systems have 15 pairs; of the dependency task's 4 one is invalid, which leaves 3."""
    assert cost(random_scored(3, 6, 100), 10, 7, Resampling(1_300)) == Cost(tests=105, resamples=9_100)
    assert cost(small_selection(DEPENDENCY_TASK), 6, 10, Resampling(100)) == (30, 1_000)


@pytest.mark.parametrize(
    ("size", "draws", "reason"),
    [
        (5, 5, "Test sets of 5 units; choose 6 or more"),
        (1, 5, "Test sets of 1 unit; choose 6 or more"),
        (6, 0, "0 test sets; choose 1"),
        (6, 10**11, "100,000,000,000 test sets; choose 1,000 or fewer"),
        ("6", 5, "size is '6'; choose a whole number"),
        (6, None, "draws is None; choose a whole number"),
        (7, 5, "Test sets of 7 units are no small samples of 69; choose 6 or fewer, a tenth of the population"),
    ],
)
def test_experiments_that_make_no_sense(size, draws, reason):
    for function in (cost, population_tests):
        with pytest.raises(ChoiceError, match=reason):
            function(random_scored(3, 3, 69), size, draws, Resampling(10))


def test_too_few_units_for_a_population():
    """A tenth of 59 is no test set of six; below six, no exact test reaches 0.05: 2 / 2^5 = 0.0625."""
    reason = "59 units are too few for a population: test sets have 6 at least and a tenth of them at most, so 60 are"
    for function in (largest_size, lambda selection: cost(selection, 6, 2, Resampling(10))):
        with pytest.raises(ChoiceError, match=reason):
            function(random_scored(3, 3, 59))
    assert largest_size(random_scored(3, 3, 60)) == 6


def test_progress_is_told_in_resamples_of_all_test_sets():
    progress_calls: list[tuple[int, int]] = []
    population_tests(
        random_scored(3, 3, 100), 10, 4, Resampling(2_500), lambda done, of: progress_calls.append((done, of))
    )
    done = [one for one, _ in progress_calls]
    assert {of for _, of in progress_calls} == {10_000}
    assert done == sorted(set(done))
    assert done[-1] == 10_000
    assert {2_500, 5_000, 7_500} < set(done)


def test_the_line_says_how_often_winners_stay_ahead():
    """The level is named on the scale of p, which is one-sided: half of the two-sided 0.05.

    Two tests of three below it agree, of twenty around it nineteen.
    """
    tests = pd.DataFrame({"p_value": [0.001, 0.01, 0.022, 0.045], "agree": [1, 1, 0, 0]})
    near = pd.DataFrame({"p_value": 0.028, "agree": [1] * 19})
    clear = "With one-sided p < 0.025 (two-sided about 0.05) the winner stays ahead in"
    assert staying_ahead(tests) == f"{clear} 67% of 3 tests"
    assert staying_ahead(pd.concat([tests, near])) == f"{clear} 67% of 3 tests; with p around 0.025, in 95% of 20"
    assert staying_ahead(tests.tail(1)) == "No test had one-sided p < 0.025 (two-sided about 0.05)"
    one_sided = staying_ahead(tests, Notion(sides="one"))
    assert one_sided == "With one-sided p < 0.05 the winner stays ahead in 50% of 4 tests"
    assert staying_ahead(tests.head(1)) == f"{clear} 100% of 1 test"
