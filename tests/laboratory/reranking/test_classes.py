"""Feature classes by pencil, one after another, and laws of all of them.

The tree of most tests is (S (NP Dogs) (VP saw (NP the cat)) .) below S1.
"""

import pytest

from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.laboratory.reranking.features.places import Places
from nlpsig_core.laboratory.reranking.lists import Candidate
from nlpsig_core.laboratory.reranking.trees import Sharing
from tests.laboratory.reranking.trees import BOTH, ONE, PHRASE, PLAIN, SAW


def counts(name: str, text: str, variant: str = "") -> dict[str, int]:
    """The features of a variant of a class in a tree, as text, and how often each occurs."""
    found = CLASSES[name].extract(Candidate(-1.5, Sharing().read(text)))
    return {" ".join(parts): n for (own, *parts), n in found.items() if own == variant}


def test_log_probability():
    assert counts("NLogP", SAW) == {"": 1.5}


def test_rule():
    once = dict.fromkeys(["S _", "NP VP . _ S", "NNS _ NP", "VBD NP _ VP", "DT NN _ NP"], 1)
    assert counts("Rule", SAW, "0:0:0:0:0:0:0:1") == once


@pytest.mark.parametrize(
    ("variant", "feature"),
    [
        ("0:1:0:0:0:0:0:1", "DT NN _ NP VP"),
        ("0:0:1:0:0:0:0:1", "DT NN _ NP *NONROOT*"),
        ("0:0:0:1:0:0:0:1", "DT NN _ NP"),
        ("0:0:0:0:2:0:0:1", "VBD saw NP _ VP"),
        ("0:0:0:0:0:2:0:1", "VBD NP *HEAD* DT the _ VP"),
        ("0:0:0:0:2:2:0:1", "VBD saw NP *HEAD* DT the _ VP"),
    ],
)
def test_variants_of_rule(variant, feature):
    """The parent is added, or what joins the node to siblings (nothing here), or the head, or words of closed classes.

    The NP of the object is three levels below the root, which makes it "not root".
    """
    assert counts("Rule", SAW, variant)[feature] == 1


def test_conjuncts_are_flagged():
    """Both conjuncts are CONJ; VP follows their parent, so they are not LAST. With the PP at the end, they are."""
    assert counts("Rule", BOTH, "0:0:0:1:0:0:0:1")["JJ NNS _ NP *CONJ*"] == 1
    last = "(S1 (S (VP (VB go) (PP (IN to) (NP (NP (NN a)) (CC or) (NP (NN b)))))))"
    assert counts("Rule", last, "0:0:0:1:0:0:0:1")["NN _ NP *LASTCONJ*"] == 2


def test_a_conjunction_at_the_beginning_joins_nothing():
    text = "(S1 (S (CC but) (NP (NN rice)) (VP (VBZ grows))))"
    assert counts("Rule", text, "0:0:0:1:0:0:0:1")["NN _ NP"] == 1
    assert counts("CoLenPar", text) == {}


def test_ngram():
    """Two children with the ends of the rule: S has _ NP, NP VP, VP . and . _; rules of one child have none."""
    found = counts("NGram", SAW, "2:1:1:1:0:0:0:1")
    assert [feature for feature in found if feature.endswith("_ S")] == [
        "_ NP *PREHEAD* _ S", "NP VP *PREHEAD* _ S", "VP . *POSTHEAD* _ S", ". _ *POSTHEAD* _ S",
    ]  # fmt: skip
    assert sum(found.values()) == 4 + 3 + 3


def test_ngram_ends_without_function_words():
    """In DT NN, "the" is in _ DT and in DT NN; NN _ has none. VBD NP begins without any, so VP has none at all."""
    assert counts("NGram", SAW, "2:1:0:0:0:2:0:1") == {
        "_ DT the *PREHEAD* _ NP VP": 1, "DT the NN *POSTHEAD* _ NP VP": 1,
    }  # fmt: skip


def test_word():
    assert counts("Word", SAW, "1") == dict.fromkeys(["dogs NNS", "saw VBD", "the DT", "cat NN", ". ."], 1)
    assert counts("Word", SAW, "2")["cat NN NP"] == 1


def test_word_projection():
    """The verb projects to S, below S1; the noun heads its NP, so "the" stays a DT. Punctuation does not count."""
    expected = ["saw S S1", "dogs NP S", "cat NP VP", "the DT NP"]
    assert counts("WProj", SAW, "0:0:1") == dict.fromkeys(expected, 1)


def test_right_branch():
    """S1, S, VP, NP and NN are on the branch; NP, NNS, VBD and DT are not; the full stop does not count."""
    assert counts("RightBranch", SAW) == {"1": 5, "0": 4}


def test_heavy():
    """VP: 3 words (bin 4), one to the end, no punctuation at its end, a full stop after it."""
    expected = ["5 0 S1 . _", "5 0 S . _", "1 4 NP _ _", "4 1 VP _ .", "2 1 NP _ ."]
    assert counts("Heavy", SAW) == dict.fromkeys(expected, 1)


def test_ngram_tree():
    """Of the pairs of adjacent words, that with the last word of the sentence is left out."""
    expected = ["(S (NP NNS) (VP VBD))", "(VP VBD (NP DT))", "(NP DT NN)"]
    assert counts("NGramTree", SAW, "2:0:1:0") == dict.fromkeys(expected, 1)
    assert counts("NGramTree", SAW, "3:2:1:0") == {
        "(S (NP NNS) (VP VBD (NP (DT the))))": 1, "(VP VBD (NP (DT the) NN))": 1,
    }  # fmt: skip


