"""Models of positions against the enumeration of all alignments, and Model 1 against nltk's."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from nltk.translate import AlignedSent, IBMModel1

from nlpsig_core.laboratory.aligners import train
from nlpsig_core.laboratory.aligners.directed import DIAGONAL, HMM, MODEL_1, Direction, expect, learn_slope
from nlpsig_core.laboratory.aligners.positions import LONGEST_JUMP, NULL, diagonal_moments
from nlpsig_core.laboratory.aligners.table import pair_table
from tests.laboratory.aligners.toy import text

MODELS = {"model-1": MODEL_1, "diagonal": DIAGONAL, "hmm": HMM}
BITEXT = text("""
    a b c = x y z
    a = x x x
    b b a c = y
    c a = z z y x
""")


def random_direction(name: str, n_pairs: int, n_words: int) -> Direction:
    generator = np.random.default_rng(3)
    shape = MODELS[name].start.copy()
    if name == "hmm":
        shape = generator.uniform(0.1, 1, len(shape))
    return Direction(generator.uniform(0.05, 1, n_pairs), generator.uniform(0.05, 1, n_words), shape)


def place_probability(name: str, shape, i: int, before: int, n: int, j: int, m: int) -> float:
    """The probability of the given word i among n, from the papers' formulas."""
    if name == "model-1":
        return 1 / n
    if name == "diagonal":
        weights = [np.exp(-shape[0] * abs((other + 1) / n - (j + 1) / m)) for other in range(n)]
    else:
        weights = [shape[other - before + LONGEST_JUMP] for other in range(n)]
    return weights[i] / sum(weights)


def enumerated(name: str, direction: Direction, words, none, n: int, m: int):
    """The likelihood, posteriors (n, m) and statistics by the definition: a sum over all (n + 1)^m alignments."""
    likelihood, posteriors = 0.0, np.zeros((n, m))
    statistics = np.zeros(max(2, len(direction.shape)))
    for alignment in product([None, *range(n)], repeat=m):
        probability, before, own = 1.0, -1, np.zeros_like(statistics)
        for j, i in enumerate(alignment):
            if i is None:
                probability *= NULL * none[j]
                continue
            probability *= (1 - NULL) * words[i, j] * place_probability(name, direction.shape, i, before, n, j, m)
            if name == "hmm":
                own[i - before + LONGEST_JUMP] += 1
            else:
                own += (abs((i + 1) / n - (j + 1) / m), 1)
            before = i
        likelihood += probability
        statistics += probability * own
        for j, i in enumerate(alignment):
            if i is not None:
                posteriors[i, j] += probability
    return likelihood, posteriors / likelihood, statistics / likelihood


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_expectations_are_sums_over_all_alignments(name, backward):
    """Random probabilities; four pairs of up to four words, so at most 5^4 alignments each."""
    table = pair_table(BITEXT)
    grid = table.grid(BITEXT)
    given, generated = (BITEXT.target, BITEXT.source) if backward else (BITEXT.source, BITEXT.target)
    direction = random_direction(name, len(table.target), len(generated.vocabulary))
    found = expect(MODELS[name], grid[int(backward)], direction)
    log, statistics = 0.0, np.zeros_like(found.statistics)
    for k in range(len(BITEXT)):
        cells = slice(grid.forward.first[k], grid.forward.first[k + 1])
        n, m = given.lengths[k], generated.lengths[k]
        words = direction.pairs[grid.forward.pair[cells]].reshape(BITEXT.source.lengths[k], -1)
        none = direction.null[generated.codes[generated.first[k] : generated.first[k + 1]]]
        likelihood, posteriors, own = enumerated(name, direction, words.T if backward else words, none, n, m)
        log += np.log(likelihood)
        statistics += own
        expected = posteriors.T if backward else posteriors
        np.testing.assert_allclose(found.posteriors[cells], expected.ravel(), rtol=1e-12)
    assert found.log_likelihood == pytest.approx(log)
    np.testing.assert_allclose(found.statistics, statistics, rtol=1e-10, atol=1e-12)


def test_two_words_by_hand():
    """a = x: t(x | a) = 0.5 and t(x | none) = 0.5, so x comes from a with 1 - NULL = 0.9, at log 0.5."""
    bitext = text("a = x")
    direction = Direction(np.array([0.5]), np.array([0.5]), np.zeros(1))
    for model in (MODEL_1, HMM):
        expected = expect(model, pair_table(bitext).grid(bitext).forward, direction._replace(shape=model.start))
        assert expected.posteriors.tolist() == pytest.approx([0.9])
        assert expected.log_likelihood == pytest.approx(np.log(0.5))


def test_model_1_is_that_of_nltk():
    """nltk gives no word the probability 1 / (n + 1) of a sentence with n words: with nine it is NULL.

    Its counts of a word that a target sentence repeats are too small, so none is repeated there.
    """
    assert pytest.approx(1 / 10) == NULL
    generator = np.random.default_rng(0)
    lines = [
        " ".join(generator.choice(list("abcde"), 9))
        + " = "
        + " ".join(generator.choice(list("uvwxyz"), size, replace=False))
        for size in (3, 5, 4, 6, 2)
    ]
    bitext = text("\n".join(lines))
    aligner = train("model-1", bitext, iterations=4)
    pairs = zip(bitext.target.sentences(), bitext.source.sentences(), strict=True)
    theirs = IBMModel1([AlignedSent(target, source) for target, source in pairs], 4).translation_table
    table = aligner.table
    for pair, (s, t) in enumerate(zip(table.source, table.target, strict=True)):
        expected = theirs[table.target_vocabulary[t]][table.source_vocabulary[s]]
        assert aligner.forward.pairs[pair] == pytest.approx(expected)
    assert aligner.forward.null.tolist() == pytest.approx([theirs[word][None] for word in table.target_vocabulary])


def test_moments_of_the_distance_by_hand():
    """Two words given, one generated: distances 1/2 and 0 with weights 1 and 1 at slope 0, 1/3 and 1 at 2 log 3."""
    one, two = np.array([1]), np.array([2])
    assert diagonal_moments(two, one, one, 0.0) == pytest.approx((0.25, 0.0625))
    assert diagonal_moments(two, one, one, 2 * np.log(3)) == pytest.approx((0.125, 0.125 / 2 - 0.125**2))


def test_the_slope_gives_the_expected_distance():
    """Statistics of a model with slope 7, from the start at 4: Newton's method comes back to 7."""
    view = pair_table(BITEXT).grid(BITEXT).forward
    sizes = view.n_given, view.n_generated, np.ones(len(BITEXT), np.int64)
    mean, _ = diagonal_moments(*sizes, 7.0)
    shape = DIAGONAL.start
    for _ in range(3):
        shape = learn_slope(view, shape, np.array([mean * 50, 50]))
    assert shape[0] == pytest.approx(7.0)


@pytest.mark.parametrize("kind", ["model-1", "diagonal", "hmm"])
def test_iterations_raise_the_likelihood(kind):
    """As expectation maximisation does; jumps are smoothed and slopes from an average, so a little may be lost."""
    logs = []
    for iterations in (1, 2, 4, 8):
        aligner = train(kind, BITEXT, iterations=iterations)
        logs.append(expect(aligner.model, aligner.table.grid(BITEXT).forward, aligner.forward).log_likelihood)
    assert (np.diff(logs) > -0.01).all()
    assert logs[-1] > logs[0] + 1
