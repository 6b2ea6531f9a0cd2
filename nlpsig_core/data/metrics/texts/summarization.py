"""ROUGE of summaries by document, as computed by rouge-score; the score of a test set is the mean."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from importlib import metadata
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from nlpsig_core.data.metrics.base import Family, Ratio
from nlpsig_core.data.metrics.texts import line_by_line
from nlpsig_core.data.readers.lines import Lines, References
from nlpsig_core.data.readers.texts import match

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

ROUGE_VERSION = metadata.version("rouge-score")
TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
COMPONENTS = ("f", "precision", "recall")
COLUMNS = ("documents", *(f"{kind}_{component}" for kind in TYPES for component in COMPONENTS))
# Marks of line breaks between the sentences of a summary.
SENTENCE_BREAK = re.compile(r"\\n|<n>|<q>")
# What rouge-score compares.
WORDS = re.compile("[a-z0-9]+")
STEMS_REMEMBERED = 1 << 16


def count(gold: References, output: Lines, stem: bool = True) -> np.ndarray:
    """Compute ROUGE of each document, (units, COLUMNS), reals from 0 to 1, with or without Porter's stemmer.

    Of several references, each type of ROUGE uses the one with the best F. Raises FileError if the numbers of
    summaries differ, and for a summary with too many words.
    """
    line_by_line.check(gold, output)
    line_by_line.check_pairs(gold, output, words=lambda text: WORDS.findall(text.lower()))
    documents = zip(output.lines, gold.by_unit, strict=True)
    return np.array([_document(summary, references, stem) for summary, references in documents])


def _document(summary: str, references: tuple[str, ...], stem: bool) -> list[float]:
    predicted, *wanted = map(sentences_of, (summary, *references))
    # ROUGE-Lsum of one sentence against one sentence is ROUGE-L.
    several = any("\n" in text for text in (predicted, *wanted))
    scores = _scorer(stem, several).score_multi(wanted, predicted)
    best = [scores.get(kind, scores["rougeL"]) for kind in TYPES]
    return [1.0, *(value for score in best for value in (score.fmeasure, score.precision, score.recall))]


def sentences_of(text: str) -> str:
    """Return a summary with its sentences on lines of their own, where marks say how it is divided."""
    return "\n".join(map(str.strip, SENTENCE_BREAK.split(text))).strip()


def count_missing(gold: References) -> np.ndarray:
    """Return the statistics of a missing output: ROUGE is 0 in every document."""
    return np.tile(np.array([column == "documents" for column in COLUMNS], dtype=np.float64), (gold.n_units, 1))


# Means in percent, of totals (..., 4): documents, and sums of F, precision and recall of one type.
f = Ratio((0, 1, 0, 0), (1, 0, 0, 0))
precision = Ratio((0, 0, 1, 0), (1, 0, 0, 0))
recall = Ratio((0, 0, 0, 1), (1, 0, 0, 0))


def remarks(gold: References, output: Lines) -> list[str]:
    """Return remarks on blank summaries, copied references, and scripts that ROUGE cannot tokenise."""
    notes = [*output.notes, *line_by_line.blank(gold, output, "summary"), *line_by_line.copied(gold, output)]
    letters = [character for lines in gold.lines for line in lines for character in line if character.isalpha()]
    if 2 * sum(map(str.isascii, letters)) < len(letters):
        notes.append("rouge-score compares only the letters a to z and digits, and the references have few of them")
    return notes


def rouge_details(edition: str = "stemmed") -> dict[str, object]:
    """Return the fields that a signature adds for ROUGE of that edition."""
    stemmer = "porter" if edition == "stemmed" else "no"
    return {"stemmer": stemmer, "several": "best", "rouge-score": ROUGE_VERSION}


def columns_of(kind: str) -> tuple[str, ...]:
    """Return the columns of one of TYPES: documents, F, precision, recall."""
    return ("documents", *(f"{kind}_{component}" for component in COMPONENTS))


class Tokenizer:
    """rouge-score's tokeniser, with or without Porter's stems: texts repeat words, so these are cached."""

    def __init__(self, stem: bool) -> None:
        from nltk.stem.porter import PorterStemmer

        cached = lru_cache(maxsize=STEMS_REMEMBERED)(PorterStemmer().stem)
        self._stemmer = SimpleNamespace(stem=cached) if stem else None

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        from rouge_score.tokenize import tokenize

        tokens: list[str] = tokenize(text, self._stemmer)
        return tokens


@lru_cache(maxsize=4)
def _scorer(stem: bool, several_sentences: bool) -> RougeScorer:
    """Return a scorer of all types, without ROUGE-Lsum for single sentences."""
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(TYPES if several_sentences else TYPES[:-1], tokenizer=Tokenizer(stem))


FAMILIES = {
    edition: Family(
        name=f"ROUGE, {edition}",
        version=f"3, rouge-score {ROUGE_VERSION}",
        reader="Summaries",
        columns=COLUMNS,
        count=partial(count, stem=edition == "stemmed"),
        match=match,
        count_missing=count_missing,
        remarks=remarks,
        whole=False,
        costly=True,
    )
    for edition in ("stemmed", "not stemmed")
}
