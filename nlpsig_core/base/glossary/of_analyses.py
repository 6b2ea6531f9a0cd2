"""Terms of the analyses: power, size, domains and calibration."""

from __future__ import annotations

from nlpsig_core.base.glossary.term import PAPER, Term

TERMS = (
    Term("power", "The probability that a true gain of a given size is significant on a test set of a given size.",
         "Cohen (1988), chapter 1", "Test size"),
    Term("detectable gain", "The true gain that is significant with a power of 80% on this test set.",
         "minimum detectable effect: Bloom (1995)", "Test size"),
    Term("true gain", "The gain on the whole population of texts, which no test set shows exactly.",
         "Efron and Tibshirani (1993), chapter 4", "Test size"),
    Term("winner's curse", "Observed gains of pairs chosen for their gain are too large on average, since luck was "
         "part of the choice.", "Gelman and Carlin (2014)", "Test size"),
    Term("Kendall's tau", "The agreement of two rankings: 1 for the same order, −1 for the reverse order, 0 where as "
         "many pairs of systems agree as disagree.", "Kendall (1938)", "Domains"),
    Term("forest plot", "The gain of one pair with its interval on each of several test sets, one below another, and "
         "their mean.", "Lewis and Clarke (2001)", "Campaign"),
    Term("heterogeneity", "Gains that differ between test sets by more than the noise of each. Cochran's Q tests for "
         "it; I² is the share of the spread that noise does not explain.", "Higgins et al. (2003)", "Campaign"),
    Term("calibration", "Whether a number means what it says, such as whether 95% of the winners with p around 0.05 "
         "win elsewhere, too.", f"{PAPER}, section 4.2", "Calibration"),
    Term("population", "All texts like those of the test set. For the experiment on Calibration, all units of the test "
         "set stand for it.", f"{PAPER}, section 4.2", "Calibration"),
)  # fmt: skip
