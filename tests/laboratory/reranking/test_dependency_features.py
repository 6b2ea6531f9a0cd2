"""Feature classes of dependency trees and of given features, by pencil."""

import io

import pytest

from nlpsig_core.laboratory.parsers import read_trees
from nlpsig_core.laboratory.reranking.features import CLASSES, classes_of, extract
from nlpsig_core.laboratory.reranking.lists import Candidate
from nlpsig_core.laboratory.reranking.lists.dependency import read_k_best
from nlpsig_core.laboratory.reranking.lists.records import Record
from tests.builders import conllu

# old dogs and cats sleep here .
SENTENCE = (
    "old/2/amod/ADJ dogs/5/nsubj/NOUN and/4/cc/CCONJ cats/2/conj/NOUN sleep/0/root/VERB here/5/advmod/ADV "
    "./5/punct/PUNCT"
)


def counts(name, text=SENTENCE, score=-2.5):
    """The counts of a class in a sentence, by the names of features."""
    (parse,) = read_trees(io.StringIO(conllu(text)), "x")
    chosen = CLASSES[name]
    return {chosen.show(feature): number for feature, number in chosen.extract(Candidate(score, parse)).items()}


def test_score():
    assert counts("DepScore") == {"DepScore": 2.5}


def test_tags():
    """Seven words, each with one arc, once with and once without its relation."""
    numbers = counts("DepTags")
    assert numbers["DepTags (NOUN ADJ left)"] == numbers["DepTags:relation (NOUN ADJ left amod)"] == 1
    assert numbers["DepTags (root VERB right)"] == 1
    assert len(numbers) == sum(numbers.values()) == 14
    assert counts("DepTags", "a/0/root/X b/1/dep/X c/1/dep/X")["DepTags:relation (X X right dep)"] == 2


def test_distance():
    """dogs is 3 words before sleep: its own class; 5 words would be in the class up to 7. The root has no distance."""
    numbers = counts("DepDistance")
    assert numbers["DepDistance (VERB NOUN left 3)"] == numbers["DepDistance:relation (nsubj left 3)"] == 1
    assert sum(numbers.values()) == 12
    assert "DepDistance (X X right 7)" in counts("DepDistance", "a/0/root/X b/1 c/1 d/1 e/1 f/1/dep/X")


def test_neighbours():
    """Below dogs are words 1 to 4, before them nothing, after them sleep; cats spans and cats; sleep the sentence."""
    seen = ("NOUN 4 _ VERB", "NOUN 2 NOUN VERB", "VERB 7 _ _")
    assert counts("DepNeighbours") == {f"DepNeighbours ({tags})": 1 for tags in seen}


def test_right_branch():
    """The last word but for the mark is here: here and sleep are on the path, five words are not."""
    assert counts("DepRightBranch") == {"DepRightBranch (1)": 2, "DepRightBranch (0)": 5}
    assert counts("DepRightBranch", "./0/root/PUNCT") == {"DepRightBranch (1)": 0, "DepRightBranch (0)": 1}


def test_parallel_conjuncts():
    """dogs and cats have the same tag, but only dogs has an adjective."""
    assert counts("DepCoPar") == {"DepCoPar (1 1)": 1, "DepCoPar (2 0)": 1, "DepCoPar (3 0)": 1}
    both = SENTENCE.replace("and/4/cc/CCONJ", "old/4/amod/ADJ")
    assert counts("DepCoPar", both) == {"DepCoPar (1 1)": 1, "DepCoPar (2 1)": 1, "DepCoPar (3 1)": 1}
    assert counts("DepCoPar", SENTENCE.replace("conj", "nmod")) == {}


def test_lengths_of_conjuncts():
    """old dogs has two words, cats one without its conjunction; with cats last of three, the pairs are -1 and 0."""
    assert counts("DepCoLenPar") == {"DepCoLenPar (-1)": 1}
    three = "old/2/amod/ADJ dogs/0/root/NOUN cats/2/conj:x/NOUN and/5/cc/CCONJ cows/2/conj/NOUN"
    assert counts("DepCoLenPar", three) == {"DepCoLenPar (-1)": 1, "DepCoLenPar (0)": 1}


def test_fragments():
    """Six words have a head that is a word; sleep has dogs before it, and here and the mark after it."""
    numbers = counts("DepNGramTree")
    assert numbers["DepNGramTree:down (root VERB NOUN right left)"] == 1
    assert numbers["DepNGramTree:down (VERB NOUN ADJ left left)"] == 1
    assert sum(number for name, number in numbers.items() if ":down" in name) == 6
    beside = {name: number for name, number in numbers.items() if ":beside (VERB right" in name}
    assert beside == {f"DepNGramTree:beside (VERB right {pair})": 1 for pair in ("_ ADV", "ADV PUNCT", "PUNCT _")}


def test_nearest_dependents_come_first():
    numbers = counts("DepNGramTree", "the/3/det/DET old/3/amod/ADJ dog/0/root/NOUN")
    assert "DepNGramTree:beside (NOUN left _ ADJ)" in numbers
    assert "DepNGramTree:beside (NOUN left ADJ DET)" in numbers


@pytest.mark.parametrize("name", classes_of("dependency"))
def test_every_class_takes_one_word_and_crossing_arcs(name):
    for text in ("yes/0/root/INTJ", "a/3/x/A b/4/x/B c/0/root/C d/3/x/D", "a/0/root/A b/0/root/B"):
        numbers = counts(name, text)
        assert all(number == int(number) and number >= 0 for number in numbers.values()) or name == "DepScore"


def test_classes_are_for_one_kind_of_parses():
    assert [name for form in ("constituency", "dependency", "generic") for name in classes_of(form)] == list(CLASSES)
    assert list(classes_of("generic")) == ["Score", "Given"]


def test_extraction_of_dependency_lists():
    """Two sentences with the same two trees: NOUN is object of VERB in one, and subject in the other."""
    gold = conllu(*["dogs/2/nsubj/NOUN sleep/0/root/VERB"] * 2)
    block = "# rank = {}\n# score = {}\n" + gold.split("\n\n")[0] + "\n\n"
    text = (block.format(1, -1) + block.format(2, -3).replace("nsubj", "obj")) * 2
    lists = read_k_best(io.StringIO(text), "lists", io.StringIO(gold), "gold")
    features = extract(lists, ["DepScore", "DepTags"], least=2)
    relations = [f"DepTags:relation (VERB NOUN left {relation})" for relation in ("nsubj", "obj")]
    assert list(features.names) == ["DepScore", *relations]
    differences = features.matrix.toarray()[1::2] - features.matrix.toarray()[::2]
    assert differences.tolist() == [[2, -1, 1]] * 2


def test_given_features():
    candidate = Candidate(-1.5, Record({"lm": -3.0, "length": 2.0}))
    assert CLASSES["Given"].extract(candidate) == {("", "lm"): -3.0, ("", "length"): 2.0}
    assert CLASSES["Score"].extract(candidate) == {("",): 1.5}
    assert CLASSES["Given"].show(("", "lm")) == "Given (lm)"
