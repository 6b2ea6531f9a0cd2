"""Statistics of brackets, by pencil."""

from nlpsig_core.laboratory.reranking.lists import Candidate, NBestList
from nlpsig_core.laboratory.reranking.lists.constituency import statistics
from nlpsig_core.laboratory.reranking.trees import Sharing
from tests.laboratory.reranking.trees import PLAIN, SAW


def counted(gold: str, *candidates: str) -> list[list[int]]:
    sharing = Sharing()
    gold_tree = sharing.read(gold)
    parses = tuple(Candidate(0.0, sharing.read(text)) for text in candidates)
    return statistics([NBestList("1", parses, gold_tree)]).tolist()


def test_the_root_and_tags_are_no_brackets():
    """SAW has S, NP, VP, NP; PLAIN lacks the last."""
    assert counted(SAW, SAW, PLAIN) == [[4, 4, 4], [3, 3, 4]]


def test_prt_equals_advp_and_functions_are_cut():
    assert counted("(S1 (S-TMP (PRT (RP up))))", "(S1 (S (ADVP (RP up))))") == [[2, 2, 2]]


def test_punctuation_is_not_counted():
    """With the comma inside NP or beside it, NP spans word 0 only; VP begins at word 1 of those that count."""
    inside, beside = "(S1 (S (NP (NN a) (, ,)) (VP (VB b))))", "(S1 (S (NP (NN a)) (, ,) (VP (VB b))))"
    assert counted(inside, beside) == [[3, 3, 3]]


def test_other_tags_of_punctuation_move_brackets():
    """Where the comma is tagged as a word, VP begins a word later; only NP over the first word is the same."""
    gold, other = "(S1 (NP (NN a)) (, ,) (VP (VB b)))", "(S1 (NP (NN a)) (NN ,) (VP (VB b)))"
    assert counted(gold, other) == [[1, 2, 2]]


def test_a_bracket_is_matched_once():
    """NP over NP twice in the output, once in the gold."""
    assert counted("(S1 (NP (NN a)))", "(S1 (NP (NP (NN a))))") == [[1, 2, 1]]
