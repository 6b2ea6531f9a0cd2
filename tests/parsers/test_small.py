"""Parsers that learn: decoding against all trees, the oracle, averaging step by step, and a grammar without doubt."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpsig_core.errors import ChoiceError
from nlpsig_core.parsers import Parse, ParsedSentence
from nlpsig_core.parsers.small import PARSERS, encode, graph, train, transition
from nlpsig_core.parsers.small.arcs import place_of
from nlpsig_core.parsers.small.decoding import best_tree
from nlpsig_core.parsers.small.perceptron import averaged, find_rows, templates, update
from nlpsig_core.parsers.small.relations import classify, learn, most_frequent
from tests.parsers.test_trees import all_trees, crosses

NOUNS, VERBS, ARTICLES = ("cat", "dog", "owl", "fox"), ("sees", "hears", "finds"), ("the", "a")


def toy(number: int, seed: int = 0) -> list[ParsedSentence]:
    """Sentences of a grammar in which tags and sides decide all: [article] noun verb [article] noun [mark]."""
    rng = np.random.default_rng(seed)
    trees = []
    for _ in range(number):
        words: list[tuple[str, str, int, str]] = []
        with_article = rng.random(2) < 0.5
        verb = 2 + int(with_article[0])
        for relation, article in zip(("nsubj", "obj"), with_article, strict=True):
            if article:
                words.append((str(rng.choice(ARTICLES)), "DET", len(words) + 2, "det"))
            words.append((str(rng.choice(NOUNS)), "NOUN", verb, relation))
            if relation == "nsubj":
                words.append((str(rng.choice(VERBS)), "VERB", 0, "root"))
        if rng.random() < 0.5:
            words.append((".", "PUNCT", verb, "punct"))
        trees.append(ParsedSentence(*map(tuple, zip(*words, strict=True))))
    return trees


def parses(trees: list[ParsedSentence]) -> list[Parse]:
    return [Parse(list(tree.heads), list(tree.relations)) for tree in trees]


def decoded(scores: np.ndarray) -> list[int]:
    heads = np.empty(len(scores), np.int64)
    best_tree(scores, heads)
    assert heads[0] == -1
    return heads[1:].tolist()


def total(scores: np.ndarray, heads) -> int:
    return sum(int(scores[head, number]) for number, head in enumerate(heads, start=1))


def test_the_best_tree_of_two_words():
    """Root 1 then 1 -> 2 is 5 + 4 = 9; root 2 then 2 -> 1 is 6 + 2 = 8. Two roots, 5 + 6 = 11, are no choice."""
    assert decoded(np.array([[0, 5, 6], [0, 0, 4], [0, 2, 0]])) == [0, 1]


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_the_best_tree_is_the_best_of_all(size, seed):
    scores = np.random.default_rng(seed).integers(-20, 20, (size + 1, size + 1))
    heads = decoded(scores)
    every = [tree for tree in all_trees(size) if not crosses(tree)]
    assert tuple(heads) in every
    assert total(scores, heads) == max(total(scores, tree) for tree in every)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_projective_tree_is_found_by_its_oracle(size):
    for tree in all_trees(size):
        if not crosses(tree):
            assert followed([-1, *tree]) == list(tree)


def followed(gold: list[int]) -> list[int]:
    """The heads that the oracle's moves make."""
    heads = np.zeros(len(gold), np.int64)
    moves = list(configurations(np.zeros((len(gold), 3), np.uint64), np.array(gold), heads))
    # Each word is shifted once, and all but the last one are taken off.
    assert len(moves) == 2 * (len(gold) - 1) - 1
    return heads[1:].tolist()


def configurations(codes: np.ndarray, gold: np.ndarray, heads: np.ndarray | None = None):
    """What is seen at each move on the oracle's way, its move, and whether arcs and shifts are possible."""
    nodes = len(gold)
    heads = np.zeros(nodes, np.int64) if heads is None else heads
    stack, numbers = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    edges, waiting = np.full((nodes, 2), -1), np.bincount(gold[1:], minlength=nodes)
    size, following = 0, 1
    while following < nodes or size > 1:
        atoms = np.empty(len(transition.ATOMS), np.uint64)
        transition.fill_atoms(codes, stack, size, following, edges, numbers, atoms)
        move = transition.oracle(stack, size, gold, waiting)
        yield atoms, move, (size, following < nodes)
        if move != transition.SHIFT:
            waiting[stack[size - 1 if move == transition.LEFT else size - 2]] -= 1
        size, following = transition.make(move, stack, size, following, heads, edges, numbers)


