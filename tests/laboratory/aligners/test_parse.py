"""The grammar's best alignment by hand and against the enumeration of all its derivations."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from nlpsig_core.laboratory.aligners.parse import WIDEST, best_links, block_score, chart_of
from nlpsig_core.laboratory.aligners.symmetrisation import links_of

Links = frozenset[tuple[int, int]]


def derived(n: int, m: int) -> set[Links]:
    """All sets of links that some derivation over n and m words has."""

    @cache
    def over(s: int, t: int, u: int, v: int) -> frozenset[Links]:
        found: set[Links] = {frozenset()}
        if min(t - s, v - u) == 1 and max(t - s, v - u) <= WIDEST:
            found.add(frozenset(product(range(s, t), range(u, v))))
        # One part may have no words on one side, but not on both.
        for middle, k in product(range(s, t + 1), range(u, v + 1)):
            for one, two in (
                ((s, middle, u, k), (middle, t, k, v)),
                ((s, middle, k, v), (middle, t, u, k)),
            ):
                if (s, t, u, v) not in (one, two):
                    found |= {a | b for a in over(*one) for b in over(*two)}
        return frozenset(found)

    return set(over(0, n, 0, m))


def test_a_block_and_a_swap():
    """Of "ne mange pas" the outer words belong to "not", but a block has adjacent words: the better of both is taken.
    Below, "maison blanche" is "white house", swapped."""
    assert links_of(best_links(np.array([[2.0, -9, 1], [-9, 3, -9]]))) == [(0, 0), (1, 1)]
    assert links_of(best_links(np.array([[1.0, 2], [3, -1]]))) == [(0, 1), (1, 0)]
    assert links_of(best_links(np.array([[2.0, 1, 1, 1]]))) == [(0, 0), (0, 1), (0, 2)]
    assert links_of(best_links(np.array([[-2.0, -1]]))) == []


def test_the_two_permutations_that_the_grammar_lacks():
    """Of the 24 orders of four words, 2-4-1-3 and 3-1-4-2 are no inversions (Wu 1997, section 5): one link is lost."""
    for order in ((1, 3, 0, 2), (2, 0, 3, 1)):
        scores = np.full((4, 4), -1.0)
        scores[np.arange(4), order] = 1
        assert best_links(scores).sum() == 3
    lost = [o for o in np.ndindex(4, 4, 4, 4) if len({*o}) == 4 and frozenset(enumerate(o)) not in derived(4, 4)]
    assert lost == [(1, 3, 0, 2), (2, 0, 3, 1)]


def test_only_blocks_of_one_word_with_some():
    scores = np.ones((4, 4))
    assert block_score(scores, 0, 1, 1, 4) == 3
    assert block_score(scores, 1, 4, 0, 1) == 3
    for spans in ((0, 4, 0, 1), (0, 2, 0, 2), (0, 1, 0, 0)):
        assert block_score(scores, *spans) == -np.inf


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 4), (3, 2), (2, 4), (3, 3), (4, 3)])
def test_no_derivation_is_better(n, m):
    """Thirty random matrices each; the best set of links is the one that is found."""
    generator = np.random.default_rng(n * 10 + m)
    every = derived(n, m)
    for _ in range(30):
        scores = generator.normal(size=(n, m))
        totals = {links: sum(scores[i, j] for i, j in links) for links in every}
        best = max(totals, key=lambda links: (totals[links], -len(links)))
        assert frozenset(links_of(best_links(scores))) == best
        assert chart_of(scores)[0, n, 0, m] == pytest.approx(totals[best])


def test_the_links_have_the_charts_score():
    """Larger matrices, among them ones full of ties."""
    generator = np.random.default_rng(5)
    for n, m in ((9, 9), (12, 5), (1, 14), (14, 2)):
        for scores in (generator.normal(size=(n, m)), generator.integers(-2, 3, size=(n, m)).astype(float)):
            assert scores[best_links(scores)].sum() == pytest.approx(chart_of(scores)[0, n, 0, m])
