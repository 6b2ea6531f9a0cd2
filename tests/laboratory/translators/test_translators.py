"""The registry of translators, what goes in and comes out, and the tuning of weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.laboratory.aligners import encode
from nlpsig_core.laboratory.translators import TRANSLATORS, text_of, train, tune
from nlpsig_core.laboratory.translators.tuning import bleu, bleu_counts
from tests.laboratory.translators.toy import random_bitext

KINDS = pytest.mark.parametrize("kind", TRANSLATORS)
# The verb is last in one language and second in the other.
SOURCE = ["er will das buch lesen", "er will das haus sehen", "er will das haus kaufen", "er will das buch sehen"]
TARGET = [
    "he wants to read the book",
    "he wants to see the house",
    "he wants to buy the house",
    "he wants to see the book",
]
LINKS = [[(0, 0), (1, 1), (2, 4), (3, 5), (4, 3)]] * 4


def verbs():
    return encode([text.split() for text in SOURCE], [text.split() for text in TARGET])


@KINDS
def test_a_new_sentence_is_translated_and_reordered(kind):
    """No pair has "buch kaufen"; the language model and the rules have all of its parts. Jumps cost little here."""
    translator = train(kind, verbs(), LINKS, weights=[0.2, 0.1, 0.1, 0.1, 0.3, 0.4, 0, 0.05])
    assert translator.translate(["er will das buch kaufen".split()]) == ["he wants to buy the book".split()]


@KINDS
def test_what_goes_in_comes_out(kind):
    """Empty sentences stay empty, unknown words are copied, nothing is translated into nothing."""
    translator = train(kind, verbs(), LINKS)
    assert translator.translate([]) == []
    assert translator.translate([[], ["haus"], ["Quark"], []]) == [[], ["house"], ["Quark"], []]
    assert text_of([["the", "house"], [], ["a"]]) == "the house\n\na\n"


@KINDS
def test_a_word_that_no_rule_translates_alone_is_copied(kind):
    """Both words are linked with both: only the pair of them has a rule."""
    translator = train(kind, encode([["guten", "tag"]], [["good", "day"]]), [[(0, 0), (0, 1), (1, 0), (1, 1)]])
    assert translator.translate([["guten", "tag"], ["tag"]]) == [["good", "day"], ["tag"]]


@KINDS
@pytest.mark.parametrize("links", [[[(0, 0)]], [[]]])
def test_one_pair_is_enough(kind, links):
    """Also without links: then there is no rule."""
    translator = train(kind, encode([["haus"]], [["house"]]), links)
    assert translator.translate([["haus"]]) == [["house" if links[0] else "haus"]]


@KINDS
def test_the_same_arguments_give_the_same_translations(kind):
    bitext, links = random_bitext(2, n_pairs=40)
    sentences = list(bitext.source.sentences())
    first, second = (train(kind, bitext, links, seed=seed).translate(sentences) for seed in (0, 1))
    assert first == second
    # Sentences do not depend on those beside them.
    assert [words for s in sentences[:8] for words in train(kind, bitext, links).translate([s])] == first[:8]


@KINDS
def test_repeated_pairs_count_again(kind):
    """A resampled set: what it repeats wins; words that it leaves out are unknown."""
    bitext = encode([["haus"], ["haus"], ["hof"]], [["house"], ["home"], ["yard"]])
    links = [[(0, 0)]] * 3
    for chosen, expected in (([0, 0, 0, 1], "house"), ([0, 1, 1, 1], "home")):
        translator = train(kind, bitext.take(chosen), [links[i] for i in chosen])
        assert translator.translate([["haus"], ["hof"]]) == [[expected], ["hof"]]
        assert "yard" not in translator.target_words


def test_errors_say_what_is_wrong():
    bitext = verbs()
    with pytest.raises(ChoiceError, match=r"No translator called 'neural'\. Available: hierarchical, phrase-based"):
        train("neural", bitext, LINKS)
    with pytest.raises(TaskError, match="links of each pair: 4 pairs, 3 with links"):
        train("phrase-based", bitext, LINKS[:3])
    for link in ((5, 0), (0, 6), (-1, 0), (0, -1)):
        with pytest.raises(TaskError, match=f"Link {link[0]}-{link[1]} of pair 2 is outside of its sentences"):
            train("phrase-based", bitext, [LINKS[0], [(0, 0), link], *LINKS[2:]])
    with pytest.raises(ChoiceError, match="No option of the translator hierarchical called 'distortion'"):
        train("hierarchical", bitext, LINKS, distortion=3)
    with pytest.raises(ChoiceError, match="distortion must be between 0 and 50, not 51"):
        train("phrase-based", bitext, LINKS, distortion=51)
    with pytest.raises(ChoiceError, match="beam must be between 1 and 10000, not 0"):
        train("phrase-based", bitext, LINKS, beam=0)
    with pytest.raises(ChoiceError, match="has 8 weights, which are finite numbers"):
        train("phrase-based", bitext, LINKS, weights=[1, 2])
    with pytest.raises(TaskError, match="as many references as sentences: 0 and 1"):
        tune(train("phrase-based", bitext, LINKS), [["er"]], [])


def test_bleu_by_hand():
    """ "the house is big" and "the house was big": 3 of 4 words, 1 of 3 pairs match, no three words in a row.

    With "a b c d e" for "a b c d x y": 4/5, 3/4, 2/3 and 1/2 match, and 5 words for 6 give exp(1 - 6/5).
    """
    counts = bleu_counts("the house is big".split(), "the house was big".split())
    np.testing.assert_array_equal(counts, [3, 1, 0, 0, 4, 3, 2, 1, 4, 4])
    assert bleu(counts) == 0
    counts = bleu_counts("a b c d e".split(), "a b c d x y".split())
    assert bleu(counts) == pytest.approx(100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25 * np.exp(-1 / 5))
    # A word that is repeated matches as often as the reference has it.
    assert bleu_counts(["a", "a"], ["a"])[0] == 1


@KINDS
def test_tuning_finds_weights_with_a_higher_bleu(kind):
    """From weights that prefer few words; the same seed finds the same."""
    bitext, links = random_bitext(4, n_pairs=40)
    poor = train(kind, bitext, links, weights=[0.2, 0.1, 0.1, 0.1, 0.3, 0.2, 0, 0.3])
    bitext = bitext.take(range(20))
    sources, references = list(bitext.source.sentences()), list(bitext.target.sentences())

    def score(translator) -> float:
        pairs = zip(translator.translate(sources), references, strict=True)
        return bleu(sum(bleu_counts(*pair) for pair in pairs))

    weights = tune(poor, sources, references)
    assert score(replace(poor, weights=weights)) > score(poor) + 5
    again = train(kind, *random_bitext(4, n_pairs=40), bitext, weights=poor.weights)
    np.testing.assert_array_equal(weights, again.weights)
