"""Symmetrisations by hand, laws over all of them, and files of links."""

from __future__ import annotations

import io

import numpy as np
import pytest

from nlpsig_core.data.readers.alignments import read_alignments
from nlpsig_core.laboratory.aligners import SYMMETRISATIONS, links_text
from nlpsig_core.laboratory.aligners.symmetrisation import directed, links_of


def chosen(name: str, forward, backward, threshold: float = 0.0) -> list[tuple[int, int]]:
    return links_of(SYMMETRISATIONS[name](np.array(forward, float), np.array(backward, float), threshold))


# Certain directions of four words: the target's 0, 1, 2 come from 0, 1, 1 and its 3 from none; the source's 0 and 1
# come from 0 and 1, its 2 from 1 and its 3 from 3.
FORWARD = [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
BACKWARD = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]


@pytest.mark.parametrize(
    ("name", "links"),
    [
        ("intersection", [(0, 0), (1, 1)]),
        ("union", [(0, 0), (1, 1), (1, 2), (2, 1), (3, 3)]),
        # 1-2 and 2-1 are beside 1-1 and give a link to a word without one. 3-3 is beside neither.
        ("grow-diag", [(0, 0), (1, 1), (1, 2), (2, 1)]),
        # 3-3 has two words without a link.
        ("grow-diag-final-and", [(0, 0), (1, 1), (1, 2), (2, 1), (3, 3)]),
    ],
)
def test_directions_without_doubt(name, links):
    assert chosen(name, FORWARD, BACKWARD) == links


def test_growing_stops_at_words_that_have_links():
    """Forward has 0-1, 2-2 and 0-3, backward 0-3, 1-1 and 2-2. 2-2 and 0-3 agree; 1-1 is diagonal to 2-2 and grows; 0-1
    is above 1-1, but both of its words have links by then."""
    forward = [[0, 1, 0, 1], [0, 0, 0, 0], [0, 0, 1, 0]]
    backward = [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]
    assert chosen("union", forward, backward) == [(0, 1), (0, 3), (1, 1), (2, 2)]
    assert chosen("grow-diag", forward, backward) == [(0, 3), (1, 1), (2, 2)]


def test_links_grow_from_links_that_grew():
    """3-3 agrees; 2-2 is beside it, and 1-1 only beside 2-2."""
    forward, backward = np.diag([0, 1, 0, 1]), np.diag([0, 0, 1, 1])
    assert chosen("grow-diag", forward, backward) == [(1, 1), (2, 2), (3, 3)]


def test_final_and_adds_no_second_link():
    """Forward links 0-2 and 2-2; backward 0-0 and 2-0. Nothing agrees: final-and takes forward's 0-2, the first, and
    then no link of the words 0 and 2; 2-0 has two free words."""
    forward = [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    backward = [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert chosen("grow-diag-final-and", forward, backward) == [(0, 2), (2, 0)]


def test_products_and_means_above_the_threshold():
    """Products 0.12, 0.02, mean 0.35 and 0.51; a value at the threshold is no link."""
    forward, backward = [[0.3, 0.02]], [[0.4, 1.0]]
    assert chosen("product", forward, backward, 0.1) == [(0, 0)]
    assert chosen("product", forward, backward, 0.01) == [(0, 0), (0, 1)]
    assert chosen("mean", forward, backward, 0.4) == [(0, 1)]
    assert chosen("mean", [[0.5]], [[0.5]], 0.5) == []


def test_no_word_at_all_may_be_the_most_probable():
    """The first word comes from the second with 0.5, from none with 0.3; the next ones from none with 0.6 and 0.8."""
    assert directed(np.array([[0.2, 0.3, 0.2], [0.5, 0.1, 0]])).tolist() == [[False] * 3, [True, False, False]]


@pytest.mark.parametrize("name", SYMMETRISATIONS)
def test_each_lies_between_the_intersection_and_the_union_and_swaps_with_the_languages(name):
    """Of random posteriors; at the threshold 0 "product" and "mean" link everything.

    Growing goes by an order of links, in which the languages differ.
    """
    generator = np.random.default_rng(1)
    for n, m in ((1, 1), (1, 5), (4, 3), (6, 6)):
        forward = generator.dirichlet(np.full(n + 1, 0.3), m).T[1:]
        backward = generator.dirichlet(np.full(m + 1, 0.3), n)[:, 1:]
        links = set(chosen(name, forward, backward))
        assert set(chosen("intersection", forward, backward)) <= links
        if name not in ("product", "mean"):
            assert links <= set(chosen("union", forward, backward))
        if not name.startswith("grow"):
            assert {(i, j) for j, i in chosen(name, backward.T, forward.T)} == links


def test_nlpsig_reads_the_files():
    links = [[(0, 0), (1, 12)], [], [(2, 1)]]
    assert links_text(links) == "0-0 1-12\n\n2-1\n"
    read = read_alignments(io.StringIO(links_text(links)), "links")
    assert list(zip(read.sentence, read.source, read.target, strict=True)) == [(0, 0, 0), (0, 1, 12), (2, 2, 1)]
    assert (read.n_units, read.base, bool(read.sure.all())) == (3, 0, True)
