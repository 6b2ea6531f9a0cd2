"""What the makers of sample tasks do to single sentences, by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.laboratory.parsers.treebank import projective
from nlpsig_core.laboratory.synthesis.language.grammar import language_of, positions
from nlpsig_core.laboratory.synthesis.language.parallel import Twins, languages_of, make_twins
from nlpsig_core.laboratory.synthesis.language.treebank import Contraction, Sentence, Word, stream
from nlpsig_core.laboratory.synthesis.language.wording import Thesaurus, Wording, lines, plain
from nlpsig_core.laboratory.synthesis.makers.alignment import (
    METHODS,
    forward,
    grow_diagonal,
    pharaoh,
    reverse,
    sentence_pair,
)
from nlpsig_core.laboratory.synthesis.makers.entities import consistent, wrong_tag
from nlpsig_core.laboratory.synthesis.makers.phrasing import phrase_structure
from nlpsig_core.laboratory.synthesis.makers.summaries import about_something, path
from nlpsig_core.laboratory.synthesis.makers.tasks import truth_table
from nlpsig_core.laboratory.synthesis.makers.translation import fault, moved, swap, translation
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions
from nlpsig_core.laboratory.synthesis.systems.entrants import Single
from nlpsig_core.laboratory.synthesis.systems.parses import is_above

LANGUAGE = language_of(0, 0)
NOUNS, VERBS = LANGUAGE.stems["NOUN"], LANGUAGE.stems["VERB"]
THESAURUS = Thesaurus(LANGUAGE)
VERB = VERBS[2] + "are"

# "Na lo N0-um V2-a N4-en ." with na and lo in one token: "to the house comes a man"
SENTENCE = Sentence(
    words=(
        Word(form="Na", lemma="na", upos="ADP", feats="_", head=3, relation="case"),
        Word(form="lo", lemma="lo", upos="DET", feats="Definite=Def|PronType=Art", head=3, relation="det"),
        Word(form=NOUNS[0] + "um", lemma=NOUNS[0], upos="NOUN", feats="Case=Dat|Number=Sing", head=4, relation="obl"),
        Word(form=VERBS[2] + "a", lemma=VERB, upos="VERB", feats="Tense=Pres|VerbForm=Fin", head=0, relation="root"),
        Word(
            form=NOUNS[4] + "en",
            lemma=NOUNS[4],
            upos="NOUN",
            feats="Case=Acc|Number=Sing",
            head=4,
            relation="obj",
            space_after=False,
        ),
        Word(form=".", lemma=".", upos="PUNCT", feats="_", head=4, relation="punct"),
    ),
    contractions=(Contraction(1, 2, "No"),),
    domain="news",
    document=1,
    opens=True,
)


def test_plain_text_has_its_spaces():
    assert plain(["va", ",", "«", "no", "(", "3", ")", "»", "!"]) == "Va, «no (3)»!"
    assert lines(["a", "b"]) == "a\nb\n"


def test_a_word_in_other_words():
    """Stems mean the same in pairs: 0 and 1, 2 and 3. An ending is kept by a synonym, changed by a slip."""
    noun = THESAURUS.wording(SENTENCE.words[2], first=False)
    assert noun == Wording(NOUNS[0], "um", "NOUN")
    assert str(THESAURUS.synonym(noun)) == NOUNS[1] + "um"
    assert THESAURUS.synonym(THESAURUS.synonym(noun)) == noun
    assert str(THESAURUS.misinflected(noun, 0.0)) == NOUNS[0]
    assert str(THESAURUS.replaced(noun, 0.5)) == NOUNS[len(NOUNS) // 4] + "um"
    assert THESAURUS.wording(SENTENCE.words[3], first=False) == Wording(VERBS[2], "a", "VERB")
    assert THESAURUS.wording(SENTENCE.words[0], first=True) == Wording("na", "", "ADP")
    name = Wording(LANGUAGE.stems["PROPN"][0], "", "PROPN")
    assert THESAURUS.synonym(name) == name


TWIN = Twins(SENTENCE._replace(words=tuple(w._replace(form=f"s{i}") for i, w in enumerate(SENTENCE.words))), SENTENCE,
             tuple((i, i) for i in range(1, 7)))  # fmt: skip
PLAIN = [False] * 6


@pytest.mark.parametrize(
    ("number", "kind", "expected"),
    [
        (2, 0.0, ["na", "lo", NOUNS[0], VERBS[2] + "a", NOUNS[4] + "en", "."]),  # ending
        (2, 0.5, ["na", "lo", NOUNS[0] + "um", VERBS[2] + "a", NOUNS[4] + "en", "."]),  # the word with draw 0
        (4, 0.7, ["na", "lo", NOUNS[0] + "um", VERBS[2] + "a", "."]),  # left out
        (4, 0.85, ["na", "lo", NOUNS[0] + "um", VERBS[2] + "a", "s4", "."]),  # untranslated
        (2, 0.95, ["na", "lo", VERBS[2] + "a", NOUNS[0] + "um", NOUNS[4] + "en", "."]),  # order
        (4, 0.95, ["na", "lo", NOUNS[0] + "um", VERBS[2] + "a", NOUNS[4] + "en", "."]),  # never behind the last
        (1, 0.8, ["na", "lo", LANGUAGE.closed["the"], NOUNS[0] + "um", VERBS[2] + "a", NOUNS[4] + "en", "."]),
        (5, 0.1, ["na", "lo", NOUNS[0] + "um", VERBS[2] + "a", NOUNS[4] + "en"]),
        (5, 0.5, ["na", "lo", NOUNS[0] + "um", VERBS[2] + "a", NOUNS[4] + "en", "."]),
    ],
)
def test_each_fault_of_a_translation(number, kind, expected):
    assert translation(THESAURUS, TWIN, PLAIN, {number: [kind, 0.0]}) == plain(expected)


def test_a_translation_in_other_words():
    assert translation(THESAURUS, TWIN, [False] * 4 + [True, False], {}).endswith(f" {NOUNS[5]}en.")


def test_a_translation_is_never_empty():
    oh = Sentence((Word(form="Oh", lemma="oh", upos="INTJ", feats="_", head=0, relation="root"),))
    assert translation(THESAURUS, Twins(oh, oh, ((1, 1),)), [False], {0: [0.0, 0.0]}) == "Oh"
    assert fault("INTJ", 0.0) == "left out"


def test_an_adjunct_comes_first():
    """The object is none; of "V O with a friend" the last three words, adjunct of the root, move to the front."""
    words = [("V", 0, "root"), ("O", 1, "obj"), ("with", 5, "case"), ("a", 5, "det"), ("friend", 1, "obl")]
    sentence = Sentence(
        tuple(Word(form=f, lemma=f, upos="X", feats="_", head=head, relation=relation) for f, head, relation in words)
    )
    assert moved(sentence, [True] * 5) == [2, 3, 4, 0, 1]
    assert moved(sentence, [True] * 4 + [False]) == [0, 1, 2, 3, 4]
    order = [0, 1, 2]
    swap(order, 0)
    assert order == [1, 0, 2]


def test_twins_say_the_same_in_two_languages():
    """Linked words have the same class, relation and features, hang on linked heads, and have stems of one number."""
    here, there = languages_of(5, 1, 0)
    glosses = [{form: gloss for gloss, form in language.closed.items()} for language in (here, there)]
    twins = make_twins(5, 1, 0, 300)
    for twin in twins:
        goal = dict(twin.links)
        assert len(goal) > 0.8 * len(twin.source.words)
        for i, j in twin.links:
            one, other = twin.source.words[i - 1], twin.target.words[j - 1]
            assert one[2:4] == other[2:4]
            assert one.relation == other.relation
            assert goal.get(one.head, other.head) == other.head
            if one.lemma in glosses[0] and one.upos not in ("NOUN", "VERB", "ADJ", "ADV", "PROPN"):
                assert glosses[0][one.lemma] == glosses[1][other.lemma]
            if one.upos in ("NOUN", "ADJ", "PROPN"):
                places = [language.stems[one.upos].index(w.lemma) for language, w in [(here, one), (there, other)]]
                assert places[0] == places[1]
    assert any(i != j for twin in twins for i, j in twin.links)


def test_gold_links_by_hand():
    """The source has no article: its noun may be linked to that of the target, whose token is the preposition's."""
    source = SENTENCE._replace(contractions=())
    twin = Twins(source, SENTENCE, tuple((i, i) for i in range(1, 7)))

    class Sure:
        def random(self):
            return 1.0

    pair = sentence_pair(twin, Sure())
    assert pair.source == ["Na", NOUNS[0] + "um", VERBS[2] + "a", NOUNS[4] + "en", "."]
    assert pair.target == ["No", NOUNS[0] + "um", VERBS[2] + "a", NOUNS[4] + "en", "."]
    assert pair.sure == {(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)}
    assert pair.possible == {(1, 0)}
    assert pharaoh([pair.sure], [pair.possible]) == "0-0 1p0 1-1 2-2 3-3 4-4\n"
    assert pharaoh([pair.sure, set()]) == "0-0 1-1 2-2 3-3 4-4\n\n"


