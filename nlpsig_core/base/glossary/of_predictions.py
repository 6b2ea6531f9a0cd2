"""Terms of the confidence of predictions and of reranking."""

from __future__ import annotations

from nlpsig_core.base.glossary.term import HERE, Term

MEJER, JOHNSON = "Mejer and Crammer (2012)", "Charniak and Johnson (2005)"

TERMS = (
    Term("edge", "A word of a dependency parse with its head. It is right if the gold has it, too.",
         f"{MEJER}, section 1", "Confidence"),
    Term("edge confidence", "How sure a method is that an edge is right. It is not the confidence of a pair of "
         "systems.", f"{MEJER}, section 2", "Confidence"),
    Term("committee", "The other systems of the task as voters: the confidence of an edge or tag is the share of them "
         "that agree.", HERE, "Confidence"),
    Term("KD-Fix", "A parser's confidence from 50 trees, each the best one under weights with random noise: the share "
         "of the trees that have the edge.", f"{MEJER}, section 2", "Confidence"),
    Term("average precision", "The mean, over the ranks of all errors, of the share of errors among the predictions "
         "looked at so far, the least sure first. A random order has about the error rate.", f"{MEJER}, section 3",
         "Confidence"),
    Term("reliability", "The share of right predictions among those with about the same confidence. If confidence is a "
         "good probability, the two are equal.", f"{MEJER}, figure 1", "Confidence"),
    Term("RMSE", "The root mean square, over bins of confidence, of the difference between the middle of the bin and "
         "the share that is right.", f"{MEJER}, section 3", "Confidence"),
    Term("expected calibration error", "The mean difference between confidence and the share that is right, over bins "
         "of confidence.", "Naeini et al. (2015)", "Confidence"),
    Term("Brier score", "The mean squared difference between confidence and outcome, 1 for right and 0 for wrong.",
         "Brier (1950)", "Confidence"),
    Term("n-best list", "The n best parses of a sentence by a base parser, with their log probabilities.", JOHNSON,
         "Reranking"),
    Term("reranking", "Choosing another parse from the n-best list, by weights of features that the base parser "
         "cannot use.", JOHNSON, "Reranking"),
    Term("feature", "A property of a parse that is counted, such as a rule or a pair of words; its weight says how "
         "much it counts.", JOHNSON, "Reranking"),
    Term("feature class", "Features of one kind, which are put on trial together.", f"{JOHNSON}, section 5",
         "Reranking"),
    Term("oracle", "The choice of the best parse of each list, made with the gold: the most that reranking can reach.",
         f"{JOHNSON}, section 3", "Reranking"),
    Term("feature pull", "The weight of a feature, times how much more of it the reranked parse has than the first "
         "one.", HERE, "Reranking"),
)  # fmt: skip
