"""The arc-eager system: its oracle against the search of all sequences of moves, and reading from the end."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.laboratory.parsers import Treebank, encode, train
from nlpsig_core.laboratory.parsers.arc_eager import (
    LEFT,
    REDUCE,
    RIGHT,
    SHIFT,
    State,
    fill_costs,
    fill_possible,
    is_over,
    start,
)
from nlpsig_core.laboratory.parsers.arc_eager import make as make_move
from nlpsig_core.laboratory.parsers.transition import reversed_heads
from tests.laboratory.parsers.test_treebank import all_trees, crosses
from tests.laboratory.parsers.toy import parses, toy


def possible(state: State) -> list[int]:
    result = np.empty(4, np.bool_)
    fill_possible(state, result)
    return np.flatnonzero(result).tolist()


def after(state: State, move: int) -> State:
    copy = State(*(array.copy() for array in state))
    make_move(copy, move, 0)
    return copy


def costs(state: State, gold: np.ndarray) -> np.ndarray:
    result = np.empty(4, np.int64)
    fill_costs(state, gold, result)
    return result


def most_right(state: State, gold: np.ndarray) -> int:
    """The largest number of gold heads that any sequence of moves reaches."""
    if is_over(state):
        return int((state.heads[1:] == gold[1:]).sum())
    return max(most_right(after(state, move), gold) for move in possible(state))


def test_moves_of_two_words():
    """'She sleeps' with sleeps as the root: shift she, attach it to sleeps, shift sleeps, attach it to the root."""
    state, gold = start(3), np.array([-1, 2, 0])
    for move in (SHIFT, LEFT, SHIFT, LEFT):
        assert costs(state, gold)[move] == 0
        make_move(state, move, 0)
    assert is_over(state)
    assert state.heads.tolist() == [-1, 2, 0]


def test_a_move_costs_the_arcs_that_it_loses():
    """2 has 1 and 3. With 1 on the stack and 2 next: shifting 2 loses 1; right loses 1 and 2's own head, the root."""
    state = after(start(4), SHIFT)
    assert costs(state, np.array([-1, 2, 0, 2]))[[SHIFT, LEFT, RIGHT]].tolist() == [1, 0, 2]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_costs_are_what_the_best_continuation_loses(size):
    """From random configurations, right or wrong so far, towards every tree without crossing arcs."""
    rng = np.random.default_rng(size)
    for tree in all_trees(size):
        gold, state = np.array([-1, *tree]), start(size + 1)
        while not crosses(tree) and not is_over(state):
            best = most_right(state, gold)
            for move in possible(state):
                assert costs(state, gold)[move] == best - most_right(after(state, move), gold), (tree, move)
            state = after(state, int(rng.choice(possible(state))))


def test_only_words_with_a_head_are_popped():
    state = after(start(3), SHIFT)
    assert possible(state) == [SHIFT, LEFT, RIGHT]
    assert possible(after(state, RIGHT)) == [REDUCE]


def test_trees_in_reverse():
    """Of 3 words, 1 is below 2 and 3 below 1; in reverse, 3 is below 2 and 1 below 3. A sentence of one word stays."""
    first = np.array([0, 4, 6])
    assert reversed_heads(np.array([-1, 2, 0, 1, -1, 0]), first).tolist() == [-1, 3, 0, 2, -1, 0]


@pytest.mark.parametrize("backwards", [False, True])
def test_a_grammar_without_doubt_is_learned(backwards):
    """Trained on 100 sentences, all heads and relations of 200 others are right."""
    asked = toy(200, seed=1)
    assert train("transition", encode(toy(100)), backwards=backwards).parse(encode(asked)) == parses(asked)


def test_several_roots_are_allowed_where_the_treebank_has_them():
    bank = encode(toy(30))
    two = [
        s._replace(heads=tuple(0 if r == "punct" else h for h, r in zip(s.heads, s.relations, strict=True)))
        for s in bank.sentences
    ]
    asked: Treebank = encode(two)
    assert not asked.single_root
    assert train("transition", asked).parse(asked) == parses(two)
    assert all(parse.heads.count(0) == 1 for parse in train("transition", bank).parse(asked))