def test_impossible_moves_are_never_the_best():
    scores = np.array([0, 5, 9])
    assert transition.best_move(scores, 1, True) == transition.SHIFT
    assert transition.best_move(scores, 2, True) == transition.RIGHT
    assert transition.best_move(np.array([9, 1, 0]), 2, False) == transition.LEFT


def test_averages_of_two_steps():
    """A weight of 1 from step 1 on and another of -1 from step 3 on: after 3 steps the sums are 3 and -1."""
    weights, totals = np.zeros((4, 1), np.int64), np.zeros((4, 1), np.int64)
    update(weights, totals, np.array([0]), 0, 1, 1)
    update(weights, totals, np.array([2]), 0, -1, 3)
    assert averaged(weights, totals, 3).ravel().tolist() == [3, 0, -1, 0]


def test_the_graph_parser_averages_what_it_has_after_each_sentence():
    bank = encode(toy(7))
    order = np.array([3, 1, 1, 6, 0, 2, 5, 4, 3])
    weights = np.zeros((graph.ROWS, 1), np.int64)
    summed = np.zeros_like(weights)
    for sentence in order:
        nodes = slice(bank.first[sentence], bank.first[sentence + 1])
        scores = np.zeros((len(bank.codes[nodes]),) * 2, np.int64)
        graph.fill_scores(bank.codes[nodes], weights, graph.TEMPLATES, scores)
        heads = np.array([-1, *decoded(scores)])
        graph.change_arcs(
            bank.codes[nodes], heads, bank.heads[nodes], weights, np.zeros_like(weights), graph.TEMPLATES, 1
        )
        summed += weights
    assert summed.any()
    assert np.array_equal(graph.learn(bank.codes, bank.heads, bank.first, order), summed)


def test_the_transition_parser_averages_what_it_has_after_each_move():
    bank = encode(toy(4))
    order = np.array([2, 0, 1, 2, 3])
    weights = np.zeros((transition.ROWS, 3), np.int64)
    summed = np.zeros_like(weights)
    for sentence in order:
        nodes = slice(bank.first[sentence], bank.first[sentence + 1])
        for atoms, right, possible in configurations(bank.codes[nodes], bank.heads[nodes]):
            rows = np.empty(len(transition.TEMPLATES), np.int64)
            find_rows(atoms, transition.TEMPLATES, transition.ROWS, rows)
            move = transition.best_move(weights[rows].sum(axis=0), *possible)
            if move != right:
                np.add.at(weights, (rows, right), 1)
                np.add.at(weights, (rows, move), -1)
            summed += weights
    assert summed.any()
    assert np.array_equal(transition.learn(bank.codes, bank.heads, bank.first, order), summed)


@pytest.mark.parametrize("kind", PARSERS)
def test_a_grammar_without_doubt_is_learned(kind):
    """Trained on 60 sentences, all heads and relations of 200 others are right."""
    asked = toy(200, seed=1)
    assert train(kind, encode(toy(60))).parse(encode(asked)) == parses(asked)


@pytest.mark.parametrize("kind", PARSERS)
def test_the_answer_depends_on_the_words_alone(kind):
    asked = toy(20, seed=1)
    blank = [
        tree._replace(heads=(0, *[1] * (len(tree.heads) - 1)), relations=("x",) * len(tree.heads)) for tree in asked
    ]
    parser = train(kind, encode(toy(10)))
    assert parser.parse(encode(blank)) == parser.parse(encode(asked))


