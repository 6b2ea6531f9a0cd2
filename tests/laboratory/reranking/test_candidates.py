"""Candidates by pencil, and against loops over the lists."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from nlpsig_core.laboratory.reranking.candidates import Part, whole
from nlpsig_core.laboratory.reranking.kernels import MOST_RUNS, runs_of
from tests.laboratory.reranking.worlds import lists, world

# Two sentences: F of 3 candidates 50, 100, 100 (of 2 gold brackets), of 2 candidates 0 and 80 (of 2 and 3).
SMALL = lists(
    [((1, 2, 2), [0.0, 1.0]), ((2, 2, 2), [1.0, 1.0]), ((2, 2, 2), [1.0, 0.0])],
    [((0, 2, 2), [2.0, 0.0]), ((2, 2, 3), [2.0, 1.0])],
)


def test_quality_and_closest_parses():
    assert SMALL.quality.tolist() == [50, 100, 100, 0, 80]
    assert SMALL.closest.tolist() == [False, True, True, False, True]
    assert SMALL.sentence.tolist() == [0, 0, 0, 1, 1]
    assert SMALL.rank.tolist() == [0, 1, 2, 0, 1]


def test_the_oracle_rises_with_the_size_of_the_list():
    """First parses: 1 + 0 of 4 brackets, of 4 predicted. Of two candidates: 2 + 2 of 4, of 5 predicted: 8/9."""
    assert SMALL.oracle(1).tolist() == [0, 3]
    assert SMALL.score(SMALL.oracle(1)) == 25
    assert SMALL.oracle(2).tolist() == SMALL.oracle(50).tolist() == [1, 4]
    assert SMALL.score(SMALL.oracle(2)) == pytest.approx(800 / 9)


def test_ties_go_to_the_first():
    """Weights (1, 0) score 0, 1, 1 and 2, 2; weights of 0 leave the order of the base parser."""
    assert SMALL.chosen(np.array([1.0, 0.0])).tolist() == [1, 3]
    assert SMALL.chosen(np.zeros(2)).tolist() == [0, 3]


def test_features_that_vary_and_those_of_closest_parses():
    """The first varies in sentence 1, the second in both, and a closest parse has more of each than another."""
    assert whole(SMALL).variation().tolist() == [[1, 2], [1, 2]]
    fewer = lists([((1, 2, 2), [1.0, -1]), ((2, 2, 2), [0, -1]), ((1, 2, 2), [0, -2])], [((2, 2, 2), [3.0, 1])])
    assert whole(fewer).variation().tolist() == [[1, 1], [0, 1]]


def test_variation_is_that_of_a_loop():
    candidates = world(30, features=5, seed=2)
    expected = np.zeros((2, 5), dtype=int)
    for start, end in pairwise(candidates.first.tolist()):
        rows, near = candidates.matrix.toarray()[start:end], candidates.closest[start:end]
        for feature in range(5):
            if len(set(rows[:, feature])) > 1:
                expected[:, feature] += 1, rows[near, feature].max() > rows[:, feature].min()
    assert whole(candidates).variation().tolist() == expected.tolist()


def test_choices_by_several_weights_of_some_features_are_those_by_each():
    """Also of more weights than are scored at once, of more runs of columns than are told apart, and of none."""
    candidates = world(30, features=99, seed=4)
    part, rng = Part(candidates, np.array([7, 3, 29])), np.random.default_rng(2)
    for columns in ([0, 1, 2, 5, 8], range(99), range(0, 99, 2), [3], []):
        weights = np.zeros((99, 6))
        weights[list(columns)] = rng.normal(size=(len(columns), 6)).round(1)
        each = part.chosen_by_each(np.array(columns, dtype=int), weights[list(columns)])
        assert each.tolist() == [candidates.chosen(own)[part.sentences].tolist() for own in weights.T]


def test_runs_with_the_smallest_gaps_are_joined():
    """Three runs are three; of 40 single columns, 39 gaps of one but for one of five, 32 runs are left."""
    assert runs_of(np.array([0, 1, 2, 5, 7, 8])).tolist() == [[0, 3], [5, 6], [7, 9]]
    assert runs_of(np.array([], dtype=int)).tolist() == []
    columns = np.arange(40) * 2 + 4 * (np.arange(40) >= 39)
    runs = runs_of(columns)
    assert len(runs) == MOST_RUNS
    assert runs[-1].tolist() == [82, 83]
    assert all(((runs[:, 0] <= column) & (column < runs[:, 1])).sum() == 1 for column in columns)


def test_some_sentences_and_features():
    turned = SMALL.take(np.array([1, 0]))
    assert turned.first.tolist() == [0, 2, 5]
    assert turned.quality.tolist() == [0, 80, 50, 100, 100]
    assert turned.matrix.toarray().tolist() == [[2, 0], [2, 1], [0, 1], [1, 1], [1, 0]]
    assert turned.with_columns(np.array([1])).matrix.toarray().ravel().tolist() == [0, 1, 1, 1, 0]


def test_choices_oracles_and_closest_parses_are_those_of_a_loop():
    candidates = world(30, seed=3)
    weights = np.random.default_rng(1).normal(size=candidates.n_features)
    scores = candidates.matrix @ weights
    for sentence, (start, end) in enumerate(pairwise(candidates.first.tolist())):
        quality = candidates.quality[start:end].tolist()
        assert candidates.chosen(weights)[sentence] == start + scores[start:end].argmax()
        assert candidates.oracle(3)[sentence] == start + quality.index(max(quality[:3]))
        assert candidates.closest[start:end].tolist() == [value == max(quality) for value in quality]
    chosen = candidates.chosen(weights)
    totals = sum(candidates.statistics[row] for row in chosen)
    assert candidates.score(chosen) == 200 * totals[0] / (totals[1] + totals[2])
