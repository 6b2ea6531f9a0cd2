"""A trigram language model with modified Kneser-Ney smoothing, interpolated (Chen and Goodman 1998, section 4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, compiled
from nlpsig_core.laboratory.translators.index import ABSENT, HALF, Index, find, index_of

# Numbers of symbols that are no words; those of words follow, and numbers from ``size`` on are unknown words too. The
# first two are left to the gaps of rules.
START, END, UNKNOWN, FIRST_WORD = 2, 3, 4, 5
# In place of a word of the history.
NONE = -1


class LanguageModel(NamedTuple):
    """Log probabilities: of words (size,), of the bigrams and of the trigrams seen, and of going to a shorter history.

    ``backoff`` is by a history's last word, ``bigram_backoff`` by the bigram's number. A trigram is a pair of the
    number of its history among the bigrams and its last word.
    """

    unigrams: Floats
    backoff: Floats
    bigrams: Index
    bigram_logs: Floats
    bigram_backoff: Floats
    trigrams: Index
    trigram_logs: Floats


@compiled()
def log_probability(model: LanguageModel, before: int, last: int, word: int) -> float:
    """Return the natural log of P(word | before, last), of P(word | last) if ``before`` is -1, or of P(word)."""
    size = model.unigrams.shape[0]
    word = word if word < size else UNKNOWN
    if last < 0:
        return float(model.unigrams[word])
    last = last if last < size else UNKNOWN
    log = 0.0
    history = find(model.bigrams, before if before < size else UNKNOWN, last) if before >= 0 else ABSENT
    if history != ABSENT:
        trigram = find(model.trigrams, history, word)
        if trigram != ABSENT:
            return float(model.trigram_logs[trigram])
        log = model.bigram_backoff[history]
    bigram = find(model.bigrams, last, word)
    if bigram != ABSENT:
        return float(log + model.bigram_logs[bigram])
    return float(log + model.backoff[last] + model.unigrams[word])


def learn_language_model(words: np.ndarray, first: np.ndarray, size: int) -> LanguageModel:
    """Return the model of sentences, whose words are those from ``first`` (sentences + 1,) on.

    Words are numbers from FIRST_WORD up to, but not including, ``size``. Every sentence begins after two START and ends
    with END. The probabilities of all words, END and UNKNOWN after any history have the sum 1.
    """
    text = np.insert(words.astype(np.int64), np.repeat(first[:-1], 2), START)
    text = np.insert(text, first[1:] + 2 * np.arange(1, len(first)), END)
    bigram_of = (text[:-1] << HALF) | text[1:]
    bigram_keys, bigram_of = np.unique(bigram_of, return_inverse=True)
    histories, lasts = bigram_of[:-1], text[2:]
    inside = lasts != START
    trigram_keys, trigram_counts = np.unique((histories[inside] << HALF) | lasts[inside], return_counts=True)
    # The bigram that each trigram ends with, and the last word of each bigram.
    before, last = bigram_keys >> HALF, bigram_keys & ((1 << HALF) - 1)
    suffix = np.searchsorted(bigram_keys, (last[trigram_keys >> HALF] << HALF) | (trigram_keys & ((1 << HALF) - 1)))
    # Below the longest n-grams, what counts is the number of different words before.
    bigram_counts = np.bincount(suffix, minlength=len(bigram_keys))
    unigram_counts = np.bincount(last[bigram_counts > 0], minlength=size)
    n_words = size - END
    unigrams, _ = _interpolated(unigram_counts, np.zeros(size, int), np.full(size, 1 / n_words), 1)
    bigrams, backoff = _interpolated(bigram_counts, before, unigrams[last], size)
    trigrams, bigram_backoff = _interpolated(trigram_counts, trigram_keys >> HALF, bigrams[suffix], len(bigram_keys))
    # The bigrams with START as second word are histories only.
    return LanguageModel(
        unigrams=np.log(unigrams),
        backoff=np.log(backoff),
        bigrams=index_of(bigram_keys),
        bigram_logs=np.log(np.where(bigram_counts > 0, bigrams, 1)),
        bigram_backoff=np.log(bigram_backoff),
        trigrams=index_of(trigram_keys),
        trigram_logs=np.log(trigrams),
    )


def _interpolated(
    counts: np.ndarray, histories: np.ndarray, lower: np.ndarray, n_histories: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities of n-grams and, by history, the share that the shorter history has.

    ``lower`` are the probabilities after the shorter history. What a history's counts lose is what it gives away.
    """
    discounts = _discounts(counts)[np.minimum(counts, 3)]
    totals = np.bincount(histories, counts, n_histories)
    # A history that was never seen gives all.
    lost = np.where(totals > 0, np.bincount(histories, discounts, n_histories) / np.maximum(totals, 1), 1)
    return (counts - discounts) / np.maximum(totals, 1)[histories] + lost[histories] * lower, lost


def _discounts(counts: np.ndarray) -> np.ndarray:
    """Return what counts of 0, 1, 2 and more lose (Chen and Goodman 1998, equation 26).

    Where a small text has no n-grams of some count, every count loses 1/2.
    """
    n = np.bincount(counts, minlength=5)[1:5].astype(float)
    if not n.all():
        return np.array([0, 0.5, 0.5, 0.5])
    y = n[0] / (n[0] + 2 * n[1])
    raw = [k - (k + 1) * y * n[k] / n[k - 1] for k in (1, 2, 3)]
    return np.array([0, *np.clip(raw, [0.1, 0.1, 0.1], [0.9, 1.9, 2.9])])
