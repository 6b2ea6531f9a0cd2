"""Laws that every test obeys; one that enters TESTS is tested from that moment on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.paired_tests import TESTS, PValues, Test, p_of_result
from nlpsig_core.significance.paired_tests.sources import SOFTWARE, SOURCES
from nlpsig_core.significance.resampling.bootstrap import all_pairs, bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import MacroStats, Sample, Stats
from tests.builders import ACCURACY, ERROR_RATE, random_stats, shares

FEW = Resampling(3_000, seed=5)
NULL_PAIRS, NULL_UNITS = 2_000, 200


def bits(seed: int, systems: int, units: int) -> np.ndarray:
    """Units right (1) or wrong, (systems, units), by systems of different quality."""
    rng = np.random.default_rng(seed)
    return (rng.random((systems, units)) < np.linspace(0.55, 0.8, systems)[:, None]).astype(int)


# A test must be able to use one of these at least; what it cannot use is left out.
EXAMPLES: dict[str, Sample] = {
    "right or wrong": shares(bits(7, 5, 60)),
    "right or wrong, lower is better": shares(1 - bits(8, 5, 60), ERROR_RATE),
    "F1 of units of any size": random_stats(1, 5, 40),
    "several test sets": MacroStats((random_stats(3, 4, 30), random_stats(4, 4, 45))),
}


@pytest.fixture(params=TESTS.values(), ids=TESTS)
def test(request) -> Test:
    return request.param


def usable(test: Test, kinds=(Stats, MacroStats)) -> Iterator[Stats]:
    found = [stats for stats in EXAMPLES.values() if isinstance(stats, kinds) and not test.applies(stats)]
    assert found, f"{test.name} can use none of {', '.join(EXAMPLES)}; add an example that it can"
    yield from found


def pairs_of(stats: Sample) -> np.ndarray:
    return all_pairs(stats.metric.sign * stats.scores)


def run(test: Test, stats: Sample, recipe: Resampling = FEW, **more) -> PValues:
    return test.run(stats, pairs_of(stats), recipe, **more)


def same(one: PValues, other: PValues, order=slice(None)) -> None:
    """The same p but for rounding; a hit more or less would be seen."""
    assert one.one_sided == pytest.approx(other.one_sided[order], rel=1e-9)
    assert one.two_sided == pytest.approx(other.two_sided[order], rel=1e-9)


def test_names_are_the_keys_and_every_test_says_what_it_is(test):
    assert TESTS[test.name] is test
    assert test.label
    assert test.statistic
    assert test.source
    assert test.cites
    # The paper's rule is what the others are contrasted with.
    assert bool(test.contrast) == (test.name != "bootstrap")
    for sentence in filter(None, (test.null, test.assumes, test.contrast.format(unit="unit"))):
        assert sentence[0].isupper()
        assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("student-1908", "Student, 1908"),
        ("dixon-mood-1946", "Dixon and Mood, 1946"),
        ("berg-kirkpatrick-etal-2012-empirical", "Berg-Kirkpatrick et al., 2012"),
    ],
)
def test_the_name_of_a_source_has_its_authors_and_its_year(key, name):
    assert SOURCES[key].name == name
    assert SOURCES[key].entry.startswith("@")
    assert SOFTWARE.name == ""


def test_p_is_a_number_from_0_to_1_for_every_pair(test):
    for stats in usable(test):
        p = run(test, stats)
        for values in (p.one_sided, p.two_sided, p.error, *p.details.values()):
            assert values.shape == (stats.n_pairs,)
            assert np.isfinite(values).all()
        for values in (p.one_sided, p.two_sided):
            assert ((values >= 0) & (values <= 1)).all()
        # So that the other laws are not laws of a constant.
        assert len(set(p.two_sided)) > 1
        assert p.n_resamples == (FEW.n_resamples if test.resamples else 0)
        assert (p.error > 0).any() == test.resamples


def test_a_system_that_wins_fifteen_units_and_loses_none_is_better(test):
    """By any test: the chance of 15 heads of 15 is 1/32,768; McNemar's chi-squared is 14^2/15 = 13.1, p = 0.0003."""
    wins = np.zeros((2, 60), dtype=int)
    wins[1, :15] = wins[:, 20:40] = 1
    p = run(test, shares(wins))
    assert p.one_sided[0] < 0.005
    assert p.two_sided[0] < 0.005