def test_three_words_below_three_children():
    """Starts 0 and 1 are connected at S; the middle child is shown whole."""
    flat = "(S1 (S (NP (NN a)) (VP (VB b)) (NP (NN c) (NN d)) (. .)))"
    assert counts("NGramTree", flat, "3:2:1:0") == {
        "(S (NP NN) (VP VB) (NP NN))": 1, "(S (VP VB) (NP NN NN))": 1,
    }  # fmt: skip


def test_head_tree():
    """Syntactic heads: VBD of the sentence, DT of the object. The cat and the full stop project no further."""
    expected = ["(S1 (S NP (VP VBD NP) .))", "(NP NNS)", "(NP DT NN)", "NN", "."]
    assert counts("HeadTree", SAW, "1:0:0:0") == dict.fromkeys(expected, 1)
    assert "(NP DT (NN cat))" in counts("HeadTree", SAW, "1:1:0:1")


def test_head_tree_shows_adjacent_siblings_only():
    """VP has three siblings before it; only the last is shown."""
    text = "(S1 (S (PP (IN a)) (ADVP (RB b)) (NP (NN c)) (VP (VB d))))"
    assert counts("HeadTree", text, "1:0:0:0")["(S1 (S NP (VP VB)))"] == 1


def test_heads():
    """ "the" heads the object syntactically, the cat does semantically."""
    assert counts("Heads", SAW, "2:0:0:0") == dict.fromkeys(["NNS VBD", ". VBD", "DT VBD", "NN DT"], 1)
    semantic = ["NNS dogs VBD saw", ". . VBD saw", "NN cat VBD saw", "DT the NN cat"]
    assert counts("Heads", SAW, "2:1:1:1") == dict.fromkeys(semantic, 1)
    assert counts("Heads", SAW, "3:0:0:0") == {"NN DT VBD": 1}


def test_conjuncts_share_their_governor():
    """Dogs, and, cats all depend on ran; big depends on cats."""
    expected = ["NNS dogs VBD ran", "CC and VBD ran", "NNS cats VBD ran", "JJ big NNS cats"]
    assert counts("Heads", BOTH, "2:1:1:0") == dict.fromkeys(expected, 1)


def test_conjuncts_share_their_dependents():
    """They run and jump: the subject depends on both verbs."""
    text = "(S1 (S (NP (PRP they)) (VP (VP (VBP run)) (CC and) (VP (VBP jump)))))"
    found = counts("Heads", text, "2:1:1:0")
    assert {feature for feature in found if feature.startswith("PRP")} == {"PRP they VBP run", "PRP they VBP jump"}


def test_neighbours_as_published_and_corrected():
    """VP is saw the cat: its own first tag is VBD; before it is NNS, after it the full stop."""
    assert counts("Neighbours", SAW, "1:1:1")["4 VP VBD ."] == 1
    assert counts("NeighboursCorrected", SAW, "1:1:1")["4 VP NNS ."] == 1
    assert counts("Neighbours", SAW, "1:0:1") == counts("NeighboursCorrected", SAW, "1:0:1")


def test_parallel_conjuncts():
    """NP and NP are equal at depth 1; (NP NNS) and (NP JJ NNS) are not at depth 2, so at none below."""
    assert counts("CoPar", BOTH, "0") == {"1 1": 1, "2 0": 1, "3 0": 1, "4 0": 1, "5 0": 1}
    assert counts("CoPar", SAW, "0") == {}


def test_length_of_conjuncts():
    """Big cats is one word longer than dogs, and the last child."""
    assert counts("CoLenPar", BOTH) == {"1 1": 1}


def test_flat_conjuncts_are_pairs_too():
    """Dogs and (big cats) in one NP: the pairs are dogs, big and big, cats; none longer, only the last at the end."""
    assert counts("CoLenPar", ONE) == {"0 0": 1, "0 1": 1}


def test_edges():
    """VP: NNS before it, VBD its first tag, NN its last, the full stop after it; the nearest of two comes first."""
    for variant, feature in [
        ("0:0:0:0:0", "VP"), ("1:0:0:0:0", "4 VP"), ("0:1:0:0:1", "VP NNS ."), ("0:0:1:1:0", "VP VBD NN"),
        ("0:0:2:0:0", "VP VBD DT"), ("0:0:0:2:0", "VP NN DT"), ("0:2:0:0:0", "VP NNS _"), ("0:0:0:0:2", "VP . _"),
    ]:  # fmt: skip
        assert counts("Edges", SAW, variant)[feature] == 1
    assert len({variant for variant, *_ in CLASSES["Edges"].extract(Candidate(0.0, Sharing().read(SAW)))}) == 30


def test_word_edges():
    assert counts("WordEdges", SAW, "1:1:0:0:1")["4 VP dogs ."] == 1


@pytest.mark.parametrize("name", CLASSES)
def test_what_a_class_sees_decides_its_features(name):
    """Places that look the same to a class have the same features, in all trees over the same words."""
    known = CLASSES[name]
    if known.of_place is None:
        return
    for texts in [(SAW, PHRASE, PLAIN), (BOTH, ONE)]:
        sharing, places, looks = Sharing(), Places(), {}
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
