"""The cluster-robust t-test: by pencil, and against statsmodels' cluster-robust standard errors."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS

from nlpsig_core.data.metrics.means import log_metric
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import all_pairs, bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats

NONE = Resampling(1)
ROBUST, T = TESTS["robust-t"], TESTS["t"]


def evaluation(seed: int, models: int, passages: int, answers: int = 1) -> tuple[Stats, np.ndarray, np.ndarray]:
    """Right and wrong answers to questions on passages of 1 to 9, and the passage of each; and (models, questions)."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(passages), rng.integers(1, 10, passages))
    chance = 1 / (1 + np.exp(-rng.normal(0, 1, (models, passages))[:, cluster] - rng.normal(0, 1, len(cluster))))
    right = rng.random((models, answers, len(cluster))) < chance[:, None]
    values = np.stack([right, np.ones_like(right)], axis=-1).reshape(models * answers, -1, 2).astype(float)
    names = tuple(f"m{n}" for n in range(models))
    stats = Stats(names, values, log_metric("exact_match", True), unit="question", runs=(answers,) * models)
    return stats, cluster, right.mean(axis=1)


def test_by_pencil():
    """Gains 1, 1, 0, 0: mean 1/2, variance 1/3, standard error sqrt(1/12), t = sqrt(3).

    In two passages of two, the sums of deviations are 1 and -1: sqrt(2 (1 + 1)) / 4 = 1/2, so t = 1 with one degree of
    freedom, and the two-sided p is 1/2.
    """
    values = np.stack([[[1, 1, 1, 0], [0, 0, 1, 0]], np.ones((2, 4))], axis=-1)
    stats = Stats(("a", "b"), values, log_metric("acc", True))
    found = ROBUST.run(stats, np.array([[0, 1]]), NONE).details
    assert [found["standard_error"][0], found["t"][0]] == pytest.approx([12**-0.5, 3**0.5], abs=1e-12)
    p = ROBUST.run(stats.group_by(["x", "x", "y", "y"], "document"), np.array([[0, 1]]), NONE)
    assert [p.details["standard_error"][0], p.two_sided[0], p.one_sided[0]] == pytest.approx(
        [0.5, 0.5, 0.25], abs=1e-12
    )


@pytest.mark.parametrize("answers", [1, 3])
def test_paired_clustered_errors_are_those_of_statsmodels(answers):
    """Of all pairs, with one and with several answers a question."""
    stats, cluster, means = evaluation(1, 4, 30, answers)
    by_passage = stats.group_by([str(c) for c in cluster], "document")
    pairs = all_pairs(stats.scores)
    clustered, alone = (ROBUST.run(of, pairs, NONE).details["standard_error"] for of in (by_passage, stats))
    for (a, b), with_clusters, without in zip(pairs, clustered, alone, strict=True):
        model = OLS(means[a] - means[b], np.ones(len(cluster)))
        of_clusters = model.fit(cov_type="cluster", cov_kwds={"groups": cluster})
        assert with_clusters == pytest.approx(of_clusters.bse[0], rel=1e-9)
        assert without == pytest.approx(model.fit().bse[0], rel=1e-9)


def test_without_clusters_it_is_the_paired_t_test():
    stats, _, _ = evaluation(2, 5, 20, 2)
    pairs = all_pairs(stats.scores)
    robust, t = (test.run(stats, pairs, NONE) for test in (ROBUST, T))
    np.testing.assert_allclose(robust.two_sided, t.two_sided, rtol=1e-9)
    gain = t.two_sided < 1  # without a gain, p in favour of the winner is 1
    np.testing.assert_allclose(robust.one_sided[gain], t.one_sided[gain], rtol=1e-9)


def test_the_bootstraps_errors_of_all_pairs_are_the_same_but_for_chance():
    """Within 4% at 20,000 resamples, of which the standard error of a standard error is 0.5%; without n / (n - 1)."""
    stats, cluster, _ = evaluation(3, 4, 60, 3)
    stats = stats.group_by([str(c) for c in cluster], "document")
    result = bootstrap(stats, Resampling(20_000))
    n = stats.n_units
    exact = ROBUST.run(stats, result.pairs, NONE).details["standard_error"] * np.sqrt((n - 1) / n)
    np.testing.assert_allclose(result.standard_error, exact, rtol=0.04)
    classes = np.array(["different groups"] * stats.n_pairs)
    groups = np.array(["g"] * stats.n_systems)
    table = pair_table(result, stats, classes, groups)
    assert (table["detectable_gain"] > 2.8 * table["standard_error"]).all()


def test_answers_are_not_counted_twice():
    """Two equally good models whose answers are coins: the variance of a mean of K coins is 1 / (4 K n).

    The gain of two has twice that. With runs drawn as well it would have twice that again. The standard error of 1,000
    questions is within 15% of the true one at 6 standard errors.
    """
    rng = np.random.default_rng(5)
    right = rng.integers(0, 2, (4, 1_000)).astype(float)
    values = np.stack([right, np.ones_like(right)], -1)
    stats = Stats(("a", "b"), values, log_metric("acc", True), unit="question", runs=(2, 2))
    error = bootstrap(stats, Resampling(2_000)).standard_error[0]
    assert error == pytest.approx((2 / (4 * 2 * 1_000)) ** 0.5, rel=0.15)


def false_alarms(worlds: int, seed: int) -> tuple[float, float]:
    """The share of p below 0.05 among equally good models, by passage and by question.

    30 passages with 10 questions each; what a model finds easy differs from passage to passage.
    """
    rng, metric, pair = np.random.default_rng(seed), log_metric("acc", True), np.array([[0, 1]])
    passage = [str(n) for n in range(30) for _ in range(10)]
    found = np.zeros((worlds, 2))
    for world in range(worlds):
        chance = 1 / (1 + np.exp(-rng.normal(0, 1.3, (2, 30, 1)) - rng.normal(0, 0.4, (30, 10))))
        right = (rng.random((2, 30, 10)) < chance).reshape(2, -1).astype(float)
        stats = Stats(("a", "b"), np.stack([right, np.ones_like(right)], -1), metric, unit="question")
        pairs = pair if stats.scores[0] >= stats.scores[1] else pair[:, ::-1]
        for by, of in enumerate((stats.group_by(passage, "document"), stats)):
            found[world, by] = ROBUST.run(of, pairs, NONE).two_sided[0] < 0.05
    by_passage, by_question = found.mean(axis=0)
    return float(by_passage), float(by_question)


def test_clusters_keep_the_promise_that_questions_break():
    """In 500 worlds: within 3.4 standard errors of 5% by passage (one false alarm in 1,500); above 10% by question."""
    by_passage, by_question = false_alarms(500, 6)
    assert 0.017 < by_passage < 0.083
    assert by_question > 0.1
