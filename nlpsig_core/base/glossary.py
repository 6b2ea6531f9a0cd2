"""The glossary: every term of the app in one or two sentences, with its source and the page that shows it."""

from __future__ import annotations

import re
from typing import NamedTuple

# The papers that define most of the terms, and this software, which defines the others.
PAPER, MEJER, JOHNSON = "Berg-Kirkpatrick et al. (2012)", "Mejer and Crammer (2012)", "Charniak and Johnson (2005)"
HERE = "defined by nlpsig"


class Term(NamedTuple):
    """A term: its name, what it means in one or two sentences, its source, and the title of the page that shows it."""

    name: str
    meaning: str
    source: str
    page: str

    @property
    def anchor(self) -> str:
        """The name in a link."""
        return re.sub(r"\W+", "-", self.name.lower()).strip("-")


# Name, meaning, source and page of each term, in the order in which they build on each other.
_ROWS = {
    "Data and scores": (
        ("system", "A program that took part in the task, represented by its output on the test set.", PAPER, "Scores"),
        ("unit", "What is resampled: a sentence, segment, document or question. The test treats units as independent "
         "of each other.", f"{PAPER}, section 2.2", "Shared task"),
        ("statistics", "The few numbers counted for one unit of one system, such as correct, predicted and gold "
         "words. The metric is computed from their sums, the totals.",
         "sufficient statistics: Casella and Berger (2002), section 6.2", "Scores"),
        ("metric", "The function that turns summed statistics into a score, such as LAS, F1 or BLEU.", HERE, "Scores"),
        ("score", "The metric of a system on all units together. It is in general not the mean of the scores of "
         "single units.", f"{PAPER}, section 2.1", "Scores"),
        ("edition", "A version of the official rules by which a metric is computed, such as that of the CoNLL task of "
         "2017 or of 2018.", HERE, "Scores"),
        ("gain", "The difference between the scores of two systems, in favour of the better one and so never "
         "negative. Where lower is better, it is called a reduction. The paper calls it δ.",
         f"{PAPER}, section 2.1", "Pairs"),
        ("winner", "The system of a pair with the better score on this test set. It is known only after looking.",
         f"{PAPER}, section 2.1", "Pairs"),
        ("group", "What a system belongs to: a research group, or a family of models. Systems of one group are often "
         "alike.", f"{PAPER}, section 3.1", "Shared task"),
        ("comparison class", "How the two systems of a pair are related: same group, different groups, system "
         "combinations, or what the task's columns say.", f"{PAPER}, figures 2 to 8", "Pairs"),
        ("system combination", "A system made from the outputs of others. A pair with one such system is a class of "
         "its own.", f"{PAPER}, figure 4", "Pairs"),
        ("run", "One of several outputs of a system, from other random seeds. Where there are runs, the score is "
         "their mean, and resamples draw runs as well as units.", "Reimers and Gurevych (2017)", "Scores"),
        ("domain", "A part of the test set with texts of one kind, such as news.", f"{PAPER}, section 4.1", "Domains"),
        ("cluster", "Units that belong together, such as the sentences of a document. They are alike, so they are "
         "better resampled together.", "Davison and Hinkley (1997), section 3.8", "Pairs"),
        ("macro-average", "The mean of the scores on several test sets, equally weighted unless the sidebar says "
         "otherwise. Each resample draws units from every test set.", "Zeman et al. (2017)", "Campaign"),
        ("invalid output", "An output that breaks the rules of its format. It scores 0, or is left out, as the "
         "sidebar says.", HERE, "Shared task"),
        ("campaign", "A shared task of several test sets with the same systems.", HERE, "Campaign"),
        ("pack", "A task as statistics by system and unit, without its text, in one small file.", HERE, "Shared task"),
        ("baseline", "The system with which all others are compared on every page: the one whose name or group says "
         "so, or another one chosen in the sidebar.", HERE, "Scores"),
        ("signature", "A line that names everything that a number depends on. Equal signatures guarantee equal "
         "numbers.", "Post (2018)", "Scores"),
    ),
    "Tests": (
        ("null hypothesis", "The assumption that a test tries to refute: neither system is better on the population "
         "of texts that the test set represents.", f"{PAPER}, section 2.1", "Learn"),
        ("resample", "As many units as the test set has, drawn from it with replacement. Some units are in it several "
         "times, about 37% not at all.", "Efron and Tibshirani (1993), chapter 6", "Learn"),
        ("paired bootstrap", "The test of the paper: score both systems on the same resamples, and see how often the "
         "gain there is far from the observed one. All pairs share the resamples.", f"{PAPER}, section 2.2", "Pairs"),
        ("δ*", "The gain on a resample. It varies around the observed gain δ, not around 0, so the paper counts δ* > "
         "2δ.", f"{PAPER}, figure 1", "Pair"),
        ("p-value", "The probability, if the null hypothesis is true, of a gain at least as large as the observed "
         "one. It is not the probability that the winner is worse.", f"{PAPER}, section 2.1", "Pairs"),
        ("one-sided p", "The p-value in favour of the winner: the share of resamples with δ* > 2δ. Since the winner "
         "is chosen after looking, it is below 0.05 for about 10% of equal pairs.", f"{PAPER}, section 2.1", "Pairs"),
        ("two-sided p", "The p-value that allows either system to be better: it also counts δ* < 0.",
         f"{PAPER}, footnote 2", "Pairs"),
        ("confidence", "1 − the one-sided p-value of a pair: the height of a dot in the figures of the paper.",
         f"{PAPER}, section 3", "Pairs"),
        ("level", "The bound, usually 0.05, below which a p-value makes a gain significant. It is the share of false "
         "alarms that the test allows among equal pairs.", "Lehmann and Romano (2005), section 3.1", "Pairs"),
        ("significant", "The p-value that decides is below the level. It says that a difference exists, not that it "
         "is large or useful.", f"{PAPER}, section 2.1", "Pairs"),
        ("notion of significance", "Level, sides, test, scope and correction together, chosen in the sidebar. "
         "Everything on screen follows this one choice.", HERE, "Pairs"),
        ("scope", "What significance is about: a pair alone, a pair among all (corrected), or both. With both, a pair "
         "that is significant alone but not among all is \"better on its own\".", HERE, "Pairs"),
        ("deciding p", "The p that is compared with the level, called p on every page: that of the pair alone, or the "
         "corrected one if the scope is \"corrected\". The bootstrap's takes few differing units into account.",
         HERE, "Pairs"),
        ("false alarm", "A significant gain between two systems that are equally good.",
         "type I error: Lehmann and Romano (2005), section 3.1", "Learn"),
        ("corrected p", "A p-value raised because many pairs are tested at once: of 1,000 equal pairs about 50 have p "
         "< 0.05 by chance.", "Dror et al. (2017)", "Pairs"),
        ("Holm", "A correction that keeps the chance of any false alarm among all pairs at or below the level.",
         "Holm (1979)", "Pairs"),
        ("BH", "Benjamini-Hochberg, a correction for the expected share of false alarms among significant pairs. It "
         "is proven for independent tests, which pairs that share systems are not.",
         "Benjamini and Hochberg (1995)", "Pairs"),
        ("BY", "Benjamini-Yekutieli: as BH, but proven for any dependence and so more cautious.",
         "Benjamini and Yekutieli (2001)", "Pairs"),
        ("max-t", "A correction with the promise of Holm's that uses how gains vary together, so it finds more. It "
         "needs the paired bootstrap and 200 units or more.", "Romano and Wolf (2005)", "Pairs"),
        ("differing units", "Units in which two systems have different statistics. The others cannot tell the two "
         "apart.", HERE, "Pair"),
        ("small-sample p", "The bootstrap's p corrected for few differing units, for which it is too small. Two-sided "
         "decisions use it.", f"{HERE}, with Student's t (1908)", "Pair"),
        ("Monte Carlo error", "How far a p-value may be from that of infinitely many resamples, as a standard error.",
         "Efron and Tibshirani (1993), section 15.4", "Pairs"),
        ("approximate randomization", "A test that swaps the outputs of the two systems, unit by unit at random, and "
         "counts how often the gain is at least as large as the observed one.", "Noreen (1989), chapter 2", "Pair"),
        ("standard error", "The standard deviation of a score or gain over resamples: how much luck with the units "
         "changes it.", "Efron and Tibshirani (1993), chapter 6", "Pairs"),
        ("interval", "A range that contains the true value for 95% of test sets, if its assumptions hold. It comes "
         "from percentiles of resamples or from standard errors.", "Efron and Tibshirani (1993), chapter 13", "Scores"),
        ("correlation", "How much the resampled scores of two systems go up and down together, from −1 to 1. Similar "
         "systems are lucky together, so a smaller gain between them is significant.",
         f"{PAPER}, section 3.1", "Pairs"),
    ),
    "Verdicts, ranks and thresholds": (
        ("verdict", "The answer on a pair: better (▲), better on its own but not among all pairs (△), equivalent (=) "
         "or undecided (?). Seen from the loser, better is worse (▼, ▽).", HERE, "Pair"),
        ("equivalence", "Systems that are surely closer than a gain that you would ignore. They are equivalent if the "
         "90% interval of their gain is between minus and plus this gain (at a level of 0.05): two one-sided tests. "
         "Without such a gain no pair is called equivalent.", "Schuirmann (1987)", "Pair"),
        ("undecided", "Neither better nor equivalent: this test set does not show which system is better.",
         HERE, "Pair"),
        ("rank range", "From 1 + the number of better systems to the number of systems that are not clearly worse, "
         "among all pairs. Rank 3–16: two are better, sixteen are not clearly worse.", HERE, "Scores"),
        ("tied group", "Systems that are not significantly worse than the first of their group in the ranking.",
         HERE, "Scores"),
        ("threshold", "The gain above which pairs are usually significant. It is a rule of thumb for one task and "
         "metric, not a test.", f"{PAPER}, section 3.1.1", "Pairs"),
        ("threshold (window)", "The paper's estimate: the 95th percentile of the gains of borderline pairs.",
         f"{PAPER}, section 3.1.1", "Pairs"),
        ("borderline pair", "A pair whose p-value is in the window around the level, by default from 0.8 to 1.2 times "
         "the level.", f"{PAPER}, section 3.1.1", "Pairs"),
        ("threshold (model)", "The 95th percentile of the gains that pairs need, by a model of their standard errors. "
         "It uses more pairs than the window and has an interval.", HERE, "Pairs"),
        ("needed gain", "The gain from which a pair is significant, given the standard error of its gain.",
         HERE, "Pairs"),
        ("precision of a threshold", "The share of larger gains that are significant.", HERE, "Pairs"),
        ("recall of a threshold", "The share of significant gains that are larger.", HERE, "Pairs"),
        ("pull", "How much the gain shrinks without one unit; below 0, how much it grows.",
         "jackknife influence: Efron and Tibshirani (1993), chapter 11", "Pair"),
        ("effect size", "The size of a difference without the number of units: the gain in standard deviations of a "
         "unit's gain, or the share of units won.", "Cohen (1988), chapter 2", "Pair"),
        ("atlas", "The pairs of systems of many test sets and metrics, pooled, with a model of the gain that a "
         "new test set needs.", HERE, "Atlas"),
    ),
    "Size, domains, calibration": (
        ("power", "The probability that a true gain of a given size is significant on a test set of a given size.",
         "Cohen (1988), chapter 1", "Test size"),
        ("detectable gain", "The true gain that is significant with a power of 80% on this test set.",
         "minimum detectable effect: Bloom (1995)", "Test size"),
        ("true gain", "The gain on the whole population of texts, which no test set shows exactly.",
         "Efron and Tibshirani (1993), chapter 4", "Test size"),
        ("winner's curse", "Observed gains of pairs chosen for their gain are too large on average, since luck was "
         "part of the choice.", "Gelman and Carlin (2014)", "Test size"),
        ("Kendall's tau", "The agreement of two rankings: 1 for the same order, −1 for the reverse order, 0 where as "
         "many pairs of systems agree as disagree.", "Kendall (1938)", "Domains"),
        ("forest plot", "The gain of one pair with its interval on each of several test sets, one below another, and "
         "their mean.", "Lewis and Clarke (2001)", "Campaign"),
        ("heterogeneity", "Gains that differ between test sets by more than the noise of each. Cochran's Q tests for "
         "it; I² is the share of the spread that noise does not explain.", "Higgins et al. (2003)", "Campaign"),
        ("calibration", "Whether a number means what it says, such as whether 95% of the winners with p around 0.05 "
         "win elsewhere, too.", f"{PAPER}, section 4.2", "Calibration"),
        ("population", "All texts like those of the test set. For the experiment on Calibration, all units of the "
         "test set stand for it.", f"{PAPER}, section 4.2", "Calibration"),
    ),
    "People and metrics": (
        ("human score", "The mean of people's scores of an output, such as ratings or errors that cost points. As a "
         "metric, it is over the units that people have judged for all systems.", HERE, "People"),
        ("confirmed gain", "A significant gain in a metric by which people find the same system significantly better. "
         "It is contradicted if they find the other one better.", HERE, "People"),
        ("soft pairwise accuracy", "SPA: how closely a metric's p-values follow those of people, the mean over pairs "
         "of systems of 1 minus the distance of the two. 1 is perfect.", "Thompson et al. (2024)", "People"),
        ("worth of a gain", "The share of pairs of systems with about this gain in a metric in which people prefer "
         "the same system.", "Kocmi et al. (2024)", "People"),
    ),
    "Confidence of predictions, reranking": (
        ("edge", "A word of a dependency parse with its head. It is right if the gold has it, too.",
         f"{MEJER}, section 1", "Confidence"),
        ("edge confidence", "How sure a method is that an edge is right. It is not the confidence of a pair of "
         "systems.", f"{MEJER}, section 2", "Confidence"),
        ("committee", "The other systems of the task as voters: the confidence of an edge or tag is the share of them "
         "that agree.", HERE, "Confidence"),
        ("KD-Fix", "A parser's confidence from 50 trees, each the best one under weights with random noise: the share "
         "of the trees that have the edge.", f"{MEJER}, section 2", "Confidence"),
        ("average precision", "The mean, over the ranks of all errors, of the share of errors among the predictions "
         "looked at so far, the least sure first. A random order has about the error rate.",
         f"{MEJER}, section 3", "Confidence"),
        ("reliability", "The share of right predictions among those with about the same confidence. If confidence is "
         "a good probability, the two are equal.", f"{MEJER}, figure 1", "Confidence"),
        ("RMSE", "The root mean square, over bins of confidence, of the difference between the middle of the bin and "
         "the share that is right.", f"{MEJER}, section 3", "Confidence"),
        ("expected calibration error", "The mean difference between confidence and the share that is right, over bins "
         "of confidence.", "Naeini et al. (2015)", "Confidence"),
        ("Brier score", "The mean squared difference between confidence and outcome, 1 for right and 0 for wrong.",
         "Brier (1950)", "Confidence"),
        ("n-best list", "The n best parses of a sentence by a base parser, with their log probabilities.",
         JOHNSON, "Reranking"),
        ("reranking", "Choosing another parse from the n-best list, by weights of features that the base parser "
         "cannot use.", JOHNSON, "Reranking"),
        ("feature", "A property of a parse that is counted, such as a rule or a pair of words; its weight says how "
         "much it counts.", JOHNSON, "Reranking"),
        ("feature class", "Features of one kind, which are put on trial together.",
         f"{JOHNSON}, section 5", "Reranking"),
        ("oracle", "The choice of the best parse of each list, made with the gold: the most that reranking can reach.",
         f"{JOHNSON}, section 3", "Reranking"),
        ("feature pull", "The weight of a feature, times how much more of it the reranked parse has than the first "
         "one.", HERE, "Reranking"),
    ),
}  # fmt: skip
CHAPTERS = {chapter: tuple(Term(*row) for row in rows) for chapter, rows in _ROWS.items()}
GLOSSARY = {term.name: term for terms in CHAPTERS.values() for term in terms}
