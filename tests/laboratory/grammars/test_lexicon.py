"""Tags of words: rare words by distinct sentences, and punctuation."""

import pytest

from nlpsig_core.laboratory.grammars.lexicon import Lexicon

SENTENCES = [
    [("DT", "the"), ("NN", "dog"), ("VBD", "slept"), (".", ".")],
    [("DT", "the"), ("NN", "cat"), (":", "--"), ("VBD", "ran"), (".", ".")],
    [("DT", "the"), ("NNS", "dogs"), ("POS", "'"), ("NN", "bed"), ("''", "'"), (".", "."), ("$", "$")],
]


def test_repeats_of_a_sentence_teach_nothing_about_its_words():
    """Drawn three times, a word of one sentence is still rare, and unknown words have the same tags as before."""
    once, repeated = Lexicon(SENTENCES), Lexicon([*SENTENCES, SENTENCES[0], SENTENCES[0]])
    assert repeated.words["slept"].total() == 3
    for word in ("slept", "leapt", "Zebra", "cats"):
        assert repeated.shares(word) == once.shares(word)
    assert len(repeated.shares("slept")) > 1
    assert set(repeated.shares("the")) == {"DT"}


def test_a_word_is_never_punctuation():
    lexicon = Lexicon(SENTENCES)
    for word in ("slept", "x--", "4", "unknown", "%", "$", "++"):
        assert set(lexicon.shares(word)).isdisjoint({".", ":", "''"})


def test_punctuation_is_never_a_word():
    lexicon = Lexicon(SENTENCES)
    assert set(lexicon.shares(".")) == {"."}
    assert set(lexicon.shares("--")) == {":"}
    assert set(lexicon.shares("'")) == {"POS", "''"}
    assert set(lexicon.shares("--", smooth=True)) == {":"}


def test_an_unknown_mark_is_punctuation():
    """Of the punctuation, 3 are ".", 1 is "--" and 1 is "'"."""
    assert Lexicon(SENTENCES).shares("?!") == {".": 3 / 5, ":": 1 / 5, "''": 1 / 5}
    assert set(Lexicon([[("NN", "dog")]]).shares("?")) == {"NN"}


def test_annotated_punctuation_is_punctuation():
    lexicon = Lexicon([[(".^S", "."), ("NN^NP", "dog")]])
    assert set(lexicon.shares("cat")) == {"NN^NP"}
    assert set(lexicon.shares(".")) == {".^S"}


def test_a_treebank_of_nothing_but_punctuation_has_a_tag_for_every_word():
    assert set(Lexicon([[(".", ".")]]).shares("cat")) == {"."}


def test_smoothing_gives_a_known_word_other_tags():
    """ "the" is DT alone; smoothed, (c + P(tag | ending)) / (3 + 1)."""
    shares = Lexicon(SENTENCES).shares("the", smooth=True)
    assert shares["DT"] == pytest.approx(3 / 4)
    assert len(shares) > 1