def test_no_pairs_have_no_p(test):
    stats = next(usable(test)).select([0])
    p = run(test, stats)
    assert p.one_sided.shape == p.two_sided.shape == p.error.shape == (0,)


def test_the_order_and_the_names_of_the_systems_do_not_matter(test):
    """No two systems of the examples have the same score, which would leave open who is first."""
    for stats in usable(test):
        assert len(set(stats.scores)) == stats.n_systems
        order = np.random.default_rng(0).permutation(stats.n_systems)
        turned = stats.select(order)
        places = {tuple(pair): place for place, pair in enumerate(pairs_of(stats).tolist())}
        found = [places[tuple(pair)] for pair in order[pairs_of(turned)].tolist()]
        same(run(test, turned), run(test, stats), found)


def test_pairs_are_tested_together_as_alone(test):
    for stats in usable(test):
        together, pairs = run(test, stats), pairs_of(stats)
        alone = [test.run(stats, pairs[place : place + 1], FEW) for place in range(len(pairs))]
        found = PValues(
            one_sided=np.concatenate([p.one_sided for p in alone]),
            two_sided=np.concatenate([p.two_sided for p in alone]),
        )
        same(found, together)


def test_the_order_of_units_does_not_matter(test):
    """Not at all where p comes by a formula; where it is of resamples, within five standard errors of two runs.

    A wrong alarm in 10^6 of some 30 comparisons each.
    """
    for stats in usable(test, Stats):
        turned = stats.take(np.random.default_rng(1).permutation(stats.n_units))
        one, other = run(test, stats), run(test, turned)
        if not test.resamples:
            same(one, other)
        else:
            assert (np.abs(one.one_sided - other.one_sided) <= 5 * np.hypot(one.error, other.error) + 1e-12).all()


def test_the_worth_of_a_unit_does_not_matter(test):
    """Ten words right of ten in place of one of one: the same shares, the same p."""
    one, ten = shares(bits(1, 4, 50)), shares(10 * bits(1, 4, 50), of=10)
    same(run(test, ten), run(test, one))


def test_lower_is_better_turns_the_scores_and_not_p(test):
    right = bits(9, 5, 60)
    same(run(test, shares(1 - right, ERROR_RATE)), run(test, shares(right)))


def test_identical_systems_cannot_be_told_apart(test):
    """p = 1 beside pairs that differ, be they perfect, all wrong, or neither."""
    for values in (bits(1, 1, 40), np.ones((1, 40), dtype=int), np.zeros((1, 40), dtype=int)):
        stats = shares(np.vstack([values, values, 1 - bits(7, 1, 40)]))
        p = run(test, stats)
        twins = (np.sort(pairs_of(stats), axis=1) == [0, 1]).all(axis=1)
        assert p.one_sided[twins] == p.two_sided[twins] == 1
        assert (p.two_sided[~twins] < 1).all()


def test_all_wrong_and_all_the_same(test):
    """Scores of 0 have no scale that a tie could be measured by."""
    p = run(test, shares(np.zeros((3, 10), dtype=int)))
    assert p.one_sided.tolist() == p.two_sided.tolist() == [1, 1, 1]


def test_as_many_units_won_as_lost_are_no_evidence(test):
    """Equal scores of different outputs: two-sided p is 1, one-sided p at least a half."""
    p = run(test, shares([[1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 1, 0]]))
    assert p.two_sided.tolist() == [1]
    assert 0.5 <= p.one_sided[0] <= 1


def test_better_by_the_same_in_every_unit(test):
    """Without any spread nothing is divided by it; the smallest p are 2 / 2^40, 0, and one of the resamples."""
    p = run(test, shares(np.repeat([[1], [0]], 40, axis=1)))
    assert p.two_sided[0] <= 1 / FEW.n_resamples


