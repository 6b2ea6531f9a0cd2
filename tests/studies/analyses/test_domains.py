"""Domains and test sets beside one another: same systems, same size, agreement of rankings, one pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import PAIR_COLUMNS
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.verdict import SEEN_FROM_THE_LOSER
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses.domain_pair import ahead_in, pair_by_domain
from nlpsig_core.studies.analyses.domains import (
    agreement,
    by_domain,
    common_stats,
    common_systems,
    kendall,
    of_size,
    pairs_by_domain,
    signature,
    threshold_range,
    thresholds_by_domain,
    unit_of_all,
    usual_size,
    valid_systems,
)
from tests.builders import task
from tests.significance.comparison.test_selection import SMALL
from tests.significance.comparison.test_selection import selection as small_selection


def scored(
    systems: Mapping[str, Sequence[object]], domains: Sequence[str] = (), metric: str = "mean", **more
) -> Selection:
    """A selection of a table of scores: a column a system (a missing cell is ""), a row a unit."""
    n = len(next(iter(systems.values())))
    of_domain = {"domain": list(domains)} if len(domains) else {}
    table = pd.DataFrame({"unit": [f"u{i}" for i in range(n)]} | of_domain | dict(systems))
    one = task({"scores.csv": table.to_csv(index=False)})
    return select(one, METRICS[metric], **more)


def random_scored(seed: int, systems: int, units: int, domains: int = 0, metric: str = "mean", **more) -> Selection:
    """Systems of random whole scores that differ in quality, by ``domains`` in turn."""
    rng = np.random.default_rng(seed)
    values = {f"s{i}": rng.binomial(10, 0.4 + 0.3 * rng.random(), units) for i in range(systems)}
    return scored(values, [f"d{i % domains}" for i in range(units)] if domains else (), metric, **more)


# News: A has 6 of 8, B 4, C 2. Law: B has 4 of 4, A 2, C 1.
PENCIL = {"A": [6, 0, 2, 0], "B": [2, 2, 4, 0], "C": [0, 2, 0, 1]}
NEWS_LAW = ["news", "news", "law", "law"]


def test_domains_by_pencil():
    """Mean scores on news are 3, 2, 1 and on law 1, 2, 0.5, each of two units."""
    parts, notes = by_domain(scored(PENCIL, NEWS_LAW))
    assert list(parts) == ["law", "news"]
    assert notes == []
    assert parts["news"].stats.scores.tolist() == [3, 2, 1]
    assert parts["law"].stats.scores.tolist() == [1, 2, 0.5]
    assert parts["law"].stats.digest == scored(PENCIL, NEWS_LAW, domain="law").stats.digest


def test_domains_with_one_unit_are_named_and_left_out():
    parts, notes = by_domain(small_selection())
    assert list(parts) == ["blog"]
    assert notes == [
        "news is left out: 1 sentence; 2 are needed",
        "no domain is left out: 1 sentence; 2 are needed",
    ]


def test_two_documents_are_needed_where_documents_are_resampled():
    """Law has two units, but one document."""
    table = pd.DataFrame({"unit": list("uvwx"), "domain": NEWS_LAW, "doc": ["1", "2", "3", "3"]} | PENCIL)
    one = task({"scores.csv": table.to_csv(index=False)})
    parts, notes = by_domain(select(one, METRICS["mean"], unit="document"))
    assert list(parts) == ["news"]
    assert notes == ["law is left out: 1 document; 2 are needed"]


def spoken(domain_of) -> Selection:
    """24 documents of four units, all alike in the first twelve; each unit has the domain of its document and place."""
    rng = np.random.default_rng(1)
    places = [(document, place) for document in range(24) for place in range(4)]
    alike = np.repeat(rng.integers(0, 2, (2, 12)), 4, axis=1)
    values = dict(zip("AB", np.hstack([alike, rng.integers(0, 2, (2, 48))]), strict=True))
    labels = {"domain": [domain_of(*place) for place in places], "doc": [document for document, _ in places]}
    table = pd.DataFrame({"unit": range(96)} | labels | values)
    return select(task({"scores.csv": table.to_csv(index=False)}), METRICS["mean"])


def test_all_domains_resample_the_unit_of_the_whole():
    """Units of a document are alike in one domain and not in the other, which resamples documents on its own, too."""
    whole = spoken(lambda document, place: "alike" if document < 12 else "unlike")
    alone = {name: whole.changed(domain=name).stats.unit for name in ("alike", "unlike")}
    assert (whole.stats.unit, alone) == ("document", {"alike": "document", "unlike": "document"})
    parts, _ = by_domain(whole)
    assert {name: (part.stats.unit, part.stats.n_units) for name, part in parts.items()} == {
        "alike": ("document", 12),
        "unlike": ("document", 12),
    }
    one_document = spoken(lambda document, place: "first" if not document else "others").changed(domain="first")
    assert one_document.stats.unit == "unit"
    assert unit_of_all(parts) == "document"
    assert unit_of_all({"whole": whole, "units": whole.changed(unit="unit")}) == "unit"


def test_documents_count_in_each_of_their_domains_with_their_units_there():
    parts, _ = by_domain(spoken(lambda document, place: "odd" if place % 2 else "even"))
    assert {name: part.stats.n_units for name, part in parts.items()} == {"even": 24, "odd": 24}
    assert [part.first.own_units[0].tolist() for part in parts.values()] == [[0, 2], [1, 3]]


def test_units_are_resampled_where_usual_documents_leave_nothing_to_compare():
    """Each document is a domain of its own."""
    parts, notes = by_domain(spoken(lambda document, place: f"d{document}"))
    assert {(part.stats.unit, part.stats.n_units) for part in parts.values()} == {("unit", 4)}
    assert (len(parts), notes) == (24, [])


def test_domains_of_some_domains_and_of_none():
    three = random_scored(0, 3, 12, domains=3)
    assert list(by_domain(three.changed(domain="all but d1"))[0]) == ["d0", "d2"]
    assert list(by_domain(three.changed(domain="d1"))[0]) == ["d1"]
    assert by_domain(scored(PENCIL)) == ({}, [])


def test_domains_of_a_part_are_refused():
    with pytest.raises(ValueError, match="only a whole test set has domains; this selection takes some of its units"):
        by_domain(scored(PENCIL, NEWS_LAW).on(np.array([0, 1])))


def test_first_units_of_each_at_the_smallest_size():
    """Of 5, 3 and 4 units: the first 3 of each; at size 4 the middle one is left out."""
    values = np.arange(12)
    domains = ["a"] * 5 + ["b"] * 3 + ["c"] * 4
    parts, _ = by_domain(scored({"A": values, "B": values[::-1]}, domains))
    same, notes = of_size(parts)
    assert [part.stats.values[0, :, 0].tolist() for part in same.values()] == [[0, 1, 2], [8, 9, 10], [5, 6, 7]]
    assert notes == []
    larger, notes = of_size(parts, 4)
    assert list(larger) == ["a", "c"]
    assert notes == ["b is left out: 3 units; 4 are needed"]


def test_random_units_of_each_are_different_ones_and_nested():
    one = {"a": scored({"A": np.arange(50), "B": np.arange(50)[::-1]})}

    def drawn(size: int, seed: int) -> list[float]:
        return of_size(one, size, seed)[0]["a"].stats.values[0, :, 0].tolist()

    assert len(set(drawn(20, 1))) == 20
    assert drawn(20, 1) == sorted(drawn(20, 1)) == drawn(20, 1)
    assert drawn(20, 1) != drawn(20, 2)
    assert drawn(20, 1) != list(range(20))
    assert set(drawn(10, 1)) < set(drawn(20, 1))
    assert drawn(50, 1) == list(range(50))


@pytest.mark.parametrize("size", [0, 1, 3])
def test_sizes_that_make_no_sense(size):
    parts, _ = by_domain(scored(PENCIL, NEWS_LAW))
    units = "1 unit" if size == 1 else f"{size} units"
    with pytest.raises(ChoiceError, match=f"{units} of each; choose between 2 and 2"):
        of_size(parts, size)


def test_no_part_at_all():
    for function in (of_size, common_systems, common_stats, agreement):
        with pytest.raises(TaskError, match="There is no domain or test set to analyse"):
            function({})
    with pytest.raises(TaskError, match="There is no domain"):
        pairs_by_domain({}, Resampling(10))
    with pytest.raises(TaskError, match="There is no domain"):
        pair_by_domain({}, "A", "B", Resampling(10))


TWO_SETS = {
    "gold/one.conllu": SMALL["gold.conllu"],
    "gold/two.conllu": SMALL["gold.conllu"],
    "systems/A/one.conllu": SMALL["systems/A.conllu"],
    "systems/A/two.conllu": SMALL["gold.conllu"],
    "systems/B/one.conllu": SMALL["gold.conllu"],
    "systems/B/two.conllu": SMALL["systems/C.conllu"],
    "systems/C/one.conllu": SMALL["systems/C.conllu"],
    "systems/C/two.conllu": "nonsense",
    "systems/D/one.conllu": SMALL["systems/C.conllu"],
}


def two_sets(contents=TWO_SETS, **more) -> dict[str, Selection]:
    return select(task(contents), METRICS["LAS"], MACRO, **more).each


@pytest.mark.parametrize("invalid", ["", "leave out"])
def test_systems_that_all_parts_have_validly(invalid):
    """C is nonsense on two, D has no output there: only A and B are compared, whatever becomes of invalid ones."""
    parts = two_sets(invalid=invalid)
    assert valid_systems(parts["one"]) == ["A", "B", "C", "D"]
    assert valid_systems(parts["two"]) == ["A", "B"]
    systems, notes = common_systems(parts)
    assert systems == ["A", "B"]
    assert notes == ["C is left out: no valid output for two", "D is left out: no valid output for two"]
    pairs = pairs_by_domain(parts, Resampling(50))
    assert pairs[["domain", "system_a", "system_b"]].to_numpy().tolist() == [["one", "B", "A"], ["two", "A", "B"]]
    assert set(pairs["comparison"]) == {"different groups"}


def test_too_few_systems_that_all_parts_have():
    parts = two_sets(TWO_SETS | {"systems/B/two.conllu": "nonsense"})
    with pytest.raises(TaskError, match="A comparison needs 2 systems with a valid output for one, two; here is 1"):
        common_systems(parts)


def test_systems_are_known_by_name_not_by_order():
    """Two tasks with the same systems in another order: statistics come in the order of the first."""
    parts = {"x": scored(PENCIL), "y": scored({name: PENCIL[name] for name in "CBA"})}
    stats = common_stats(parts)
    assert stats["x"].names == stats["y"].names == ("A", "B", "C")
    assert stats["x"].digest == stats["y"].digest


@pytest.mark.parametrize("metric", ["mean", "mean-lower"])
def test_all_units_give_the_numbers_of_the_main_job(metric):
    one = random_scored(3, 5, 40, metric=metric)
    recipe = Resampling(500, seed=4)
    whole = one.bootstrap(recipe).pairs()
    found = pairs_by_domain({"x": one, "y": one}, recipe)
    assert list(found.columns) == ["domain", *PAIR_COLUMNS]
    for name in "xy":
        part = found[found["domain"] == name].drop(columns="domain").reset_index(drop=True)
        pd.testing.assert_frame_equal(part, whole, check_exact=True)


def test_the_range_of_thresholds_by_pencil():
    """Three domains have one for the first class, one for the second: only the first has a range, from b to c."""
    columns = ["domain", "comparison", "model_threshold"]
    rows = [("a", "x", 2.0), ("a", "y", 9.0), ("b", "x", 1.0), ("b", "y", np.nan), ("c", "x", 3.0), ("d", "x", np.nan)]
    found = threshold_range(pd.DataFrame(rows, columns=columns))
    assert found.to_numpy().tolist() == [["x", 3, 1.0, "b", 3.0, "c"]]


JOBS = {
    "pairs_by_domain": lambda parts, progress: pairs_by_domain(parts, Resampling(3_500), progress=progress),
    "agreement": lambda parts, progress: agreement(parts, Resampling(3_500), progress),
    "pair_by_domain": lambda parts, progress: pair_by_domain(parts, "s0", "s1", Resampling(3_500), progress),
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_progress_is_told_in_resamples_of_all_parts(job):
    progress_calls: list[tuple[int, int]] = []
    job(by_domain(random_scored(1, 3, 30, domains=3))[0], lambda done, of: progress_calls.append((done, of)))
    done = [one for one, _ in progress_calls]
    assert {of for _, of in progress_calls} == {10_500}
    assert done == sorted(set(done))
    assert progress_calls[-1] == (10_500, 10_500)
    assert 3_500 in done
    assert 7_000 in done


def test_agreement_by_pencil():
    """News ranks A, B, C, law B, A, C: of three pairs two agree and one does not, tau = (2 - 1) / 3.

    Against itself tau is 1.
    """
    news, law = (scored(PENCIL, NEWS_LAW, domain=name) for name in ("news", "law"))
    found = agreement({"news": news, "law": law, "again": news})
    assert found[["domain_a", "domain_b"]].to_numpy().tolist() == [["news", "law"], ["news", "again"], ["law", "again"]]
    assert found["tau"].tolist() == pytest.approx([1 / 3, 1, 1 / 3])
    assert found["systems"].tolist() == [3, 3, 3]
    assert ((found["low"] <= found["tau"]) & (found["tau"] <= found["high"])).all()


scores = arrays(np.float64, (2, 7), elements=st.integers(0, 4).map(float))


@given(scores)
@settings(max_examples=200)
def test_tau_b_equals_scipys(values):
    """Ties included; where one ranking is all ties there is no tau."""
    theirs = np.nan if min(map(np.ptp, values)) == 0 else kendalltau(*values).statistic
    ours = kendall(values)
    np.testing.assert_allclose(ours[0, 1], theirs, atol=1e-12)
    assert np.array_equal(ours, ours.T, equal_nan=True)


def parts_of_20_systems(seed: int) -> dict[str, Selection]:
    return by_domain(random_scored(seed, 20, 30, domains=2))[0]


def taus_of_a_loop(parts: dict[str, Selection], recipe: Resampling) -> tuple[float, float, float]:
    """Each part's own resamples, scipy's tau of each: tau, and the percentiles of resampled taus."""
    stats, own = list(common_stats(parts).values()), []
    for place, of_part in enumerate(stats):
        seed = np.random.SeedSequence(recipe.seed, spawn_key=(place, 0, 0)).generate_state(1, np.uint64)[0]
        own.append(resampled_scores(of_part, Resampling(recipe.n_resamples, seed=int(seed))))
    taus = [kendalltau(a, b).statistic for a, b in zip(own[0].T, own[1].T, strict=True)]
    low, high = np.percentile(taus, [2.5, 97.5])
    return float(kendalltau(stats[0].scores, stats[1].scores).statistic), float(low), float(high)


def test_interval_of_tau_is_that_of_a_loop():
    """The percentiles mirrored at tau: what lies below it, above, and the other way round."""
    parts, recipe = parts_of_20_systems(4), Resampling(300, seed=5)
    tau, low, high = taus_of_a_loop(parts, recipe)
    assert low < tau < high
    row = agreement(parts, recipe).iloc[0]
    assert row[["tau", "low", "high"]].tolist() == pytest.approx([tau, 2 * tau - high, 2 * tau - low])


def test_interval_of_tau_holds_tau():
    """Here 97.5% of the resamples have a lower tau, so that the mirrored interval begins above it."""
    parts, recipe = parts_of_20_systems(23), Resampling(300, seed=5)
    tau, low, high = taus_of_a_loop(parts, recipe)
    assert high < tau
    row = agreement(parts, recipe).iloc[0]
    assert row[["tau", "low", "high"]].tolist() == pytest.approx([tau, tau, min(1, 2 * tau - low)])


def test_systems_that_all_tie_have_no_tau():
    parts = {"x": scored({"A": [1, 2, 3], "B": [3, 2, 1]}), "y": scored({"A": [1, 2, 3], "B": [0, 0, 1]})}
    row = agreement(parts).iloc[0]
    assert row[["tau", "low", "high"]].isna().all()


def test_a_pair_by_pencil():
    """A over B: 3 - 2 on news, 1 - 2 on law, where the gain is negative and p is of B's win."""
    parts, recipe = by_domain(scored(PENCIL, NEWS_LAW))[0], Resampling(2_000)
    table = pair_by_domain(parts, "A", "B", recipe)
    assert table[["domain", "units", "gain", "score_a", "score_b", "reason"]].to_numpy().tolist() == [
        ["law", 2, -1, 1, 2, ""],
        ["news", 2, 1, 3, 2, ""],
    ]
    # Two units are too few to decide: p is that of the table of all pairs.
    assert table["verdict"].tolist() == ["undecided", "undecided"]
    assert not table["significant"].any()
    assert table.loc[1, ["gain_low", "gain_high"]].tolist() == [-2, 4]
    assert table.loc[0, ["gain_low", "gain_high"]].tolist() == [-2, 0]


