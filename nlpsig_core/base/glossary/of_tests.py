"""Terms of tests: resamples, p-values, their sides and corrections."""

from __future__ import annotations

from nlpsig_core.base.glossary.term import HERE, PAPER, Term

TERMS = (
    Term("null hypothesis", "The assumption that a test tries to refute: neither system is better on the population "
         "of texts that the test set represents.", f"{PAPER}, section 2.1", "Learn"),
    Term("resample", "As many units as the test set has, drawn from it with replacement. Some units are in it several "
         "times, about 37% not at all.", "Efron and Tibshirani (1993), chapter 6", "Learn"),
    Term("paired bootstrap", "The test of the paper: score both systems on the same resamples, and see how often the "
         "gain there is far from the observed one. All pairs share the resamples.", f"{PAPER}, section 2.2", "Pairs"),
    Term("δ*", "The gain on a resample. It varies around the observed gain δ, not around 0, so the paper counts "
         "δ* > 2δ.", f"{PAPER}, figure 1", "Pair"),
    Term("p-value", "The probability, if the null hypothesis is true, of a gain at least as large as the observed one. "
         "It is not the probability that the winner is worse.", f"{PAPER}, section 2.1", "Pairs"),
    Term("one-sided p", "The p-value in favour of the winner: the share of resamples with δ* > 2δ. Since the winner is "
         "chosen after looking, it is below 0.05 for about 10% of equal pairs.", f"{PAPER}, section 2.1", "Pairs"),
    Term("two-sided p", "The p-value that allows either system to be better: it also counts δ* < 0.",
         f"{PAPER}, footnote 2", "Pairs"),
    Term("confidence", "1 − the one-sided p-value of a pair: the height of a dot in the figures of the paper.",
         f"{PAPER}, section 3", "Pairs"),
    Term("level", "The bound, usually 0.05, below which a p-value makes a gain significant. It is the share of false "
         "alarms that the test allows among equal pairs.", "Lehmann and Romano (2005), section 3.1", "Pairs"),
    Term("significant", "The p-value that decides is below the level. It says that a difference exists, not that it is "
         "large or useful.", f"{PAPER}, section 2.1", "Pairs"),
    Term("notion of significance", "Level, sides, test, scope and correction together, chosen in the sidebar. "
         "Everything on screen follows this one choice.", HERE, "Pairs"),
    Term("scope", "What significance is about: a pair alone, a pair among all (corrected), or both. With both, a pair "
         "that is significant alone but not among all is \"better on its own\".", HERE, "Pairs"),
    Term("deciding p", "The p that is compared with the level, called p on every page: that of the pair alone, or the "
         "corrected one if the scope is \"corrected\". The bootstrap's takes few differing units into account.", HERE,
         "Pairs"),
    Term("false alarm", "A significant gain between two systems that are equally good.",
         "type I error: Lehmann and Romano (2005), section 3.1", "Learn"),
    Term("corrected p", "A p-value raised because many pairs are tested at once: of 1,000 equal pairs about 50 have "
         "p < 0.05 by chance.", "Dror et al. (2017)", "Pairs"),
    Term("Holm", "A correction that keeps the chance of any false alarm among all pairs at or below the level.",
         "Holm (1979)", "Pairs"),
    Term("BH", "Benjamini-Hochberg, a correction for the expected share of false alarms among significant pairs. "
         "It is proven for independent tests, which pairs that share systems are not.",
         "Benjamini and Hochberg (1995)", "Pairs"),
    Term("BY", "Benjamini-Yekutieli: as BH, but proven for any dependence and so more cautious.",
         "Benjamini and Yekutieli (2001)", "Pairs"),
    Term("max-t", "A correction with the promise of Holm's that uses how gains vary together, so it finds more. "
         "It needs the paired bootstrap and 200 units or more.", "Romano and Wolf (2005)", "Pairs"),
    Term("differing units", "Units in which two systems have different statistics. The others cannot tell the two "
         "apart.", HERE, "Pair"),
    Term("small-sample p", "The bootstrap's p corrected for few differing units, for which it is too small. "
         "Two-sided decisions use it.", f"{HERE}, with Student's t (1908)", "Pair"),
    Term("Monte Carlo error", "How far a p-value may be from that of infinitely many resamples, as a standard error.",
         "Efron and Tibshirani (1993), section 15.4", "Pairs"),
    Term("approximate randomization", "A test that swaps the outputs of the two systems, unit by unit at random, "
         "and counts how often the gain is at least as large as the observed one.", "Noreen (1989), chapter 2", "Pair"),
    Term("standard error", "The standard deviation of a score or gain over resamples: how much luck with the units "
         "changes it.", "Efron and Tibshirani (1993), chapter 6", "Pairs"),
    Term("interval", "A range that contains the true value for 95% of test sets, if its assumptions hold. It comes "
         "from percentiles of resamples or from standard errors.", "Efron and Tibshirani (1993), chapter 13", "Scores"),
    Term("correlation", "How much the resampled scores of two systems go up and down together, from −1 to 1. Similar "
         "systems are lucky together, so a smaller gain between them is significant.", f"{PAPER}, section 3.1",
         "Pairs"),
)  # fmt: skip
