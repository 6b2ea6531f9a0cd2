"""TESTS: every test of the difference of two systems, one literal entry each; all work on many pairs at once."""

from __future__ import annotations

from nlpsig_core.paired_tests import bootstrap, bootstrap_t, of_units, randomization
from nlpsig_core.paired_tests.base import PValues, Test
from nlpsig_core.paired_tests.bootstrap import of_result

TESTS: dict[str, Test] = {
    "bootstrap": Test(
        "bootstrap", "paired bootstrap", "corpus score",
        "The two systems score alike on the population that the units of the test set come from.",
        "The units are drawn from the population independently, and resampled gains spread around the observed gain "
        "as observed gains around the true one.",
        "Berg-Kirkpatrick, Burkett and Klein (2012), section 2.1",
        True, bootstrap.run,
    ),
    "randomization": Test(
        "randomization", "approximate randomization", "corpus score",
        "In each unit it is chance which of the two systems wrote which output.",
        "The units are independent of one another; of any population nothing is assumed, and nothing is said.",
        "Noreen (1989), chapter 2; Yeh (2000); Riezler and Maxwell (2005)",
        True, randomization.run, of_units.of_one_run,
    ),
    "bootstrap-t": Test(
        "bootstrap-t", "bootstrap-t", "corpus score, taken for a mean over units",
        "The two systems score alike on the population that the units of the test set come from.",
        "The units are drawn from the population independently, and the corpus score is nearly linear in how often "
        "each unit counts; gains by their own standard errors spread around the observed gain as around the true one, "
        "as with some dozens of units.",
        "Efron and Tibshirani (1993), section 12.5; Efron (1982), chapter 6",
        True, bootstrap_t.run, of_units.of_one_test_set,
    ),
    "sign": Test(
        "sign", "sign test", "units won",
        "A unit on which the two systems differ is as likely to be won by the one as by the other.",
        "The units are independent; by how much a unit is won does not count, and ties are left out.",
        "Dixon and Mood (1946); Conover (1999), section 3.4",
        False, of_units.sign_test, of_units.of_one_test_set,
    ),
    "t": Test(
        "t", "paired t-test", "mean of unit scores",
        "On the population that the units come from, the mean of the unit scores is the same for both systems.",
        "The units are drawn independently, and the mean of their differences is nearly normal, as that of many is.",
        "Student (1908), illustration I",
        False, of_units.t_test, of_units.of_one_test_set,
    ),
    "Wilcoxon": Test(
        "Wilcoxon", "Wilcoxon signed-rank test", "ranks of the differences of unit scores",
        "The differences of the two systems' unit scores lie evenly on both sides of 0.",
        "The units are independent; ties are left out. p is exact where up to 50 units differ, and by the normal curve "
        "where more do.",
        "Wilcoxon (1945); Conover (1999), section 5.7",
        False, of_units.wilcoxon, of_units.of_one_test_set,
    ),
    "McNemar": Test(
        "McNemar", "McNemar's test", "units that one system alone has right",
        "A unit that one system alone has right is as likely to be the one's as the other's.",
        "Each unit is right or wrong, the units are independent, and enough of them differ for the normal curve, 25 "
        "or so; for fewer take its exact form, the sign test.",
        "McNemar (1947), corrected for continuity by Edwards (1948); Conover (1999), section 3.5",
        False, of_units.mcnemar, of_units.right_or_wrong,
    ),
}  # fmt: skip

__all__ = ["TESTS", "PValues", "Test", "of_result"]
