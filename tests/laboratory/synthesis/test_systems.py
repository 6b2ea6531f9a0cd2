"""What systems make of a treebank: exactly the chosen words are wrong, and sentences stay trees of the same text."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import tokens
from nlpsig_core.laboratory.synthesis.makers.alignment import METHODS, grow_diagonal
from nlpsig_core.laboratory.synthesis.makers.entities import consistent, wrong_tag
from nlpsig_core.laboratory.synthesis.makers.translation import fault, moved, swap
from nlpsig_core.laboratory.synthesis.systems.decisions import RELATIONS, all_decisions, rate
from nlpsig_core.laboratory.synthesis.systems.entrants import TAIL, enter, group_sizes
from nlpsig_core.laboratory.synthesis.systems.parses import mistagged, parsed, wrong_parse
from nlpsig_core.laboratory.synthesis.systems.tokenisation import tokenised
from tests.laboratory.synthesis.test_language import sentence

TREEBANK = make_treebank(3, 0, 200, longest=25)


def is_tree(words):
    """Whether every word reaches the one root."""
    for number in range(1, len(words) + 1):
        for _ in words:
            number = words[number - 1].head if number else 0
        if number:
            return False
    return [word.relation == "root" for word in words] == [word.head == 0 for word in words]


@settings(max_examples=100)
@given(st.integers(0, 199), st.integers(0, 2**32), st.floats(0, 1))
def test_exactly_the_chosen_words_are_wrong(which, seed, share):
    """Only a root that is wrong alone stays right, for lack of another one."""
    gold, generator = TREEBANK[which], np.random.default_rng(seed)
    wrong = {n: generator.random(3).tolist() for n in range(1, len(gold.words) + 1) if generator.random() < share}
    parse = wrong_parse(gold, wrong)
    before, after = ([(w.head, w.relation.split(":")[0]) for w in s.words] for s in (gold, parse))
    assert is_tree(parse.words)
    lone_root = set(wrong) == {gold.heads.index(0) + 1}
    changed = {n for n, pair in enumerate(zip(before, after, strict=True), start=1) if pair[0] != pair[1]}
    assert changed == (set() if lone_root else set(wrong))


def test_confusions_are_wrong_whatever_the_subtype():
    for name, relation in RELATIONS.items():
        others = {other.split(":")[0] for other in relation.confusions}
        assert not others & {name, "root"}
        assert others <= set(RELATIONS)


@pytest.mark.parametrize("fault", ["unsplit", "glue", "break", "join"])
def test_each_fault_of_a_tokeniser(fault):
    """Characters stay and sentences stay trees; the faults are the same whatever the trees."""
    rates = dict.fromkeys(["unsplit", "glue", "break", "join"], 0.0)
    assert [s.words for s in tokenised(TREEBANK, rates, np.random.default_rng(1))] == [s.words for s in TREEBANK]
    rates[fault] = 0.4
    flat = [s._replace(words=tuple(w._replace(head=int(i > 0)) for i, w in enumerate(s.words))) for s in TREEBANK]
    made, other = (tokenised(bank, rates, np.random.default_rng(1)) for bank in (TREEBANK, flat))
    assert all(is_tree(s.words) for s in made)
    forms = [[form for form, _ in tokens(s)] for s in made]
    assert forms == [[form for form, _ in tokens(s)] for s in other]
    assert [len(s.words) for s in made] != [len(s.words) for s in TREEBANK]
    assert "".join(itertools.chain(*forms)) == "".join(form for s in TREEBANK for form, _ in tokens(s))


def test_combinations_are_right_where_their_voters_are_on_average():
    entrants = enter(4, 6, 2, 1, False, False, TAIL)
    bank = rate(TREEBANK, 4)
    *singles, joint = all_decisions(bank, entrants, 4)
    votes = np.array([singles[i].margin for i in entrants.combinations[0].voters])
    assert np.allclose(joint.margin, votes.mean(axis=0))
    assert joint.right.mean() > (votes > 0).mean()
    assert [len(s.words) for s in parsed(bank, joint)] == [len(s.words) for s in TREEBANK]


def test_systems_are_as_good_as_expected():
    """With one quality, 2,600 words and taste in common: the share of right words is within 0.03 of its expectation."""
    bank = rate(TREEBANK, 4)
    for decisions in all_decisions(bank, enter(4, 6, 2, 0, False, False, TAIL), 4):
        assert decisions.right.mean() == pytest.approx(decisions.chance.mean(), abs=0.03)


def test_wrong_tags_have_no_features_of_the_right_one():
    word = sentence("lo/NOUN/0/root").words[0]._replace(feats="Case=Acc|Number=Sing")
    assert mistagged(word, True, False, True)[1:4] == ("lo", "NOUN", "Case=Nom|Number=Sing")
    assert mistagged(word, False, False, False)[1:4] == ("l", "ADJ", "_")


@pytest.mark.parametrize(("systems", "groups"), [(24, 9), (5, 3), (1, 1), (30, 3), (7, 7)])
def test_group_sizes_add_up(systems, groups):
    sizes = group_sizes(systems, groups)
    assert sum(sizes) == systems
    assert 1 <= min(sizes) <= max(sizes) <= max(5, -(-systems // groups))


def test_growing_by_hand():
    """Agreed: 0-0 and 3-3. 1-1 lies diagonal to 0-0 and is added, then 2-2 beside it. 0-1 has two linked words by
    then, 5-0 lies beside nothing."""
    one, other = {(0, 0), (3, 3), (1, 1), (5, 0)}, {(0, 0), (3, 3), (2, 2), (3, 2)}
    assert METHODS["intersection"](one, other) == {(0, 0), (3, 3)}
    assert METHODS["union"](one, other) == one | other
    assert grow_diagonal(one, other) == {(0, 0), (1, 1), (2, 2), (3, 3)}
    assert grow_diagonal({(0, 1)}, {(1, 0)}) == set()


def test_an_adjunct_comes_first():
    """The object is none; of "V O with a friend" the last three words, adjunct of the root, move to the front."""
    made = sentence("V/VERB/0/root O/X/1/obj with/X/5/case a/X/5/det friend/X/1/obl")
    assert moved(made, [True] * 5) == [2, 3, 4, 0, 1]
    assert moved(made, [True] * 4 + [False]) == [0, 1, 2, 3, 4]
    order = [0, 1, 2]
    swap(order, 0)
    assert order == [1, 0, 2]
    assert [fault("INTJ", 0.0), fault("NOUN", 0.0), fault("PUNCT", 0.5)] == ["left out", "ending", ""]


def test_wrong_entities_by_hand():
    name, noun = sentence("Bo/PROPN/0/root tor/NOUN/1/nmod").words
    assert wrong_tag(name, "B-PER", "O", [0.1, 0, 0]) == "O"
    assert wrong_tag(name, "B-PER", "O", [0.6, 0, 0]) == "B-ORG"
    assert wrong_tag(name, "B-PER", "O", [0.9, 0, 0]) == "I-PER"
    assert wrong_tag(noun, "O", "B-LOC", [0.1, 0, 0]) == "I-LOC"
    assert wrong_tag(noun, "O", "O", [0.1, 0, 0]) == "O"
    assert wrong_tag(noun._replace(form="Tor"), "O", "O", [0.1, 0.9, 0]) == "B-PER"
    assert consistent(["I-PER", "I-PER", "O", "I-LOC", "I-ORG"]) == ["B-PER", "I-PER", "O", "B-LOC", "B-ORG"]