def test_inputs_are_unchanged(test):
    for stats in usable(test):
        pairs = pairs_of(stats)
        pairs.flags.writeable = False
        before = [part.values.copy() for part in stats.test_sets]
        test.run(stats, pairs, FEW)
        assert all(np.array_equal(part.values, old) for part, old in zip(stats.test_sets, before, strict=True))


def test_threads_and_pieces_do_not_matter(test, monkeypatch):
    """To the last bit; 70,000 resamples are more than one block a run."""
    recipe = Resampling(70_000, seed=1)
    stats = next(usable(test))
    first = run(test, stats, recipe)
    monkeypatch.setattr("nlpsig_core.significance.resampling.blocks.available_cores", lambda: 5)
    other = run(test, stats, recipe)
    assert np.array_equal(first.one_sided, other.one_sided)
    assert np.array_equal(first.two_sided, other.two_sided)
    monkeypatch.setattr("nlpsig_core.significance.resampling.columns.COUNT_BYTES", 8 * 7 * stats.n_units)
    pieces = run(test, stats, recipe)
    assert np.array_equal(first.one_sided, pieces.one_sided)
    assert np.array_equal(first.two_sided, pieces.two_sided)


def test_the_seed_matters_where_there_are_resamples(test):
    stats = next(usable(test))
    one, other = run(test, stats), run(test, stats, Resampling(FEW.n_resamples, seed=6))
    assert (one.one_sided != other.one_sided).any() == test.resamples


def test_progress_is_told_to_the_end_and_can_end_the_work(test):
    class StopError(Exception):
        pass

    def stop(done, of):
        raise StopError

    stats, calls = next(usable(test)), []
    run(test, stats, progress=lambda done, of: calls.append((done, of)))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1][0] == calls[-1][1] > 0
    with pytest.raises(StopError):
        run(test, stats, progress=stop)


def null_stats(kind: str) -> Sample:
    """Pairs of systems (2 i, 2 i + 1) that chance has exchanged in every unit; one of them may have been better."""
    rng = np.random.default_rng(2012)
    if kind == "several test sets":
        return MacroStats(tuple(_null_f1(rng, units) for units in (80, 150)))
    if kind == "F1 of units of any size":
        return _null_f1(rng, NULL_UNITS)
    ease = rng.uniform(0.3, 0.9, (1, NULL_UNITS))
    right = (rng.random((2 * NULL_PAIRS, NULL_UNITS)) < ease).astype(np.int32)
    return shares(right, ACCURACY if kind == "right or wrong" else ERROR_RATE)


def _null_f1(rng: np.random.Generator, units: int) -> Stats:
    gold = rng.integers(5, 25, units)
    correct = rng.binomial(gold, np.repeat([[0.78, 0.82]], NULL_PAIRS, axis=0).reshape(-1, 1), (2 * NULL_PAIRS, units))
    predicted = np.maximum(correct, gold + rng.integers(-2, 3, correct.shape))
    values = np.stack([correct, predicted, np.broadcast_to(gold, correct.shape)], axis=2).astype(np.int32)
    swap = (rng.random((NULL_PAIRS, units)) < 0.5)[..., None]
    a, b = values[::2], values[1::2]
    values = np.stack([np.where(swap, b, a), np.where(swap, a, b)], axis=1).reshape(values.shape)
    return Stats(tuple(map(str, range(2 * NULL_PAIRS))), values, METRICS["LAS"])


@cache
def null(kind: str) -> tuple[Sample, np.ndarray]:
    """The statistics and their 2,000 pairs, the observed winner first."""
    stats = null_stats(kind)
    pairs = np.arange(2 * NULL_PAIRS).reshape(-1, 2)
    scores = stats.metric.sign * stats.scores
    return stats, np.where((scores[pairs[:, 0]] < scores[pairs[:, 1]])[:, None], pairs[:, ::-1], pairs)


