"""Feature classes by pencil, one after another, and laws of all of them.

The tree of most tests is (S (NP Dogs) (VP saw (NP the cat)) .) below S1.
"""

import pytest

from nlpsig_core.laboratory.grammars.trees import Sharing
from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.laboratory.reranking.features.places import Places
from nlpsig_core.laboratory.reranking.lists import Candidate
from tests.laboratory.reranking.trees import BOTH, ONE, PHRASE, PLAIN, SAW


def counts(name: str, text: str, variant: str = "") -> dict[str, int]:
    """The features of a variant of a class in a tree, as text, and how often each occurs."""
    features = CLASSES[name].extract(Candidate(-1.5, Sharing().read(text)))
    return {" ".join(parts): n for (own, *parts), n in features.items() if own == variant}


LAST = "(S1 (S (VP (VB go) (PP (IN to) (NP (NP (NN a)) (CC or) (NP (NN b)))))))"
INITIAL = "(S1 (S (CC but) (NP (NN rice)) (VP (VBZ grows))))"
FLAT = "(S1 (S (NP (NN a)) (VP (VB b)) (NP (NN c) (NN d)) (. .)))"


@pytest.mark.parametrize(
    ("name", "variant", "text", "once"),
    [
        ("Rule", "0:0:0:0:0:0:0:1", SAW, ["S _", "NP VP . _ S", "NNS _ NP", "VBD NP _ VP", "DT NN _ NP"]),
        # In DT NN, "the" is in _ DT and in DT NN; NN _ has none. VBD NP begins without any, so VP has none at all.
        ("NGram", "2:1:0:0:0:2:0:1", SAW, ["_ DT the *PREHEAD* _ NP VP", "DT the NN *POSTHEAD* _ NP VP"]),
        ("Word", "1", SAW, ["dogs NNS", "saw VBD", "the DT", "cat NN", ". ."]),
        # The verb projects to S, below S1; the noun heads its NP, so "the" stays a DT. Punctuation does not count.
        ("WProj", "0:0:1", SAW, ["saw S S1", "dogs NP S", "cat NP VP", "the DT NP"]),
        # VP: 3 words (bin 4), one to the end, no punctuation at its end, a full stop after it.
        ("Heavy", "", SAW, ["5 0 S1 . _", "5 0 S . _", "1 4 NP _ _", "4 1 VP _ .", "2 1 NP _ ."]),
        # Of the pairs of adjacent words, that with the last word of the sentence is left out.
        ("NGramTree", "2:0:1:0", SAW, ["(S (NP NNS) (VP VBD))", "(VP VBD (NP DT))", "(NP DT NN)"]),
        ("NGramTree", "3:2:1:0", SAW, ["(S (NP NNS) (VP VBD (NP (DT the))))", "(VP VBD (NP (DT the) NN))"]),
        # Starts 0 and 1 are connected at S; the middle child is shown whole.
        ("NGramTree", "3:2:1:0", FLAT, ["(S (NP NN) (VP VB) (NP NN))", "(S (VP VB) (NP NN NN))"]),
        # Syntactic heads: VBD of the sentence, DT of the object. The cat and the full stop project no further.
        ("HeadTree", "1:0:0:0", SAW, ["(S1 (S NP (VP VBD NP) .))", "(NP NNS)", "(NP DT NN)", "NN", "."]),
        # "the" heads the object syntactically, the cat does semantically.
        ("Heads", "2:0:0:0", SAW, ["NNS VBD", ". VBD", "DT VBD", "NN DT"]),
        ("Heads", "2:1:1:1", SAW, ["NNS dogs VBD saw", ". . VBD saw", "NN cat VBD saw", "DT the NN cat"]),
        ("Heads", "3:0:0:0", SAW, ["NN DT VBD"]),
        # Conjuncts share their governor: dogs, and, cats all depend on ran; big depends on cats.
        ("Heads", "2:1:1:0", BOTH, ["NNS dogs VBD ran", "CC and VBD ran", "NNS cats VBD ran", "JJ big NNS cats"]),
        # NP and NP are equal at depth 1; (NP NNS) and (NP JJ NNS) are not at depth 2, so at none below.
        ("CoPar", "0", BOTH, ["1 1", "2 0", "3 0", "4 0", "5 0"]),
        ("CoPar", "0", SAW, []),
        # Big cats is one word longer than dogs, and the last child.
        ("CoLenPar", "", BOTH, ["1 1"]),
        # Dogs and (big cats) in one NP: the pairs are dogs, big and big, cats; none longer, only the last at the end.
        ("CoLenPar", "", ONE, ["0 0", "0 1"]),
        # A conjunction at the beginning joins nothing.
        ("CoLenPar", "", INITIAL, []),
    ],
)
def test_all_features_of_a_variant(name, variant, text, once):
    assert counts(name, text, variant) == dict.fromkeys(once, 1)


