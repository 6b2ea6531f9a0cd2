"""Simulated test sets: worlds of two systems each, all worlds side by side in one Stats.

A maker takes a generator, a number of worlds and a number of units. It returns Stats of 2 * worlds systems, in which
2 w and 2 w + 1 are the systems of world w, as in ``lessons.null_world``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.resampling.bootstrap import all_pairs
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.counting import count_test_set
from nlpsig_core.studies.lessons.null_world import swapped, swaps

Maker = Callable[[np.random.Generator, int, int], Stats]
# Ratio of the two systems' shares of correct words, in worlds with a gain.
LAS_GAIN = 1.03


def _stats(metric: str, values: np.ndarray, unit_sizes: np.ndarray | None = None) -> Stats:
    """Return the Stats of values (worlds, 2, units, k)."""
    values = values.reshape(-1, *values.shape[2:])
    unit = "sentence" if unit_sizes is None else "document"
    return Stats(tuple(f"s{i}" for i in range(len(values))), values, METRICS[metric], unit=unit, unit_sizes=unit_sizes)


def _columns(*columns: np.ndarray) -> np.ndarray:
    return np.stack(np.broadcast_arrays(*columns), axis=-1)


def means(scores: np.ndarray) -> Stats:
    """Return Stats whose metric is the mean of scores (worlds, systems, units)."""
    return _stats("mean", _columns(scores, np.ones(())))


def right_or_wrong(rng: np.random.Generator, worlds: int, n: int) -> Stats:
    """Simulate units that a system gets right or wrong, of varying difficulty; a third of them differ."""
    easy = rng.beta(2, 1, (worlds, 1, n))
    return _stats("accuracy", _columns((rng.random((worlds, 2, n)) < easy).astype(np.int32), np.ones((), np.int32)))


def words(rng: np.random.Generator, worlds: int, n: int, gain: float = 1.0) -> Stats:
    """Simulate counts of correct, predicted and gold words, in sentences of 3 to about 60 words."""
    gold = 3 + rng.poisson(rng.gamma(2, 9, (worlds, 1, n)))
    easy = rng.beta(12, 3, (worlds, 1, n)) / np.array([1.0, gain])[:, None]
    predicted = gold + rng.integers(0, 2, (worlds, 2, n))
    return _stats("LAS", _columns(rng.binomial(gold, easy), predicted, gold).astype(np.int32))


def entities(rng: np.random.Generator, worlds: int, n: int) -> Stats:
    """Simulate counts of correct, predicted and gold entities; half of the units have no gold entity."""
    gold = rng.poisson(0.7, (worlds, 1, n))
    right = rng.binomial(np.broadcast_to(gold, (worlds, 2, n)), 0.6)
    return _stats("F1-entities", _columns(right, right + rng.poisson(0.25, right.shape), gold).astype(np.int32))


def normal(rng: np.random.Generator, worlds: int, n: int, gain: float = 0.0) -> Stats:
    """Simulate normal unit scores with a shared difficulty; gains have the standard deviation sqrt(2)."""
    scores = rng.standard_normal((worlds, 1, n)) + rng.standard_normal((worlds, 2, n))
    return means(scores + np.array([gain, 0.0])[:, None])


def skewed(rng: np.random.Generator, worlds: int, n: int, gain: float = 0.0) -> Stats:
    """Simulate exponential unit scores of the second system and exponential gains of the first, of deviation 1."""
    second = rng.exponential(1, (worlds, n))
    return means(np.stack([second + rng.exponential(1, (worlds, n)) - 1 + gain, second], axis=1))


def rankings(rng: np.random.Generator, worlds: int, n: int) -> Stats:
    """Simulate nDCG@10 of topics with 60 documents each, of which up to a quarter are relevant on average.

    Topics differ in difficulty for both systems; half of a document's noise is shared.
    """
    relevant = rng.random((worlds, 1, n, 60)) < rng.uniform(1 / 60, 0.5, (worlds, 1, n, 1)) ** 2
    grades = np.where(relevant, 1 + (rng.random(relevant.shape) < 0.3), 0)
    clear = rng.gamma(2, 0.75, (worlds, 1, n, 1))
    scores = clear * grades + rng.standard_normal(relevant.shape) + rng.standard_normal((worlds, 2, n, 60))
    best, ideal = np.argsort(-scores, axis=-1)[..., :10], -np.sort(-grades, axis=-1)[..., :10]
    discounts = 1 / np.log2(np.arange(2, 12))
    gains = np.take_along_axis(np.broadcast_to(grades, scores.shape), best, axis=-1)
    ndcg = (gains * discounts).sum(axis=-1) / np.maximum((ideal * discounts).sum(axis=-1), 1)
    return _stats("nDCG@10", _columns(ndcg, np.ones(())))


def few_words(least: int, most: int) -> Maker:
    """Return a maker of sentences as in ``words``; ``least`` to ``most`` of them differ, by one correct word."""

    def make(rng: np.random.Generator, worlds: int, n: int) -> Stats:
        gold = 3 + rng.poisson(rng.gamma(2, 9, (worlds, 1, n)))
        right = 1 + rng.binomial(gold - 1, 0.8)
        lost = _few_lost(rng, worlds, n, least, most)
        return _stats("LAS", _columns(right - lost, gold, gold).astype(np.int32))

    return make


def few_right(least: int, most: int) -> Maker:
    """Return a maker of units as in ``right_or_wrong``; one system alone gets ``least`` to ``most`` of them right."""

    def make(rng: np.random.Generator, worlds: int, n: int) -> Stats:
        lost = _few_lost(rng, worlds, n, least, most)
        both = (rng.random((worlds, 1, n)) < 0.8) | lost.any(axis=1, keepdims=True)
        return _stats("accuracy", _columns((both & ~lost).astype(np.int32), np.ones((), np.int32)))

    return make


def _few_lost(rng: np.random.Generator, worlds: int, n: int, least: int, most: int) -> np.ndarray:
    """Draw in which units each system is worse, (worlds, 2, n): ``least`` to ``most`` units, one system in each."""
    number = rng.integers(least, most + 1, (worlds, 1))
    differ = np.argsort(rng.random((worlds, n)), axis=1) < number
    second = rng.random((worlds, n)) < 0.5
    return np.stack([differ & ~second, differ & second], axis=1)


def rare(lost: float, won: float) -> Maker:
    """Return a maker of units that the second system ``lost`` or ``won`` in these shares, and where both are right.

    The first system's gain is 100 (lost - won) points.
    """

    def make(rng: np.random.Generator, worlds: int, n: int) -> Stats:
        drawn = rng.random((worlds, n))
        right = np.stack([drawn < 1 - won, drawn >= lost], axis=1)
        return _stats("accuracy", _columns(right.astype(np.int32), np.ones((), np.int32)))

    return make


def documents(rng: np.random.Generator, worlds: int, n: int) -> Stats:
    """Simulate documents of 1 to 60 sentences; a document's ease for a system holds for all of its sentences."""
    sizes = np.clip(rng.lognormal(2.3, 0.8, n).astype(int), 1, 60)
    gold = rng.poisson(21.0 * sizes, (worlds, 1, n)) + sizes
    ease = 1.4 + 0.4 * rng.standard_normal((worlds, 1, n)) + 0.25 * rng.standard_normal((worlds, 2, n))
    right = rng.binomial(gold, 1 / (1 + np.exp(-ease)))
    return _stats("LAS", _columns(right, gold, gold), sizes)