@pytest.mark.parametrize("metric", ["mean", "mean-lower"])
@pytest.mark.parametrize("scope", ["alone", "both", "corrected"])
def test_a_pair_has_the_numbers_of_the_table_of_all_pairs(metric, scope):
    """Those of the Pair page where the domain is chosen in the sidebar: gain, interval, p and verdict."""
    one, recipe = random_scored(9, 5, 60, domains=2, metric=metric), Resampling(400, seed=2)
    (parts, _), notion = by_domain(one), Notion(scope=scope, level=0.4)
    table = pair_by_domain(parts, "s1", "s3", recipe, notion=notion).set_index("domain")
    turned = pair_by_domain(parts, "s3", "s1", recipe, notion=notion).set_index("domain")
    for name, part in parts.items():
        pairs = part.bootstrap(recipe).pairs(notion)
        row = pairs[pairs["system_a"].isin(["s1", "s3"]) & pairs["system_b"].isin(["s1", "s3"])].iloc[0]
        of_winner, of_loser = (table, turned) if row["system_a"] == "s1" else (turned, table)
        expected = row[["gain", "gain_low", "gain_high", "p", "verdict"]].tolist()
        assert of_winner.loc[name, ["gain", "gain_low", "gain_high", "p", "verdict"]].tolist() == expected
        significant = row["verdict"] in SEEN_FROM_THE_LOSER
        assert table.loc[name, "significant"] == turned.loc[name, "significant"] == significant
        assert of_loser.loc[name, "verdict"] == SEEN_FROM_THE_LOSER.get(row["verdict"], row["verdict"])
        assert table.loc[name, "gain"] == -turned.loc[name, "gain"]
        low, high = turned.loc[name, ["gain_low", "gain_high"]]
        assert table.loc[name, ["gain_low", "gain_high"]].tolist() == [-high, -low]
        assert table.loc[name, "p"] == turned.loc[name, "p"]