@pytest.mark.parametrize("kind", PARSERS)
def test_the_same_training_gives_the_same_parser(kind):
    bank = encode(toy(30))
    before = bank.codes.copy(), bank.heads.copy(), bank.relations.copy()
    one, same, other = (train(kind, bank, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.for_heads, same.for_heads)
    assert np.array_equal(one.for_relations, same.for_relations)
    assert np.array_equal(one.for_heads, other.for_heads) == (kind == "table")
    assert all(map(np.array_equal, before, (bank.codes, bank.heads, bank.relations)))


@pytest.mark.parametrize("kind", PARSERS)
def test_a_sentence_that_is_drawn_twice_counts_twice(kind):
    trees = toy(3)
    drawn = train(kind, encode(trees), 5, np.array([2, 0, 2]))
    copied = train(kind, encode([trees[2], trees[0], trees[2]]), 5)
    assert np.array_equal(drawn.for_heads, copied.for_heads)
    assert drawn.labels == copied.labels


@pytest.mark.parametrize("kind", PARSERS)
def test_relations_that_were_not_drawn_are_not_known(kind):
    trees = [
        *toy(5),
        ParsedSentence(forms=("oh",), tags=("INTJ",), heads=(0,), relations=("aaa",)),
        ParsedSentence(forms=("oh",), tags=("INTJ",), heads=(0,), relations=("zzz",)),
    ]
    parser = train(kind, encode(trees), 0, np.arange(6))
    assert "aaa" in parser.labels
    assert "zzz" not in parser.labels
    assert parser.parse(encode(trees[5:])) == [Parse([0], ["aaa"])] * 2


@pytest.mark.parametrize("kind", PARSERS)
def test_every_answer_is_a_tree_of_one_root(kind):
    rng = np.random.default_rng(4)
    words = [tuple(map(str, rng.integers(0, 5, size))) for size in rng.integers(1, 12, 40)]
    trees = [ParsedSentence(forms=w, tags=w, heads=(0, *range(1, len(w))), relations=("x",) * len(w)) for w in words]
    for parse in train(kind, encode(trees[:3])).parse(encode(trees)):
        assert parse.heads.count(0) == 1
        assert not crosses(parse.heads)
        assert all(head != number for number, head in enumerate(parse.heads, start=1))


def test_relations_by_frequency_back_off():
    """A pair of tags that was never seen gets the most frequent relation of the dependent's tag."""
    rows = [("A", "V", "x"), ("A", "V", "x"), ("A", "W", "y"), ("B", "V", "z")]
    trees = [
        ParsedSentence(forms=(d, h), tags=(d, h), heads=(2, 0), relations=(relation, "root")) for d, h, relation in rows
    ]
    parser = train("table", encode(trees))
    bank = encode([ParsedSentence(forms=("A", h), tags=("A", h), heads=(2, 0), relations=("?", "?")) for h in "VWX"])
    places = most_frequent(parser.for_relations, bank.codes, bank.heads, bank.first)
    assert [parser.labels[places[i]] for i in (1, 4, 7)] == ["x", "y", "x"]


def test_relations_of_a_perceptron_follow_the_form_where_tags_do_not_tell():
    trees = [
        ParsedSentence(forms=(form, "v"), tags=("A", "V"), heads=(2, 0), relations=(relation, "root"))
        for form, relation in (("in", "x"), ("on", "y"))
    ]
    bank = encode(trees)
    weights = learn(bank.codes, bank.heads, bank.relations, bank.first, np.array([0, 1] * 5), len(bank.labels))
    assert np.array_equal(
        classify(weights, bank.codes, bank.heads, bank.first)[[1, 2, 4, 5]], bank.relations[[1, 2, 4, 5]]
    )


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(ChoiceError, match=r"No parser called 'tree'\. Available: graph, table, transition"):
        train("tree", encode(toy(1)))


def test_templates_name_their_atoms():
    assert templates(["a", "b", "c"], "a\n c b \n").tolist() == [[0, -1], [2, 1]]
    with pytest.raises(ValueError, match="'d' is not in list"):
        templates(["a", "b", "c"], "d")


def test_a_feature_depends_on_its_template_and_its_atoms_alone():
    lines, rows = templates(["a", "b", "c"], "a\na b\na b"), np.empty((3, 3), np.int64)
    for atoms, found in zip(([1, 2, 3], [1, 2, 4], [1, 5, 3]), rows, strict=True):
        find_rows(np.array(atoms, np.uint64), lines, 1 << 16, found)
    assert rows[0].tolist() == rows[1].tolist()
    assert len(set(rows[0].tolist())) == 3
    assert (rows[2] == rows[0]).tolist() == [True, False, False]
    assert ((rows >= 0) & (rows < 1 << 16)).all()


def test_side_and_distance():
    """Dependents at 1, 2, 3, 4, 5 to 7, 8 to 11 and 12 or more words to the right, and the same to the left."""
    places = [int(place_of(0, dependent)) for dependent in range(1, 20)]
    assert places == [9, 10, 11, 12, 13, 13, 13, 14, 14, 14, 14, *[15] * 8]
    assert [int(place_of(dependent, 0)) for dependent in range(1, 20)] == [16 - place for place in places]
