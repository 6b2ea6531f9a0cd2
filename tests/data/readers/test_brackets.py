"""Penn bracketed trees: layouts, spans, what the rules leave of a tree, the gold's lengths, and refusals."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.brackets import (
    UNLABELLED,
    BracketedTree,
    BracketedTrees,
    GoldTrees,
    read_gold_trees,
    read_trees,
    sentence_of,
)
from nlpsig_core.data.readers.evalb_rules import COLLINS, EvalbRules

SMALL = "(TOP (S (NP-SBJ (DT the) (NN cat)) (VP (VBZ runs)) (. .)))"


def trees(text: str) -> BracketedTrees:
    return read_trees(io.StringIO(text), "x.mrg")


def tree(text: str) -> BracketedTree:
    (only,) = trees(text).trees
    return only


def gold(text: str, rules: str | None = None) -> GoldTrees:
    files = [(io.StringIO(text), "gold.mrg")]
    return read_gold_trees(files if rules is None else [*files, (io.StringIO(rules), "x.prm")])


def words(*texts: str) -> list[list[str]]:
    return [text.split() for text in texts]


def test_words_tags_and_spans():
    """S and TOP span words 0 to 4, NP-SBJ the first two, VP the third; brackets stand as they open."""
    assert tree(SMALL) == BracketedTree(
        "the cat runs .".split(),
        "DT NN VBZ .".split(),
        "TOP S NP-SBJ VP".split(),
        [0, 0, 0, 2],
        [4, 4, 2, 3],
    )


def test_one_tree_a_line_with_lines_without_a_parse():
    """A blank line is a unit, at the end too; the line break at the very end is not."""
    read = trees("(S (A a))\n\n(S (A b))\n  \n\n")
    assert [t.words for t in read.trees] == words("a", "", "b", "", "")
    assert (read.n_units, read.notes) == (5, ())


def test_several_trees_in_a_line_are_one_unit_of_one_tree_a_line():
    first, second = trees("(P this) (Q is) (S (R a) (T test))\n(S (A a))\n").trees
    assert first == BracketedTree("this is a test".split(), "P Q R T".split(), ["S"], [2], [4])
    assert second.words == ["a"]


def test_trees_over_several_lines():
    """Blank lines mean nothing there, and trees may follow one another in a line."""
    read = trees("\n(S\n  (A a)\n\n  (B b))(S (A c))\n\n\n(S (A\nd))\n\n")
    assert [t.words for t in read.trees] == words("a b", "c", "d")
    assert read.trees[0] == BracketedTree(["a", "b"], ["A", "B"], ["S"], [0], [2])


def test_a_unit_without_a_parse_where_trees_span_lines():
    read = trees("(S\n(A a))\n(())\n(S (A b))\n")
    assert [t.words for t in read.trees] == words("a", "", "b")
    assert read.notes == ()


@pytest.mark.parametrize("text", [SMALL + "\n", SMALL.replace(" ", "\n") + "\n"])
def test_the_outermost_bracket_may_lack_its_label(text):
    """The Penn Treebank's ( (S ...) ) has one more bracket, around the three words that count; S alone is labelled."""
    outer = tree(f"( {text.strip()} )")
    assert outer.labels == ["", *tree(SMALL).labels]
    assert (outer.starts[0], outer.ends[0]) == (0, 4)
    alone = sentence_of(tree(SMALL), COLLINS)
    assert sentence_of(outer, COLLINS).brackets == [(0, 3, ""), *alone.brackets]
    assert sentence_of(outer, COLLINS).labelled == alone.labelled == alone.brackets
    assert trees(f"( {text.strip()} )").notes == (UNLABELLED,)


def test_spaces_anywhere_but_in_words():
    """A no-break space and an ideographic one are part of a word, as they are to EVALB."""
    assert tree("  ( S( NP\t( CD 1\u00a0000 ) (X \u3000)) )") == BracketedTree(
        ["1\u00a0000", "\u3000"], ["CD", "X"], ["S", "NP"], [0, 0], [2, 2]
    )
    assert tree("(S (A a\u2028b\x85))").words == ["a\u2028b\x85"]


def test_what_the_rules_leave():
    """Traces and punctuation go, and with them the brackets that hold nothing else; TOP goes, tags stay whole."""
    text = "(TOP (S (NP-SBJ (-NONE- *)) (, ,) (VP (VB go-1) (NP=2 (NN-X home))) (. .)))"
    sentence = sentence_of(tree(text), COLLINS)
    assert (sentence.words, sentence.tags) == (["go-1", "home"], ["VB", "NN-X"])
    assert sentence.brackets == [(0, 2, "S"), (0, 2, "VP"), (1, 2, "NP")]


def test_deleted_words_can_be_put_back():
    """Without its quotes A is one word; with the second one put back it is two and B three; twice, three and four."""
    quoted, rules = tree("""(B (`` ") (A (X x) ('' ")) (Y y))"""), COLLINS
    assert sentence_of(quoted, rules).brackets == [(0, 2, "B"), (0, 1, "A")]
    assert sentence_of(quoted, rules, [2]).brackets == [(0, 3, "B"), (0, 2, "A")]
    assert sentence_of(quoted, rules, [2]).words == ["x", '"', "y"]
    assert sentence_of(quoted, rules, [2, 2]).brackets == [(0, 4, "B"), (0, 3, "A")]
    assert sentence_of(quoted, rules, [0]).brackets == [(0, 3, "B"), (1, 2, "A")]