def test_the_line_counts_where_a_system_is_ahead_and_how_surely():
    """Of four rows B is ahead in three: significantly in two on its own, in one after correcting; A in one."""
    table = pd.DataFrame(
        {
            "gain": [-1.0, -2.0, -0.1, 3.0, np.nan],
            "significant": [True, True, False, True, np.nan],
            "verdict": ["worse", "worse on its own", "undecided", "better", ""],
        }
    )
    said = {scope: ahead_in(table, "A", "B", Notion(scope=scope)) for scope in ("alone", "both", "corrected")}
    begin, end = "B is ahead of A in 3 of 4 domains, significantly in", "; A is significantly ahead in 1"
    assert said["both"] == f"{begin} 2 (1 after correcting){end} (1 after correcting)"
    assert said["alone"] == f"{begin} 2{end}"
    assert ahead_in(table.iloc[2:3], "B", "A", Notion()) == "A is ahead of B in 1 of 1 domain, significantly in none"
    assert said["corrected"] == f"{begin} 2 after correcting{end} after correcting"


def test_the_largest_domain_comes_first_and_tiny_ones_carry_no_threshold():
    """Domains of 40, 25 and 6 units: 25 is the usual size, and 6 units give a reason in place of thresholds."""
    labels = ["a"] * 6 + ["b"] * 25 + ["c"] * 40
    one = scored({f"s{i}": np.random.default_rng(i).normal(size=71) for i in range(8)}, labels)
    parts, _ = by_domain(one)
    assert list(parts) == ["c", "b", "a"]
    assert usual_size(parts) == 25
    assert usual_size({name: parts[name] for name in "ca"}) == 6
    table = thresholds_by_domain(pairs_by_domain(parts, Resampling(200), 6))
    assert table[["threshold", "model_threshold", "precision"]].isna().all(axis=None)
    assert set(table["model_reason"]) == {"6 units; 20 are needed"}
    assert thresholds_by_domain(pairs_by_domain(parts, Resampling(200)))["model_threshold"].notna().any()


