"""TESTS: every test of the difference between two systems, one entry each; all of them test many pairs at once."""

from __future__ import annotations

from nlpsig_core.base.errors import ChoiceError, entry_named
from nlpsig_core.significance.paired_tests import bootstrap, bootstrap_t, by_unit, randomization, robust_t
from nlpsig_core.significance.paired_tests.base import PValues, Test
from nlpsig_core.significance.paired_tests.bootstrap import p_of_result
from nlpsig_core.significance.paired_tests.sources import cited
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import Bootstrap, all_pairs
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample

_SAME_SCORE = "On the population from which the units were drawn, both systems have the same score."

TESTS: dict[str, Test] = {
    "bootstrap": Test(
        name="bootstrap",
        label="paired bootstrap",
        statistic="corpus score",
        null=_SAME_SCORE,
        assumes="The units are an independent sample of that population, and resampled gains vary around the observed "
        "gain as observed gains vary around the true gain.",
        source="Berg-Kirkpatrick, Burkett and Klein (2012), section 2.1",
        cites=cited("berg-kirkpatrick-etal-2012-empirical", "efron-tibshirani-1993"),
        draws="resamples",
        run=bootstrap.run,
    ),
    "randomization": Test(
        name="randomization",
        label="approximate randomization",
        takes_article=False,
        statistic="corpus score",
        null="In each unit, either system is equally likely to have produced either output.",
        assumes="The units are independent. Nothing is assumed about a population, and the result does not extend to "
        "one.",
        contrast="Swaps the two systems' outputs instead of resampling: under its null hypothesis the systems are "
        "interchangeable on this very test set.",
        source="Noreen (1989), chapter 2; Yeh (2000); Riezler and Maxwell (2005)",
        cites=cited("noreen-1989", "yeh-2000"),
        draws="random swaps",
        applies=by_unit.needs_one_run,
        run=randomization.run,
    ),
    "bootstrap-t": Test(
        name="bootstrap-t",
        label="bootstrap-t",
        statistic="corpus score, linearized as a mean over units",
        null=_SAME_SCORE,
        assumes="The units are an independent sample of that population, and the corpus score is nearly linear in the "
        "number of times each unit is drawn. Studentized gains vary around the observed gain as around the true gain, "
        "which takes some dozens of units.",
        contrast="Divides each resampled gain by its own standard error before counting. This matters if few {unit}s "
        "decide, or if the histogram is skewed.",
        source="Efron and Tibshirani (1993), section 12.5; Efron (1982), chapter 6",
        cites=cited("efron-tibshirani-1993"),
        draws="resamples",
        applies=by_unit.needs_one_test_set,
        run=bootstrap_t.run,
    ),
    "sign": Test(
        name="sign",
        label="sign test",
        statistic="units won",
        by_unit=True,
        null="Each system is equally likely to win a unit on which the two differ.",
        assumes="The units are independent. The size of a win is ignored, and ties are dropped.",
        contrast="Counts which system wins each {unit}, not by how much, and drops ties: many small wins can outweigh "
        "a few large losses.",
        source="Dixon and Mood (1946); Conover (1999), section 3.4",
        cites=cited("dixon-mood-1946"),
        applies=by_unit.needs_unit_scores,
        run=by_unit.sign_test,
    ),
    "t": Test(
        name="t",
        label="paired t-test",
        statistic="mean of unit scores",
        by_unit=True,
        null="On the population from which the units were drawn, both systems have the same mean unit score.",
        assumes="The units are an independent sample of that population, and the mean of their differences is "
        "approximately normal, as it is for many units.",
        contrast="Averages the {unit}s' own scores, so that every {unit} counts equally, and uses Student's t "
        "distribution instead of resamples.",
        source="Student (1908), illustration I",
        cites=cited("student-1908"),
        applies=by_unit.needs_unit_scores,
        run=by_unit.t_test,
    ),
    "robust-t": Test(
        name="robust-t",
        label="cluster-robust t-test",
        statistic="corpus score",
        null=_SAME_SCORE,
        assumes="The units are an independent sample of that population, and the gain is approximately normal, as it "
        "is for a hundred units. If documents are resampled, p is too small with a hundred of them or fewer, however "
        "many sentences they have.",
        contrast="Divides the gain by a standard error from a formula instead of resampling. If documents are "
        "resampled, it is the cluster-robust one.",
        source="Liang and Zeger (1986); Miller (2024), sections 2.2 and 4",
        cites=cited("liang-zeger-1986", "miller-2024-adding"),
        applies=by_unit.needs_one_test_set,
        run=robust_t.run,
    ),
    "Wilcoxon": Test(
        name="Wilcoxon",
        label="Wilcoxon signed-rank test",
        statistic="ranks of the differences of unit scores",
        by_unit=True,
        null="The differences between the unit scores of the two systems are symmetric around 0.",
        assumes="The units are independent, and ties are dropped. p is exact if at most 50 units differ, and uses the "
        "normal approximation otherwise.",
        contrast="Ranks the differences between the {unit}s' own scores: a large difference counts more than a small "
        "one, but only by its rank.",
        source="Wilcoxon (1945); Conover (1999), section 5.7",
        cites=cited("wilcoxon-1945"),
        applies=by_unit.needs_unit_scores,
        run=by_unit.wilcoxon,
    ),
    "McNemar": Test(
        name="McNemar",
        label="McNemar's test",
        takes_article=False,
        statistic="units that only one system gets right",
        by_unit=True,
        null="Each system is equally likely to be right on a unit that only one of them gets right.",
        assumes="Each unit is right or wrong, the units are independent, and about 25 of them or more differ, so that "
        "the normal approximation holds. With fewer, use the sign test, which is its exact form.",
        contrast="Counts only the {unit}s that one system gets right and the other gets wrong.",
        source="McNemar (1947), corrected for continuity by Edwards (1948); Conover (1999), section 3.5",
        cites=cited("mcnemar-1947", "edwards-1948"),
        applies=by_unit.right_or_wrong,
        run=by_unit.mcnemar,
    ),
}


def run_test(test: str, stats: Sample, recipe: Resampling, progress: Progress | None = None) -> PValues:
    """Return p of every pair by a test of TESTS, in the order of the bootstrap's pairs (``all_pairs``).

    ChoiceError if there is no such test, or if it cannot be used on these statistics.
    """
    chosen = entry_named("test", test, TESTS)
    if why := chosen.applies(stats):
        usable = [name for name, other in TESTS.items() if not other.applies(stats)]
        raise ChoiceError(f"{test} cannot be used here: {why}. Tests that can: {', '.join(usable)}")
    return chosen.run(stats, all_pairs(stats.metric.sign * stats.scores), recipe, progress)


def p_by(test: str, stats: Sample, result: Bootstrap) -> PValues:
    """Return p of every pair of a finished bootstrap, by its own hits or by another test of TESTS."""
    return p_of_result(result) if test == "bootstrap" else run_test(test, stats, result.recipe)


__all__ = ["TESTS", "PValues", "Test", "p_by", "p_of_result", "run_test"]