def test_edges_around_a_place():
    """a b c d with [a b c] and [b c]: around the place before c (2) is b c, around the one before b (1) is a b c."""
    sentence = sentence_of(tree("(S (X (A a) (Y (A b) (A c))) (A d))"), EvalbRules())
    assert sentence.around == [(0, 4), (0, 3), (1, 3), (0, 4), (0, 4)]


def test_gold_without_parameters_goes_by_collins():
    read = gold(SMALL + "\n")
    assert read.rules is COLLINS
    assert (read.n_units, read.name, read.notes) == (1, "gold.mrg", ())
    assert read.sentences[0].words == "the cat runs".split()


@pytest.mark.parametrize("name", ["x.prm", "COLLINS.PRM"])
@pytest.mark.parametrize("first", [True, False])
def test_gold_with_parameters(name, first):
    files = [(io.StringIO("DELETE_LABEL NN\n"), name), (io.StringIO(SMALL + "\n"), "gold.mrg")]
    read = read_gold_trees(files if first else files[::-1])
    assert read.rules == EvalbRules(deleted_labels=frozenset(("NN",)))
    assert read.sentences[0].words == "the runs .".split()


def test_lines_without_a_tree_at_the_end_of_the_gold_are_no_units():
    assert gold("(S (A a))\n\n(S (A b))\n\n\n").n_units == 3
    assert gold("(S (A a))\n(())\n").n_units == 2


def test_lengths_and_domains_by_the_cutoff():
    """Traces do not count for length, deleted punctuation does: 4 and 2 words, and a cutoff of 3 parts them."""
    rules = "CUTOFF_LEN 3\nDELETE_LABEL .\nDELETE_LABEL_FOR_LENGTH -NONE-\n"
    read = gold(SMALL + "\n(S (A a) (-NONE- *) (. .))\n", rules)
    assert read.lengths.tolist() == [4, 2]
    assert read.domains == ("length > 3", "length ≤ 3")
    assert gold("(S" + " (A a)" * 40 + ")\n(S" + " (A a)" * 41 + ")\n").domains == ("length ≤ 40", "length > 40")


FILE_REFUSALS = {
    "two golds": (["a.mrg", "b.mrg"], "b.mrg", "a second file of gold trees besides a.mrg"),
    "two parameters": (["a.prm", "a.mrg", "b.PRM"], "b.PRM", "a second parameter file besides a.prm"),
    "no gold": (["a.prm"], "a.prm", "parameters without gold trees; add the file of trees"),
}


@pytest.mark.parametrize(("names", "file", "reason"), FILE_REFUSALS.values(), ids=FILE_REFUSALS)
def test_gold_is_one_file_of_trees_and_one_of_parameters(names, file, reason):
    with pytest.raises(FileError, match=reason) as caught:
        read_gold_trees([(io.StringIO(SMALL), name) for name in names])
    assert (caught.value.file, caught.value.line) == (file, None)


@st.composite
def units(draw, depth: int = 0):
    """A nested list of a random tree: [label, child, ...]; a leaf is (tag, word)."""
    if depth == 4 or draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from(["DT", "-NONE-", "$"])), draw(st.sampled_from(["a", "中", "*T*-1", "'s"]))
    return ["NP-SBJ=2", *draw(st.lists(units(depth + 1), max_size=3))]


def written(node, break_line: str) -> str:
    if isinstance(node, tuple):
        return f"({node[0]} {node[1]})"
    return f"({node[0]}{''.join(break_line + written(child, break_line) for child in node[1:])})"


def leaves(node) -> list[tuple[str, str]]:
    return [node] if isinstance(node, tuple) else [leaf for child in node[1:] for leaf in leaves(child)]


def spans(node, start: int = 0) -> list[tuple[int, int]]:
    """Where each bracket starts and ends, a bracket before those inside of it."""
    if isinstance(node, tuple):
        return []
    result = [(start, start + len(leaves(node)))]
    for child in node[1:]:
        result += spans(child, start)
        start += len(leaves(child))
    return result


@given(st.lists(units().map(lambda unit: ["S", unit, ("X", "x")]), min_size=1, max_size=4))
def test_both_layouts_give_the_tree_that_was_written(nodes):
    in_lines = trees("".join(written(node, " ") + "\n" for node in nodes))
    over_lines = trees("".join(written(node, "\n  ") + "\n\n" for node in nodes))
    assert in_lines.trees == over_lines.trees
    for node, read in zip(nodes, in_lines.trees, strict=True):
        assert list(zip(read.tags, read.words, strict=True)) == leaves(node)
        assert list(zip(read.starts, read.ends, strict=True)) == spans(node)


def test_empty_lines_take_little_memory():
    """A line of one byte takes 130 bytes of memory while it is read; with a tree of its own it took 550."""
    text = "(A a)\n" + "\n" * 200_000 + "(A b)\n"
    tracemalloc.start()
    try:
        assert read_trees(io.StringIO(text), "x").n_units == 200_002
        assert tracemalloc.get_traced_memory()[1] < 200 * len(text)
    finally:
        tracemalloc.stop()


def test_blank_lines_between_all_trees_are_no_sentences():
    """Five trees with four blank lines, and one more at the end; with one blank line fewer, they are sentences."""
    text = "\n\n".join(f"(S (A {word}))" for word in "abcde")
    assert [t.words for t in trees(f"{text}\n\n").trees] == words(*"abcde")
    assert trees(text.replace("\n\n", "\n", 1)).n_units == 8
