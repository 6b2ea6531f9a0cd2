"""Terms of decisions: verdicts, ranks and thresholds."""

from __future__ import annotations

from nlpsig_core.base.glossary.term import HERE, PAPER, Term

TERMS = (
    Term("verdict", "The answer on a pair: better (▲), better on its own but not among all pairs (△), equivalent (=) "
         "or undecided (?). Seen from the loser, better is worse (▼, ▽).", HERE, "Pair"),
    Term("equivalence", "Systems that are surely closer than a gain that you would ignore. They are equivalent if the "
         "90% interval of their gain is between minus and plus this gain (at a level of 0.05): two one-sided tests. "
         "Without such a gain no pair is called equivalent.", "Schuirmann (1987)", "Pair"),
    Term("undecided", "Neither better nor equivalent: this test set does not show which system is better.", HERE,
         "Pair"),
    Term("rank range", "From 1 + the number of better systems to the number of systems that are not clearly worse, "
         "among all pairs. Rank 3–16: two are better, sixteen are not clearly worse.", HERE, "Scores"),
    Term("tied group", "Systems that are not significantly worse than the first of their group in the ranking.", HERE,
         "Scores"),
    Term("threshold", "The gain above which pairs are usually significant. It is a rule of thumb for one task and "
         "metric, not a test.", f"{PAPER}, section 3.1.1", "Pairs"),
    Term("threshold (window)", "The paper's estimate: the 95th percentile of the gains of borderline pairs.",
         f"{PAPER}, section 3.1.1", "Pairs"),
    Term("borderline pair", "A pair whose p-value is in the window around the level, by default from 0.8 to 1.2 times "
         "the level.", f"{PAPER}, section 3.1.1", "Pairs"),
    Term("threshold (model)", "The 95th percentile of the gains that pairs need, by a model of their standard errors. "
         "It uses more pairs than the window and has an interval.", HERE, "Pairs"),
    Term("needed gain", "The gain from which a pair is significant, given the standard error of its gain.", HERE,
         "Pairs"),
    Term("precision of a threshold", "The share of larger gains that are significant.", HERE, "Pairs"),
    Term("recall of a threshold", "The share of significant gains that are larger.", HERE, "Pairs"),
    Term("pull", "How much the gain shrinks without one unit; below 0, how much it grows.",
         "jackknife influence: Efron and Tibshirani (1993), chapter 11", "Pair"),
    Term("effect size", "The size of a difference without the number of units: the gain in standard deviations of a "
         "unit's gain, or the share of units won.", "Cohen (1988), chapter 2", "Pair"),
    Term("atlas", "The pairs of systems of many test sets and metrics, pooled, with a model of what a test set that "
         "nobody has seen asks of a gain.", HERE, "Atlas"),
)  # fmt: skip
