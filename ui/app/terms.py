"""Help texts that end with links to terms of the glossary."""

from __future__ import annotations

from nlpsig_core.base.glossary import GLOSSARY
from nlpsig_core.base.words import capital

# The help text of each choice that has one, by its key in the link, with the terms that it links to.
HELP: dict[str, tuple[str, ...]] = {
    "test_sets": ("Everything follows: averages, ranks, pages.", "macro-average"),
    "weights": (
        "Equal: as in the CoNLL shared tasks. By size: by the number of units that are resampled. By language family: "
        "the mean of the families' means; the language is taken from names such as en_ewt, and a test set without one "
        "is a family of its own.",
        "macro-average",
    ),
    "unit": (
        "Where sentences of one document are alike, p by sentences is too small; documents are usual then.",
        "resample",
        "cluster",
    ),
    "invalid": (
        "Score as 0: as the shared tasks rule, nothing counts as right. The alternatives leave out the system, or "
        "leave out the units that it lacks for all systems.",
        "invalid output",
    ),
    "baseline": ("All pages say who beats this system.", "baseline"),
    "b": ("The paper uses a million.", "resample"),
    "scope": (
        "Alone: each pair on its own. Corrected: among all pairs, for which p is corrected. Both: every answer names "
        "both where they differ; ranks and ties are the corrected ones.",
        "scope",
        "corrected p",
    ),
    "alpha": ("A p-value below it makes a gain significant.", "level", "significant"),
    "sides": (
        "One-sided: the winner's p, as in the paper. Among equal systems it is significant twice as often as the level "
        "says, since the winner is chosen after the fact.",
        "two-sided p",
        "one-sided p",
    ),
    "test": ("What gives p. With few documents, randomization is usual.", "paired bootstrap"),
    "within": ("Undecided systems that are surely this close are called equivalent.", "equivalence"),
    "interval": (
        "Percentiles of the resampled values, or normal intervals from bootstrap standard errors; both are widened for "
        "few units. With skewed gains and fewer than 100 units they contain the true value less often than in 95% of "
        "cases.",
        "interval",
        "standard error",
    ),
    "window": (
        "Pairs with p in this window are borderline. By default it is 0.8 to 1.2 times the level, as in the paper.",
        "borderline pair",
        "threshold (window)",
    ),
    "bins": ("By default those of table 1 of the paper.", "calibration", "one-sided p"),
    "power_gain": ("The gain that the test set should find.", "true gain"),
    "power": ("How often it should be significant.", "power"),
    "people_metric": ("The metric of the best SPA comes first.", "soft pairwise accuracy"),
    "edges_against": ("By its head, or by its head and relation.", "edge"),
    "votes_noise": ("Its standard deviation, in root mean squares of the weights.", "KD-Fix"),
}


def explained(text: str, *terms: str) -> str:
    """Return a help text in Markdown that ends with links to its terms in the glossary."""
    links = [f"[{capital(name)}](glossary?term={GLOSSARY[name].anchor})" for name in terms]
    return f"{text} Glossary: {', '.join(links)}"


def help_of(key: str) -> str | None:
    """Return the help text of a choice, if it has one."""
    return explained(*HELP[key]) if key in HELP else None
