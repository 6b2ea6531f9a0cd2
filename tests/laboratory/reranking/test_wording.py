"""Features in words."""

from __future__ import annotations

import pytest

from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.laboratory.reranking.wording import WORDINGS, in_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NLogP", "minus the log probability by the base parser"),
        ("Rule:0:1:0:0:0:0:0:1 (DT NN _ NP PP)", "NP → DT NN, under PP"),
        ("Rule:0:0:0:0:2:0:0:1 (VBZ PP *HEAD* IN on _ VP)", "VP → VBZ PP[on]"),
        (
            "NGram:2:1:1:1:0:0:0:1 (_ JJ *PREHEAD* _ NP VP *NONROOT*)",
            "NP with JJ at its start, before or at the head, under VP, deep in the tree",
        ),
        ("NGram:1:1:0:1:0:0:0:1 (_ *POSTHEAD* _ NP)", "NP with its end, after the head"),
        (
            "NGram:2:1:0:0:2:0:0:1 (CC NN investment *PREHEAD* _ NP VP)",
            "NP with CC NN investment, before or at the head, under VP",
        ),
        ("Word:2 (plan NN NP)", "“plan” as NN under NP"),
        ("WProj:0:0:1 (home NP S)", "“home” heads NP under S"),
        ("RightBranch (0)", "a node off the right-most branch"),
        ("Heavy (4 1 NP _ .)", "NP of 3 or 4 words, 1 word before the end of the sentence, before “.”"),
        ("Heads:2:1:1:0 (JJ fiscal NN year)", "“fiscal” (JJ) depends on “year” (NN)"),
        ("Heads:2:1:1:1 (NNP wall NN street)", "“wall” (NNP) depends semantically on “street” (NN)"),
        ("Heads:3:0:0:0 (JJ NN IN)", "JJ depends on NN depends on IN"),
        ("Neighbours:1:1:1 (5 S VBN ,)", "S of 5 or more words, beginning with VBN, before ,"),
        ("NeighboursCorrected:1:1:0 (2 NP _)", "NP of 2 words, after the edge of the sentence"),
        ("CoPar:0 (2 1)", "adjacent conjuncts have the same labels down to level 2"),
        ("CoLenPar (-5 1)", "a last conjunct 5 or more words shorter than the one before it"),
        ("CoLenPar (0 0)", "a conjunct as long as the one before it"),
        ("CoLenPar (1 0)", "a conjunct 1 word longer than the one before it"),
        ("NGramTree:2:0:1:0 ((NP DT NN))", "2 adjacent words under (NP DT NN)"),
        ("HeadTree:1:1:0:1 ((NP (NN plan) PP))", "a semantic head and its projections (NP (NN plan) PP)"),
        ("Edges:1:0:0:2:1 (4 NP NNP JJ VBZ)", "NP of 3 or 4 words, ending in JJ NNP, before VBZ"),
        ("WordEdges:0:2:0:0:0 (ADVP often he)", "ADVP, after he often"),
        ("language model", "language model"),
    ],
)
def test_features_in_words(name, words):
    assert in_words(name) == words


def test_every_class_of_constituency_trees_has_a_wording():
    assert set(WORDINGS) == {name for name, entry in CLASSES.items() if entry.form == "constituency"}
