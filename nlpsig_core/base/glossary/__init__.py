"""The glossary: every term of the app in one or two sentences, with its source and the page that shows it."""

from __future__ import annotations

from nlpsig_core.base.glossary import of_analyses, of_data, of_predictions, of_tests, of_thresholds
from nlpsig_core.base.glossary.term import Term

# In the order in which they build on each other.
CHAPTERS: dict[str, tuple[Term, ...]] = {
    "Data and scores": of_data.TERMS,
    "Tests": of_tests.TERMS,
    "Verdicts, ranks and thresholds": of_thresholds.TERMS,
    "Size, domains, calibration": of_analyses.TERMS,
    "Confidence of predictions, reranking": of_predictions.TERMS,
}
GLOSSARY: dict[str, Term] = {term.name: term for terms in CHAPTERS.values() for term in terms}

__all__ = ["CHAPTERS", "GLOSSARY", "Term"]
