"""Constituency trees and what they share."""

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.laboratory.grammars.markovised.estimation import binarised
from nlpsig_core.laboratory.grammars.trees import DEEPEST, Sharing
from nlpsig_core.laboratory.reranking.features import classes_of, extract
from nlpsig_core.laboratory.reranking.lists import Candidate, NBestList
from nlpsig_core.laboratory.reranking.lists.constituency import lists_of_trees, statistics
from tests.laboratory.reranking.trees import PHRASE, SAW


def test_a_tree_is_read_and_written():
    tree = Sharing().read(SAW)
    assert str(tree) == SAW
    assert tree.words == ["Dogs", "saw", "the", "cat", "."]
    assert [tag.label for tag in tree.tags] == ["NNS", "VBD", "DT", "NN", "."]
    assert [(node.label, node.start, node.end) for node in tree.nodes() if node.children] == [
        ("S1", 0, 5),
        ("S", 0, 5),
        ("NP", 0, 1),
        ("VP", 1, 4),
        ("NP", 2, 4),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "(S1 (S (NP (NNS Dogs)) (VP (VBD ran))))",
        "( S1 (S (NP(NNS Dogs) ) (VP ( VBD  ran))) )",
        "(S1\t(S (NP (NNS Dogs))\n(VP (VBD ran )\n)))",
        "(S1(S(NP(NNS Dogs))(VP(VBD ran))))",
    ],
)
def test_white_space_changes_no_tree(text):
    """The first is written as parsers write trees, for which there is a quicker way."""
    assert str(Sharing().read(text)) == "(S1 (S (NP (NNS Dogs)) (VP (VBD ran))))"


@given(st.text(alphabet="(()) ab", max_size=24))
def test_the_quick_way_reads_what_the_other_way_reads(text):
    """Any text, of which most are no trees: it returns the same tree, or none."""
    quick = Sharing()._read_plain(text)
    if quick is not None:
        assert str(quick) == str(Sharing()._read_any(text))


def test_equal_subtrees_over_the_same_words_are_one_object():
    """Both trees have the VP; what is above differs."""
    sharing = Sharing()
    first, second = sharing.read(SAW), sharing.read(PHRASE)
    assert first.children[0].children[1] is second.children[0].children[1]
    assert first.children[0] is not second.children[0]


def test_equal_subtrees_elsewhere_are_two_objects():
    tree = Sharing().read("(S1 (NP (NN a)) (NP (NN a)))")
    assert tree.children[0] is not tree.children[1]


def test_trees_survive_the_way_to_a_worker_and_still_share():
    sharing = Sharing()
    first, second = pickle.loads(pickle.dumps((sharing.read(SAW), sharing.read(PHRASE))))
    assert (str(first), str(second)) == (SAW, PHRASE)
    assert first.children[0].children[1] is second.children[0].children[1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(S1 (NN a)", "unbalanced brackets: 1 of those that open never close"),
        ("(S1 (NN a)))", "unbalanced brackets: one closes that never opened"),
        ("(S1 (NP) (NN a))", "the bracket NP holds no words"),
        ("(S1 (NN a) b)", "'b' has no tag"),
        ("(S1 ((NN a)))", "a bracket without a label"),
        ("(S1 (NN a)) (S1 (NN b))", "2 trees where one is expected"),
        ("", "0 trees where one is expected"),
        ("(A " * 151 + "(a b)" + ")" * 151, "151 brackets inside each other; a parse has at most 150"),
        ("(A " * 20_000 + "(a b)" + ")" * 20_000, "20000 brackets inside each other; a parse has at most 150"),
    ],
)
def test_what_is_no_tree_is_refused(text, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        Sharing().read(text)


def test_all_trees_of_a_list_have_the_same_words():
    sharing = Sharing()
    sharing.read("(S1 (NN a) (NN b))")
    for text, problem in [
        ("(S1 (NN a) (NN c))", "word 2 is 'c' where the sentence has 'b'"),
        ("(S1 (NN a))", "1 word where the sentence has 2"),
        ("(S1 (NN a) (NN b) (NN c))", "word 3 is 'c' where the sentence has no more words"),
    ]:
        with pytest.raises(ValueError, match=problem):
            sharing.read(text)


@pytest.mark.parametrize("inner", ["(A ", "(A (b c) "], ids=["chain", "right"])
def test_the_deepest_tree_can_be_used(inner):
    """Written, sent to another process, compared with itself, parted for a grammar, and counted by all classes."""
    text = inner * DEEPEST + "(a b)" + ")" * DEEPEST
    tree = Sharing().read(text)
    assert (str(tree), str(pickle.loads(pickle.dumps(tree)))) == (text, text)
    ((matched, found, wanted),) = statistics([NBestList("1", (Candidate(0.0, tree),), tree)])
    assert matched == found == wanted
    assert binarised(tree, vertical=2).symbol.label == "A"
    candidates = tuple(Candidate(0.0, Sharing().read(text.replace("a b", tag))) for tag in ("a b", "c b"))
    lists = lists_of_trees("x", [NBestList("1", candidates, tree)])
    assert extract(lists, classes_of(lists.form), least=1).matrix.shape[0] == 2