@cache
def null_p(name: str) -> dict[str, PValues]:
    """p of equal systems by a test, for each kind of example that it can use."""
    found = {}
    for kind in EXAMPLES:
        stats, pairs = null(kind)
        if not TESTS[name].applies(stats):
            found[kind] = TESTS[name].run(stats, pairs, Resampling(1_000))
    return found


@pytest.mark.slow
def test_equal_systems_are_called_different_as_often_as_p_says(test):
    """Two-sided p <= 0.05 comes up for a twentieth of 2,000 equal pairs, p <= 0.5 for half of them.

    The shares have standard errors of 0.0049 and 0.0112; 0.022 and 0.05 are 4.5 of them: a false alarm in 10^5
    for each. Counts of units come in steps, so that exact tests stay below; they may by as much again.
    """
    for kind, p in null_p(test.name).items():
        for alpha, reach in ((0.05, 0.022), (0.5, 0.05)):
            assert alpha - 2 * reach < (p.two_sided <= alpha).mean() < alpha + reach, kind


def test_the_winner_is_chosen_after_looking(test):
    """Among equal systems one-sided p <= 0.05 comes up for a tenth of the winners (by another statistic: fewer).

    The share has a standard error of 0.0067; 0.03 is 4.5 of them: a false alarm in 10^5.
    """
    for kind, p in null_p(test.name).items():
        assert (p.one_sided <= 0.05).mean() < 0.13, kind


def test_the_bootstrap_is_the_engines(monkeypatch):
    """Hit for hit, from a result that is at hand and from a run of its own."""
    for stats in EXAMPLES.values():
        result = bootstrap(stats, FEW)
        of_run = run(TESTS["bootstrap"], stats)
        for p in (p_of_result(result), of_run):
            assert (p.one_sided == result.hits_above / 3_000).all()
            assert (p.two_sided == (result.hits_above + result.hits_below) / 3_000).all()
            assert p.n_resamples == 3_000
    many = replace(result, hits_above=result.hits_above + 2_500, hits_below=result.hits_below + 2_500)
    assert p_of_result(many).two_sided.max() == 1


def test_the_error_of_p():
    """p = 0.5 of 10,000 resamples: sqrt(0.25 / 10,000) = 0.005; by a formula there is none."""
    half = np.array([0.5])
    assert PValues(one_sided=half, two_sided=half, n_resamples=10_000).error.tolist() == [0.005]
    assert PValues(one_sided=half, two_sided=half).error.tolist() == [0]
    quarter = np.array([0.25])
    assert PValues(one_sided=quarter, two_sided=half, n_resamples=10_000, halved=True).error.tolist() == [0.0025]
    one = np.array([1 / 10_001])
    assert PValues(one_sided=one / 2, two_sided=one, n_resamples=10_000, halved=True).error.tolist() == [1.5e-4]


@pytest.mark.parametrize("counts_observed", [True, False])
def test_hits_behind_a_p(counts_observed):
    """All 10 of 10 resamples and none: p is 11/11 and 1/11 where what was observed counts as one more, else 1 and 0."""
    p = np.array([1, 1 / 11] if counts_observed else [1.0, 0.0])
    one_sided, two_sided = PValues(one_sided=p, two_sided=p[::-1], n_resamples=10, counts_observed=counts_observed).hits
    assert (one_sided.tolist(), two_sided.tolist()) == ([10, 0], [0, 10])
    assert PValues(one_sided=p, two_sided=p).hits[0].tolist() == [0, 0]


def test_a_third_system_changes_nothing_for_a_pair(test):
    """Not even one whose scores are a million million times larger: what is a tie depends on the pair alone."""
    for stats in usable(test, Stats):
        if test.name == "McNemar":
            continue
        huge = stats.values[:1].astype(np.float64)
        huge[..., 0] *= 1e14
        more = Stats((*stats.names, "huge"), np.concatenate([stats.values.astype(np.float64), huge]), stats.metric)
        pairs = pairs_of(stats)
        same(test.run(more, pairs, FEW), test.run(stats, pairs, FEW))
