"""Laws of all kinds of grammars: every sentence gets a tree of its words, always the same one."""

import io
import os
from functools import cache
from pathlib import Path

import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics.structures.constituency import COLUMNS, count
from nlpsig_core.data.readers import brackets
from nlpsig_core.laboratory.grammars import GRAMMARS, read_trees, text_of, train
from tests.laboratory.grammars.test_markovised import made_up as made_up_trees

KINDS = sorted(GRAMMARS)
ONE = "(S1 (S (NP (DT the) (NN cat)) (VP (VBD slept)) (. .)))"
REAL = Path(os.environ.get("NLPSIG_REAL_DATA", "/nowhere")) / "lab.trees" / "wsj.train.mrg.gz"


@cache
def made_up():
    """A treebank of the made-up language: 100 sentences to learn from, 20 others."""
    treebank = read_trees("\n".join(map(str, made_up_trees(120))))
    return treebank.take(range(100)), treebank.take(range(100, 120))


def f1(gold, trees):
    """EVALB's F1 with the rules of Collins, by the product's metric; no sentence may be lost."""
    gold_trees = brackets.read_gold_trees([(io.StringIO(text_of(gold)), "gold.mrg")])
    counts = count(gold_trees, brackets.read_trees(io.StringIO(text_of(trees)), "output"))
    totals = dict(zip(COLUMNS, counts.sum(axis=0).tolist(), strict=True))
    assert totals["errors"] == 0
    return 200 * totals["matched"] / (totals["gold_brackets"] + totals["test_brackets"])


def test_the_registry_names_its_entries():
    assert {"markovised", "split-merge", "lexicalised"} == set(GRAMMARS)
    assert all(kind.what and kind.source for kind in GRAMMARS.values())


@pytest.fixture(scope="module", params=KINDS)
def trained(request):
    return request.param, train(request.param, made_up()[0])


def test_trees_of_new_sentences(trained):
    """Most brackets of other sentences of the made-up language are found."""
    _, parser = trained
    gold = made_up()[1].trees
    trees = parser.parse(made_up()[1].sentences)
    assert [tree.words for tree in trees] == [tree.words for tree in gold]
    assert {tree.label for tree in trees} == {"S1"}
    assert f1(gold, trees) > 60


def test_the_same_treebank_and_seed_give_the_same_trees(trained):
    kind, parser = trained
    sentences = made_up()[1].sentences[:8]
    again = train(kind, made_up()[0])
    assert text_of(again.parse(sentences)) == text_of(parser.parse(sentences))


def test_no_sentence_is_too_strange(trained):
    """Unknown words, punctuation alone, one word, words in any order, and more words than charts are made for."""
    _, parser = trained
    known = made_up()[0].sentences[0]
    sentences = [["Zyx", "qwrt", "!!"], ["."], [known[0]], known[::-1] * 2, [*known, "?", "("], ["long"] * 130]
    trees = parser.parse(sentences)
    assert [tree.words for tree in trees] == sentences


@pytest.mark.parametrize("kind", KINDS)
def test_a_treebank_of_one_sentence(kind):
    parser = train(kind, read_trees(ONE))
    first, other, short = parser.parse([["the", "cat", "slept", "."], ["the", "dog", "barked", "."], ["cat"]])
    assert str(first) == ONE
    assert str(other) == ONE.replace("cat", "dog").replace("slept", "barked")
    assert short.words == ["cat"]


def test_a_resampled_treebank(trained):
    """Every sentence twice: no word occurs once, but unknown words are parsed as well as by the treebank itself."""
    kind, parser = trained
    treebank, other = made_up()
    twice = train(kind, treebank.take([*range(100), *range(100)]))
    scores = [f1(other.trees, made.parse(other.sentences)) for made in (parser, twice)]
    assert scores[1] > scores[0] - 4


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_is_never_parsed_as_punctuation(kind):
    """Of the rare words that teach unknown ones, all but one are punctuation."""
    text = "(S1 (S (NN a) (: --) (. ?) (, ;) (: ...) (NN a)))\n(S1 (S (NN a) (: :) (NN b) (. .)))"
    (tree,) = train(kind, read_trees(text)).parse([["a", ":", "--x", "."]])
    assert [tag.label for tag in tree.tags] == ["NN", ":", "NN", "."]


def test_bad_requests():
    with pytest.raises(ChoiceError, match=r"No grammar called 'x'\. Available: lexicalised, markovised, split-merge"):
        train("x", read_trees(ONE))
    with pytest.raises(ChoiceError, match="at least one tree; this one has none"):
        read_trees(ONE).take([])
    with pytest.raises(ChoiceError, match="Sentence 2 has no words"):
        train("markovised", read_trees(ONE)).parse([["a"], []])


@pytest.mark.skipif(not REAL.exists(), reason="NLPSIG_REAL_DATA has no treebanks")
@pytest.mark.parametrize(("kind", "least"), [("markovised", 60), ("lexicalised", 62), ("split-merge", 62)])
def test_on_a_real_treebank(kind, least):
    """Trained on 600 sentences of the Wall Street Journal, tried on short ones of the next 100."""
    treebank = read_trees(REAL)
    gold = [tree for tree in treebank.trees[600:700] if tree.end <= 15]
    options = {"cycles": 2} if kind == "split-merge" else {}
    trees = train(kind, treebank.take(range(600)), **options).parse([tree.words for tree in gold])
    assert f1(gold, trees) > least