@pytest.mark.parametrize(
    ("name", "variant", "text", "feature"),
    [
        # The parent is added, or what joins the node to siblings (nothing here), or the head, or words of closed
        # classes. The NP of the object is three levels below the root, which makes it "not root".
        ("Rule", "0:1:0:0:0:0:0:1", SAW, "DT NN _ NP VP"),
        ("Rule", "0:0:1:0:0:0:0:1", SAW, "DT NN _ NP *NONROOT*"),
        ("Rule", "0:0:0:1:0:0:0:1", SAW, "DT NN _ NP"),
        ("Rule", "0:0:0:0:2:0:0:1", SAW, "VBD saw NP _ VP"),
        ("Rule", "0:0:0:0:0:2:0:1", SAW, "VBD NP *HEAD* DT the _ VP"),
        ("Rule", "0:0:0:0:2:2:0:1", SAW, "VBD saw NP *HEAD* DT the _ VP"),
        # Both conjuncts are CONJ; VP follows their parent, so they are not LAST.
        ("Rule", "0:0:0:1:0:0:0:1", BOTH, "JJ NNS _ NP *CONJ*"),
        ("Rule", "0:0:0:1:0:0:0:1", INITIAL, "NN _ NP"),
        ("Word", "2", SAW, "cat NN NP"),
        ("HeadTree", "1:1:0:1", SAW, "(NP DT (NN cat))"),
        # VP has three siblings before it; only the last is shown.
        ("HeadTree", "1:0:0:0", "(S1 (S (PP (IN a)) (ADVP (RB b)) (NP (NN c)) (VP (VB d))))", "(S1 (S NP (VP VB)))"),
        # VP is saw the cat: its own first tag is VBD; before it is NNS, after it the full stop.
        ("Neighbours", "1:1:1", SAW, "4 VP VBD ."),
        ("NeighboursCorrected", "1:1:1", SAW, "4 VP NNS ."),
        # VP: NNS before it, VBD its first tag, NN its last, the full stop after it; the nearest of two comes first.
        ("Edges", "0:0:0:0:0", SAW, "VP"),
        ("Edges", "1:0:0:0:0", SAW, "4 VP"),
        ("Edges", "0:1:0:0:1", SAW, "VP NNS ."),
        ("Edges", "0:0:1:1:0", SAW, "VP VBD NN"),
        ("Edges", "0:0:2:0:0", SAW, "VP VBD DT"),
        ("Edges", "0:0:0:2:0", SAW, "VP NN DT"),
        ("Edges", "0:2:0:0:0", SAW, "VP NNS _"),
        ("Edges", "0:0:0:0:2", SAW, "VP . _"),
        ("WordEdges", "1:1:0:0:1", SAW, "4 VP dogs ."),
    ],
)
def test_one_feature_of_a_variant(name, variant, text, feature):
    assert counts(name, text, variant)[feature] == 1


def test_features_that_occur_several_times():
    """S1, S, VP, NP and NN are on the right branch; NP, NNS, VBD and DT are not; the full stop does not count."""
    assert counts("NLogP", SAW) == {"": 1.5}
    assert counts("RightBranch", SAW) == {"1": 5, "0": 4}
    assert counts("Rule", LAST, "0:0:0:1:0:0:0:1")["NN _ NP *LASTCONJ*"] == 2


def test_ngram():
    """Two children with the ends of the rule: S has _ NP, NP VP, VP . and . _; rules of one child have none."""
    ngrams = counts("NGram", SAW, "2:1:1:1:0:0:0:1")
    expected = ["_ NP *PREHEAD* _ S", "NP VP *PREHEAD* _ S", "VP . *POSTHEAD* _ S", ". _ *POSTHEAD* _ S"]
    assert [feature for feature in ngrams if feature.endswith("_ S")] == expected
    assert sum(ngrams.values()) == 4 + 3 + 3


def test_conjuncts_share_their_dependents():
    """They run and jump: the subject depends on both verbs."""
    text = "(S1 (S (NP (PRP they)) (VP (VP (VBP run)) (CC and) (VP (VBP jump)))))"
    heads = counts("Heads", text, "2:1:1:0")
    assert {feature for feature in heads if feature.startswith("PRP")} == {"PRP they VBP run", "PRP they VBP jump"}


def test_edges_have_30_variants():
    assert len({variant for variant, *_ in CLASSES["Edges"].extract(Candidate(0.0, Sharing().read(SAW)))}) == 30


@pytest.mark.parametrize("name", CLASSES)
def test_what_a_class_sees_decides_its_features(name):
    """Places that look the same to a class have the same features, whatever their words; None stands for none."""
    known, looks = CLASSES[name], {None: []}
    if known.of_place is None:
        return
    for texts in [(SAW, PHRASE, PLAIN), (BOTH, ONE)]:
        sharing, places = Sharing(), Places()
        for text in texts:
            places.place(sharing.read(text))
        for place in places.all:
            features = list(known.of_place(place))
            assert looks.setdefault(known.sees(place), features) == features


@pytest.mark.parametrize("name", CLASSES)
def test_entries_are_complete(name):
    known = CLASSES[name]
    assert known.name == name
    assert known.what
    assert known.source
    assert (known.of_place is None) != (known.of_candidate is None)


def test_names_of_features():
    names = {CLASSES["Word"].show(feature) for feature in CLASSES["Word"].extract(Candidate(0.0, Sharing().read(SAW)))}
    assert "Word:2 (cat NN NP)" in names
    assert CLASSES["NGramTree"].show(("2:0:1:0", "(NP DT NN)")) == "NGramTree:2:0:1:0 (NP DT NN)"
    assert CLASSES["NLogP"].show(("",)) == "NLogP"
