"""Invented languages and their treebanks: well-formed, varied, and the same meaning in two languages."""

from collections import defaultdict

import conllu
import numpy as np
import pytest

from nlpsig_core.laboratory.synthesis.language.documents import language_of, languages_of, make_treebank, make_twins
from nlpsig_core.laboratory.synthesis.language.lexicon import attach, fused
from nlpsig_core.laboratory.synthesis.language.treebank import (
    Sentence,
    Word,
    conllx,
    gold_conllu,
    plain,
    stream,
    text,
    tokens,
)
from nlpsig_core.laboratory.synthesis.language.wording import Thesaurus, Wording
from nlpsig_core.laboratory.synthesis.makers.constituency import phrase_structure, projective

TREEBANK = make_treebank(3, 0, 300)
LANGUAGE = language_of(0, 0)


def sentence(words: str) -> Sentence:
    """A sentence from words written as form/class/head/relation, with a fifth part for the token with the next word."""
    rows = [word.split("/") for word in words.split()]
    return Sentence(
        tuple(
            Word(form=form, lemma=form, upos=upos, feats="_", head=int(head), relation=relation, surface="".join(token))
            for form, upos, head, relation, *token in rows
        ),
        domain="news",
        document=1,
        opens=True,
    )


TWO_IN_ONE = sentence("Na/ADP/3/case/No lo/DET/3/det kas/NOUN/4/obl piro/VERB/0/root ./PUNCT/4/punct")


def test_words_by_hand():
    """Of two vowels the first goes; in one token the first word loses its vowel, the second its onset."""
    assert [attach("tola", "um"), attach("tol", "um"), attach("tol", "n")] == ["tolum", "tolum", "tolen"]
    assert [fused("na", "lo"), fused("nar", "lo"), fused("pirova", "ti")] == ["no", "naro", "pirovi"]
    assert text(TWO_IN_ONE) == "No kas piro."
    assert tokens(TWO_IN_ONE)[:2] == [("No", range(1, 3)), ("kas", range(3, 4))]
    rows = [line.split("\t") for line in gold_conllu([TWO_IN_ONE]).split("\n")[3:]]
    assert rows[0] == ["1-2", "No", *"________"]
    assert rows[4][-1] == "SpaceAfter=No"
    assert conllx([TWO_IN_ONE], bare=True).startswith("1\tNa\t_\tADP\t_\t_\t3\tcase\t_\t_\n")


def test_plain_text_has_its_spaces():
    assert plain([",", "va", ",", "«", "no", "(", "3", ")", "»", "!"]) == "Va, «no (3)»!"


def test_gold_is_a_varied_treebank():
    """Another reader puts tokens and spaces together as in the comment; every sentence is a tree."""
    labels, crossing, contracted = set(), 0, 0
    for parsed, made in zip(conllu.parse(gold_conllu(TREEBANK)), TREEBANK, strict=True):
        assert parsed.to_tree()
        inside = {
            n for token in parsed if isinstance(token["id"], tuple) for n in range(token["id"][0], token["id"][2] + 1)
        }
        shown = [token for token in parsed if token["id"] not in inside]
        assert "".join(t["form"] + " " * (not t["misc"]) for t in shown).rstrip() == parsed.metadata["text"]
        labels |= {token["deprel"] for token in parsed}
        crossing += projective(made.heads) != made.heads
        contracted += bool(inside)
    assert labels >= {"nmod:poss", "acl:relcl", "ccomp", "xcomp", "advcl", "parataxis", "appos", "flat", "conj"}
    assert 0.02 < crossing / len(TREEBANK) < 0.2
    assert contracted > 50


def test_domains_differ_in_length():
    lengths = defaultdict(list)
    for made in make_treebank(1, 0, 800):
        lengths[made.domain].append(len(made.words))
    assert set(lengths) == {"news", "speech", "letters", "law", "fables"}
    assert np.mean(lengths["law"]) > 1.8 * np.mean(lengths["speech"])


def test_documents_have_the_usual_lengths():
    starts = [i for i, made in enumerate(TREEBANK) if made.opens]
    assert {5, 16} >= {min(np.diff(starts).min(), 5), max(np.diff(starts).max(), 16)}


def test_streams_are_independent_of_each_other():
    assert stream(1, 2).random() == stream(1, 2).random()
    assert len({stream(1).random(), stream(1, 0).random(), stream(1, 1).random(), stream(2).random()}) == 4


