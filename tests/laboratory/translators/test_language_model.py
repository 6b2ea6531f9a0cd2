"""The language model: by hand, its definition written out, and probabilities that sum to 1."""

from __future__ import annotations

from collections import Counter
from math import exp, log

import numpy as np
import pytest

from nlpsig_core.laboratory.translators.language_model import (
    END,
    FIRST_WORD,
    START,
    UNKNOWN,
    learn_language_model,
    log_probability,
)


def model_of(sentences: list[list[int]], n_words: int):
    words = np.array([word + FIRST_WORD for sentence in sentences for word in sentence], np.int64)
    return learn_language_model(words, np.cumsum([0, *map(len, sentences)]), FIRST_WORD + n_words)


def random_sentences(seed: int) -> list[list[int]]:
    draw = np.random.default_rng(np.random.SeedSequence(seed))
    return [draw.geometric(0.35, draw.integers(1, 9)).clip(1, 12).tolist() for _ in range(60)]


def test_one_word_by_hand():
    """The only sentence is "a". All counts are 1 and lose 1/2; a, END and UNKNOWN share 1/3 each at the bottom.

    P(a) = (1 - 1/2)/2 + 1/2 * 1/3 = 5/12, P(a | START) = 1/2 + 1/2 * 5/12 = 17/24, and
    P(a | START START) = 1/2 + 1/2 * 17/24 = 41/48. UNKNOWN has 1/2 * 1/2 * 1/6 = 1/24.
    """
    model = model_of([[0]], 1)
    a = FIRST_WORD
    assert exp(log_probability(model, -1, -1, a)) == pytest.approx(5 / 12)
    assert exp(log_probability(model, -1, START, a)) == pytest.approx(17 / 24)
    assert exp(log_probability(model, START, START, a)) == pytest.approx(41 / 48)
    assert exp(log_probability(model, START, START, UNKNOWN)) == pytest.approx(1 / 24)
    assert log_probability(model, START, START, a + 7) == log_probability(model, START, START, UNKNOWN)


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_sum_to_one_after_any_history(seed):
    model = model_of(random_sentences(seed), 14)
    words = range(END, FIRST_WORD + 14)
    for before in (-1, START, *words, 99):
        for last in (START, *words, 99):
            total = sum(exp(log_probability(model, before, last, word)) for word in words)
            assert total == pytest.approx(1, abs=1e-9)


def written_out(sentences: list[list[int]], n_words: int):
    """P(word | before, last) from Chen and Goodman (1998), section 4.1.6: n-grams counted, then different n-grams."""
    texts = [[START, START, *(word + FIRST_WORD for word in sentence), END] for sentence in sentences]
    third = Counter(tuple(text[i - 2 : i + 1]) for text in texts for i in range(2, len(text)))
    second = Counter(gram[1:] for gram in third)
    levels = [Counter(gram[1:] for gram in second), second, third]

    def discount(level: Counter, count: int) -> float:
        n = [Counter(level.values())[k] for k in (1, 2, 3, 4)]
        if not count or not all(n):
            return 0.5 if count else 0.0
        y, k = n[0] / (n[0] + 2 * n[1]), min(count, 3)
        return min(max(k - (k + 1) * y * n[k] / n[k - 1], 0.1), k - 0.1)

    def probability(history: tuple[int, ...], word: int) -> float:
        level = levels[len(history)]
        own = {gram: count for gram, count in level.items() if gram[:-1] == history}
        lower = probability(history[1:], word) if history else 1 / (2 + n_words)
        if not own:
            return lower
        count = own.get((*history, word), 0)
        lost = sum(discount(level, value) for value in own.values())
        return (count - discount(level, count) + lost * lower) / sum(own.values())

    return probability


@pytest.mark.parametrize("seed", range(3))
def test_the_definition_written_out(seed):
    sentences = random_sentences(seed)
    model, expected = model_of(sentences, 14), written_out(sentences, 14)
    draw = np.random.default_rng(seed)
    for _ in range(300):
        before, last, word = (int(draw.integers(low, FIRST_WORD + 13)) for low in (START, START, END))
        before = START if last == START else before
        if END in (before, last):
            continue
        assert log_probability(model, before, last, word) == pytest.approx(
            log(expected((before, last), word)), abs=1e-9
        )


def test_repeated_sentences_count_again():
    """Resampled sets repeat sentences: what follows more often is more probable."""
    once, often = model_of([[0, 1], [0, 2]], 3), model_of([[0, 1], [0, 2], [0, 2], [0, 2]], 3)
    a, c = FIRST_WORD, FIRST_WORD + 2
    assert log_probability(often, START, a, c) > log_probability(once, START, a, c)