def decisions(right, missed, step):
    """Decisions on six words with the same draws for all."""
    flags = np.array(right)
    return Decisions(
        single=Single(name="a", group="a", quality=1.0, tokeniser=""),
        margin=np.where(flags, 1.0, -1.0),
        chance=flags,
        tags=flags[None],
        choices=np.stack([np.full(6, missed), np.full(6, step), np.zeros(6)]),
    )


def test_directions_by_hand():
    """Right on all: gold links, sure before possible. Wrong on the noun (third word, second token): no link, or one
    to the token before it."""
    pair = sentence_pair(Twins(SENTENCE, SENTENCE, tuple((i, i) for i in range(1, 7))), stream(0))
    gold = {(i, i) for i in range(5)}
    assert forward(pair, decisions([True] * 6, 0, 0), 0) == reverse(pair, decisions([True] * 6, 0, 0), 0) == gold
    wrong = [True, True, False, True, True, True]
    assert forward(pair, decisions(wrong, 0.1, 0), 0) == reverse(pair, decisions(wrong, 0.1, 0), 0) == gold - {(1, 1)}
    assert forward(pair, decisions(wrong, 0.9, 0), 0) == gold - {(1, 1)} | {(0, 1)}
    assert reverse(pair, decisions(wrong, 0.9, 0), 0) == gold - {(1, 1)} | {(1, 0)}