def test_a_word_in_other_words():
    """Stems mean the same in pairs: 0 and 1, 2 and 3. An ending is kept by a synonym, changed by a slip."""
    nouns, thesaurus = LANGUAGE.stems["NOUN"], Thesaurus(LANGUAGE)
    word = Word(form=nouns[0] + "um", lemma=nouns[0], upos="NOUN", feats="_", head=0, relation="root")
    noun = thesaurus.wording(word, first=False)
    assert noun == Wording(nouns[0], "um", "NOUN")
    assert str(thesaurus.synonym(noun)) == nouns[1] + "um"
    assert thesaurus.synonym(thesaurus.synonym(noun)) == noun
    assert str(thesaurus.misinflected(noun, 0.0)) == nouns[0]
    assert str(thesaurus.replaced(noun, 0.5)) == nouns[len(nouns) // 4] + "um"
    name = Wording(LANGUAGE.stems["PROPN"][0], "", "PROPN")
    assert thesaurus.synonym(name) == name


def test_twins_say_the_same_in_two_languages():
    """Linked words have the same class, relation and features, hang on linked heads, and have stems of one number."""
    languages = languages_of(5)
    twins = make_twins(5, 200)
    for twin in twins:
        goal = dict(twin.links)
        assert len(goal) == len(set(goal.values())) > 0.7 * len(twin.source.words)
        for i, j in twin.links:
            one, other = twin.source.words[i - 1], twin.target.words[j - 1]
            assert one.upos == other.upos
            if one.upos != "PUNCT":
                assert (one.feats, one.relation) == (other.feats, other.relation)
                assert goal.get(one.head, other.head) == other.head
            if one.upos in ("NOUN", "ADJ", "PROPN"):
                stems = zip(languages, (one, other), strict=True)
                assert len({language.stems[one.upos].index(word.lemma) for language, word in stems}) == 1
        assert all(twin.target.words[j - 1].upos == "DET" for _, j in twin.articles)
    assert any(i != j for twin in twins for i, j in twin.links)


@pytest.mark.parametrize(
    ("words", "tree"),
    [
        ("Oh/INTJ/3/discourse ,/PUNCT/1/punct run/VERB/0/root", "(TOP (S (INTJ (INTJ (UH Oh)) (, ,)) (VP (VBP run))))"),
        ("red/ADJ/2/amod cow/NOUN/0/root", "(TOP (NP (JJ red) (NN cow)))"),
        (
            "cow/NOUN/4/nsubj was/AUX/4/cop very/ADV/4/advmod red/ADJ/0/root ./PUNCT/4/punct",
            "(TOP (S (NP (NN cow)) (VP (VBP was) (ADVP (RB very)) (JJ red)) (. .)))",
        ),
        (
            "go/VERB/0/root and/CCONJ/4/cc I/PRON/4/nsubj be/VERB/1/conj",
            "(TOP (S (VP (VBP go)) (S (CC and) (NP (PRP I)) (VP (VBP be)))))",
        ),
        (
            "cow/NOUN/0/root (/PUNCT/3/punct Bo/PROPN/1/appos )/PUNCT/3/punct",
            "(TOP (NP (NP (NN cow)) (PRN (PRN (-LRB- -LRB-) (NNP Bo)) (-RRB- -RRB-))))",
        ),
        (
            "say/VERB/0/root that/SCONJ/3/mark come/VERB/1/ccomp to/ADP/5/case town/NOUN/3/obl",
            "(TOP (S (VP (VBP say) (SBAR (IN that) (S (VP (VBP come) (PP (IN to) (NP (NN town)))))))))",
        ),
    ],
)
def test_phrases_by_hand(words, tree):
    assert str(phrase_structure(sentence(words))) == tree


def test_brackets_around_single_words_can_be_left_out():
    """The object is one word, which has a bracket of its own unless it is bare."""
    eats = sentence("eats/VERB/0/root hay/NOUN/1/obj")
    assert str(phrase_structure(eats)) == "(TOP (S (VP (VBP eats) (NP (NN hay)))))"
    assert str(phrase_structure(eats, [True, True])) == "(TOP (S (VP (VBP eats) (NN hay))))"


def test_every_tree_has_a_phrase_structure_over_its_words():
    for made in TREEBANK:
        tree = phrase_structure(made)
        assert [word.form for word in made.words if word.form not in "()"] == [
            token for token in leaves(tree) if token not in ("-LRB-", "-RRB-")
        ]


def leaves(tree):
    return [tree.token] if tree.token else [token for child in tree.children for token in leaves(child)]