def utterances(*, of_speakers: bool) -> Maker:
    """Return a maker of speakers with ten utterances each; a speaker's ease for a system holds for all of them.

    Units are the speakers, or else the utterances, in which n is ten times larger than the number of speakers.
    """

    def make(rng: np.random.Generator, worlds: int, n: int) -> Stats:
        speakers, of_each = n if of_speakers else n // 10, 10
        words = 2 + rng.poisson(rng.gamma(2, 8, (worlds, 1, speakers, of_each)))
        ease = (
            2
            + 0.5 * rng.standard_normal((worlds, 1, speakers, 1))
            + 0.3 * rng.standard_normal((worlds, 2, speakers, 1))
        )
        ease = ease + 0.5 * rng.standard_normal((worlds, 2, speakers, of_each))
        none = np.zeros((), np.int32)
        values = _columns(rng.binomial(words, 1 / (1 + np.exp(ease))), none, none, words).astype(np.int32)
        if of_speakers:
            return _stats("WER", values.sum(axis=3), np.full(speakers, of_each))
        return _stats("WER", values.reshape(worlds, 2, n, -1))

    return make


def translations() -> Maker | None:
    """Return a maker of two close systems of WMT 2024 with segments swapped at random; None without real data."""
    folder = Path(os.environ.get("NLPSIG_REAL_DATA", "")) / "mt.wmt24.en-de"
    if not (folder / "systems").is_dir():
        return None
    task, metric = load_task(folder), METRICS["BLEU-13a"]
    stats = count_test_set(task.test_set(), list(task.names), metric.family).stats(metric, task.names)
    pair = closest(stats)

    def make(rng: np.random.Generator, worlds: int, n: int) -> Stats:
        some = pair.take(np.sort(rng.permutation(pair.n_units)[:n]))
        return swapped(some, swaps(some.n_units, worlds, int(rng.integers(2**31))))

    return make


def closest(stats: Stats) -> Stats:
    """Return the two systems with the smallest gain among those that differ in more than half of the units."""
    pairs = all_pairs(stats.metric.sign * stats.scores)
    differ = np.array([(stats.values[a] != stats.values[b]).any(axis=1).mean() for a, b in pairs])
    gain = np.abs(stats.scores[pairs[:, 0]] - stats.scores[pairs[:, 1]])
    return stats.select(pairs[np.argmin(np.where(differ > 0.5, gain, np.inf))])