def test_growing_by_hand():
    """Agreed: 0-0 and 3-3. 1-1 lies diagonal to 0-0 and is added, then 2-2 beside it. 0-1 has two linked words by
    then, 5-0 lies beside nothing."""
    one, other = {(0, 0), (3, 3), (1, 1), (5, 0)}, {(0, 0), (3, 3), (2, 2), (3, 2)}
    assert METHODS["intersection"](one, other) == {(0, 0), (3, 3)}
    assert METHODS["union"](one, other) == one | other
    assert grow_diagonal(one, other) == {(0, 0), (1, 1), (2, 2), (3, 3)}
    assert grow_diagonal({(0, 1)}, {(1, 0)}) == set()


links = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


@given(links, links)
def test_grown_links_lie_between_both_and_either(one, other):
    """Every link beside the agreed ones has a word without an agreed link, and none could be added."""
    grown = grow_diagonal(one, other)
    assert one & other <= grown <= one | other
    for i, j in (one | other) - grown:
        beside = any((i + a, j + b) in grown for a, b in itertools.product((-1, 0, 1), repeat=2))
        assert not beside or (i in {a for a, _ in grown} and j in {b for _, b in grown})


def test_phrase_structure_by_hand():
    """The oblique precedes its verb, which makes it a part of the clause; the object is a part of the verb phrase."""
    a, b, c = NOUNS[0] + "um", VERBS[2] + "a", NOUNS[4] + "en"
    tree = f"(TOP (S (PP (IN Na) (NP (DT lo) (NN {a}))) (VP (VBP {b}) (NP (NN {c}))) (. .)))"
    assert str(phrase_structure(SENTENCE.words, [False] * 6)) == tree
    assert str(phrase_structure(SENTENCE.words, [True] * 6)) == tree.replace(f"(NP (NN {c}))", f"(NN {c})")


