"""Weights of a translator's features, tuned for BLEU on sentences that it was not trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from nlpsig_core.base.errors import TaskError
from nlpsig_core.laboratory.translators.translator import Sentences, Translator

LONGEST = 4
# Rounds of translating and tuning, and the spread of the changes of some rounds, relative to the weights.
ROUNDS, SPREAD = 12, 0.3
# How strongly weights are drawn to those of the round before, in points of BLEU for a squared distance of 1.
PULL = 1.0


def bleu_counts(words: Sequence[str], reference: Sequence[str]) -> np.ndarray:
    """Return the n-grams of a translation that the reference has, n = 1 to 4, all its n-grams, and both lengths."""
    counts = np.zeros(2 * LONGEST + 2)
    for n in range(1, LONGEST + 1):
        own, other = (Counter(zip(*(side[i:] for i in range(n)), strict=False)) for side in (words, reference))
        counts[n - 1], counts[LONGEST + n - 1] = (own & other).total(), own.total()
    counts[-2:] = len(words), len(reference)
    return counts


def bleu(counts: np.ndarray) -> float:
    """Return the BLEU of summed counts (10,), in percent; 0 if no n-gram of some length matches."""
    matched, total, (length, reference) = counts[:LONGEST], counts[LONGEST:-2], counts[-2:]
    if not matched.all():
        return 0.0
    return float(100 * np.exp(np.log(matched / total).mean() + min(0.0, 1 - reference / length)))


def tune(
    translator: Translator, sources: Sentences, references: Sentences, seed: int = 0, rounds: int = ROUNDS
) -> np.ndarray:
    """Return the weights (N_FEATURES,) with the highest BLEU among those of all rounds.

    A round translates the sentences, adds the translations to those of earlier rounds, and finds the weights by which
    the expected counts of n-grams have the highest BLEU (Rosti et al. 2010): a translation's probability is
    proportional to the exponential of its score. TaskError if there are not as many references as sentences.
    """
    if len(sources) != len(references):
        raise TaskError(f"Tuning needs as many references as sentences: {len(references)} and {len(sources)} are given")
    generator = np.random.default_rng(np.random.SeedSequence(seed))
    prepared = translator.prepare(sources)
    weights = best = translator.weights
    highest, features, counts = -1.0, [], []
    for round_ in range(rounds):
        found = translator.search(prepared, weights)
        features.append([translation.features for translation in found])
        counts.append([bleu_counts(t.words, r) for t, r in zip(found, references, strict=True)])
        score = bleu(np.sum(counts[-1], axis=0) + 1)
        if score > highest:
            best, highest = weights, score
        # Every other round looks elsewhere, for other translations.
        if round_ % 2 == 0:
            weights = best + SPREAD * (abs(best) + abs(best).mean()) * generator.standard_normal(len(best))
        else:
            weights = _best_weights(np.array(features), np.array(counts), best)
    return best


def _best_weights(features: np.ndarray, counts: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return the best weights for translations with features and counts (rounds, sentences, any)."""
    from scipy.optimize import minimize

    def loss(weights: np.ndarray) -> float:
        scores = features @ weights
        shares = np.exp(scores - scores.max(axis=0))
        shares /= shares.sum(axis=0)
        expected = np.einsum("rs,rsc->c", shares, counts)
        # With 1 more of each count, few sentences without a match have gradients too.
        return float(PULL * np.sum((weights - start) ** 2)) - bleu(expected + 1)

    result: Any = minimize(loss, start, method="L-BFGS-B")
    return np.asarray(result.x)