def test_a_pair_without_output_somewhere_has_a_reason():
    parts = two_sets()
    table = pair_by_domain(parts, "A", "C", Resampling(100)).set_index("domain")
    assert table.loc["one", "gain"] == 12.5
    assert table.loc["two", "reason"] == "no valid output of C"
    assert table.loc["two", ["gain", "gain_low", "gain_high", "p", "p_corrected"]].isna().all()
    both = pair_by_domain(parts, "C", "D", Resampling(100)).set_index("domain")
    assert both.loc["two", "reason"] == "no valid output of C and D"
    assert both.loc["one", ["gain", "p"]].tolist() == [0, 1]


def test_pairs_that_are_none():
    parts = two_sets()
    with pytest.raises(ChoiceError, match=r"No system with a valid output called 'E'. Available: A, B, C, D"):
        pair_by_domain(parts, "A", "E", Resampling(10))
    with pytest.raises(ChoiceError, match="'A' against itself; name two of the systems: A, B"):
        pair_by_domain(parts, "A", "A", Resampling(10))


def test_signature_says_how_a_result_of_parts_was_made():
    parts, recipe = by_domain(scored(PENCIL, NEWS_LAW))[0], Resampling(50, seed=3)
    found = signature(parts, recipe, pair="A>B")
    assert found.startswith("metric:mean|")
    assert "|b:50|seed:3|unit:unit|n:2+2|systems:3|task:small|data:" in found
    assert "|domains:law,news|pair:A>B|" in found
    other = signature(by_domain(scored(PENCIL | {"C": [9, 9, 9, 9]}, NEWS_LAW))[0], recipe)
    assert found.split("|data:")[1][:8] != other.split("|data:")[1][:8]