@pytest.mark.parametrize(
    ("words", "tree"),
    [
        ("Oh/INTJ/3/discourse ,/PUNCT/1/punct run/VERB/0/root", "(TOP (S (INTJ (UH Oh)) (, ,) (VP (VBP run))))"),
        ("Oh/INTJ/0/root !/PUNCT/1/punct", "(TOP (INTJ (UH Oh) (. !)))"),
        ("red/ADJ/2/amod cow/NOUN/0/root", "(TOP (NP (JJ red) (NN cow)))"),
        (
            "cow/NOUN/4/nsubj was/AUX/4/cop very/ADV/4/advmod red/ADJ/0/root",
            "(TOP (S (NP (NN cow)) (VP (VBP was) (ADJP (ADVP (RB very)) (JJ red)))))",
        ),
        (
            "I/PRON/4/nsubj do/AUX/4/aux not/PART/4/advmod go/VERB/0/root and/CCONJ/7/cc I/PRON/7/nsubj be/VERB/4/conj",
            "(TOP (S (S (NP (PRP I)) (VP (VBP do) (VP (RB not) (VBP go)))) (CC and) (S (NP (PRP I)) (VP (VBP be)))))",
        ),
        (
            "cow/NOUN/0/root (/PUNCT/3/punct Bo/PROPN/1/appos )/PUNCT/3/punct",
            "(TOP (NP (NP (NN cow)) (PRN (-LRB- -LRB-) (NP (NNP Bo)) (-RRB- -RRB-))))",
        ),
        (
            "say/VERB/0/root that/SCONJ/3/mark come/VERB/1/ccomp",
            "(TOP (S (VP (VBP say) (SBAR (IN that) (S (VP (VBP come)))))))",
        ),
    ],
)
def test_phrases_by_hand(words, tree):
    rows = [word.split("/") for word in words.split()]
    sentence = [
        Word(form=form, lemma=form, upos=upos, feats="_", head=int(head), relation=relation)
        for form, upos, head, relation in rows
    ]
    assert str(phrase_structure(sentence, [False] * len(rows))) == tree


@st.composite
def trees(draw):
    """Heads of a tree in which every word hangs on one that stands earlier in a random order."""
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place, number in enumerate(order[1:], start=1):
        heads[number - 1] = order[draw(st.integers(0, place - 1))]
    return heads


def between(number, head):
    """The words between two words."""
    return range(min(number, head) + 1, max(number, head))


@given(trees())
def test_no_arcs_cross_and_every_word_keeps_those_above_it(heads):
    """An arc only moves up: the new head stood above the word before. Trees without crossings stay as they are."""
    result = projective(heads)
    crossing = [n for n, h in enumerate(heads, 1) if h and any(not is_above(heads, h, o) for o in between(n, h))]
    assert crossing or result == heads
    for number, head in enumerate(result, start=1):
        assert (head == 0) == (heads[number - 1] == 0)
        if head:
            assert is_above(heads, head, heads[number - 1])
            assert all(is_above(result, head, other) for other in between(number, head))


