"""Where arcs, labels and words of a dependency tree go: nothing overlaps, whatever the tree."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.data.drawings.arcs import (
    BEFORE,
    BEHIND,
    GAP,
    ROOT,
    ArcDiagram,
    ArcLayout,
    ArcWord,
    arcs_of,
    draw_diagrams,
    free_part,
    text_width,
)
from tests.data.drawings.test_drawings import having, parsed


def word(form: str, column: int, head: int, relation: str) -> ArcWord:
    return ArcWord(form=form, column=(column, 0), head=head, relation=relation)


def tree(heads: str, relations: str = "") -> ArcDiagram:
    """A tree of words w0, w1, ... from their heads ("r" root, "<" before the words, ">" behind them)."""
    code = {"r": ROOT, "<": BEFORE, ">": BEHIND}
    given_heads = [code[head] if head in code else int(head) for head in heads.split()]
    labels = relations.split() or ["dep"] * len(given_heads)
    return ArcDiagram([word(f"w{i}", i, head, labels[i]) for i, head in enumerate(given_heads)])


@st.composite
def trees(draw) -> ArcDiagram:
    """Any heads at all: crossing arcs, several roots, heads outside; and labels from short to long."""
    n = draw(st.integers(1, 12))
    heads = []
    for i in range(n):
        others = [j for j in range(n) if j != i]
        heads.append(draw(st.sampled_from([*others, ROOT, BEFORE, BEHIND])))
    forms = [draw(st.sampled_from(["a", "house", "Donaudampfschiffahrt", "世界", ""])) or "x" for _ in range(n)]
    labels = [draw(st.sampled_from(["x", "nsubj", "nmod:possessive"])) for _ in range(n)]
    return ArcDiagram([word(form, i, heads[i], labels[i]) for i, form in enumerate(forms)])


def test_levels_by_pencil():
    """A chain 0 <- 1 -> 2 lies low; the arc from 1 to 3 goes over the one from 1 to 2; the root tops its neighbours."""
    levels = {arc.word: arc.level for arc in arcs_of(tree("1 r 1 1").words)}
    assert levels == {0: 1, 2: 1, 3: 2, 1: 3}


@given(trees())
def test_arcs_over_the_same_gap_have_different_levels_and_inner_ones_are_lower(tree):
    arcs = [arc for arc in arcs_of(tree.words) if arc.left != arc.right]
    for arc, other in combinations(arcs, 2):
        if max(arc.left, other.left) < min(arc.right, other.right):
            assert arc.level != other.level
            inner, outer = sorted((arc, other), key=lambda arc: arc.right - arc.left)
            if (
                outer.left <= inner.left
                and inner.right <= outer.right
                and inner.right - inner.left < outer.right - outer.left
            ):
                assert inner.level < outer.level


def test_low_arcs_leave_a_word_further_out_than_high_ones():
    """Of the arcs from word 2 those to 0 and 4 are high; from left to right: to 1, to 0, root, to 4, to 3."""
    offset = ArcLayout(tree("2 2 r 2 2")).legs.offset
    assert sorted((offset[arc, 2], arc) for arc in range(5)) == [(-16, 1), (-8, 0), (0, 2), (8, 4), (16, 3)]


@given(trees())
def test_every_leg_of_a_word_has_a_place_of_its_own(tree):
    row = ArcLayout(tree)
    for word in range(len(tree.words)):
        offsets = sorted(offset for (_, at), offset in row.legs.offset.items() if at == word)
        assert len(offsets) == row.legs.number[word]
        assert all(later - earlier >= 6 for earlier, later in pairwise(offsets))
        assert not offsets or offsets[-1] - offsets[0] <= row.widths[word]


@given(trees(), trees())
def test_words_do_not_overlap_labels_fit_their_arcs_and_all_is_inside(diagram, other):
    for row, html in zip((diagram, other), draw_diagrams([diagram, other]), strict=True):
        root = parsed(f"<div><div class='body'>{html}</div></div>")
        (box,) = having(root, "arcs")
        total = float(re.search(r"width:(\d+)px", box.get("style"))[1])
        spots = [place(element) for element in having(root, "word")]
        for (left, width), (following, _) in pairwise(spots):
            assert following >= left + width + GAP - 0.2
        arcs = having(root, "arc")
        assert len(arcs) == len(row.words)
        for arc in arcs:
            left, width = place(arc)
            label = text_width("".join(arc.itertext()), 11)
            assert left >= 0
            assert left + width <= total + 1
            assert "to-root" in arc.get("class") or width >= label
        assert spots[0][0] >= 0
        assert sum(spots[-1]) <= total + 1


def place(element) -> tuple[float, float]:
    """Left edge and width of an element."""
    result = dict(re.findall(r"--([xw]):(-?[\d.]+)px", element.get("style")))
    return float(result["x"]), float(result["w"])


def test_the_same_words_of_two_trees_stand_below_each_other():
    """The second tree has one long token where the first has two words: the words around it stay where they are."""
    first = tree("1 r 1 1")
    second = ArcDiagram([word("w0", 0, ROOT, "root"), word("w1w2", 1, 0, "dep"), word("w3", 3, 1, "dep")])
    upper, other = (
        having(parsed(f"<div><div class='body'>{html}</div></div>"), "word") for html in draw_diagrams([first, second])
    )
    middles = [[left + width / 2 for left, width in map(place, row)] for row in (upper, other)]
    assert middles[1] == pytest.approx([middles[0][0], middles[0][1], middles[0][3]], abs=0.2)


def test_a_label_stands_in_the_middle_or_beside_the_legs_that_cross_its_arc():
    """An arc from 0 to 100 and a label of 20: the middle; beside a leg at 50; the whole arc where nothing is free."""
    assert free_part(0, 100, 20, []) == (0, 100)
    left, width = free_part(0, 100, 20, [50])
    assert width >= 20
    assert (left + width == 50) or left == 50
    assert free_part(0, 100, 20, [52]) == (32, 20)
    assert free_part(0, 30, 20, [10, 20]) == (0, 30)


def test_text_width_knows_wide_narrow_and_combining_characters():
    assert text_width("世界", 10) > text_width("ab", 10) > text_width("il", 10) > 0
    assert text_width("e\u0301", 10) == text_width("e", 10)
