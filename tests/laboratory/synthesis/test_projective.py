"""Trees without crossing arcs, against their definition over all small trees."""

from __future__ import annotations

import pytest

from nlpsig_core.laboratory.synthesis.makers.constituency import projective
from tests.laboratory.parsers.test_treebank import all_trees, crosses, is_tree


def test_one_arc_is_lifted():
    """Word 4 hangs on 2 across the root 3, so it goes to the head of 2, which is 3."""
    assert projective([2, 3, 0, 2]) == [2, 3, 0, 3]


def test_short_arcs_are_lifted_first():
    """Word 4 goes from 2 to 3, the root, and then word 1, still on 4, to 3 too; the other way round 1 would be on 2."""
    assert projective([4, 3, 0, 2]) == [3, 3, 0, 3]


def test_of_several_roots_the_first_stays():
    assert projective([0, 1, 0]) == [0, 1, 1]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_projective_trees_stay_and_the_others_become_projective(size):
    for heads in all_trees(size, one_root=False):
        lifted = projective(heads)
        assert is_tree(lifted)
        assert lifted.count(0) == 1
        assert not crosses(lifted)
        if heads.count(0) == 1 and not crosses(heads):
            assert lifted == list(heads)