POS = (
    "NOUN",
    "VERB",
    "ADJ",
    "ADV",
    "AUX",
    "PRON",
    "PROPN",
    "DET",
    "ADP",
    "PUNCT",
    "CCONJ",
    "SCONJ",
    "NUM",
    "PART",
    "INTJ",
)
LABELS = ("nsubj", "obj", "cop", "aux", "case", "mark", "det", "amod", "conj", "appos", "acl", "flat", "nmod", "punct")


@given(trees(), st.data())
def test_every_tree_has_a_phrase_structure_over_its_words(heads, data):
    words = [
        Word(
            form=str(i),
            lemma=str(i),
            upos=data.draw(st.sampled_from(POS)),
            feats=data.draw(st.sampled_from(["_", "PronType=Rel"])),
            head=head,
            relation=data.draw(st.sampled_from(LABELS)) if head else "root",
        )
        for i, head in enumerate(heads)
    ]
    tree = phrase_structure(words, data.draw(st.lists(st.booleans(), min_size=len(heads), max_size=len(heads))))
    assert leaves(tree) == [word.form for word in words]


def leaves(tree):
    return [tree.token] if tree.token else [token for child in tree.children for token in leaves(child)]


def test_wrong_tags_by_hand():
    name, noun = (
        Word(form="Bo", lemma="Bo", upos="PROPN", feats="_", head=0, relation="root"),
        Word(form="tor", lemma="tor", upos="NOUN", feats="_", head=1, relation="nmod"),
    )
    assert wrong_tag(name, "B-PER", "O", [0.1, 0, 0]) == "O"
    assert wrong_tag(name, "B-PER", "O", [0.6, 0, 0]) == "B-ORG"
    assert wrong_tag(name, "B-PER", "O", [0.9, 0, 0]) == "I-PER"
    assert wrong_tag(name, "I-LOC", "B-LOC", [0.9, 0, 0]) == "B-LOC"
    assert wrong_tag(noun, "O", "B-LOC", [0.1, 0, 0]) == "I-LOC"
    assert wrong_tag(noun, "O", "O", [0.1, 0, 0]) == "O"
    assert wrong_tag(noun._replace(form="Tor"), "O", "O", [0.1, 0.9, 0]) == "B-PER"
    assert consistent(["I-PER", "I-PER", "O", "I-LOC", "I-ORG"]) == ["B-PER", "I-PER", "O", "B-LOC", "B-ORG"]


def test_places_by_hand():
    """Documents of 2 to 3 sentences, the last cut short where there are enough."""
    found = list(positions(6, np.random.default_rng(0), 2, 3))
    assert [place.opens for place in found] == [True, False, False, True, False, True]
    assert [place.document for place in found] == [1, 1, 1, 2, 2, 3]


def test_a_document_is_about_something():
    topic = about_something(LANGUAGE, stream(1))
    assert {upos: len(stems) for upos, stems in topic.stems.items()} == {
        "NOUN": 42, "VERB": 20, "ADJ": 14, "ADV": 5, "PROPN": 12
    }  # fmt: skip
    assert set(topic.stems["NOUN"]) < set(NOUNS)


def test_the_root_is_never_left_out():
    assert list(path(SENTENCE.words, 1)) == [1, 3]
    assert list(path(SENTENCE.words, 4)) == []


def test_truth_by_hand():
    """Chances of 0.25, 0.75 and 0.5: 50%; of the last two words, those that decide, 62.5%."""
    sure = Decisions(
        single=Single(name="b", group="g", quality=1.5, tokeniser=""),
        margin=np.ones(3),
        chance=np.array([0.25, 0.75, 0.5]),
        tags=np.ones((1, 3)),
        choices=np.ones((3, 3)),
    )
    header = "system\tquality\texpected_right\tnote\n"
    assert truth_table([sure], {"a": "voted"}, None) == f"{header}a\t\t\tvoted\nb\t1.5000\t50.00\t\n"
    assert truth_table([sure], {}, np.array([1, 2])) == f"{header}b\t1.5000\t62.50\t\n"
