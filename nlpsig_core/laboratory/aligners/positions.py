"""Models of positions: where the words of a sentence come from in the other one, with and without memory.

A direction generates each word of a sentence from one word of the other, or with the probability NULL from none. Given
words are counted by i, generated ones by j. Each kernel fills ``posteriors`` (cells,) with the probability that j comes
from i given both sentences, adds what the model learns from to ``statistics``, and returns the log likelihood.
"""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
from nlpsig_core.laboratory.aligners.table import View

# Probability that a word comes from no word.
NULL = 0.1
# The least probability of a word given another: that of pairs the training text lacks.
FLOOR = 1e-5
# Jumps are counted one by one up to this many words; longer ones share a count.
LONGEST_JUMP = 20


@compiled()
def fill_lexical(view: View, k: int, pairs: Floats, null: Floats, words: Floats, none: Floats) -> None:
    """Fill ``words`` (generated, given) and ``none`` (generated,) with the probabilities of pair k's words."""
    for j in range(view.n_generated[k]):
        word = view.words[view.first_word[k] + j]
        none[j] = NULL * max(null[word], FLOOR) if word >= 0 else NULL * FLOOR
        for i in range(view.n_given[k]):
            pair = view.pair[view.first[k] + i * view.given_step[k] + j * view.generated_step[k]]
            words[j, i] = (1 - NULL) * max(pairs[pair], FLOOR) if pair >= 0 else (1 - NULL) * FLOOR


@compiled()
def distance(i: int, n_given: int, j: int, n_generated: int) -> float:
    """Return how far a cell is from the diagonal, 0 to 1 (Dyer et al. 2013, equation 1)."""
    return abs((i + 1) / n_given - (j + 1) / n_generated)


@compiled()
def fill_diagonal(
    view: View, pairs: Floats, null: Floats, shape: Floats, posteriors: Floats, statistics: Floats
) -> float:
    """Fill posteriors if i has probability exp(-shape[0] * distance) / Z for j; with shape 0 this is Model 1.

    ``statistics`` (2,) are the sums of posteriors times distance, and of posteriors.
    """
    words, none = np.empty((view.n_generated.max(), view.n_given.max())), np.empty(view.n_generated.max())
    near = np.empty(view.n_given.max())
    log = 0.0
    for k in range(len(view.n_given)):
        n, m = view.n_given[k], view.n_generated[k]
        fill_lexical(view, k, pairs, null, words, none)
        for j in range(m):
            normaliser = 0.0
            for i in range(n):
                near[i] = np.exp(-shape[0] * distance(i, n, j, m)) if shape[0] else 1.0
                normaliser += near[i]
            total = none[j]
            for i in range(n):
                words[j, i] *= near[i] / normaliser
                total += words[j, i]
            log += np.log(total)
            for i in range(n):
                posterior = words[j, i] / total
                posteriors[view.first[k] + i * view.given_step[k] + j * view.generated_step[k]] = posterior
                statistics[0] += posterior * distance(i, n, j, m)
                statistics[1] += posterior
    return log


@compiled()
def diagonal_moments(n_given: Ints, n_generated: Ints, number: Ints, slope: float) -> tuple[float, float]:
    """Return the mean of the distance under the model, and its variance given j, over pairs of lengths."""
    mean = variance = words = 0.0
    for k in range(len(number)):
        for j in range(n_generated[k]):
            total = first = second = 0.0
            for i in range(n_given[k]):
                far = distance(i, n_given[k], j, n_generated[k])
                weight = np.exp(-slope * far)
                total += weight
                first += weight * far
                second += weight * far * far
            first, second = first / total, second / total
            mean += number[k] * first
            variance += number[k] * (second - first * first)
            words += number[k]
    return mean / words, variance / words


@compiled()
def jump_index(before: int, i: int) -> int:
    """Return the index in ``shape`` of the jump to i from ``before``, which is -1 at the start of a sentence."""
    return min(max(i - before, -LONGEST_JUMP), LONGEST_JUMP) + LONGEST_JUMP


@compiled()
def fill_hmm(view: View, pairs: Floats, null: Floats, shape: Floats, posteriors: Floats, statistics: Floats) -> float:
    """Fill posteriors if the probability of i depends on its distance to the last given word that was not NULL.

    ``shape`` (jumps,) has a weight for each jump, normalised over the words of the sentence, and ``statistics``
    (jumps,) their expected numbers. Vogel, Ney and Tillmann (1996); NULL as in Och and Ney (2003, section 2.4.2).
    Row i + 1 of arrays over memories is for the word i, row 0 for the start of the sentence.
    """
    most, longest = view.n_given.max(), view.n_generated.max()
    words, none = np.empty((longest, most)), np.empty(longest)
    memory, reached, scale = np.empty((longest + 1, most + 1)), np.empty((longest, most)), np.empty(longest)
    after, arrive = np.empty(most + 1), np.empty(most)
    # Probabilities and expected numbers of jumps, each from a row to a column.
    jump, jumped = np.empty((most + 1, most)), np.empty((most + 1, most))
    log = 0.0
    for k in range(len(view.n_given)):
        n, m = view.n_given[k], view.n_generated[k]
        fill_lexical(view, k, pairs, null, words, none)
        for before in range(n + 1):
            total = 0.0
            for i in range(n):
                jump[before, i] = shape[jump_index(before - 1, i)]
                total += jump[before, i]
            for i in range(n):
                jump[before, i] /= total
                jumped[before, i] = 0
        memory[0, : n + 1] = 0
        memory[0, 0] = 1
        for j in range(m):
            reached[j, :n] = 0
            for before in range(n + 1):
                weight = memory[j, before]
                if weight > 0:
                    for i in range(n):
                        reached[j, i] += weight * jump[before, i]
            total = memory[j + 1, 0] = memory[j, 0] * none[j]
            for i in range(n):
                reached[j, i] *= words[j, i]
                memory[j + 1, i + 1] = reached[j, i] + memory[j, i + 1] * none[j]
                total += memory[j + 1, i + 1]
            scale[j] = total
            log += np.log(total)
            for before in range(n + 1):
                memory[j + 1, before] /= total
        after[: n + 1] = 1
        for j in range(m - 1, -1, -1):
            for i in range(n):
                cell = view.first[k] + i * view.given_step[k] + j * view.generated_step[k]
                posteriors[cell] = reached[j, i] * after[i + 1] / scale[j]
                arrive[i] = words[j, i] * after[i + 1] / scale[j]
            for before in range(n + 1):
                weight, total = memory[j, before], 0.0
                for i in range(n):
                    step = arrive[i] * jump[before, i]
                    jumped[before, i] += weight * step
                    total += step
                after[before] = after[before] * none[j] / scale[j] + total
        for before in range(n + 1):
            for i in range(n):
                statistics[jump_index(before - 1, i)] += jumped[before, i]
    return log
