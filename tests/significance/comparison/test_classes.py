"""The comparison class of each pair."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.significance.comparison.classes import COMPARISONS, comparisons

SYSTEMS = pd.DataFrame(
    [
        ("a1", "A", "system"),
        ("a2", "A", "system"),
        ("b1", "B", "system"),
        ("c1", "C", "System Combination"),
        ("c2", "C", "combination"),
    ],
    columns=["file", "group", "kind"],
)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ((0, 1), "same group"),
        ((1, 0), "same group"),
        ((0, 2), "different groups"),
        ((3, 4), "system combination"),
        ((0, 3), "one combination"),
        ((4, 2), "one combination"),
    ],
)
def test_class_of_a_pair(pair, expected):
    assert comparisons(SYSTEMS, np.array([pair])).tolist() == [expected]


def test_an_invalid_output_is_a_class_of_its_own():
    """b1 and a1 are broken: every pair with one of them, whatever the groups."""
    pairs = np.array([(0, 1), (2, 3), (1, 3), (0, 2)])
    found = comparisons(SYSTEMS, pairs, {"b1": "no output", "a1": "no output"}).tolist()
    assert found == ["invalid output", "invalid output", "one combination", "invalid output"]


def test_all_pairs_have_one_of_the_classes():
    pairs = np.stack(np.triu_indices(5, 1), axis=1)
    found = comparisons(SYSTEMS, pairs, ["b1"])
    assert set(found) == set(COMPARISONS) - {"different groups", "same model type", "different model types"}


def test_base_models_that_are_told_make_the_classes_of_synthetic_comparisons():
    """a1 and b1 are of one model, a2 of another; c1, of no model that is told, is compared by groups."""
    systems = pd.DataFrame(
        {
            "file": ["a1", "a2", "b1", "c1"],
            "group": ["a", "a", "b", "b"],
            "kind": "system",
            "base_model": ["MST", "Malt", "MST", ""],
        }
    )
    pairs = np.array([(0, 2), (0, 1), (2, 3), (1, 3)])
    found = comparisons(systems, pairs).tolist()
    assert found == ["same model type", "different model types", "same group", "different groups"]
