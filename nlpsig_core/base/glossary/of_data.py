"""Terms of the data: what is compared, how it is scored, and what belongs together."""

from __future__ import annotations

from nlpsig_core.base.glossary.term import HERE, PAPER, Term

TERMS = (
    Term("system", "A program that took part in the task, represented by its output on the test set.", PAPER, "Scores"),
    Term("unit", "What is resampled: a sentence, segment, document or question. The test treats units as independent "
         "of each other.", f"{PAPER}, section 2.2", "Shared task"),
    Term("statistics", "The few numbers counted for one unit of one system, such as correct, predicted and gold "
         "words. The metric is computed from their sums, the totals.",
         "sufficient statistics: Casella and Berger (2002), section 6.2", "Scores"),
    Term("metric", "The function that turns summed statistics into a score, such as LAS, F1 or BLEU.", HERE, "Scores"),
    Term("score", "The metric of a system on all units together. It is in general not the mean of the scores of "
         "single units.", f"{PAPER}, section 2.1", "Scores"),
    Term("edition", "A version of the official rules by which a metric is computed, such as that of the CoNLL task of "
         "2017 or of 2018.", HERE, "Scores"),
    Term("gain", "The difference between the scores of two systems, in favour of the better one and so never negative. "
         "The paper calls it δ.", f"{PAPER}, section 2.1", "Pairs"),
    Term("winner", "The system of a pair with the better score on this test set. It is known only after looking.",
         f"{PAPER}, section 2.1", "Pairs"),
    Term("group", "What a system belongs to: a research group, or a family of models. Systems of one group are often "
         "alike.", f"{PAPER}, section 3.1", "Shared task"),
    Term("comparison class", "How the two systems of a pair are related: same group, different groups, system "
         "combinations, or what the task's columns say.", f"{PAPER}, figures 2 to 8", "Pairs"),
    Term("system combination", "A system made from the outputs of others. A pair with one such system is a class of "
         "its own.", f"{PAPER}, figure 4", "Pairs"),
    Term("run", "One of several outputs of a system, from other random seeds. Where there are runs, the score is their "
         "mean, and resamples draw runs as well as units.", "Reimers and Gurevych (2017)", "Scores"),
    Term("domain", "A part of the test set with texts of one kind, such as news.", f"{PAPER}, section 4.1", "Domains"),
    Term("cluster", "Units that belong together, such as the sentences of a document. They are alike, so they are "
         "better resampled together.", "Davison and Hinkley (1997), section 3.8", "Pairs"),
    Term("macro-average", "The mean of the scores on several test sets, equally weighted unless the sidebar says "
         "otherwise. Each resample draws units from every test set.", "Zeman et al. (2017)", "Campaign"),
    Term("invalid output", "An output that breaks the rules of its format. It scores 0, or is left out, as the sidebar "
         "says.", HERE, "Shared task"),
    Term("campaign", "A shared task of several test sets with the same systems.", HERE, "Campaign"),
    Term("pack", "A task as statistics by system and unit, without its text, in one small file.", HERE, "Shared task"),
    Term("baseline", "The system with which all others are compared on every page: the one whose name or group "
         "says so, or another one chosen in the sidebar.", HERE, "Scores"),
    Term("signature", "A line that names everything that a number depends on. Equal signatures guarantee equal "
         "numbers.", "Post (2018)", "Scores"),
)  # fmt: skip
